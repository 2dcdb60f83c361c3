"""Turns the bytes of a photo into what the page shows of its reading. Pure functions.

`vision.reading` reads the photo. The verdict comes from `webapp.worker`, in a separate process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np
from PIL import Image

from plumbing.errors import CardsError
from solver.place import Place
from solver.position import Position
from vision.cards.joining.joined import MOST_PHOTOS
from vision.errors import PhotoError
from vision.fans import Fan
from vision.film.film_file import ChosenFrames
from vision.framing import Frame
from vision.history.pieces import CLOSE, cut_piece
from vision.image import RGB, at_most, encode, load
from vision.question import Question, QuestionKind
from vision.read_card import Sight
from vision.reading import Reading, annotate

if TYPE_CHECKING:
    from vision.film.film_to_reading import Progress, Watch

FilmData = bytes | tuple[float, Iterable[tuple[float, bytes]]]
"""A film's file; or how long it is, in seconds (0: still being made), and frames chosen from it, each with its time."""
LONGER: Final = 2560
"""Longer side, in px, of a picture on the page: what the reader uses, so that pieces of it are sharp."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a photo that a question is about.

    Attributes:
        picture: The piece, a JPEG.
        close: What is asked about by itself, as sharp as the photo is.
        whole: The whole photo, as for the page.
        box: Left, top, right and bottom of the piece, as shares of the photo.
        spot: Where to look, as shares of the piece; None where that is most of it.
        close_spot: The same of `close`.
    """

    picture: bytes
    close: bytes
    whole: bytes
    box: Sequence[float]
    spot: Sequence[float] | None
    close_spot: Sequence[float] | None


@dataclass(frozen=True, slots=True)
class PhotoSession:
    """What was photographed of a table, and read.

    Attributes:
        photos: The photos' files as they were sent, to be read again.
        reading: The reading of all photos together.
        shown: The same upright as JPEGs, no larger than `LONGER`.
        hand: The file of a further photo that shows only the hand.
        asked: The game that the photos were read as, or `auto`.
        frames: How the photos that were sent were cut and turned since, one after the other.
        what: `photo`, or `film` where it was put together from one.
        turned: The photos of its hidden cards, turned over, that the reading has been completed by.
        fans: The cards that those show.
        pieces: By the text of a question about them, what they show of it.
        covered: The same before that, with the table as a person had put it right by then.
        unread: By its number among the photos that came together, why one is none that can be read; it was left out.
    """

    photos: tuple[bytes, ...]
    reading: Reading
    shown: tuple[bytes, ...] = ()
    hand: bytes | None = None
    asked: str = "auto"
    frames: tuple[Frame, ...] = ()
    what: str = "photo"
    turned: tuple[bytes, ...] = ()
    fans: tuple[Fan, ...] = ()
    pieces: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    covered: tuple[PhotoSession, Position[Any]] | None = None
    unread: Mapping[int, str] = field(default_factory=dict)

    @property
    def line(self) -> str | None:
        """The position as one line, None if there is none."""
        return None if self.reading.position is None else str(self.reading.position)

    @property
    def files(self) -> tuple[bytes, ...]:
        """The files of all photos, the hand's last."""
        return self.photos if self.hand is None else (*self.photos, self.hand)

    @property
    def fingerprint(self) -> int:
        """A number that identifies a reading; cards that were turned over later do not change it."""
        if self.covered is not None:
            return self.covered[0].fingerprint
        cards = " ".join(f"{card.text} {card.place}" for card in self.reading.cards)
        return crc32(f"{self.line} {cards}".encode())


def warm() -> None:
    """Loads OpenCV and the networks before the first photo needs them."""
    from vision.photo_to_table import detect_and_read

    with suppress(CardsError):  # weights that are missing or damaged are named when a photo is read
        detect_and_read(np.zeros((64, 64, 3), np.uint8))


