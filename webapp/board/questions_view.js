// What is asked about a photo, one question at a time, in a bar at the bottom of the window: a large piece of the photo,
// the answers as cards, one tap for each, and the next one slides in.

import { CARD_VIEW, face, spoken } from "./cards.js";
import { askAgain, button, el, icon } from "./dom.js";
import { lengthOf, lightUp, region } from "./photo_editor.js";
import { gameChooser } from "./photos_view.js";
import { photoPicker, turnedPicker } from "./verdict_view.js";

const PIECE_PX = 108; // side of the piece of a photo, and
const STRIP_PX = [120, 170]; // width and height of a whole column's at the most
const MOST_SINGLE = 5; // questions that are asked one by one; of more, those that a glance answers are asked
const TOGETHER = 8; // together, so many at a time
const MANY = 12; // of more, it is told first that a better photo would save them
const SMALL_PX = [64, 64]; // width and height of the piece of each of those, and
const SMALL_STRIP_PX = [70, 130]; // of a whole column's, and
const SMALL_ROW_PX = [76, 110]; // of the row in which a card lies
const FRESH_MS = 350; // in which a tap still means the question before
const LONG = 45; // letters of a text that stands above its piece on a phone, which beside it would take many lines
const LARGE = [0.86, 0.38]; // of the window's width and height: a piece that was tapped, at the most

const ASKED = "?"; // the mark of what is asked, also in the photo
// What is passed together with a question: all that somebody has to remember of one moment; the second time it goes alone.
const passedBy = ({ id, moment }) => moment || id;

const OFFER = { id: "offer", isOffer: true, text: "Much of this is hard to read. A sharper picture from nearer saves you questions." };

export class QuestionsView {
  constructor(app) {
    this.app = app;
    this.box = el("section", { class: "asking", "aria-label": "questions about your table" });
    this.reset();
  }

  // Begins with the questions of another reading.
  reset(key) {
    Object.assign(this, { key, asked: new Set(), answered: new Set(), put_off: new Set(), passed: new Set(), at: null, wanted: null, isLarge: null, isWhole: false, isWilling: false });
  }

  // How many are left to ask, with this one: an answer may settle others, too, so nothing else can be counted on.
  left(asked) {
    return new Set([asked, ...this.waiting]).size;
  }

  // Those that nobody has passed, or that are asked once more, behind all others.
  get waiting() {
    const [again, first] = [true, false].map((was) => this.open.filter((asked) => this.passed.has(passedBy(asked)) === was));
    return [...first, ...again].filter((asked) => !this.put_off.has(passedBy(asked)) && !this.put_off.has(asked.id));
  }

  // The questions without those that were answered, even if Python does not know it yet.
  get open() {
    return (this.app.data.questions || []).filter(({ id }) => !this.answered.has(id));
  }

  // The one that is asked now: what was chosen, else the first that was not put off; null where none is.
  get now() {
    const { open } = this;
    const first = (this.areMany && OFFER) || open.find(({ id }) => id === this.at) || this.waiting[0] || null;
    return this.wanted ?? this.app.data.urgent ? first : null;
  }

  // Whether so much is open that a better photo would serve better than answers; not once somebody has begun to answer, and not
  // while it is open which game it is: of another one, or of none, all the rest is not asked.
  get areMany() {
    return this.app.data.photos && this.open.length > MANY && !this.isWilling && !this.open.some(({ games }) => games);
  }

  // Of many, how many have to be answered to judge a turn; "" where none.
  get countOfTurn() {
    const count = this.open.filter(({ isOfTurn }) => isOfTurn).length;
    return count && `Answer ${count} about the turn`;
  }

  // How many are left that a turn hangs on, where a question is of them and others are not: who has many answers these alone.
  leftOfTurn(asked) {
    const some = this.waiting.filter(({ isOfTurn }) => isOfTurn);
    return asked.isOfTurn && some.length < this.open.length ? some.length : 0;
  }

