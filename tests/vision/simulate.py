"""Tables without pictures: laid-out cards seen by a camera, as ground truth and as what noisy networks would say of it.

Used by the tests of layout and decoding. Independent of `datasets`: lengths are millimetres on the table; the reads
come from a Gaussian channel, so their probabilities are calibrated by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cards import DECK, Card, parse_card
from solver.games import position_from_json
from vision.cards.assembly import assemble_cards
from vision.cards.seen_table import SeenTable
from vision.networks.outputs import Backs, Detections, Reads

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DeckShape:
    """A deck's measures in mm: card size, rank centre from the corner, rank to suit."""

    width: float = 63.0
    height: float = 88.0
    side: float = 5.5
    end: float = 8.0
    index: float = 8.5
    corners: int = 2

    def spots(self) -> list[tuple[Array, Array]]:
        """(rank, suit) of each corner in the card's frame, its centre at 0."""
        x, y = self.width / 2 - self.side, self.height / 2 - self.end
        rank, suit = np.array([-x, -y]), np.array([-x, -y + self.index])
        spots = [(rank, suit), (-rank, -suit)]
        if self.corners == 4:
            spots += [(np.array([x, -y]), np.array([x, -y + self.index]))]
            spots += [(np.array([-x, y]), np.array([-x, y - self.index]))]
        return spots


DECKS = {
    "poker": DeckShape(),
    "bridge": DeckShape(width=57.0, side=5.0, end=7.5, index=9.0),
    "small index": DeckShape(side=4.0, end=6.0, index=6.5),
    "jumbo": DeckShape(side=8.0, end=11.0, index=14.0),
    "four corners": DeckShape(side=5.0, end=8.0, index=8.0, corners=4),
}


@dataclass(frozen=True)
class Laid:
    """A card on the table: identity (None: a back), centre (mm), turn (radians, 0 is upright), zone."""

    card: Card | None
    x: float
    y: float
    turn: float
    zone: str


@dataclass(frozen=True)
class Camera:
    """A pinhole camera that looks at the middle of the table."""

    tilt: float = 0.3  # radians from straight above
    roll: float = 0.0
    view: float = 1.0  # field of view, radians
    size: tuple[int, int] = (1280, 960)

    def matrix(self, points: Array) -> Array:
        """Homography from mm to px such that all points are in the picture."""
        low, high = points.min(0), points.max(0)
        middle = (low + high) / 2
        c, s = np.cos(self.roll), np.sin(self.roll)
        turn = np.array([[c, -s], [s, c]])
        focal = self.size[0] / 2 / np.tan(self.view / 2)
        distance = 0.4 * float(np.linalg.norm(high - low))
        for _ in range(120):
            ct, st = np.cos(self.tilt), np.sin(self.tilt)
            # table (x, y) -> camera: y leans away from the viewer at the top of the picture
            h = np.array([[focal, 0, 0], [0, focal * ct, 0], [0, -st, distance]])
            flat = np.array([[*turn[0], -turn[0] @ middle], [*turn[1], -turn[1] @ middle], [0, 0, 1]])
            centre = np.array([[1, 0, self.size[0] / 2], [0, 1, self.size[1] / 2], [0, 0, 1]])
            matrix = centre @ h @ flat
            ones = np.c_[points, np.ones(len(points))] @ matrix.T
            if (ones[:, 2] > distance * 0.15).all():
                at = ones[:, :2] / ones[:, 2:]
                if (at > 6).all() and (at < np.array(self.size) - 6).all():
                    break
            distance *= 1.03
        return matrix


