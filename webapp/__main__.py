"""`python -m webapp`: opens the page on this machine, or in the whole network."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from plumbing.arguments import whole_number

EVERYWHERE: Final = "0.0.0.0"  # nosec B104  # noqa: S104 (asked for by name, and told in the manual)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the page until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m webapp",
        description="Opens the page: a photo of a card table in, its cards, the verdict and the winning line out.",
        epilog="Any other option goes to Streamlit, as --server.maxUploadSize=50 (`streamlit run --help` lists them)."
        " Example: python -m webapp --port 8600",
    )
    parser.add_argument("--port", type=whole_number(1, 65535), default=8501, help="where the page is served (8501)")
    parser.add_argument("--network", action="store_true", help="let phones and others in your network open it")
    parser.add_argument("--no-browser", action="store_true", help="open no browser window")
    args, others = parser.parse_known_args(argv)

    from streamlit.web import cli  # takes a second: not for --help

    sys.argv = ["streamlit", "run", str(Path(__file__).with_name("server.py")), f"--server.port={args.port}"]
    sys.argv.append(f"--server.address={EVERYWHERE if args.network else 'localhost'}")
    if args.no_browser:
        sys.argv.append("--server.headless=true")
    sys.argv += others
    cli.main()


if __name__ == "__main__":
    main()
