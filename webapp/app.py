"""The page: `streamlit run webapp/app.py`. Only what frames every view is here; each view is a file in `pages/`."""

from __future__ import annotations

import streamlit as st

from webapp.drawing import icon
from webapp.pages import table


def main() -> None:
    """Shows the view that the address names."""
    st.set_page_config(page_title="Could I have won?", page_icon=icon(), layout="wide")
    view = st.navigation(
        [
            st.Page(
                table.page, title="Could I have won?", icon=":material/playing_cards:", url_path="table", default=True
            ),
        ],
        position="top",
    )
    with st.container(horizontal_alignment="center").container(width=1140):
        view.run()


if __name__ == "__main__":
    main()
