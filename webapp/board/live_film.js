// The live camera: frames are sent as they are filmed, cards light up as they are read, and words say where to go. The film
// ends by itself when everything has been seen.

import { base64 } from "./camera.js";
import { button, el, icon } from "./dom.js";
import { Chooser, smaller } from "./film_frames.js";

const LOOK_MS = 125; // between two looks at what the camera sees
const FRAME_BYTES = 150e3; // of a frame at the most
const MOST_FRAMES = 80; // as in webapp/events.py; over a minute
const REPEAT_MS = 5000; // after which frames that Python has not heard of are sent again
const WHOLE_FRAMES = 2; // so many frames, one after the other, that show everything seen end the film
const FAST = 0.5; // of the picture in a second: faster, and no frame is sharp
const MARGIN = 0.05; // of the picture: what lies nearer to its side is not well in view
const WAYS = { left: ["arrow_back", "Go on to the left"], right: ["arrow_forward", "Go on to the right"],
  up: ["arrow_upward", "Go on upwards"], down: ["arrow_downward", "Go on downwards"] };

// Whether there is a camera that this browser lets a page use: on the machine itself, or by HTTPS.
export async function hasCamera() {
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []);
  return Boolean(devices?.some(({ kind }) => kind === "videoinput"));
}

export const openCamera = () => navigator.mediaDevices.getUserMedia(
  { video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } } });

export class LiveFilm {
  constructor(camera, server, reading) {
    Object.assign(this, { camera, server, reading });
    this.taken = [];
    this.unsent = [];
    this.wholeFrames = new Set();
    this.at = [0, 0];
    this.isOver = this.isEnded = false;
    this.speed = 0;
    this.chooser = new Chooser((frame) => [this.taken, this.unsent].forEach((frames) => frames.push(frame)));
    this.video = el("video", { playsinline: true, "aria-label": "what the camera sees" });
    this.video.muted = true;
    this.marks = el("div", { html: '<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><g></g></svg>' });
    this.said = el("p", { class: "live-words", role: "status" });
    this.count = el("p", { class: "hint" });
    this.done = button("Done", "check", () => this.end(), { class: "main", disabled: true });
    this.box = el("div", { class: "live" }, el("div", { class: "live-picture" }, this.video, this.marks), this.said, this.count, this.done);
    reading.photos.replaceChildren(this.box);
    reading.box.classList.add("filming");
    this.run();
  }

  async run() {
    this.video.srcObject = this.camera;
    await this.video.play().catch(() => {}); // it was ended before it began
    const begun = performance.now();
    let before = 0;
    while (this.box.isConnected) {
      const seconds = (performance.now() - begun) / 1000;
      if (!this.isOver && this.video.videoWidth) {
        const at = await this.chooser.look(this.video, seconds);
        this.speed = Math.hypot(at[0] - this.at[0], at[1] - this.at[1]) / (seconds - before);
        [this.at, before] = [at, seconds];
        this.draw();
        if (this.taken.length >= MOST_FRAMES) this.end();
      }
      await this.send();
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    this.stop();
  }

  // Sends what was taken since Python heard of what was sent last: of two events at a time one may be lost.
  async send() {
    if (this.sent && performance.now() - this.sentAt > REPEAT_MS) {
      this.server.trigger("photo", this.sent);
      this.sentAt = performance.now();
    }
    const ends = this.isOver && !this.isEnded;
    if (this.sent || !(this.unsent.length || ends)) return;
    this.isEnded = ends;
    const frames = await Promise.all(this.unsent.splice(0).map(async (frame) => {
      const [{ seconds, blob }] = await smaller([frame], FRAME_BYTES);
      return { seconds, data: await base64(blob) };
    }));
    const begins = !this.key;
    this.key ||= Math.random();
    this.sent = this.server.sendPhoto({ purpose: "new", files: [], film: { live: this.key, begins, ends, frames } });
    this.sentAt = performance.now();
    this.done.disabled = false;
  }

  // Takes in what Python has heard and read.
  hear(heard, film) {
    if (this.sent && heard.includes(this.sent.stamp)) this.sent = null;
    const seen = film?.seen;
    if (this.isOver || !seen || seen.frame === this.seen?.frame) return;
    this.seen = seen;
    this.marks.querySelector("g").innerHTML = seen.cards.map(([...at]) => {
      const times = at.pop();
      return `<polygon class="${times > 1 ? "often" : ""}" points="${at.join(" ")}"/>`;
    }).join("");
    const often = seen.cards.filter((card) => card.at(-1) > 1).length;
    this.count.textContent = `${seen.cards.length} card${seen.cards.length === 1 ? "" : "s"}, ${often} of them seen twice`;
    this.wholeFrames = seen.whole ? this.wholeFrames.add(seen.frame) : new Set();
    this.draw();
    if (this.wholeFrames.size >= WHOLE_FRAMES) this.end();
  }

  // Lays the marks on what the camera sees by now, and says where it ought to go.
  draw() {
    const from = this.taken[this.seen?.frame]?.at || this.at;
    const moved = [this.at[0] - from[0], this.at[1] - from[1]];
    this.marks.querySelector("g").setAttribute("transform", `translate(${moved.join(" ")})`);
    const [sign, words] = this.advice(moved);
    if (this.said.textContent !== sign + words) this.said.replaceChildren(icon(sign), el("span", { text: words }));
  }

  advice([across, down]) {
    const { seen } = this;
    if (this.speed > FAST) return ["speed", "Slower"];
    if (!seen?.cards.length) return ["playing_cards", "Go slowly over the whole table"];
    if (seen.small) return ["zoom_in", "Closer here"];
    if (seen.whole) return ["check", "Everything has been seen twice"];
    const [x, y] = [seen.wanted[0] + across - 0.5, seen.wanted[1] + down - 0.5];
    if (Math.max(Math.abs(x), Math.abs(y)) < 0.5 - MARGIN) return ["center_focus_strong", "Hold still here"];
    return WAYS[Math.abs(x) > Math.abs(y) ? (x < 0 ? "left" : "right") : y < 0 ? "up" : "down"];
  }

  // Ends the film; the steps of its reading take its place.
  end() {
    this.isOver = true;
    this.stop();
    this.box.replaceChildren();
    this.reading.step(2);
  }

  stop() {
    this.camera.getTracks().forEach((track) => track.stop());
    this.reading.box.classList.remove("filming");
  }
}
