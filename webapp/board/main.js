// The page's one board: draws what Python tells, moves and edits by itself, and tells Python events by name.

import { packed, Start } from "./start.js";
import { picker } from "./camera.js";
import { pretty, spoken } from "./cards.js";
import { button, el, icon, isCalm } from "./dom.js";
import { drawFelt } from "./felt.js";
import { handle } from "./hands.js";
import { boardArrows, glide, placed, settle } from "./motion.js";
import { Photo, piece } from "./photo.js";
import { picture, save, share } from "./share.js";
import { Sheet } from "./sheet.js";
import { Steps } from "./steps.js";
import { forget, keep, kept } from "./store.js";
import { cardAt, identified, moves, patched, zoneAt, zoneOn } from "./table.js";

const SHOWN = 6; // doubts that are listed at a time; all of them are marked on the board
const SENT = 50; // events that are sent together at the most
const LATE = 30000; // ms for which an event is sent again with those that follow it
const OVERDUE = 3; // s after its time that a search is no longer taken for one that is about to end
const MARGIN = 12; // px between what a step moves and the edge of the window or the bar
const KEPT = 200; // tables of a photo by whose address it is found again
const PRESSED = 2000; // ms for which a finger that rests on the page keeps it from being drawn anew, at the most

class App {
  constructor(root) {
    this.root = root;
    this.events = [];
    this.saved = {};
    this.box = el("div", { class: "app" });
    root.querySelector(".root").append(this.box);
    this.live = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.sheet = new Sheet();
    this.steps = new Steps((to) => this.step(to), () => this.toTop("smooth"));
    this.start = new Start({ send: (...given) => this.send(...given), sample: (name) => this.sample(name), photo: (...given) => this.photo(...given),
      forget: () => this.forget(), again: (photo) => this.restore(photo) });
    this.photos = [];
    this.adding = false;
    this.felt = el("div", { class: "felt", role: "group", "aria-label": "the table" });
    this.arrows = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.arrows.setAttribute("class", "arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    const part = (name, ...children) => el("div", { class: name }, ...children);
    this.parts = { head: part("top-row"), banner: part("banner"), rules: part("rules"), doubts: part("doubts"),
      tools: part("row tools"), panel: part("panel"), photo: part("photos"), below: part("below") };
    const { head, banner, rules, doubts, tools, panel, photo, below } = this.parts;
    const left = part("left", doubts, tools, part("cloth", this.felt, this.arrows), panel);
    this.stage = part("stage", left, photo);
    this.all = [head, banner, rules, this.stage, this.steps.list, below, this.steps.box, this.sheet.box, this.live];
    handle(this.felt, {
      tap: (place) => this.tap(place), drop: (place, to) => this.dropped(place, to),
      swipe: (by) => this.steps.texts.length && this.steps.go(this.steps.at + by),
      drags: (place) => this.drags(place), group: (place) => this.group(place),
      lifted: (place) => this.mark(place),
    });
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.box.addEventListener("pointerdown", () => this.press(), true);
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => this.pressed && this.release());
    new ResizeObserver(() => this.photos.forEach((photo) => photo.draw())).observe(this.box);
  }

  // -- events to Python ----------------------------------------------------------------------------------------------

  // Of two events that wait for the same run of the page Streamlit keeps the later one, and one may come twice: so each
  // is sent with those just before it, and has a stamp by which it is known.
  send(name, given = {}) {
    const now = performance.now();
    this.events = this.events.filter((event) => now - event.at < LATE).slice(1 - SENT);
    this.events.push({ ...given, name, stamp: this.stamped(), at: now });
    this.trigger("events", this.events);
  }

  // The stamp of what is sent now; until Python has told that it served it, the page says that it waits.
  stamped() {
    this.sent = Math.random();
    this.box.setAttribute("aria-busy", "true");
    return this.sent;
  }

  async photo(files, given = {}) {
    this.busy("Getting the photo ready ...");
    this.stamped();
    const ready = await packed(files);
    if (given.purpose === "hand" && this.record) this.record.hand = ready[0];
    else if (given.purpose === "more" && this.record) this.record.files = [...(this.record.files || []), ...ready];
    else this.record = { files: ready };
    this.trigger("photo", { stamp: this.stamped(), files: ready, ...given });
    this.busy("Reading the cards ...");
  }

