// A turn of Makiaveli between two photos: the table that this browser remembers, and what has changed since then.

import { picker } from "./camera.js";
import { button, el, icon } from "./dom.js";
import { keep, kept } from "./store.js";
import { SIGNS, progress } from "./verdict_view.js";

const NAME = "remembered";
const MARGIN_PX = 12; // between what was found out and the verdict above it

export class TurnView {
  constructor(app) {
    this.app = app;
    this.box = el("div", { class: "turn" });
  }

  // turn: {url, key, waits} of a table that may be remembered; change: what was found out
  async draw(data) {
    const { turn, change } = this.data = data;
    const before = turn && await kept(NAME);
    if (this.data !== data) return; // told anew meanwhile
    const parts = [];
    const isFirst = Boolean(turn && this.next) && this.next.record === this.app.server.record; // its photo after the turn waits
    if (isFirst && !data.questions?.length) return this.goOn(turn);
    if (isFirst) parts.push(
      el("span", { text: "This is the table before the turn. Answer what is asked about it; then the photo after the turn is read." }),
      button("Go on to the photo after the turn", "arrow_forward", () => this.goOn(turn), { class: "main" }));
    const offers = turn && before && before.key !== turn.key && !change && !isFirst;
    if (offers && this.asks) return this.ask(before); // the photo was taken for that; what is unsure in it is asked meanwhile
    if (turn && before?.key === turn.key && !isFirst) parts.push(
      el("span", { text: "I remember this table. Take a photo after the next turn: then I can say what has changed." }),
      picker("Photo after the turn", "photo_camera", (files) => {
        this.asks = true;
        this.app.server.photo(files, { purpose: "new" });
      }));
    else if (turn && !isFirst) {
      if (offers) parts.push(
        el("span", { text: `I remember a table from ${new Date(before.at).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}.` }),
        button("What has changed?", "compare", () => this.ask(before), { class: "main" }));
      else if (!change) parts.push(el("span", { text: "Is the next turn legal? Remember this table, and take a photo after the turn." }));
      parts.push(button("Remember this table", "bookmark_add", () => this.remember(turn), turn.waits && { title: "Better once all questions about it are answered" }));
    }
    if (offers || isFirst) this.app.stage.before(this.box); // on the first screen of a phone
    else this.app.parts.panel.after(this.box);
    this.box.replaceChildren(...changeView(change), ...(parts.length ? [el("div", { class: "row settle" }, ...parts)] : []));
    this.app.fit();
    this.box.style.scrollMarginTop = `${this.app.parts.head.offsetHeight + MARGIN_PX}px`; // what stays at the window's top
    if (!change?.headline) return;
    const isOpen = Boolean(change.asks?.length); // then it is compared again after each change
    if (this.asked || (this.wasOpen && !isOpen)) this.box.scrollIntoView({ block: "start", behavior: "smooth" });
    Object.assign(this, { asked: false, wasOpen: isOpen });
  }

  async remember(turn) {
    await keepTable(turn);
    this.draw({ turn });
  }

  // Whether the photos of these numbers, put together to one table, are here as files.
  canPart(numbers) {
    const { files, sample } = this.app.server.record || {};
    return !sample && numbers.every((number) => files?.[number]);
  }

  // Reads two photos that were put together to one table each by itself, the one before the turn first.
  part(numbers) {
    const [before, after] = numbers.map((number) => this.app.server.record.files[number]);
    this.app.server.readAlone([before]);
    this.next = { file: after, record: this.app.server.record };
  }

  async goOn(turn) {
    const { file } = this.next;
    Object.assign(this, { next: null, asks: true });
    await keepTable(turn);
    this.app.server.readAlone([file]);
  }

  ask(before) {
    Object.assign(this, { asked: true, asks: false });
    this.app.server.sendPhoto({ purpose: "what_changed", before }, "Comparing the two tables ...");
  }
}

const keepTable = async (turn) => keep(NAME, { ...await (await fetch(turn.url)).json(), at: Date.now() });

function changeView(change) {
  if (!change) return [];
  if (change.running) return [progress(change.running)];
  const { tone, headline, lines, asks = [], isAsked, steps = [], picture } = change;
  const then = tone === "bad" ? "Then I show how to put it back:" : "Then I compare again:";
  const told = isAsked ? `Please answer what is asked. ${then}` : "Please look at this and put the table right. I compare again by myself:";
  const item = (text) => el("li", { text });
  return [el("div", { class: `alert ${tone} change`, role: "status" }, icon(SIGNS[tone]), el("div", {}, el("h2", { text: headline }),
    ...lines.map((text) => el("p", { text })),
    ...(asks.length ? [el("p", { text: told }), el("ul", {}, ...asks.map(item))] : []),
    steps.length ? el("details", { open: tone !== "good" }, el("summary", { text: "Put it back" }), el("ol", {}, ...steps.map(item)),
      picture ? el("a", { href: picture, target: "_blank" }, el("img", { src: picture, alt: "your photo with a numbered arrow for each step back" })) : null) : null))];
}
