// The page's one component: takes what Python tells, shows the view that it names, and has each part drawn where
// something has changed. Each view is a file; the server hears of events by name.

import { loadIfWhite } from "./arrival.js";
import { adviceView } from "./best_move_view.js";
import { BoardView, SMALLEST_FIT, scroller } from "./board_view.js";
import { CardView } from "./card_view.js";
import { button, el, icon, isCalm, isLargeText, isLow, isNarrow } from "./dom.js";
import { LiveFilm } from "./live_film.js";
import { PhotosView } from "./photos_view.js";
import { QuestionsView, askButton } from "./questions_view.js";
import { ReadingView } from "./reading_view.js";
import { reviewsView, wayBack } from "./reviews_view.js";
import { rulesView } from "./rules_view.js";
import { Server } from "./server.js";
import { shareView } from "./share.js";
import { Start } from "./start_view.js";
import { leaveReview } from "./store.js";
import { TurnView } from "./turn_view.js";
import { verdictLine, waysView } from "./verdict_view.js";

const PAGE_TOP_PX = 58; // of the page above the component: the names of the views
const GAP_PX = 14; // between the parts of the page
const PHOTO_TOOLS_PX = 52; // below a photo that is not in thirds
const LEAST_PHOTO_PX = 120; // of a photo in thirds above a table that needs more
const WAYS_PX = 60; // a row of buttons below them, kept in view where the photo could have more
const LEAST_STAGE_PX = 330; // of photo and table, however small the window is
const SMALL_FIT = 0.84; // of the usual size of cards: the smallest where a table has a phone's screen, and
const SMALL_WIDE_FIT = 0.62; // where it has a wide one
const MANY_CARDS = 40; // up to which each strip of a card stays wide enough for a finger
const MOST_HEAD_SHARE = 0.2; // of the window: a verdict in larger text does not stay at its top
const SHOWN = { photo: ["Photo", "image"], table: ["Table", "playing_cards"], both: ["Both", "splitscreen"] };
const LETTER_MS = 200; // for each letter of it, it stays on the board why a tap in a game did nothing
const PRESSED_MS = 2000; // for which a finger that rests on the page keeps it from being drawn anew, at the most