  // Has a photo read again that this browser kept, with its last table, and with what was done to both.
  restore(photo) {
    this.record = photo;
    this.busy("Reading the cards ...");
    const { files, hand, sample, lines, kept: done } = photo;
    const given = { ...done, line: lines?.at(-1) };
    if (sample) this.send("sample", { sample, keeps: true, ...given });
    else this.trigger("photo", { stamp: this.stamped(), purpose: "again", files, hand, ...given });
  }

  sample(sample) {
    this.busy("Reading the cards ...");
    this.record = { sample };
    this.send("sample", { sample });
  }

  reframe(what) {
    this.busy("Reading the cards ...");
    this.send("again", what);
  }

  async forget() {
    await forget();
    this.start.key = this.record = null;
    this.send("forget");
  }

  busy(text) {
    this.box.classList.toggle("busy", Boolean(text));
    this.box.dataset.busy = text;
    this.live.textContent = text;
  }

  toTop(behavior = "instant") {
    this.box.scrollIntoView({ behavior: isCalm() ? "instant" : behavior, block: "start" });
  }

  // -- what Python tells -----------------------------------------------------------------------------------------------

  // A press whose button is drawn anew before it ends would be no click: what is told meanwhile waits for its end.
  press() {
    clearTimeout(this.pressed);
    this.pressed = setTimeout(() => this.release(), PRESSED);
  }

  release() {
    clearTimeout(this.pressed);
    this.pressed = null;
    setTimeout(() => { // after the click that the press becomes
      const data = this.held;
      if (data && !this.pressed) this.update(data, this.trigger);
    });
  }

  update(data, trigger) {
    this.trigger = trigger;
    if (this.pressed) {
      this.held = data;
      return;
    }
    this.held = null;
    const { run, heard, ...told } = data; // the run of the page, which makes a browser look at all
    if (heard.includes(this.sent)) this.box.removeAttribute("aria-busy");
    if (heard.includes(this.sent) || !heard.length) this.busy("");
    this.remember(data);
    const text = JSON.stringify(told);
    if (text === this.told) return; // drawn already
    this.told = text;
    const before = this.data;
    this.data = data;
    if (data.view === "start") {
      installable();
      if (this.view !== "start") this.box.replaceChildren(this.start.box, this.live);
      this.view = "start";
      this.start.update(data);
      return;
    }
    if (this.view !== data.view) {
      this.box.replaceChildren(...this.all);
      this.start.key = null;
      this.tables = null;
      this.drawn = {};
      if (this.view === "start") this.toTop(); // a sample low in the list was tapped: the verdict is at the top
    }
    this.view = data.view;
    this.box.dataset.view = data.view;
    this.picked = data.picked ?? null;
    this.draw("drawHead", data, "title", "tools");
    this.draw("drawBanner", data, "notice", "said", "trust", "ask", "searching", "longer");
    this.draw("drawRules", data, "rules");
    this.draw("drawPhotos", data, "photos", "notes", "games", "more");
    this.drawTable(data, before);
    this.draw("drawDoubts", data, "doubts", "checks", "photos");
    this.draw("drawTools", data, "board", "undo", "reread", "laid", "playTools", "status");
    this.draw("drawPanel", data, "advice", "advisable");
    this.draw("drawBelow", data, "line", "fault", "log");
  }

  // Draws a part where something has changed that it is drawn from: what is typed or held there else stays as it is.
  draw(part, data, ...names) {
    const key = JSON.stringify(names.map((name) => data[name]));
    if (this.drawn[part] === key) return;
    this.drawn[part] = key;
    this[part](data);
  }

