"""Reads a photo and says whether the game could have been won.

Run it by `python examples/photo_to_verdict.py [PHOTO]`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from solver import CardsError, Solution, answer
from vision import read_photo

SAMPLE = Path(__file__).resolve().parents[1] / "datasets" / "samples" / "makiaveli_1.jpg"


def main(photo: str | Path) -> None:
    """Prints the position, what is doubtful, the verdict and the steps."""
    reading = read_photo(photo)
    if reading.position is None:
        print(f"{photo}: no game that is known")
        return
    print(reading.position)
    for question in reading.questions:
        print(question)
    found = answer(reading.position)
    if isinstance(found, Solution):
        print(found.headline)
        for number, step in enumerate(found.describe_steps(), start=1):
            print(f"{number}. {step}")
    else:  # cards are hidden, so it is an estimate
        print(found)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else SAMPLE)
    except CardsError as error:  # such as a photo that is not there
        sys.exit(f"error: {error}")
