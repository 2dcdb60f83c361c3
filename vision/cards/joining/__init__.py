"""Several photos of one table become one table: cards that two photos show tie their planes.

    from vision.cards.joining.join import join

    joined = join([left, right])     # joined.table goes to `vision.layout.game_choice` like that of a single photo

Each photo's plane is true up to a turn, a shift and a little distortion, and its unit is the length of an index. So one
card that two photos show already says how one plane lies on the other. Cards of equal identity vote, and the placement
that most of them agree on is refined. A card that the other photo ought to show and does not counts against a
placement. Every card seen twice becomes one, with both reads weighed. What only one photo shows keeps its place.

With two decks whole melds may be there twice, and a photo may show no more of the table than such a meld. Where it
could be the other one, a person is asked. Frames of a film bring points that two of them show, told by the picture:
then the way of the camera says where a card lies, and no card has to vote.

`join.py` runs the steps. Each photo's cards become points of its plane (`cloud.py`). Cards that two photos show, or
their pictures, tie the two (`photo_ties.py`, `picture_ties.py`), and all planes are aligned (`alignment.py`). The views
of each card are united (`uniting.py`), and those of a film looked through once more (`lone_cards.py`). Doubts become
questions (`questions.py`), and all is laid on one map (`joined_table.py`). What comes out is a `Joined` (`joined.py`).
`matching.py` says which cards of two photos are one, `tuning.py` has all numbers.
"""