  // Keeps in the browser what Python asks it to keep, and tells once what it kept from before.
  remember(data) {
    for (const [name, value] of Object.entries(data.keep || {}))
      if (JSON.stringify(value) !== this.saved[name]) {
        this.saved[name] = JSON.stringify(value);
        keep(name, value);
      }
    if (data.photos?.length && this.record && data.key && !this.box.hasAttribute("aria-busy")) {
      const { files, lines = [] } = this.record;
      const more = { lines: [...lines.filter((line) => line !== data.key), data.key].slice(-KEPT), kept: data.kept };
      const text = JSON.stringify([more, data.photos.length]);
      if (files) this.record.files = files.slice(0, data.photos.length); // without one that could not be read
      Object.assign(this.record, more);
      if (text !== this.noted) keep("photo", this.record);
      this.noted = text;
    }
    if (!data.asks || this.greeted === data.asks) return;
    this.greeted = data.asks;
    kept("rules").then((rules) => rules && this.send("agreed", { rules }));
    if (data.asks === "table") kept("photo").then((photo) => photo && photo.lines?.includes(data.key) && this.restore(photo));
    if (data.asks.startsWith("game:")) kept(data.asks).then((game) => game && this.send("resume", { game }));
  }

  drawHead(data) {
    this.parts.head.replaceChildren(el("h1", { text: data.title }), el("div", { class: "row" },
      ...(data.tools || []).map((tool) => this.tool(tool))));
  }

  tool({ name, label, sign, off, main, given, help }) {
    return button(label, sign, () => this.send(name, given), { disabled: off, class: main ? "main" : "", title: help,
      "data-name": name });
  }

  drawBanner(data) {
    const { said, trust } = data;
    const parts = [];
    if (data.notice) parts.push(el("p", { class: "alert warn", role: "alert" }, icon("edit"), el("span", { text: data.notice })));
    if (said) {
      const signs = { good: "check_circle", bad: "block", open: "help", warn: "edit", wait: "hourglass_top" };
      parts.push(el("div", { class: `alert ${said.tone}`, role: "status", "data-tone": said.tone }, icon(signs[said.tone]),
        el("div", {}, el("h2", { text: said.headline }), said.detail ? el("p", { text: said.detail }) : null,
          ...(said.list || []).map((text) => el("p", { class: "item", text })),
          said.outs ? el("p", { text: said.outs }) : null,
          said.details ? el("details", {}, el("summary", { text: "Details" }), el("p", { text: said.details })) : null)));
    }
    if (trust?.length || data.ask) parts.push(this.ways(data));
    if (data.searching) parts.push(this.progress(data.searching));
    else if (data.longer) parts.push(el("div", { class: "row" }, this.tool({ name: "longer", sign: "hourglass_top",
      label: `Search longer: ${data.longer < 60 ? `${data.longer} s` : `${data.longer / 60} min`}`, given: { seconds: data.longer } })));
    this.parts.banner.replaceChildren(...parts);
  }

  // The one-tap ways on from a reading that does not stand.
  ways(data) {
    const row = el("div", { class: "row ways" });
    for (const way of data.trust || []) {
      if (way.name === "photo")
        row.append(picker(way.label, way.sign, (files) => this.photo(files, { purpose: way.purpose }),
          { camera: way.camera, main: way.main }));
      else if (way.name === "by_hand") row.append(chooser(way.label, way.games, (game) => this.send("by_hand", { game })));
      else if (way.name === "this_is") row.append(button(way.label, way.sign, () => this.thisIs(way.given.game), { "data-name": way.name }));
      else row.append(this.tool(way));
    }
    if (data.ask === "hand") {
      const text = el("input", { type: "text", placeholder: "3S 4S 10H", "aria-label": "The cards of your hand",
        maxlength: 400 });
      const sent = () => text.value.trim() && this.send("hand", { text: text.value });
      text.onkeydown = (event) => event.key === "Enter" && sent();
      row.append(el("span", { class: "field" }, text, button("Put into the hand", "back_hand", sent)));
    }
    return row;
  }

  // How far a search is; one that has not begun has no end that could be told, and one that is overdue has none any more.
  progress({ seconds, since, words, late }) {
    const begun = seconds !== undefined;
    const said = el("span", { text: words });
    const bar = el("span", begun ? { class: "fill",
      style: `animation-duration:${Math.max(0.1, seconds - since)}s;--from:${Math.min(1, since / seconds)}` } : { class: "fill open" });
    if (begun) setTimeout(() => {
      said.textContent = late;
      bar.className = "fill open";
    }, 1000 * (Math.max(0, seconds - since) + OVERDUE));
    return el("div", { class: "row searching" }, said,
      el("span", { class: "progress", role: "progressbar", "aria-label": words }, bar),
      this.tool({ name: "stop", sign: "stop", label: "Stop" }));
  }

