"""The numbers by which findings become cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.preferences import preferences_of


@dataclass(frozen=True, slots=True)
class AssemblyTuning:
    """How findings become cards. Lengths are in lengths of an index, from rank to suit.

    Attributes:
        enough_indices: So many indices tell how long an index is in the photo.
        least_index_probability: Indices less likely to be one are left out, unless they complete a card.
        least_doubted_probability: Where doubted cards are asked about, those at least so likely are shown.
        same_ink_lengths: Two findings whose middles lie nearer show the same ink, whatever they read.
        much_weaker_share: A finding is much weaker than another if it has a smaller share of its confidence.
        beside_sine: Two findings lie side by side if the sine between their direction and the way from one to the other
            is larger.
        own_ink_shared: Of two that lie so each has ink of its own where their boxes share less of the smaller one.
        other_card_share: Two that lie so and read differently are two cards where the less sure one has at least this
            share of the other's confidence,
        other_card_lengths: where their middles lie farther apart,
        other_card_chance: and where the chance that both show one card is smaller.
        part_share: Of two findings one shows ink of the other where more of the smaller box lies in the larger one.
        crossed_cosine: Two findings cross where the cosine between their directions is smaller.
        same_back_iou: Two backs whose boxes overlap more are one.
        back_tilts: Directions that are tried for a back among cards that lie anyhow.
        whole_back_log_ratio: A back's box is a whole card's where its sides differ from a card's by less (logarithm).
        neighbour_lengths: How far other findings speak for or against one: a card's other index is nearer.
        index_log_odds: That a finding is an index, before anything speaks for it. This and the next seven are the
            weights of `evidence`. Fitted on rendered scenes of validation decks and on a photo set as
            `python tests/bench/index_chance.py` does it; with the networks of today it proposes others, which read
            validation tables no better.
        reader_weight: Of the reader's log-odds that it is one.
        detector_weight: Of the detector's.
        length_weight: Of how far its length is from all the others'.
        rank_weight: Of the log-odds of its best rank.
        suit_weight: Of those of its best suit.
        doubtful_near_weight: Of how many doubtful findings are near it.
        good_near_weight: Of how many good ones are.
        second_index_weight: Reads of one card's indices are not independent (same deck, same light): each counts this
            much when there are two.
        known_template_log_odds: Where the photo's own pairs tell the deck's offset, two indices that have it are of one
            card: so much beside what their reads say.
        upper_corners_lengths: Two equal indices that point the same way may be of one card where they lie so far apart.
        fewest_upper_pairs: So many cards must show both upper corners to tell that a deck has indices in each,
        fewest_wide_pairs: so many where those lie as far apart as copies side by side would,
        upper_pairs_share: and so many of the photo's indices must be of such pairs.
        same_place_lengths: Two cards are one, of which corners read differently, where their centres lie nearer. On
            rendered tables of training families those of different cards are 0.48 apart or more: else no index shows.
        same_place_cosine: And where the cosine between their directions, either way, is larger.
    """

    index_log_odds: float
    reader_weight: float
    detector_weight: float
    length_weight: float
    rank_weight: float
    suit_weight: float
    doubtful_near_weight: float
    good_near_weight: float
    second_index_weight: float
    known_template_log_odds: float
    enough_indices: int = 3
    least_index_probability: float = 0.5
    least_doubted_probability: float = 0.15
    same_ink_lengths: float = 0.5
    much_weaker_share: float = 0.75
    beside_sine: float = 0.8
    own_ink_shared: float = 0.1
    other_card_share: float = 0.5
    other_card_lengths: float = 0.25
    other_card_chance: float = 0.03
    part_share: float = 0.75
    crossed_cosine: float = 0.8
    same_back_iou: float = 0.45
    back_tilts: int = 36
    whole_back_log_ratio: float = 0.22
    neighbour_lengths: float = 9.0
    upper_corners_lengths: tuple[float, float] = (1.6, 12.5)
    fewest_upper_pairs: int = 3
    fewest_wide_pairs: int = 5
    upper_pairs_share: float = 0.35
    same_place_lengths: float = 0.35
    same_place_cosine: float = 0.98

    @property
    def index_weights(self) -> tuple[float, ...]:
        """The weights of the columns of `evidence`."""
        return (
            self.index_log_odds,
            self.reader_weight,
            self.detector_weight,
            self.length_weight,
            self.rank_weight,
            self.suit_weight,
            self.doubtful_near_weight,
            self.good_near_weight,
        )


TUNING: Final = AssemblyTuning(**preferences_of(__package__))
