// A turn of Makiaveli between two photos: the table that this browser remembers, and what has changed since then. A table
// stays remembered until somebody forgets it, or has another one remembered. That of a photo before a turn which came
// together with the one after it is kept with that one alone.

import { picker } from "./camera.js";
import { button, el, icon } from "./dom.js";
import { keep, kept } from "./store.js";
import { SIGNS, progress } from "./verdict_view.js";

export const REMEMBERED = "remembered";
const MARGIN_PX = 12; // between what was found out and the verdict above it
const FEW_MELDS = 5; // a turn may change all of fewer
const ALIKE_SHARE = 0.33; // of the melds, which a turn leaves as they are; tables have some in common by chance
const STAY_SHARE = 0.85; // of the cards in melds: a turn takes none away, but a photo may miss some

export class TurnView {
  constructor(app) {
    this.app = app;
    this.box = el("div", { class: "turn" });
    this.top = el("div", { class: "turn" }); // what stands before the table, on the first screen of a phone
  }

  // turn: {url, key, waits, isHandTold} of a table that may be remembered; line: that as text; change: what was found out;
  // said: the verdict above it; ask: the hand, where that is to be typed
  async draw(data) {
    const { turn, change, said } = this.data = data;
    const { record } = this.app.server;
    let remembered = turn && await kept(REMEMBERED);
    const isSame = Boolean(remembered) && remembered.key === turn.key;
    if (isSame && remembered.url === turn.url) this.held = record; // it was remembered as this photo shows it, and
    else if (isSame && this.held === record && !change) { // put right since: it holds as it is now
      remembered = await this.tableOf(turn);
      if (this.data === data) await keep(REMEMBERED, remembered);
    }
    const holds = isSame && (remembered.url === turn.url || isAlike(remembered, await this.tableOf(turn)));
    if (this.data !== data) return; // told anew meanwhile
    const { own } = record || {};
    const before = own || remembered;
    const parts = [];
    const instead = `Remember this table${remembered ? ` instead of that from ${timeOf(remembered)}` : ""}`;
    const remember = (label = instead) => button(label, "bookmark_add", () => this.remember(turn), turn.waits && { title: "Better once all questions about it are answered" });
    const isFirst = Boolean(turn && this.next) && this.next.record === record; // its photo after the turn waits
    if (isFirst && !this.next.asks) return this.goOn(); // most of what is unsure in it does not matter for the turn
    if (isFirst && !this.next.asks.length && data.steps?.length && !this.next.isShown) { // the steps are what was wanted,
      this.next.isShown = true; // and they stand in the place of what is asked
      this.app.questions.wanted = false;
      this.app.drawQuestions();
    }
    const top = [];
    if (isFirst) {
      const isAsked = Boolean(data.questions?.length);
      this.next.wasAsked ||= isAsked;
      const isSettled = this.next.wasAsked && !isAsked;
      const hasAsks = this.next.asks.length > 0; // else it is there for what could have been played
      const todo = isSettled ? "All questions about it are answered."
        : hasAsks ? "Answer what is asked, or tap a card to put it right." : "What the hand could have played is shown step by step.";
      top.push(el("span", { text: `This is the table before the turn. ${todo}` }));
      if (hasAsks && !isSettled) top.push(el("details", { open: !isAsked }, el("summary", { text: "What the turn hangs on" }), el("ul", {}, ...this.next.asks.map(item))));
      (isAsked ? parts : top).push( // no way past an open question stands above it
        button("Compare with the photo after the turn", "compare", () => this.goOn(), { class: hasAsks && !(isAsked || data.ask) && "main" }));
    } else if (isSame && change && !(change.isOther || change.isLegal)) parts.push(); // it comes first whether the turn stays
    else if (isSame && holds) parts.push(
      el("span", { text: `I remember this table. Take a photo after the next turn: then I can say what has changed.${turn.isHandTold ? " The hand that you told me counts." : ""}` }), this.pickerAfter(remembered));
    else if (isSame) parts.push( // its photo was read anew: what was told of it before is not lost unasked
      el("span", { text: `I remember this table as it was at ${timeOf(remembered)}.` }), remember("Remember it as it is now"));
    else if (turn && (!change || change.isOther || change.isLegal)) { // else the one before is still needed
      if (!change) parts.push(el("span", { text: "Is the next turn legal? Remember this table, and take a photo after the turn." }));
      const isOffered = before && (!change || change.isOther) && (own || mayFollow(data.line, before));
      if (isOffered) top.push(el("span", { class: "since" }, // small: this may be another game
        button(`What has changed since ${own ? "the photo before" : `your table from ${timeOf(before)}`}?`, "compare", () => this.ask(before),
          { title: `Compare with ${own ? "it" : "the table that I remember"}` }),
        own ? null : button("Forget that table", "close", () => this.forget(), { bare: true })));
      parts.push(remember());
    }
    const ways = before?.photo && change ? this.waysOn(change, before) : {};
    this.top.replaceChildren(...row(top));
    this.box.replaceChildren(...changeView(change, said, ways), ...row(parts));
    this.app.fit();
    this.box.style.scrollMarginTop = `${this.app.parts.head.offsetHeight + MARGIN_PX}px`; // what stays at the window's top
    if (!change?.headline) return;
    if (remembered && remembered.at === this.compared && change.isLegal) keep(REMEMBERED, { ...remembered, isCompared: true }); // the start offers it no more
    const isOpen = Boolean(change.asks?.length); // then it is compared again after each change
    const isAsked = change.tone === "open" && change.told; // below the table, which shows what it is about
    if ((this.asked && !isAsked) || (this.wasOpen && !isOpen)) this.box.scrollIntoView({ block: "start", behavior: "smooth" });
    Object.assign(this, { asked: false, wasOpen: isOpen });
  }

