// The sheet at the bottom: one card or place, large and upright in the photo, what it likely is, and every other card.

import { BACK, RANKS, SUITS, SUIT_WORDS, isRed, listed, named, pretty, spoken } from "./cards.js";
import { button, chooser, closeByBack, el } from "./dom.js";

const SETTLES_MS = 400; // in which the second of two taps does not close what the first has opened
const RESTS_MS = 1000; // in which a tap that was meant for the table, over which the sheet has slid, chooses nothing for good

const STRUCK_OUT = "Struck out: on the table. Tap one to see where."; // what it says then takes its place, so that nothing moves
const BARRED = "Struck out: it or one below it lies elsewhere. Tap one to see where."; // the same of the cards of a foundation

// A button that cannot be tapped at first.
function resting(button) {
  button.disabled = true;
  setTimeout(() => (button.disabled = false), RESTS_MS);
  return button;
}

export class Sheet {
  // where(card): a sentence about where one lies of which no more is left
  // showAbove(at, number, top): keeps a place, or a card of the photo, in view above the sheet, whose top is at so many px; none once it
  // is closed
  constructor(where, showAbove) {
    Object.assign(this, { where, showAbove });
    this.struck = []; // what strikes out the parts of an open sheet
    this.told = el("p", { class: "told", role: "status" });
    this.box = el("dialog", { class: "sheet", "aria-label": "card" });
    this.box.addEventListener("click", (event) =>
      event.target === this.box && performance.now() - this.opened > SETTLES_MS && this.close());
    this.box.addEventListener("close", () => showAbove());
    closeByBack(() => this.box.open && this.box.isConnected, () => this.close());
  }

  close() {
    if (this.box.open) this.box.close();
  }

  // Strikes out the cards that lie on the table already.
  strikeOut() {
    this.struck.forEach((strike) => strike());
  }

  strike(button, spent, why = STRUCK_OUT) {
    if (spent) this.told.textContent ||= why;
    button.classList.toggle("spent", spent);
  }

