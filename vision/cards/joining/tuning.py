"""The numbers by which photos are joined. Lengths are in card widths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.preferences import preferences_of


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
        whole_strip_share: A photo shows a strip of face-down cards of which so much lies in it: few columns reach the
            strip's upper third, which an edge cuts off where a photo just holds the table.
        whole_heap_share: Where one of them shows a heap from its uppermost back on, those count that show so much of
            what it shows.
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
    whole_strip_share: float = 0.65
    whole_heap_share: float = 0.95
    clear_strip_share: float = 0.4
    fewest_kept_chance: float = 0.1
    misread_film_card_widths: float = 0.3
    fewest_back_views_share: float = 0.34


TUNING: Final = JoiningTuning(**preferences_of(__package__))
