// The photo as an editor: what was read stands beside each index, a tap on a card opens it, two fingers or the wheel
// zoom, and what is shown then can be read again, turned or not.

import { pretty, spoken } from "./cards.js";
import { askAgain, button, el, escaped, overlay } from "./dom.js";
import { arrow } from "./motion.js";

const MOST = 8; // times that a photo is enlarged at the most
const DIM = 150; // of 255: the bright parts of a piece of the photo that is too dark to be judged
const LOOK_PX = 160; // width and height of the small copy of a picture by which it is told how dark that is
const HIDES = 0.04; // share of a text's area that may lie over indices and other texts
const MARGIN = 0.15; // round what a question is about, as a share of its longer side
const MARK = 8; // px on the screen of the radius of a question's mark: it hides no whole card
const MARK_SIDE = 26; // px of a canvas of the number of a back, where the strips of the backs are as wide, and
const LEAST_MARK_SIDE = 16; // the least
const ROUND = 0.06; // of the part of a photo with cards in it, that much more at each side is shown where room is short,
const MOST_PART = 0.6; // if that is no more than this share of the photo
const SMALL_PX = 36; // length of a card on the screen under which a name would hide it: only the cards of a step have one then
const EDGE_STEPS = 50; // in which the way of an arrow is looked along
const GRID = 24; // places in a row, and rows of them, of which the freest is looked for
const TEXT = 11; // px on the screen of what is written beside an index

const middle = (points) => [points.reduce((s, p) => s + p[0], 0) / points.length,
  points.reduce((s, p) => s + p[1], 0) / points.length];
