// The bar at the bottom: the way to win, step by step.

import { button, el, isCalm } from "./dom.js";

const PACE = 1300; // ms that a step stands when the way plays by itself

export class Steps {
  // show(step): draws the table of a step
  constructor(show) {
    this.show = show;
    this.at = 0;
    this.texts = [];
    this.first = button("First step", "first_page", () => this.go(0), { bare: true });
    this.back = button("Step back", "chevron_left", () => this.go(this.at - 1), { bare: true });
    this.play = button("Play", "play_arrow", () => this.toggle(), { bare: true });
    this.next = button("Next step", "chevron_right", () => this.go(this.at + 1), { bare: true, class: "main" });
    this.last = button("Last step", "last_page", () => this.go(this.texts.length), { bare: true });
    this.slider = el("input", { type: "range", min: 0, value: 0, "aria-label": "step" });
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.text = el("span", { role: "status", "aria-live": "polite" });
    this.lines = el("p", { class: "text" }, this.text);
    this.controls = el("div", { class: "controls", role: "toolbar", "aria-label": "the way" },
      this.first, this.back, this.play, this.next, this.last, this.slider);
    this.box = el("div", { class: "bar" }, this.lines, this.controls);
    this.list = el("details", { class: "all" }, el("summary", {}));
  }

  // texts: a sentence a step; title: what the way is
  update(texts, title, fresh) {
    this.texts = texts;
    this.title = title;
    const all = texts.map((_, n) => this.textAt(n + 1));
    this.lines.dataset.longest = all.reduce((one, other) => (one.length < other.length ? other : one), ""); // has room: nothing moves with a step
    this.box.hidden = !texts.length;
    this.list.hidden = texts.length < 2;
    this.slider.max = texts.length;
    this.list.firstChild.textContent = `${title}: all ${texts.length} steps`;
    if (fresh) {
      this.stop();
      this.at = 0;
      this.list.querySelector("ol")?.remove();
      this.list.append(el("ol", {}, ...texts.map((text, n) =>
        el("li", {}, el("button", { type: "button", text, onclick: () => this.go(n + 1) })))));
    }
    this.draw();
  }

  textAt(step) {
    return `Step ${step} of ${this.texts.length}: ${this.texts[step - 1]}`;
  }

  go(step, playing = false) {
    const to = Math.min(this.texts.length, Math.max(0, step));
    if (!playing) this.stop();
    if (to === this.at) return;
    this.at = to;
    this.draw();
    this.show(to);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.at >= this.texts.length) this.go(0);
    this.timer = setInterval(() => {
      if (!this.box.isConnected || this.at >= this.texts.length) this.stop();
      else this.go(this.at + 1, true);
    }, isCalm() ? 2 * PACE : PACE);
    this.go(this.at + 1, true);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.draw();
  }

  draw() {
    const last = this.texts.length;
    this.first.disabled = this.back.disabled = this.at === 0;
    this.next.disabled = this.last.disabled = this.at >= last;
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `step ${this.at} of ${last}`);
    const [sign, name] = this.timer ? ["pause", "Pause"] : ["play_arrow", "Play"];
    this.play.firstChild.textContent = sign;
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
    this.text.textContent = this.at ? this.textAt(this.at) : `${this.title}: ${last} step${last === 1 ? "" : "s"}`;
    this.list.querySelectorAll("li").forEach((item, n) => {
      item.classList.toggle("now", n + 1 === this.at);
      item.firstChild.ariaCurrent = n + 1 === this.at ? "step" : null;
    });
  }
}