  drawRules(data) {
    const { rules } = data;
    if (!rules) {
      this.parts.rules.replaceChildren();
      return;
    }
    const choice = (row) => el("div", { class: "choice", role: "radiogroup", "aria-label": row.label },
      el("span", { class: "name", text: row.label }), ...row.options.map(([value, label]) => el("button", {
        type: "button", role: "radio", "aria-checked": String(value === row.now), text: label,
        // Whatever is drawn as chosen: the tap before this one may be on its way.
        onclick: () => this.send("rule", { key: row.key, value }) })));
    const open = this.parts.rules.querySelector("details")?.open;
    const asked = rules.question ? el("div", { class: "alert ask" }, icon("help"), el("div", {},
      el("h2", { text: rules.question.text }), el("div", { class: "row" }, ...rules.question.options.map(([value, label]) =>
        this.tool({ name: "rule", label, given: { key: "preset", value } }))))) : null;
    this.parts.rules.replaceChildren(...[asked, ...rules.main.map(choice)].filter(Boolean), ...(rules.more.length
      ? [el("details", { open }, el("summary", { text: "All rules" }), ...rules.more.map(choice))] : []),
      ...(rules.told ? [el("p", { class: "told", text: rules.told })] : []));
  }

  // -- the table -------------------------------------------------------------------------------------------------------

  drawTable(data, before) {
    const fresh = !before || before.key !== data.key || before.stepsKey !== data.stepsKey || !this.tables;
    const old = this.shown;
    this.stage.classList.toggle("with-photo", Boolean(data.photos?.length && data.board));
    this.felt.hidden = !data.board;
    if (data.board && (fresh || JSON.stringify(before.board) !== JSON.stringify(data.board))) {
      const start = identified(data.board, old?.spots || null);
      this.tables = [{ table: data.board, spots: start }];
      for (const { patch } of data.steps || []) {
        const last = this.tables.at(-1);
        const table = patched(last.table, patch);
        this.tables.push({ table, spots: identified(table, last.spots) });
      }
    }
    const isNew = before?.key !== data.key || before?.stepsKey !== data.stepsKey;
    const told = data.said && data.board && data.laid !== false; // else there is nothing that it would be out of view for
    this.steps.update(told ? { tone: data.said.tone, headline: data.said.headline } : null,
      (data.steps || []).map((step) => step.text), data.stepsTitle || "How", isNew);
    if (data.board) this.paint(this.steps.at, before?.view === data.view);
  }

  // Draws the table of a step; cards glide from where they stand.
  paint(step, moving = true) {
    settle(this.felt);
    const stood = moving ? placed(this.felt) : new Map();
    const now = this.tables[Math.min(step, this.tables.length - 1)];
    const past = step ? this.tables[step - 1] : null;
    const moved = past ? moves(past.spots, now.spots) : [];
    const colours = new Map(moved.map((spot) => [spot.id, spot.zone.colour || "#0b8f4d"]));
    const { data } = this;
    const edits = step === 0;
    this.shown = now;
    drawFelt(this.felt, now.table, now.spots, {
      marks: edits ? { ...data.marks, ...(this.picked ? { [this.picked]: "selected" } : {}) } : {},
      colours, adding: this.adding && edits, lit: Boolean(data.photos?.length) || step > 0, pickable: true,
      places: data.legal ? [...new Set([...Object.keys(data.legal), ...data.taps || []])].concat(this.targetPlaces(now)) : null,
      targets: this.picked && data.legal ? data.legal[this.picked] : null,
    });
    const at = placed(this.felt);
    glide(this.felt, stood, at);
    if (past && moving) this.reveal(moved.map((spot) => at.get(spot.id)).filter(Boolean));
    const ends = moved.filter((spot) => stood.has(spot.id) && at.has(spot.id))
      .map((spot) => [stood.get(spot.id), at.get(spot.id), colours.get(spot.id)]);
    boardArrows(this.arrows, this.felt, past ? ends : []);
    const origin = new Map(this.tables[0].spots.map((spot) => [spot.id, spot.place]));
    const numbers = data.places ? new Map(Object.entries(data.places).map(([number, place]) => [place, Number(number)])) : new Map();
    this.photos.forEach((photo) => photo.point(moved.map((spot) => ({ number: numbers.get(origin.get(spot.id)),
      zone: spot.zone.photoZone, colour: spot.zone.colour })).filter((move) => move.number !== undefined)));
  }

