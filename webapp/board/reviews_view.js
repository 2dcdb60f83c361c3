// Games that were looked at again in this browser, to go back to.

import { button, el, icon, pageBase } from "./dom.js";
import { forgetReview, reviews, reviewed } from "./store.js";

const DAY_MS = 86400000;

// When something was, in whole days of the calendar: "yesterday".
function daysAgo(at, now = Date.now()) {
  const midnight = (time) => new Date(time).setHours(0, 0, 0, 0);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round((midnight(at) - midnight(now)) / DAY_MS), "day");
}

// The address of the view of whole games, from any view that has one of its own.
export const reviewAddress = () => `${pageBase().replace(/review\/$/, "")}review`;

// A link to a game, which was looked at before n others, or whose photos were still being read when it was seen last.
export const gameLink = ({ name, what, at, record }, n) => el("a", { class: "button", href: `${reviewAddress()}?game=${name}`, target: "_self" },
  icon("history"), el("span", { text: `${!record ? "Go on with your game" : n ? "A game before" : "Your last game"}: ${what}, ${daysAgo(at)}` }));

// The way back to the review from which a table was opened in this tab; empty where there was none.
export const wayBack = () => (reviewed() ? [el("div", { class: "row" }, el("a", { class: "button", href: reviewed(), target: "_self" },
  icon("history"), el("span", { text: "Back to the review" })))] : []);

// What the view of whole games shows before one is chosen: the last ones, and that one which was sought is gone.
export async function reviewsView({ sought, gone }) {
  const isGone = sought && !(await reviews()).some(({ name, record }) => record && name === sought);
  if (isGone) await forgetReview(sought);
  const games = el("div", { class: "games-before" });
  const draw = (left) => games.replaceChildren(...left.map((game, n) => el("div", { class: "row" }, gameLink(game, n),
    button("Forget this game", "delete", () => forgetReview(game.name).then(reviews).then(draw), { bare: true }))));
  draw(await reviews());
  return el("div", { class: "words" }, isGone ? el("p", { class: "alert warn", role: "alert", text: gone }) : null, games);
}
