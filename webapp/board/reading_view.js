// While a photo or a film is read: it is shown at once, what is being done with it, and how far that is.

import { button, closeByBack, el, icon } from "./dom.js";

const STEPS = 3;
const SHARES = [0.05, 0.2, 0.4]; // of the bar at the beginning of each step, and
const LAST_SHARE = 0.96; // at the end of the time that the last one usually takes
const READING_S = 5; // that reading usually takes

export class ReadingView {
  constructor(stop) {
    this.fill = el("span", { class: "reading-fill" });
    this.bar = el("span", { class: "progress", role: "progressbar" }, this.fill);
    this.photos = el("div", { class: "reading-photos" });
    this.list = el("ol", {}, ...Array.from({ length: STEPS }, () => el("li")));
    this.title = el("h1");
    this.box = el("div", { class: "reading" }, this.title, this.bar, this.list, this.photos, button("Stop", "stop", stop));
    closeByBack(() => this.isOn && this.box.isConnected, stop);
  }

  // Shows pictures, or one film, by their addresses, and that their reading begins; a photo without one is shown by `show`.
  begin(urls, isOfFilm = false) {
    this.isOn = true;
    this.begun = {}; // by which it is known whether it still goes on
    this.isOfFilm = isOfFilm;
    const what = isOfFilm ? "film" : urls.length > 1 ? "photos" : "photo";
    this.steps = [isOfFilm ? "Choosing the sharpest frames" : `Getting the ${what} ready`, what === "photos" ? "Sending them" : "Sending it",
      "Finding the cards and their places"];
    this.bar.setAttribute("aria-label", `reading the ${what}`);
    this.title.textContent = `Reading your ${what}`;
    this.photos.classList.remove("strip");
    this.photos.replaceChildren(...urls.map((src) => isOfFilm ? this.film(src)
      : src ? el("img", { src, alt: "your photo" }) : el("span")));
    this.fill.style.cssText = "transition: none; transform: scaleX(0)";
    this.step(0);
  }

  // The film itself, or that this browser has no picture of it.
  film(src) {
    const film = el("video", { src: `${src}#t=0.5`, muted: true, playsInline: true, preload: "auto", "aria-label": "your film" });
    film.onerror = () => film.replaceWith(el("p", { class: "note", text: "This browser cannot show your film. It is read all the same." }));
    return film;
  }

  // Shows which step is being done; in the last one the bar still moves, ever slower, but of a film it tells how far that is.
  step(number) {
    if (!this.isOn) return;
    [...this.list.children].forEach((item, n) => {
      item.className = n < number ? "done" : n === number ? "now" : "";
      item.replaceChildren(icon(n < number ? "check" : n === number ? "arrow_forward" : ""), this.steps[n]);
    });
    const last = number === STEPS - 1;
    if (!last || !this.isOfFilm) requestAnimationFrame(() => requestAnimationFrame(() => {
      this.fill.style.cssText = `transition: transform ${last ? READING_S : 1}s ease-out; transform: scaleX(${last ? LAST_SHARE : SHARES[number + 1]})`;
    }));
    this.bar.setAttribute("aria-valuenow", Math.round(100 * SHARES[number]));
  }

  show(canvas, number) {
    Object.assign(canvas, { role: "img", ariaLabel: "your photo" });
    this.photos.children[number]?.replaceWith(canvas);
  }

  // Shows a frame that was taken of a film, in a strip, and how far it has been looked through; seconds.
  add(src) {
    this.photos.classList.add("strip");
    this.photos.append(el("img", { src, alt: "" }));
  }

  choose(seconds, whole) {
    this.list.firstChild.lastChild.textContent = `${this.steps[0]}: ${Math.round(seconds)} of ${Math.round(whole)} s, ${this.photos.children.length} taken`;
  }

  // Shows how far a film is: {seconds, whole, cards}.
  follow({ seconds, whole, cards }) {
    if (!this.isOn || !whole) return;
    this.fill.style.cssText = `transition: transform .5s; transform: scaleX(${SHARES[2] + (LAST_SHARE - SHARES[2]) * (seconds / whole)})`;
    this.list.lastChild.lastChild.textContent = `${this.steps[2]}: ${Math.round(seconds)} of ${Math.round(whole)} s, ${cards} card${cards === 1 ? "" : "s"} so far`;
  }

  end() {
    this.isOn = false;
    this.photos.replaceChildren();
  }
}
