"""Several photos of one table become one table: cards that two photos show tie their planes.

    joined = join([left, right])     # joined.table goes to `vision.layout.game_choice` like that of a single photo

Each photo's plane is true up to a turn, a shift and a little distortion, and its unit is the length of an index. So one
card that two photos show already says how one plane lies on the other. Cards of equal identity vote, and the placement
that most of them agree on is refined. A card that the other photo ought to show and does not counts against a
placement. Every card seen twice becomes one, with both reads weighed. What only one photo shows keeps its place.

With two decks whole melds may be there twice, and a photo may show no more of the table than such a meld. Where it
could be the other one, a person is asked. Frames of a film bring points that two of them show, told by the picture:
then the way of the camera says where a card lies, and no card has to vote.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from vision.cards.assembly import TUNING as ASSEMBLY
from vision.cards.assembly import SeenBack, SeenCard, SeenTable, Template, order_layers
from vision.cards.disputes import LEAST_SHARE, disputed_cards, mix_opinions
from vision.cards.geometry import Array, Plane, across, gaps, project, rectangle, unit
from vision.layout.neighbours import groups
from vision.preferences import preferences_of
from vision.question import Question, QuestionKind

MOST_PHOTOS: Final = 6
"""Photos of one table that are joined at most."""

FEWEST_AGAINST: Final = 2
"""Where so many sights of a card, and `LEAST_SHARE` of them, say another identity, more sights make it no surer."""

# Lengths are in card widths, weights are logarithms of how much likelier something is than by chance.

Pairs = list[tuple[int, int]]
View = tuple[int, int]
"""A photo, and the row of a card among those that it shows."""
SamePoints = Mapping[tuple[int, int], tuple[Array, Array]]
"""For two photos by number, points (n, 2) of the one and the same points of the table in the other, px."""


@dataclass(frozen=True, slots=True)
class JoiningTuning:
    """How photos are joined. Weights are logarithms of how much likelier something is than by chance.

    Attributes:
        same_card_weight: Two cards whose reads speak so much for one identity may be one card.
        same_card_elsewhere_weight: The same where the places alone do not say so.
        unseen_card_weight: What a card weighs that the other photo ought to show and does not.
        most_agreed_card_weight: What a card that both show weighs at most.
        enough_weight: A way to join two photos needs this much weight, from two cards at least.
        absent_odds_factor: Odds of a card change by this for each photo that ought to show it and does not.
        most_sights: Sights of one card add up as far as so many independent ones would: deck and light are the same.
        sight_weight: What each sight of a card adds after the first one, where there are several.
        wrong_sight_chance: That a sight is none of the card. It bounds what one of several sights says.
        no_card_chance: That a sight is of no card at all, where several photos ought to show the card and do not.
        near_card_widths: Cards of one identity that are nearer in a first guess agree with it.
        swing_share: By how much farther they may be for each width from the card that the guess rests on: a single card
            tells the turn badly.
        most_turn_sine: Sine of the angle by which two views of a card may differ.
        most_turn_sine_of_single_index: The same where one view shows a single index, whose direction is a matter of few
            pixels.
        most_pairs: Pairs of cards of equal identity that vote, the surest: as many as two photos of 104 cards have.
        most_guesses: First guesses that are refined.
        least_vote_share: Guesses with a smaller share of the best one's votes are not refined: refining makes up for no
            larger gap.
        same_guess_card_widths: Guesses that lay a photo no farther apart may be one.
        same_guess_radians: Guesses that are one differ in turn by no more.
        one_card_widths: Two views of one identity that are nearer are one card that lies where it lay.
        wrong_side_card_widths: Where a deck has four corners and one side of a card is seen, its place may be wrong by
            this much.
        misread_card_widths: Two views that are nearer are one card whatever they read: in a tight fan the next card is
            farther.
        misread_cut_card_widths: The same where neither photo has anything else there, and one of them shows a single
            index, so that its place is less sure, or both show the card whole, so that nothing lies on it.
        opposite_share: Indices that lie apart by more than this share of a card's diagonal are in opposite corners.
        copies_card_widths: Outside a hand, two copies of a card hardly ever lie nearer to each other.
        corner_card_widths: An index of a card lies no farther from where its corner is expected.
        pushed_card_widths: A card lies no farther from where it lay if it was pushed between the photos.
        place_card_widths: How exactly two photos agree on a card's place, once joined.
        expected_index_px: An index at least so long in a photo is hardly missed there.
        expected_film_share: In a film's frame this holds from this share of its usual index on.
        plenty_weight: A way to join two photos is asked about below this.
        rival_weight: A way to join two photos is asked about where another way weighs at most this much less.
        stretch_share: How far a photo's plane is distorted: stretch, shear and perspective over the reach of its cards.
        scale_share: How exactly a photo tells the length of an index.
        sweeps: Times that all photos are fitted to each other anew.
        point_card_widths: How exactly a point of the picture that two photos show tells how they lie on each other.
        fewest_denying: Where so many cards of two photos say that points of the picture lay them wrong on each other,
        least_agreeing_share: and fewer than this share of that number agree, the points do not count.
        loose_by_points: By points a photo's plane is found that is so many times more distorted than usual.
        planed_cards: With fewer cards in it, a photo tells its own plane badly.
        whole_strip_share: A photo shows a strip of face-down cards of which so much lies in it.
        clear_strip_share: Face-down cards are counted in photos that show them at least so large, the best being 1.
        misread_film_card_widths: Two views that are nearer, of which few frames show the one and many the other, are
            one card whatever they read.
        fewest_back_views_share: A face-down card that a smaller share of the photos see that ought to show it is none.
        fewest_kept_chance: A card that less speaks for is left out, as others ought to show it and do not.
    """

    same_card_weight: float
    same_card_elsewhere_weight: float
    unseen_card_weight: float
    most_agreed_card_weight: float
    enough_weight: float
    absent_odds_factor: float
    most_sights: float
    sight_weight: float
    wrong_sight_chance: float
    no_card_chance: float
    near_card_widths: float = 0.3
    swing_share: float = 0.05
    most_turn_sine: float = 0.3
    most_turn_sine_of_single_index: float = 0.6
    most_pairs: int = 240
    most_guesses: int = 6
    least_vote_share: float = 0.3
    same_guess_card_widths: float = 1.5
    same_guess_radians: float = 0.3
    one_card_widths: float = 0.6
    wrong_side_card_widths: float = 0.9
    misread_card_widths: float = 0.13
    misread_cut_card_widths: float = 0.35
    opposite_share: float = 0.92
    copies_card_widths: float = 1.2
    corner_card_widths: float = 0.35
    pushed_card_widths: float = 1.6
    place_card_widths: float = 0.12
    expected_index_px: float = 9.0
    expected_film_share: float = 0.85
    plenty_weight: float = 14.0
    rival_weight: float = 6.0
    stretch_share: float = 0.03
    scale_share: float = 0.04
    sweeps: int = 1
    point_card_widths: float = 0.04
    fewest_denying: int = 4
    least_agreeing_share: float = 0.3
    loose_by_points: float = 10.0
    planed_cards: float = 8.0
    whole_strip_share: float = 0.8
    clear_strip_share: float = 0.5
    fewest_kept_chance: float = 0.1
    misread_film_card_widths: float = 0.3
    fewest_back_views_share: float = 0.34


TUNING: Final = JoiningTuning(**preferences_of(__name__))


@dataclass(frozen=True, eq=False, slots=True)
class Joined:
    """Photos of one table, joined.

    Attributes:
        table: The whole table. Its "photo" is a map of it from straight above, upright as most photos are.
        sights: For each of its cards its views, the best one first.
        back_sights: The same for each of its backs, one view each.
        to_map: For each photo the 3x3 homography from its pixels to those of the map; None where it does not join.
        apart: Number of each photo that does not join, and why.
        checks: What a person should look at.
        loose: Views, two each, that were taken for one card though they lie farther apart than photos usually put one.
    """

    table: SeenTable
    sights: tuple[tuple[View, ...], ...]
    back_sights: tuple[View, ...]
    to_map: tuple[Array | None, ...]
    apart: Mapping[int, str] = field(default_factory=dict)
    checks: tuple[Question, ...] = ()
    loose: tuple[frozenset[View], ...] = ()

    @classmethod
    def of_one(cls, table: SeenTable) -> Joined:
        """A single photo, which is its own map."""
        sights = tuple(((0, row),) for row in range(len(table.cards)))
        return cls(table, sights, tuple((0, row) for row in range(len(table.backs))), (np.eye(3),))


def join(
    tables: Sequence[SeenTable],
    names: Sequence[str] | None = None,
    two: Collection[frozenset[View]] = (),
    same_points: SamePoints | None = None,
    partial: Collection[int] = (),
) -> Joined:
    """Joins what several photos show of one table.

    Args:
        tables: What each photo shows, in any order; each photo may be turned.
        names: What the photos are called in `apart` and `checks`: "photo 1", "photo 2" and so on by default.
        two: Views, two each, that are not of one card.
        same_points: What the pictures themselves say of how photos lie on each other, as the frames of a film do.
        partial: Numbers of photos of which not all cards are given: what is not given may be there.

    Raises:
        ValueError: For no photo at all, or other than one name a photo.
    """
    if not tables:
        raise ValueError("no photo to join; expected one or more")
    called = [f"photo {number + 1}" for number in range(len(tables))] if names is None else list(names)
    if len(called) != len(tables):
        raise ValueError(f"{len(called)} names for {len(tables)} photos; expected one each")
    template = max((table.template for table in tables), key=lambda t: t.pairs)
    clouds = [_Cloud.of(table, template) for table in tables]
    if same_points is None:
        chain = _order_photos(clouds, _find_ties(clouds))
        warps = _fit_all(clouds, chain)
    else:
        clouds = [cloud.of_film(n in partial) for n, cloud in enumerate(clouds)]
        points = _points_of_same_cards(clouds, _points_in_planes(clouds, same_points))
        chain = _order_photos(clouds, _ties_by_points(clouds, points))
        warps = _adjust_all(clouds, chain, points)
    order = list(warps) if same_points is None else _nearest_first(tables, warps)
    union = _unite(clouds, order, warps, two, may_move=same_points is None)
    if same_points is not None:
        _leave_out_lone(tables, clouds, union, warps)
    checks = [*_tie_checks(chain, clouds, called), *_moved_checks(union, called)]
    apart = {n: _why_apart(n, clouds, warps, called) for n in range(len(tables)) if n not in warps}
    return replace(_lay_on_map(tables, clouds, union, warps, template, apart, checks), loose=tuple(union.loose))


@dataclass(frozen=True, eq=False, slots=True)
class _Cloud:
    """The cards of a photo in its plane, in card widths.

    Attributes:
        at: (n,) their centres as complex numbers.
        down: (n,) their downs as complex numbers of length 1.
        log_card: (n, 52) log-probabilities of their identities.
        p: (n, 52) the probabilities.
        best: (n,) their likeliest identities.
        spots: (n, 3) their centres and their two opposite index places.
        ranks: (n, 4) where the rank symbols of their indices were seen; NaN where there are fewer.
        plane: From px of the photo to the plane.
        photo: Back from the plane to px.
        size: Width and height of the photo, px.
        index: Length of an index.
        corners: (2,) or (4,) where a card has its ranks, from its middle; its down is 1.
        expected_px: An index at least so long is hardly missed in the photo.
    """

    at: NDArray[np.complex128]
    down: NDArray[np.complex128]
    log_card: Array
    p: Array
    best: NDArray[np.intp]
    spots: NDArray[np.complex128]
    ranks: NDArray[np.complex128]
    plane: Array
    photo: Array
    size: tuple[int, int]
    index: float
    corners: NDArray[np.complex128]
    expected_px: float = TUNING.expected_index_px

    @classmethod
    def of(cls, table: SeenTable, template: Template) -> _Cloud:
        own = table.template
        centres, downs = table.centres.copy(), table.downs
        if own.corners == template.corners == 2:  # a card of one index lies where the better known deck has it
            off = np.array([template.across - own.across, template.along - own.along]) / 2
            single = np.array([len(card.indices) == 1 for card in table.cards], bool)
            centres[single] += (across(downs) * off[0] + downs * off[1])[single]
        at, down = _complex(centres) / template.width, _complex(downs)
        corner = complex(template.along, -template.across) / 2 / template.width  # right of down is -i * down
        step = corner * down
        plane = np.diag([1 / template.width, 1 / template.width, 1.0]) @ table.plane.matrix
        photo = _invert(plane)
        if len(at):  # so that what is before the camera has a depth above 0
            depth = photo[2, 0] * at.real.mean() + photo[2, 1] * at.imag.mean() + photo[2, 2]
            photo = photo / depth
        log_card = table.log_card
        best = log_card.argmax(1) if len(at) else np.zeros(0, np.intp)
        spots = np.stack([at, at - step, at + step], 1)
        ranks = np.full((len(at), 4), np.nan + 0j)
        for row, card in enumerate(table.cards):
            ranks[row, : len(card.ranks)] = _complex(card.ranks[:4]) / template.width
        return cls(
            at, down, log_card, np.exp(log_card), best, spots, ranks, plane, photo, table.size, 1 / template.width,
            np.array([-corner, corner, corner.conjugate(), -corner.conjugate()][: template.corners]),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.at)

    def laid(self, warp: Array | None = None) -> _Laid:
        """The cards in another plane, or in their own."""
        own = _Laid(self.at, self.down, self.spots, self.ranks)
        return own if warp is None else own.moved(warp)

    def of_film(self, is_partial: bool) -> _Cloud:
        """The same as a frame of a film: an index nearly as long as those that the frame has is hardly missed."""
        if not len(self) or is_partial:
            return replace(self, expected_px=np.inf)
        ends = project(self.photo, _as_xy(np.stack([self.at, self.at + self.index * self.down])))
        usual = float(np.median(np.linalg.norm(ends[1] - ends[0], axis=-1)))
        return replace(self, expected_px=min(TUNING.expected_index_px, TUNING.expected_film_share * usual))

    def shows(self, cards: _Laid) -> NDArray[np.bool_]:
        """Whether cards in the photo's own plane lie whole in the photo, and large enough to be read there."""
        if not len(cards.at):
            return np.zeros(0, np.bool_)
        ends = np.concatenate([cards.spots, (cards.spots[:, 1] + self.index * cards.down)[:, None]], axis=1)
        points = _as_xy(ends)
        depth = points @ self.photo[2, :2] + self.photo[2, 2]
        px, room = project(self.photo, points), np.array(self.size, float)
        long = np.linalg.norm(px[:, 3] - px[:, 1], axis=-1)
        margin = np.maximum(1.2 * long, 4.0)[:, None, None]
        whole = ((px > margin) & (px < room - margin)).all((1, 2))
        return np.asarray((depth > 0.05).all(1) & whole & (long >= self.expected_px))


