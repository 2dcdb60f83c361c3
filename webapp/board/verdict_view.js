// The verdict: what is known about the table, how far a search is, and the ways on from a reading that is not sure.

import { FILMS, PHOTOS, picker } from "./camera.js";
import { FONT, face } from "./cards.js";
import { button, chooser, el, icon, isLargeText, isLow, isNarrow } from "./dom.js";

export const SIGNS = { good: "check_circle", bad: "block", open: "help", warn: "edit", wait: "hourglass_top" };
const inARow = (pile) => `Lay the ${pile} face up in a row: its top card first, at the left, then each next card half upon the one before.`;
const SPREAD = "Spread each pile where it lies, so that the corner of each card shows. Its top card stays on top.";
// How the hidden cards of each game are laid when they are turned over, and two piles of it as they lie then.
const TURNED = {
  klondike: { told: ["Turn each hidden card face up where it lies, so that its corner shows.", inARow("stock"),
    "Leave the waste as it lies, and let the row not touch it."], rest: "Stock",
    piles: [["Columns", ["8H", "3C", "QD"]], ["", ["5S", "KC", "AD", "9S"]]] },
  tomb_single: { told: [SPREAD, inARow("deck")], rest: "Deck", piles: [["Corner", ["7H", "8C", "9D", "TS"]], ["Centre", ["6S", "5D", "4C"]]] },
  tomb_double: { told: [SPREAD, inARow("stock")], rest: "Stock", piles: [["Reserve", ["8H", "3C", "QD", "5C"]], ["Waste", ["5S", "KC", "AD"]]] },
};
// Only where single cards are turned without end it is all the same whether a card is still to come or comes once more.
const UNDER_WASTE = "Only cards that are hidden under its top go to the end of the row, the lowest first.";
const MOST_FAULTS = 2; // that stand on a phone's first screen; all of them are marked on the table
const MOST_ITEMS = 8; // of a list that stand there at once
const OVERDUE_S = 3; // after its time a search is no longer taken for one that is about to end

// The verdict in one line, which stays at the top of the window; what it rests on is folded in where room is short.
export function verdictLine({ said, title, tools = [], photos, board, steps, questions, undo }, app) {
  const parts = tools.map((tool) => app.tool(tool));
  if (!said) return [el("h1", { text: title }), ...parts];
  const items = (said.list || []).map((text) => el("p", { class: "item", text }));
  const about = [said.detail ? el("p", { text: said.detail }) : null,
    said.way ? photoPicker(said.way, app) : null,
    ...items.slice(0, MOST_ITEMS), items.length > MOST_ITEMS && el("details", {}, el("summary", { text: `And ${items.length - MOST_ITEMS} more` }), ...items.slice(MOST_ITEMS)),
    said.outs ? el("p", { text: said.outs }) : null,
    said.details ? el("details", {}, el("summary", { text: "Details" }), el("p", { text: said.details })) : null].filter(Boolean);
  const line = [icon(SIGNS[said.tone]), el("div", {}, el("h1", { text: title }), el("h2", { text: said.headline }))];
  const folds = (photos?.length || steps?.length) && (said.tone !== "warn" || questions?.length || said.list?.length > MOST_FAULTS) && !said.unfolded;
  const isByHand = undo && !photos?.length; // a verdict that comes up while cards are laid unfolds nothing over them
  const mayFold = board && (isLargeText() || ((isNarrow() || isLow()) && (folds || said.folded || isByHand)));
  const folded = mayFold && !app.unfolded;
  const box = about.length ? el("details", { class: mayFold && "folds", open: !folded, ontoggle: (event) => (app.unfolded = event.target.open && Boolean(folded)) },
    el("summary", { onclick: () => requestAnimationFrame(() => box.open && mayFold && app.toTop()) }, ...line), // unfolded, it stays at the top of the page
    el("div", { class: "about" }, ...about)) : el("div", { class: "summary" }, ...line);
  return [el("div", { class: `alert verdict ${said.tone}`, role: "status", "data-tone": said.tone }, box), ...parts];
}

