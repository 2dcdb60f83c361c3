// One card or place, opened in the sheet from the board, from the photo or from a doubt.

import { RANKS, pretty, spoken } from "./cards.js";
import { lengthOf, piece, region } from "./photo_editor.js";
import { Sheet } from "./sheet.js";
import { cardAt, zoneAt, zoneOn } from "./table.js";

const MOST_HIDDEN = 30; // cards face down that a pile may hold, and
const IN_COLUMN = 6; // a column of Klondike: each number is one tap
const ROUND_PX = [0.9, 260]; // of the window's width, and height on the screen, of what surrounds a pile that cannot be right

export class CardView {
  // app: has `data`, `board` (the table as it is shown), `photos` and `send`
  constructor(app) {
    this.app = app;
    this.used = {};
    this.sheet = new Sheet((card) => this.where(card), (...asked) => app.board.showAbove(...asked));
  }

  // Takes from Python how often each card lies on the table, once it has heard of all that was done here: an open sheet shows it.
  count(used) {
    Object.keys(this.used).forEach((card) => delete this.used[card]);
    Object.assign(this.used, used);
    this.melds = null;
    this.sheet.strikeOut();
  }

  // Counts a card that is laid, or taken away by -1: what Python tells may be older.
  lay(card, by = 1) {
    this.used[card] = (this.used[card] || 0) + by;
  }

  // Opens a place of the board: a card, an empty place, a counted pile, or where a card is added.
  openPlace(place) {
    const { data, board } = this.app;
    const table = board.laid;
    if (place.endsWith("/+") || place.endsWith("/*")) {
      this.layOut(place.replace(/\/\+$/, ""), board.adding);
      return;
    }
    const seen = zoneAt(table, place);
    const zone = seen?.kind === "fixed" ? zoneOn(table, seen.path) : seen; // the top stands for its pile
    if (zone?.kind === "height") this.layOut(zone.path, board.adding);
    else if (zone) {
      const number = Object.entries(data.places || {}).find(([, held]) => held === place)?.[0];
      this.openCard({ zone, card: cardAt(table, place), place, number: number === undefined ? null : Number(number) });
    }
  }

  // Opens a zone to lay cards there, one tap for each, and to go on to the next zone, till all were open. Who goes
  // on from zone to zone is led further by what one tap fills. "Done" ends the adding for who was led on, and at a table from a
  // photo; who taps a + for each card of a table by hand goes on. Where a tap on a number led here (`isEarly`), "Next" may have been
  // meant for the zone before: a first tap only says so.
  layOut(path, goesOn = false, isLed = false, begun = path, isEarly = false) {
    const { data, board, send } = this.app;
    const table = board.laid;
    const to = zoneOn(table, path);
    const order = table.sections.flatMap((section) => [...section.zones.map((zone) => zone && isLaid(zone) && zone.path), section.grows])
      .filter((path, n, all) => path && all.indexOf(path) === n);
    const isRing = !table.sections.some((section) => section.grows); // a table that grows is laid to its end
    const at = order.indexOf(path);
    const rest = [...order.slice(at + 1), ...(isRing ? order.slice(0, at) : [])];
    const ahead = isRing && rest.includes(begun) ? rest.slice(0, rest.indexOf(begun)) : rest;
    const next = !to ? path : ahead.find((path) => isBare(zoneOn(table, path)));
    const done = () => board.adding && (isLed || data.photos?.length) && this.app.add(false);
    const go = (isEarly) => this.layOut(next, true, true, begun, isEarly);
    const label = next && `Next: ${zoneOn(table, next)?.title || "a new meld"}`;
    const further = next && { label, open: () => go(false),
      isEarly: isEarly && `Now: ${to.title}. To leave it empty, tap "${label}" once more.` };
    if (to?.kind === "height") {
      const names = to.most <= RANKS.length && ["none", ...RANKS];
      let height = to.count;
      const change = (by) => {
        send("raise", { path, by });
        const [low, high] = [height, height += by].sort((a, b) => a - b);
        for (let n = low; n < high; n += 1) this.lay(rankAfter(to, n) + path.at(-1), Math.sign(by));
      };
      const isNew = isLed || !to.count; // a pile that is put right leads nowhere
      const chosen = names && further && isNew && (goesOn || !data.photos?.length) ? () => go(true) : null; // a tap leads on
      const elsewhere = (n) => n !== height && [...RANKS.slice(0, n)].map((rank) => rank + path.at(-1))
        .find((card, below) => (this.used[card] || 0) - (below < height) >= data.copies);
      this.sheet.open({ at: path, title: to.title[0].toUpperCase() + to.title.slice(1), further, done,
        height: { now: to.count, least: 0, most: to.most, names, chosen, change, elsewhere } });
      return;
    }
    let [into, laid] = [path, 0]; // the first card of a new meld makes it
    const isOne = to?.kind === "slot";
    this.sheet.open({ at: path, used: this.used, copies: data.copies, title: `Add cards: ${to?.title || "a new meld"}`, further, done,
      hint: to?.kind === "list" && isRing ? "The card that you add last lies on top." : "",
      added: isOne && !goesOn ? null : [], isOne, unknown: data.unknown && !to?.under, buried: this.buried(to), // cards face down are counted
      takeBack: (card) => {
        send("undo");
        this.lay(card, -1);
        laid -= 1;
        if (to || laid) return;
        this.melds -= 1;
        into = path;
      },
      choose: (card) => {
        send("add", { path: into, card });
        this.lay(card);
        laid += 1;
        if (into.endsWith("*")) into = this.grown(path);
      } });
  }

