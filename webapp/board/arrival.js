// Has a page that stays white loaded anew. A poll that comes just after a view was opened may have Streamlit discard all of that view
// that the browser did not get yet (`AppSession.request_rerun`), and nothing sends it again.

const WHITE_MS = 3000; // for which a page is white, twice in a row, before it is loaded

export function loadIfWhite(isWhite, load, wait = setTimeout) {
  wait(() => isWhite() && wait(() => isWhite() && load(), WHITE_MS), WHITE_MS);
}
