// Has a page that stays white loaded anew. A poll that comes just after a view was opened may have Streamlit discard all of that view
// that the browser did not get yet (`AppSession.request_rerun`), and nothing sends it again.

const WHITE_MS = 3000; // for which a page is white, twice in a row, before it is loaded
const HAS_NO_BOARD = /\/(chances|evaluate|review)\/?$/; // addresses of pages at which no board is no sign that they are white

export function loadIfWhite(isBoardGone, load, wait = setTimeout, page = location) {
  const isWhite = () => isBoardGone() && !HAS_NO_BOARD.test(page.pathname);
  wait(() => isWhite() && wait(() => isWhite() && load(), WHITE_MS), WHITE_MS);
}
