// The page's one component: takes what Python tells, shows the view that it names, and has each part drawn where
// something has changed. Each view is a file; the server hears of events by name.

import { adviceView } from "./advice_view.js";
import { BoardView } from "./board_view.js";
import { CardView } from "./card_view.js";
import { button, el, isCalm } from "./dom.js";
import { doubtsView } from "./doubts_view.js";
import { PhotosView } from "./photos_view.js";
import { rulesView } from "./rules_view.js";
import { Server } from "./server.js";
import { shareView } from "./share.js";
import { Start } from "./start.js";
import { verdictView } from "./verdict_view.js";

const PRESSED_MS = 2000; // for which a finger that rests on the page keeps it from being drawn anew, at the most

class App {
  constructor(root) {
    this.box = el("div", { class: "app" });
    root.querySelector(".root").append(this.box);
    this.live = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.server = new Server(this.box, this.live);
    this.send = (...given) => this.server.send(...given);
    this.start = new Start(this);
    this.cards = new CardView(this);
    this.board = new BoardView(this);
    this.photos = new PhotosView(this);
    const part = (name, ...children) => el("div", { class: name }, ...children);
    this.parts = { head: part("top-row"), banner: part("banner"), rules: part("rules"), doubts: part("doubts"),
      tools: part("row tools"), panel: part("panel"), below: part("below") };
    const { head, banner, rules, doubts, tools, panel, below } = this.parts;
    this.stage = part("stage", part("left", doubts, tools, this.board.box, panel), this.photos.box);
    const { steps } = this.board;
    this.all = [head, banner, rules, this.stage, steps.list, below, steps.box, this.cards.sheet.box, this.live];
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.box.addEventListener("pointerdown", () => this.press(), true);
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => this.pressed && this.release());
    new ResizeObserver(() => this.photos.all.forEach((photo) => photo.draw())).observe(this.box);
  }

  forget() {
    this.start.key = null;
    return this.server.forget();
  }

  toTop(behavior = "instant") {
    this.box.scrollIntoView({ behavior: isCalm() ? "instant" : behavior, block: "start" });
  }

  // A press whose button is drawn anew before it ends would be no click: what is told meanwhile waits for its end.
  press() {
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
    const { run, heard, ...told } = data; // the run of the page, which makes a browser look at all
    this.server.hear(heard);
    this.server.remember(data);
    const text = JSON.stringify(told);
    if (text === this.told) return; // drawn already
    this.told = text;
    const before = this.data;
    this.data = data;
    if (this.view !== data.view) this.change(data.view);
    if (data.view === "start") this.start.update(data);
    else this.drawViews(data, before);
  }

  // Shows another view.
  change(view) {
    if (view === "start") installable();
    this.box.replaceChildren(...(view === "start" ? [this.start.box, this.live] : this.all));
    if (view !== "start") {
      this.start.key = null;
      this.board.reset();
      this.drawn = {};
    }
    if (this.view === "start") this.toTop(); // a sample low in the list was tapped: the verdict is at the top
    this.view = this.box.dataset.view = view;
  }

  drawViews(data, before) {
    const { head, banner, rules, doubts, tools, panel, below } = this.parts;
    const parts = [
      [() => head.replaceChildren(el("h1", { text: data.title }), el("div", { class: "row" }, ...(data.tools || []).map((tool) => this.tool(tool)))),
        "title", "tools"],
      [() => banner.replaceChildren(...verdictView(data, this)), "notice", "said", "trust", "ask", "searching", "longer"],
      [() => rules.replaceChildren(...rulesView(data, this, rules.querySelector("details")?.open)), "rules"],
      [() => this.photos.draw(data), "photos", "notes", "games", "more"],
      [() => this.drawBoard(data, before)],
      [() => this.drawDoubts(doubts), "doubts", "checks", "photos"],
      [() => tools.replaceChildren(...this.boardTools(data)), "board", "undo", "reread", "laid", "playTools", "status"],
      [() => panel.replaceChildren(...adviceView(data, this)), "advice", "advisable"],
      [() => shareView(below, data, this), "line", "fault", "log"],
    ];
    // A part is drawn where something has changed that it is drawn from: what is typed or held there else stays as it is.
    parts.forEach(([draw, ...names], n) => {
      const key = names.length && JSON.stringify(names.map((name) => data[name]));
      if (key && this.drawn[n] === key) return;
      this.drawn[n] = key;
      draw();
    });
  }

  drawBoard(data, before) {
    this.board.picked = null;
    this.stage.classList.toggle("with-photo", Boolean(data.photos?.length && data.board));
    this.board.draw(data, before);
  }

  drawDoubts(doubts) {
    doubts.replaceChildren(...doubtsView(this.data, this, this.cards));
    this.photos.whenLoaded(() => this.drawDoubts(doubts)); // the pieces are cut from the photo, which may be on its way
  }

  tool({ name, label, sign, off, main, given, help }) {
    return button(label, sign, () => this.send(name, given), { disabled: off, class: main ? "main" : "", title: help, "data-name": name });
  }

  // The tools over the board: of a table that is corrected, or of a game that is played.
  boardTools(data) {
    const parts = [];
    if (data.view === "table" && data.board) {
      if (!data.laid && !this.begun) {
        this.begun = this.board.adding = true; // an empty table is there to be laid out
        this.board.mark();
      }
      const add = button("Add cards", "add_circle", () => this.toggleAdding(add), { "aria-pressed": String(this.board.adding) });
      parts.push(this.tool({ name: "undo", label: "Undo", sign: "undo", off: !data.undo }), add);
      if (data.reread) parts.push(this.tool({ name: "reread", label: "As read", sign: "restart_alt", off: data.reread === "off",
        help: "Back to the table as it was read from the photo" }));
    }
    parts.push(...(data.playTools || []).map((tool) => this.tool(tool)));
    return data.status ? [...parts, el("span", { class: "status", text: data.status })] : parts;
  }

  toggleAdding(button) {
    this.board.adding = !this.board.adding;
    button.setAttribute("aria-pressed", String(this.board.adding));
    if (this.board.steps.at) this.board.toFirstStep();
    else this.board.mark();
  }

  key(event) {
    const { board, cards } = this;
    if (!this.box.isConnected) {
      document.removeEventListener("keydown", this.keys);
      return;
    }
    const at = event.composedPath()[0];
    if (event.altKey || event.ctrlKey || event.metaKey || cards.sheet.isOpen) return;
    if (event.key === "Escape" && board.picked) {
      board.picked = null;
      board.mark();
      this.live.textContent = "";
    } else if (board.steps.texts.length && !(at instanceof Element && at.closest("input, textarea, select, [role=radio], .frame"))) {
      const { steps } = board;
      const to = { ArrowRight: steps.at + 1, ArrowLeft: steps.at - 1, Home: 0, End: steps.texts.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      steps.go(to);
    }
  }
}

// The web manifest by which a phone installs the page; the front page's own address tells where it lies.
function installable() {
  if (document.querySelector("link[rel=manifest]")) return;
  const base = location.pathname.endsWith("/") ? location.pathname : `${location.pathname}/`;
  document.head.append(el("link", { rel: "manifest", href: `${base}app/static/manifest.webmanifest` }));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement;
  root.app = root.app || new App(root);
  root.app.update(data, setTriggerValue);
}
