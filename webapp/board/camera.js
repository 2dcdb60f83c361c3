// A photo from the phone to the page: made as small as the reader uses it, so that it travels in well under a second.

import { el, icon } from "./dom.js";

const LONGER = 2560; // px of the longer side: the reader looks at no more (`SearchScales` in vision/networks/index_detector.py)
const QUALITY = 0.85;
const SHOWN = 1300; // px of the longer side of what is shown while it is read; above half of what it is drawn from, see `drawn`
const AT_ONCE_MS = 10000; // between the times of two files of which that of neither tells when its photo was taken
export const MOST_BYTES = 30e6; // of a photo, and
export const MOST_FILM_BYTES = 100e6; // of a film, as in webapp/events.py

const FILM = /\.(mp4|mov|m4v|avi|webm|mkv|3gp)$/i; // as in vision/film/film_file.py

export const isFilm = (file) => /^(video|audio)\//.test(file.type) || FILM.test(file.name || ""); // of a sound it is told that it is none

// A picture as a canvas of at most `longer` px.
export function drawn(picture, longer) {
  const [w, h] = [picture.videoWidth || picture.width, picture.videoHeight || picture.height];
  const scale = Math.min(1, longer / Math.max(w, h));
  const canvas = el("canvas", { width: Math.round(w * scale), height: Math.round(h * scale) });
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = scale > 0.5 || picture.videoWidth ? "low" : "high"; // above half its size that is as good, and takes half the time
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export const jpeg = (canvas, quality) => new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));

// A photo as a JPEG of at most `LONGER` px, upright; as it is where the browser cannot read it (the server can). `seen` is
// given a small canvas of it: as an image of its own it would be decoded twice, which takes as long as all of this.
async function smaller(file, seen) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const canvas = drawn(picture, LONGER);
    const isSmall = canvas.width === picture.width && file.type === "image/jpeg" && file.size < 1.5e6;
    picture.close();
    seen(drawn(canvas, SHOWN));
    return isSmall ? file : await jpeg(canvas, QUALITY) || file;
  } catch {
    return file;
  }
}

// A file as base64, as it is sent.
export function base64(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}

// Reads photos as files for the page: [{name, data}]; one more than are put together, so that it is told. `seen` is given a
// canvas of each and its number.
export async function packed(files, seen = () => {}) {
  return Promise.all([...files].slice(0, 7).map(async (file, n) => {
    const blob = isFilm(file) ? file : await smaller(file, (canvas) => seen(canvas, n));
    const name = file.name || "photo";
    return { name: isFilm(file) && !FILM.test(name) ? `${name}.mp4` : name, data: await base64(blob) };
  }));
}

// Photos in the order in which they were taken: by their times; by the numbers in their names, where the files were made at
// once, as copies are; else as they were chosen.
export function inOrderTaken(files) {
  const byTime = [...files].sort((one, other) => one.lastModified - other.lastModified);
  if (byTime.every((file, n) => !n || file.lastModified - byTime[n - 1].lastModified > AT_ONCE_MS)) return byTime;
  const isNumbered = new Set(files.map(({ name }) => name.replace(/\d+/g, ""))).size === 1; // by one camera
  return isNumbered ? [...files].sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true })) : files;
}

// A button that takes or chooses photos, films or either; `chosen` is given the files.
export const PHOTOS = "image/*,.heic,.heif";
export const FILMS = "video/*,.mp4,.mov,.m4v,.avi,.webm,.mkv,.3gp";

export function picker(label, sign, chosen, { camera = false, several = false, main = false, accept = PHOTOS } = {}) {
  const input = el("input", { type: "file", accept, "aria-label": label, capture: camera && "environment", multiple: several });
  input.onchange = () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) chosen(files);
  };
  return el("label", { class: `button${main ? " main" : ""}` }, icon(sign), el("span", { text: label }), input);
}