  // Those that are asked together now: each shows what was read beside its piece of the photo.
  get together() {
    const { now } = this;
    if (!now?.read || now.id === this.at || this.asked.size <= MOST_SINGLE) return []; // one that went by itself was asked, too
    const isAlike = ({ read, strip, round, isOfTurn }) => read && strip === now.strip && round === now.round && isOfTurn === now.isOfTurn;
    const some = this.waiting.filter(isAlike).slice(0, TOGETHER);
    if (now.strip) some.sort((one, other) => one.read.localeCompare(other.read, "en", { numeric: true })); // from the left
    return some.length > 1 ? some : [];
  }

  // Those whose numbers stand in the photo: of many only what is asked now, for they would hide it.
  get marked() {
    const { now, open, together } = this;
    if (open.length <= MANY) return open;
    return together.length ? together : open.filter((one) => one === now);
  }

  draw(data) {
    const key = data.kept?.settled.reading;
    if (key !== this.key) this.reset(key);
    if (!this.app.box.hasAttribute("aria-busy")) // what Python still asks when it has heard all answers is asked again
      (data.questions || []).forEach(({ id }) => this.answered.delete(id));
    this.open.forEach((one) => {
      if (one.isPassed && !this.asked.has(one.id)) this.put_off.add(passedBy(one)); // before the page was drawn anew
      this.asked.add(one.id);
    });
    const { now: asked, together } = this;
    this.box.hidden = !asked;
    const mark = (one) => { // numbers only where answers have them: beside a question they would be taken for columns
      const now = one.id === asked?.id && !together.length;
      return { ...one, text: together.indexOf(one) + 1 || ASKED, now };
    };
    this.app.photos.ask(this.marked.map(mark), (id) => this.show(id));
    const drawn = asked && JSON.stringify([asked, together, this.open.length, this.isLarge, this.isWhole]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.box.replaceChildren(...(together.length ? this.sheetOf(together) : asked?.isOffer ? this.offer(asked) : asked ? this.question(asked) : []));
    if (asked) this.app.photos.whenLoaded(() => (this.drawn = null, this.app.drawQuestions())); // the photo may be on its way
  }

  // Asks a question: the one of an id, or the first.
  show(id = null) {
    if (id === null) Object.assign(this, { passed: new Set([...this.passed, ...this.put_off]), put_off: new Set() });
    else this.isWilling = true;
    Object.assign(this, { at: id, wanted: true, isLarge: null, isWhole: false });
    this.app.drawQuestions();
  }

  answer(question, value) {
    this.answerAll([question], value);
  }

  answerAll(questions, value) {
    const [id, ...others] = questions.map((asked) => asked.id);
    [id, ...others].forEach((own) => this.answered.add(own));
    this.app.send("answer", { id, value, others });
    this.next();
  }

  putOff(...questions) {
    questions.forEach((asked) => this.put_off.add(this.passed.has(passedBy(asked)) ? asked.id : passedBy(asked)));
    if (this.app.data.view === "record") this.app.send("pass", { ids: questions.map(({ id }) => id) });
    this.next();
  }

  next() {
    this.box.classList.add("fresh");
    setTimeout(() => this.box.classList.remove("fresh"), FRESH_MS);
    Object.assign(this, { at: null, isLarge: null, isWhole: false });
    if (!this.waiting.length) { // what is left is counted anew, as the button does that brings it back
      this.wanted = null;
      this.asked = new Set(this.open.map(({ id }) => id));
    }
    this.app.drawQuestions();
    this.app.live.textContent = this.now ? this.now.text : "";
  }

  // In place of very many questions: a better photo, or to answer them all the same.
  offer(asked) {
    return [el("div", { class: "asked" }, el("h2", { text: asked.text }), el("div", { class: "row more" },
      photoPicker({ ...this.app.data.better, main: true }, this.app),
      button(this.countOfTurn || "Answer what matters most first", null, () => (this.isWilling = true, this.next()))))];
  }

  question(asked) {
    const [first, next] = asked.choices.map(({ likely }) => likely).filter(Boolean).sort((one, other) => one - other);
    const choices = asked.choices.map((choice) => this.choice(asked, choice, first < next && choice.likely === first));
    const more = asked.ends ? this.furtherPhotos() : []; // it shows more than is known by hand
    if (asked.other) more.push(button(asked.other, null, () => this.other(asked)));
    if (asked.none) more.push(button(asked.none, null, () => this.answer(asked, "none")));
    if (asked.no) more.push(button(asked.no, null, () => this.putOff(asked)));
    if (asked.games && this.app.data.games?.length) more.push(gameChooser(this.app.data.games, this.app));
    if (asked.turned) more.push(turnedPicker("One more photo", this.app));
    if (!asked.passes) more.push(button(asked.taken ? `Not sure: taken as ${asked.taken}` : "Not sure", null, () => this.putOff(asked)));
    if (this.app.data.view === "record" && this.waiting.length > 1)
      more.push(button("Enough: show the review", null, () => this.putOff(...this.waiting)));
    if (this.passed.has(passedBy(asked))) more.push(el("small", { text: "You passed this one before." }));
    if (asked.hint) more.push(el("p", { class: "hint", text: asked.hint }));
    if (first) more.push(el("small", { text: first < next ? "Filled: most likely." : "Outlined: likely." }));
    const shape = this.showsLarge(asked) ? "asked large" : !asked.pictures && asked.text.length > LONG ? "asked long" : "asked";
    return [el("div", { class: shape }, this.piece(asked), el("div", { class: "say" },
      el("h2", {}, ...this.heading(asked)),
      el("div", { class: "row" }, ...choices)), el("div", { class: "row more" }, ...more))];
  }

  // The words of a question, and how many are left; about a game the line below tells that.
  heading(asked) {
    const words = el("span", { text: asked.text });
    if (this.app.data.view === "record") return [words];
    return [el("span", { class: "mark", text: ASKED }), words, this.count(asked)];
  }

  // The button for another photo of the table, where one more can be added.
  furtherPhotos() {
    const ways = this.app.data.more.filter(({ purpose }) => purpose === "more");
    return ways.map((way) => photoPicker({ ...way, label: "Take another photo", main: true }, this.app));
  }

  // How many are left; of a turn only what its verdict hangs on counts.
  count(asked) {
    return el("small", { text: `${this.leftOfTurn(asked) || this.left(asked)} left` });
  }

  // Several at once: what is wrong is tapped and asked about by itself, the rest is right.
  sheetOf(together) {
    const { every, strip, round } = together[0]; // an answer that may hold for all of them
    const size = strip ? SMALL_STRIP_PX : round ? SMALL_ROW_PX : SMALL_PX;
    const cell = (asked, n) => el("button", { type: "button", class: strip ? "cell strip" : "cell", "aria-label": `${n + 1}: ${asked.read}, change it`,
      onclick: () => this.show(asked.id) }, this.picture(asked, false, size),
    el("span", {}, el("span", { class: "mark", text: n + 1 }), el("span", { text: asked.read })));
    const text = round ? "Do the cards lie in these places? Tap each that does not." : `${strip ? "Cards face down: is" : "Is"} this right? Tap what is wrong.`;
    const hint = together.map((asked) => asked.hint).find(Boolean);
    return [el("div", { class: "asked" }, el("h2", {}, el("span", { text }), this.count(together[0])), hint ? el("p", { class: "hint", text: hint }) : null,
    el("div", { class: "cells" }, ...together.map(cell)),
    el("div", { class: "row more" }, button(round ? "All lie there" : "All of these are right", "check", () => this.answerAll(together, "right"), { class: "main" }),
      every ? button(every.label, null, () => this.answerAll(together, every.value)) : null,
      button("Not sure", null, () => this.putOff(...together))))];
  }

  choice(asked, { value, label, likely, turn, card = value }, isFirst) {
    if (turn && !this.app.turn.canPart(turn)) return null;
    const act = () => (turn ? this.app.turn.part(turn) : this.answer(asked, value));
    if (label) return el("button", { type: "button", class: `answer${likely ? " likely" : ""}${isFirst ? " first" : ""}`, onclick: act, text: label });
    const html = `<svg viewBox="${CARD_VIEW}" aria-hidden="true">${face(card)}</svg>`;
    return el("button", { type: "button", class: "answer card-answer", "data-card": card, "aria-label": spoken(card), onclick: act, html });
  }

  // Another answer than those that are offered: any card, or any place.
  other(asked) {
    const { cards } = this.app;
    if (asked.number !== null) cards.openNumber(asked.number);
    else if (asked.place) cards.askTurned(asked.text, asked.place);
    else cards.chooseCard(asked.text, (card) => this.answer(asked, card), asked.used);
  }

  // The piece of the photo that a question is about; a tap makes it larger, and the next one shows the whole photo.
  piece(asked) {
    const isLarge = this.showsLarge(asked);
    const picture = this.picture(asked, isLarge);
    const isMore = !isLarge || (Boolean(asked.pictures) && !this.isWhole);
    const larger = () => {
      Object.assign(this, { isLarge: isMore, isWhole: isMore && isLarge });
      this.app.drawQuestions();
    };
    const label = !isLarge ? "Make the picture larger" : isMore ? "Show the whole photo" : "Make the picture smaller";
    const tapped = picture && el("button", { type: "button", class: "enlarge", onclick: larger, "aria-label": label }, picture,
      icon(isMore ? "zoom_in" : "zoom_out"));
    return isLarge && asked.part ? el("div", { class: "scrolls" }, tapped) : tapped;
  }

  // Whether the piece is large: as it was tapped, else where a suit is asked, which pips show better than the index.
  showsLarge(asked) {
    return this.isLarge ?? Boolean(asked.isOfSuit);
  }

  picture(asked, isLarge = false, small = asked.strip ? STRIP_PX : [PIECE_PX, PIECE_PX]) {
    const size = isLarge ? [LARGE[0] * Math.min(window.innerWidth, 700), asked.part ? Infinity : LARGE[1] * window.innerHeight] : small;
    if (asked.pictures) return this.sideBySide(asked.pictures);
    const isFramed = Boolean(asked.round); // of what lies round it, too, much is shown
    const own = isFramed || asked.number === null ? null : this.app.cards.crop(asked.number, Math.min(...size), isLarge); // an ace's middle tells it from a ten
    if (own) return own;
    const { photo } = asked.sights[0] || {};
    const shown = this.app.photos.all[photo];
    if (!shown) return null;
    const round = isFramed ? lengthOf(shown.photo.cards) * asked.round * (isLarge || small === SMALL_ROW_PX ? 2 : 1) : null;
    return region(shown.image, asked.sights.filter((sight) => sight.photo === photo), size, { told: asked.told, part: asked.part, round, isFramed });
  }

  // What two photos show of the same place, the earlier one first, framed in them.
  sideBySide(pictures) {
    const frame = ([left, top, right, bottom]) => el("i", { class: "spot",
      style: `inset: ${100 * top}% ${100 - 100 * right}% ${100 - 100 * bottom}% ${100 * left}%` });
    const onload = ({ target }) => lightUp(target);
    const numbered = ([number, x, y]) => el("b", { class: "column", style: `left: ${100 * x}%; top: ${100 * y}%`, text: number });
    const shot = ({ url, close, closeSpot, whole, box, spot, title, columns = [] }) => {
      const name = title.toLowerCase();
      if (this.isWhole) return [el("img", { onload, onerror: askAgain, src: whole, alt: name }), frame(spot ? inWhole(box, spot) : box),
        ...columns.map(([number, ...end]) => numbered([number, ...inWhole(box, end)]))];
      if (this.isLarge && close) return [el("img", { onload, onerror: askAgain, src: close, alt: `${name}, from near`, class: "close" }), closeSpot ? frame(closeSpot) : null];
      return [el("img", { onload, onerror: askAgain, src: url, alt: `a part of ${name}` }), spot ? frame(spot) : null, ...columns.map(numbered)];
    };
    return pictures.length ? el("span", { class: "pair" }, ...pictures.map((one) => el("span", {},
      el("span", { class: "shot" }, ...shot(one)), el("small", { text: one.title })))) : null;
  }
}

// A part or a point of a piece as one of the whole photo: left, top, right and bottom, or left and top.
const inWhole = ([left, top, right, bottom], spot) => spot.map((share, n) => (n % 2 ? top + share * (bottom - top) : left + share * (right - left)));

// The button that brings the questions back, with how many are open.
export const askButton = (view) => (view.open.length && !view.now
  ? [button(view.open.length > 1 ? `${view.open.length} questions` : "1 question", "help", () => view.show(), { class: "asks" })] : []);
