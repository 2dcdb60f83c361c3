// Hands on the board: taps, and cards that are dragged to where they should lie.

const SLACK_PX = 7; // that a finger may stray and still tap
const SWIPE_PX = 55; // that a finger goes across for a swipe, and
const SWIPE_MS = 500; // the time that it has for it

// Follows taps and drags on the felt.
//
// told: {tap(place), drop(place, zone path or adding place), swipe(by), drags(place): whether it can be dragged,
// group(place): the places that are dragged along}.
export function handle(felt, told) {
  let held = null;
  const card = (event) => event.target.closest("[data-place]");
  const noClick = () => { // the click that follows is none
    felt.dataset.dragged = "yes";
    setTimeout(() => delete felt.dataset.dragged, 50);
  };

  felt.addEventListener("click", (event) => {
    const target = card(event);
    if (target && !felt.dataset.dragged) told.tap(target.dataset.place);
    delete felt.dataset.dragged;
  });

  felt.addEventListener("pointerdown", (event) => {
    if (event.button || held) return;
    const target = card(event);
    const drags = target && target.classList.contains("card") && !target.classList.contains("empty") &&
      told.drags(target.dataset.place);
    held = { x: event.clientX, y: event.clientY, at: event.timeStamp, target, drags, id: event.pointerId, lifted: null };
  });

  const lift = () => {
    const places = told.group(held.target.dataset.place);
    held.lifted = [...felt.querySelectorAll(".card[data-place]")].filter((e) => places.includes(e.dataset.place));
    held.lifted.forEach((e) => e.classList.add("lifted"));
    felt.classList.add("dragging");
    felt.setPointerCapture?.(held.id);
    told.lifted?.(held.target.dataset.place);
  };

  felt.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.lifted) {
      if (Math.hypot(x, y) < SLACK_PX || !held.drags) return;
      lift();
    }
    event.preventDefault();
    held.lifted.forEach((e) => (e.style.transform = `translate(${x}px, ${y}px)`));
    const over = under(event);
    felt.querySelectorAll(".over").forEach((e) => e.classList.remove("over"));
    over?.classList.add("over");
  });

  // The zone or adding place under a finger; the card that is held does not hide it.
  const under = (event) => {
    held.lifted.forEach((e) => (e.style.pointerEvents = "none"));
    const found = felt.getRootNode().elementFromPoint(event.clientX, event.clientY);
    held.lifted.forEach((e) => e.style.removeProperty("pointer-events"));
    return found && felt.contains(found) ? found.closest(".plus, .zone") : null;
  };

  const end = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { lifted, target, x, y, at } = held;
    if (lifted) {
      noClick();
      const over = event.type === "pointerup" ? under(event) : null;
      felt.classList.remove("dragging");
      felt.querySelectorAll(".over").forEach((e) => e.classList.remove("over"));
      const to = over && (over.dataset.zone || over.dataset.place);
      const taken = to && told.drop(target.dataset.place, to);
      lifted.forEach((e) => e.classList.remove("lifted"));
      if (!taken) lifted.forEach((e) => (e.style.transform = ""));
    } else if (event.type === "pointerup" && event.pointerType === "touch" && event.timeStamp - at < SWIPE_MS) {
      const across = event.clientX - x;
      if (Math.abs(across) > SWIPE_PX && Math.abs(event.clientY - y) < 40) {
        noClick();
        told.swipe(across < 0 ? 1 : -1);
      }
    }
    held = null;
  };
  felt.addEventListener("pointerup", end);
  felt.addEventListener("pointercancel", end);
  // A finger that holds a card must not scroll the page with it.
  felt.addEventListener("touchmove", (event) => held?.lifted && event.preventDefault(), { passive: false });
}
