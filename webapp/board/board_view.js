// The table on its felt: each step of the way, cards that glide and arrows; cards that are tapped, dragged and played.

import { spoken } from "./cards.js";
import { el, isCalm, isLow, overlay } from "./dom.js";
import { drawFelt } from "./felt.js";
import { handle } from "./gestures.js";
import { boardArrows, boxOn, celebrate, edge, glide, placed, settle } from "./motion.js";
import { Steps } from "./steps.js";
import { keepStep, keptStep } from "./store.js";
import { cardAt, identified, inPhoto, moves, patched, zoneAt } from "./table.js";

export const SMALLEST_FIT = 0.5; // of the usual size of cards: the smallest where a photo shares a phone's screen, and of many melds
const MARGIN_PX = 12; // between what a step moves and the edge of the window or the bar
const FADE_PX = 28; // at the lower edge of a table that scrolls, where it fades
const DOUBLE_MS = 350; // within which a second tap on a place makes a double tap
const FIT_STEP = 0.03; // of the usual size of cards: as near as the largest that fits is found
const MOVED = "#0b8f4d"; // the colour of a card that moves to a zone without one

export class BoardView {
  constructor(app) {
    this.app = app;
    this.adding = false;
    this.felt = el("div", { class: "felt", role: "group", "aria-label": "the table" });
    this.arrows = overlay("arrows");
    this.box = el("div", { class: "cloth" }, this.felt, this.arrows);
    this.steps = new Steps((to) => {
      this.app.cards.sheet.close();
      if (this.app.data.view === "table") keepStep(this.app.data.stepsKey, to);
      this.paint(to);
    });
    handle(this.felt, {
      tap: (place) => this.tap(place), drop: (place, to) => this.dropped(place, to),
      swipe: (by) => this.steps.texts.length && this.steps.go(this.steps.at + by),
      drags: (place) => this.drags(place), group: (place) => this.group(place), lifted: (place) => this.markTargets(place),
    });
  }

  draw(data, before) {
    const isNew = before?.key !== data.key || before?.stepsKey !== data.stepsKey;
    this.felt.hidden = !data.board;
    if (data.board && (isNew || !this.tables || JSON.stringify(before.board) !== JSON.stringify(data.board))) {
      this.tables = [{ table: data.board, spots: identified(data.board, this.shown?.spots || null) }];
      for (const { patch } of data.steps || []) {
        const last = this.tables.at(-1);
        const table = patched(last.table, patch);
        this.tables.push({ table, spots: identified(table, last.spots) });
      }
    }
    if (data.board) this.most = fullest(this.tables);
    this.steps.update((data.steps || []).map((step) => step.text), data.stepsTitle || "How", isNew);
    this.resume(data);
    if (data.board) this.paint(this.steps.at, before?.view === data.view);
    else this.app.photos.point([]);
    if (data.won && before?.won === false) celebrate(this.box);
  }

  // Goes on at the step at which the page was loaded anew, once: its steps, or its photo, may come later than its table.
  resume({ view, stepsKey, steps }) {
    if (view !== "table" || !steps?.length || this.isResumed) return;
    this.isResumed = true;
    if (this.app.questions.now) return; // it is about the table before the first step
    this.steps.at = Math.min(keptStep(stepsKey), steps.length);
    this.steps.draw();
  }

