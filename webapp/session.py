"""What one visitor has. Only the session's own methods change it. Does not use Streamlit.

Streamlit's session state is not safe for this. Every run of the page copies and clears it under a lock, so a run that
is ending can erase what the next run has just written, and any access may end the current run in the middle of a
change. So a session is one plain object, put into the session state once (`webapp.streamlit_link.session`). Its methods
make each change completely or not at all, one after the other.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from plumbing.errors import CardsError
from solver import parse
from solver.games import position_from_json
from solver.position import Position
from vision.film.film_file import is_film
from vision.framing import Frame
from webapp.board_json import steps, table_json
from webapp.filming import Filming
from webapp.games.game import page_of
from webapp.jobs import Job, Json, stop
from webapp.photo_session import FilmData, PhotoSession
from webapp.trust import RULES, WHOLE
from webapp.wording import describe_error

UNDO_STEPS: Final = 200
LATE: Final = 30.0
"""Seconds within which a browser may still send the address of a table that was put away."""
QUICK: Final = 0.4
"""Seconds of the first search, so that there is an answer soon; `webapp.verdict_view` then searches for longer."""
STOPPED: Final = "Stopped.", "Nothing was read."
"""Told where a person has ended a reading, instead of why it was refused."""
COMES_BACK: Final = ("line", "as_read", "past", "shot", "answered", "is_guess", "left_open")
"""What of a session comes back with a table that was put away."""

Rules = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What an address tells of its table; the attributes are those of `Session`."""

    is_guess: bool = False
    left_open: int | None = None
    made: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a person has answered about a reading; the other attributes are those of `Session`.

    Attributes:
        reading: Fingerprint of the reading that it was.
    """

    reading: int = 0
    answered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Photos that are to be read when the page is drawn next.

    Attributes:
        photos: Name and file of each.
        game: The game's word or `auto`.
        hand: A further photo's file that shows only the hand.
        keeps: The table that the photos belong to and that stays as it is, None where they make one of their own.
        if_same: Whether they belong to it only if it is what they show: the browser had not noted yet what that is.
        carries: Whether they are the present photos, with more photos or read in another way: corrections are kept.
        frame: Which part of one of those they are, None where that is whole.
        frames: How they were cut and turned since they were sent.
        settled: What was answered before the browser loaded the page anew.
        film: A film's name, and frames that the browser has chosen from it, instead of photos.
        turned_over: Whether they show the hidden cards of the present photo's table, turned over.
        turn: Of a photo beside a turn the table `before` it, as the browser remembers it; without one it shows that.
    """

    photos: tuple[tuple[str, bytes], ...]
    game: str = "auto"
    hand: bytes | None = None
    keeps: str | None = None
    if_same: bool = False
    carries: bool = False
    frame: Frame | None = None
    frames: tuple[Frame, ...] = ()
    settled: Settled = Settled()
    turned_over: bool = False
    film: tuple[str, FilmData] | None = None
    turn: Json | None = None

    @property
    def is_film(self) -> bool:
        """Whether it is a film, or frames of one."""
        return self.film is not None or is_film(next((name for name, _ in self.photos), ""))


@dataclass(frozen=True, slots=True)
class Begun:
    """A reading in the background.

    Attributes:
        shot: What will be read.
        film: How far it is where that is a film.
    """

    shot: Future[PhotoSession]
    film: Filming | None = None

    def give_up(self) -> None:
        """Ends the reading as soon as it can be ended: nobody waits for it any more."""
        self.shot.cancel()
        if self.film is not None:
            self.film.give_up()


class Change(NamedTuple):
    """What a change of the table changes beside it, and changes back when it is undone.

    Attributes:
        answers: The questions that it answers, or asks anew if they were answered.
        photo: The photo on the other side of it and the table as read there; None where the photo stays.
        rules: What is agreed there by game; None where that stays.
    """

    answers: frozenset[str] = frozenset()
    photo: tuple[PhotoSession | None, str | None] | None = None
    rules: dict[str, Rules] | None = None


