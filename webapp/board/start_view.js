// The start: what the page can do, shown; and every way to begin.

import { FILMS, PHOTOS, picker } from "./camera.js";
import { button, el, icon, isPhone, pageBase } from "./dom.js";
import { drawFelt } from "./felt.js";
import { hasCamera, openCamera } from "./live_film.js";
import { gameLink, reviewAddress } from "./reviews_view.js";
import { keep, kept, reviews } from "./store.js";
import { identified } from "./table.js";
import { REMEMBERED, timeOf } from "./turn_view.js";

export class Start {
  constructor(app) {
    this.app = app;
    this.box = el("div", { class: "start" });
  }

  update(data) {
    if (this.key === data.key) {
      this.say(data);
      return;
    }
    this.key = data.key;
    const photo = (files) => this.app.server.photo(files, { purpose: "new" });
    const ways = el("div", { class: "row ways" });
    if (isPhone()) ways.append(picker("Take photo", "photo_camera", photo, { camera: true, main: true }));
    ways.append(picker("Choose photo", "photo_library", photo, { several: true, main: !isPhone(), accept: `${PHOTOS},${FILMS}` }));
    ways.append(picker(isPhone() ? "Film the table" : "Choose film", "videocam", photo, { camera: isPhone(), accept: FILMS }));
    hasCamera().then((has) => has && ways.append(button("Film live", "motion_photos_on", () => openCamera().then(
      (camera) => this.app.filmLive(camera),
      () => this.say({ refused: { title: "The camera cannot be used.", text: "Allow it in your browser, or choose a film." } })))));
    ways.append(el("a", { class: "button", href: reviewAddress(), target: "_self" }, icon("timeline"), el("span", { text: "Whole game" })));
    const games = data.games.map(({ word, title }) => el("option", { value: word, text: title }));
    const game = el("select", { "aria-label": "Game" }, ...games);
    game.value = this.app.game || data.games[0].word;
    const line = el("textarea", { rows: 3, placeholder: data.games[game.selectedIndex].example, "aria-label": "A table as a line of text or JSON",
      maxlength: 4000 });
    game.onchange = () => (line.placeholder = data.games[game.selectedIndex].example);
    this.hero = el("div", { class: "hero", role: "img",
      "aria-label": "a photo of a card table turns into its cards and a verdict" });
    this.message = el("div", { class: "message", role: "status" });
    this.last = el("div", { class: "row last" });
    const byHand = el("details", { ontoggle: ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }) }, el("summary", { text: "Lay the table out by hand, or type it" }),
      el("div", { class: "row" }, game,
        button("Empty table", "add", () => this.app.send("begin", { game: game.value })),
        button("Random deal", "casino", () => this.app.send("deal", { game: game.value }))),
      el("div", { class: "row" }, line,
        button("Could I have won?", "arrow_forward", () => this.app.send("line", { text: line.value || line.placeholder }))));
    this.box.replaceChildren(
      el("div", { class: "intro" },
        el("div", { class: "words" },
          el("h1", { text: "Could I have won?" }),
          el("p", { class: "lead", text: "Take a photo of the cards on the table. You get the table as cards, whether" +
            " it could have been won, and how." }),
          el("ul", { class: "games" }, ...data.games.map(({ title, about }) => el("li", {}, el("strong", { text: title }), `: ${about}`))),
          this.message, ways, this.last, byHand,
          el("p", { class: "hint", text: isPhone() ? "Hold the phone level above the table, so that every card's corner is in view." :
            "From above, every card's corner in view, without glare." }),
          el("p", { class: "hint", text: "A table too large for one photo: choose two photos of it together, which show some cards alike, or film" +
            " it in one slow sweep of ten to thirty seconds. A whole game of" +
            " Klondike: photos, one after every move or two, show which move lost it. A turn of Makiaveli: a photo before it and one" +
            " after it, chosen together, show if it was legal." }),
          el("p", { class: "private" }, icon("lock"), el("span", { text: "The computer that runs this page reads your photo and" +
            " does not keep it. Your own browser keeps the last one. Only of a whole game small copies stay on that computer, for six" +
            " hours at the most." }))),
        this.hero),
      el("details", { open: !isPhone() }, el("summary", { text: "Try a sample photo" }),
        el("div", { class: "samples" }, ...data.samples.map((sample) => el("button", { type: "button", class: "sample",
          onclick: () => this.app.server.sample(sample.name, sample.url), "aria-label": sample.title },
        el("img", { src: sample.url, alt: "", loading: "lazy" }), el("span", { text: sample.title }))))),
      el("p", { class: "hint" }, el("a", { href: `${pageBase()}evaluate`, target: "_self", text: "Measure how well photos are read" })));
    this.drawHero(data.hero);
    if (data.explained) this.box.append(this.explained(data.explained));
    this.say(data);
    this.drawLast();
  }

  // What this browser keeps: the last photo, the last table that was laid by hand or opened, the last game that was looked at
  // again, and the table that is remembered.
  async drawLast() {
    const [newest, line, games, remembered] = await Promise.all([kept("photo"), kept("table"), reviews(), kept(REMEMBERED)]);
    const photo = newest?.isLost ? newest.before : newest;
    if (newest?.isLost) {
      keep("photo", photo || null);
      this.say({ refused: { title: "Your photo is lost.", text: "The page was loaded anew before the photo was kept. Please choose it again." } });
    }
    const picture = photo?.isOfFilm ? "film" : "photo";
    const last = photo ? [button(`Your last ${picture}`, "image", () => this.app.server.restore(photo))] : [];
    const table = photo?.lines?.includes(line) ? null : line; // it comes with its photo
    if (table) last.push(button("Your last table", "playing_cards", () => this.app.send("line", { text: table })));
    if (games.length) last.push(gameLink(games[0], 0));
    if (remembered && !remembered.isCompared) last.push(el("span", { text: `I remember your table from ${timeOf(remembered)}. To see if the next turn was legal, choose a photo after it:` }),
      this.app.turn.pickerAfter(remembered));
    const things = [photo && picture, games.length > 1 ? `${games.length} games` : games.length && "game", (table || remembered) && "table"].filter(Boolean);
    const all = new Intl.ListFormat("en").format(things);
    if (all) last.push(button(`Forget my ${all}`, "delete", async () => (this.gone = { all, takeBack: await this.app.forget(true) })));
    else if (this.gone) last.push(el("span", { role: "status", text: `Forgotten: ${this.gone.all}.` }), button("Take back", "undo", () => this.takeBack()));
    this.last.replaceChildren(...last);
  }

  async takeBack() {
    await this.gone.takeBack();
    this.gone = null;
    this.drawLast();
  }

  say({ refused }) {
    this.message.replaceChildren(...(refused ? [el("p", { class: refused.stopped ? "alert" : "alert bad" }, icon(refused.stopped ? "stop" : "error"),
      el("span", {}, el("strong", { text: refused.title }), " ", refused.text))] : []));
  }

  // A picture that explains what lies where in Makiaveli.
  explained({ board, words }) {
    const felt = el("div", { class: "felt", role: "img", "aria-label": "a table of Makiaveli: floor, cross and hand" });
    drawFelt(felt, board, identified(board), { lit: true });
    return el("details", {}, el("summary", { text: "Floor, meld, cross, hand: what is what?" }),
      el("div", { class: "cloth" }, felt), el("dl", {}, ...words.flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text })])));
  }

  // A sample photo that turns into its board and a verdict.
  drawHero(hero) {
    if (!hero) return;
    const felt = el("div", { class: "felt", "aria-hidden": "true" });
    drawFelt(felt, hero.board, identified(hero.board), { lit: true });
    this.hero.replaceChildren(
      el("div", { class: "turning" }, el("div", { class: "board" }, felt),
        el("img", { src: hero.url, alt: "" })),
      el("div", { class: "verdict good" }, icon("check_circle"), el("span", { text: hero.headline })));
  }
}
