"""How likely changes are between two photos of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TurnTuning:
    """How likely changes are between two photos of a table, as log-prices.

    Attributes:
        gone_log_price: Of a card that is no more on the table: rules forbid it, and a missed card looks the same.
        taken_log_price: Of the first one, if it may be in the hand: who breaks a rule takes up one card, and whoever
            compares two photos suspects it.
        broken_log_price: Of a meld that is none.
        lone_log_price: Of a single card that is laid as a meld.
        strange_log_price: Of a card played that is not in the hand that was named.
        played_log_price: Of a card played.
        moved_log_price: Of a floor card that left its meld.
        joined_log_price: Of a card of the cross that joined a meld.
        nothing_log_price: Of a turn that plays nothing.
        laid_log_price: Of a card that is new in the cross, where none may be put: more likely it lies beside it.
        split_log_price: Of a meld that became two, or two that became one, with no other card: no turn needs that.
        legal_bonus: How much more readily the reader takes a meld for a legal one than one does here.
        most_readings: Readings of each photo that are weighed, the likeliest.
        negligible_log_odds: Pairs of tables that are less likely than the best by this are not weighed.
        most_tables: Tables that are weighed for each photo, with what may lie otherwise than it was read.
        parted_log_price: Of a meld that is two in the other photo, where a gap in it is asked about.
        joined_melds_log_price: Of two melds that are one in the other photo, where nothing is asked about them.
        missed_log_price: Of a card of a meld that one photo shows whole, and the other one without it.
        left_out_log_price: Of a card that the photo shows surely, but that is no card, or one seen twice.
        seen_whole_log_price: Of such a card of which two corners were read alike: hardly anything else shows them.
        by_hand_log_price: Of cards that belong to the hand by the other photo, and of a meld that does not.
        upon_log_price: Of a card of the hand that lies upon a meld after the turn, and is no card of that.
        elsewhere_log_price: Of a card that goes on with a meld, and is of another one that lies farther from it.
        loose_log_price: Of a single card on the floor that belongs to a meld beside it, or is one that lies there.
        vanished_log_price: Of a card that left the hand and is seen on the table, but is no card there.
        near_card_widths: The middles of neighbours in a meld are no farther apart.
        as_near_factor: A card that is no farther than this times the nearest one lies as near.
        upon_card_widths: The middles of cards that lie on one another are no farther apart.
        runs_on_steps: A card that goes on with a meld lies no farther from where its next one would, in steps of it.
        beside_card_widths: A card that lies alone beside a meld, side by side, is no farther from it.
        same_card_widths: Two views of one card are no farther apart.
        seen_twice_card_widths: A card without a place that is no farther from its like is that one, by another corner:
            neighbours in a meld are never alike.
        left_out_confidence: How sure it is that a card was played or is gone that the other photo shows, but was left
            out there.
        of_hand_doubt_share: What is left of the doubt about a card that was played, if the hand is known to hold it.
        fewest_gone: Two photos show different tables where so many cards of the first are on the second one no more,
        most_alike_share: and fewer than this share of the smaller table lie alike in both. All cards of a floor stay
            on it, so no legal turn that was read well is taken for that.
    """

    gone_log_price: float = -5.0
    taken_log_price: float = -2.5
    broken_log_price: float = -4.0
    lone_log_price: float = -6.0
    strange_log_price: float = -4.0
    played_log_price: float = -0.7
    moved_log_price: float = -0.7
    joined_log_price: float = -2.0
    nothing_log_price: float = -2.0
    laid_log_price: float = -5.0
    split_log_price: float = -1.0
    legal_bonus: float = 8.0
    most_readings: int = 10
    negligible_log_odds: float = 12.0
    most_tables: int = 30
    parted_log_price: float = -0.5
    joined_melds_log_price: float = -6.0
    missed_log_price: float = -3.0
    left_out_log_price: float = -3.0
    seen_whole_log_price: float = -10.0
    by_hand_log_price: float = -1.5
    upon_log_price: float = -10.0
    elsewhere_log_price: float = -3.0
    loose_log_price: float = -0.5
    vanished_log_price: float = -6.0
    near_card_widths: float = 1.7
    as_near_factor: float = 1.5
    upon_card_widths: float = 0.9
    runs_on_steps: float = 0.5
    beside_card_widths: float = 1.25
    same_card_widths: float = 0.5
    seen_twice_card_widths: float = 1.0
    left_out_confidence: float = 0.5
    of_hand_doubt_share: float = 0.1
    fewest_gone: int = 5
    most_alike_share: float = 0.4


TUNING: Final = TurnTuning()