  // The button for a photo that is compared with a table before it.
  pickerAfter(before) {
    return picker("Photo after the turn", "photo_camera", (files) => {
      Object.assign(this, { asked: true, compared: before.at });
      this.app.server.photo(files, { purpose: "new", turn: sideOf(before) });
    });
  }

  async remember(turn) {
    await keep(REMEMBERED, await this.tableOf(turn));
    this.draw({ turn, line: this.data.line });
  }

  async forget() {
    await keep(REMEMBERED, null);
    this.draw(this.data);
  }

  // What can be done about a turn that is not legal as the photos were taken, and about doubts in the photo before it.
  waysOn({ ofBefore, otherWay, whyOtherWay, asksHand, couldMore }, before) {
    return {
      how: couldMore && button("Show how", "play_arrow", () => this.goBack(before, [], { verdict: true })),
      hand: asksHand && button("Say which cards the hand held before", "back_hand", () => this.goBack(before, ["Which cards were in the hand before the turn?"])),
      swap: otherWay && [el("p", { text: whyOtherWay }),
        button("The other way round", "compare", () => this.swap(before))],
      back: ofBefore?.length && button("Open the photo before the turn", "arrow_back", () => this.goBack(before, ofBefore)),
    };
  }

  // Whether the photos of these numbers, put together to one table, are here as files.
  canPart(numbers) {
    const { files, sample } = this.app.server.record || {};
    return !sample && numbers.every((number) => files?.[number]);
  }

  // Reads two photos that were put together to one table each by itself, the one before the turn first.
  part(numbers) {
    const [before, after] = numbers.map((number) => this.app.server.record.files[number]);
    this.app.server.readAlone([before], null, {});
    this.next = { photo: { files: [after] }, record: this.app.server.record };
  }

  // Goes on from the table before a turn to the photo after it, which is compared with it.
  async goOn() {
    const { photo } = this.next;
    Object.assign(this, { next: null, asked: true });
    const own = await this.tableOf(this.data.turn); // as it is now: the button may be older
    this.app.server.restore({ ...photo, own }, sideOf(own));
  }