// What can be done about the verdict: the ways on from a reading that is not sure, and a longer search.
export function waysView(data, app) {
  const { trust, longer } = data;
  const parts = trust?.length || data.ask ? [waysOn(data, app)] : [];
  if (data.hidden) parts.push(el("div", { class: "row settle" },
    el("span", { text: "Turn the hidden cards over and take one more photo: then I can say for sure." }),
    el("ul", {}, ...[...TURNED[data.board.game].told, ...(isEndless(data.line) ? [UNDER_WASTE] : [])].map((text) => el("li", { text }))),
    el("span", { text: "An example, with other cards than yours:" }), turnedExample(TURNED[data.board.game]),
    turnedPicker("Photo of the turned cards", app)));
  const isOn = data.searching && progress(data.searching, app, "stop"); // in the place of the button: nothing moves under a finger
  if (isOn || longer) parts.push(el("div", { class: "search" }, isOn || app.tool({ name: "longer", sign: "hourglass_top",
    label: `Search longer: ${longer < 60 ? `${longer} s` : `${longer / 60} min`}`, given: { seconds: longer } })));
  return parts;
}

// A button that takes a photo for a purpose, or a film: {label, sign, purpose, main, film}.
export const photoPicker = ({ label, sign, purpose, main, film }, app) => picker(label, sign, (files) => {
  app.toTop(); // there it is seen what the photo changes
  app.server.photo(files, { purpose });
}, { main, accept: film ? FILMS : PHOTOS });

const isEndless = (line) => line.startsWith("klondike draw: 1; redeals: unlimited;");

// How turned cards are laid, drawn: two piles, and the rest as a row.
function turnedExample({ piles, rest }) {
  const fan = (x, y, step, drop, cards) => cards.map((card, n) =>
    `<g transform="translate(${x + n * step} ${y + n * drop})">${face(card, Boolean(drop))}</g>`).join("");
  const text = (x, anchor, words) => `<text x="${x}" y="34" text-anchor="${anchor}" font-size="30" fill="#fff" font-family="${FONT}">${words}</text>`;
  return el("div", { class: "example", html: `<svg viewBox="0 0 800 336" role="img" aria-label="Piles face up in their places; the ${rest.toLowerCase()} as a row">`
    + piles.map(([name, cards], n) => text(20 + 130 * n, "start", name) + fan(20 + 130 * n, 52, 0, 42, cards)).join("")
    + text(290, "start", `${rest}: top card`) + text(780, "end", "last card") + fan(290, 52, 56, 0, ["4D", "JS", "7H", "2C", "TD", "6S", "AH", "9C"]) + "</svg>" });
}

// A button that takes photos of cards that were turned over.
export const turnedPicker = (label, app) => picker(label, "flip", (files) => app.server.photo(files, { purpose: "turned_over" }), { several: true });

// The one-tap ways on from a reading that does not stand.
function waysOn({ trust, ask }, app) {
  const made = {
    photo: (way) => photoPicker(way, app),
    by_hand: (way) => chooser(way.label, way.games, (game) => app.send("by_hand", { game })),
    this_is: (way) => button(way.label, way.sign, () => app.server.read("this_is", way.given), { "data-name": way.name, class: way.main && "main" }),
  };
  const row = el("div", { class: "row ways" }, ...(trust || []).map((way) => (made[way.name] || app.tool.bind(app))(way)));
  if (!ask) return row;
  const text = el("input", { type: "text", placeholder: "3S 4S 10H", maxlength: 400 });
  const send = () => text.value.trim() && app.send("hand", { text: text.value });
  text.onkeydown = (event) => void (event.key === "Enter" && send()); // a handler that gives false takes the key away
  const label = el("label", {}, el("span", { text: `The cards of your hand${ask === "hand" ? "" : " before the turn"}` }), text);
  row.append(el("span", { class: "field" }, label, button("Put into the hand", "back_hand", send)));
  if (ask === "hand") row.append(button("None, I have no cards left", null, () => app.send("no_hand")));
  return row;
}

// How far a search is, with what stops it; one that has not begun has no end that could be told, and one that is overdue
// has none any more.
export function progress({ seconds = 0, since = 0, words, late }, app, stop) {
  const left = Math.max(0, seconds - since);
  const said = el("span", { text: words });
  const bar = el("span", left ? { class: "fill", style: `animation-duration:${left}s;--from:${since / seconds}` } : { class: "fill open" });
  setTimeout(() => {
    said.textContent = late;
    bar.className = "fill open";
  }, 1000 * (left + OVERDUE_S));
  return el("div", { class: "row searching", role: "status" }, said,
    el("span", { class: "progress", role: "progressbar", "aria-label": words }, bar), stop && app.tool({ name: stop, sign: "stop", label: "Stop" }));
}