def read(
    photos: Sequence[tuple[str, bytes]], game: str, *, hand: bytes | None = None, needs_all: bool = False
) -> PhotoSession:
    """Reads the photos of a table; a large one may come in several. A file that is no photo is left out beside others.

    Args:
        photos: Name and file (JPEG, PNG, WebP or HEIC) of each, one at least.
        game: The game's word or `auto`.
        hand: A further photo's file that shows only the hand.
        needs_all: Whether no file may be left out.

    Raises:
        CardsError: For files of which none is a photo (or not all, where needed), missing networks, or too many photos.
    """
    from vision.photo_to_reading import read_images

    loaded, unread = _load_each(photos)
    if unread and (needs_all or not loaded):
        raise next(iter(unread.values()))
    photos = [photos[number] for number in loaded]
    files = [*(data for _, data in photos), *([] if hand is None else [hand])]
    names = [f"photo {number}" for number in range(1, len(photos) + 1)] + ["the photo of your hand"]
    images = [*loaded.values(), *([] if hand is None else [load(hand)])]
    reading = read_images(
        images, None if game == "auto" else game, names=names[: len(files)], hand_is_last=hand is not None
    )
    return PhotoSession(
        photos=tuple(data for _, data in photos),
        reading=reading,
        shown=tuple(_shown(image, data) for image, data in zip(images, files, strict=True)),
        hand=hand,
        asked=game,
        unread={number: str(error) for number, error in unread.items()},
    )


def _load_each(photos: Sequence[tuple[str, bytes]]) -> tuple[dict[int, RGB], dict[int, PhotoError]]:
    """The photos that can be read, and what is wrong with each other file, by their numbers."""
    loaded, unread = {}, {}
    for number, (name, data) in enumerate(photos):
        try:
            loaded[number] = load(data)
        except PhotoError as error:
            unread[number] = PhotoError(name, error.reason)
    return loaded, unread


def read_film(name: str, film: FilmData, game: str, progress: Progress, watch: Watch | None = None) -> PhotoSession:
    """Reads a film of a table. From then on its table, put together from the frames, is the photo.

    Args:
        name: What the film is called; its ending says what it is.
        film: The file; or how long it is, in seconds, and frames chosen from it, each with its time.
        game: The game's word or `auto`.
        progress: Is told the time in the film, how long it is, in seconds, and how many cards were read so far.
        watch: Is told what chosen frames have shown so far.

    Raises:
        CardsError: For a file that is no film, or missing networks.
    """
    from vision.film import film_to_reading

    as_game = None if game == "auto" else game
    if isinstance(film, bytes):
        with TemporaryDirectory(prefix="film-") as folder:
            path = Path(folder, "film").with_suffix(Path(name).suffix)
            path.write_bytes(film)
            found = film_to_reading.read_film(path, game=as_game, progress=progress)
    else:
        found = film_to_reading.read_open_film(ChosenFrames(name, *film), game=as_game, progress=progress, watch=watch)
    picture = encode(found.picture, ".jpg")
    return PhotoSession((picture,), found.on_picture, (_shown(found.picture, picture),), asked=game, what="film")


def turned_over(shot: PhotoSession, position: Position[Any], photos: Sequence[bytes]) -> PhotoSession:
    """The photo of a table with what later photos show of its hidden cards.

    Unless the table was changed since, those that came before are looked at together with these if that tells more: all
    hidden cards together say which of them lie in which pile.

    Args:
        shot: The photo.
        position: The table as a person has put it right.
        photos: The files of the later photos.

    Raises:
        OtherTableError: For cards of another table.
        CardsError: For a file that is no photo.
    """
    from vision.photo_to_table import detect_and_read, see_table
    from vision.turned_over import check_fit, fans_in

    def fans_of(turned: Sequence[bytes]) -> list[Fan]:
        return fans_in([see_table(detect_and_read(load(data))) for data in turned])

    fans = fans_of(photos)
    check_fit(position if shot.covered is None else shot.covered[1], fans)
    ways = [_completed(shot, position, photos, fans)]
    if shot.covered is not None and position == shot.reading.position:
        together = [*shot.turned, *photos][-MOST_PHOTOS:]
        ways.append(_completed(*shot.covered, together, fans_of(together)))
    return min(ways, key=lambda way: _left_open(way.reading))