  // Scrolls what a step moves into view: below the top of the window and above the bar.
  reveal(boxes) {
    if (!boxes.length) return;
    const [low, high] = [MARGIN, this.steps.box.getBoundingClientRect().top - MARGIN];
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    const by = top < low ? top - low : bottom > high ? Math.min(bottom - high, top - low) : 0;
    if (Math.abs(by) > 1) scroller(this.box).scrollBy({ top: by, behavior: isCalm() ? "instant" : "smooth" });
  }

  // Where a card that is picked may go: the top of each zone that is open to it can be tapped too.
  targetPlaces(now) {
    const open = this.picked && this.data.legal ? this.data.legal[this.picked] || [] : [];
    return now.spots.filter((spot) => open.includes(spot.zone.path)).map((spot) => spot.place)
      .concat(open.map((path) => `${path}/+`));
  }

  step(to) {
    this.sheet.close();
    this.paint(to);
  }

  tap(place) {
    if (this.steps.at > 0) {
      this.live.textContent = "A card is changed on the table as it lay: go back to the first step.";
      this.steps.go(0);
      return;
    }
    if (this.data.view === "play") this.played(place);
    else this.openPlace(place);
  }

  drags(place) {
    if (this.steps.at > 0) return false;
    if (this.data.legal) return place in this.data.legal && "at once";
    const zone = zoneAt(this.shown.table, place);
    return zone && zone.kind !== "fixed" && zone.kind !== "height" && "held";
  }

  // The cards that go along with one: those that lie on it, where runs move.
  group(place) {
    if (!this.data.legal) return [place];
    const zone = zoneAt(this.shown.table, place);
    const at = zone.spots.findIndex((spot) => spot[1] === place);
    return zone.fan === "down" ? zone.spots.slice(at).map((spot) => spot[1]) : [place];
  }

  // Shows where the card that is held may go.
  mark(place) {
    const open = this.data.legal?.[place];
    if (open) this.felt.querySelectorAll(".zone").forEach((zone) => zone.classList.toggle("open", open.includes(zone.dataset.zone)));
  }

  dropped(place, to) {
    this.felt.querySelectorAll(".open").forEach((zone) => zone.classList.remove("open"));
    if (this.data.legal && !this.data.legal[place]?.includes(to)) return false;
    const zone = zoneAt(this.shown.table, place);
    if (!zone || zone.path === to) return false;
    this.send("move", { place, to, was: cardAt(this.shown.table, place) });
    return true;
  }

  // A tap in a game: picks a card, then says where it goes; a second tap on the same card lets it go.
  played(place) {
    const { legal, taps } = this.data;
    if (taps?.includes(place) && !this.picked) {
      this.send("tap", { place });
      return;
    }
    const zone = zoneAt(this.shown.table, place);
    const to = place.endsWith("/+") || place.endsWith("/*") ? place.replace(/\/\+$/, "") : zone?.path;
    if (this.picked && this.picked !== place && (legal ? legal[this.picked]?.includes(to) : zone?.path !== zoneAt(this.shown.table, this.picked)?.path)) {
      this.send("move", { place: this.picked, to, was: cardAt(this.shown.table, this.picked) });
      this.picked = null;
      return;
    }
    if (taps?.includes(place)) {
      this.picked = null;
      this.send("tap", { place });
      return;
    }
    const card = cardAt(this.shown.table, place);
    this.picked = place === this.picked || !card || (legal && !(place in legal)) ? null : place;
    this.adding = Boolean(this.picked) && !legal;
    this.paint(0, false);
    this.live.textContent = this.picked ? `${spoken(card)} is picked; now tap where it goes` : "";
  }

  // -- the sheet -------------------------------------------------------------------------------------------------------

