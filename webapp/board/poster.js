// A table and its verdict as one picture to send to the others: drawn as SVG, saved as PNG. The table is laid out as on the
// page, whose cards are copied; texts are measured, so that none runs over its edge whatever font the device has.

import { drawn } from "./camera.js";
import { CARD_VIEW, FONT } from "./cards.js";
import { el, escaped } from "./dom.js";
import { drawFelt } from "./felt.js";
import { boxOn } from "./motion.js";
import { identified, patched } from "./table.js";

const ACROSS = 1080; // px
const MARGIN = 48;
const STEPS = 12; // of the way that are told
const TOLD = ["blocked", "would fit"]; // marks that the verdict speaks of
const GREEN = "#1b5a3b"; // as the felt
const LAID_PX = 656; // in which the table is laid out
const MOST_SCALE = 2; // of a table that is narrower than that

const pen = document.createElement("canvas").getContext("2d");

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
    parts.push(drawnText(line, MARGIN, y, size, `font-weight="${weight}" fill="#fff"`));
    y += Math.round(size / 2.2);
  }
  return y;
}

const drawnText = (text, x, y, size, more = 'fill="#dff3e6"') =>
  `<text x="${x}" y="${y}" font-size="${size}" font-family="${FONT}" ${more}>${escaped(text)}</text>`;

// Adds a table below `y`, without the sections where no card lies, its heading first. box: has the page's styles; marks: place to mark
function table(parts, y, shown, box, marks, title = "") {
  const isKnown = (zone) => zone?.spots.some(([card]) => card && card !== "??");
  const sections = shown.sections.filter((section) => !section.title || section.zones.some(isKnown));
  const felt = el("div", { class: "felt" });
  const laid = el("div", { class: "cloth", style: `position:absolute;left:-9999px;width:${LAID_PX}px` }, felt);
  box.append(laid);
  felt.style.padding = 0;
  drawFelt(felt, { ...shown, sections }, identified(shown), { marks });
  if (title) y = texts(parts, y, title, 26, 650);
  const right = Math.max(...[...felt.querySelectorAll(".card")].map((card) => boxOn(felt, card)).map(({ left, width }) => left + width));
  const scale = Math.min((ACROSS - 2 * MARGIN) / right, MOST_SCALE); // no strip at the side stays empty
  const at = ({ left, top }) => [MARGIN + left * scale, y + top * scale];
  for (const card of felt.querySelectorAll(".card")) {
    const [place, [x, top]] = [boxOn(felt, card), at(boxOn(felt, card))];
    parts.push(`<svg x="${x}" y="${top}" width="${place.width * scale}" height="${place.height * scale}"` +
      ` viewBox="${CARD_VIEW}" overflow="visible">${card.firstChild.innerHTML}</svg>`);
  }
  for (const text of felt.querySelectorAll("h3, .title, .note")) {
    const [x, top] = at(boxOn(felt, text));
    parts.push(drawnText(text.textContent, x, top + 12 * scale, 12 * scale));
  }
  y += felt.offsetHeight * scale + 12;
  laid.remove();
  return y;
}

// One picture: the verdict, the table with the marks that the verdict speaks of, and where there is one the way with its end. box: an element with the page's styles
export function poster({ board, said, steps, rules, marks }, box) {
  const parts = [];
  let y = texts(parts, MARGIN, said.headline, 54, 750) + 4;
  y = texts(parts, y, said.detail || "", 28) + 4;
  y = texts(parts, y, rules || "", 22) + 20;
  y = table(parts, y, board, box, Object.fromEntries(Object.entries(marks || {}).filter(([, name]) => TOLD.includes(name))));
  if (steps.length) {
    y = texts(parts, y, "How", 26, 650);
    steps.slice(0, STEPS).forEach(({ text }, n) => (y = texts(parts, y, `${n + 1}. ${text}`, 26)));
    if (steps.length > STEPS) y = texts(parts, y, `and ${steps.length - STEPS} more steps`, 26);
    else {
      const end = steps.reduce((now, step) => patched(now, step.patch), board);
      const before = identified(board);
      const stays = new Map(before.map((spot) => [spot.id, spot.key]));
      const moved = identified(end, before).filter((spot) => spot.card && stays.get(spot.id) !== spot.key);
      y = table(parts, y + 24, end, box, Object.fromEntries(moved.map(({ place }) => [place, "moved"])), "At the end");
    }
  }
  y += 24;
  parts.push(drawnText("Could I have won?", ACROSS - MARGIN, y, 20, 'text-anchor="end" fill="#dff3e6"'));
  y += 28;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${ACROSS}" height="${y}" viewBox="0 0 ${ACROSS} ${y}">` +
    `<rect width="100%" height="100%" fill="${GREEN}"/>${parts.join("")}</svg>`;
}

// An SVG as a PNG.
export async function png(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  return new Promise((done) => drawn(picture, Infinity).toBlob(done, "image/png"));
}
