// The rules of the table: the choices, and the rules in words.

import { el } from "./dom.js";

// open: whether all rules are unfolded
export function rulesView({ rules }, app, open) {
  if (!rules) return [];
  const choice = (row) => el("div", { class: "choice", role: "radiogroup", "aria-label": row.label },
    el("span", { class: "name", text: row.label }), ...row.options.map(([value, label]) => el("button", {
      type: "button", role: "radio", "aria-checked": String(value === row.now), text: label,
      // Whatever is drawn as chosen: the tap before this one may be on its way.
      onclick: () => app.send("rule", { key: row.key, value }) })));
  const isPlayed = app.data.view === "play" && rules.told; // the choices are those of the next deal: no switch of this game
  const choices = rules.main.map(choice);
  const parts = isPlayed && choices.length ? [el("details", { open }, el("summary", { text: "The next deal" }), ...choices)] : choices;
  if (rules.more.length) parts.push(el("details", { open }, el("summary", { text: "All rules" }), ...rules.more.map(choice)));
  if (rules.told) parts[isPlayed ? "unshift" : "push"](el("p", { class: "told", text: rules.told }));
  return parts;
}
