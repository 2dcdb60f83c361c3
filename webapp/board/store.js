// What stays in this browser: the last photo, the games that are being played, the rules that were agreed on. It never
// leaves it but to the page's own server, and goes with one tap.

const NAME = "could-i-have-won";

function openStore() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

// Does something with the store; null where the browser keeps nothing, as in a private window.
async function withStore(mode, act) {
  try {
    const base = await openStore();
    return await new Promise((done, failed) => {
      const asked = act(base.transaction("kept", mode).objectStore("kept"));
      asked.onsuccess = () => done(asked.result ?? null);
      asked.onerror = () => failed(asked.error);
    }).finally(() => base.close());
  } catch {
    return null;
  }
}

export const kept = (name) => withStore("readonly", (store) => store.get(name));
export const keep = (name, value) => withStore("readwrite", (store) => store.put(value, name));
export const forget = () => withStore("readwrite", (store) => store.clear());
