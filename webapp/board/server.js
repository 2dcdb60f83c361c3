// What goes to Python as named events, and what this browser keeps: the photo, the games, the rules.

import { base64, inOrderTaken, isFilm, MOST_BYTES, MOST_FILM_BYTES, packed } from "./camera.js";
import { framesOf } from "./film_frames.js";
import { forget, keep, keepReview, kept, reviews } from "./store.js";

const SENT = 50; // events that are sent together at the most
const LATE_MS = 30000; // for which an event is sent again with those that follow it
const KEPT_LINES = 200; // tables of a photo by whose address it is found again
const READING = "Reading the cards ...";
const pictureOf = ({ data }) => `data:image/*;base64,${data}`;

export class Server {
  // box: what shows that it waits; live: what a screen reader is told; reading: the `ReadingView`; shows(urls): shows it
  constructor(box, live, reading, shows) {
    Object.assign(this, { box, live, reading, shows });
    this.events = [];
    this.saved = {};
  }

  // Of two events that wait for the same run of the page Streamlit keeps the later one, and one may come twice: so each
  // is sent with those just before it, and has a stamp by which it is known.
  send(name, given = {}) {
    const now = performance.now();
    this.events = this.events.filter((event) => now - event.at < LATE_MS).slice(1 - SENT);
    this.events.push({ ...given, name, stamp: this.stamped(), at: now });
    this.trigger("events", this.events);
  }

  // The stamp of what is sent now; until Python has told that it served it, the page says that it waits.
  stamped() {
    this.sent = Math.random();
    this.box.setAttribute("aria-busy", "true");
    return this.sent;
  }

  // Sends an event after which a photo is read.
  read(name, given) {
    this.busy(READING);
    this.send(name, given);
  }

  async photo(chosen, given = {}) {
    const files = inOrderTaken(chosen);
    const film = files.some(isFilm);
    if (film && files.length === 1 && given.purpose === "new" && await this.film(files[0])) return;
    const large = files.find((file) => file.size > (isFilm(file) ? MOST_FILM_BYTES : MOST_BYTES));
    if (large) {
      this.send("too_large", { bytes: large.size, film: isFilm(large) });
      return;
    }
    const isNew = given.purpose === "new";
    const before = isNew && !film && kept("photo").then((photo) => photo?.lines ? photo : photo?.before);
    if (before) before.then((before) => keep("photo", { isLost: true, before })); // until it is ready, see below
    if (isNew) {
      this.shows(files.map((file) => film && URL.createObjectURL(file)), film);
      this.noted = "";
    }
    const { begun } = this.reading;
    this.busy(`Getting the ${film ? "film" : files.length > 1 ? "photos" : "photo"} ready ...`);
    this.stamped();
    const ready = await packed(files, (canvas, n) => this.reading.show(canvas, n));
    if (this.reading.begun !== begun) { // it was stopped
      if (before) keep("photo", await before);
      return;
    }
    this.reading.step(1);
    if (given.purpose === "hand" && this.record) this.record.hand = ready[0];
    else if (given.purpose === "more" && this.record) {
      this.added = ready;
      this.record.files = [...(this.record.files || []), ...ready];
    }
    else if (isNew) this.record = film ? { film, before: this.record } : { files: ready, before: await before, compared: given.turn?.before };
    if (before) keep("photo", this.record); // from here on it is not lost if the page is loaded anew meanwhile
    this.sendPhoto({ files: ready, ...given });
  }

  // Has nothing read: what there was before is drawn again.
  stopReading() {
    this.reading.begun = null;
    this.send("stop_reading");
  }

  // Sends the frames of a film that tell the most; false where this browser cannot show it.
  async film(file) {
    this.shows([], true);
    const { begun } = this.reading;
    this.busy("Getting the film ready ...");
    this.stamped();
    const isStopped = () => this.reading.begun !== begun;
    const found = await framesOf(file, ({ blob }) => this.reading.add(URL.createObjectURL(blob)), (...at) => {
      if (isStopped()) throw new Error("stopped");
      this.reading.choose(...at);
    });
    if (isStopped()) return true;
    if (!found) return false;
    this.reading.step(1);
    const frames = await Promise.all(found.frames.map(async ({ seconds, blob }) => ({ seconds, data: await base64(blob) })));
    this.record = { film: true, before: this.record };
    this.sendPhoto({ purpose: "new", files: [], film: { name: file.name, seconds: found.seconds, frames } });
    return true;
  }

  // Gives what was sent, with its stamp.
  sendPhoto(given, busy = READING) {
    const sent = { stamp: this.stamped(), ...given };
    this.trigger("photo", sent);
    this.busy(busy);
    return sent;
  }

  sample(sample, url) {
    this.shows([url]);
    this.record = { sample };
    this.read("sample", { sample });
  }

