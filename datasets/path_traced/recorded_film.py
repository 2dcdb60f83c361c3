"""A path-traced film of a table, by a phone that a hand moves over it: the scene is built once and the camera moves."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av
import numpy as np

from datasets.path_traced.blender import begin_film, clear, need_blender, read_light, render_shot
from datasets.path_traced.camera import View, framed
from datasets.path_traced.developing import Filming, develop
from datasets.path_traced.fairness import flat_rests, judge_film, paint_ids, shows_from_above
from datasets.path_traced.games import maker_of
from datasets.path_traced.scene import build_scene
from datasets.path_traced.sweeps import Sweep, draw_sweep
from datasets.path_traced.tables import Table, bounds
from datasets.path_traced.trace import Order
from datasets.picture_tools import Image, Rng
from plumbing.files import whole_file

FILM_TRIES: Final = 50
"""Films that are tried of a table before it is given up: none of them is rendered for it."""
_LAY, _SWEEP, _SCENE, _DEVELOP = 905, 906, 907, 908
"""Parts of the work, each with a generator of its own."""
_FOR_A_TABLE: Final = 10
_MOST_PATIENT: Final = 6
_ROOM: Final = 90.0
"""How far things stay away from cards, mm, so that they hide none in a picture taken at a slant."""


@dataclass(frozen=True, slots=True)
class TracedFilm:
    """A film that is to be traced.

    Attributes:
        order: Whose deck, back, surface and light it has.
        table: What is filmed.
        sweep: The way of the phone.
        attempt: How many films were tried before it.
    """

    order: Order
    table: Table
    sweep: Sweep
    attempt: int

    @classmethod
    def draw(cls, order: Order) -> TracedFilm | None:
        """The first film of an order that shows all cards fairly, None where none of some tries does."""
        maker, look = maker_of(order.kind), order.look
        for attempt in range(FILM_TRIES):
            table = maker.lay(order.rng(_LAY, attempt // _FOR_A_TABLE), look.deck, order.seed - 1)
            if not shows_from_above(table.cards, look.deck):
                continue
            rng, box = order.rng(_SWEEP, attempt), bounds(table.cards, look.deck)
            patience = min(1.0, attempt % _FOR_A_TABLE / _MOST_PATIENT)
            azimuth = float(rng.choice(table.azimuths))
            sweep = draw_sweep(rng, box, look.deck.rank_height, azimuth, look.lamp, patience)
            if not judge_film(table, look.deck, sweep.shots):
                return cls(order, table, sweep, attempt)
        return None

    def trace(self, frames: Path, samples: int) -> Iterator[None]:
        """Renders the light of each frame into a folder, and tells when it is done; what is there stays."""
        need_blender()
        missing = [number for number in range(len(self.sweep.shots)) if not _frame(frames, number).exists()]
        yield from [None] * (len(self.sweep.shots) - len(missing))
        with tempfile.TemporaryDirectory() as scratch:
            clear()
            rng, first = self.order.rng(_SCENE), self.sweep.shots[0].opening
            view = View(self.sweep.tilt, 0.0, 0.0, first.focal, first.size)

            def hold(points: Any, _: Any) -> Any:
                return framed(rng, points, view, 0.08), {}

            scene = build_scene(rng, self.table, self.order.look, hold, Path(scratch), _ROOM)
            begin_film(scene.camera, scene.held)
            for number in missing:
                render_shot(_frame(frames, number), self.sweep.shots[number], samples, number)
                yield

    def write(self, film: Path, frames: Path) -> dict[str, Any]:
        """Writes the film of the frames in a folder as MP4; returns its truth."""
        rng = self.order.rng(_DEVELOP)
        size, rate = self.sweep.shots[0].opening.size, self.sweep.rate
        bits = float(np.exp(rng.uniform(np.log(0.12), np.log(0.4))))
        bit_rate = round(bits * size[0] * size[1] * rate)
        with whole_file(film) as part:
            write_film(part, self._developed(rng, frames), size, rate, bit_rate)
        look, sweep = self.order.look, self.sweep
        shown = [card for card in self.table.cards if card.up and card.must]
        return {
            "game": self.table.game,
            "deck": look.deck.name,
            "split": self.order.split,
            "seed": self.order.seed,
            "cards": [{"card": card.face, "zone": card.zone} for card in shown],
            "position": self.table.position,
            "trace": {
                "back": look.back,
                "surface": look.surface,
                "light": look.lamp,
                "way": sweep.way,
                "tilt": round(sweep.tilt, 1),
                "tremble": sweep.tremble,
                "height_cm": [round(100 * height) for height in self._heights()],
                "kbit_per_second": bit_rate // 1000,
                "attempt": self.attempt,
            },
        }

    def _heights(self) -> tuple[float, float]:
        heights = [float(shot.opening.position[2]) for shot in self.sweep.shots]
        return min(heights), max(heights)

    def _developed(self, rng: Rng, frames: Path) -> Iterator[Image]:
        up = np.array([card.up for card in self.table.cards] + [False])
        rests = flat_rests(self.table.cards, self.order.look.deck)
        film = Filming(rng, float(rng.uniform(0.2, 0.6)) * self.sweep.rate)
        for number, shot in enumerate(self.sweep.shots):
            paper = up[paint_ids(rests, shot.opening)]
            own = self.order.rng(_DEVELOP, 1)  # anew for each frame: all are developed alike
            yield develop(own, read_light(_frame(frames, number)), paper, self.order.look.lamp, film)[0]


def _frame(frames: Path, number: int) -> Path:
    return frames / f"{number:04d}.exr"


def write_film(path: Path, frames: Iterable[Image], size: tuple[int, int], rate: int, bit_rate: int) -> None:
    """Writes pictures of some width and height as an MP4 of H.264, so many a second, of so many bits a second."""
    with av.open(path, "w", format="mp4") as film:
        stream = film.add_stream("libx264", rate=rate, options={"preset": "medium", "g": str(2 * rate)})
        stream.width, stream.height = size
        stream.pix_fmt, stream.bit_rate = "yuv420p", bit_rate
        for picture in frames:
            film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
        film.mux(stream.encode())
