// Tables as data: the frames of a way, and which card of one table is which of the next.
//
// A table is {game, sections: [{title, columns, grows, zones: [zone or null]}]}, a zone {path, title, fan, kind, spots:
// [[card, place], ...], ...} as `webapp.board_json` writes it. Here each spot gets an id that stays with the card.

const zonesOf = (table) => table.sections.flatMap((section) => section.zones.filter(Boolean));
export const zoneKey = (zone) => `${zone.kind === "fixed" ? "top" : "all"}:${zone.path || zone.title}`;

// The spots of a table in reading order.
function spotsOf(table) {
  return zonesOf(table).flatMap((zone) =>
    zone.spots.map(([card, place], at) => ({ card, place, zone, key: zoneKey(zone), at })));
}

export const zoneAt = (table, place) => zonesOf(table).find((zone) => zone.spots.some((spot) => spot[1] === place));
export const zoneOn = (table, path) => zonesOf(table).find((zone) => zone.path === path && zone.kind !== "fixed");
export const cardAt = (table, place) => spotsOf(table).find((spot) => spot.place === place)?.card;

// A table with some zones changed: {sections} for another table, else {zones: [[section, number, zone]], cut: [[section,
// length]]}.
export function patched(table, patch) {
  if (patch.sections) return { ...table, sections: patch.sections };
  const sections = table.sections.map((section) => ({ ...section, zones: [...section.zones] }));
  for (const [at, number, zone] of patch.zones || []) sections[at].zones[number] = zone;
  for (const [at, length] of patch.cut || []) sections[at].zones.length = length;
  return { ...table, sections };
}

// The ids of a table's cards, in the order of `spotsOf`: each card keeps the one that it had on the table before, and
// stays where it was if it can. A card that nobody has seen keeps its id only in its place.
export function identified(table, before = null) {
  const spots = spotsOf(table);
  const left = before ? before.map((old) => ({ ...old })) : [];
  const take = (wanted) => {
    const found = left.findIndex(wanted);
    return found < 0 ? null : left.splice(found, 1)[0].id;
  };
  const ids = spots.map(() => null);
  const group = (key) => key.slice(0, 3);
  for (const near of [(a, b) => a.key === b.key && a.at === b.at, (a, b) => a.key === b.key,
    (a, b) => a.card !== "??" && group(a.key) === group(b.key)])
    spots.forEach((spot, n) => {
      if (ids[n] === null && spot.card) ids[n] = take((old) => old.card === spot.card && near(old, spot));
    });
  return spots.map((spot, n) => ({ ...spot, id: ids[n] ?? `${spot.key}/${spot.at}/${spot.card}/${fresh()}` }));
}

let numbers = 0;
const fresh = () => (numbers += 1);

// What moved between two tables: the cards that changed their zone, with both ends.
export function moves(before, after) {
  const from = new Map(before.map((spot) => [spot.id, spot]));
  return after.filter((spot) => spot.card && spot.card !== "??" && spot.key.startsWith("all") && from.has(spot.id) &&
    from.get(spot.id).key !== spot.key).map((spot) => ({ ...spot, from: from.get(spot.id) }));
}

// A step as the photo shows it: of each card that is `moved` its number, the numbers of the cards `from` where it goes, those
// `beside` where it comes to lie, and which `fresh` place that is: one that began after the `first` table, -1 for none. A place
// lies in the photo where its cards of the first table do, and a card at its place: a copy of it lies elsewhere.
export function inPhoto(moved, [first, past, now], numbers) {
  const origin = new Map(first.map((spot) => [spot.id, spot]));
  const numberOf = ({ id }) => numbers.get(origin.get(id)?.place);
  const lying = (spots, key) => spots.filter((spot) => spot.key === key && origin.get(spot.id)?.key === key).map(numberOf)
    .filter((number) => number !== undefined);
  const place = (spots, key) => (lying(spots, key).length ? lying(spots, key) : lying(first, key)); // where they lay if none is left
  const begun = [...new Set(now.map(({ key }) => key))].filter((key) => first.every((spot) => spot.key !== key));
  return moved.map((spot) => ({ id: spot.id, number: numberOf(spot), beside: place(now, spot.key), fresh: begun.indexOf(spot.key),
    from: origin.get(spot.id)?.key === spot.from.key ? [numberOf(spot)] : place(past, spot.from.key) })).filter(({ number }) => number !== undefined);
}
