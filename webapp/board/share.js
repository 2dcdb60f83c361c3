// Taking a table away: shared as the device shares things, copied, saved as a picture, or as a line of text.

import { button, el, icon, isCalm } from "./dom.js";
import { png, poster } from "./poster.js";

function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const picture = async (shown, box) => new File([await png(poster(shown, box))], "could-i-have-won.png", { type: "image/png" });

// Whether the page's address leads to it on this device only.
const isHere = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

// Shares the address of a table and its picture; what was done, in words.
async function share(shown, box, url) {
  const files = navigator.canShare && shown.said && shown.board ? [await picture(shown, box)] : [];
  const what = { title: "Could I have won?", text: shown.said?.headline || "", url };
  try {
    if (navigator.canShare?.({ ...what, files })) await navigator.share({ ...what, files });
    else if (navigator.share) await navigator.share(what);
    else {
      await navigator.clipboard.writeText(url);
      return isHere() ? "The link is copied. It opens on this device only: to others send the picture, or the line of text."
        : "The link is copied. It opens wherever this page can be reached.";
    }
    return "";
  } catch (error) {
    if (error.name === "AbortError") return "";
    return `Copy the address of this page: ${url}`;
  }
}

// Draws what is below the table, where what is unfolded stays so; below a game that is played, what was done.
export function shareView(below, data, app) {
  if (data.view !== "table") {
    below.replaceChildren(...(data.log || []).map((text) => el("p", { class: "note", text })));
    return;
  }
  const { fault } = data;
  const shown = ({ board, said, steps, rules, marks } = app.data) => ({ board, said, steps: steps || [], rules: rules?.told || "", marks });
  const said = el("span", { role: "status" });
  const open = below.querySelector("details")?.open || Boolean(fault);
  const line = el("textarea", { rows: 4, "aria-label": "The table as a line of text", maxlength: 4000 });
  line.value = fault?.text ?? data.line ?? "";
  const put = () => app.send("line", { text: line.value });
  line.onkeydown = (event) => void (event.key === "Enter" && (event.ctrlKey || event.metaKey) && put());
  const ways = [
    el("div", { class: "row" },
      button("Share", "ios_share", async () => (said.textContent = await share(shown(), app.box, location.href))),
      data.line ? button("Save a picture", "download", async () => {
        const file = await picture(shown(), app.box);
        save(file, file.name);
        said.textContent = "The picture is saved among your downloads.";
      }) : null, said),
    el("details", { open }, el("summary", { text: "The table as a line of text",
      onclick: ({ target }) => requestAnimationFrame(() => target.parentNode.scrollIntoView({ block: "nearest", behavior: isCalm() ? "instant" : "smooth" })) }),
      el("p", { text: "Cards are written 7C, TH or 10♥; piles from bottom to top; ?? is a face-down card." }), line,
      fault ? el("p", { class: "alert warn", role: "alert" }, icon("edit_off"), el("span", {},
        "The line cannot be read; the table above is unchanged. ", fault.sentence)) : null,
      fault?.where ? el("pre", { text: fault.where }) : null,
      el("div", { class: "row" }, button("Use this line", "check", put), button("Copy it", null, async () => {
        await navigator.clipboard?.writeText(line.value);
        said.textContent = navigator.clipboard ? "The line is copied." : "Mark the line and copy it by hand."; // no HTTPS
      })))];
  below.replaceChildren(...(isHere() ? ways.reverse() : ways)); // first what others can open, too
}