class App {
  constructor(root) {
    this.box = el("div", { class: "app" });
    root.querySelector(".root").append(this.box);
    this.live = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.reading = new ReadingView(() => this.server.stopReading());
    this.server = new Server(this.box, this.live, this.reading, (urls, isOfFilm) => this.showReading(urls, isOfFilm));
    this.send = (name, given) => {
      if (name === "play_on") loadIfWhite(() => !drawn.isConnected, () => location.reload());
      this.server.send(name, given);
    };
    Object.assign(this, { show: "both", width: window.innerWidth });
    this.start = new Start(this);
    this.cards = new CardView(this);
    this.board = new BoardView(this);
    this.photos = new PhotosView(this);
    this.questions = new QuestionsView(this);
    this.turn = new TurnView(this);
    const part = (name) => el("div", { class: name });
    this.parts = { head: part("headline"), notice: part("notice"), tools: part("row tools"), panel: part("panel"),
      ways: part("banner"), rules: part("rules"), below: part("below") };
    const { head, notice, tools, panel, ways, rules, below } = this.parts;
    this.stage = el("div", { class: "stage" }, this.board.box, this.photos.box);
    const { steps } = this.board;
    this.all = [head, tools, this.turn.top, this.stage, panel, this.turn.box, ways, rules, steps.list, this.photos.more, below, notice,
      this.questions.box, steps.box, this.cards.sheet.box, this.live];
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.box.addEventListener("pointerdown", () => this.press(), true);
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => this.pressed && this.release());
    new ResizeObserver(() => this.fit()).observe(this.box);
    window.addEventListener("resize", () => {
      const isTurned = window.innerWidth !== this.width;
      if (isTurned) Object.assign(this, { isUsed: true, wasAsking: false }); // what was seen stays
      this.width = window.innerWidth;
      this.fit();
      if (isTurned) this.board.follow();
    });
  }

  // What Python tells then is drawn, though it be the same: the start shows what this browser keeps. Gives what takes it back.
  async forget(isAll) {
    const takeBack = await this.server.forget(isAll);
    this.told = this.start.key = null;
    return takeBack;
  }

  toTop() {
    this.box.scrollIntoView({ behavior: "instant", block: "start" });
  }

  // Fits photo and table into what the window shows of the page at its top: on a phone one above the other in thirds.
  fit() {
    if (this.view !== "table" || !this.box.isConnected) return null;
    const { steps } = this.board;
    if (this.stage.dataset.show !== this.shown) {
      this.stage.dataset.show = this.shown;
      this.drawTools();
    }
    this.box.classList.toggle("large-text", isLargeText());
    const bar = steps.box.offsetHeight || this.questions.box.offsetHeight;
    const isAsking = Boolean(this.questions.now);
    if (!steps.at && !(isAsking && this.wasAsking && this.isUsed)) this.barHeight = bar; // a longer sentence or question makes nothing else smaller
    this.wasAsking = isAsking;
    const line = this.parts.head.querySelector("summary, .summary");
    this.parts.head.classList.toggle("flows", line?.offsetHeight > MOST_HEAD_SHARE * window.innerHeight);
    const folds = this.parts.head.querySelector(".folds");
    const unfolded = folds ? folds.offsetHeight - line.offsetHeight : 0; // pushes down, but makes nothing smaller
    const top = this.stage.getBoundingClientRect().top - this.box.getBoundingClientRect().top + PAGE_TOP_PX - unfolded;
    const isBeside = isLow(); // nothing stands over the table or below it
    const room = isBeside ? window.innerHeight - PAGE_TOP_PX - GAP_PX
      : Math.max(LEAST_STAGE_PX, window.innerHeight - top - this.barHeight - GAP_PX);
    const shared = this.shown === "both" && isNarrow();
    const isMany = this.data.board?.game === "makiaveli" && this.board.tables[0].spots.length > MANY_CARDS; // is one picture
    this.board.box.classList.toggle("many", isMany);
    this.board.fit(shared ? (2 * room) / 3 - GAP_PX : room, shared || isMany || isBeside ? SMALLEST_FIT : isNarrow() ? SMALL_FIT : SMALL_WIDE_FIT);
    const left = room - this.board.felt.offsetHeight - GAP_PX;
    if (shared && isMany && left < LEAST_PHOTO_PX && !this.isChosen && !this.isUsed && !this.questions.now) { // nothing goes once it was seen
      this.isLeftOut = true; // hand and cross would lie below the window
      return this.fit();
    }
    const [most, fewest] = this.isChosen ? [room / 2, room / 3] : [room / 3, LEAST_PHOTO_PX]; // it gives way for the whole table
    const least = Math.min(most, Math.max(left, fewest));
    const photo = shared ? Math.max(least, left - WAYS_PX) : room - PHOTO_TOOLS_PX;
    this.stage.style.setProperty("--photo-room", `${photo}px`);
    const isHeld = isBeside || (shared && (this.questions.now || steps.at));
    this.board.scrollIn(isHeld ? room - (isBeside ? 0 : Math.max(0, bar - this.barHeight)) - (shared ? this.photos.box.offsetHeight + GAP_PX : 0) : Infinity);
    this.photos.all.forEach((photo) => photo.fit(shared));
    return null;
  }

  // A press whose button is drawn anew before it ends would be no click: what is told meanwhile waits for its end.
  press() {
    this.isUsed = true;
    clearTimeout(this.pressed);
    this.pressed = setTimeout(() => this.release(), PRESSED_MS);
  }

  release() {
    clearTimeout(this.pressed);
    this.pressed = null;
    setTimeout(() => { // after the click that the press becomes
      if (this.held && !this.pressed) this.update(this.held, this.server.trigger);
    });
  }

  update(data, trigger) {
    this.server.trigger = trigger;
    this.held = this.pressed ? data : null;
    if (this.held) return;
    const { run, heard, reading, film, ...told } = data; // the run of the page, which makes a browser look at all
    if (reading) {
      this.reading.step(2);
      if (film) this.reading.follow(film);
      this.film?.hear(heard, film);
      return;
    }
    const served = this.server.hear(heard);
    if (this.reading.isOn && !served) return;
    if (this.reading.isOn) this.endReading();
    if (!this.box.hasAttribute("aria-busy")) this.cards.count(told.used || {});
    this.server.remember(data);
    const text = JSON.stringify(told);
    if (text === this.told) { // drawn already, but for an answer that was refused once more
      if (served && this.questions.answered.size) this.drawQuestions();
      return;
    }
    this.told = text;
    const before = this.data;
    this.data = data;
    if (this.view !== data.view) this.change(data.view);
    if (data.view === "start") this.start.update(data);
    else if (data.view === "record") this.drawQuestions();
    else if (data.view === "reviews") reviewsView(data).then((shown) => this.parts.below.replaceChildren(shown));
    else this.drawTable(data, before);
    if (data.view === "table") noteOpen(data.open);
    this.takeOver();
  }

  // Takes the place of what was shown before this came, and the photos that were chosen there (static/first_screen.html).
  takeOver() {
    const first = document.getElementById("first-screen");
    const files = [...first?.querySelector("input").files || []];
    first?.remove();
    if (files.length) this.server.photo(files, { purpose: "new" });
  }

  // Shows photos that are going to be read in place of what there is.
  showReading(urls, isOfFilm) {
    this.box.replaceChildren(this.reading.box, this.live);
    this.box.dataset.view = "reading";
    Object.assign(this, { show: "both", isLeftOut: false, isChosen: false, isUsed: false });
    this.board.adding = false;
    this.questions.reset();
    this.toTop();
    this.reading.begin(urls, isOfFilm);
  }

  // Films the table with the camera; what it shows is read meanwhile.
  filmLive(camera) {
    this.showReading([], true);
    this.server.record = { film: true, before: this.server.record };
    this.film = new LiveFilm(camera, this.server, this.reading);
  }

  // What Python tells now is drawn whole: photos that were refused leave what there was before.
  endReading() {
    this.reading.end();
    this.isUsed = false; // what was pressed meanwhile was no part of the table
    this.view = this.told = this.start.key = null;
  }

  // Shows another view.
  change(view) {
    const { tools } = this.parts;
    const shown = { start: [this.start.box], record: [this.questions.box, tools], reviews: [this.parts.below] }[view];
    if (view === "start") leaveReview();
    this.box.replaceChildren(...(shown ? [...shown, this.live] : [...wayBack(), ...this.all]));
    if (view !== "start") {
      this.start.key = null;
      this.board.tables = null; // nothing of the table before stands any more
      this.drawn = {};
    }
    if (this.view) this.toTop();
    this.view = this.box.dataset.view = view;
    this.unfolded = false; // what a verdict rests on, as another table left it
  }

  drawTable(data, before) {
    const { head, notice, tools, panel, ways, rules, below } = this.parts;
    const parts = [
      [() => head.replaceChildren(...verdictLine(data, this)), "said", "title", "tools", "questions", "undo"],
      [() => notice.replaceChildren(...noticeView(data, this)), "notice", "noticeTool", "leftOut", "noticeSign"],
      [() => ways.replaceChildren(...waysView(data, this)), "trust", "ask", "searching", "longer", "hidden"],
      [() => rules.replaceChildren(...rulesView(data, this, rules.querySelector("details")?.open)), "rules"],
      [() => this.photos.draw(data), "photos", "notes", "games", "more", "better"],
      [() => this.questions.draw(data)],
      [() => this.drawBoard(data, before)],
      [() => this.drawTools(), "board", "undo", "reread", "laid", "playTools", "status", "won", "photos", "questions", "urgent"],
      [() => this.drawAdvice(data, before), "advice", "advisable", "playable", "won", "stepsKey"],
      [() => data.turned && this.cards.askNamed(data.turned), "turned"],
      [() => shareView(below, data, this), "line", "fault", "log"],
      [() => this.turn.draw(data), "turn", "change", "said", "line", "questions"],
    ];
    const { top } = this.stage.getBoundingClientRect();
    // A part is drawn where something has changed that it is drawn from: what is typed or held there else stays as it is.
    parts.forEach(([draw, ...names], n) => {
      const key = names.length && JSON.stringify(names.map((name) => data[name]));
      if (key && this.drawn[n] === key) return;
      this.drawn[n] = key;
      draw();
    });
    this.fit();
    this.clearBar();
    if (data.undo && !data.photos.length && before?.board) // a verdict of more lines moves no board under the finger
      scroller(this.stage).scrollBy({ top: this.stage.getBoundingClientRect().top - top, behavior: "instant" });
  }

  // Keeps a notice and advice above the bar, and above a question, which grows when its photo has come.
  clearBar() {
    this.box.style.setProperty("--bar", `${this.board.steps.box.offsetHeight || this.questions.box.offsetHeight}px`);
  }

  drawAdvice(data, before) {
    const { panel } = this.parts;
    const page = scroller(this.stage), at = page.scrollTop;
    panel.style.minHeight = "";
    panel.replaceChildren(...adviceView(data, this));
    // In a game a hint that goes leaves the room that a scrolled page needs, which else would move the board under the finger.
    const short = at - (page.scrollHeight - page.clientHeight);
    if (data.view === "play" && before?.board && data.since !== null && short > 0) {
      panel.style.minHeight = `${panel.offsetHeight + short}px`;
      page.scrollTop = at;
    }
    this.clearBar();
    if (data.advice?.headline && before && !before.advice?.headline) panel.lastElementChild.scrollIntoView({ behavior: isCalm() ? "instant" : "smooth", block: "nearest" });
  }

  drawBoard(data, before) {
    this.board.picked = null;
    this.game = data.board?.game || this.game; // of the last table: likely that of the next one, too
    this.stage.dataset.show = this.shown;
    this.board.draw(data, before);
  }

  // Draws what is asked anew, and the button that brings it back.
  drawQuestions() {
    this.questions.draw(this.data);
    this.drawTools();
    if (this.data.board && !this.board.steps.at) this.board.mark();
    this.fit();
    this.clearBar();
  }

  drawTools() {
    this.parts.tools.replaceChildren(...this.boardTools(this.data));
  }

  // A button for an event; one that `asks` for a card first asks, and changes nothing until one is named.
  tool({ name, label, sign, off, main, given, help, asks }) {
    return button(label, sign, () => (asks ? this.cards.askNamed(asks) : this.send(name, given)), { disabled: off, class: main ? "main" : "", title: help, "data-name": name });
  }

  // The tools over the board: of a table that is corrected, or of a game that is played.
  boardTools(data) {
    const parts = [];
    if (data.photos?.length && data.board) parts.push(this.switchOfViews());
    if (data.view === "table" && data.board) {
      if (data.laid) this.begun = false;
      else if (!this.begun) {
        this.begun = this.board.adding = true; // an empty table is there to be laid out
        this.board.mark();
      }
      if (!this.board.adding) parts.push(button("Add cards", "add_circle", () => this.add(true), { class: "adds" }));
      else if (data.laid) parts.push(button("Stop adding", "check", () => this.add(false), { class: "adds" })); // an empty table is nothing but places to add to
      if (data.undo) parts.push(this.tool({ name: "undo", label: "Undo", sign: "undo" }));
      if (data.reread) parts.push(this.tool({ name: "reread", label: "Reset", sign: "restart_alt",
        help: "Back to the table as it was read from the photo" }));
    }
    parts.push(...askButton(this.questions), ...(data.playTools || []).map((tool) => this.tool(tool)));
    if (data.status) parts.push(el("span", { class: "status", text: data.status }));
    return data.since === undefined || data.since === null ? parts : [...parts, this.clock(data.since)];
  }

  // How long a game has been played, in seconds, counted on.
  clock(since) {
    const text = el("span", { class: "status", role: "timer" });
    const begun = performance.now() - 1000 * since;
    const tell = () => {
      const seconds = Math.round((performance.now() - begun) / 1000);
      text.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    };
    tell();
    clearInterval(this.ticks);
    this.ticks = setInterval(() => (text.isConnected ? tell() : clearInterval(this.ticks)), 1000);
    return text;
  }

  // What of photo and table is shown: one of them, or both; the photo may be left out, but beside the table it has room.
  get shown() {
    const { photos, board } = this.data;
    return !photos?.length ? "table" : !board ? "photo" : this.isLeftOut && isNarrow() ? "table" : this.show;
  }

  // The choice what is shown.
  switchOfViews() {
    return el("div", { class: "switch", role: "radiogroup", "aria-label": "Show" }, ...Object.entries(SHOWN).map(([show, [label, sign]]) =>
      el("button", { type: "button", role: "radio", "aria-checked": String(show === this.shown), onclick: () => {
        Object.assign(this, { show, isLeftOut: false, isChosen: true });
        this.fit();
      } }, icon(sign), el("span", { text: label }))));
  }

  // Shows where cards may be added, or no more.
  add(adding) {
    this.board.adding = adding;
    this.drawTools();
    if (this.board.steps.at) this.board.steps.go(0);
    else this.board.mark();
  }

  key(event) {
    const { board, cards } = this;
    if (!this.box.isConnected) {
      document.removeEventListener("keydown", this.keys);
      return;
    }
    const at = event.composedPath()[0];
    if (event.altKey || event.ctrlKey || event.metaKey || cards.sheet.box.open) return;
    if (event.key === "Escape" && board.picked) {
      board.pick(null);
      this.live.textContent = "";
    } else if (board.steps.texts.length && !(at instanceof Element && at.closest("input, textarea, select, [role=radio], .photos"))) {
      const { steps } = board;
      const to = { ArrowRight: steps.at + 1, ArrowLeft: steps.at - 1, Home: 0, End: steps.texts.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      steps.go(to);
    }
  }
}

