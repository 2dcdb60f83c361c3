// The best next move: asked for, searched, told with how sure it is.

import { el, icon } from "./dom.js";
import { progress } from "./verdict_view.js";

const COLUMNS = ["move", "wins", "range"];

export function adviceView({ advice, advisable, playable }, app) {
  const ways = [], parts = [];
  if (playable) ways.push(app.tool({ name: "play_on", label: "Play on", sign: "play_arrow", main: true, help: "Tap and drag the cards; tell which card was turned, or let chance deal it." }));
  if (advisable) ways.push(app.tool({ name: "advise", label: "Best next move", sign: "lightbulb",
    help: "Tries every legal move on many ways in which the hidden cards may lie." }));
  if (ways.length) parts.push(el("div", { class: "row" }, ...ways));
  if (advice?.running) parts.push(progress(advice.running, app, "stop_advice"));
  if (advice?.headline) parts.push(el("div", { class: `alert ${advice.tone}`, role: "status" }, icon("lightbulb"), el("div", {},
    el("h2", { text: advice.headline }),
    advice.tools ? el("div", { class: "row" }, ...advice.tools.map((tool) => app.tool(tool))) : null, el("p", { text: advice.detail }),
    advice.rows?.length ? el("details", { open: app.listsMoves, ontoggle: ({ target }) => (app.listsMoves = target.open) }, el("summary", { text: "Every move" }), el("table", {}, el("thead", {}, el("tr", {},
      ...COLUMNS.map((text) => el("th", { text, scope: "col" })))),
    el("tbody", {}, ...advice.rows.map((row) => el("tr", {}, ...row.map((text) => el("td", { text })))))),
    advice.note ? el("p", { text: advice.note }) : null) : null)));
  return parts;
}
