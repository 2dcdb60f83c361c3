// Small helpers over the browser's own.

// While something is open, the browser's Back closes it and changes nothing else: Streamlit hears neither of it nor of the
// way forward again, by which it would draw the view anew.
export function closeByBack(isOpen, close) {
  let returns = false;
  window.addEventListener("travel", ({ detail: event }) => { // before Streamlit hears of it (server.py)
    const hasReturned = returns;
    returns = !hasReturned && isOpen();
    if (!hasReturned && !returns) return;
    event.stopImmediatePropagation();
    if (hasReturned) return;
    close();
    history.forward();
  });
}

// An element with properties, attributes and children; text is only ever set as text.
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name === "html") made.innerHTML = value; // drawings of our own only
    else if (name === "style") made.style.cssText = value;
    else if (name.startsWith("on")) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const AGAIN_MS = 1000; // after which a picture is asked for again that was not there, and
const MOST_AGAIN = 20; // how often

// Asks for a picture again that was not there: while Python draws the page anew it forgets its pictures for a moment.
export function askAgain({ target }) {
  const times = Number(target.dataset.again || 0) + 1;
  target.dataset.again = times;
  if (times <= MOST_AGAIN) setTimeout(() => (target.src = target.getAttribute("src")), AGAIN_MS);
}

// An empty drawing to lie over something.
export function overlay(name) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", name);
  made.setAttribute("aria-hidden", "true");
  return made;
}

export const icon = (name) => el("span", { class: "icon", "aria-hidden": "true", text: name });

export function button(label, sign, onclick, more = {}) {
  const { bare, ...given } = more;
  return el("button", { type: "button", onclick, ...(bare ? { "aria-label": label, title: label } : {}), ...given },
    sign ? icon(sign) : null, bare ? null : el("span", { text: label }));
}

// A text as it stands in SVG.
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// A list of names to choose one from: [[value, name]].
export function chooser(label, names, chosen, spoken = label) {
  const list = el("select", { "aria-label": spoken }, el("option", { value: "", text: `${label} ...` }),
    ...names.map(([value, text]) => el("option", { value, text })));
  list.onchange = () => list.value && chosen(list.value);
  return list;
}

// Where the front page lies; its own address tells.
export const pageBase = () => (location.pathname.endsWith("/") ? location.pathname : `${location.pathname}/`);
export const isNarrow = () => matchMedia("(max-width: 699px)").matches;
// A phone on its side: what is said of a table stands beside it (style.css).
export const isLow = () => matchMedia("(min-width: 560px) and (max-height: 500px)").matches;
const LARGE_TEXT_PX = 24; // of the page's text from which on nothing may stay in view over the table
export const isLargeText = () => parseFloat(getComputedStyle(document.documentElement).fontSize) >= LARGE_TEXT_PX;
export const isPhone = () => matchMedia("(pointer: coarse)").matches;
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