  // Draws the table of a step; cards glide from where they stand.
  paint(step, moving = true) {
    settle(this.felt);
    const { data } = this.app;
    const stood = moving ? placed(this.felt) : new Map();
    const now = this.tables[Math.min(step, this.tables.length - 1)];
    const past = step ? this.tables[step - 1] : null;
    const moved = past ? moves(past.spots, now.spots).filter(({ zone }) => zone.photoZone !== "stock") : []; // a waste is turned over as one
    const colours = new Map(moved.map((spot) => [spot.id, spot.zone.colour || MOVED]));
    Object.assign(this, { shown: now, pointAt: null });
    const isAdding = this.adding && !step;
    drawFelt(this.felt, isAdding ? now.table : withRoom(now.table, this.most), now.spots, {
      marks: step ? {} : { ...data.marks, ...Object.fromEntries([this.asked, this.picked].filter(Boolean).map((place) => [place, "selected"])) },
      colours, most: this.most, adding: isAdding, isWay: this.tables.length > 1, lit: Boolean(data.photos?.length) || step > 0, pickable: true,
      places: data.legal ? [...Object.keys(data.legal), ...data.taps || [], ...this.targetPlaces(now)] : null,
      targets: this.picked && data.legal ? data.legal[this.picked] : null,
    });
    if (step) this.app.fit();
    this.felt.classList.toggle("still", step > 0);
    const at = placed(this.felt);
    glide(this.felt, stood, at);
    this.pointAt = (stood, at) => {
      const ends = !past ? [] : moved.filter((spot) => at.has(spot.id))
        .map((spot) => [this.source(spot, past, stood, at), at.get(spot.id), colours.get(spot.id)]).filter(([from]) => from);
      boardArrows(this.arrows, this.felt, ends);
      return ends;
    };
    const ends = this.pointAt(stood, at);
    if (moving && past) this.reveal(ends);
    const numbers = new Map(Object.entries(data.places || {}).map(([number, place]) => [place, Number(number)]));
    this.app.photos.point(past ? inPhoto(moved, [this.tables[0].spots, past.spots, now.spots], numbers)
      .map((move) => ({ ...move, colour: colours.get(move.id) })) : []);
  }

  // Where a card came from, as its zone lies `at` the end, when its cards glide no more: before the next card of the `past` table
  // that stayed there, else the zone's end, or where the card stood if that is gone. From the middle of a card that stays, an
  // arrow would say that this one moves.
  source(spot, past, stood, at) {
    const { from: { at: place, key, zone } } = spot;
    const laid = [...this.felt.querySelectorAll(`.zone[data-zone="${zone.path}"] .card`)];
    if (!laid.length) return stood.get(spot.id);
    const where = (card) => at.get(card.dataset.id) || boxOn(this.felt, card);
    const later = past.spots.filter((other) => other.key === key && other.at > place).map(({ id }) => id);
    const next = laid.find((card) => later.includes(card.dataset.id));
    if (next) return edge(where(next), zone.fan, true);
    return laid.at(-1).dataset.card ? edge(where(laid.at(-1)), zone.fan) : where(laid.at(-1));
  }

  // Makes the cards as small as they must be for the table to fit, in px, and no smaller than can be read.
  // From step to step of a way they only get smaller, and the felt only larger: what is followed stays where it is.
  fit(room, least) {
    const isOnWay = this.steps.at > 0;
    const now = () => [room, least, isOnWay, this.tables, this.felt.offsetWidth, this.felt.offsetHeight];
    if (this.fitted && now().every((value, n) => value === this.fitted[n])) return;
    const largest = isOnWay ? this.size : 1;
    this.felt.style.minHeight = isOnWay ? `${Math.min(room, this.felt.offsetHeight)}px` : "";
    const isFitting = (size) => {
      this.felt.style.setProperty("--fit", size);
      return this.felt.offsetHeight <= room;
    };
    let [low, high] = [least, largest]; // the table is laid out anew for each size that is tried: as few as can be
    if (isFitting(largest) || largest <= least) low = largest;
    while (high - low > FIT_STEP) {
      const size = (low + high) / 2;
      [low, high] = isFitting(size) ? [size, high] : [low, size];
    }
    this.felt.style.setProperty("--fit", low);
    this.size = low;
    this.fitted = now();
    if (isOnWay) this.pointAnew(); // what the arrows point at lies elsewhere now
  }

  // Has the arrows of a step point at where its cards lie by now; gives their ends.
  pointAnew() {
    settle(this.felt);
    return this.pointAt ? this.pointAt(new Map(), placed(this.felt)) : [];
  }

  // Brings what a step moves into view again, once the window has another shape.
  follow() {
    if (this.steps.at) this.reveal(this.pointAnew());
  }

  // The place of the card that is asked about, if any is.
  get asked() {
    const { now, together } = this.app.questions;
    return together.length ? undefined : this.app.data.places?.[now?.number];
  }

  // Where on the table it lies that is asked about; of a card that lies nowhere yet, where it may.
  get askedAt() {
    const { now, together } = this.app.questions;
    const places = now && !together.length ? [now.at, ...(now.choices || []).map(({ value }) => value)] : [];
    return places.map((at) => at && this.lies(at)).find(Boolean);
  }

  // Where on the table a place lies.
  lies(at) {
    return this.felt.querySelector(`[data-place="${at}"], [data-zone="${at}"], [data-zone^="${at}/"]`);
  }

