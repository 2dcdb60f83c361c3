// What stays in this browser: the last photo, the last table without one, the games that are being played, those that were looked at again, the rules
// that were agreed on. It never leaves it but to the page's own server, and goes with one tap.

const NAME = "could-i-have-won";
const MOST_REVIEWS = 3; // games that were looked at again
const MOST_TABS = 3; // whose photos stay: those that were opened last

// The result of what the browser's database was asked.
const resultOf = (asked) => new Promise((done, failed) => {
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
});

// Does something with the store; null where the browser keeps nothing, as in a private window.
async function withStore(mode, act) {
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    const base = await resultOf(opening);
    return await resultOf(act(base.transaction("kept", mode).objectStore("kept"))).finally(() => base.close()) ?? null;
  } catch {
    return null;
  }
}

// What this tab keeps of its own: a second one plays another game.
function inTab(act) {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}

const TEXTS = ["reviews", "rules", "table"]; // what holds no photo, beside the games that are being played
const isGame = (name) => name.startsWith("game:");

// As what a tab's own photo is kept: a session has no room for one. The number is when the tab was opened.
const ownPhoto = () => inTab((tab) => {
  if (!tab.getItem("tab")) tab.setItem("tab", Date.now());
  return `photo:${tab.getItem("tab")}`;
});

// A tab's own game or photo; where it has none, as after it was closed, the last one of all.
export async function kept(name) {
  const own = isGame(name) ? inTab((tab) => JSON.parse(tab.getItem(name)))
    : name === "photo" && ownPhoto() ? await withStore("readonly", (store) => store.get(ownPhoto())) : null;
  return own || withStore("readonly", (store) => store.get(name));
}

export async function keep(name, value) {
  if (isGame(name)) inTab((tab) => tab.setItem(name, JSON.stringify(value)));
  const own = name === "photo" && ownPhoto();
  if (own) await withStore("readwrite", (store) => store.put(value, own)); // first: a page that is loaded anew looks there
  await withStore("readwrite", (store) => store.put(value, name));
  if (!own) return;
  const photos = (await withStore("readonly", (store) => store.getAllKeys()) || []).filter((key) => key.startsWith("photo:")).sort();
  for (const old of photos.slice(0, -MOST_TABS)) await withStore("readwrite", (store) => store.delete(old));
}

// The games that were looked at again, {name, what, record, at}, the last one first.
export const reviews = async () => await kept("reviews") || [];

// The address of the review that this tab showed last (solver/review_page.py); none any more once it is left for another game.
export const reviewed = () => inTab((tab) => tab.getItem("reviewed"));
export const leaveReview = () => inTab((tab) => tab.removeItem("reviewed"));

// The step of a way at which this tab stands, by the table that the way begins with: a page that is loaded anew goes on there.
export const keepStep = (key, at) => inTab((tab) => (at ? tab.setItem("step", JSON.stringify([key, at])) : tab.removeItem("step")));
export const keptStep = (key) => inTab((tab) => {
  const [own, at] = JSON.parse(tab.getItem("step"));
  return own === key ? at : 0;
}) || 0;

// Keeps a game before the others; found again by its record, it stays what it was: its photos may be gone. One whose photos are
// still being read has no record yet, or that of fewer photos.
export async function keepReview(review) {
  const all = await reviews();
  const isSame = ({ name, record }) => name === review.name || (record && record === review.record);
  const before = all.find(isSame) || { ...review, at: Date.now() };
  const isNew = review.record && review.record !== before.record;
  const now = { ...before, ...isNew && review, name: review.name };
  await keep("reviews", [now, ...all.filter((one) => !isSame(one))].slice(0, MOST_REVIEWS));
}

// Forgets one of the games that were looked at again.
export const forgetReview = async (name) => keep("reviews", (await reviews()).filter((review) => review.name !== name));

// Forgets all photos, with the table that is remembered, which has its own; or all that is kept. Gives what takes it back.
export async function forget(isAll) {
  const isMeant = (name) => isAll || !(isGame(name) || TEXTS.includes(name));
  const inThis = inTab((tab) => Object.entries(tab).filter(([name]) => isGame(name) && isMeant(name))) || [];
  inThis.forEach(([name]) => inTab((tab) => tab.removeItem(name)));
  const gone = [];
  for (const name of (await withStore("readonly", (store) => store.getAllKeys()) || []).filter(isMeant)) {
    gone.push([name, await withStore("readonly", (store) => store.get(name))]);
    await withStore("readwrite", (store) => store.delete(name));
  }
  return async () => {
    inThis.forEach(([name, value]) => inTab((tab) => tab.setItem(name, value)));
    for (const [name, value] of gone) await withStore("readwrite", (store) => store.put(value, name));
  };
}
