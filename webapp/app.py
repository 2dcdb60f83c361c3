"""The page: `streamlit run webapp/app.py`. Only what frames every view is here; each view is a file in `page/`.

The folder is not called `pages`: Streamlit makes a navigation of its own from a folder of that name, and shows it to a
visitor whose first address is not the front page.
"""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value

from webapp import state
from webapp.drawing import icon
from webapp.page import chances, evaluate, klondike, makiaveli, table

# The dark theme's green carries white text on buttons; as text itself it has to be lighter to be 4.5:1.
# A comment, since Streamlit would show a bare string of its main script on the page.
DARK_CSS: Final = """
[data-testid="stTab"][aria-selected="true"], [data-testid="stTab"]:hover, [role="radio"][aria-checked="true"],
[data-testid^="stBaseButton"]:not([data-testid*="primary"]):is(:hover, :focus-visible, [data-selected="true"]),
[data-testid="stButtonGroup"] [data-selected="true"], [data-testid="stButtonGroup"] [data-selected="true"] * {
  color: #7fd6ad !important; }
"""


def main() -> None:
    """Shows the view that the address names."""
    # A tap at the very end of a poll has the page drawn by the thread that polled, for which "here" is still the block
    # of the poll: Streamlit forgets it only where a run was broken off (its pull request 8798), and a page that is
    # drawn into a part of itself soon is a white one.
    context_dg_stack.set(get_default_dg_stack_value())
    st.set_page_config(page_title="Could I have won?", page_icon=icon(), layout="wide")
    views = [
        st.Page(table.page, title="Could I have won?", icon=":material/playing_cards:", default=True),
        st.Page(klondike.page, title="Klondike", icon=":material/view_column:", url_path="klondike"),
        st.Page(makiaveli.page, title="Makiaveli", icon=":material/groups:", url_path="makiaveli"),
        st.Page(chances.page, title="Chances", icon=":material/casino:", url_path="chances"),
        st.Page(evaluate.page, title="Evaluate", icon=":material/query_stats:", url_path="evaluate"),
    ]
    state.pool()
    state.networks()
    view = st.navigation(views, position="top")
    if st.context.theme.type == "dark":
        st.html(f"<style>{DARK_CSS}</style>")
    with st.container(horizontal_alignment="center").container(width=1140):
        view.run()


if __name__ == "__main__":
    main()