  // Keeps in view what a sheet is about, above its top, in px: a place on the table or, where that is not shown, a card of the photo,
  // by its number. Nothing is scrolled: once it is closed all lies as before.
  showAbove(at, number, top) {
    const { box, photos } = this.app, { style } = box;
    style.translate = "";
    const onPhoto = number >= 0 && photos.box.querySelector(`[data-number="${number}"]`);
    const spot = [at && this.lies(at), onPhoto].map((found) => found?.getBoundingClientRect?.()).find((spot) => spot?.height);
    const by = spot ? Math.min(spot.bottom - top + MARGIN_PX, spot.top) : 0;
    if (by > 0) style.translate = `0 ${-by}px`;
  }

  // Has a table that is higher than its room, in px, scroll within it: what is asked about is brought into view.
  scrollIn(room) {
    const { box, felt } = this;
    this.isScrolled = felt.offsetHeight > room + 1;
    box.classList.toggle("scrolls", this.isScrolled);
    box.style.setProperty("--room", `${room}px`);
    const asked = this.isScrolled ? this.app.questions.now?.id : null;
    if (asked && asked !== this.broughtIn && this.askedAt) box.scrollTop += this.askedAt.getBoundingClientRect().top - box.getBoundingClientRect().top - room / 3;
    this.broughtIn = asked;
  }

  // Draws the table as it lay anew, because what is marked on it has changed.
  mark() {
    this.paint(0, false);
  }

  // Scrolls the table into view, which may have been scrolled away since the step before, and what a step moves, from where and
  // to where, or to where if both have no room: below the top of the window and above the bar, or within the table's own box.
  reveal(ends) {
    const [head, bar] = isLow() ? [0, window.innerHeight] // both stand beside the table
      : [Math.max(0, this.app.parts.head.getBoundingClientRect().bottom), this.steps.box.getBoundingClientRect().top];
    const box = this.box.getBoundingClientRect();
    const hasRoom = box.height <= bar - head;
    if (this.isScrolled || hasRoom) bring(this.app.stage, [box.top, box.bottom], head, bar);
    if (!ends.length || (hasRoom && !this.isScrolled)) return;
    const [low, high] = this.isScrolled ? [box.top, box.bottom] : [head, bar];
    const room = [low + MARGIN_PX, high - (this.isScrolled ? FADE_PX : MARGIN_PX)];
    const felt = this.felt.getBoundingClientRect().top;
    const span = (boxes) => [felt + Math.min(...boxes.map((box) => box.top)), felt + Math.max(...boxes.map((box) => box.bottom))];
    const both = span(ends.flatMap(([from, to]) => [from, to]));
    bring(this.box, both[1] - both[0] <= room[1] - room[0] ? both : span(ends.map(([, to]) => to)), ...room);
  }

  // Where a card that is picked may go: the top of each zone that is open to it can be tapped too.
  targetPlaces(now) {
    const open = this.picked && this.app.data.legal[this.picked] || [];
    return now.spots.filter((spot) => open.includes(spot.zone.path)).map((spot) => spot.place)
      .concat(open.map((path) => `${path}/+`));
  }

  // -- hands -------------------------------------------------------------------------------------------------------------

  tap(place) {
    if (this.app.data.view !== "play") this.app.cards.openPlace(this.firstPlace(place));
    else if (this.steps.at > 0) this.steps.go(0);
    else {
      const again = place === this.tapped?.place && place !== "stock" && performance.now() - this.tapped.at < DOUBLE_MS;
      this.tapped = { place, at: performance.now() };
      if (!again) this.played(place); // a double tap is one: another card may lie there by now
    }
  }

  // Where the card at a place lay before the first step: there it is changed, whatever step is shown.
  firstPlace(place) {
    const id = this.shown.spots.find((spot) => spot.place === place)?.id;
    return this.tables[0].spots.find((spot) => spot.id === id)?.place ?? place;
  }

  // The table before the first step.
  get laid() {
    return this.tables[0].table;
  }

  drags(place) {
    const { legal } = this.app.data;
    if (this.steps.at > 0 || this.isScrolled) return false;
    const zone = zoneAt(this.shown.table, place);
    if (legal) return place in legal || (Boolean(zone) && zone.kind === "list" && cardAt(this.shown.table, place) !== "??");
    return zone && zone.kind !== "height";
  }

