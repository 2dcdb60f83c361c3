// A film from the phone to the page: while it is looked through here, the frames are chosen that tell the most, sharp
// ones a part of the picture apart, so that a few MB are sent and not the whole film.

import { drawn, jpeg } from "./camera.js";
import { el } from "./dom.js";

const MOST_SENT_BYTES = 3e6; // of all frames together; as base64 they are 4 MB
const LONGER = 1920; // px of a frame's longer side at the most
const QUALITIES = [0.8, 0.65, 0.5]; // of JPEGs: the first by which all frames keep to their bytes
const LOOK_S = 0.125; // from one look at the film to the next; of a long film farther
const MOST_LOOKS = 240;
const NEAR = 0.1; // share of the picture by which the camera has gone on before a frame may be taken, and
const FAR = 0.2; // by which the sharpest of these is taken, and
const WAIT_S = 1.2; // so long at most nothing is taken; of a long film longer
const MOST_WAITS = 20;
const SMALL = 64; // px of the picture's longer side in which the camera's way is followed, and
const SHARP = 320; // in which sharpness is measured
const SEEK_MS = 5000; // after which a film is one that this browser cannot show

// The frames of a film: [{seconds, blob}]; null where this browser cannot show it. `taken` is told each frame as it is
// taken, `looked` the time in the film and its length, seconds.
export async function framesOf(file, taken, looked) {
  const url = URL.createObjectURL(file);
  const film = el("video", { preload: "auto", playsinline: true });
  film.muted = true;
  try {
    film.src = url;
    await happened(film, "loadeddata");
    if (!Number.isFinite(film.duration) || !film.videoWidth) return null;
    return { seconds: film.duration, frames: await smaller(await chosen(film, taken, looked)) };
  } catch {
    return null;
  } finally {
    film.removeAttribute("src");
    URL.revokeObjectURL(url);
  }
}

async function chosen(film, taken, looked) {
  const found = [];
  const take = (frame) => (found.push(frame), taken(frame));
  const step = Math.max(LOOK_S, film.duration / MOST_LOOKS);
  const chooser = new Chooser(take, step, Math.max(WAIT_S, film.duration / MOST_WAITS));
  for (let seconds = 0; seconds < film.duration; seconds += step) {
    if (seconds) {
      film.currentTime = seconds;
      await happened(film, "seeked");
    }
    looked(seconds, film.duration);
    await chooser.look(film, seconds);
  }
  await chooser.end();
  return found;
}

// Chooses frames of a film while it is looked at, every `step` seconds: the sharpest, each a part of the picture on from
// the last. `taken` is told each, {seconds, blob, at}; `at` is how far what it shows has moved since the first, in shares
// of the picture: [across, down].
export class Chooser {
  constructor(taken, step = LOOK_S, wait = WAIT_S) {
    Object.assign(this, { taken, step, wait, last: null, best: null });
  }

  // Looks at what a video shows now; gives how far that has moved since the first frame.
  async look(film, seconds) {
    const { last } = this;
    const small = grey(film, SMALL);
    const [across, down] = last ? shift(last.small, small) : [0, 0];
    const at = last ? [last.at[0] + across, last.at[1] + down] : [0, 0];
    const gone = Math.max(Math.abs(across), Math.abs(down));
    const waited = last ? seconds - last.seconds : 0;
    if (!last || gone >= NEAR || waited > this.wait / 2) {
      const sharp = sharpness(grey(film, SHARP));
      if (!this.best || sharp > this.best.sharp) this.best = { seconds, small, sharp, at, canvas: drawn(film, LONGER) };
    }
    if (this.best && (last ? gone >= FAR || waited > this.wait : seconds > 2 * this.step)) await this.end();
    return at;
  }

  // Takes the best frame since the last.
  async end() {
    if (!this.best) return;
    [this.last, this.best] = [this.best, null];
    const { seconds, at, canvas } = this.last;
    this.taken({ seconds, at, blob: await jpeg(canvas, QUALITIES[0]) });
  }
}

function happened(film, name) {
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error("late")), SEEK_MS);
    film.addEventListener(name, () => (clearTimeout(late), done()), { once: true });
    film.addEventListener("error", () => (clearTimeout(late), failed(film.error)), { once: true });
  });
}

// {width, height, light}: the picture in grey.
function grey(film, longer) {
  const canvas = drawn(film, longer);
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  return { width, height, light: Float32Array.from({ length: width * height }, (_, n) => data[4 * n] + data[4 * n + 1] + data[4 * n + 2]) };
}

// The variance of the Laplacian.
function sharpness({ width, height, light }) {
  let [sum, squares, n] = [0, 0, 0];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const edge = 4 * light[at] - light[at - 1] - light[at + 1] - light[at - width] - light[at + width];
      sum += edge;
      squares += edge * edge;
      n += 1;
    }
  return squares / n - (sum / n) ** 2;
}

// By which shares of the picture, [across, down], what it shows has moved: the shift under which two small pictures differ
// least.
function shift(one, other) {
  const { width, height } = one;
  const most = Math.ceil(1.5 * FAR * SMALL);
  let [best, found] = [Infinity, [0, 0]];
  for (let dy = -most; dy <= most; dy += 1)
    for (let dx = -most; dx <= most; dx += 1) {
      let [sum, n] = [0, 0];
      for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y += 2)
        for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x += 1) {
          sum += Math.abs(one.light[y * width + x] - other.light[(y + dy) * width + x + dx]);
          n += 1;
        }
      if (n && sum / n < best) [best, found] = [sum / n, [dx / width, dy / height]];
    }
  return found;
}

// The frames in the best quality that keeps to the bytes; the last one also makes them as small as they must be.
export async function smaller(frames, most = MOST_SENT_BYTES) {
  const size = (all) => all.reduce((sum, { blob }) => sum + blob.size, 0);
  let made = frames;
  for (const quality of QUALITIES.slice(1)) {
    if (size(made) <= most) return made;
    const shrink = quality === QUALITIES.at(-1) ? Math.min(1, Math.sqrt(most / size(made))) : 1;
    made = await Promise.all(frames.map(async ({ seconds, blob }) => {
      const picture = await createImageBitmap(blob);
      return { seconds, blob: await jpeg(drawn(picture, shrink * Math.max(picture.width, picture.height)), quality) };
    }));
  }
  return made;
}
