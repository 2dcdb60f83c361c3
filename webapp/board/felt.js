// The board: a table drawn on felt, its cards as buttons where they can be tapped.

import { CARD_VIEW, face, mark, pip, spoken } from "./cards.js";
import { el } from "./dom.js";
import { zoneKey } from "./table.js";

// Draws a table; what was focused keeps the focus. Zones that look as they did stay as they are: a step of a long way
// changes two of them, and to lay out all the cards anew takes longer than to draw them.
//
// spots: what `identified` gave; look: {marks: place to mark, colours: id to colour, adding, lit, pickable, most: zone path to the
// zone whose cards it must have room for, places: the only places that can be tapped, targets: the only zones that a card can go to,
// isWay: whether steps are shown}.
export function drawFelt(felt, table, spots, look) {
  const focused = felt.getRootNode().activeElement?.dataset?.place;
  const byKey = new Map();
  for (const spot of spots) byKey.set(spot.key, [...(byKey.get(spot.key) || []), spot]);
  felt.dataset.game = table.game;
  const zones = table.sections.flatMap((section) => section.zones.filter((zone) => zone));
  const looks = zones.map((zone) => lookOf(zone, byKey.get(zoneKey(zone)) || [], look));
  const frame = JSON.stringify([look.adding, table.sections.map(({ title, columns, grows, zones: all }) =>
    [title, columns, grows, all.map(Boolean)])]);
  const before = felt.drawn;
  if (before?.frame === frame) {
    const drawn = [...felt.querySelectorAll(".zone")];
    felt.querySelectorAll(".card[style]").forEach((card) => (card.style.transform = "")); // of one that was dragged
    zones.forEach((zone, n) => looks[n] !== before.looks[n] &&
      drawn[n].replaceWith(drawZone(zone, byKey.get(zoneKey(zone)) || [], look)));
  } else felt.replaceChildren(...table.sections.map((section) => drawSection(section, byKey, look)));
  felt.drawn = { frame, looks };
  const hides = (zone) => zone.told && !look.adding && (!look.isWay || isUnknown(zone)); // on a way cards come and go
  felt.querySelectorAll(".zone").forEach((zone, n) => {
    zone.hidden = hides(zones[n]);
    zone.classList.toggle("open", Boolean(look.targets?.includes(zones[n].path)));
  });
  [...felt.children].forEach((section) => (section.hidden = Boolean(section.querySelector(".zone")) && !section.querySelector(".zone:not([hidden])")));
  if (focused) [...felt.querySelectorAll("[data-place]")].find((e) => e.dataset.place === focused)
    ?.focus({ preventScroll: true });
}

// Whether nobody knows a card of what is drawn from: its backs are not spread out.
const isUnknown = (zone) => ["stock", "deck"].includes(zone.photoZone) && zone.spots.every(([card]) => card === "??");

// All that a zone is drawn from, as text.
function lookOf(zone, spots, look) {
  const { spots: _, ...rest } = zone;
  const taps = (place) => look.pickable && place && (!look.places || look.places.includes(place));
  return JSON.stringify([rest, look.adding, look.lit, look.most?.get(zone.path)?.spots.length, spots.map(({ card, place, id }) =>
    [card, place, id, look.marks?.[place], look.colours?.get(id), taps(place)]), taps(`${zone.path}/+`)]);
}

function drawSection(section, byKey, look) {
  const cells = section.zones.map((zone) => (zone ? drawZone(zone, byKey.get(zoneKey(zone)) || [], look)
    : el("div", { class: "hole" })));
  if (look.adding && section.grows) cells.push(plus(section.grows, "new meld", "+ meld"));
  if (!cells.length) cells.push(el("p", { class: "none", text: "nothing here" }));
  const style = section.columns ? `--columns:${section.columns}` : "";
  return el("section", { class: section.columns ? `grid c${section.columns}` : "flow", style },
    section.title ? el("h3", { text: section.title }) : null, el("div", { class: "zones" }, ...cells));
}

function drawZone(zone, spots, look) {
  const lying = spots.length ? spots.slice(-(isUnknown(zone) ? 1 : zone.shown || spots.length)) : [{ card: "", zone }];
  const shown = lying.map((spot) => (spot.card || spot.place || !zone.path ? spot : { ...spot, place: `${zone.path}/+` })); // an empty pile takes one
  const beside = zone.fan === "down";
  const cards = shown.map((spot, n) => drawCard(spot, beside, n > 0 && shown[n - 1].card === "??", look));
  const number = /\d+$/.exec(zone.heading); // where there is no room for the title
  if (number) cards.at(-1).dataset.number = number[0]; // drawn by style.css: it is no text of the card
  const style = (zone.span > 1 ? `grid-column:span ${zone.span};justify-self:start;` : "") +
    (look.most ? `--most:${look.most.get(zone.path)?.spots.length || 1};` : "") + (look.lit && zone.colour ? `--zone:${zone.colour}` : "");
  return el("div", {
    class: `zone ${zone.fan}${look.lit && zone.colour ? " lit" : ""}${zone.isKept ? " kept" : ""}`,
    style, "data-zone": zone.path, role: "group", "aria-label": zone.title,
  },
  zone.heading ? el("span", { class: "title", text: zone.heading }) : null,
  el("div", { class: `fan ${zone.fan}` }, ...cards,
    look.adding && zone.kind === "list" ? plus(`${zone.path}/+`, zone.title) : null),
  zone.note ? el("span", { class: "note", text: zone.note }) : null);
}

function drawCard(spot, beside, afterBack, look) {
  const name = look.marks?.[spot.place];
  const colour = look.colours?.get(spot.id);
  const label = `${spoken(spot.card)}, ${spot.zone.title}${name ? `, ${name}` : ""}${colour ? ", moved" : ""}`;
  const ghost = !spot.card && spot.zone.ghost ? pip(spot.zone.ghost, 50, 70, 44, 0.35) : "";
  const marks = (name ? mark(name, beside) : "") + (colour ? mark("moved", beside, colour) : "");
  const html = `<svg viewBox="${CARD_VIEW}" aria-hidden="true">${face(spot.card, beside)}${ghost}${marks}</svg>`;
  const taps = look.pickable && spot.place && (!look.places || look.places.includes(spot.place));
  const drags = look.places && spot.place && spot.card && spot.card !== "??"; // where it may not go, it is told why
  return el(taps ? "button" : "div", {
    class: `card${afterBack ? " after-back" : ""}${spot.card ? "" : " empty"}`, html, title: label, "aria-label": label,
    ...(taps ? { type: "button" } : { role: "img" }), "data-place": (taps || drags) && spot.place,
    "data-id": spot.id, "data-card": spot.card,
  });
}

function plus(path, title, sign = "+") {
  const label = `add a card: ${title}`;
  return el("button", { class: "plus", type: "button", "data-place": path, "aria-label": label, title: label,
    text: sign });
}