  // what: {title, at: the place that it is about, number: that card of the photo, crop, card, likely: [card], used: {card: copies}, lies:
  // {card: where one of them lies that the table does not show}, copies, unknown, buried, height, slots: [[name, path]], hint, choose(card),
  // right(), beside(), remove(), put(path), added, isOne, takeBack(card), further: {label, open(), isEarly: what is said first}, done()};
  // what is missing is not shown. Where cards are `added`, a list, the sheet stays open for the next one, and the last can be taken back;
  // where it `isOne`, the next one takes its place.
  open(what) {
    this.struck = [];
    this.told.textContent = "";
    const act = (does) => (...given) => {
      this.close();
      does(...given);
    };
    const choose = !what.added ? act((card) => what.choose(card)) : (card) => {
      const added = what.isOne ? [] : what.added;
      if (what.isOne && what.added.length) what.takeBack(what.added[0]);
      what.choose(card);
      this.open({ ...what, added: [...added, card] });
    };
    const takeBack = () => {
      const card = what.added.at(-1);
      what.takeBack(card);
      this.open({ ...what, added: what.added.slice(0, -1) });
    };
    const head = el("div", { class: "head" }, el("h2", { text: what.title }),
      button("Close", "close", () => this.close(), { bare: true }));
    const likely = [];
    if (what.right) likely.push(button(`${pretty(what.card)} is right`, "check", act(what.right), { class: "main" }));
    for (const card of what.likely || []) likely.push(this.cardButton(card, () => choose(card), "likely"));
    const top = el("div", { class: "top" }, what.crop || null, el("div", { class: "say" },
      what.hint ? el("p", { text: what.hint }) : null,
      what.other ? resting(button(what.other[0], what.other[1], act(what.other[2]))) : null,
      what.beside ? button("Add a card beside it", "add_circle", act(what.beside)) : null,
      what.added?.length ? el("div", { class: "row added" }, el("p", { role: "status", text: `Added: ${listed(what.added)}` }),
        button("Take back", "undo", takeBack, { "aria-label": `Take back ${spoken(what.added.at(-1))}` })) : null,
      likely.length ? el("div", { class: "row" }, ...likely) : null,
      what.buried ? this.counter("Face down below", what.buried) : null,
      what.height ? this.counter(what.height.names ? "Top card" : "Cards", what.height) : null));
    const isSpent = (card) => (what.used[card] || 0) >= what.copies && card !== what.card;
    const rows = [...(what.choose && what.used ? SUITS : "")].map((suit) =>
      el("div", { class: "suit", role: "group", "aria-label": SUIT_WORDS[suit] }, ...[...RANKS].map((rank) => rank + suit).map((card) =>
        this.cardButton(card, () => (isSpent(card) ? this.told.textContent = what.lies?.[card] || this.where(card) : choose(card))))));
    this.struck.push(() => {
      for (const button of rows.flatMap((row) => [...row.children])) {
        const { card } = button.dataset;
        const [spent, now] = [isSpent(card), card === what.card];
        this.strike(button, spent);
        button.classList.toggle("now", now);
        button.setAttribute("aria-label", named(card) + (spent ? ", all on the table" : now ? ", as it is now" : ""));
      }
    });
    this.strikeOut();
    const feet = [];
    if (what.remove) feet.push(button("No card here", "delete", act(what.remove)));
    if (what.choose && what.unknown) feet.push(button("Face down", "help", () => choose(BACK), { "data-card": BACK }));
    if (what.slots?.length) feet.push(chooser(what.slotsTitle || "Move to", what.slots.map(([name, path]) => [path, name]), act(what.put)));
    if (what.added || what.height) feet.push(button("Done", "check", act(what.done || (() => {})), { class: what.further ? "" : "main" }));
    if (what.further) {
      let { isEarly } = what.added?.length ? {} : what.further;
      const go = act(what.further.open);
      feet.push(button(what.further.label, "arrow_forward", () => {
        if (!isEarly) return go();
        [this.told.textContent, isEarly] = [isEarly, ""];
        return null;
      }, { class: "main" }));
    }
    this.box.replaceChildren(head, top, el("div", { class: "deck" }, this.told, ...rows), el("div", { class: "row feet" }, ...feet));
    this.box.setAttribute("aria-label", what.title);
    if (!this.box.open) {
      this.opened = performance.now();
      this.box.showModal();
    }
    this.showAbove(what.at, what.number ?? -1, this.box.offsetTop);
  }

  cardButton(card, onclick, kind = "") {
    return el("button", { type: "button", class: `pick ${kind}${isRed(card) ? " red" : ""}`, "data-card": card,
      "aria-label": named(card), onclick, text: pretty(card) });
  }

  // A number with a button at each side, and one for each of those that have names. counted: {now, least, most,
  // change(by), names, chosen(): after a name, elsewhere(number): the card that keeps it from being chosen}
  counter(title, counted) {
    let now = counted.now;
    const number = el("output", { text: now });
    const names = counted.names || [];
    const named = names.map((name, n) => el("button", { type: "button",
      text: name === "T" ? "10" : name, onclick: () => {
        const card = counted.elsewhere?.(n);
        if (card) this.told.textContent = this.where(card);
        else {
          change(n - now);
          counted.chosen?.();
        }
      } }));
    const mark = () => {
      number.textContent = now;
      named.forEach((button, n) => {
        const spent = Boolean(counted.elsewhere?.(n));
        this.strike(button, spent, BARRED);
        button.setAttribute("aria-pressed", String(n === now));
        button.setAttribute("aria-label", `${title}: ${names[n]}${spent ? ", not possible" : ""}`);
      });
    };
    const change = (by) => {
      const next = Math.min(counted.most, Math.max(counted.least, now + by));
      if (next === now) return;
      by = next - now;
      counted.now = now = next;
      this.box.querySelector(".added button")?.remove(); // what was done last is no longer the card
      counted.change(by);
      mark();
    };
    this.struck.push(mark);
    const stepper = named.length > counted.most ? null : el("span", { class: "stepper" }, // for those without a name
      button(`${title}: one less`, "remove", () => change(-1), { bare: true }), number,
      button(`${title}: one more`, "add", () => change(1), { bare: true }));
    return el("div", { class: "counter" }, el("span", { text: title }), ...named, stepper);
  }
}
