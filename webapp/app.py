"""The page: `streamlit run webapp/app.py`. This file has the frame around all views; each view is a file in `page/`.

The folder is not called `pages` because Streamlit builds its own navigation from a folder of that name, and shows it to
visitors whose first address is not the front page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value

from webapp import streamlit_link as state
from webapp.page import chances, evaluate, klondike, makiaveli, review, table, tomb

# The dark theme's green carries white text on buttons; as text itself it has to be lighter to be 4.5:1.
DARK_CSS: Final = """
[data-testid="stTab"][aria-selected="true"], [data-testid="stTab"]:hover, [role="radio"][aria-checked="true"],
[data-testid^="stBaseButton"]:not([data-testid*="primary"]):is(:hover, :focus-visible, [data-selected="true"]),
[data-testid="stButtonGroup"] [data-selected="true"], [data-testid="stButtonGroup"] [data-selected="true"] * {
  color: #7fd6ad !important; }
"""
ICON: Final = Path(__file__).with_name("static") / "icon.svg"
# Streamlit's own bar takes room and hides the views behind a sign on a phone. It fades the page while that is drawn
# anew: the board says itself what it waits for. Beside a phone that lies on its side the table stays at the left.
CSS: Final = """
html { font-size: 100% !important; } /* as large as the browser is set to: Streamlit takes 16 px */
@font-face { font-family: Signs; src: url("app/static/icons.woff") format("woff"); font-display: block; }
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding-top: .6rem; }
.st-key-views > * { flex: none; width: auto; }
.st-key-views a { white-space: nowrap; }
@media (max-width: 480px) { .st-key-views { gap: 0; justify-content: space-between; }
  .st-key-views a { padding: .25rem .4rem; } }
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p { opacity: .95; }
[data-stale="true"] { opacity: 1 !important; }
[data-testid="stFileUploader"] { counter-reset: files; }
[data-testid="stFileChip"] { counter-increment: files; }
[data-testid="stFileUploader"]:has([data-testid="stFileChip"])::after {
  content: "Chosen: " counter(files) ". They are read as soon as all are here."; }
[data-testid="stFileChips"] { max-height: 11rem; overflow-y: auto; }
[data-testid="stFileUploaderDropzoneInstructions"] { display: none; } /* it looks like the board's buttons for files */
[data-testid="stFileUploaderDropzone"] { padding: 0; border: 0; background: none; }
[data-testid="stFileUploaderDropzone"] > span button {
  min-height: 44px; padding: .4rem 1rem; background: #17694a !important; }
[data-testid="stFileUploaderDropzone"] > span button * { color: #fff; }
[data-testid="stFileUploaderDropzone"] > span button p { font-size: 0; }
[data-testid="stFileUploaderDropzone"] > span button p::after { content: "Choose files"; font-size: 1rem; }
@media (min-width: 560px) and (max-height: 500px) { .st-key-files { padding-left: calc(50% + .5rem); } }
.st-key-views { border-bottom: 1px solid var(--st-border-color, #8884); padding-bottom: .2rem; }
"""


def main() -> None:
    """Shows the view that the address names."""
    # A tap at the very end of a poll has the page drawn by the thread that polled, for which "here" is still the block
    # of the poll: Streamlit forgets it only where a run was broken off (its pull request 8798), and a page that is
    # drawn into a part of itself soon is a white one.
    context_dg_stack.set(get_default_dg_stack_value())
    st.set_page_config(page_title="Could I have won?", page_icon=str(ICON), layout="wide")
    shown = [
        st.Page(table.page, title="Your table", default=True),
        st.Page(klondike.page, title="Klondike", url_path="klondike"),
        st.Page(makiaveli.page, title="Makiaveli", url_path="makiaveli"),
        st.Page(chances.page, title="Chances", url_path="chances"),
    ]
    played_on = st.Page(tomb.page, title="Napoleon's Tomb", url_path="tomb")
    # At addresses of their own, in nobody's way: a whole game, a table that is played on, and how well photos are read.
    hidden = [review.view(), played_on, st.Page(evaluate.page, title="Evaluate", url_path="evaluate")]
    view = st.navigation([*shown, *hidden], position="hidden")
    st.html(f"<style>{CSS}{DARK_CSS if st.context.theme.type == 'dark' else ''}</style>")
    if state.session().play is not None and view == shown[0]:
        # Under the table's own address: Streamlit else takes that off first, and Back would lead to the start.
        view_of_game = played_on if state.session().is_to_play("tomb") else shown[1]
        st.switch_page(view_of_game, query_params=st.query_params.to_dict())
    with st.container(horizontal_alignment="center").container(width=1140):
        with st.container(horizontal=True, gap="small", key="views"):
            for page in shown:
                st.page_link(page)
        view.run()


if __name__ == "__main__":
    main()