const boxMiddle = ([x1, y1, x2, y2]) => [(x1 + x2) / 2, (y1 + y2) / 2];
const inside = ([x, y], quad) => quad.reduce((in_, [ax, ay], n) => {
  const [bx, by] = quad[(n + 1) % quad.length];
  return (ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !in_ : in_;
}, false);

// Where a card's index lies; the middle of a card without one.
const spotOf = (card) => (card.index ? boxMiddle(card.index) : middle(card.quad));

// Where an arrow from a point to some cards meets the first of them: beyond it would cover what it points at.
function edgeOf(cards, [x, y]) {
  const to = middle(cards.map(spotOf));
  const at = (share) => [x + share * (to[0] - x), y + share * (to[1] - y)];
  const shares = [...Array(EDGE_STEPS).keys()].map((n) => n / EDGE_STEPS);
  return at(shares.find((share) => cards.some(({ quad }) => inside(at(share), quad))) ?? 1);
}

// Places among the cards of a photo for melds that begin, each as far from all that lies there as can be.
function freePlaces(cards, backs, count) {
  const taken = [...cards, ...backs].flatMap(({ quad }) => [middle(quad), ...quad]);
  const ends = [0, 1].map((axis) => taken.map((point) => point[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
  const grid = [...Array(GRID ** 2).keys()].map((n) => [n % GRID, Math.floor(n / GRID)].map((at, axis) =>
    ends[axis][0] + (ends[axis][1] - ends[axis][0]) * (at + 0.5) / GRID));
  const room = (point) => Math.min(...taken.map(([x, y]) => Math.hypot(x - point[0], y - point[1])));
  const found = [];
  for (let n = 0; n < count; n += 1) {
    found.push(grid.reduce((best, next) => (room(next) > room(best) ? next : best)));
    taken.push(found[n]);
  }
  return found;
}

// How far an index is turned, in radians: the way its card lies, and round where the index is at the card's lower end.
function turnOf(card) {
  const [a, b, , d] = card.quad;
  const way = Math.atan2(b[1] - a[1], b[0] - a[0]);
  if (!card.index) return way;
  const [x, y] = boxMiddle(card.index);
  const down = [d[0] - a[0], d[1] - a[1]];
  const share = ((x - a[0]) * down[0] + (y - a[1]) * down[1]) / (down[0] ** 2 + down[1] ** 2);
  return share > 0.5 ? way + Math.PI : way;
}

// A piece of the photo round a card's index, or with the whole card, large and upright, as a canvas; null before the photo
// has come.
export function piece(image, card, side = 200, isWhole = false) {
  if (!image.naturalWidth) return null;
  const [x, y] = isWhole ? middle(card.quad) : spotOf(card);
  const [a, b, , d] = card.quad;
  const size = isWhole ? Math.hypot(d[0] - a[0], d[1] - a[1]) / 2.2
    : card.index ? Math.max(card.index[2] - card.index[0], card.index[3] - card.index[1]) : Math.hypot(b[0] - a[0], b[1] - a[1]) / 3;
  const canvas = el("canvas", { width: 2 * side, height: 2 * side, class: "piece", role: "img",
    "aria-label": `the card in your photo, read as ${spoken(card.card)}` });
  const pen = canvas.getContext("2d");
  const shown = image.naturalWidth / image.dataset.width; // px of the picture for one of the reading
  const scale = (2 * side) / (size * 2.6 * shown);
  pen.imageSmoothingQuality = "high";
  pen.translate(side, side);
  pen.rotate(-turnOf(card));
  pen.scale(scale, scale);
  pen.drawImage(image, -x * shown, -y * shown);
  brighten(pen);
  if (card.index) { // beside it lie those of its neighbours
    const unit = 2 / scale;
    const [left, top, right, bottom] = card.index.map((at, n) => (at - [x, y][n % 2]) * shown + (n < 2 ? -3 : 3) * unit);
    frame(pen, [[left, top], [right, top], [right, bottom], [left, bottom]], unit);
  }
  return canvas;
}

// Frames what is meant, by its corners. `unit` is a px of the screen.
function frame(pen, quad, unit) {
  const path = new Path2D(`M${quad.map((point) => point.join(" ")).join("L")}Z`);
  for (const [colour, width] of [["#141414", 3], ["#ffd23f", 1.5]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width * unit;
    pen.stroke(path);
  }
}

// How long the cards of a photo are, px of it: the middle one of their lengths.
export const lengthOf = (cards) => cards.map(({ quad: [[ax, ay], , , [dx, dy]] }) => Math.hypot(dx - ax, dy - ay))
  .sort((a, b) => a - b)[Math.floor(cards.length / 2)] || 0;

// The part of the photo with what a question is about, as a canvas that is no larger than a size, px; the backs that were
// found of a pile are numbered from its lowest card where they are `told`. `part`: the box of the photo that it shows, if that is no
// more than what must be seen; else `round`: px of the photo that it shows beside that; `isFramed`: so much that it is framed in it.
export function region(image, sights, [width, height], { told = false, part = null, round = null, isFramed = false } = {}) {
  if (!image.naturalWidth || !sights.length) return null;
  const points = part ? [part.slice(0, 2), part.slice(2)] : sights.flatMap(({ quad }) => quad);
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const margin = part ? 0 : round ?? MARGIN * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const [x, y] = [xs, ys].map((ends) => Math.max(0, Math.min(...ends) - margin));
  const edges = [1, image.naturalHeight / image.naturalWidth].map((share) => share * image.dataset.width);
  const [w, h] = [Math.min(edges[0], Math.max(...xs) + margin) - x, Math.min(edges[1], Math.max(...ys) + margin) - y];
  const by = 2 * Math.min(width / w, height / h); // px of the canvas, twice those of the screen, for one of the reading
  const canvas = el("canvas", { width: Math.round(w * by), height: Math.round(h * by), class: "piece region", role: "img",
    "aria-label": "this part of your photo", style: `width:${(w * by) / 2}px;height:${(h * by) / 2}px` });
  const pen = canvas.getContext("2d");
  const shown = by * image.dataset.width / image.naturalWidth;
  pen.imageSmoothingQuality = "high";
  pen.setTransform(shown, 0, 0, shown, -x * by, -y * by);
  pen.drawImage(image, 0, 0);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  brighten(pen);
  const onCanvas = ([left, top]) => [(left - x) * by, (top - y) * by];
  if (told) mark(pen, sights, onCanvas);
  if (isFramed) sights.forEach(({ quad }) => frame(pen, quad.map(onCanvas), 2));
  return canvas;
}

// Numbers the backs of a pile along its middle line, each on the strip of it that nothing covers; none where the strips are too
// narrow on the screen.
function mark(pen, sights, onCanvas) {
  const open = middle(sights.filter((sight) => !sight.back && !sight.room).flatMap(({ quad }) => quad));
  const backs = sights.filter((sight) => sight.back);
  const [x, y] = middle(backs.flatMap(({ quad }) => quad)).map((at, axis) => at - open[axis]);
  const far = Math.hypot(x, y);
  const height = ([left, top]) => ((left - open[0]) * x + (top - open[1]) * y) / far;
  const edge = ({ quad }) => quad.map(height).sort((a, b) => b - a).slice(0, 2).reduce((one, other) => (one + other) / 2);
  const tops = backs.map(edge).sort((a, b) => b - a);
  const face = Math.max(...sights.filter((sight) => !sight.back && !sight.room).map(edge));
  const spots = tops.map((top, n) => onCanvas([x, y].map((way, axis) => open[axis] + (way / far) * (top + (tops[n + 1] ?? face)) / 2)));
  const side = Math.min(MARK_SIDE, ...spots.slice(1).map((spot, n) => Math.hypot(spot[0] - spots[n][0], spot[1] - spots[n][1])));
  if (side < LEAST_MARK_SIDE) return;
  pen.font = `700 ${0.85 * side}px system-ui`;
  pen.textAlign = "center";
  spots.forEach(([left, top], n) => {
    pen.fillStyle = "#141414";
    pen.fillRect(left - side / 2, top - side / 2, side, side);
    pen.fillStyle = "#ffd23f";
    pen.fillText(n + 1, left, top + 0.3 * side);
  });
}

// Lights up a picture that has come, where it is too dark to be judged.
export function lightUp(image) {
  const pen = el("canvas", { width: LOOK_PX, height: LOOK_PX }).getContext("2d");
  pen.drawImage(image, 0, 0, LOOK_PX, LOOK_PX);
  image.style.filter = `brightness(${lightOf(pen.getImageData(0, 0, LOOK_PX, LOOK_PX))})`;
}

// Stretches the light of a piece that is too dark to be judged.
function brighten(pen) {
  const drawn = pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height);
  const by = lightOf(drawn);
  if (by === 1) return;
  for (let at = 0; at < drawn.data.length; at += 4)
    for (let band = at; band < at + 3; band += 1) drawn.data[band] *= by;
  pen.putImageData(drawn, 0, 0);
}

// How many times brighter a picture has to be to be judged; 1 for one that is bright enough.
function lightOf({ data }) {
  const levels = new Uint32Array(256);
  for (let at = 0; at < data.length; at += 4) levels[Math.max(data[at], data[at + 1], data[at + 2])] += 1;
  let [bright, over] = [255, 0];
  while (bright > 1 && (over += levels[bright]) < (0.05 * data.length) / 4) bright -= 1;
  return bright > DIM ? 1 : 235 / bright;
}

// Where the texts beside the indices go: right, left, above or below, wherever they cover no index and no other text, and lie
// on no other card and nearer to their own index than to another. One without room is left out until the photo is enlarged; the
// doubtful cards come first.
function beside(cards, size, [left, top, right, bottom]) {
  const taken = cards.filter((card) => card.index).map((card) => card.index);
  const found = new Map();
  const spots = cards.map((card) => [card, spotOf(card)]);
  const isOf = (card, at) => {
    const far = ([, spot]) => Math.hypot(spot[0] - at[0], spot[1] - at[1]);
    const nearest = spots.reduce((best, next) => (far(next) < far(best) ? next : best))[0];
    return nearest === card && (inside(at, card.quad) || !cards.some(({ quad }) => inside(at, quad)));
  };
  const over = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
    Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  for (const card of [...cards].sort((a, b) => Boolean(b.doubtful) - Boolean(a.doubtful))) {
    const spot = spotOf(card);
    const [x1, y1, x2, y2] = card.index || [spot[0], spot[1], spot[0], spot[1]];
    const [w, h] = [size * (0.64 * label(card).length + 0.5), size * 1.25];
    const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const tries = [[x2 + 2, my - h / 2], [x1 - w - 2, my - h / 2], [mx - w / 2, y1 - h - 2], [mx - w / 2, y2 + 2],
      [x2 + 2, y1 - h], [x1 - w - 2, y1 - h], [x2 + 2, y2], [x1 - w - 2, y2]];
    const cost = ([x, y]) => {
      const box = [x, y, x + w, y + h];
      const isOut = x < left || y < top || x + w > right || y + h > bottom;
      const out = isOut || !isOf(card, [x + w / 2, y + h / 2]) ? w * h : 0;
      return out + taken.reduce((sum, other) => sum + over(box, other), 0);
    };
    const [x, y] = tries.reduce((best, next) => (cost(next) < cost(best) - 1e-6 ? next : best));
    if (cost([x, y]) > HIDES * w * h) continue;
    taken.push([x, y, x + w, y + h]);
    found.set(card, [x, y, w, h]);
  }
  return cards.map((card) => found.get(card));
}

const label = (card) => `${card.card === "??" ? "?" : pretty(card.card).replace("\ufe0e", "")}${card.doubtful ? "?" : ""}`;

export class Photo {
  // told: {open(number), again({rect, turn})}
  constructor(told) {
    this.told = told;
    this.zoom = { by: 1, x: 0, y: 0 };
    this.image = el("img", { alt: "your photo with every card outlined", draggable: "false" });
    this.over = overlay("over");
    this.inner = el("div", { class: "inner" }, this.image, this.over);
    this.frame = el("div", { class: "frame", tabindex: "-1", role: "group", "aria-label": "your photo; tap a card to change it" }, this.inner);
    this.tools = el("div", { class: "tools", role: "toolbar", "aria-label": "photo" });
    this.name = el("figcaption", {});
    this.box = el("figure", { class: "photo" }, this.name, this.frame, this.tools);
    this.image.onerror = askAgain;
    this.image.onload = () => {
      lightUp(this.image);
      this.draw();
    };
    this.follow();
    this.drawTools();
  }

  // photo: {url, width, height, name, cards, backs}; of several each has a name
  update(photo) {
    this.photo = photo;
    this.name.textContent = photo.name;
    this.name.hidden = !photo.name;
    if (this.image.getAttribute("src") !== photo.url) {
      this.image.src = photo.url;
      this.showWhole();
    }
    this.image.dataset.width = photo.width;
    this.box.style.setProperty("--whole", this.whole);
    this.over.setAttribute("viewBox", `0 0 ${photo.width} ${photo.height}`);
    this.draw();
  }

  // Arrows of a step: [{number of the card in the photo, from: numbers of those where it lies, beside: of those that it goes
  // to, fresh: where they go to a free place its number, else -1, colour}].
  point(moves) {
    this.moves = moves;
    this.draw();
  }

  // Marks where questions are: [{quads, text, now: whether it is the one that is asked, open()}]. The text stands on the first.
  ask(marks) {
    this.marks = marks;
    this.draw();
  }

  get unit() { // px of the photo for one of the screen
    return this.photo.width / (this.frame.clientWidth || this.photo.width) / this.zoom.by;
  }

  draw() {
    if (!this.photo) return;
    const { unit } = this;
    const { width, height, cards, backs } = this.photo;
    const points = (quad) => quad.map((p) => p.join(",")).join(" ");
    const outline = (quad, colour, size, more = "") =>
      `<polygon points="${points(quad)}" fill="none" stroke="${colour}" stroke-width="${size * unit}" ${more}/>`;
    const parts = backs.map((back) => outline(back.quad, back.colour, 1.2));
    for (const card of cards) {
      if (card.doubtful) parts.push(outline(card.quad, "#141414", 4.5), outline(card.quad, "#ffd23f", 2, `class="doubt" data-number="${card.number}"`));
      else parts.push(outline(card.quad, card.colour, 1.6, `data-number="${card.number}"`));
    }
    const size = TEXT * unit;
    const isSmall = lengthOf(cards) < SMALL_PX * unit;
    const meant = (this.moves || []).flatMap((move) => [move.number, ...move.beside]);
    const named = isSmall ? cards.filter((card) => meant.includes(card.number)) : cards;
    beside(named, size, this.part || [0, 0, width, height]).forEach((box, n) => {
      if (!box) return;
      const [x, y, w, h] = box;
      const card = named[n];
      const ink = card.doubtful ? "#ffd23f" : card.colour;
      parts.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${size / 4}" fill="#141414" fill-opacity=".86"` +
        ` stroke="${ink}" stroke-width="${unit}"/><text x="${x + w / 2}" y="${y + h * 0.76}" font-size="${size}"` +
        ` text-anchor="middle" fill="#fff" font-weight="600">${escaped(label(card))}</text>`);
    });
    for (const move of this.moves || []) {
      const card = cards.find((card) => card.number === move.number);
      if (!card) continue;
      const [lies, there] = [move.from, move.beside].map((numbers) => cards.filter(({ number }) => numbers.includes(number)));
      if (lies.includes(card)) parts.push(outline(card.quad, move.colour, 3.5));
      if (!lies.length || (!there.length && move.fresh < 0)) continue;
      const start = middle(lies.map(spotOf));
      const end = there.length ? edgeOf(there, start) : freePlaces(cards, backs, move.fresh + 1).at(-1);
      parts.push(arrow(...start, ...end, move.colour, (isSmall ? 1.6 : 3) * unit));
    }
    for (const { quads, text: number, now } of [...(this.marks || [])].sort((a, b) => a.now - b.now)) {
      const [x, y] = middle(quads[0]);
      if (now) parts.push(...quads.map((quad) => outline(quad, "#141414", 6)), ...quads.map((quad) => outline(quad, "#ffd23f", 3.5)));
      const radius = MARK * unit;
      parts.push(`<circle cx="${x}" cy="${y}" r="${radius}" fill="${now ? "#ffd23f" : "#141414"}" stroke="${
        now ? "#141414" : "#ffd23f"}" stroke-width="${1.6 * unit}"/><text x="${x}" y="${y + 0.38 * radius}" font-size="${1.1 * radius}"` +
        ` text-anchor="middle" font-weight="700" fill="${now ? "#141414" : "#fff"}">${number}</text>`);
    }
    this.over.innerHTML = parts.join("");
  }

  // -- zoom ------------------------------------------------------------------------------------------------------

  set(by, x, y) {
    const { clientWidth: w, clientHeight: h } = this.frame;
    const zoom = Math.min(MOST, Math.max(1, by));
    this.zoom = { by: zoom, x: Math.min(0, Math.max(w - w * zoom, x)),
      y: Math.min(0, Math.max(h - (w * zoom) / this.whole, y)) };
    this.inner.style.transform = `translate(${this.zoom.x}px, ${this.zoom.y}px) scale(${zoom})`;
    this.frame.classList.toggle("zoomed", zoom > 1 && Boolean(this.isByHand));
    this.reader.disabled = zoom === 1;
    this.draw();
  }

  // Shows the part in which cards lie where room is short, else the whole photo, until it is enlarged by hand.
  fit(isShort) {
    if (this.isByHand || this.box.classList.contains("full")) return this.draw();
    const points = [...this.photo.cards, ...this.photo.backs].flatMap(({ quad }) => quad);
    const [[left, right], [top, bottom]] = [this.photo.width, this.photo.height].map((size, axis) => {
      const shares = points.map((point) => point[axis] / size);
      const [low, high] = [Math.min(...shares), Math.max(...shares)];
      return [Math.max(0, low - ROUND * (high - low)), Math.min(1, high + ROUND * (high - low))];
    });
    const [across, down] = [right - left, bottom - top];
    const isPart = isShort && points.length && across * down < MOST_PART;
    this.box.style.setProperty("--ratio", isPart ? (this.whole * across) / down : this.whole);
    const { width, height } = this.photo;
    this.part = isPart ? [left * width, top * height, right * width, bottom * height] : null; // where texts are seen
    const w = this.frame.clientWidth;
    return isPart ? this.set(1 / across, (-left * w) / across, (-top * w) / across / this.whole) : this.set(1, 0, 0);
  }

  // Shows the whole photo, until it is enlarged by hand.
  showWhole() {
    Object.assign(this, { isByHand: false, part: null });
    this.box.style.setProperty("--ratio", this.whole);
    this.set(1, 0, 0);
  }

  // The width of the photo for its height.
  get whole() {
    return this.photo.width / this.photo.height;
  }

  // Enlarges about a point of the frame, which stays where it is.
  enlarge(by, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    Object.assign(this, { isByHand: true, part: null });
    const next = Math.min(MOST, Math.max(1, this.zoom.by * by));
    const share = next / this.zoom.by;
    this.set(next, x - (x - this.zoom.x) * share, y - (y - this.zoom.y) * share);
  }

  at(event) {
    const own = this.frame.getBoundingClientRect();
    return [event.clientX - own.left, event.clientY - own.top];
  }

  // A point of the frame in px of the photo.
  inPhoto([x, y]) {
    return [(x - this.zoom.x) * this.unit, (y - this.zoom.y) * this.unit];
  }

  follow() {
    const fingers = new Map();
    let moved = 0;
    this.frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.zoom.by === 1 && event.deltaY > 0) return; // the page scrolls on
      if (!event.ctrlKey && !this.frame.matches(":focus, .full *, .zoomed")) return; // a page that is scrolled past
      event.preventDefault();
      this.enlarge(Math.exp(-event.deltaY / 300), ...this.at(event));
    }, { passive: false });
    this.frame.addEventListener("dblclick", (event) => this.enlarge(this.frame.matches(".zoomed") ? 0.01 : 2.5, ...this.at(event)));
    this.frame.onpointerdown = (event) => {
      fingers.set(event.pointerId, this.at(event));
      moved = fingers.size > 1 ? 99 : 0;
      if (this.frame.matches(".zoomed") || fingers.size > 1) this.frame.setPointerCapture(event.pointerId);
    };
    this.frame.onpointermove = (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = this.at(event);
      moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
      fingers.set(event.pointerId, now);
      if (fingers.size === 1 && this.frame.matches(".zoomed"))
        this.set(this.zoom.by, this.zoom.x + now[0] - before[0], this.zoom.y + now[1] - before[1]);
      else if (fingers.size === 2) {
        const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
        const far = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
        this.enlarge(far(now) / far(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      }
    };
    this.frame.onpointerup = this.frame.onpointercancel = (event) => {
      const tapped = fingers.delete(event.pointerId) && moved < 8 && event.type === "pointerup";
      if (tapped) this.tap(this.inPhoto(this.at(event)));
    };
  }

  // Opens the card whose index is nearest to a tap, of those that lie there.
  tap(point) {
    const far = (card) => Math.hypot(spotOf(card)[0] - point[0], spotOf(card)[1] - point[1]);
    const asked = (this.marks || []).find(({ quads: [quad] }) => Math.hypot(middle(quad)[0] - point[0], middle(quad)[1] - point[1]) < 2 * MARK * this.unit);
    if (asked && !asked.now) return asked.open();
    const there = this.photo.cards.filter((card) => inside(point, card.quad));
    const found = there.reduce((best, card) => (!best || far(card) < far(best) ? card : best), null);
    if (found) this.told.open(found.number);
    return null;
  }

  drawTools() {
    this.reader = button("Read only what is shown", "crop", () => this.told.again({ rect: this.shown() }),
      { bare: true, title: "Enlarge a part of the photo, then have only that read" });
    this.tools.replaceChildren(
      button("Zoom in", "zoom_in", () => this.enlarge(1.6), { bare: true }),
      button("Zoom out", "zoom_out", () => this.enlarge(1 / 1.6), { bare: true }),
      button("Full screen", "fullscreen", () => this.full(), { bare: true }),
      button("Turn and read again", "rotate_90_degrees_cw", () => this.told.again({ turn: 90 }), { bare: true }), this.reader);
    this.reader.disabled = true;
  }

  full() {
    const on = this.box.classList.toggle("full");
    this.showWhole();
    this.tools.querySelector('[aria-label="Full screen"] .icon').textContent = on ? "fullscreen_exit" : "fullscreen";
    requestAnimationFrame(() => this.draw());
  }

  // The part of the photo that the frame shows, as shares of its sides: left, top, right, bottom.
  shown() {
    const { width, height } = this.photo;
    const ends = [[0, 0], [this.frame.clientWidth, this.frame.clientHeight]].flatMap((point) => this.inPhoto(point));
    return ends.map((at, n) => Math.min(1, at / [width, height][n % 2]));
  }
}