def without_card(shot: PhotoSession, question: Question, number: int) -> PhotoSession:
    """The same where one of the cards that a question about turned cards shows is none, by its number from 0."""
    from vision.turned_over import leave_out

    assert shot.covered is not None, "no card was turned over"
    covered, position = shot.covered
    sight = question.sights[number]
    sight = replace(sight, photo=sight.photo - len(covered.reading.photos))
    return _completed(covered, position, shot.turned, leave_out(shot.fans, sight))


def _completed(
    shot: PhotoSession, position: Position[Any], turned: Sequence[bytes], fans: Sequence[Fan]
) -> PhotoSession:
    """The photo of a table with the fans that photos of turned cards show, and pieces of those to ask about."""
    from vision.turned_over import with_turned_over

    found = with_turned_over(replace(shot.reading, position=position), fans)
    asked = [question for question in found.checks if question.kind is QuestionKind.TURNED and question.sights]
    first = len(shot.reading.photos)
    new = {
        question.text: tuple(_piece(turned[sight.photo - first], sight) for sight in question.sights)
        for question in asked
        if question not in shot.reading.checks
    }
    pieces = {**shot.pieces, **new}
    return replace(shot, reading=found, turned=tuple(turned), fans=tuple(fans), pieces=pieces, covered=(shot, position))


def _piece(data: bytes, sight: Sight) -> Piece:
    """The piece of a photo that shows a card."""
    image = load(data)
    size = image.shape[1::-1]
    piece, box, spot = cut_piece(image, sight, size)
    close, _, close_spot = cut_piece(image, sight, size, margin=CLOSE, least=0.0)
    return Piece(encode(piece, ".jpg"), encode(close, ".jpg"), _shown(image, data), box, spot, close_spot)


def _left_open(reading: Reading) -> tuple[int, int]:
    """How many cards are not known, and how much is asked about those that were turned over."""
    unknown = 0 if reading.position is None else reading.position.cards().count(None)
    return unknown, sum(question.kind is QuestionKind.TURNED for question in reading.checks)


def annotated(shot: PhotoSession, number: int) -> bytes:
    """A photo with its reading drawn on it, as a JPEG."""
    return encode(annotate(load(shot.files[number]), shot.reading, number), ".jpg")


def labelled(
    shot: PhotoSession, position: Mapping[str, Any], corrected: Mapping[int, str | None], places: Mapping[int, Place]
) -> bytes:
    """The photos with what a person says that they show, as a ZIP that `vision.evaluate` reads.

    Args:
        shot: The photos and their reading.
        position: The corrected table.
        corrected: Number of each card of the reading that is another one, and which; None where there is no card.
        places: Where the cards of the reading lie by now, by their number.
    """
    from vision.measure.labelled_zip import labelled_zip

    cards = (replace(card, place=places.get(n, card.place)) for n, card in enumerate(shot.reading.cards))
    images = [load(data) for data in shot.files]
    return labelled_zip(images, replace(shot.reading, cards=tuple(cards)), position, corrected)


def reframed(data: bytes, frame: Frame) -> bytes:
    """A part of a photo, turned, as a JPEG.

    Args:
        data: The photo's file.
        frame: The part.

    Raises:
        PhotoError: Where the file is no photo.
    """
    return encode(frame.cut(load(data)))


def _shown(image: Any, data: bytes) -> bytes:
    """An upright picture of a photo for the page; the photo's own file if it can be used as it is."""
    upright = False
    with suppress(OSError, SyntaxError, ValueError, KeyError), Image.open(BytesIO(data)) as photo:
        upright = photo.format == "JPEG" and photo.mode == "RGB" and photo.getexif().get(0x0112, 1) == 1
    if max(image.shape[:2]) <= LONGER and upright:
        return data
    return encode(at_most(image, LONGER))  # a third of Pillow's time or less, and the verdict waits for it
