// What is to be checked in a photo: each doubtful card with its piece of the photo, and whatever else is asked.

import { pretty, spoken } from "./cards.js";
import { button, el } from "./dom.js";

const LISTED = 6; // doubts that are listed at a time; all of them are marked on the board
const MOST_HIDDEN = 30; // cards face down that a pile may hold

// cards: the `CardView` that opens a card and cuts its piece of the photo
export function doubtsView({ doubts = [], checks = [] }, app, cards) {
  const total = doubts.length + checks.length;
  if (!total) return [];
  return [el("h2", { text: `Please check ${total} thing${total === 1 ? "" : "s"}` }),
    ...doubts.slice(0, LISTED).map((doubt) => doubtfulCard(doubt, app, cards)),
    ...checks.map((check) => otherCheck(check, app, cards)),
    ...(doubts.length > LISTED ? [el("p", { text: `and ${doubts.length - LISTED} more, marked on the table` })] : [])];
}

function doubtfulCard({ number, card, place, likely, seen, title, decisive }, app, cards) {
  const away = place === null;
  const confirm = () => app.send("check", { number });
  const open = () => cards.openNumber(number);
  const crop = cards.crop(number, 56);
  const others = away ? [] : likely.slice(0, 3).filter(([other]) => other !== card).map(([other]) =>
    cards.sheet.cardButton(other, () => app.send("set_card", { place, card: other, was: card, number }), "likely"));
  const words = away ? `I see ${pretty(card)} in the photo, but found no place for it on the table`
    : seen ? title : `${title}: not seen in the photo, put there because it seems to be missing`;
  return el("div", { class: `doubt${decisive ? " decisive" : ""}`, "data-number": number },
    crop ? el("button", { type: "button", class: "look", onclick: open, "aria-label": `look closer: ${spoken(card)}` }, crop) : null,
    el("div", { class: "say" }, el("p", { text: decisive ? `${words}: the answer depends on it` : words }),
      el("div", { class: "row" }, button(away ? "Leave it out" : `${pretty(card)} is right`, "check", confirm),
        button(away ? "Put it on ..." : "Other", "more_horiz", open)),
      others.length ? el("div", { class: "row" }, ...others) : null));
}

// What else is to be looked at; the number of cards face down can be put right in its row.
function otherCheck({ id, text, under, apart }, app, cards) {
  const counters = under.map(({ path, now, title }) => cards.sheet.counter(title, { now, least: 0, most: MOST_HIDDEN,
    change: (by) => app.send("bury", { path, by }) }));
  return el("div", { class: "doubt check" }, el("div", { class: "say" }, el("p", { text }),
    el("div", { class: "row" }, ...counters, button(apart ? "Go on without it" : "That is right", "check", () => app.send("seen", { id })))));
}
