// Taking a table away: shared as the device shares things, copied, or saved as a picture.

import { png, poster } from "./poster.js";

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const picture = async (shown) => new File([await png(poster(shown))], "could-i-have-won.png", { type: "image/png" });

// Shares the address of a table and its picture; what was done, in words.
export async function share(shown, url) {
  const files = shown.said && shown.board ? [await picture(shown)] : [];
  const what = { title: "Could I have won?", text: shown.said?.headline || "", url };
  try {
    if (navigator.canShare?.({ ...what, files })) await navigator.share({ ...what, files });
    else if (navigator.share) await navigator.share(what);
    else {
      await navigator.clipboard.writeText(url);
      return "The link is copied: send it and it opens just so.";
    }
    return "";
  } catch (error) {
    if (error.name === "AbortError") return "";
    return `Copy the address of this page: ${url}`;
  }
}
