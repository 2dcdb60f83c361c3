"""`python -m webapp`: opens the page; further words go to Streamlit, as in `python -m webapp --server.port 8600`."""

from __future__ import annotations

import sys
from pathlib import Path

from streamlit.web import cli


def main() -> None:
    """Runs the page until Ctrl-C."""
    sys.argv = ["streamlit", "run", str(Path(__file__).with_name("app.py")), *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()
