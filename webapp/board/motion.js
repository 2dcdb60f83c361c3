// Cards that move: what changed its place glides there (first, last, invert, play), and arrows show where from.

import { CARD_VIEW, RANKS, SUITS, face } from "./cards.js";
import { el, isCalm } from "./dom.js";

const TIME = 320; // ms
const FALLING = 26; // cards of a celebration
const PARTY_MS = 4500; // that it takes

// Where each card stands on the felt, by its id; what is being dragged counts where it is held.
export function placed(felt) {
  const found = new Map();
  for (const card of felt.querySelectorAll(".zone:not([hidden]) > .fan > .card[data-id]")) found.set(card.dataset.id, boxOn(felt, card));
  return found;
}

// The rectangle of an element in px of the felt, which may itself be elsewhere on the page later.
export function boxOn(felt, element) {
  const [own, box] = [felt.getBoundingClientRect(), element.getBoundingClientRect()];
  return new DOMRect(box.left - own.left, box.top - own.top, box.width, box.height);
}

// Ends what still glides: who steps on quickly sees each card go from where it lay, not from where it was in flight.
export function settle(felt) {
  for (const moving of felt.getAnimations({ subtree: true }))
    if (!(moving instanceof CSSAnimation || moving instanceof CSSTransition)) moving.finish();
}

// Lets the cards glide from where they stood before to where they stand after; those that are new turn up.
export function glide(felt, before, after) {
  if (isCalm() || !before.size) return;
  let late = 0;
  for (const card of felt.querySelectorAll(".card[data-id]")) {
    const old = before.get(card.dataset.id);
    const now = after.get(card.dataset.id);
    if (!old) {
      card.animate([{ opacity: 0, transform: "rotateY(90deg)" }, { opacity: 1, transform: "none" }], { duration: TIME });
      continue;
    }
    if (!now) continue; // it lies in a zone that is not shown
    const [x, y] = [old.left - now.left, old.top - now.top];
    if (Math.abs(x) < 1 && Math.abs(y) < 1) continue;
    card.style.zIndex = 5;
    const moving = card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
      { duration: TIME, easing: "cubic-bezier(.2,.8,.3,1)", delay: Math.min(late, 160), fill: "backwards" });
    moving.onfinish = moving.oncancel = () => card.style.removeProperty("z-index");
    late += 12;
  }
}

// Cards that fall over a table that was won, for a moment or until a tap.
export function celebrate(box) {
  if (isCalm()) return;
  const cards = [...Array(FALLING)].map((_, n) => el("span", { html: `<svg viewBox="${CARD_VIEW}">${face(RANKS[n % 13] + SUITS[n % 4])}</svg>`,
    style: `left:${(100 * n) / FALLING}%;animation-delay:${(n * 7) % FALLING * 60}ms;--turn:${(n % 5) * 90 - 180}deg` }));
  const party = el("div", { class: "party", "aria-hidden": "true" }, ...cards);
  party.onclick = () => party.remove();
  box.append(party);
  setTimeout(() => party.remove(), PARTY_MS);
}

// An arrow as SVG, in the units of the drawing that it lies on; `size` is the width of its line.
export function arrow(x1, y1, x2, y2, colour, size) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 4 * size) return "";
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [hx, hy] = [x2 - ux * 4 * size, y2 - uy * 4 * size];
  const head = `M${x2} ${y2}L${hx - uy * 2.4 * size} ${hy + ux * 2.4 * size}L${hx + uy * 2.4 * size} ${hy - ux * 2.4 * size}Z`;
  const line = `M${x1} ${y1}L${hx} ${hy}`;
  return `<g class="arrow" stroke-linecap="round"><path d="${line}" stroke="#fff" stroke-width="${1.9 * size}"/>` +
    `<path d="${head}" fill="${colour}" stroke="#fff" stroke-width="${0.7 * size}" stroke-linejoin="round"/>` +
    `<path d="${line}" stroke="${colour}" stroke-width="${size}"/></g>`;
}

// The end of a card towards which its pile is fanned: there lay the card that was on it. Its other end, where one lay under it.
export const edge = ({ left, top, width, height }, fan, isNear = false) => new DOMRect(
  fan === "right" && !isNear ? left + width - 2 : left, fan === "down" && !isNear ? top + height - 2 : top,
  fan === "right" ? 2 : width, fan === "down" ? 2 : height);

// Arrows over the board from one rectangle on the felt to another, each with its colour.
export function boardArrows(layer, felt, ends) {
  layer.setAttribute("viewBox", `0 0 ${felt.offsetWidth} ${felt.offsetHeight}`);
  layer.style.height = `${felt.offsetHeight}px`; // of which its box may show a part
  const point = (box) => [box.left + Math.min(box.width, 40) / 2, box.top + Math.min(box.height, 48) / 2];
  layer.innerHTML = ends.map(([from, to, colour]) => arrow(...point(from), ...point(to), colour, 3)).join("");
}
