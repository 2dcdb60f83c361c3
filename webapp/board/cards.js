// Playing cards drawn as SVG: faces, backs and empty places. A leaf; the only place that draws cards.
//
// A card is 100 wide and 140 high in SVG units. Suits are paths and not letters, so they look the same on every device
// and never turn into emoji; shape tells the suit where colour cannot be seen.

export const CARD_VIEW = "0 0 100 140"; // of a drawing of one card
export const BACK = "??";
export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";

const RED = "#c4122f";
const BLACK = "#1d2129";
const PIPS = {
  C: "M0-10a4.7 4.7 0 0 1 3.6 7.7a4.7 4.7 0 1 1-2.6 7.1C1.2 7.3 2 9 3.4 10H-3.4C-2 9-1.2 7.3-1 4.8" +
    "a4.7 4.7 0 1 1-2.6-7.1A4.7 4.7 0 0 1 0-10Z",
  D: "M0-10.5Q3-4.5 7.6 0Q3 4.5 0 10.5Q-3 4.5-7.6 0Q-3-4.5 0-10.5Z",
  H: "M0 9.5C-4 5-9.6 1.2-9.6-3.8C-9.6-7-7.4-9-4.9-9C-2.6-9-.8-7.5 0-5.4C.8-7.5 2.6-9 4.9-9C7.4-9 9.6-7 9.6-3.8" +
    "C9.6 1.2 4 5 0 9.5Z",
  S: "M0-10.2C3-5.6 9.4-1.6 9.4 3C9.4 5.6 7.4 7.2 5.2 7.2C3.4 7.2 1.8 6.2 1 4.6C1.2 7 2 9 3.4 10H-3.4" +
    "C-2 9-1.2 7-1 4.6C-1.8 6.2-3.4 7.2-5.2 7.2C-7.4 7.2-9.4 5.6-9.4 3C-9.4-1.6-3-5.6 0-10.2Z",
};
const CROWNS = {
  K: "M-15 9V-5L-7.5 2L0-10L7.5 2L15-5V9ZM-15 12H15V15H-15Z",
  Q: "M-15 9L-13-6L-6 1L0-8L6 1L13-6L15 9ZM-15 12H15V15H-15ZM-2.5-11a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1-5 0Z",
  J: "M-14 9C-14-4-6-10 4-10C2-6 3-3 7-1C11 1 14 4 14 9ZM-15 12H15V15H-15Z",
};
// name: outline colour, dashes, path of the sign
const MARKS = {
  selected: ["#1769e0", "", "M-4 0L-1 3.5L4.5-4"],
  doubtful: ["#b86a00", "9 5", "M-3-2.5C-3-6 3-6 3-2.5C3-.5 0 0 0 2M0 4.6V5"],
  fault: ["#b8102b", "", "M0-5V1M0 4.6V5"],
  blocked: ["#b8102b", "", "M-3.5-3.5L3.5 3.5M3.5-3.5L-3.5 3.5"],
  "would fit": ["#6b3fa0", "9 5", "M-4.5 0H4.5"],
  played: ["#0b8f4d", "", "M-4.5 0H4.5M0-4.5V4.5"],
  moved: ["#0b8f4d", "", "M-4.5 0H4M.5-4L4.5 0L.5 4"],
};
export const FONT = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const RANK_WORDS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
export const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const SYMBOLS = { C: "♣", D: "♦", H: "♥", S: "♠" };

export const isRed = (card) => card[1] === "D" || card[1] === "H";

// A card's name for a screen reader.
export function spoken(card) {
  if (!card) return "empty place";
  if (card === BACK) return "face-down card";
  return `${RANK_WORDS[card[0]] || card[0]} of ${SUIT_WORDS[card[1]]}`;
}

// A card's name on a button that shows it as text: what is seen is also said, for who says what to tap.
export const named = (card) => spoken(card) + (/[AJQK]/.test(card[0]) ? `, ${card[0]}` : "");

// A card with its suit symbol, as a button shows it; never drawn as an emoji.
export function pretty(card) {
  if (!card || card === BACK) return card;
  return `${card[0] === "T" ? "10" : card[0]}${SYMBOLS[card[1]]}\ufe0e`;
}

// Cards in a row, as a sentence names them: those face down are counted.
export function listed(cards) {
  const open = cards.filter((card) => card !== BACK);
  const backs = cards.length - open.length;
  return open.map(pretty).join(" ") + (open.length && backs ? ", " : "") + (backs ? `${backs} face down` : "");
}

export function pip(suit, x, y, size, opacity = 1) {
  const ink = suit === "D" || suit === "H" ? RED : BLACK;
  const place = `translate(${x} ${y}) scale(${size / 20})`;
  return `<path d="${PIPS[suit]}" transform="${place}" fill="${ink}" opacity="${opacity}"/>`;
}

// The drawing of one card with its top left corner at (0, 0). `beside` sets rank and suit beside each other, readable
// in a column; else the suit stands below the rank, readable in a fan to the right. Anything that is no card throws,
// so that no stray text ever reaches a drawing.
export function face(card, beside = false) {
  if (!card)
    return '<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="#fff" fill-opacity=".07"' +
      ' stroke="#fff" stroke-opacity=".55" stroke-width="2" stroke-dasharray="7 6"/>';
  const paper = '<rect x="1" y="1" width="98" height="138" rx="9" fill="#fdfdfb" stroke="#7d8794" stroke-width="1.5"/>';
  if (card === BACK)
    return paper + '<rect x="7" y="7" width="86" height="126" rx="5" fill="#2c4a7c"/>' +
      '<path d="M7 37L37 7M7 67L67 7M7 97L93 11M7 127L93 41M31 133L93 71M61 133L93 101M93 37L63 7M93 67L33 7' +
      'M93 97L7 11M93 127L7 41M69 133L7 71M39 133L7 101" stroke="#8fa9d6" stroke-width="2" fill="none"/>';
  const [rank, suit] = card;
  if (!RANKS.includes(rank) || !PIPS[suit] || card.length !== 2) throw new Error(`no card: ${card}`);
  const ink = isRed(card) ? RED : BLACK;
  const squeeze = rank === "T" ? ' textLength="34" lengthAdjust="spacingAndGlyphs"' : "";
  const index = `<text x="23" y="34" text-anchor="middle" font-size="38" font-weight="700" fill="${ink}"${squeeze}` +
    ` font-family="${FONT}">${rank === "T" ? "10" : rank}</text>` +
    (beside ? pip(suit, 76, 22, 27) : pip(suit, 23, 57, 26));
  const art = CROWNS[rank]
    ? `<rect x="42" y="58" width="50" height="74" rx="6" fill="${ink}" fill-opacity=".09"/>` +
      `<path d="${CROWNS[rank]}" transform="translate(67 80)" fill="${ink}"/>${pip(suit, 67, 114, 27)}`
    : pip(suit, 69, 99, 52);
  return paper + index + art;
}

// A mark's outline round the card and its sign, placed where a fan leaves the card visible.
export function mark(name, beside = false, colour = "") {
  const [own, dashes, sign] = MARKS[name];
  const ink = colour || own;
  const [x, y] = beside ? [51, 20] : [18, 120];
  return `<rect x="1" y="1" width="98" height="138" rx="9" fill="none" stroke="${ink}" stroke-width="6"` +
    `${dashes && ` stroke-dasharray="${dashes}"`}/><g transform="translate(${x} ${y})">` +
    `<circle r="12" fill="${ink}" stroke="#fff" stroke-width="2"/><path d="${sign}" transform="scale(1.25)" fill="none"` +
    ' stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></g>';
}