  // The place of the meld that a card has begun, though Python may not yet have told of those before it.
  grown(path) {
    this.melds ??= this.app.board.laid.sections.find((section) => section.grows === path).zones.length;
    this.melds += 1;
    return path.replace("*", this.melds - 1);
  }

  // How many cards lie face down in a zone, to be changed; null where none may.
  buried(zone) {
    const most = zone?.fan === "down" ? Math.max(IN_COLUMN, zone.hidden) : MOST_HIDDEN;
    return zone?.under ? { now: zone.hidden, least: 0, most, names: [...Array(IN_COLUMN + 1).keys()],
      change: (by) => this.app.send("bury", { path: zone.under, by }) } : null;
  }

  openCard({ zone, card, place, number }) {
    const { data, send, questions } = this.app;
    const seen = number === null ? null : data.cards[number];
    const doubt = seen && questions.open.find((question) => question.number === number);
    const isFault = card && data.marks?.[place] === "fault" && zone.kind === "list" && data.photos.length;
    this.sheet.open({
      at: place, number, used: this.used, copies: data.copies, unknown: data.unknown, card,
      crop: (isFault && this.surroundings(zone, number)) || (number === null ? null : this.crop(number)),
      beside: isFault ? () => this.layOut(zone.path) : null, // a card that was not read
      title: card ? `${spoken(card)}, ${zone.title}` : `Put a card here: ${zone.title}`,
      hint: card ? "Tap the right card to change it." : "",
      likely: (seen?.likely || []).filter((name) => name !== card),
      right: doubt && (() => questions.answer(doubt, "right")),
      choose: (to) => {
        send("set_card", { place, card: to, was: card, number });
        this.lay(to);
        if (card) this.lay(card, -1);
      },
      remove: card ? () => (send("remove", { place, was: card, number }), this.lay(card, -1)) : null,
      buried: this.buried(zone),
      slots: card ? this.slots(card, zone) : null,
      put: (to) => send("move", { place, to, was: card }),
    });
  }

  // Opens a card of the photo that was tapped there; one that has no place yet can be named another card first.
  openNumber(number, named) {
    const { data, send } = this.app;
    const place = data.places?.[number];
    if (place !== undefined) {
      this.openPlace(place);
      return;
    }
    const { card: read, likely } = data.cards[number];
    const card = named || read;
    this.sheet.open({
      title: data.board ? `${spoken(card)}: where does it lie?` : `${spoken(card)}?`, card, number, crop: this.crop(number),
      used: this.used, copies: data.copies,
      ...(!data.board ? { hint: "First tell me which game this is. Then you can change the card." } : {
        hint: "Tap the right card to change it.",
        likely: [read, ...likely].filter((name, n, all) => name !== card && all.indexOf(name) === n),
        choose: (to) => this.openNumber(number, to),
        slots: this.slots(card, null), slotsTitle: "Put it on",
        put: (to) => send("put", { number, to, card }),
      }),
    });
  }

  // Asks which card came up where the last open card was taken off face-down ones.
  askTurned(title, place) {
    this.chooseCard(title, (card) => this.app.send("set_card", { place, card, was: "??" }), this.used, place);
  }