// Why the last change could not be made, that a person has stopped it, or that a photo was joined; with what can be done about it.
function noticeView({ view, notice, noticeTool, leftOut, noticeSign }, app) {
  if (!notice) return [];
  const isPassing = view === "play" && !noticeTool && !noticeSign;
  if (isPassing) setTimeout(() => (told.remove(), app.told = app.drawn = {}), LETTER_MS * notice.length); // the next such tap is told it anew
  const { server } = app;
  const close = button("Close", "close", (event) => event.currentTarget.closest(".alert").remove(), { bare: true });
  const told = el("p", { class: noticeSign ? "alert" : "alert warn", role: "alert" }, icon(noticeSign || "edit"), el("span", { text: notice }),
    noticeTool ? app.tool(noticeTool) : null,
    leftOut && server.added ? button("Read it alone", "photo_camera", () => server.readAlone(server.added, server.record), { title: "As a new table" }) : null, close);
  return [told];
}

// Has the address of a table tell how many questions about it are open: it outlives the photo. That is no step of its own for the
// Back button, so the browser writes it there and not the server.
function noteOpen(number = null) {
  const { pathname, search, hash } = location;
  const told = search.replace(/([?&])open=[^&]*&?/, "$1").replace(/[?&]$/, "");
  const now = number === null || !/[?&]p=/.test(told) ? told : `${told}&open=${number}`;
  if (now !== search) history.replaceState(history.state, "", pathname + now + hash);
}

let drawn = null; // where the component was drawn last

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement;
  root.app = root.app || new App(root);
  drawn = root;
  root.app.update(data, setTriggerValue);
}
