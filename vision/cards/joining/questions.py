"""What a person is asked about joined photos: doubtful ties, cards that were moved, photos that do not join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solver.cards import Card
from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.photo_ties import Chain, PhotoTie
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.united_cards import UnitedCards
from vision.cards.joining.weighed_reads import weigh_reads
from vision.question import MOVED, Question, QuestionKind


def tie_checks(chain: Chain, clouds: Sequence[Cloud], called: Sequence[str], decks: int) -> list[Question]:
    """The questions about doubtful ties by which photos join, where a table has so many decks of cards."""
    return [question for _, tie in chain if tie is not None for question in _doubts(tie, clouds, called, decks)]


def _doubts(tie: PhotoTie, clouds: Sequence[Cloud], called: Sequence[str], decks: int) -> list[Question]:
    """The question about a tie that has too few cards, one meld that may be there twice, or a rival as good."""
    if tie.is_by_picture:
        return []
    cards = [int(clouds[tie.onto].best[i]) for i, _ in tie.pairs]
    both = f"{called[tie.onto]} and {called[tie.photo]}"
    named = " ".join(_card_name(card) for card in cards[:13])
    one_meld = len({card % 13 for card in cards}) == 1 or len({card // 13 for card in cards}) == 1
    if one_meld and decks > 1:
        text = f"{both} have only {named} in common: please check that these are the same cards, not their copies"
    elif tie.rival > tie.weight - TUNING.rival_weight:
        text = f"{both} fit together in two ways: please check that no card is there twice or left out"
    elif tie.weight < TUNING.plenty_weight:
        text = f"{both} have only {named} in common: please check that no card is there twice or left out"
    else:
        return []
    return [Question(QuestionKind.PHOTOS, text, photos=(tie.onto, tie.photo))]


def moved_checks(union: UnitedCards, called: Sequence[str]) -> list[Question]:
    """Asks about cards that lie at different places in two photos, once for each two photos."""
    found: dict[tuple[int, int, bool], list[str]] = {}
    for rows, sure in ((union.moved, True), (union.unsure, False)):
        for k, photo, _ in rows:
            first, second = sorted((union.members[k][0][0], photo))
            found.setdefault((first, second, sure), []).append(_card_name(int(weigh_reads(union.reads[k]).argmax())))
    questions = []
    for (first, photo, sure), cards in found.items():
        moved, both = tuple(dict.fromkeys(cards)), f"{called[first]} and {called[photo]}"
        said = "taken for one card that was moved" if sure else "taken for two cards"
        text = f"{' '.join(moved)} at different places in {both}: {said}; is that right?"
        questions.append(Question(QuestionKind.PHOTOS, text, choices=MOVED, photos=(first, photo), moved=moved))
    return questions


def ask_about_apart(
    number: int, clouds: Sequence[Cloud], warps: Mapping[int, Array], called: Sequence[str]
) -> Question:
    """The question about a photo that does not join: why it does not."""
    common = set(clouds[number].best.tolist()) & {int(card) for other in warps for card in clouds[other].best}
    if not len(clouds[number]):
        why = "shows no card that can be read"
    elif max(len(clouds[other]) for other in warps) == 0:
        why = "has nothing to join: no card was found in the other photos"
    elif not common:
        why = "shows no card that another photo shows too"
    else:
        why = "does not join: the same cards lie in other places in it. "
        why += "Unless it shows another table, one more photo with a part of both would help"
    moved = tuple(_card_name(card) for card in sorted(common))
    return Question(QuestionKind.APART, f"{called[number]} {why}", photos=(number,), moved=moved)


def _card_name(card: int) -> str:
    return str(Card.from_index(card))