def project(matrix: Array, points: Array) -> Array:
    flat = np.c_[points.reshape(-1, 2), np.ones(points.size // 2)] @ matrix.T
    return (flat[:, :2] / flat[:, 2:]).reshape(points.shape)


def frame(laid: Laid) -> Array:
    c, s = np.cos(laid.turn), np.sin(laid.turn)
    return np.array([[c, s], [-s, c]])  # rows: own x and own y; y down


def place(laid: Laid, points: Array) -> Array:
    return points @ frame(laid) + [laid.x, laid.y]


def covered(points: Array, above: Sequence[Laid], deck: DeckShape) -> NDArray[np.bool_]:
    """Which points lie under one of the cards above."""
    hidden = np.zeros(len(points), bool)
    for laid in above:
        local = (points - [laid.x, laid.y]) @ frame(laid).T
        hidden |= (np.abs(local) < [deck.width / 2, deck.height / 2]).all(1)
    return hidden


def grid(low: Array, high: Array, n: int = 6) -> Array:
    x, y = np.meshgrid(np.linspace(low[0], high[0], n), np.linspace(low[1], high[1], n))
    return np.stack([x.ravel(), y.ravel()], -1)


def photograph(
    cards: Sequence[Laid],
    *,
    game: str | None,
    position: dict[str, Any] | None,
    camera: Camera | None = None,
    deck: DeckShape | None = None,
    aim: Sequence[Laid] | None = None,
) -> dict[str, Any]:
    """Ground truth of a laid table, in the format of datasets/README.md.

    The camera has the cards of `aim` in its picture, by default all; others lie outside or are cut, and what would be
    behind the camera is nowhere.
    """
    camera, deck = camera or Camera(), deck or DeckShape()
    x, y = deck.width / 2, deck.height / 2
    outline = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    matrix = camera.matrix(np.concatenate([place(laid, outline) for laid in (cards if aim is None else aim)]))
    rows = []
    for number, laid in enumerate(cards):
        above = [other for other in cards[number + 1 :] if np.hypot(other.x - laid.x, other.y - laid.y) < 2 * x + 2 * y]
        area = place(laid, grid(outline[0], outline[2], 12))
        if (np.c_[area, np.ones(len(area))] @ matrix[2] < 0.1 * abs(matrix[2, 2])).any():
            continue
        indices = []
        for rank, suit in deck.spots() if laid.card else []:
            half = np.array([0.33, 0.5]) * deck.index
            low, high = np.minimum(rank, suit) - half, np.maximum(rank, suit) + half
            spots = place(laid, grid(low, high))
            box = project(matrix, place(laid, np.array([low, [high[0], low[1]], high, [low[0], high[1]]])))
            indices.append(
                {
                    "box": [*box.min(0).tolist(), *box.max(0).tolist()],
                    "rank": project(matrix, place(laid, rank[None]))[0].tolist(),
                    "suit": project(matrix, place(laid, suit[None]))[0].tolist(),
                    "visible": float(1 - covered(spots, above, deck).mean()),
                }
            )
        rows.append(
            {
                "number": number,
                "card": str(laid.card) if laid.card else None,
                "zone": laid.zone,
                "quad": project(matrix, place(laid, outline)).tolist(),
                "visible": float(1 - covered(area, above, deck).mean()),
                "indices": indices,
            }
        )
    image = {"width": camera.size[0], "height": camera.size[1]}
    return {"image": image, "game": game, "deck": "simulated", "cards": rows, "position": position}


@dataclass(frozen=True)
class Noise:
    """How the simulated networks err.

    `rank` and `suit` are the distance of the right answer in standard deviations of a Gaussian channel: 5 means a
    wrong rank in about 0.3% of the indices, 4 in 3%.
    """

    pixels: float = 0.6
    missed: float = 0.005
    false: float = 0.3  # false indices a photo, mostly told by the reader
    rank: float = 6.0
    suit: float = 5.5


PERFECT = Noise(0.0, 0.0, 0.0, 14.0, 14.0)


def channel(rng: np.random.Generator, truth: int, count: int, strength: float) -> Array:
    """Log-posterior of a class seen through Gaussian noise: calibrated by construction."""
    evidence = rng.normal(0, 1, count)
    evidence[truth] += strength
    log = strength * evidence
    log -= log.max()
    return np.asarray(log - np.log(np.exp(log).sum()))


def observe(
    truth: dict[str, Any], rng: np.random.Generator, noise: Noise | None = None
) -> tuple[Detections, Backs, Reads]:
    """What the networks would say of a table."""
    noise = noise or Noise()
    boxes, ranks, suits, log_rank, log_suit, log_index = [], [], [], [], [], []
    width, height = truth["image"]["width"], truth["image"]["height"]

    def add(box: Array, rank: Array, suit: Array, card: Card | None) -> None:
        boxes.append(box + rng.normal(0, noise.pixels, 4))
        ranks.append(rank + rng.normal(0, noise.pixels, 2))
        suits.append(suit + rng.normal(0, noise.pixels, 2))
        pick = card or DECK[rng.integers(52)]
        log_rank.append(channel(rng, pick.rank - 1, 13, noise.rank if card else 2.0))
        log_suit.append(channel(rng, pick.suit, 4, noise.suit if card else 2.0))
        log_index.append(np.log(rng.uniform(0.97, 1.0) if card else rng.choice([0.02, 0.1, 0.6], p=[0.7, 0.2, 0.1])))

    for row in truth["cards"]:
        for index in row["indices"] if row["card"] else []:
            middle = (np.array(index["rank"]) + index["suit"]) / 2
            if index["visible"] < 0.6 or not ((middle > 4) & (middle < [width - 4, height - 4])).all():
                continue
            if rng.random() < noise.missed:
                continue
            rank, suit = DECK_BY_NAME[row["card"]].rank, DECK_BY_NAME[row["card"]].suit
            add(np.array(index["box"]), np.array(index["rank"]), np.array(index["suit"]), Card(suit, rank))
    for _ in range(rng.poisson(noise.false)):
        at, step = rng.uniform([0, 0], [width, height]), rng.normal(0, 20, 2)
        add(np.r_[at - 20, at + 20], at, at + step, None)
    order = rng.permutation(len(boxes))
    stack = [
        np.array(part, float).reshape(len(boxes), *tail)[order]
        for part, tail in (
            (boxes, (4,)),
            (ranks, (2,)),
            (suits, (2,)),
            (log_rank, (13,)),
            (log_suit, (4,)),
            (log_index, ()),
        )
    ]
    lows = np.minimum(stack[0][:, :2], stack[0][:, 2:])
    fixed = np.c_[lows, np.maximum(stack[0][:, 2:], lows)]
    detections = Detections(fixed, rng.uniform(0.7, 1.0, len(boxes)), stack[1], stack[2])
    return detections, see_backs(truth, rng, noise), Reads(stack[3], stack[4], stack[5])


def observe_doubted(cards: Sequence[Card]) -> tuple[Detections, Backs, Reads]:
    """What the networks say of cards side by side, of which the last one shows one index, and that is hardly seen."""
    truth = photograph(
        [Laid(card, 160.0 * k, 0, 0, "floor/0") for k, card in enumerate(cards)], game=None, position=None
    )
    found, backs, reads = observe(truth, np.random.default_rng(1), PERFECT)
    weak, hidden = (
        int(np.abs(found.rank_xy - index["rank"]).sum(1).argmin())
        for index in truth["cards"][len(cards) - 1]["indices"]
    )
    confidence, log_index = found.confidence.copy(), reads.log_index.copy()
    confidence[weak], log_index[weak] = 0.3, np.log(0.1)
    rows = np.delete(np.arange(len(found)), hidden)
    shown = Detections(found.boxes[rows], confidence[rows], found.rank_xy[rows], found.suit_xy[rows])
    return shown, backs, Reads(reads.log_rank[rows], reads.log_suit[rows], log_index[rows])


def seen(truth: dict[str, Any], seed: int = 0, noise: Noise = PERFECT) -> SeenTable:
    """What is seen of a table by networks that err so."""
    size = truth["image"]["width"], truth["image"]["height"]
    return assemble_cards(*observe(truth, np.random.default_rng(seed), noise), size)


def see_backs(truth: dict[str, Any], rng: np.random.Generator, noise: Noise) -> Backs:
    """The backs as `vision.networks.outputs.Backs` defines their ends."""
    boxes, ends = [], []
    for number, row in enumerate(truth["cards"]):
        if row["card"] or row["visible"] < 0.04:
            continue
        quad = np.array(row["quad"])
        top, bottom = (quad[0] + quad[1]) / 2, (quad[2] + quad[3]) / 2
        steps = np.linspace(0.01, 0.99, 60)[:, None]
        spots = top + steps * (bottom - top)
        hidden = np.zeros(len(spots), bool)
        for other in truth["cards"][number + 1 :]:
            hidden |= within(np.array(other["quad"]), spots)
        free = np.flatnonzero(~hidden)
        if not len(free):
            continue
        at_top, at_bottom = free[0] == 0, free[-1] == len(spots) - 1
        if at_top and at_bottom:
            pair = (top, bottom) if top[1] < bottom[1] else (bottom, top)
        elif at_bottom:
            pair = (bottom, spots[free[0]])
        else:
            pair = (top, spots[free[-1]])
        ends.append(np.array(pair) + rng.normal(0, noise.pixels * 1.5, (2, 2)))
        u, v = (part.ravel()[:, None] for part in np.meshgrid(np.linspace(0, 1, 15), np.linspace(0, 1, 31)))
        area = (quad[0] * (1 - u) + quad[1] * u) * (1 - v) + (quad[3] * (1 - u) + quad[2] * u) * v
        shown = np.ones(len(area), bool)
        for other in truth["cards"][number + 1 :]:
            shown &= ~within(np.array(other["quad"]), area)
        boxes.append(np.r_[area[shown].min(0), area[shown].max(0)] if shown.any() else np.r_[quad.min(0), quad.max(0)])
    if not boxes:
        return Backs.empty()
    return Backs(np.array(boxes), rng.uniform(0.7, 1, len(boxes)), np.array(ends))


def within(quad: Array, points: Array) -> NDArray[np.bool_]:
    side = np.roll(quad, -1, axis=0) - quad
    cross = side[:, 0] * (points[:, None, 1] - quad[:, 1]) - side[:, 1] * (points[:, None, 0] - quad[:, 0])
    return np.asarray((cross >= 0).all(1) | (cross <= 0).all(1))


DECK_BY_NAME = {str(card): card for card in DECK}


# Makiaveli tables


@dataclass
class Pile:
    """Where a group of cards goes: its style and how its cards lie relative to the first one."""

    style: str
    cards: list[Card]
    offsets: list[tuple[float, float, float]] = field(default_factory=list)


def random_melds(rng: np.random.Generator, count: int, used: dict[Card, int]) -> list[list[Card]]:
    """Legal melds with at most two copies of each card."""
    melds: list[list[Card]] = []
    while len(melds) < count:
        if rng.random() < 0.4:
            rank, suits = int(rng.integers(13)), rng.permutation(4)[: rng.integers(3, 5)]
            meld = [DECK[13 * s + rank] for s in suits]
        else:
            length = int(rng.choice([3, 3, 3, 4, 4, 5, 5, 6, 7, 8]))
            first, suit = int(rng.integers(1, 15 - length + 1)), int(rng.integers(4))
            meld = [DECK[13 * suit + (rank - 1) % 13] for rank in range(first, first + length)]
            if rng.random() < 0.2:
                meld.reverse()
        if all(used.get(card, 0) < 2 for card in meld):
            for card in meld:
                used[card] = used.get(card, 0) + 1
            melds.append(meld)
    return melds


def lay(style: str, count: int, deck: DeckShape, rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """Offsets (x, y, turn) of a group's cards in mm, later ones on top."""
    if style == "row":
        step = deck.width * rng.uniform(1.02, 1.12)
        return [(i * step, rng.normal(0, 2), rng.normal(0, 0.04)) for i in range(count)]
    if style == "overlap":
        step = max(deck.width * rng.uniform(0.24, 0.6), deck.side + 0.45 * deck.index)
        bend = rng.normal(0, 0.03)
        return [(i * step, bend * i * i * 2, rng.normal(0, 0.03)) for i in range(count)]
    if style == "column":
        step = max(deck.height * rng.uniform(0.22, 0.4), deck.end + 1.55 * deck.index)
        return [(rng.normal(0, 1.5), i * step, rng.normal(0, 0.03)) for i in range(count)]
    if style == "fan":
        radius = deck.height * rng.uniform(1.2, 2.0)
        step = rng.uniform(1.05, 1.4) * (deck.side + 0.5 * deck.index) / radius * 1.35
        turns = [(i - (count - 1) / 2) * step for i in range(count)]
        return [(radius * np.sin(t), radius * (1 - np.cos(t)), t) for t in turns]
    raise ValueError(style)


def makiaveli(
    rng: np.random.Generator,
    *,
    melds: int = 6,
    hand: int = 5,
    cross: int = 4,
    deck: DeckShape | None = None,
    camera: Camera | None = None,
    gap: float = 14.0,
    styles: Sequence[str] = ("row", "overlap", "column", "fan"),
) -> dict[str, Any]:
    """A Makiaveli table: melds in rows from the top, the deck with its cross, the hand at the lower edge."""
    deck = deck or DeckShape()
    used: dict[Card, int] = {}
    groups = random_melds(rng, melds, used)
    singles: list[Card] = []
    while len(singles) < hand + cross:
        card = DECK[rng.integers(52)]
        if used.get(card, 0) < 2:
            used[card] = used.get(card, 0) + 1
            singles.append(card)
    position = {
        "game": "makiaveli",
        "floor": [[str(card) for card in meld] for meld in groups],
        "cross": [str(singles[hand + k]) if k < cross else None for k in range(4)],
        "hand": [str(card) for card in singles[:hand]],
    }
    cards = lay_makiaveli(rng, position, deck=deck, gap=gap, styles=styles)
    return photograph(cards, game="makiaveli", position=position, camera=camera, deck=deck)


def lay_makiaveli(
    rng: np.random.Generator,
    position: dict[str, Any],
    *,
    deck: DeckShape,
    gap: float = 14.0,
    styles: Sequence[str] = ("row", "overlap", "column", "fan"),
    width: float = 11.0,
) -> list[Laid]:
    """A position of Makiaveli on a table so many cards wide."""
    groups = [[parse_card(word) for word in meld] for meld in position["floor"]]
    crossing = [None if word is None else parse_card(word) for word in position["cross"]]
    held = [parse_card(word) for word in position["hand"]]
    cards: list[Laid] = []
    width = width * deck.width
    x = y = tall = 0.0
    bottom = 0.0
    for number, meld in enumerate(groups):
        style = str(rng.choice(list(styles)))
        if style == "row" and len(meld) > 6:
            style = "overlap"
        if style == "column" and len(meld) > 7:
            style = "overlap"
        offsets = lay(style, len(meld), deck, rng)
        spots = np.array(offsets)
        outline = np.concatenate(
            [
                place(
                    Laid(None, ox, oy, t, ""),
                    np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [deck.width / 2, deck.height / 2],
                )
                for ox, oy, t in offsets
            ]
        )
        low, size = outline.min(0), np.ptp(outline, axis=0)
        if x + size[0] > width and x > 0:
            x, y, tall = 0.0, y + tall + gap * rng.uniform(0.7, 1.6), 0.0
        lean = rng.normal(0, 0.03)
        for card, (ox, oy, turn) in zip(meld, spots, strict=True):
            at = np.array([ox, oy]) - low
            flip = np.pi if rng.random() < 0.15 else 0.0
            cards.append(
                Laid(card, x + at[0] - lean * at[1], y + at[1] + lean * at[0], turn + lean + flip, f"floor/{number}")
            )
        x += size[0] + gap * rng.uniform(0.7, 1.6)
        tall = max(tall, float(size[1]))
        bottom = y + tall
    if any(crossing) or rng.random() < 0.5:
        cx, cy = width * rng.uniform(0.3, 0.7), bottom + 2.2 * deck.height
        cards.append(Laid(None, cx, cy, rng.normal(0, 0.03), "deck"))
        up, side = deck.height * 1.12, deck.width * 1.2
        for place_number, (dx, dy) in enumerate([(0, -up), (side, 0), (0, up), (-side, 0)]):
            card = crossing[place_number]
            if card is not None:
                spot = (cx + dx + rng.normal(0, 2), cy + dy + rng.normal(0, 2), rng.normal(0, 0.05))
                cards.append(Laid(card, *spot, f"cross/{place_number}"))
        bottom = cy + 1.7 * deck.height
    style = str(rng.choice(["overlap", "fan", "row"])) if len(held) < 8 else "fan"
    for card, (ox, oy, turn) in zip(held, lay(style, len(held), deck, rng), strict=True):
        cards.append(Laid(card, width * 0.4 + ox, bottom + deck.height * 0.9 + oy, turn, "hand"))
    return cards


def parts(cards: Sequence[Laid], count: int, common: float = 0.2) -> list[list[Laid]]:
    """The cards of two to six parts of a table that together show all; neighbours have a share in common."""
    at = np.array([[laid.x, laid.y] for laid in cards])
    low, size = at.min(0), np.ptp(at, axis=0)
    long = int(size.argmax())
    rows = 2 if count in (4, 6) else 1
    columns = count // rows
    found = []
    for column in range(columns):
        for row in range(rows):
            share = np.zeros((2, 2))
            for axis, place, of in ((long, column, columns), (1 - long, row, rows)):
                first, wide = place * (1 - common) / of, (1 - common) / of + common
                share[axis] = (-0.01, 1.01) if of == 1 else (first - 0.01, first + wide + 0.01)
            inside = ((at >= low + share[:, 0] * size) & (at <= low + share[:, 1] * size)).all(1)
            found.append([laid for laid, there in zip(cards, inside, strict=True) if there])
    return [part for part in found if part]


def pushed(cards: Sequence[Laid], rng: np.random.Generator, share: float = 0.1, by: float = 6.0) -> list[Laid]:
    """The same table after some melds, and some single cards, were pushed `by` some millimetres."""
    moves: dict[str, Any] = {}
    out = []
    for laid in cards:
        move = moves.setdefault(laid.zone, rng.normal(0, by, 2) * (rng.random() < share))
        move = move + rng.normal(0, by, 2) * (rng.random() < share / 2)
        out.append(replace(laid, x=laid.x + move[0], y=laid.y + move[1]))
    return out


def several(
    rng: np.random.Generator,
    cards: Sequence[Laid],
    aims: Sequence[Sequence[Laid]],
    *,
    position: dict[str, Any],
    deck: DeckShape,
    size: tuple[int, int] = (1600, 1200),
    turn: float = 0.15,
    push: float = 0.0,
) -> list[dict[str, Any]]:
    """Photos of one table, each aimed at some of its cards and turned at random; pushed between the shots."""
    shots = []
    for number, aim in enumerate(aims):
        camera = replace(random_camera(rng, size), roll=float(rng.normal(0, turn)))
        rows = [cards.index(laid) for laid in aim]
        lying = pushed(cards, rng, push) if push and number else list(cards)
        shots.append(
            photograph(
                lying, game="makiaveli", position=position, camera=camera, deck=deck, aim=[lying[k] for k in rows]
            )
        )
    return shots


def random_camera(rng: np.random.Generator, size: tuple[int, int] = (1280, 960)) -> Camera:
    """A person's phone: tilted up to 45 degrees, rolled a little."""
    return Camera(float(rng.uniform(0, 0.8)), float(rng.normal(0, 0.12)), float(rng.uniform(0.8, 1.2)), size)


def turned(camera: Camera, quarter: int) -> Camera:
    """The same camera rolled by quarter turns."""
    return replace(camera, roll=camera.roll + quarter * np.pi / 2)


# Klondike tables


def klondike(
    rng: np.random.Generator,
    *,
    deck: DeckShape | None = None,
    camera: Camera | None = None,
    stock_right: bool = False,
    waste: int = 1,
    down_step: float = 0.12,
    up_step: float = 0.24,
    empty: int = 0,
    from_right: bool = False,
) -> dict[str, Any]:
    """A Klondike table in the middle of a game, its columns dealt from the left or from the right."""
    deck = deck or DeckShape()
    left = [DECK[k] for k in rng.permutation(52)]
    heights = rng.choice([0, 0, 1, 2, 3, 5], 4)
    for suit, height in enumerate(heights):
        for rank in range(height):
            left.remove(DECK[13 * suit + rank])
    columns: list[list[Card]] = []
    down = []
    for number in range(7):
        if empty and number in rng.permutation(7)[:empty]:
            columns.append([])
            down.append(0)
            continue
        run = [left.pop()]
        for _ in range(int(rng.choice([0, 0, 1, 2, 3, 5]))):
            fits = [c for c in left if c.rank == run[-1].rank - 1 and c.is_red != run[-1].is_red]
            if not fits:
                break
            run.append(fits[int(rng.integers(len(fits)))])
            left.remove(run[-1])
        columns.append(run)
        down.append(int(rng.integers(0, number + 1)))
    seen_waste = [left.pop() for _ in range(waste)]
    hidden = len(left)
    while sum(down) > hidden:
        down[int(np.argmax(down))] -= 1
    if hidden - sum(down) + waste > 24:
        for number in range(7):
            if columns[number]:
                add = min(number - down[number], hidden - sum(down) + waste - 24)
                down[number] += max(add, 0)
    if from_right:
        columns.reverse()
        down.reverse()
    stock = hidden - sum(down)
    cards: list[Laid] = []
    step = deck.width * rng.uniform(1.12, 1.3)
    side = 6 if stock_right else 0

    def spot(slot: int) -> float:
        return step * slot + rng.normal(0, 1.5)

    if stock:
        cards.append(Laid(None, spot(side), 0, rng.normal(0, 0.03), "stock"))
    slot = 5 if stock_right else 1
    for number, card in enumerate(seen_waste):
        shift = (number - (waste - 1 if stock_right else 0)) * deck.width * 0.3
        cards.append(Laid(card, spot(slot) + shift, rng.normal(0, 1.5), rng.normal(0, 0.03), "waste"))
    order = rng.permutation(4)
    for number, suit in enumerate(order):
        if heights[suit]:
            card = DECK[13 * suit + heights[suit] - 1]
            at = spot(number if stock_right else 3 + number)
            cards.append(Laid(card, at, rng.normal(0, 1.5), rng.normal(0, 0.03), f"foundation/{card.suit}"))
    top = deck.height * rng.uniform(1.15, 1.35)
    for number, run in enumerate(columns):
        x, y, lean = spot(number), top, rng.normal(0, 1.5)
        for _ in range(down[number]):
            cards.append(Laid(None, x + rng.normal(0, 1), y, rng.normal(0, 0.02), f"column/{number}"))
            y += deck.height * down_step
        for card in run:
            cards.append(Laid(card, x + rng.normal(0, 1.2) + lean, y, rng.normal(0, 0.025), f"column/{number}"))
            y += max(deck.height * up_step, deck.end + 1.6 * deck.index)
    position = {
        "game": "klondike",
        "columns": [
            {"down": ["??"] * n, "up": [str(card) for card in run]} for n, run in zip(down, columns, strict=True)
        ],
        "foundations": {"CDHS"[suit]: int(height) for suit, height in enumerate(heights)},
        "stock": ["??"] * stock,
        "waste": [str(card) for card in seen_waste],
    }
    return photograph(cards, game="klondike", position=position, camera=camera, deck=deck)


# Napoleon's Tomb


def tomb_single(
    rng: np.random.Generator, *, deck: DeckShape | None = None, camera: Camera | None = None, side: int = 1
) -> dict[str, Any]:
    """Tops of a one-deck Tomb in play: the grid, and beside it spare sixes, discard and deck."""
    deck = deck or DeckShape()
    left = [DECK[k] for k in rng.permutation(52)]

    def take(ranks: Sequence[int]) -> Card:
        card = next(card for card in left if card.rank in ranks)
        left.remove(card)
        return card

    right, below = deck.width * rng.uniform(1.15, 1.5), deck.height * rng.uniform(1.1, 1.35)
    spots = {0: "corner/0", 2: "corner/1", 6: "corner/2", 8: "corner/3", 4: "centre"}
    spots |= {1: "spare/0", 3: "spare/1", 5: "spare/2", 7: "spare/3"}
    high, low, other = range(7, 14), range(1, 7), [r for r in range(1, 14) if r not in (6, 7)]
    cards, zones = [], {}

    def lay_at(x: float, y: float, zone: str, ranks: Sequence[int]) -> None:
        zones[zone] = take(ranks)
        cards.append(Laid(zones[zone], x + rng.normal(0, 2), y + rng.normal(0, 2), rng.normal(0, 0.04), zone))

    for cell, zone in spots.items():
        ranks = low if zone == "centre" else high if zone.startswith("corner") else other
        if rng.random() < (0.95 if zone.startswith("spare") else 0.75):
            lay_at(cell % 3 * right, cell // 3 * below, zone, ranks)
    away = right * (1 + side * 2.3)
    if rng.random() < 0.5:
        lay_at(away, 0, "spare_six", [6])
    if rng.random() < 0.8:
        lay_at(away, below, "discard", other)
    cards.append(Laid(None, away, 2 * below, rng.normal(0, 0.03), "deck"))

    def pile(zone: str) -> list[str]:
        return [str(zones[zone])] if zone in zones else []

    position = {
        "game": "tomb_single",
        "corners": [pile(f"corner/{k}") for k in range(4)],
        "centre": pile("centre"),
        "spares": [(pile(f"spare/{k}") or [None])[0] for k in range(4)],
        "spare_six": pile("spare_six"),
        "discard": pile("discard"),
    }
    return photograph(cards, game="tomb_single", position=position, camera=camera, deck=deck)


def tomb_double(
    rng: np.random.Generator, *, deck: DeckShape | None = None, camera: Camera | None = None, left: bool = False
) -> dict[str, Any]:
    """Tops of a two-deck Tomb: the grid, the tableau beside it, wastes below with the stock at their left end."""
    deck = deck or DeckShape()
    pack = [DECK[k % 52] for k in rng.permutation(104)]
    right, below = deck.width * rng.uniform(1.15, 1.5), deck.height * rng.uniform(1.1, 1.35)
    cards: list[Laid] = []
    zones: dict[str, Card] = {}

    def lay_at(x: float, y: float, zone: str, card: Card) -> None:
        zones[zone] = card
        cards.append(Laid(card, x + rng.normal(0, 2), y + rng.normal(0, 2), rng.normal(0, 0.04), zone))

    centre: list[Card] = []
    foundations = dict.fromkeys("CDHS", 0)
    for corner, suit in zip((0, 2, 6, 8), rng.permutation(4), strict=True):
        if rng.random() < 0.7:
            card = DECK[13 * suit + int(rng.integers(4, 13))]
            foundations["CDHS"[suit]] = 14 - card.rank
            pack = [other for other in pack if not (other.suit == card.suit and other.rank >= card.rank)]
            lay_at(corner % 3 * right, corner // 3 * below, f"foundation/{card.suit}", card)
    for number, cell in enumerate((1, 3, 5, 7)):  # a reserve is played off late, when the foundations have grown
        if sum(foundations.values()) < 12 or rng.random() < 0.95:
            lay_at(cell % 3 * right, cell // 3 * below, f"reserve/{number}", pack.pop())
    if rng.random() < 0.6:
        top = DECK[13 * int(rng.integers(4)) + int(rng.integers(5))]
        if all(DECK[k] in pack for k in range(13 * top.suit, 13 * top.suit + top.rank)):
            centre = [DECK[k] for k in range(13 * top.suit, 13 * top.suit + top.rank)]
            for card in centre:
                pack.remove(card)
            lay_at(right, below, "centre", top)
    for number in range(4):
        if rng.random() < 0.9:
            x = -1.5 * right if left else 3.5 * right
            lay_at(x, (number * 1.1 - 0.65) * below, f"tableau/{number}", pack.pop())
    wastes = int(rng.integers(0, 6))
    for number in range(wastes):
        lay_at((number - 0.2) * right, 3.3 * below, f"waste/{number}", pack.pop())
    cards.append(Laid(None, -1.3 * right, 3.3 * below, rng.normal(0, 0.03), "stock"))

    def pile(zone: str) -> list[str]:
        return [str(zones[zone])] if zone in zones else []

    position = {
        "game": "tomb_double",
        "foundations": foundations,
        "centre": [str(card) for card in centre],
        "tableau": [pile(f"tableau/{k}") for k in range(4)],
        "reserves": [pile(f"reserve/{k}") for k in range(4)],
        "wastes": [pile(f"waste/{k}") for k in range(5)],
        "redeals": 4,
    }
    return photograph(
        cards, game="tomb_double", position=position_from_json(position).to_json(), camera=camera, deck=deck
    )
