// The photos of a table, each an editor of its own, and what can be done with all of them.

import { button, chooser, el, icon, isCalm } from "./dom.js";
import { Photo } from "./photo_editor.js";
import { photoPicker } from "./verdict_view.js";

// Has the photo read as a game that is chosen.
export const gameChooser = (games, app) => chooser("Another game", games.map(({ given, label }) => [given.game, label]),
  (game) => app.server.read("this_is", { game }), "Read this photo as another game");

export class PhotosView {
  constructor(app) {
    this.app = app;
    this.all = [];
    this.box = el("div", { class: "photos", role: "group", "aria-label": "your photos" });
    this.more = el("div", { class: "more-photos" });
  }

  draw({ photos = [], notes = [], games = [], more = [], better }) {
    const { server, cards } = this.app;
    while (this.all.length < photos.length) {
      const photo = new Photo({ open: (number) => cards.openNumber(number),
        again: (what) => server.read("again", { photo: this.all.indexOf(photo), ...what }) });
      this.all.push(photo);
    }
    this.all.length = photos.length;
    photos.forEach((photo, n) => this.all[n].update(photo));
    this.box.replaceChildren(...this.all.map((photo) => photo.box));
    this.box.tabIndex = photos.length > 1 ? 0 : -1; // on a phone they lie in a row, which a keyboard scrolls, too
    this.more.replaceChildren(...notes.map((text) => el("p", { class: "note" }, icon("info"), el("span", { text }))),
      ...(photos.length ? [el("div", { class: "row" },
        games.length ? gameChooser(games, this.app) : null,
        ...more.map((way) => photoPicker(way, this.app)),
        button(`Forget the ${better?.film ? "film" : photos.length > 1 ? "photos" : "photo"}`, "delete", () => this.app.forget(),
          { title: "Here and in this browser" }))] : []));
  }

  // Points on each photo at the cards that a step moves, as `Photo` does.
  point(moves) {
    const meant = moves.flatMap(({ number, beside }) => [number, ...beside]);
    const shown = this.all.map((photo) => photo.photo.cards.filter(({ number }) => meant.includes(number)).length);
    this.all.forEach((photo) => photo.point(moves));
    if (Math.max(...shown) > 0) this.bringIn(shown.indexOf(Math.max(...shown)), meant);
  }

  // Of photos that lie in a row, as on a phone, brings one into view, once for what it is about.
  bringIn(n, what) {
    const [now, row] = [JSON.stringify([n, what]), this.box];
    if (now !== this.about && this.all[n]) row.scrollTo({ left: this.all[n].box.offsetLeft - row.offsetLeft, behavior: isCalm() ? "instant" : "smooth" });
    this.about = now;
  }

  // Marks on each photo where questions about it are: {id, sights, text, now: whether it is the one that is asked}.
  ask(questions, open) {
    this.all.forEach((photo, n) => photo.ask(questions.flatMap(({ id, sights, text, now }) => {
      const quads = sights.filter(({ photo }) => photo === n).map(({ quad }) => quad);
      return quads.length ? [{ quads, text, now, open: () => open(id) }] : [];
    })));
    const asked = questions.find(({ now, sights }) => now && sights.length);
    if (asked) this.bringIn(asked.sights[0].photo, asked.id);
  }

  // Does something once the pictures have come.
  whenLoaded(act) {
    for (const { image } of this.all) if (!image.complete) image.addEventListener("load", act, { once: true });
  }
}
