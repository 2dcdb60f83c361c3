// A table and its verdict as one picture to send to the others: drawn as SVG, saved as PNG. Texts are measured, so that
// none runs over its edge whatever font the device has.

import { face, mark } from "./cards.js";
import { identified, patched } from "./table.js";

const ACROSS = 1080; // px
const MARGIN = 48;
const STEPS = 12; // of the way that are told
const FELT = "#1b5a3b";
const FONT = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const SCALE = 0.86; // px for one unit of the cards
const RIGHT = 40, DOWN = 42, BACK_DOWN = 15, BACK_RIGHT = 16, GAP = 10;

const pen = document.createElement("canvas").getContext("2d");
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function wrapped(text, size, weight) {
  pen.font = `${weight} ${size}px ${FONT}`;
  const lines = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= ACROSS - 2 * MARGIN) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function texts(parts, y, text, size, weight = 400) {
  for (const line of wrapped(text, size, weight)) {
    y += size;
    parts.push(`<text x="${MARGIN}" y="${y}" font-size="${size}" font-weight="${weight}" fill="#fff"` +
      ` font-family="${FONT}">${escaped(line)}</text>`);
    y += Math.round(size / 2.2);
  }
  return y;
}

function titled(parts, y, text, x = MARGIN) {
  parts.push(`<text x="${x}" y="${y + 18}" font-size="20" letter-spacing="1.5" fill="#dff3e6"` +
    ` font-family="${FONT}">${escaped(text.toUpperCase())}</text>`);
  return y + 34;
}

const stepRight = ([card]) => (card === "??" ? BACK_RIGHT : RIGHT);
const stepDown = ([card]) => (card === "??" ? BACK_DOWN : DOWN);
const sum = (spots, by) => spots.slice(0, -1).reduce((total, spot) => total + by(spot), 0);

// Width and height of a zone's cards in units.
function sized(zone) {
  if (zone.fan === "right") return [100 + sum(zone.spots, stepRight), 140];
  return [100, zone.fan === "down" ? 140 + sum(zone.spots, stepDown) : 140];
}

// A long fan in rows that fit the picture.
function rowsOf(zone, room) {
  const spots = zone.shown ? zone.spots.slice(-zone.shown) : zone.spots;
  if (zone.fan !== "right") return [{ ...zone, spots }];
  const rows = [[]];
  for (const spot of spots) {
    if (100 + sum([...rows.at(-1), spot, spot], stepRight) > room) rows.push([]);
    rows.at(-1).push(spot);
  }
  return rows.map((part) => ({ ...zone, spots: part }));
}

function drawnZone(zone, marks) {
  let [x, y] = [0, 0];
  return (zone.spots.length ? zone.spots : [["", ""]]).map((spot) => {
    const beside = zone.fan === "down";
    const drawn = `<g transform="translate(${x} ${y})">${face(spot[0], beside)}` +
      `${marks?.has(spot[1]) ? mark("moved", beside) : ""}</g>`;
    if (zone.fan === "right") x += stepRight(spot);
    else if (beside) y += stepDown(spot);
    return drawn;
  }).join("");
}

// Adds a table below `y`, without the sections where no card lies.
function table(parts, y, shown, marks, prefix = "") {
  const room = (ACROSS - 2 * MARGIN) / SCALE;
  let [left, top, bottom] = [0, y, y];
  for (const section of shown.sections) {
    const zones = section.zones.filter(Boolean);
    if (section.title && zones.every((zone) => zone.spots.every(([card]) => !card || card === "??"))) continue;
    const rows = [[]];
    let x = 0;
    if (section.columns) {
      const cells = section.zones.flatMap((zone) => [zone, ...Array(Math.max(0, (zone?.span || 1) - 1)).fill(null)]);
      rows.length = 0;
      for (let n = 0; n < cells.length; n += section.columns)
        rows.push(cells.slice(n, n + section.columns).map((zone, at) => zone && [at * (100 + 2 * GAP), rowsOf(zone, room)[0]])
          .filter(Boolean));
    } else {
      for (const part of zones.flatMap((zone) => rowsOf(zone, room))) {
        const [wide] = sized(part);
        if (rows.at(-1).length && x + wide > room) {
          rows.push([]);
          x = 0;
        }
        rows.at(-1).push([x, part]);
        x += wide + 3 * GAP;
      }
    }
    const title = section.title ? prefix + section.title : "";
    pen.font = `400 20px ${FONT}`;
    const wide = Math.max(...rows.flat().map(([at, zone]) => at + sized(zone)[0]),
      (pen.measureText(title.toUpperCase()).width + 1.5 * title.length) / SCALE, 0);
    if (left && left + wide > room) [left, top] = [0, bottom + 12];
    let at = title ? titled(parts, top, title, MARGIN + left * SCALE) : top;
    for (const row of rows) {
      for (const [across, zone] of row)
        parts.push(`<g transform="translate(${MARGIN + (left + across) * SCALE} ${at}) scale(${SCALE})">` +
          `${drawnZone(zone, marks)}</g>`);
      at += Math.round((Math.max(0, ...row.map(([, zone]) => sized(zone)[1])) + 2 * GAP) * SCALE);
    }
    [left, bottom] = [left + wide + 6 * GAP, Math.max(bottom, at)];
  }
  return bottom + 12;
}

// One picture: the verdict, the table, and where there is one the way with its end.
export function poster({ board, said, steps, rules }) {
  const parts = [];
  let y = texts(parts, MARGIN, said.headline, 54, 750) + 4;
  y = texts(parts, y, said.detail || "", 28) + 4;
  y = texts(parts, y, rules || "", 22) + 20;
  y = table(parts, y, board);
  if (steps.length) {
    y = titled(parts, y, "How");
    steps.slice(0, STEPS).forEach(({ text }, n) => (y = texts(parts, y, `${n + 1}. ${text}`, 26)));
    if (steps.length > STEPS) y = texts(parts, y, `and ${steps.length - STEPS} more steps`, 26);
    if (steps.length <= STEPS) {
      const end = steps.reduce((now, step) => patched(now, step.patch), board);
      const before = identified(board);
      const stays = new Map(before.map((spot) => [spot.id, spot.key]));
      const moved = identified(end, before).filter((spot) => spot.card && stays.get(spot.id) !== spot.key);
      y = table(parts, y + 24, end, new Set(moved.map((spot) => spot.place)), "At the end: ");
    }
  }
  y += 24;
  parts.push(`<text x="${ACROSS - MARGIN}" y="${y}" text-anchor="end" font-size="20" fill="#dff3e6"` +
    ` font-family="${FONT}">Could I have won?</text>`);
  y += 28;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${ACROSS}" height="${y}" viewBox="0 0 ${ACROSS} ${y}">` +
    `<rect width="100%" height="100%" fill="${FELT}"/>${parts.join("")}</svg>`;
}

// An SVG as a PNG.
export async function png(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