@dataclass(frozen=True, eq=False, slots=True)
class _Laid:
    """Cards in some plane: centres, downs, spots and ranks as in `_Cloud`."""

    at: NDArray[np.complex128]
    down: NDArray[np.complex128]
    spots: NDArray[np.complex128]
    ranks: NDArray[np.complex128]

    @property
    def shown(self) -> NDArray[np.intp]:
        """(n,) how many of their indices are seen."""
        return np.asarray((~np.isnan(self.ranks)).sum(1))

    @property
    def lone(self) -> NDArray[np.bool_]:
        """(n,) which of them show a single index."""
        return np.asarray(self.shown < 2)

    @property
    def whole(self) -> NDArray[np.bool_]:
        """(n,) which of them show indices in opposite corners: hardly anything lies on them."""
        ranks = np.where(np.isnan(self.ranks), self.at[:, None], self.ranks)
        far = np.abs(ranks[:, :, None] - ranks[:, None]).max((1, 2))
        return np.asarray(far > TUNING.opposite_share * np.abs(self.spots[:, 1] - self.spots[:, 2]))

    def moved(self, warp: Array) -> _Laid:
        """The cards in another plane."""
        step = 0.5 * self.down
        ends = [(self.at - step)[:, None], (self.at + step)[:, None]]
        moved = _map_points(warp, np.concatenate([self.spots, self.ranks, *ends], axis=1))
        down = moved[:, 8] - moved[:, 7]
        down = down / np.maximum(np.abs(down), 1e-9)
        return _Laid(moved[:, 0], down, moved[:, :3], moved[:, 3:7])


def _invert(matrix: Array) -> Array:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _complex(points: Array) -> NDArray[np.complex128]:
    return np.asarray(points[..., 0] + 1j * points[..., 1])


def _as_xy(points: NDArray[np.complex128]) -> Array:
    return np.stack([points.real, points.imag], -1)