  openPlace(place) {
    const { data } = this;
    const number = Object.entries(data.places || {}).find(([, held]) => held === place)?.[0];
    const zone = zoneAt(this.shown.table, place);
    const adds = place.endsWith("/+") || place.endsWith("/*");
    const path = adds ? place.replace(/\/\+$/, "") : null;
    const common = { used: data.used, copies: data.copies, unknown: data.unknown };
    if (adds) {
      const title = zoneOn(this.shown.table, path)?.title || "a new meld";
      this.sheet.open({ ...common, title: `Add a card: ${title}`, choose: (card) => this.send("add", { path, card }) });
      return;
    }
    if (!zone) return;
    const card = cardAt(this.shown.table, place);
    if (zone.kind === "height") {
      this.sheet.open({ title: zone.title, height: { now: zone.count, least: 0, most: zone.most,
        change: (by) => this.send("raise", { path: zone.path, by }) } });
      return;
    }
    this.openCard({ ...common, zone, card, place, number: number === undefined ? null : Number(number) });
  }

  openCard({ zone, card, place, number, ...common }) {
    const { data } = this;
    const seen = number === null ? null : data.cards[number];
    const doubt = number !== null && data.doubts?.find((doubt) => doubt.number === number);
    this.sheet.open({
      ...common, card, crop: number === null ? null : this.crop(number),
      title: card ? `${spoken(card)}, ${zone.title}` : `Put a card here: ${zone.title}`,
      hint: card ? "Tap the right card to change it." : "",
      likely: (seen?.likely || []).filter(([name]) => name !== card),
      right: doubt ? () => this.send("check", { number }) : null,
      choose: (to) => this.send("set_card", { place, card: to, was: card, number }),
      remove: card ? () => this.send("remove", { place, was: card, number }) : null,
      buried: zone.under ? { now: zone.hidden, least: 0, most: 30, change: (by) => this.send("bury", { path: zone.under, by }) } : null,
      slots: card ? this.slots(zone) : null,
      put: (to) => this.send("move", { place, to, was: card }),
    });
  }

  // Where a card could be put, by name; not where it comes from.
  slots(source) {
    const found = new Map();
    for (const section of this.shown.table.sections) {
      for (const zone of section.zones) {
        if (!zone || zone.kind === "fixed" || zone.kind === "height" || zone.path === source?.path) continue;
        if (zone.kind === "slot" && zone.spots[0]?.[0]) continue;
        const cards = zone.spots.map(([card]) => card).filter((card) => card && card !== "??").map(pretty).join(" ");
        found.set(zone.path, cards && section.grows ? `${zone.title}: ${cards}` : zone.title);
      }
      if (section.grows) found.set(section.grows, "a new meld");
    }
    return [...found].map(([path, name]) => [name, path]);
  }

  // A card of the photo that was tapped there.
  openNumber(number) {
    const place = this.data.places?.[number];
    if (place !== undefined) {
      if (this.steps.at > 0) this.steps.go(0);
      this.openPlace(place);
      return;
    }
    const seen = this.data.cards[number];
    this.sheet.open({
      title: `${spoken(seen.card)}: in the photo, not on the table`, card: seen.card, crop: this.crop(number),
      used: this.data.used, copies: this.data.copies, likely: [],
      slots: this.data.board ? this.slots(null) : null, slotsTitle: "Put it on",
      put: (to) => this.send("put", { number, to }),
      right: this.data.doubts?.some((doubt) => doubt.number === number) ? () => this.send("check", { number }) : null,
    });
  }

  // A large, upright piece of the photo with a card of the reading, of the photo that shows it best.
  crop(number, side) {
    const sights = this.photos.flatMap((photo) => (photo.photo?.cards || []).filter((card) => card.number === number)
      .map((card) => ({ card, photo })));
    const best = sights.find(({ card }) => card.best) || sights[0];
    return best ? piece(best.photo.image, best.card, side) : null;
  }

  // -- doubts ------------------------------------------------------------------------------------------------------------

  drawDoubts(data) {
    const doubts = data.doubts || [];
    const checks = data.checks || [];
    if (!doubts.length && !checks.length) {
      this.parts.doubts.replaceChildren();
      return;
    }
    const total = doubts.length + checks.length;
    const rows = doubts.slice(0, SHOWN).map((doubt) => this.doubt(doubt));
    rows.push(...checks.map((check) => this.check(check)));
    this.parts.doubts.replaceChildren(el("h2", { text: `Please check ${total} thing${total === 1 ? "" : "s"}` }), ...rows,
      ...(doubts.length > SHOWN ? [el("p", { text: `and ${doubts.length - SHOWN} more, marked on the table` })] : []));
    // The pieces are cut from the photo, which may still be on its way.
    for (const photo of this.photos)
      if (!photo.image.complete) photo.image.addEventListener("load", () => this.drawDoubts(this.data), { once: true });
  }

