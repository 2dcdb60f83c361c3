"""Corrects readings as a person would and prints how many cards that took: `python -m tests.bench.correct --help`.

Each photo of DIR is read; every card that was read wrong is put right by the photo's ground truth, what is no card is
struck out, and the labelled photo is written as the page would save it. Used to try `models.train --photos`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from vision.image import load, photos_in
from vision.measure.labelled_zip import labelled_zip
from vision.measure.labels import PhotoTruth, truth_of
from vision.photo_to_reading import read_photo
from vision.read_card import ReadCard


def main(argv: Sequence[str] | None = None) -> None:
    """Prints how many cards were corrected."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("photos", type=Path, metavar="DIR", help="photos with ground truth")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the ZIP files")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    corrected = cards = 0
    for photo in photos_in(args.photos):
        image = load(photo)
        truth = truth_of(photo, (image.shape[1], image.shape[0]))
        assert truth is not None, f"{photo} has no ground truth beside it"
        reading = read_photo(image, game=truth.game or "cards")
        wrong = {
            number: right
            for number, card in enumerate(reading.cards)
            if card.quad is not None and (right := right_card(card, truth)) != card.text
        }
        data = labelled_zip([image], reading, truth.position, wrong, deck=truth.deck)
        (args.out / f"{photo.stem}.zip").write_bytes(data)
        corrected, cards = corrected + len(wrong), cards + len(reading.cards)
    print(f"{corrected} of {cards} cards corrected")


def right_card(card: ReadCard, truth: PhotoTruth) -> str | None:
    """The true card whose index lies where one of a read card's does; None where there is none."""
    for x1, y1, x2, y2 in (index.box for index in card.indices):
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        for there in truth.cards:
            if any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in there.boxes):
                return str(there.card)
    return None


if __name__ == "__main__":
    main()