  // Opens the photo before a turn again: something in it has to be put right first, or its verdict is wanted.
  goBack(before, asks, turn = {}) {
    const photo = this.app.server.record;
    this.app.server.restore(before.photo, turn);
    this.next = { photo, asks, record: this.app.server.record };
  }

  // Takes this photo for the one before the turn, and that one for the one after it.
  async swap(before) {
    const own = await this.tableOf(this.data.turn);
    this.asked = true;
    this.app.server.restore({ ...before.photo, own }, sideOf(own));
  }

  ask(before) {
    Object.assign(this, { asked: true, compared: before.at });
    this.app.server.compare(sideOf(before).before);
  }

  // A table with its photo, which is opened again where something in it is asked.
  async tableOf(turn) {
    const photo = { ...this.app.server.record, before: undefined, own: undefined, compared: undefined };
    return { ...await (await fetch(turn.url)).json(), at: Date.now(), url: turn.url, photo };
  }
}

// What Python is told with a photo after a turn: the table before it.
const sideOf = ({ reading, hand }) => ({ before: { reading, hand } });
// When a table was remembered, as short as can be: the time of today, else the date.
export const timeOf = ({ at }) => new Date(at).toLocaleString([], new Date(at).toDateString() === new Date().toDateString() ? { timeStyle: "short" } : { dateStyle: "short" });

// Whether two tables hold the same cards at the same places.
const isAlike = (...tables) => new Set(tables.map(({ reading, hand }) => JSON.stringify([reading.position, hand]))).size === 1;

// Whether a table may be the one that is remembered, after a turn or before it: all cards of melds stay in melds.
function mayFollow(line, { reading }) {
  const there = (line.match(/floor: ([^;]*)/)?.[1] || "").split(" | ").map((meld) => meld.split(" "));
  const both = [reading.position.floor, there];
  const melds = both.map((floor) => floor.map((cards) => [...cards].sort().join()));
  const areAlike = both.some((floor) => floor.length < FEW_MELDS) || shareIn(...melds) >= ALIKE_SHARE;
  return areAlike && shareIn(...both.map((floor) => floor.flat())) >= STAY_SHARE;
}

// How much of the shorter of two lists the other one holds as well; what is there twice counts twice.
function shareIn(...lists) {
  const [short, long] = lists.sort((one, other) => one.length - other.length);
  const left = [...long];
  return short.filter((each) => left.includes(each) && left.splice(left.indexOf(each), 1)).length / short.length;
}

const row = (parts) => (parts.length ? [el("div", { class: "row settle" }, ...parts)] : []);
const item = (text) => el("li", { text });

function changeView(change, said, { swap, back, hand, how }) {
  if (!change) return [];
  if (change.running) return [progress(change.running)];
  const { tone, headline, lines, asks = [], ofBefore = [], told, steps = [], picture, isLegal } = change;
  const what = isLegal ? "The turn is most likely legal all the same. If you put something right, I compare again."
    : told || (ofBefore.length === asks.length ? "Please look at this in the photo before the turn:"
      : "Please look at this and put the table right. I compare again by myself:");
  const doubts = asks.length ? [el("p", { text: what }), el("ul", {}, ...asks.map(item)), back || null] : [];
  const isSaid = said?.headline === headline; // it stands at the top of the page
  return [el("div", { class: `alert ${tone} change`, role: "status" }, icon(SIGNS[tone]), el("div", {}, isSaid ? null : el("h2", { text: headline }),
    ...lines.map((text) => el("p", { text })),
    how || null,
    ...(swap || []),
    hand || null,
    ...(!isLegal || !asks.length ? doubts : [el("details", {}, el("summary", { text: "What I am not sure of" }), ...doubts)]),
    steps.length ? el("details", { open: true }, el("summary", { text: "Put it back" }), el("ol", {}, ...steps.map(item)),
      picture ? el("a", { href: picture, target: "_blank" }, el("img", { src: picture, alt: "your photo with a numbered arrow for each step back" })) : null) : null))];
}