  doubt(doubt) {
    const sure = button(`${pretty(doubt.card)} is right`, "check", () => this.send("check", { number: doubt.number }));
    const open = () => this.openNumber(doubt.number);
    const crop = this.crop(doubt.number, 56);
    const look = el("button", { type: "button", class: "look", onclick: open, "aria-label": `look closer: ${spoken(doubt.card)}` }, crop);
    const others = doubt.place === null ? [] : doubt.likely.slice(0, 3).filter(([card]) => card !== doubt.card)
      .map(([card]) => this.sheet.cardButton(card, () => this.send("set_card",
        { place: doubt.place, card, was: doubt.card, number: doubt.number }), "likely"));
    const words = doubt.place === null ? `${pretty(doubt.card)} is in the photo, not on the table`
      : doubt.seen ? doubt.title : `${doubt.title}: not seen in the photo, put there because it seems to be missing`;
    return el("div", { class: `doubt${doubt.decisive ? " decisive" : ""}`, "data-number": doubt.number }, crop ? look : null,
      el("div", { class: "say" }, el("p", { text: doubt.decisive ? `${words}: the answer depends on it` : words }),
        el("div", { class: "row" }, doubt.place === null
          ? button("Leave it out", "check", () => this.send("check", { number: doubt.number })) : sure,
        button(doubt.place === null ? "Put it on ..." : "Other", "more_horiz", open)),
        others.length ? el("div", { class: "row" }, ...others) : null));
  }

  // What else is to be looked at; the number of cards face down can be put right in its row.
  check(check) {
    const counters = check.under.map(({ path, now, title }) => this.sheet.counter(title, { now, least: 0, most: 30,
      change: (by) => this.send("bury", { path, by }) }));
    return el("div", { class: "doubt check" }, el("div", { class: "say" }, el("p", { text: check.text }),
      el("div", { class: "row" }, ...counters, button(check.apart ? "Go on without it" : "That is right", "check",
        () => this.send("seen", { id: check.id })))));
  }

  // -- the rest ------------------------------------------------------------------------------------------------------------

  drawTools(data) {
    const parts = [];
    if (data.view === "table" && data.board) {
      parts.push(this.tool({ name: "undo", label: "Undo", sign: "undo", off: !data.undo }));
      const add = button("Add cards", "add_circle", () => {
        this.adding = !this.adding;
        if (this.steps.at) this.steps.go(0); else this.paint(0, false);
        this.drawTools(this.data);
      }, { "aria-pressed": String(this.adding) });
      parts.push(add);
      if (data.reread) parts.push(this.tool({ name: "reread", label: "As read", sign: "restart_alt", off: data.reread === "off",
        help: "Back to the table as it was read from the photo" }));
      if (!data.laid && !this.begun) {
        this.begun = this.adding = true; // an empty table is there to be laid out
        add.setAttribute("aria-pressed", "true");
        this.paint(0, false);
      }
    }
    this.parts.tools.replaceChildren(...parts, ...(data.playTools || []).map((tool) => this.tool(tool)));
    if (data.status) this.parts.tools.append(el("span", { class: "status", text: data.status }));
  }

  drawPhotos(data) {
    const given = data.photos || [];
    while (this.photos.length < given.length) {
      const photo = new Photo({ open: (number) => this.openNumber(number),
        again: (what) => this.reframe({ photo: this.photos.indexOf(photo), ...what }) });
      this.photos.push(photo);
    }
    this.photos.length = given.length;
    given.forEach((photo, n) => this.photos[n].update(photo));
    const notes = (data.notes || []).map((text) => el("p", { class: "note" }, icon("info"), el("span", { text })));
    const more = given.length ? [el("div", { class: "row" },
      data.games?.length ? this.otherGame(data.games) : null,
      ...(data.more || []).map((way) => picker(way.label, way.sign, (files) => this.photo(files, { purpose: way.purpose }))),
      button(given.length > 1 ? "Forget the photos" : "Forget the photo", "delete", () => this.forget(), { title: "Here and in this browser" }))] : [];
    this.parts.photo.replaceChildren(...this.photos.map((photo) => photo.box), ...notes, ...more);
  }