  // Asks which card a game's last move turned; who plays without cards has the hidden ones dealt. Of those that were told, any can be
  // put right.
  askNamed({ title, at, used, lies, told, copies = 1 }) {
    const { send } = this.app;
    const ask = (was) => this.sheet.open({ used, lies, card: was, copies: 1, title: `It is ${pretty(was)} now. Which card is right?`,
      choose: (card) => send("turned", { card, was }) });
    if (!told) this.sheet.open({ at, used, lies, copies, title: `Which card was turned? (${title})`, choose: (card) => send("turned", { card }),
      other: ["Deal the hidden cards by chance", "casino", () => send("turned")] });
    else if (told.length === 1) ask(told[0]);
    else this.sheet.open({ title: "Which card is wrong?", likely: told, choose: ask });
  }

  // Asks for any card but those that are used.
  chooseCard(title, choose, used = this.used, at) {
    this.sheet.open({ title, at, used, copies: this.app.data.copies, choose });
  }

  // Says where a card lies; one that was built over lies on its foundation.
  where(card) {
    const zones = this.app.board.laid.sections.flatMap((section) => section.zones.filter(Boolean));
    const rank = RANKS.indexOf(card[0]);
    const lies = ({ kind, path, count, most, spots }) => kind === "height" && path.at(-1) === card[1]
      ? count > (most === RANKS.length ? rank : RANKS.length - 1 - rank) // of two decks one begins with the king
      : spots.some(([other]) => other === card);
    const titles = [...new Set(zones.filter(lies).map(({ title }) => title))];
    return titles.length ? `${pretty(card)} is on the table already: ${titles.join(", ")}.` : `${pretty(card)} cannot come up here.`;
  }

  // Where a card could be put, by name; not where it comes from.
  slots(card, source) {
    const found = new Map();
    for (const section of this.app.board.laid.sections) {
      for (const zone of section.zones) {
        if (!zone || zone.kind === "fixed" || zone.path === source?.path) continue;
        if (zone.kind === "height" && !isBuilt(zone, card, !source)) continue;
        if (zone.kind === "slot" && zone.spots[0]?.[0]) continue;
        const cards = zone.spots.map(([card]) => card).filter((card) => card && card !== "??").map(pretty).join(" ");
        found.set(zone.path, cards && section.grows ? `${zone.title}: ${cards}` : zone.title);
      }
      if (section.grows) found.set(section.grows, "a new meld");
    }
    return [...found].map(([path, name]) => [name, path]);
  }

  // A large, upright piece of the photo with a card of the reading, or with its index, of the photo that shows it best.
  crop(number, side, isWhole) {
    const sights = this.app.photos.all.flatMap((photo) => (photo.photo?.cards || []).filter((card) => card.number === number)
      .map((card) => ({ card, photo })));
    const best = sights.find(({ card }) => card.best) || sights[0];
    return best ? piece(best.photo.image, best.card, side, isWhole) : null;
  }

  // The part of the photo round the cards of a zone, as large as a card at each side: one beside them may not have been read.
  surroundings(zone, number) {
    const { data, photos } = this.app;
    const numbers = zone.spots.map(([, place]) => Number(Object.entries(data.places).find(([, held]) => held === place)?.[0]));
    const photo = photos.all.find(({ photo }) => photo.cards.some((card) => card.number === number)) || photos.all[0];
    const cards = photo.photo.cards.filter((card) => numbers.includes(card.number));
    const [size, height] = [ROUND_PX[0] * Math.min(window.innerWidth, 700), ROUND_PX[1]];
    return cards.length ? region(photo.image, cards, [size, height], { round: lengthOf(cards) }) : null;
  }
}

// The rank that a foundation takes after so many cards: up from the ace, or with two decks down from the king, twice.
const rankAfter = ({ most }, count) => RANKS.at(most === RANKS.length ? count % RANKS.length : -1 - (count % RANKS.length));

// Whether a card is the next one of a foundation; or one that may lie on it: a photo shows no card under it.
const isBuilt = ({ count, most, path }, card, isSeen) => card.at(-1) === path.at(-1) &&
  (isSeen && most === RANKS.length ? RANKS.indexOf(card[0]) >= count : card[0] === rankAfter({ most }, count));

// Whether nothing lies in a zone; as one that is not there yet, where a table grows.
const isBare = (zone) => !zone || !(zone.count || zone.spots.some(([card]) => card));

// Whether cards are laid on a zone by hand; the stock is what lies nowhere else.
const isLaid = (zone) => zone.kind !== "fixed" && zone.photoZone !== "stock" && !zone.path.endsWith("/down");