  // Has photos that are here already read as a table of their own; `before`: the table to which the way back leads; `turn`:
  // what is known of the turn that they belong to.
  readAlone(files, before, turn) {
    this.record = { files, before };
    this.noted = "";
    this.shows(files.map(pictureOf));
    this.reading.step(1);
    this.sendPhoto({ purpose: "new", files, turn });
  }

  // Has a photo read again that this browser kept, with its last table, and with what was done to both; `if_same`: it is
  // taken only if the present table is what it shows. One that was compared with a table before it is compared again.
  restore(photo, turn = photo.compared && { before: photo.compared }, if_same) {
    this.record = { ...photo, compared: turn?.before };
    this.noted = "";
    if (photo.files) this.shows(photo.files.map(pictureOf));
    this.reading.step(1);
    const { files, hand, sample, lines, kept: done } = photo;
    const given = { ...done, turn, if_same, line: lines?.at(-1) };
    if (sample) this.read("sample", { sample, keeps: true, ...given });
    else this.sendPhoto({ purpose: "again", files, hand, ...given });
  }

  // Has the present table compared with one before it.
  compare(before) {
    this.record.compared = before;
    this.noted = "";
    this.sendPhoto({ purpose: "what_changed", before }, "Comparing the two tables ...");
  }

  // Gives what takes it back.
  async forget(isAll) {
    const takeBack = await forget(isAll);
    this.record = null;
    if (isAll) delete this.saved.table; // the same one may be laid again
    this.send("forget");
    return takeBack;
  }

  busy(text) {
    this.box.classList.toggle("busy", Boolean(text));
    this.box.dataset.busy = text;
    this.live.textContent = text;
  }

  // Notes what Python has served.
  hear(heard) {
    const served = heard.includes(this.sent);
    if (served) this.box.removeAttribute("aria-busy");
    if (served || !heard.length) this.busy("");
    return served;
  }

  // Keeps in the browser what Python asks it to keep, and tells once what it kept from before, or what stands for a game otherwise.
  remember(data) {
    for (const [name, value] of Object.entries(data.keep || {}))
      if (JSON.stringify(value) !== this.saved[name]) {
        this.saved[name] = JSON.stringify(value);
        keep(name, value);
      }
    const { reviewed, sought } = data;
    if (sought && this.sought !== sought) {
      this.sought = sought;
      reviews().then((all) => all.filter(({ name, record }) => record && name === sought).forEach(({ record }) => this.send("resume", { record })));
    }
    if (reviewed && JSON.stringify(reviewed) !== this.saved.reviewed) {
      this.saved.reviewed = JSON.stringify(reviewed);
      keepReview(reviewed);
    }
    if (this.record && !this.box.hasAttribute("aria-busy")) {
      this.keepBefore(data);
      if (data.photos?.length && data.key) this.rememberPhoto(data);
    }
    const asks = data.asks === "table" ? `table ${data.key}` : data.asks; // each table that comes back asks for its own photo
    if (!data.asks || this.greeted === asks) return;
    this.greeted = asks;
    kept("rules").then((rules) => rules && this.send("agreed", { rules }));
    if (data.asks === "table") kept("photo").then((photo) => { // that of the table, or of the one before a photo that was begun
      const own = [photo, photo?.before].find((one) => one?.lines?.includes(data.key));
      // The address has a table before the photo is kept with it: one that was just read may be that of this table.
      const isJustRead = photo && !photo.lines && !photo.isLost;
      if (own) this.restore(own);
      else if (isJustRead) this.restore(photo, undefined, true);
    });
    if (data.asks.startsWith("game:")) kept(data.asks).then((game) => game || data.otherwise).then((game) => game && this.send("resume", { game }));
  }

  // Keeps the photo before, in which a table was read, where the new one is none or shows no card.
  keepBefore({ refused, photos, cards }) {
    const { before } = this.record;
    if (!before || !(refused || (photos?.length && !cards.length))) return;
    keep("photo", before);
    if (refused) this.record = before;
    else delete this.record.before;
  }

  async rememberPhoto({ key, photos, unread, kept: done }) {
    if (this.record.film) { // its table, put together, is what stays: a film is too large
      this.record = { files: await packed([await (await fetch(photos[0].url)).blob()]), isOfFilm: true };
    }
    const { files, lines = [] } = this.record;
    const more = { lines: [...lines.filter((line) => line !== key), key].slice(-KEPT_LINES), kept: done };
    const text = JSON.stringify([more, photos.length]);
    const isRead = (_, n) => (lines.length ? n < photos.length : !unread.includes(n)); // of those added later the last is refused
    if (files?.length > photos.length) this.record.files = files.filter(isRead);
    Object.assign(this.record, more);
    delete this.record.before;
    if (text !== this.noted) keep("photo", this.record);
    this.noted = text;
  }
}