def _map_points(warp: Array, points: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Complex points through a homography (3, 3), as `vision.cards.geometry.project` takes plain ones."""
    (a, b, c), (d, e, f), (g, h, i) = warp.tolist()
    top = complex(a + e, d - b) / 2 * points + complex(a - e, d + b) / 2 * points.conj() + complex(c, f)
    depth = g * points.real + h * points.imag + i
    return np.asarray(top * (1 / np.where(np.abs(depth) < 1e-9, 1e-9, depth)))


# --- two photos ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class _Tie:
    """A way to lay one photo's plane on another's.

    Attributes:
        onto: The photo that stays.
        photo: The photo that is laid on it.
        warp: (3, 3) from the plane of `photo` to that of `onto`.
        weight: What speaks for it, less what speaks against it.
        pairs: Rows of cards that both show, of `onto` and of `photo`.
        rival: Weight of the next best way that lays the photo elsewhere.
    """

    onto: int
    photo: int
    warp: Array
    weight: float
    pairs: Pairs
    rival: float = -np.inf

    @property
    def holds(self) -> bool:
        """Whether it ties the photos: two cards and enough weight."""
        return len(self.pairs) > 1 and self.weight >= TUNING.enough_weight

    @property
    def is_by_picture(self) -> bool:
        """Whether the picture itself tells it, not cards."""
        return not self.pairs

    def turned_round(self) -> _Tie:
        """The same tie, the other photo staying."""
        back = _invert(self.warp)
        return replace(self, onto=self.photo, photo=self.onto, warp=back, pairs=[(j, i) for i, j in self.pairs])


def _same_identity(a: Array, b: Array) -> Array:
    """(n, m) how much likelier reads (n, 52) and (m, 52) are of one identity than of any two."""
    return np.asarray(np.log(52 * (a @ b.T) + 1e-3))


def _find_ties(clouds: Sequence[_Cloud]) -> dict[tuple[int, int], _Tie]:
    """The best tie of each two photos that have one."""
    found = {}
    for onto in range(len(clouds)):
        for photo in range(onto + 1, len(clouds)):
            tie = _find_tie(clouds, onto, photo)
            if tie is not None:
                found[onto, photo] = tie
                found[photo, onto] = tie.turned_round()
    return found


def _find_tie(clouds: Sequence[_Cloud], onto: int, photo: int) -> _Tie | None:
    a, b = clouds[onto], clouds[photo]
    if not len(a) or not len(b):
        return None
    same = _same_identity(a.p, b.p)
    refined = [_refine(a, b, same, guess) for guess in _guesses(a, b, same)]
    ways = sorted((way for way in refined if way is not None), key=lambda way: -way[1])
    if not ways:
        return None
    warp, weight, pairs = ways[0]
    marks = b.at.mean() + np.array([0.0, 3.0])
    apart = [np.abs(_map_points(other, marks) - _map_points(warp, marks)).max() for other, _, _ in ways]
    rival = next((way[1] for way, far in zip(ways, apart, strict=True) if far > TUNING.same_guess_card_widths), -np.inf)
    tie = _Tie(onto, photo, warp, weight, pairs, rival)
    return tie if tie.holds else None


_Guess = tuple[complex, complex, complex]
"""Turn and shift of the other's plane, and the place of the card that says so."""


def _guesses(a: _Cloud, b: _Cloud, same: Array) -> list[_Guess]:
    """Ways to lay b's plane on a's that most cards of equal identity agree on, best first."""
    i, j = np.nonzero(same > TUNING.same_card_weight)
    if not len(i):
        return []
    weight = np.minimum(same[i, j], TUNING.most_agreed_card_weight)
    if len(i) > TUNING.most_pairs:
        surest = np.argsort(-weight, kind="stable")[: TUNING.most_pairs]
        i, j, weight = i[surest], j[surest], weight[surest]
    turn = a.down[i] * b.down[j].conj()
    turn = np.concatenate([turn, -turn])  # a card looks the same upside down
    anchor = np.concatenate([j, j])
    shift = np.concatenate([a.at[i], a.at[i]]) - turn * b.at[anchor]
    off = np.abs(turn[:, None] * b.at[j] + shift[:, None] - a.at[i])
    reach = TUNING.near_card_widths + TUNING.swing_share * np.abs(b.at[anchor][:, None] - b.at[j])
    along = np.abs((a.down[i].conj() * turn[:, None] * b.down[j]).imag)
    votes = np.where((off < reach) & (along < TUNING.most_turn_sine), weight, 0.0).sum(1)
    chosen = _different_guesses(turn, turn * b.at.mean() + shift, votes)
    return [(complex(turn[h]), complex(shift[h]), complex(a.at[i[h % len(i)]])) for h in chosen]


def _different_guesses(turn: NDArray[np.complex128], middle: NDArray[np.complex128], votes: Array) -> list[int]:
    """The guesses with the most votes that differ, by their turns and by where the photo's middle comes to lie."""
    chosen: list[int] = []
    for h in np.argsort(-votes, kind="stable")[: 20 * TUNING.most_guesses].tolist():
        near = np.abs(middle[chosen] - middle[h]) < TUNING.same_guess_card_widths
        if not (near & (np.abs(np.angle(turn[chosen] * turn[h].conj())) < TUNING.same_guess_radians)).any():
            chosen.append(h)
        if len(chosen) == TUNING.most_guesses or votes[h] < max(
            TUNING.enough_weight / 2, TUNING.least_vote_share * votes[chosen[0]]
        ):
            break
    return chosen


def _refine(a: _Cloud, b: _Cloud, same: Array, guess: _Guess) -> tuple[Array, float, Pairs] | None:
    """A guess fitted to all cards that agree with it: the warp, its weight and the cards that both photos show."""
    turn, shift, around = guess
    warp = np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0, 0, 1.0]])
    lying, own, pairs = a.laid(), b.laid(), _Pairs.none()
    for slack in (TUNING.swing_share, TUNING.swing_share / 2, 0.0, 0.0):
        laid, before = own.moved(warp), pairs
        pairs = _match(lying, laid, same, TUNING.one_card_widths + slack * np.abs(laid.at - around))
        if len(pairs.a) < 2:
            return None
        if not pairs.tells_as(before):
            warp = _fit(b, _placing_points(own, pairs.b, pairs.spot_b), _placing_points(lying, pairs.a, pairs.spot_a))
            around = complex(lying.at[pairs.a].mean())
        elif not slack:  # the same cards give the same plane, and would again
            break
    else:
        laid = own.moved(warp)
        pairs = _match(lying, laid, same, np.full(len(b), TUNING.one_card_widths))
    agreed = np.minimum(same[pairs.a, pairs.b], TUNING.most_agreed_card_weight)
    missing = a.shows(laid) & ~_mask_of(len(b), pairs.b)
    wanted = b.shows(a.laid(_invert(warp))) & ~_mask_of(len(a), pairs.a)
    weight = float(agreed.sum()) + TUNING.unseen_card_weight * float(missing.sum() + wanted.sum())
    return warp, weight, list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def _mask_of(count: int, rows: Sequence[int] | NDArray[np.intp]) -> NDArray[np.bool_]:
    mask = np.zeros(count, np.bool_)
    mask[list(rows)] = True
    return mask


@dataclass(frozen=True, eq=False, slots=True)
class _Pairs:
    """Cards of two photos that are one card.

    Attributes:
        a: (k,) rows of the one photo's cards.
        b: (k,) rows of the other's.
        off: (k,) how far apart the two views put it.
        spot_a: (k,) which of its points tells its place best: 0 its centre, 1 to 4 an index.
        spot_b: (k,) the same point in the other view.
    """

    a: NDArray[np.intp]
    b: NDArray[np.intp]
    off: Array
    spot_a: NDArray[np.intp]
    spot_b: NDArray[np.intp]

    @classmethod
    def none(cls) -> _Pairs:
        empty = np.zeros(0, np.intp)
        return cls(empty, empty, np.zeros(0), empty, empty)

    def tells_as(self, other: _Pairs) -> bool:
        """Whether another matching has the same cards, placed by the same of their points."""
        if len(self.a) != len(other.a):
            return False
        own, theirs = (np.stack([pairs.b, pairs.a, pairs.spot_b, pairs.spot_a]) for pairs in (self, other))
        return bool((own[:, self.b.argsort()] == theirs[:, other.b.argsort()]).all())


def _placing_points(laid: _Laid, rows: NDArray[np.intp], spots: NDArray[np.intp]) -> NDArray[np.complex128]:
    """For each pair of views, the points (k,) that are compared."""
    every = np.concatenate([laid.at[:, None], laid.ranks], axis=1)
    return np.asarray(every[rows, spots])