@dataclass(eq=False)
class Session:
    """What one visitor has. Methods may be called from any thread.

    Attributes:
        line: The table, None before there is one.
        as_read: The table as it was read or laid out.
        past: The tables before each change that can be undone, and what was answered without a change.
        shot: The photo that the table was read from; without a table one in which no game was recognised.
        answered: The questions about the reading that were answered, as `webapp.trust.question_id` names them.
        wanted: Photos that wait to be read.
        seconds: How long the verdict may be searched.
        agreed: The rules chosen last for each game, by which its next photo is answered.
        is_guess: Whether the table comes from photos of a game that leave something open.
        left_open: Of a table whose photo is not here any more, how many questions about that nobody has answered; None
            where the table was sure.
        made: At a table of a review the move that was made there, after its number; "" elsewhere.
        notice: Why the last change could not be made, "" where it was made.
        fault: A line of text that could not be read, what is wrong with it, and `where`, a pointer at the place.
        refused: The address that could not be read.
        refusal: Why a photo or an address was not taken: a title and a sentence.
        search: The search for the verdict: its request has the table, and how long may be searched.
        judging: The question how sure the photo's verdict is: the photo, the rules, the job.
        advice: The question for the best next move; its request has the table.
        begins_turn: Whether the photo was taken before a turn, which one after it is to be compared with.
        comparing: The question what has changed since an earlier photo: the photo, the table, its answers, the job.
        play: The table that the view of its game is to play on.
        so_far: What an earlier, shorter search has found: the table, the result, its seconds.
    """

    line: str | None = None
    as_read: str | None = None
    past: tuple[str | frozenset[str], ...] = ()
    shot: PhotoSession | None = None
    answered: frozenset[str] = frozenset()
    wanted: Wanted | None = None
    seconds: float = QUICK
    agreed: dict[str, Rules] = field(default_factory=dict)
    is_guess: bool = False
    left_open: int | None = None
    made: str = ""
    notice: str = ""
    fault: Json | None = None
    refused: str | None = None
    refusal: tuple[str, str] | None = None
    search: Job | None = None
    judging: tuple[PhotoSession, Rules, Job] | None = None
    advice: Job | None = None
    begins_turn: bool = False
    comparing: tuple[PhotoSession, str, frozenset[str], Job] | None = None
    play: str | None = None
    so_far: tuple[str, Json, float] | None = None
    _begun: tuple[Wanted, Begun] | None = None
    _held: set[str] = field(default_factory=set)
    _own: set[str] = field(default_factory=set)  # the tables since the present one was begun: its photo is theirs
    _put_away: float = -math.inf
    _left: Json | None = None
    _changes: dict[tuple[str, str], Change] = field(default_factory=dict)
    _way: tuple[Json, list[Json]] | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def position(self) -> Position[Any] | None:
        """The table, None before there is one."""
        line = self.line
        return None if line is None else parse(line)

    @property
    def vouched(self) -> bool:
        """Whether the person said that the table is right as it is drawn."""
        return WHOLE in self.answered

    def is_laid(self) -> bool:
        """Whether any card that can be named lies on the table."""
        return self.line is not None and _names_cards(self.line)

    def hides_rules(self) -> bool:
        """Whether nobody has told by which rules the table is played: a photo shows none, nor does one laid by hand."""
        return self.shot is not None or (self.as_read is not None and not _names_cards(self.as_read))

    def rules(self) -> Rules:
        """The rules that the table lies under; empty for a game's usual ones."""
        found = self.position()
        rules: Rules = {} if found is None else found.to_json().get("rules", {})
        return rules

    def begin(self, line: str | None, shot: PhotoSession | None = None, *, is_same: bool = False) -> None:
        """Starts over with a table, or with a photo, whether or not a table was recognised in it.

        Args:
            line: The table.
            shot: The photo.
            is_same: Whether it shows the table before, read in another way or with further photos.
        """
        with self._lock:
            self.stop_search()
            if line is not None:
                self._lay(line)
            self.line = self.as_read = line
            self.past, self.shot, self.refusal, self.notice = (), shot, None, ""
            self.is_guess = self.begins_turn = False
            self.answered, self._left, self.left_open = frozenset(), None, None
            self._own = {line or ""} | (self._own if is_same else set())

    def attach(self, shot: PhotoSession, line: str, settled: Settled) -> None:
        """Restores the photo of a table, which the browser had kept, and what was answered about it."""
        with self._lock:
            if self.line is None:
                self.begin(shot.line, shot)
                self.put(line)
            self.shot, self.as_read, self.left_open = shot, shot.line, None
            self.answered = settled.answered

    def is_read_in(self, shot: PhotoSession) -> bool:
        """Whether the table is what a photo shows; no photo shows its rules."""
        return shot.line is not None and self.line == with_rules(shot.line, self.rules())

    def take_over(self, line: str, answered: frozenset[str]) -> None:
        """Restores the corrections that were made before further photos were read."""
        with self._lock:
            self.put(line)
            self.answered = answered
            self.past = tuple(line for line in self.past if isinstance(line, str))
            self._changes.clear()  # it is all about another reading

    def turn_over(self, shot: PhotoSession) -> None:
        """Takes over the photo of the table with its hidden cards turned over; `undo` brings both back as they were."""
        with self._lock:
            line = shot.line or ""
            if line == self.line:
                self.shot, self.as_read = shot, line
            else:
                self._put(line, Change(photo=(shot, line)))

    def refuse(self, title: str, reason: str) -> None:
        """Notes why a photo was refused; the present table stays."""
        with self._lock:
            self.refusal = (title, reason)
            if self.line is not None or self.shot is not None:
                self.notice = f"{title} {reason}"

    def request_photos(self, wanted: Wanted) -> None:
        """Asks for photos to be read when the page is drawn next."""
        with self._lock:
            self.wanted, self.refusal = wanted, None

    def being_read(self, begin: Callable[[Wanted], Begun]) -> Begun | None:
        """The reading of what is wanted, None where nothing is; `begin` begins it where it has not begun."""
        with self._lock:
            if self._begun is not None and self._begun[0] is not self.wanted:
                self._begun[1].give_up()
                self._begun = None
            if self._begun is None and self.wanted is not None:
                self._begun = self.wanted, begin(self.wanted)
            return self._begun and self._begun[1]

    def stop_reading(self) -> None:
        """Has photos or a film that are being read not read on; what there was before stays."""
        with self._lock:
            self.wanted = None
            self.refuse(*STOPPED)

    def take_read(self) -> tuple[Wanted, Begun] | None:
        """Takes what was wanted and its reading; None where nothing was, or where something else is by now."""
        with self._lock:
            begun, self._begun = self._begun, None
            if begun is None or begun[0] is not self.wanted:
                return None
            self.wanted = None
            return begun

    def open(self, address: str, line: str, *, told: Told = Told()) -> None:
        """Starts over with the table of an address, unless it is the present table; it may be one of a review."""
        with self._lock:
            self._held.add(address)
            if line != self.line:
                self._begin_as(line, told)
                self.made = told.made

    def clear(self) -> None:
        """Removes the table and the photo; the browser's Back button restores them."""
        with self._lock:
            left = {name: getattr(self, name) for name in COMES_BACK}
            self.forget()
            self._left = left

    def forget(self) -> None:
        """Forgets the table and the photo for good."""
        with self._lock:
            self.stop_search()
            self.line = self.as_read = self.shot = self._left = self.judging = self.refusal = self.wanted = None
            self.past = ()
            self._put_away = time.monotonic()

    def follow_history(self, line: str | None, *, told: Told = Told()) -> None:
        """Follows the browser's Back and Forward buttons to the address of a table; None is the start.

        Back to a table of before undoes what came after it, forward makes it again. On the start the table is kept with
        its photo until another one is begun: on a phone a swipe goes back, and the next one forward.

        The address also tells what it told `open`: a page that was loaded anew knows of no table before. The table of
        an earlier photo comes back without that photo, and never with the present one.
        """
        with self._lock:
            if line == self.line:
                return
            left = self._left
            if line is None:
                self.clear()
            elif self.line is None and left is not None and left["line"] == line:
                self._lay(line)
                vars(self).update(left)
            elif line in self.past:
                while self.line != line:
                    self._step_back(keeps_answers=True)
            elif self.line is None or line not in self._own:
                self._begin_as(line, told)
            else:
                self._put(line, self._changes.get((self.line, line), Change()))
            self.made = told.made

    def _begin_as(self, line: str, told: Told) -> None:
        """Starts over with the table of an address."""
        self.begin(line)
        self.is_guess, self.left_open = told.is_guess, told.left_open

    def put(self, line: str, answers: frozenset[str] = frozenset()) -> None:
        """Changes the table; `undo` brings the old one back.

        Args:
            line: The table.
            answers: The questions that this answers, or asks anew if they were answered; `undo` takes that back too.
        """
        with self._lock:
            self._put(line, Change(answers))

    def edit(self, change: Callable[[Json], Json], *answers: str) -> None:
        """Changes the current table, not the one that was drawn: a quick second tap must not undo the first.

        Args:
            change: The table as JSON, changed; a KeyError where the first tap took away what the second one meant.
            answers: The questions that this answers; they are still asked where the change could not be made.
        """
        with self._lock:
            position, self.notice = self.position(), ""
            if position is None:
                return
            answered = frozenset(filter(None, answers)) - self.answered
            try:
                line = str(page_of(position.game).rebalance(position_from_json(change(position.to_json()))))
            except (KeyError, IndexError):
                self.answered |= answered
            except CardsError as error:
                self.notice = describe_error(error)
            else:
                self.put(line, answered)

    def undo(self) -> None:
        """Takes back the last change, and what it answered or chose: that is asked again."""
        with self._lock:
            if self.past:
                self._step_back()

    def changed(self) -> bool:
        """Whether the table differs from how it was read; the rules are no part of a reading."""
        return self.line != self._reading()

    def reread(self) -> None:
        """Goes back to the table as it was read, and to what is asked about it; the table can be undone."""
        with self._lock:
            reading = self._reading()
            if reading is not None:
                self.put(reading, self.answered - {RULES})

    def agree(self, game: str, rules: Rules, *, kept: bool = False) -> None:
        """Changes the rules of the table, and of the next photo of that game; it is still asked for `kept` ones."""
        with self._lock:
            agreed = {**self.agreed, game: dict(rules)}
            answers = frozenset() if kept else frozenset({RULES}) - self.answered
            self._put(with_rules(self.line or game, rules), Change(answers, rules=agreed))

    def has_chosen_rules(self) -> bool:
        """Whether rules were chosen, if only to be taken back: then what a browser kept from before no longer holds."""
        return bool(self.agreed or any(change.rules is not None for change in self._changes.values()))

    def play_on(self) -> None:
        """Has the view of its game play the table on, if it can be played on."""
        with self._lock:
            table = self.position()
            if table is not None and page_of(table.game).is_played_on and not table.problems():
                self.play = self.line

    def take_play(self) -> str | None:
        """Takes the table that waits to be played on."""
        with self._lock:
            line, self.play = self.play, None
            return line

    def is_to_play(self, view: str) -> bool:
        """Whether the table that waits to be played on is one of a view: "tomb", or the game's own."""
        with self._lock:
            if self.play is None:
                return False
            game = parse(self.play).game
            return view == (game if page_of(game).playing is None else "tomb")

    def search_anew(self, seconds: float) -> None:
        """Searches for the verdict again, for so many seconds."""
        with self._lock:
            self.stop_search()
            self.seconds = seconds

    def remember_result(self, result: Json) -> tuple[Json, float]:
        """Keeps the result of a search while a longer search runs; returns the result and the seconds searched."""
        with self._lock:
            self.so_far = (self.line or "", result, self.seconds)
            return self.so_far[1:]

    def make_steps(self, table: Json, result: Json, draw: Callable[[Json], Json] = table_json) -> list[Json]:
        """The steps of a result, as the board that `draw` makes shows them; cached, as a long line takes a while."""
        with self._lock:
            if self._way is None or self._way[0] is not result:
                self._way = (result, steps(table, result, draw))
            return self._way[1]

    def result_so_far(self) -> tuple[Json, float] | None:
        """The result of an earlier, shorter search for this table, and its seconds."""
        so_far = self.so_far
        return so_far[1:] if so_far is not None and so_far[0] == self.line else None

    def stop_search(self) -> None:
        """Stops the search for the verdict, if one runs."""
        with self._lock:
            stop(self.search)
            self.search = None

    def is_own_address(self, address: str) -> bool:
        """Whether an address is this session's own, now or from before its last change.

        A browser that does not know of the last change yet sends the old address with the next tap. If that were taken
        for a link, it would undo the change and forget the photo, or restore a removed table. The browser's Back
        button is handled by `follow_history`.
        """
        late = time.monotonic() - self._put_away < LATE
        return address == self.line or (address in self._held and (self.line is not None or late))

    def _step_back(self, *, keeps_answers: bool = False) -> None:
        """Takes back the last change or answer; an answer that changed nothing may be kept, its table is the same."""
        *past, last = self.past
        if isinstance(last, str):
            step = last, self.line or ""
            self._changes[step] = self._cross(self._changes.get(step, Change()))
            self._lay(last)
        elif not keeps_answers:
            self.answered ^= last
        self.past = tuple(past)

    def _put(self, line: str, change: Change) -> None:
        """Changes the table and what changes with it."""
        back = self._cross(change)
        if line == self.line:
            if change.answers:
                self.past = (*self.past, change.answers)[-UNDO_STEPS:]
            return
        if self.line is not None:
            self.past = (*self.past, self.line)[-UNDO_STEPS:]
            self._changes[self.line, line] = back
        self._lay(line)

    def _cross(self, change: Change) -> Change:
        """Makes what a change changes beside the table; returns what changes that back."""
        self.answered ^= change.answers
        photo = rules = None
        if change.photo is not None:
            photo, (self.shot, self.as_read) = (self.shot, self.as_read), change.photo
        if change.rules is not None:
            rules, self.agreed = self.agreed, change.rules
        return Change(change.answers, photo, rules)

    def _lay(self, line: str) -> None:
        """Replaces the table; what is known about the old one is no longer shown."""
        self.line, self.seconds, self.fault, self.notice, self.made = line, QUICK, None, "", ""
        self._held.add(line)
        self._own.add(line)

    def _reading(self) -> str | None:
        return None if self.as_read is None else with_rules(self.as_read, self.rules())


def _names_cards(line: str) -> bool:
    return any(card is not None for card in parse(line).cards())


def with_rules(line: str, rules: Rules | None) -> str:
    """A table under other rules; None keeps its own rules, an empty object means the game's usual ones.

    >>> with_rules("makiaveli hand: 3S", {"strict_cross": True})
    'makiaveli rules: strict_cross; floor:; cross: - - - -; hand: 3S'
    """
    if rules is None:
        return line
    table = parse(line).to_json()
    table.pop("rules", None)
    return str(position_from_json(table | ({"rules": dict(rules)} if rules else {})))
