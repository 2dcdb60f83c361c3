"""Path-traced photos of one game of Klondike: the same deck, table and player, and the camera held anew for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from datasets.games.played_klondike import PlayedGame, play_game
from datasets.path_traced.games import maker_of
from datasets.path_traced.tables import Table
from datasets.path_traced.trace import TRIES, Order, take_photo
from datasets.picture_tools import Rng

_SIDES: Final = (1600, 1680, 1760)
_PLAYER, _PLAY, _PHOTO = 801, 802, 803
"""Parts of the work, each with a generator of its own."""


@dataclass(frozen=True, slots=True)
class TracedGame:
    """A game whose photos are to be traced.

    Attributes:
        order: Whose deck, back, surface and light it has.
        played: The game, and after how many steps each photo is taken.
    """

    order: Order
    played: PlayedGame

    @classmethod
    def draw(cls, order: Order, photos: int) -> TracedGame:
        """A game with so many photos."""
        return cls(order, play_game(order.rng(_PLAY), photos, photos))

    def trace(self, photo: int, size: int | None, samples: int) -> tuple[bytes, dict[str, Any]] | None:
        """A photo of the game as a JPEG file, and its label; None where none of some tries is fair."""
        side = size or int(self.order.rng(_PLAYER).choice(_SIDES))
        for rng, table in self._tries(photo):
            if shot := take_photo(rng, table, self.order.look, side, samples):
                return shot
        return None

    def _tries(self, photo: int) -> Iterator[tuple[Rng, Table]]:
        """The table of a photo, and what is left to chance, for each try; the player stays on one side of it."""
        table = self.table(photo)
        azimuth = float(self.order.rng(_PLAYER, 2).choice(table.azimuths))
        for attempt in range(TRIES):
            yield self.order.rng(_PHOTO, photo, attempt), replace(table, azimuths=(azimuth,))

    def table(self, photo: int) -> Table:
        """The table of a photo: whatever was played, its player lays it in the same way."""
        seed = [int(part) for part in self.order.rng(_PLAYER, 1).integers(1 << 30, size=2)]
        lay = maker_of(self.order.kind).lay_step
        assert lay is not None, "a kind of which no games are recorded"
        return lay(seed, self.order.look.deck, self.played.record, self.played.photos[photo])

    def truth(self, names: Mapping[int, str]) -> dict[str, Any]:
        """The ground truth of the photos that there are, by their numbers, as a JSON object."""
        rows = [
            {"photo": name, "position": self.played.position(n).to_json(), "spoilt": "", "step": self.played.photos[n]}
            for n, name in names.items()
        ]
        record = self.played.record
        return {"game": record.game, "squared": not self.table(0).countable, "record": str(record), "photos": rows}