def _compare_views(
    a: _Laid, b: _Laid, i: NDArray[np.intp], j: NDArray[np.intp]
) -> tuple[Array, NDArray[np.intp], NDArray[np.intp]]:
    """How far apart views lie, by their centres or by an index that both show, and by which points."""
    far = np.abs(a.ranks[i][:, :, None] - b.ranks[j][:, None, :]).reshape(len(i), 16)
    far = np.where(np.isnan(far), np.inf, far)
    best = far.argmin(1)
    index, centre = far[np.arange(len(i)), best], np.abs(a.at[i] - b.at[j])
    by_index = (index < centre - 0.05) | ((a.lone[i] | b.lone[j]) & (index < centre + 0.1))
    spots = np.where(by_index, 1 + best // 4, 0), np.where(by_index, 1 + best % 4, 0)
    return np.where(by_index, index, centre), *spots


def _match(a: _Laid, b: _Laid, same: Array, reach: Array) -> _Pairs:
    """Cards of two photos in one plane that are one card, each in one pair at most, the surest first.

    Args:
        a: The one photo's cards, n of them.
        b: The other's, m of them.
        same: (n, m) how much their reads speak for one identity.
        reach: (m,) how far the other's may lie off; what lies on the very same spot may also be misread.
    """
    centre = np.abs(a.at[:, None] - b.at[None])
    i, j = np.nonzero(
        ((same > TUNING.same_card_weight) & (centre < reach + TUNING.wrong_side_card_widths))
        | (centre < 2 * TUNING.misread_card_widths)
    )
    if not len(i):
        return _Pairs.none()
    off, spot_a, spot_b = _compare_views(a, b, i, j)
    turned = np.abs((a.down[i].conj() * b.down[j]).imag)
    free = np.where(a.lone[i] | b.lone[j], TUNING.most_turn_sine_of_single_index, TUNING.most_turn_sine)
    named = (same[i, j] > TUNING.same_card_weight) & (off < reach[j]) & (turned < free)
    misread = (off < TUNING.misread_card_widths) & (centre[i, j] < 2 * TUNING.misread_card_widths) & (turned < free / 2)
    gain = np.minimum(same[i, j], TUNING.most_agreed_card_weight) - 4 * off / reach[j] - np.where(named, 0.0, 20.0)
    fits = np.flatnonzero(named | misread)
    ranked = fits[np.argsort(-gain[fits], kind="stable")]
    rows = ranked[_free_pairs(list(zip(i[ranked].tolist(), j[ranked].tolist(), strict=True)))]
    return _Pairs(i[rows], j[rows], off[rows], spot_a[rows], spot_b[rows])


def _match_misread(a: _Laid, b: _Laid, left: NDArray[np.bool_], fresh: NDArray[np.bool_]) -> Pairs:
    """What two photos read as two cards on one spot, of which one shows a single index, or which both show whole.

    Args:
        a: Cards of the one photo, n of them.
        b: Cards of the other, m of them, in the same plane.
        left: (n,) cards of the one photo that are no card of the other, as far as they were compared.
        fresh: (m,) the same of the other photo. Only two of them that are nearest to each other are one card.
    """
    i, j = np.nonzero(
        left[:, None] & fresh[None] & (np.abs(a.at[:, None] - b.at[None]) < 2 * TUNING.misread_cut_card_widths)
    )
    if not len(i):
        return []
    off, _, _ = _compare_views(a, b, i, j)
    turned = np.abs((a.down[i].conj() * b.down[j]).imag)
    far = np.full((len(a.at), len(b.at)), np.inf)
    plain = a.lone[i] | b.lone[j] | (a.whole[i] & b.whole[j])
    far[i, j] = np.where(plain & (turned < TUNING.most_turn_sine_of_single_index / 2), off, np.inf)
    best = far.argmin(0)
    return [
        (int(k), row)
        for row, k in enumerate(best)
        if far[k, row] < TUNING.misread_cut_card_widths and far[k].argmin() == row
    ]


def _fit(
    cloud: _Cloud,
    points: NDArray[np.complex128],
    targets: NDArray[np.complex128],
    rounds: int = 3,
    *,
    noise_widths: float = TUNING.place_card_widths,
    loose: float = 1.0,
) -> Array:
    """The homography (3, 3) that lays points of a photo's plane on targets, hardly distorted where few of them tell.

    Turn and shift are free, size nearly given; stretch, shear and perspective are expected to be small over the reach
    of all the photo's cards, so that a few cards at its edge do not bend the rest of it. `loose` expects them to be so
    many times larger, and a point tells its place to `noise_widths`, card widths.
    """
    middle = cloud.at.mean()
    reach = max(float(np.sqrt((np.abs(cloud.at - middle) ** 2).mean())), 1.5)
    z, v = (points - middle) / reach, targets / reach
    weight = np.ones(len(z))
    centre, turn = _similarity(z, v, weight)
    noise = noise_widths / reach
    # unknown: s, r (turn and size), e, f (stretch, shear), shift x and y, g, h (perspective); first all x, then all y
    x, y = z.real, z.imag
    rows = np.zeros((2, len(z), 8))
    rows[0, :, 0], rows[0, :, 1], rows[0, :, 2], rows[0, :, 3], rows[0, :, 4] = x, -y, x, y, 1
    rows[1, :, 0], rows[1, :, 1], rows[1, :, 2], rows[1, :, 3], rows[1, :, 5] = y, x, -y, x, 1
    prior = np.diag(np.array([0, 0, 1, 1, 0, 0, 1, 1]) / (loose * TUNING.stretch_share) ** 2)
    scale_share = loose * TUNING.scale_share
    for round_ in range(rounds):
        u = v - centre
        wanted = np.stack([u.real, u.imag])
        rows[:, :, 6], rows[:, :, 7] = -wanted * x, -wanted * y
        weighed = rows * (weight / noise**2)[None, :, None]
        direction = np.array([turn.real, turn.imag]) / abs(turn)
        known = prior + 1e-9 * np.eye(8)
        known[:2, :2] += np.outer(direction, direction) / scale_share**2
        given = (weighed * wanted[:, :, None]).sum((0, 1))
        given[:2] += direction / scale_share**2
        square = weighed.reshape(-1, 8).T @ rows.reshape(-1, 8) + known
        s, r, e, f, tx, ty, g, h = np.linalg.solve(square, given).tolist()
        warp = np.array([[s + e, -r + f, tx], [r + f, s - e, ty], [g, h, 1.0]])
        off = np.abs(_map_points(warp, z) - u) / noise
        weight, turn = 1 / (1 + (off / 2.5) ** 2), complex(s, r)
        if round_ == 0:  # perspective is small about the middle of the photo, not about any other point
            centre += complex(tx, ty)
    grow = np.array([[reach, 0, reach * centre.real], [0, reach, reach * centre.imag], [0, 0, 1]])
    shrink = np.array([[1 / reach, 0, -middle.real / reach], [0, 1 / reach, -middle.imag / reach], [0, 0, 1]])
    return np.asarray(grow @ warp @ shrink)


def _similarity(z: NDArray[np.complex128], v: NDArray[np.complex128], weight: Array) -> tuple[complex, complex]:
    """Where 0 comes to lie, and turn and size as a complex number, of the best v = turn z + shift."""
    share = weight / weight.sum()
    mz, mv = (share * z).sum(), (share * v).sum()
    spread = (share * np.abs(z - mz) ** 2).sum()
    turn = (share * (z - mz).conj() * (v - mv)).sum() / max(float(spread), 1e-12)
    turn = turn if abs(turn) > 1e-6 else 1.0
    return complex(mv - turn * mz), complex(turn)


# --- photos that the picture ties ------------------------------------------------------------------------------------

_PlanePoints = Mapping[tuple[int, int], tuple[NDArray[np.complex128], NDArray[np.complex128]]]
"""For two photos, points of the one's plane and the same points of the table in the other's."""


def _points_in_planes(clouds: Sequence[_Cloud], same_points: SamePoints) -> _PlanePoints:
    """The points in the planes of photos that show cards; without them there is no plane."""
    return {
        (one, other): (_complex(project(clouds[one].plane, here)), _complex(project(clouds[other].plane, there)))
        for (one, other), (here, there) in same_points.items()
        if len(clouds[one]) and len(clouds[other])
    }


def _points_of_same_cards(clouds: Sequence[_Cloud], points: _PlanePoints) -> _PlanePoints:
    """The points without those of two photos whose cards say that the picture is wrong: rows of cards look alike."""
    return {photos: both for photos, both in points.items() if not _cards_deny(clouds, photos, both)}


def _cards_deny(
    clouds: Sequence[_Cloud], photos: tuple[int, int], points: tuple[NDArray[np.complex128], NDArray[np.complex128]]
) -> bool:
    """Whether two photos, laid on each other by points, hardly show one card at the same place."""
    a, b = (clouds[photo] for photo in photos)
    warp = _fit(b, points[1], points[0], noise_widths=TUNING.point_card_widths, loose=TUNING.loose_by_points)
    lying, laid = a.laid(), b.laid(warp)
    same = _same_identity(a.p, b.p)
    pairs = _match(lying, laid, same, np.full(len(b), TUNING.one_card_widths))
    agreeing = int((same[pairs.a, pairs.b] > TUNING.same_card_weight).sum())
    missing = a.shows(laid) & ~_mask_of(len(b), pairs.b)
    wanted = b.shows(a.laid(_invert(warp))) & ~_mask_of(len(a), pairs.a)
    against = len(pairs.a) - agreeing + int(missing.sum() + wanted.sum())
    return against >= TUNING.fewest_denying and agreeing < TUNING.least_agreeing_share * against


def _ties_by_points(clouds: Sequence[_Cloud], points: _PlanePoints) -> dict[tuple[int, int], _Tie]:
    """The ties that the picture tells; photos between which none of them leads are tied by their cards."""
    found = {}
    for (onto, photo), (here, there) in points.items():
        warp = _fit(clouds[photo], there, here, noise_widths=TUNING.point_card_widths, loose=TUNING.loose_by_points)
        tie = _Tie(onto, photo, warp, 4.0 * len(here), [])
        found[onto, photo], found[photo, onto] = tie, tie.turned_round()
    runs = groups(_linked(len(clouds), found))
    run_of = {photo: number for number, run in enumerate(runs) for photo in run}
    for onto in range(len(clouds)):
        for photo in range(onto + 1, len(clouds)):
            if run_of[onto] != run_of[photo] and (tie_of_cards := _find_tie(clouds, onto, photo)) is not None:
                found[onto, photo], found[photo, onto] = tie_of_cards, tie_of_cards.turned_round()
    return found


def _linked(count: int, ties: Collection[tuple[int, int]]) -> NDArray[np.bool_]:
    """(count, count) which photos a tie joins."""
    linked = np.zeros((count, count), np.bool_)
    for onto, photo in ties:
        linked[onto, photo] = True
    return linked


def _adjust_all(
    clouds: Sequence[_Cloud], chain: Sequence[tuple[int, _Tie | None]], points: _PlanePoints
) -> dict[int, Array]:
    """The warp (3, 3) of each joined photo's plane to that of the first one, all adjusted together.

    First by the points of the picture, then by the cards too that photos show in common.
    """
    warps: dict[int, Array] = {}
    for photo, tie in chain:
        warps[photo] = np.eye(3) if tie is None else warps[tie.onto] @ tie.warp
    if len(warps) < 2:
        return warps
    order = list(warps)
    known = [
        _Common(one, other, *both, TUNING.point_card_widths)
        for (one, other), both in points.items()
        if one in warps and other in warps
    ]
    warps = _adjust(clouds, warps, known)
    union = _unite(clouds, order, warps, may_move=False)
    for photo in order:
        for other, views in _shared_views(union, photo).items():
            if other < photo:
                rows, theirs = (np.array(part, np.intp) for part in zip(*views, strict=True))
                _, own, their = _compare_views(union.laid[photo], union.laid[other], rows, theirs)
                here = _placing_points(clouds[photo].laid(), rows, own)
                there = _placing_points(clouds[other].laid(), theirs, their)
                known.append(_Common(photo, other, here, there, TUNING.place_card_widths))
    return _adjust(clouds, warps, known)


@dataclass(frozen=True, eq=False, slots=True)
class _Common:
    """What two photos have in common.

    Attributes:
        one: A photo.
        other: Another one.
        here: Points of the one's plane.
        there: The same points of the table in the other's plane.
        noise: How exactly they tell it, card widths.
    """

    one: int
    other: int
    here: NDArray[np.complex128]
    there: NDArray[np.complex128]
    noise: float


_PARAMETERS: Final = 8
"""Of how a plane lies: shift x and y; turn and size s, r; stretch and shear e, f; perspective g, h. A point z of the
plane, from its middle and as a share of its reach, lies at shift + reach * M z / (1 + g x + h y), where M is
((s + e, -r + f), (r + f, s - e))."""


def _adjust(
    clouds: Sequence[_Cloud], warps: Mapping[int, Array], known: Sequence[_Common], steps: int = 6
) -> dict[int, Array]:
    """The warps that suit everything best that two photos have in common, by robust Gauss-Newton steps.

    As in `_fit`, stretch, shear and perspective are expected to be small: each photo knows its own plane. The first
    photo stays where it is but for these.
    """
    order = {photo: n for n, photo in enumerate(warps)}
    middles = np.array([clouds[photo].at.mean() for photo in order])
    reaches = np.array([_reach(clouds[photo]) for photo in order])
    guess = np.array([_to_parameters(warps[photo], m, r) for photo, m, r in zip(order, middles, reaches, strict=True)])
    rows = [(order[common.one], order[common.other]) for common in known]
    shares = [
        ((common.here - middles[i]) / reaches[i], (common.there - middles[j]) / reaches[j])
        for (i, j), common in zip(rows, known, strict=True)
    ]
    count = len(order) * _PARAMETERS
    for _ in range(steps):
        normal, right = _expectations(clouds, list(order), guess)
        for (i, j), (here, there), common in zip(rows, shares, known, strict=True):
            at, slope = _place(guess[i], here, reaches[i])
            other_at, other_slope = _place(guess[j], there, reaches[j])
            off = at - other_at
            weight = 1 / (1 + (np.abs(off) / (2.5 * common.noise)) ** 2) / common.noise**2
            jacobian = np.concatenate([slope, -other_slope], axis=2)
            weighed = jacobian * weight[None, :, None]
            own = np.r_[i * _PARAMETERS : (i + 1) * _PARAMETERS, j * _PARAMETERS : (j + 1) * _PARAMETERS]
            normal[np.ix_(own, own)] += np.einsum("ckp,ckq->pq", weighed, jacobian)
            right[own] -= np.einsum("ckp,ck->p", weighed, np.stack([off.real, off.imag]))
        step = np.linalg.solve(normal + 1e-9 * np.eye(count), right)
        guess = guess + step.reshape(-1, _PARAMETERS)
        if np.abs(step).max() < 1e-4:
            break
    return {photo: _from_parameters(guess[n], middles[n], float(reaches[n])) for n, photo in enumerate(order)}


def _reach(cloud: _Cloud) -> float:
    """How far a photo's cards lie from their middle, typically."""
    return max(float(np.sqrt((np.abs(cloud.at - cloud.at.mean()) ** 2).mean())), 1.5)


def _expectations(clouds: Sequence[_Cloud], order: Sequence[int], guess: Array) -> tuple[Array, Array]:
    """Normal matrix and right side of what is expected of the planes of photos before anything is in common."""
    count = len(order) * _PARAMETERS
    normal, right = np.zeros((count, count)), np.zeros(count)
    for n, photo in enumerate(order):
        loose = np.hypot(1.0, TUNING.planed_cards / len(clouds[photo]))
        first = n * _PARAMETERS
        size = float(np.hypot(*guess[n, 2:4]))
        direction = guess[n, 2:4] / size
        tight = 1 / (TUNING.scale_share * loose) ** 2
        normal[first + 2 : first + 4, first + 2 : first + 4] += tight * np.outer(direction, direction)
        right[first + 2 : first + 4] += tight * (1 - size) * direction
        small = 1 / (TUNING.stretch_share * loose) ** 2
        for k in range(4, 8):
            normal[first + k, first + k] += small
            right[first + k] -= small * guess[n, k]
        if n == 0:
            for k in range(4):
                normal[k, k] += 1e8
    return normal, right


def _place(parameters: Array, z: NDArray[np.complex128], reach: float) -> tuple[NDArray[np.complex128], Array]:
    """Where points lie, and how that changes with each parameter: (2, n, 8), first all x, then all y."""
    tx, ty, s, r, e, f, g, h = parameters
    x, y = z.real, z.imag
    depth = 1 + g * x + h * y
    depth = np.where(np.abs(depth) < 0.05, 0.05, depth)
    u = reach * np.stack([(s + e) * x + (f - r) * y, (r + f) * x + (s - e) * y]) / depth
    slope = np.zeros((2, len(z), _PARAMETERS))
    slope[0, :, 0] = slope[1, :, 1] = 1
    near = reach / depth
    slope[0, :, 2], slope[0, :, 3], slope[0, :, 4], slope[0, :, 5] = near * x, -near * y, near * x, near * y
    slope[1, :, 2], slope[1, :, 3], slope[1, :, 4], slope[1, :, 5] = near * y, near * x, -near * y, near * x
    slope[:, :, 6], slope[:, :, 7] = -u * x / depth, -u * y / depth
    return np.asarray(u[0] + tx + 1j * (u[1] + ty)), slope


def _to_parameters(warp: Array, middle: complex, reach: float) -> Array:
    grow = np.array([[reach, 0, middle.real], [0, reach, middle.imag], [0, 0, 1]])
    matrix = warp @ grow
    matrix = matrix / matrix[2, 2]
    shift, slant = matrix[:2, 2], matrix[2, :2]
    (a, b), (c, d) = (matrix[:2, :2] - np.outer(shift, slant)) / reach
    return np.array([*shift, (a + d) / 2, (c - b) / 2, (a - d) / 2, (b + c) / 2, *slant])


def _from_parameters(parameters: Array, middle: complex, reach: float) -> Array:
    tx, ty, s, r, e, f, g, h = parameters
    linear = reach * np.array([[s + e, f - r], [r + f, s - e]]) + np.outer([tx, ty], [g, h])
    matrix = np.array([[*linear[0], tx], [*linear[1], ty], [g, h, 1.0]])
    shrink = np.array([[1 / reach, 0, -middle.real / reach], [0, 1 / reach, -middle.imag / reach], [0, 0, 1]])
    return np.asarray(matrix @ shrink)


def _leave_out_lone(
    tables: Sequence[SeenTable], clouds: Sequence[_Cloud], union: _Union, warps: Mapping[int, Array]
) -> None:
    """Leaves out cards that hardly any of the photos show that ought to: what a single frame shows is no card.

    What few frames take for another card than the others do, at its very place, is a sight of that card. So is a card
    that some frames put a card's width beside where others see it: they show one side of it.
    """
    union.join_groups(groups(_misread_at_one_place(union)))
    union.join_groups(groups(_seen_by_turns(union)))
    chances, others = _card_chances(tables, clouds, union, warps), _ink_of_others(union)
    union.keep([k for k, chance in enumerate(chances) if chance >= TUNING.fewest_kept_chance and k not in others])


def _misread_at_one_place(union: _Union) -> NDArray[np.bool_]:
    """(n, n) which cards of the union are one: on one spot, and no photo shows them side by side."""
    cards, count = union.cards(), len(union.members)
    photos = [{photo for photo, _ in members} for members in union.members]
    near = np.abs(cards.at[:, None] - cards.at[None]) < TUNING.misread_film_card_widths
    near &= np.abs((cards.down[:, None].conj() * cards.down[None]).imag) < TUNING.most_turn_sine
    alike = np.zeros((count, count), np.bool_)
    for k, other in _true_pairs(np.triu(near, 1)):
        few, many = sorted((len(photos[k]), len(photos[other])))
        same_ink = abs(cards.at[k] - cards.at[other]) < TUNING.misread_card_widths
        if few * 2 <= many and (same_ink or not photos[k] & photos[other]):
            alike[k, other] = alike[other, k] = True
    return alike


def _ink_of_others(union: _Union) -> set[int]:
    """The cards of a union that are an index of another one, half covered and misread where that one was not whole.

    No photo shows more of such a card than that index. As many photos of the other, which more photos show, have it as
    their second one: a single frame may take the indices of two cards for those of one.
    """
    cards, found = union.cards(), set[int]()
    ranks = [[union.laid[photo].ranks[row] for photo, row in members] for members in union.members]
    inks = [[view[~np.isnan(view)] for view in views] for views in ranks]
    for k, other in _true_pairs(np.abs(cards.at[:, None] - cards.at[None]) < TUNING.misread_cut_card_widths):
        own = np.concatenate(inks[k])
        whole = [ink for ink in inks[other] if len(ink) > 1]
        if k == other or not 0 < len(own) <= len(inks[k]) or not whole or len(inks[other]) <= len(inks[k]):
            continue
        far = np.array([np.abs(own[:, None] - ink[None]).min(1).max() for ink in whole])
        if (far < TUNING.misread_card_widths).sum() >= len(inks[k]):
            found.add(k)
    return found


def _seen_by_turns(union: _Union) -> NDArray[np.bool_]:
    """(n, n) which cards of the union are one: of one identity and nearer than two copies lie.

    Hardly any of the photos that show the one show the other too: of two copies most would show both.
    """
    cards, p = union.cards(), np.exp(union.log_card())
    photos = [{photo for photo, _ in members} for members in union.members]
    near = np.abs(cards.at[:, None] - cards.at[None]) < TUNING.copies_card_widths
    near &= _same_identity(p, p) > TUNING.same_card_elsewhere_weight
    alike = np.zeros(near.shape, np.bool_)
    for k, other in _true_pairs(np.triu(near, 1)):
        both, (few, many) = photos[k] & photos[other], sorted((len(photos[k]), len(photos[other])))
        alike[k, other] = alike[other, k] = not both or few * 2 < many
    return alike


# --- all photos ------------------------------------------------------------------------------------------------------


def _order_photos(clouds: Sequence[_Cloud], ties: Mapping[tuple[int, int], _Tie]) -> list[tuple[int, _Tie | None]]:
    """Photos in the order in which they join, each with the tie to one before it: the strongest ties first."""
    sums = [sum(tie.weight for (onto, _), tie in ties.items() if onto == n) for n in range(len(clouds))]
    start = max(range(len(clouds)), key=lambda n: (sums[n], len(clouds[n]), -n))
    chain: list[tuple[int, _Tie | None]] = [(start, None)]
    chained: set[int] = {start}
    while True:
        possible = [tie for (onto, photo), tie in ties.items() if onto in chained and photo not in chained]
        if not possible:
            return chain
        best = max(possible, key=lambda tie: tie.weight)
        chain.append((best.photo, best))
        chained.add(best.photo)


@dataclass(eq=False, slots=True)
class _Union:
    """The cards of all joined photos in one plane, while they are put together.

    Attributes:
        members: The views of each card.
        reads: Each card's reads, (52,) log-probabilities each.
        laid: Where each photo's cards lie in the plane.
        moved: Card, photo and row where a view shows a card elsewhere than the others: it was moved.
        unsure: The same where it may as well be the other copy.
        loose: Views that were taken for one card though they lie rather far apart.
    """

    members: list[list[View]] = field(default_factory=list)
    reads: list[list[Array]] = field(default_factory=list)
    laid: dict[int, _Laid] = field(default_factory=dict)
    moved: list[tuple[int, int, int]] = field(default_factory=list)
    unsure: list[tuple[int, int, int]] = field(default_factory=list)
    loose: list[frozenset[View]] = field(default_factory=list)

    def log_card(self) -> Array:
        """(n, 52) the weighed reads of all cards."""
        log = np.array(
            [
                mix_opinions(reads) if disputed else _weigh_reads(reads)
                for reads, disputed in zip(self.reads, self.disputed(), strict=True)
            ]
        ).reshape(-1, 52)
        log -= log.max(1, keepdims=True)
        return np.asarray(log - np.log(np.exp(log).sum(1, keepdims=True)))

    def disputed(self) -> list[tuple[int, ...]]:
        """The identities of which different photos are sure, of each card."""
        return [disputed_cards(reads) for reads in self.reads]

    def keep(self, rows: Sequence[int]) -> None:
        """Leaves out all other cards."""
        place = {k: number for number, k in enumerate(rows)}
        self.members = [self.members[k] for k in rows]
        self.reads = [self.reads[k] for k in rows]
        self.moved = [(place[k], photo, row) for k, photo, row in self.moved if k in place]
        self.unsure = [(place[k], photo, row) for k, photo, row in self.unsure if k in place]

    def join_groups(self, heaps: Sequence[Sequence[int]]) -> None:
        """Makes one card of the cards of each group."""
        place = {k: number for number, heap in enumerate(heaps) for k in heap}
        self.members = [[view for k in heap for view in self.members[k]] for heap in heaps]
        self.reads = [[read for k in heap for read in self.reads[k]] for heap in heaps]
        self.moved = [(place[k], photo, row) for k, photo, row in self.moved]
        self.unsure = [(place[k], photo, row) for k, photo, row in self.unsure]

    def cards(self) -> _Laid:
        """All cards, each as the first of the photos has it that show most of its indices."""
        shown = {photo: laid.shown for photo, laid in self.laid.items()}
        chosen = [max(members, key=lambda view: int(shown[view[0]][view[1]])) for members in self.members]
        photos = {photo: n for n, photo in enumerate(self.laid)}
        starts = np.cumsum([0, *(len(laid.at) for laid in self.laid.values())])
        rows = [int(starts[photos[photo]]) + row for photo, row in chosen]
        parts = (np.concatenate([getattr(laid, name) for laid in self.laid.values()])[rows] for name in _LAID)
        return _Laid(*parts)


def _weigh_reads(reads: Sequence[Array]) -> Array:
    """(n,) what several reads of one thing, as of one card's 52 identities, say together; not normalised."""
    if len(reads) < 3:
        weight = 1.0 if len(reads) == 1 else ASSEMBLY.second_index_weight
        return np.asarray(weight * np.sum(reads, axis=0))
    wrong = TUNING.wrong_sight_chance
    bounded = np.log((1 - wrong) * np.exp(np.array(reads)) + wrong / len(reads[0]))
    mean = bounded.mean(0)
    independent = min(1 + TUNING.sight_weight * (len(reads) - 1), TUNING.most_sights)
    return np.asarray(mean if _contradict(reads, int(mean.argmax())) else independent * mean)


def _contradict(reads: Sequence[Array], said: int) -> bool:
    """Whether several of many reads give another identity than they do together.

    Then what they err by is no chance of a single one: more of them make nothing surer.
    """
    against = sum(int(read.argmax()) != said for read in reads)
    return against >= FEWEST_AGAINST and against >= LEAST_SHARE * len(reads)


_PLACES: Final = 10
"""Places of a strip, along it and across, at which is looked whether they lie in a photo."""
_LAID: Final = ("at", "down", "spots", "ranks")


def _fit_all(clouds: Sequence[_Cloud], chain: Sequence[tuple[int, _Tie | None]]) -> dict[int, Array]:
    """The warp (3, 3) of each joined photo's plane to that of the first one, all fitted to each other."""
    warps: dict[int, Array] = {}
    order: list[int] = []
    for photo, tie in chain:
        warps[photo] = np.eye(3) if tie is None else warps[tie.onto] @ tie.warp
        order.append(photo)
        if len(order) > 2:
            _fit_again(clouds, order, warps, [photo])
    for _ in range(TUNING.sweeps if len(order) > 2 else 0):
        _fit_again(clouds, order, warps, order[1:])
    return warps


def _fit_again(clouds: Sequence[_Cloud], order: Sequence[int], warps: dict[int, Array], photos: Sequence[int]) -> None:
    """Fits photos anew to where the others see the same cards."""
    union = _unite(clouds, order, warps)
    for photo in photos:
        own, targets = [], []
        for other, views in _shared_views(union, photo).items():
            rows, theirs = (np.array(part, np.intp) for part in zip(*views, strict=True))
            _, spot_own, spot_their = _compare_views(union.laid[photo], union.laid[other], rows, theirs)
            own.append(_placing_points(clouds[photo].laid(), rows, spot_own))
            targets.append(_placing_points(union.laid[other], theirs, spot_their))
        if sum(map(len, own)) > 1:
            warps[photo] = _fit(clouds[photo], np.concatenate(own), np.concatenate(targets))


def _shared_views(union: _Union, photo: int) -> dict[int, list[tuple[int, int]]]:
    """For each other photo the rows of the cards that both show and that were not moved: this one's and its own."""
    moved = {(number, row) for _, number, row in union.moved}
    found: dict[int, list[tuple[int, int]]] = {}
    for members in union.members:
        for _, row in (view for view in members if view[0] == photo and view not in moved):
            for other, their_row in members:
                if other != photo:
                    found.setdefault(other, []).append((row, their_row))
    return dict(sorted(found.items()))


def _unite(
    clouds: Sequence[_Cloud],
    order: Sequence[int],
    warps: Mapping[int, Array],
    two: Collection[frozenset[View]] = (),
    *,
    may_move: bool = True,
) -> _Union:
    """Each card of the joined photos once; `two` are views that are not of one card.

    With `may_move` a card that two photos show at different places may have been moved between them.
    """
    union = _Union()
    for photo in order:
        cloud, laid = clouds[photo], clouds[photo].laid(warps[photo])
        pairs = _pairs_with(union, clouds, warps, photo, laid, two, may_move) if union.members and len(cloud) else []
        union.laid[photo] = laid
        for k, row in pairs:
            union.members[k].append((photo, row))
            union.reads[k].append(cloud.log_card[row])
        found = {row for _, row in pairs}
        fresh = [row for row in range(len(cloud)) if row not in found]
        union.members += [[(photo, row)] for row in fresh]
        union.reads += [[cloud.log_card[row]] for row in fresh]
    _merge(union, clouds[0].corners)
    return union


def _merge(union: _Union, corners: NDArray[np.complex128]) -> None:
    """Makes one of what a photo took for two cards: the indices of one card, of which each lies in a corner of its own.

    Two copies that lie on each other, as in a hand, show the same corner each.
    """
    if not union.members:
        return
    cards, p = union.cards(), np.exp(union.log_card())
    near = np.triu(
        (np.abs(cards.at[:, None] - cards.at[None]) < TUNING.copies_card_widths)
        & (_same_identity(p, p) > TUNING.same_card_elsewhere_weight),
        1,
    )
    alike = np.zeros(near.shape, np.bool_)
    for k, other in _true_pairs(near):
        alike[k, other] = alike[other, k] = _is_one(union, cards, corners, (k, other))
    if alike.any():
        union.join_groups(groups(alike))


def _is_one(union: _Union, cards: _Laid, corners: NDArray[np.complex128], pair: tuple[int, int]) -> bool:
    """Whether two cards of a union, of which a photo shows both, have indices in different corners of one place."""
    k, other = sorted(pair, key=lambda n: bool(cards.lone[n]))  # the one whose place is better known first
    spots = cards.at[k] + cards.down[k] * corners
    shared = {photo for photo, _ in union.members[k]} & {photo for photo, _ in union.members[other]}
    for photo in shared:
        own, theirs = (
            np.concatenate([union.laid[photo].ranks[row] for number, row in union.members[n] if number == photo])
            for n in (k, other)
        )
        own, theirs = own[~np.isnan(own)], theirs[~np.isnan(theirs)]
        if len(own) + len(theirs) > len(corners):
            return False
        if (np.abs(own[:, None] - theirs[None]) < 2 * TUNING.corner_card_widths).any():
            return False
        if (np.abs(spots[:, None] - theirs[None]).min(0) > TUNING.corner_card_widths).any():
            return False
    return bool(shared)


def _pairs_with(
    union: _Union,
    clouds: Sequence[_Cloud],
    warps: Mapping[int, Array],
    photo: int,
    laid: _Laid,
    two: Collection[frozenset[View]],
    may_move: bool,
) -> Pairs:
    """Which cards of the union a photo's cards are; cards that were moved are noted in the union."""
    cards = union.cards()
    same = _same_identity(np.exp(union.log_card()), clouds[photo].p)
    for k, row in np.ndindex(same.shape) if two else ():
        if any(frozenset((view, (photo, row))) in two for view in union.members[k]):
            same[k, row] = -np.inf
    found = _match(cards, laid, same, np.full(len(laid.at), TUNING.one_card_widths))
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    far = [pair for pair, off in zip(pairs, found.off, strict=True) if off > TUNING.misread_card_widths]
    union.loose += [frozenset((union.members[k][0], (photo, row))) for k, row in far]
    left, fresh = ~_mask_of(len(cards.at), found.a), ~_mask_of(len(laid.at), found.b)
    for k, row in _match_misread(cards, laid, left, fresh):
        if same[k, row] > -np.inf:
            pairs.append((k, row))
            left[k] = fresh[row] = False
    one = (same > TUNING.same_card_elsewhere_weight) & left[:, None] & fresh[None]
    return pairs + _moved_pairs(union, clouds, warps, photo, laid, one) if may_move and one.any() else pairs


def _moved_pairs(
    union: _Union, clouds: Sequence[_Cloud], warps: Mapping[int, Array], photo: int, laid: _Laid, one: NDArray[np.bool_]
) -> Pairs:
    """Cards that both photos ought to show and each shows elsewhere: they were moved between them.

    Args:
        union: The cards joined so far; what was moved, or may have been, is noted there.
        clouds: The photos' cards.
        warps: Each joined photo's way into the plane.
        photo: The photo that is to join.
        laid: Its cards in the plane.
        one: (cards of the union, cards of the photo) pairs of one identity, of which neither has been found again.
    """
    cards = union.cards()
    lost = clouds[photo].shows(cards.moved(_invert(warps[photo])))
    new = np.zeros(len(laid.at), np.bool_)
    for other in union.laid:
        new |= clouds[other].shows(laid.moved(_invert(warps[other])))
    off = np.abs(cards.at[:, None] - laid.at[None])
    either, both = lost[:, None] | new[None], lost[:, None] & new[None]
    moved = one & (both | (off < TUNING.copies_card_widths) | ((off < TUNING.pushed_card_widths) & either))
    near_first = sorted(_true_pairs(moved), key=lambda at: off[at])
    pairs = [near_first[k] for k in _free_pairs(near_first)]
    union.moved += [(k, photo, row) for k, row in pairs if off[k, row] > TUNING.pushed_card_widths]
    taken_k, taken_row = {k for k, _ in pairs}, {row for _, row in pairs}
    for k, row in _true_pairs(one & either):
        if k not in taken_k and row not in taken_row:
            union.unsure.append((k, photo, row))
    return pairs


def _true_pairs(which: NDArray[np.bool_]) -> Pairs:
    """Row and column numbers of the true entries of a matrix (n, m), as pairs."""
    rows, columns = np.nonzero(which)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _free_pairs(pairs: Pairs) -> NDArray[np.intp]:
    """Which of the pairs have neither of their two in an earlier one that was chosen."""
    taken, taken_other = set[int](), set[int]()
    chosen = []
    for number, (one, other) in enumerate(pairs):
        if one not in taken and other not in taken_other:
            taken.add(one)
            taken_other.add(other)
            chosen.append(number)
    return np.array(chosen, np.intp)


# --- what is put to a person -----------------------------------------------------------------------------------------


def _card_name(card: int) -> str:
    return str(Card.from_index(card))


def _tie_checks(
    chain: Sequence[tuple[int, _Tie | None]], clouds: Sequence[_Cloud], called: Sequence[str]
) -> list[Question]:
    """The questions about doubtful ties by which photos join."""
    return [question for _, tie in chain if tie is not None for question in _doubts(tie, clouds, called)]


def _doubts(tie: _Tie, clouds: Sequence[_Cloud], called: Sequence[str]) -> list[Question]:
    """The question about a tie that has too few cards, one meld that may be there twice, or a rival as good."""
    if tie.is_by_picture:
        return []
    cards = [int(clouds[tie.onto].best[i]) for i, _ in tie.pairs]
    both = f"{called[tie.onto]} and {called[tie.photo]}"
    named = " ".join(_card_name(card) for card in cards[:13])
    one_meld = len({card % 13 for card in cards}) == 1 or len({card // 13 for card in cards}) == 1
    if one_meld:
        text = f"{both} have only {named} in common: please check that these are the same cards, not their copies"
    elif tie.rival > tie.weight - TUNING.rival_weight:
        text = f"{both} fit together in two ways: please check that no card is there twice or left out"
    elif tie.weight < TUNING.plenty_weight:
        text = f"{both} have only {named} in common: please check that no card is there twice or left out"
    else:
        return []
    return [Question(QuestionKind.PHOTOS, text, photos=(tie.onto, tie.photo))]


def _moved_checks(union: _Union, called: Sequence[str]) -> list[Question]:
    """Asks about cards that lie at different places in two photos, once for each two photos."""
    found: dict[tuple[int, int, bool], list[str]] = {}
    for rows, sure in ((union.moved, True), (union.unsure, False)):
        for k, photo, _ in rows:
            first = union.members[k][0][0]
            found.setdefault((first, photo, sure), []).append(_card_name(int(_weigh_reads(union.reads[k]).argmax())))
    questions = []
    for (first, photo, sure), cards in found.items():
        named, both = " ".join(dict.fromkeys(cards)), f"{called[first]} and {called[photo]}"
        said = "taken once" if sure else "taken for two cards"
        text = f"{named} at different places in {both}: {said}; please check whether it was moved"
        questions.append(Question(QuestionKind.PHOTOS, text, photos=(first, photo)))
    return questions


def _why_apart(number: int, clouds: Sequence[_Cloud], warps: Mapping[int, Array], called: Sequence[str]) -> str:
    """Why a photo does not join."""
    if not len(clouds[number]):
        return f"{called[number]} shows no card that can be read"
    if max(len(clouds[other]) for other in warps) == 0:
        return f"{called[number]} has nothing to join: no card was found in the other photos"
    cards = set(clouds[number].best.tolist())
    common = cards & {int(card) for other in warps for card in clouds[other].best}
    if not common:
        return f"{called[number]} shows no card that another photo shows too"
    return (
        f"{called[number]} does not join: no cards that it has in common with another photo lie alike in both; "
        "one that shows some of the same melds would tie them"
    )


# --- the joined table ------------------------------------------------------------------------------------------------


def _nearest_first(tables: Sequence[SeenTable], photos: Collection[int]) -> list[int]:
    """Frames of a film in the order in which their cards are put together.

    From afar the indices of two cards may be taken for those of one. Where nearer frames came before, such a card is
    a sight of one of the two; the first of all, it would be taken for both.
    """
    size = {photo: float(np.median(_clarity(tables[photo]))) if tables[photo].cards else 0.0 for photo in photos}
    return sorted(photos, key=lambda photo: -size[photo])


def _lay_on_map(
    tables: Sequence[SeenTable],
    clouds: Sequence[_Cloud],
    union: _Union,
    warps: Mapping[int, Array],
    template: Template,
    apart: Mapping[int, str],
    checks: Sequence[Question],
) -> Joined:
    """The joined cards and backs as one table, seen from above."""
    grow = np.diag([template.width, template.width, 1.0])
    to_plane = {photo: grow @ warp @ clouds[photo].plane for photo, warp in warps.items()}
    clear = [_clarity(table) for table in tables]
    sights = tuple(tuple(sorted(members, key=lambda sight: -clear[sight[0]][sight[1]])) for members in union.members)
    lying = union.cards()
    centres, downs = _as_xy(lying.at) * template.width, _as_xy(lying.down)
    turn = _up_direction(tables, to_plane)
    size, plane = _fit_map(tables, to_plane, centres, turn, template)
    quads = plane.to_photo(rectangle(centres, downs, template.width, template.height))
    layers = _order_layers(tables, union, centres, downs, template)
    offsets = np.cumsum([0, *(_count_rows(table) for table in tables)])
    cards = []
    chances, log_card = _card_chances(tables, clouds, union, warps), union.log_card()
    for k, disputed in enumerate(union.disputed()):
        photo, best = sights[k][0]
        rows = tuple(int(offsets[photo]) + row for row in tables[photo].cards[best].indices)
        own = [tables[number].cards[row].disputed for number, row in sights[k]]
        disputed = disputed or (own[0] if all(own) else ())  # a photo that is in no doubt settles another's
        pose = centres[k], downs[k], quads[k]
        cards.append(SeenCard(log_card[k], chances[k], rows, *pose, int(layers[k]), disputed=disputed))
    backs, back_sights = _join_backs(tables, to_plane, plane, template)
    table = SeenTable(size, plane, template, tuple(cards), backs)
    counter = _CounterOfPhotos(tables, to_plane, plane)
    if counter.counters:
        table = replace(table, count_backs=counter, is_seen_twice=counter.is_seen_twice)
    inverse = _invert(plane.matrix)
    to_map = tuple(inverse @ to_plane[n] if n in to_plane else None for n in range(len(tables)))
    return Joined(table, sights, back_sights, to_map, apart, tuple(checks))


def stacked_rows(tables: Sequence[SeenTable]) -> list[int]:
    """The row at which each photo's detections begin when those of all photos are stacked."""
    return [int(n) for n in np.cumsum([0, *(_count_rows(table) for table in tables[:-1])])]


def _count_rows(table: SeenTable) -> int:
    """How many detections a photo has: each is a card's index or rejected."""
    return max([*table.rejected, *(row for card in table.cards for row in card.indices)], default=-1) + 1


def _quads(table: SeenTable) -> Array:
    """(n, 4, 2) outlines of a photo's cards, px."""
    return np.array([card.quad for card in table.cards]).reshape(-1, 4, 2)


def _clarity(table: SeenTable) -> Array:
    """(n,) how well a photo shows its cards: their size in it, px, and more where both indices of one are seen."""
    quads = _quads(table)
    whole = np.array([1.2 if len(card.indices) > 1 else 1.0 for card in table.cards])
    return np.asarray(np.linalg.norm(quads[:, 0] - quads[:, 2], axis=-1) * whole)


def _up_direction(tables: Sequence[SeenTable], to_plane: Mapping[int, Array]) -> float:
    """The direction in the plane, as an angle, that is up in most photos; in the first one where they disagree."""
    ups = []
    for photo in sorted(to_plane):
        middle = np.array(tables[photo].size, float) / 2
        if len(tables[photo].cards):
            middle = _quads(tables[photo]).mean((0, 1))
        step = project(to_plane[photo], np.stack([middle, middle - [0, 0.02 * tables[photo].size[1]]]))
        ups.append(complex(*unit(step[1] - step[0])))
    agree = [sum((up * other.conjugate()).real > np.cos(np.pi / 4) for other in ups) for up in ups]
    return float(np.angle(ups[agree.index(max(agree))]))


def _fit_map(
    tables: Sequence[SeenTable], to_plane: Mapping[int, Array], centres: Array, up: float, template: Template
) -> tuple[tuple[int, int], Plane]:
    """Size of the map, px, and the plane that belongs to it: as large as the photos show their cards, upright."""
    quads = np.concatenate([_quads(tables[photo]) for photo in to_plane])
    lengths = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=-1) / template.height
    scale = float(np.median(lengths)) if len(lengths) else 20.0
    cos, sin = np.cos(-np.pi / 2 - up), np.sin(-np.pi / 2 - up)
    turn = np.array([[cos, -sin], [sin, cos]]) * scale
    points = centres if len(centres) else np.zeros((1, 2))
    spread = points @ turn.T
    margin = template.height * scale
    low, high = spread.min(0) - margin, spread.max(0) + margin
    forward = np.eye(3)
    forward[:2, :2], forward[:2, 2] = turn, -low
    size = (int(np.ceil(high[0] - low[0])), int(np.ceil(high[1] - low[1])))
    return size, Plane(_invert(forward))


def _order_layers(
    tables: Sequence[SeenTable], union: _Union, centres: Array, downs: Array, template: Template
) -> NDArray[np.intp]:
    """Painting order of the joined cards from the order in each photo."""
    count = len(union.members)
    if count < 2:
        return np.zeros(count, np.intp)
    overlap = gaps(rectangle(centres, downs, template.width, template.height)) < -0.05
    net = np.zeros((count, count))
    for photo, table in enumerate(tables):
        layer = np.full(count, np.nan)
        for k, members in enumerate(union.members):
            row = next((row for number, row in members if number == photo), None)
            if row is not None:
                layer[k] = table.cards[row].layer
        net += np.nan_to_num(np.sign(layer[:, None] - layer[None]))
    return order_layers(np.where(overlap, net, 0.0))


def _card_chances(
    tables: Sequence[SeenTable], clouds: Sequence[_Cloud], union: _Union, warps: Mapping[int, Array]
) -> list[float]:
    """Probabilities that joined cards are there: photos that show one speak for it, ones that ought to, against."""
    chance = np.array([1 - np.prod([1 - tables[n].cards[row].is_card for n, row in m]) for m in union.members])
    if not len(chance):
        return []
    cards, few = union.cards(), np.array([len({n for n, _ in members}) for members in union.members])
    missing = np.zeros((len(warps), len(chance)), np.bool_)
    for number, photo in enumerate(warps):
        shown = clouds[photo].shows(cards.moved(_invert(warps[photo])))
        missing[number] = shown & ~np.array([photo in dict(members) for members in union.members])
    lacking = missing.sum(0)
    doubted = 1 - TUNING.no_card_chance
    chance = np.where(lacking > 1, np.minimum(chance, 1 - (1 - doubted) ** few), chance)
    factor = np.where((few == 1) | (few < lacking), TUNING.absent_odds_factor ** (1.0 * lacking), 1.0)
    weighed = factor * chance / (1 - chance + factor * chance)
    return [float(p) for p in np.where(factor < 1, weighed, chance)]


def _join_backs(
    tables: Sequence[SeenTable],
    to_plane: Mapping[int, Array],
    plane: Plane,
    template: Template,
) -> tuple[tuple[SeenBack, ...], tuple[tuple[int, int], ...]]:
    """Each heap of face-down cards from the photo that shows most of it, the larger one of two alike.

    Where most photos see none, there is none.
    """
    rows = [(photo, row) for photo in to_plane for row in range(len(tables[photo].backs))]
    if not rows:
        return (), ()
    ends = np.array([_ends_on_map(tables[photo], to_plane[photo], row) for photo, row in rows])
    middles, lying = ends.mean(1), unit(ends[:, 1] - ends[:, 0])
    quads = rectangle(middles, lying, template.width, template.height)
    heaps = groups(gaps(quads) < -0.3 * template.width)
    heaps = [heap for heap in heaps if _is_seen_often([rows[n][0] for n in heap], middles[heap], tables, to_plane)]
    kept = [n for heap in heaps for n in _of_best_photo(tables, [rows[n] for n in heap], heap)]
    backs = []
    for n in kept:
        back = tables[rows[n][0]].backs[rows[n][1]]
        backs.append(replace(back, centre=middles[n], down=lying[n], quad=plane.to_photo(quads[n])))
    return tuple(backs), tuple(rows[n] for n in kept)


def _is_seen_often(
    photos: Sequence[int], middles: Array, tables: Sequence[SeenTable], to_plane: Mapping[int, Array]
) -> bool:
    """Whether enough photos see a heap of face-down cards, of those that show its place."""
    showing = set(photos)
    for photo, matrix in to_plane.items():
        at, size = project(_invert(matrix), middles), np.array(tables[photo].size)
        if ((at > 0.15 * size) & (at < 0.85 * size)).all():
            showing.add(photo)
    return len(set(photos)) >= TUNING.fewest_back_views_share * len(showing)


def _ends_on_map(table: SeenTable, to_plane: Array, row: int) -> Array:
    """(2, 2) two points of a back's long middle axis in the joined plane."""
    back = table.backs[row]
    into = to_plane @ _invert(table.plane.matrix)
    return project(into, np.stack([back.centre - back.down, back.centre + back.down]))


def _of_best_photo(tables: Sequence[SeenTable], views: Sequence[tuple[int, int]], heap: Sequence[int]) -> list[int]:
    """Of a heap's backs, those that the photo with most of them shows; `views` are their photos and rows."""
    own: dict[int, list[int]] = {}
    size: dict[int, float] = {}
    for n, (photo, row) in zip(heap, views, strict=True):
        own.setdefault(photo, []).append(n)
        diagonal = np.subtract(*tables[photo].backs[row].quad[[0, 2]])
        size[photo] = max(size.get(photo, 0.0), float(np.linalg.norm(diagonal)))
    return own[max(own, key=lambda photo: (len(own[photo]), size[photo]))]


class _CounterOfPhotos:
    """Counts face-down cards in all photos that show a strip of the map whole and large; their counts are weighed."""

    def __init__(self, tables: Sequence[SeenTable], to_plane: Mapping[int, Array], plane: Plane) -> None:
        self.counters = {photo: counter for photo in to_plane if (counter := tables[photo].count_backs) is not None}
        self.tables, self.to_plane, self.plane = tables, to_plane, plane

    def __call__(self, regions: Array) -> Array:
        """What `BackCounter.count` says of strips (n, 4, 2) of the map."""
        places, whole, used = self._clear_places(regions)
        reads: list[list[Array]] = [[] for _ in regions]
        for (photo, counter), shown, clear in zip(self.counters.items(), whole | used, used, strict=True):
            # A photo's strips are weighed together: what is too small to count still says how the backs look.
            for row, read in zip(np.flatnonzero(shown), counter(places[photo][shown]), strict=True):
                if clear[row]:
                    reads[row].append(read)
        log = np.array([_weigh_reads(own) for own in reads])
        return np.asarray(log - np.logaddexp.reduce(log, axis=1)[:, None])

    def is_seen_twice(self, regions: Array) -> NDArray[np.bool_]:
        """Whether (n,) two photos or more show a strip clearly."""
        return np.asarray(self._clear_places(regions)[2].sum(0) > 1)

    def _clear_places(self, regions: Array) -> tuple[dict[int, Array], NDArray[np.bool_], NDArray[np.bool_]]:
        """Where each photo has the strips, px; which ones (photos, n) it shows whole, and which clearly."""
        corners = self.plane.from_photo(regions).reshape(-1, 2)
        places = {photo: project(_invert(self.to_plane[photo]), corners).reshape(-1, 4, 2) for photo in self.counters}
        shares = [[_share_inside(quad, self.tables[photo].size) for quad in quads] for photo, quads in places.items()]
        whole = np.array(shares) >= TUNING.whole_strip_share
        lengths = np.array([np.linalg.norm(quads[:, 0] - quads[:, 3], axis=1) for quads in places.values()])
        lengths = np.where(whole, lengths, lengths * 1e-3)  # a photo that cuts a strip counts where no other shows it
        return places, whole, lengths >= TUNING.clear_strip_share * lengths.max(0)


def _share_inside(quad: Array, size: tuple[int, int]) -> float:
    """Share of a strip's places that lie in a photo of this size, px.

    >>> _share_inside(np.array([[-50, 0], [50, 0], [50, 100], [-50, 100]], float), (200, 100))
    0.5
    """
    right, down = (np.arange(_PLACES) + 0.5)[:, None] / _PLACES, (np.arange(_PLACES) + 0.5)[:, None, None] / _PLACES
    upper, lower = quad[0] + right * (quad[1] - quad[0]), quad[3] + right * (quad[2] - quad[3])
    places = upper + down * (lower - upper)
    return float(((places >= 0) & (places <= size)).all(-1).mean())