  // The photo that is there, read as another game.
  otherGame(games) {
    return chooser("Another game", games.map(({ given, label }) => [given.game, label]), (game) => this.thisIs(game),
      "Read this photo as another game");
  }

  thisIs(game) {
    this.busy("Reading the cards ...");
    this.send("this_is", { game });
  }

  drawPanel(data) {
    const { advice } = data;
    const parts = [];
    if (data.advisable) parts.push(this.tool({ name: "advise", label: "Best next move", sign: "lightbulb",
      help: "Tries every legal move on the same deals that fit what is seen." }));
    if (advice?.running) parts.push(el("div", { class: "row searching" }, el("span", { text: advice.running }),
      this.tool({ name: "stop_advice", label: "Stop", sign: "stop" })));
    if (advice?.headline) parts.push(el("div", { class: `alert ${advice.tone}`, role: "status" }, icon("lightbulb"), el("div", {},
      el("h2", { text: advice.headline }), el("p", { text: advice.detail }),
      advice.rows?.length ? el("details", {}, el("summary", { text: "Every move" }), el("table", {}, el("thead", {}, el("tr", {},
        ...["move", "can still be won", "range"].map((text) => el("th", { text, scope: "col" })))),
      el("tbody", {}, ...advice.rows.map((row) => el("tr", {}, ...row.map((text) => el("td", { text }))))))) : null,
      advice.tools ? el("div", { class: "row" }, ...advice.tools.map((tool) => this.tool(tool))) : null)));
    this.parts.panel.replaceChildren(...parts);
  }

  drawBelow(data) {
    if (data.view !== "table") {
      this.parts.below.replaceChildren(...(data.log || []).map((text) => el("p", { class: "note", text })));
      return;
    }
    const shown = ({ board, said, steps, rules } = this.data) => ({ board, said, steps: steps || [], rules: rules?.told || "" });
    const said = el("span", { role: "status" });
    const open = this.parts.below.querySelector("details")?.open;
    const line = el("textarea", { rows: 4, "aria-label": "The table as a line of text", maxlength: 4000 });
    line.value = data.fault?.text ?? data.line ?? "";
    const put = () => this.send("line", { text: line.value });
    line.onkeydown = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && put();
    this.parts.below.replaceChildren(
      el("div", { class: "row" },
        button("Share", "ios_share", async () => (said.textContent = await share(shown(), location.href))),
        data.line ? button("Save a picture", "download", async () => {
          const file = await picture(shown());
          save(file, file.name);
        }) : null, said),
      el("details", { open: open || Boolean(data.fault) }, el("summary", { text: "The table as a line of text" }),
        el("p", { text: "Cards are written 7C, TH or 10♥; piles from bottom to top; ?? is a face-down card." }), line,
        data.fault ? el("p", { class: "alert warn", role: "alert" }, icon("edit_off"), el("span", {},
          "The line cannot be read; the table above is unchanged. ", data.fault.sentence)) : null,
        data.fault?.where ? el("pre", { text: data.fault.where }) : null,
        el("div", { class: "row" }, button("Use this line", "check", put))));
  }

  key(event) {
    if (!this.box.isConnected) {
      document.removeEventListener("keydown", this.keys);
      return;
    }
    const at = event.composedPath()[0];
    if (event.altKey || event.ctrlKey || event.metaKey || this.sheet.isOpen || !this.steps.texts.length) return;
    if (at instanceof Element && at.closest("input, textarea, select, [role=radio], .frame")) return;
    const to = { ArrowRight: this.steps.at + 1, ArrowLeft: this.steps.at - 1, Home: 0, End: this.steps.texts.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.steps.go(to);
  }
}

// What scrolls an element: the nearest box round it that has more in it than it shows.
function scroller(element) {
  for (let at = element; at; at = at.parentElement || at.getRootNode().host)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.scrollingElement;
}

// A list of names to choose one from: [[value, name]].
function chooser(label, names, chosen, spoken = label) {
  const list = el("select", { "aria-label": spoken }, el("option", { value: "", text: `${label} ...` }),
    ...names.map(([value, text]) => el("option", { value, text })));
  list.onchange = () => list.value && chosen(list.value);
  return list;
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