  // The cards that go along with one: those that lie on it, where runs move.
  group(place) {
    const zone = zoneAt(this.shown.table, place);
    if (zone.fan !== "down" || !(this.app.data.legal || (zone.under && zone.under !== zone.path))) return [place];
    return zone.spots.slice(zone.spots.findIndex((spot) => spot[1] === place)).map((spot) => spot[1]);
  }

  // Shows where the card that is held may go.
  markTargets(place) {
    const open = this.app.data.legal?.[place];
    if (open) this.felt.querySelectorAll(".zone").forEach((zone) => zone.classList.toggle("open", open.includes(zone.dataset.zone)));
  }

  dropped(place, to) {
    const { legal } = this.app.data;
    this.felt.querySelectorAll(".open").forEach((zone) => zone.classList.remove("open"));
    const zone = zoneAt(this.shown.table, place);
    if (!zone || zone.path === to) return false;
    if (legal && !legal[place]?.includes(to)) {
      this.app.send("move", { place, to, was: cardAt(this.shown.table, place) }); // it is told why that cannot be
      return false;
    }
    this.move(place, to);
    return true;
  }

  move(place, to) {
    const zone = zoneAt(this.shown.table, place);
    const isLowest = zone.spots.findIndex((spot) => spot[1] === place) === zone.hidden; // of those that lie open
    if (this.app.data.view === "table" && zone.under && zone.under !== zone.path && zone.hidden && isLowest) this.app.cards.askTurned(`Which card was turned? (${zone.title})`, `${zone.under}/${zone.hidden - 1}`);
    this.app.send("move", { place, to, was: cardAt(this.shown.table, place) });
  }

  // A tap in a game: picks a card, then says where it goes; a second tap on the same card lets it go.
  played(place) {
    const { legal, taps, turned } = this.app.data;
    const { table } = this.shown;
    if (turned && (place === turned.at || (place === "stock" && turned.at.startsWith("waste/")))) {
      this.app.cards.askNamed(turned);
      return;
    }
    const path = zoneAt(table, place)?.path;
    const to = place.endsWith("/+") || place.endsWith("/*") ? place.replace(/\/\+$/, "") : path;
    const { picked } = this;
    if (picked && picked !== place && (legal ? legal[picked]?.includes(to) : path !== zoneAt(table, picked)?.path)) {
      this.move(picked, to);
      this.picked = null;
      return;
    }
    const card = cardAt(table, place);
    if (taps?.includes(place) || (taps && card && card !== "??")) { // of a card that cannot go anywhere it is told so
      this.picked = null;
      this.app.send("tap", { place });
    } else {
      this.pick(place === picked || !card || (legal && !(place in legal)) ? null : place);
      this.app.live.textContent = this.picked ? `${spoken(card)} is picked; now tap where it goes` : "";
    }
  }

  // Marks a card as picked, null for none.
  pick(place) {
    this.picked = place;
    this.adding = Boolean(place) && !this.app.data.legal;
    this.mark();
  }
}

// Each zone by its path, at the step at which most cards lie in it: it keeps that room, so that none changes its row.
function fullest(tables) {
  const most = new Map();
  for (const { table } of tables)
    for (const zone of table.sections.flatMap((section) => section.zones))
      if (zone && !(most.get(zone.path)?.spots.length >= zone.spots.length)) most.set(zone.path, zone);
  return most;
}

// A table with room for the zones that it has at other steps only.
function withRoom(table, most) {
  const kept = ({ grows, zones }) => [...most.values()].filter(({ path }) => grows && path.startsWith(grows.slice(0, -1)) &&
    !zones.some((zone) => zone.path === path)).map((zone) => ({ ...zone, spots: [], isKept: true }));
  return { ...table, sections: table.sections.map((section) => ({ ...section, zones: [...section.zones, ...kept(section)] })) };
}

// Scrolls what holds an element until what lies from `top` to `bottom` lies between `low` and `high`, or begins there; all in px of
// the window.
function bring(element, [top, bottom], low, high) {
  const by = top < low ? top - low : bottom > high ? Math.min(bottom - high, top - low) : 0;
  if (Math.abs(by) > 1) scroller(element).scrollBy({ top: by, behavior: isCalm() ? "instant" : "smooth" });
}

// What scrolls an element: the nearest box round it that has more in it than it shows.
export function scroller(element) {
  for (let at = element; at; at = at.parentElement || at.getRootNode().host)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.scrollingElement;
}
