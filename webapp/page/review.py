"""The view that looks at a game again: where it was lost, move by move, as `python -m solver review` does."""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Final, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from solver.record import decoded, parse_record
from solver.review_page import framed_page
from vision.history.answers import Answer
from vision.history.progress import COMPARED, FITTED
from webapp import board
from webapp import streamlit_link as state
from webapp.jobs import Job, Json, end, stop
from webapp.recording import MOVES_REVIEWED, PART_BY_PART, PHOTOS_READ, READ
from webapp.wording import capitalised, count, escape_markdown, join_names, sentence

TYPES: Final = ("txt", "json", "jpg", "jpeg", "png", "webp", "heic", "heif", "mp4", "mov", "avi", "webm")
RECORDS: Final = (".txt", ".json")
MOST_FILES: Final = 100
MOST_TEXT: Final = 500_000
"""Size of a record that is taken, bytes."""
MOST_OPEN: Final = 5
"""Of what the photos leave open, how much is told at once."""
LIMIT_S: Final = 1800.0
"""That a review may take, with the reading of its photos."""
REFRESH_S: Final = 0.5
WORKS: Final = (PHOTOS_READ, FITTED, COMPARED, MOVES_REVIEWED)
"""What is done one after the other, each a part of one bar; what is done again moves nothing."""
GUIDE: Final = (
    "Choose the photos of one game of Klondike, one after every move or two. Or choose a film of it by a camera that"
    " stands still, or a record that was saved here. You see which move lost the game, and what would have won. Of the"
    " photos only small copies stay on the computer that runs this page, for six hours at the most. Your own browser"
    " keeps the last games as text."
)
WAITS: Final = (
    "This may take some minutes. You may look at other pages meanwhile: the start"
    ' leads back here. Only "Stop" ends the reading, or other photos once you have chosen them below.'
)
"""What is said while photos are read, and nothing is found yet."""
GONE: Final = "This game is not kept any more. Choose its photos again."
PARAMETER: Final = "game"
"""What names a review in the address, so that it is still there when the page is loaded anew."""
PLAY_AT: Final = f"./?{state.PARAMETER}="
"""Where a table of a review is played on, seen from a view; where the review is a guess, the table is one too."""
GUESS_AT: Final = f"./?{state.GUESS}=1&{state.PARAMETER}="
UNSETTLED: Final = "The photos do not tell this for sure. The game below takes what is likeliest."
UNSETTLED_YET: Final = f"{UNSETTLED} Answer the questions first: that may settle it."
UNSETTLED_FOR_GOOD: Final = (
    f"{UNSETTLED} Nothing more can be asked that would settle it. If you have a photo from in between, choose all again"
    " with it."
)
UNSETTLED_AS_SAVED: Final = f"{UNSETTLED} Choose its photos once more: then it asks what can still be answered."
FOUND_ANEW: Final = "The game is put together again with what you have answered."
DISORDERED: Final = "These photos do not seem to be in the order in which they were taken: cards go back between them."
SORTED: Final = "The photos are sorted by the cards that each shows."
"""What is said of the order of the photos, with a button to change it."""
ONE_LEFT: Final = "Your photo is still here. Add more photos of the same game."
SOME_LEFT: Final = "Your photos are still here. Look at them again, or add more photos of the same game."
GOES_ON: Final = "Did the game go on? Add the photos of the next moves. Your answers stay."
LEFT_OUT: Final = "Not every photo helps. The game below was found from the others."
"""What is said of the photos above the notes about them."""
FROM_ACROSS: Final = "The photos show the table from the other side: in them column 1 lies at the right."
"""What is said above the tables, which the photos show the other way round."""
KEPT_S: Final = 6 * 3600
MOST_KEPT: Final = 20
SMALL_WIDTH: Final = 160
"""Of a photo that was left out, px."""
MOST_NAME: Final = 120
"""Bytes of a file's name that are kept."""


@dataclass(eq=False)
class Begun:
    """The review that a visitor began; another one's address may have been sent by somebody else.

    Attributes:
        name: Its name in the address.
        resumed: The record of a game that only the visitor's browser kept, which is to be looked at once more.
    """

    name: str | None = None
    resumed: str | None = None

    def resume(self, event: Json) -> None:
        """Takes a record that the browser kept."""
        self.resumed = str(event["record"])[:MOST_TEXT]


@dataclass(eq=False)
class Reviewing:
    """A visitor's review.

    Attributes:
        job: The search; None before the first.
        folder: The photos, None where there are none.
        answers: What was answered about them, by what was asked, in the order in which it was said.
        passed: What was asked and put off for the end, by moment where all of one moment is passed.
        found: What is shown: what was found last.
        before: What was found, by the lines of the answers.
        expiry: Deletes the photos though nobody looks any more.
        order: The photos' numbers in the order in which they count; empty for the one in which they were sent.
        left_out: Files that were sent beside the photos and are none.
        share: How much of the search is done: more and more, whatever has to be done once more.
        step: Which of its works that is, from 1.
    """

    job: Job | None = None
    folder: TemporaryDirectory[str] | None = None
    answers: tuple[tuple[str, str], ...] = ()
    passed: frozenset[str] = frozenset()
    found: Json | None = None
    before: dict[tuple[str, ...], Json] = field(default_factory=dict)
    expiry: Timer | None = None
    order: tuple[int, ...] = ()
    left_out: tuple[str, ...] = ()
    share: float = 0.0
    step: int = 1

    def begin(self, record: str) -> None:
        """Looks at a record instead of what was looked at before."""
        self._begin({"record": record})

    def begin_files(self, files: Sequence[tuple[str, bytes]]) -> None:
        """The same with a record's file, or with the photos of a game in the order of time."""
        if len(files) == 1 and Path(files[0][0]).suffix.lower() in RECORDS:
            self.begin(decoded(files[0][1][:MOST_TEXT]))
            return
        folder = TemporaryDirectory(prefix="review-", ignore_cleanup_errors=True)
        left_out = _write(files, Path(folder.name))
        self._begin({"folder": folder.name, "answers": []})
        self.folder, self.left_out, self.expiry = folder, left_out, Timer(KEPT_S, self.end)
        self.expiry.daemon = True
        self.expiry.start()

    def add_files(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Has the game found anew with further photos, which come after the others; what was answered stays."""
        assert self.folder is not None
        self.left_out = _write(files, Path(self.folder.name))
        self.found, self.before = None, {}
        self.look_again()

    @property
    def has_failed(self) -> bool:
        """Whether nothing was found."""
        return self.job is not None and self.job.done and self.job.result is None and self.found is None

    @property
    def files_left(self) -> int:
        """How many photos are still there."""
        return 0 if self.folder is None else sum(path.name != READ for path in Path(self.folder.name).iterdir())

    def answer(self, id_: str, value: str) -> None:
        """Has the game found anew under one more answer.

        Raises StopIteration for what was not asked, and NotationError for what is no answer.
        """
        asked = self._question(id_)
        is_divided = value == PART_BY_PART and "parts" in asked
        line = "" if is_divided else str(Answer.parse(f"{asked['asked']}: {value}"))
        self.passed -= {passed_by(asked)}  # once taken back, it is asked as at first
        self._say((*self.answers, (id_, line)))

    def pass_over(self, *ids: str) -> None:
        """Counts questions as open no more, until the visitor comes back to them."""
        self.passed |= {passed_by(asked) for asked in self.questions() if asked["id"] in ids}

    def sort(self, order: Sequence[int]) -> None:
        """Has the game found anew with its photos in another order; answers name photos by their number, so they go."""
        self.order, self.found, self.before, self.passed = tuple(order), None, {}, frozenset()
        self._say(())

    def take_back(self) -> None:
        """Takes back the last answer."""
        self._say(self.answers[:-1])

    def questions(self) -> list[Json]:
        """What is asked and not answered yet; part by part where that was wanted."""
        answered, found = dict(self.answers), (self.found or {}).get("questions", [])
        parts = [part for asked in found if answered.get(asked["id"]) == "" for part in asked["parts"]]
        return [asked for asked in (*parts, *found) if asked["id"] not in answered]

    def _question(self, id_: str) -> Json:
        return next(question for question in self.questions() if question["id"] == id_)

    @property
    def unsettled(self) -> str:
        """What is said above all that is open: what may settle it. A question is answered sooner than a photo found."""
        questions = self.questions()
        if any(passed_by(asked) not in self.passed for asked in questions) and not self.is_found_anew:
            return UNSETTLED_YET
        if questions:
            return UNSETTLED
        return UNSETTLED_FOR_GOOD if self.folder is not None else UNSETTLED_AS_SAVED

    @property
    def changed(self) -> str:
        """What the first table hides since the last answer that it did not hide before, where that was not asked."""
        lines = self._lines()
        before = self.before.get(tuple(lines[:-1]))
        if not lines or self.found is None or before is None or self.is_behind:
            return ""
        return changed_counts(before["record"], self.found["record"], lines[-1:])

    @property
    def used(self) -> str:
        """That the answers are in what is shown, and what they changed there, in a line; empty where there is none."""
        lines = self._lines()
        if not lines or self.found is None or self.is_behind:
            return ""
        return say_used(len(lines), self.before.get(()), self.found)

    @property
    def is_behind(self) -> bool:
        """Whether what is shown was found under other answers than those that were given."""
        return self.found is not None and self.before.get(tuple(self._lines())) is not self.found

    @property
    def is_found_anew(self) -> bool:
        """Whether the game is being found under other answers: what was asked before may be settled by them."""
        return self.is_behind and self.job is not None and not self.job.done

    def look_again(self) -> None:
        """Has the game found anew under the same answers, where a search for it was stopped or failed."""
        self._say(self.answers)

    def take(self) -> None:
        """Shows what the search has found, unless the answers are others by now."""
        job, lines = self.job, self._lines()
        if job is not None and job.result is not None and job.request.get("answers", []) == lines:
            self.found = self.before[tuple(lines)] = job.result

    def end(self) -> None:
        """Stops the search and deletes the photos."""
        end(self.job)
        if self.expiry is not None:
            self.expiry.cancel()
        if self.folder is not None:
            self.folder.cleanup()
        self.job = self.folder = self.expiry = None

    def _begin(self, request: Json) -> None:
        self.end()
        self.answers, self.passed, self.order, self.found, self.before = (), frozenset(), (), None, {}
        self._look(request)

    def _say(self, answers: tuple[tuple[str, str], ...]) -> None:
        self.answers = answers
        known = self.before.get(tuple(self._lines()))
        if known is not None:
            stop(self.job)
            self.found = known
        elif self.folder is not None:
            self._look({"folder": self.folder.name, "answers": self._lines(), "order": list(self.order)})

    def _lines(self) -> list[str]:
        return [line for _, line in self.answers if line]

    def _look(self, request: Json) -> None:
        stop(self.job)
        self.share, self.step = 0.0, 1
        self.job = state.pool().submit({"task": "review", **request}, limit=LIMIT_S, queue="batch")


def say_used(answers: int, before: Json | None, now: Json) -> str:
    """What answers changed in what a review says first, in a line.

    Args:
        answers: How many were given.
        before: What was found without them; None where photos were added since then.
        now: What is found with them.

    >>> say_used(1, None, {}), say_used(2, {"answer": "No.", "detail": "Move 2 ..."}, {"answer": "Yes."})
    ('Your answer is used.', 'Your 2 answers are used. Without them: "No."')
    >>> say_used(2, {"answer": "No.", "detail": "20%"}, {"answer": "No.", "detail": "30%"})
    'Your 2 answers are used: the answer stays, only what stands behind it changes.'
    >>> say_used(2, {"answer": "No.", "detail": "20%"}, {"answer": "No.", "detail": "20%"})
    'Your 2 answers are used: they do not change this.'
    """
    one = answers == 1
    used = "Your answer is used" if one else f"Your {answers} answers are used"
    if before is None:
        return f"{used}."
    if before["answer"] != now["answer"]:
        return f'{used}. Without {"it" if one else "them"}: "{before["answer"]}"'
    if before["detail"] != now["detail"]:
        return f"{used}: the answer stays, only what stands behind it changes."
    return f"{used}: {'it does' if one else 'they do'} not change this."


def passed_by(asked: Json) -> str:
    """What is passed with a question: all that somebody has to remember of one moment."""
    return str(asked.get("moment", asked["id"]))


def changed_counts(before: str, now: str, lines: Sequence[str]) -> str:
    """Which columns hide other numbers of cards at the start of a record than in another one, in a sentence.

    Args:
        before: The record that was found before.
        now: The other one.
        lines: The answers in between; what each says of its own place is no news.
    """
    starts = (parse_record(text).start.to_json()["columns"] for text in (before, now))
    counts = enumerate((len(old["down"]), len(new["down"])) for old, new in zip(*starts, strict=True))
    told = {Answer.parse(line).place.number for line in lines}
    changed = [(number, *both) for number, both in counts if both[0] != both[1] and number not in told]
    parts = [f"{count(new, 'card')} face down in column {number + 1}, not {old}" for number, old, new in changed]
    return f"With your last answer the first table has {join_names(parts)}." if parts else ""


def _write(files: Sequence[tuple[str, bytes]], folder: Path) -> tuple[str, ...]:
    """Puts photos into a folder, after those that are there; the names of the files that are none."""
    taken = [(name, data) for name, data in files if Path(name).suffix.lower() not in RECORDS]
    before = max((int(path.name[:3]) for path in folder.iterdir() if path.name[:3].isdecimal()), default=0)
    for number, (name, data) in enumerate(taken[: MOST_FILES - before], before + 1):
        (folder / f"{number:03} {file_name(name)}").write_bytes(data)
    return tuple(name for name, _ in files if Path(name).suffix.lower() in RECORDS)


def file_name(name: str) -> str:
    """What a file is called in the folder: the end of its name, as far as every system can have it."""
    return os.fsencode(Path(name).name.replace("\0", ""))[-MOST_NAME:].decode("utf-8", "ignore")


@st.cache_resource(show_spinner=False, ttl=KEPT_S, max_entries=MOST_KEPT, on_release=Reviewing.end)
def _kept(name: str, *, _new: bool = False) -> Reviewing:
    """The review that an address names. Raises LookupError where there is none, unless it is a new one."""
    if not _new:
        raise LookupError(name)
    return Reviewing()


def kept(name: str | None) -> Reviewing | None:
    """The review that an address names; None where there is none, or none any more."""
    if name is None:
        return None
    try:
        held = _kept(name)
    except LookupError:
        return None
    return held if held.job is not None else None


def _new() -> tuple[str, Reviewing]:
    """A new review and its name; the one that this visitor began before is given up for it."""
    begun = state.session_object(Begun)
    if (before := kept(begun.name)) is not None:
        before.end()
    begun.name = token_urlsafe(9)
    return begun.name, _kept(begun.name, _new=True)


def view() -> StreamlitPage:
    """The view at its address."""
    return st.Page(page, title="Review", url_path="review")


def open_review(record: str) -> None:
    """Leaves the present view for the review of a record."""
    name, held = _new()
    held.begin(record)
    st.switch_page(view(), query_params={PARAMETER: name})


def page() -> None:
    """Takes the files of a game and shows its review."""
    name, begun = st.query_params.get(PARAMETER), state.session_object(Begun)
    if begun.resumed is not None:
        record, begun.resumed = begun.resumed, None
        _begin(lambda held: held.begin(record))
    held = kept(name)
    st.title("Whole game" if held is None else "Move by move", anchor=False)  # it may have been won
    if name is None or held is None:
        asks = {"view": "reviews", "sought": name, "gone": GONE}
        board.show(asks, key="reviews", handlers={"resume": begun.resume})
        _take_files(st.container())
    else:
        if held.left_out:
            names = escape_markdown(", ".join(map(file_name, held.left_out[:MOST_OPEN])))
            st.info(f"Left out: {names}. A saved game is looked at by itself, without photos.", icon=":material/info:")
        show(held, name)
        if held.files_left and held.job is not None and held.job.done:
            _take_more(held)
        is_open, other = held.has_failed and not held.files_left, "Other photos, or another game"
        _take_files(st.container() if is_open else st.expander(other, icon=":material/upload_file:"))


def _begin(begin: Callable[[Reviewing], object]) -> NoReturn:
    """Shows a new review at its address."""
    st.query_params[PARAMETER], held = _new()
    begin(held)
    st.rerun()


def _take_files(box: DeltaGenerator) -> None:
    """Offers to choose the files of a game."""
    box.markdown(GUIDE)
    files = state.ask_files(box, "review", "Photos or record of a game", TYPES)
    if files and not _are_too_many(len(files)):
        _begin(lambda held: held.begin_files(files))


def _are_too_many(files: int) -> bool:
    """Whether so many files are too many for one game, which is then said."""
    if are_too_many := files > MOST_FILES:
        st.warning(f"These are {files} files. Choose at most {MOST_FILES}.", icon=":material/warning:")
    return are_too_many


def _take_more(held: Reviewing) -> None:
    """Offers to add photos to those of a game; where these showed none, also to look at them again as they are."""
    needs_more = not held.has_failed or held.files_left == 1
    st.markdown(SOME_LEFT if not needs_more else ONE_LEFT if held.has_failed else GOES_ON)
    if not needs_more:
        st.button("Look again", on_click=held.look_again, icon=":material/refresh:")
    files = state.ask_files(st.container(), "more", "More photos of this game", TYPES)
    if files and not _are_too_many(held.files_left + len(files)):
        held.add_files(files)
        st.rerun()


def show(held: Reviewing, name: str) -> None:
    """The review of a name, or how far it is; below that what was found before, at which one may go on looking."""
    with st.container():
        if (job := held.job) is not None and state.follow(job, REFRESH_S, partial(_show_progress, held, job)):
            held.take()
            if job.error and (held.found is None or not job.stopped):
                st.warning(escape_markdown(sentence(job.error)), title="No review", icon=":material/warning:")
            if held.is_behind:
                st.info("Your last answers are not in this review yet.", icon=":material/history:")
                st.button("Find the game anew", on_click=held.look_again, icon=":material/refresh:")
    if held.found is None:
        if held.folder is not None and held.job is not None and not held.job.done:
            _show_board(held, name)
            st.caption(WAITS)
        return
    with st.container():
        if held.order:
            st.info(SORTED, icon=":material/info:")
            st.button("Take them as they were sent", on_click=held.sort, args=((),), icon=":material/undo:")
        else:
            _offer_to_sort(held, held.found.get("order", ()))
    with st.container():
        _show_board(held, name)
    with st.container():
        if held.changed:
            st.info(f"{held.changed} If that is wrong, take the answer back.", icon=":material/info:")
        _show_notes(held.found["open"], held.unsettled)
        _show_notes(held.found["left_out"], LEFT_OUT)
        photos: Json = held.found.get("small", {})
        if unused := [name for name in held.found.get("unused", ()) if name in photos]:
            pictures = [b64decode(photos[name]) for name in unused]
            st.image(pictures, caption=list(map(capitalised, unused)), width=SMALL_WIDTH)
    page = held.found["page"]
    small = {name: state.served(b64decode(data), f"small {name}") for name, data in photos.items()}
    if held.found.get("is_from_across"):
        st.info(FROM_ACROSS, icon=":material/info:")
    if held.used:
        st.markdown(escape_markdown(held.used))
    play_at = GUESS_AT if held.found["is_guess"] else PLAY_AT
    st.iframe(framed_page(page, play_at, small) if held.found["plays_on"] else page)
    row = st.container(horizontal=True, gap="small")
    state.offer_download(
        row, "Review as a page (HTML)", held.found["page"], "review.html", "description", "review_page"
    )
    state.offer_download(row, "Game as text", held.found["record"], "game.txt", "save", "review_record")


def _offer_to_sort(held: Reviewing, order: Sequence[int]) -> None:
    """Says that the photos do not seem to be in order, where their cards speak for another one."""
    if order:
        st.warning(DISORDERED, icon=":material/history:")
        st.button("Sort them by the cards they show", on_click=held.sort, args=(order,), icon=":material/timeline:")


def _show_notes(notes: Sequence[str], told: str) -> None:
    """Some notes about the photos as a list, with what is said of all of them."""
    if listed := [f"- {escape_markdown(sentence(text))}" for text in notes]:
        st.markdown(told)
        st.caption("\n".join(listed[:MOST_OPEN]))
    if more := listed[MOST_OPEN:]:
        st.expander(f"{len(more)} more").caption("\n".join(more))


def _show_progress(held: Reviewing, job: Job) -> None:
    done, total, what = (job.progress.get(name, 0) for name in ("done", "total", "what"))
    text = job.progress.get("words") or f"{what}: {done} of {total}"
    works = (MOVES_REVIEWED,) if held.folder is None else WORKS
    if total and what in works:
        held.share = max(held.share, (works.index(what) + done / total) / len(works))
        held.step = max(held.step, works.index(what) + 1)
    if len(works) > 1:
        text = f"Step {held.step} of {len(works)}. {text}"
    state.show_progress(job, held.share, 1 if total else 0, text, "review_stop")
    if held.found is None:
        _offer_to_sort(held, job.progress.get("order", ()))


def _show_board(held: Reviewing, name: str) -> None:
    """What is asked; the browser keeps by it which game this is, from the start, so that the way back is never lost."""
    found = held.found or {"what": count(held.files_left, "file"), "record": ""}
    reviewed = {"name": name, "what": found["what"], "record": found["record"]}
    board.show(_asked(held) | {"reviewed": reviewed}, key="record", handlers=_handlers(held))


def _asked(held: Reviewing) -> Json:
    """What is asked about the photos of a game, one question at a time, as the board shows it."""
    photos: Json = (held.found or {}).get("photos", {})
    wholes = {number: state.served(b64decode(data), f"photo {number}") for number, data in photos.items()}

    def shown(picture: Json, name: str) -> Json:
        url, whole = state.served(b64decode(picture["data"]), name), wholes[str(picture["photo"])]
        return {name: picture[name] for name in ("title", "box", "spot", "columns")} | {"url": url, "whole": whole}

    questions = [
        asked
        | {"pictures": [shown(picture, f"{asked['id']} {n}") for n, picture in enumerate(asked["pictures"])]}
        | {"isPassed": passed_by(asked) in held.passed}
        for asked in ([] if held.is_found_anew else held.questions())
    ]
    undo = {"name": "undo", "label": "Take back the last answer", "sign": "undo"}
    answered = f"{count(len(held.answers), 'question')} answered. " if held.answers else ""
    left_open = sum(not asked["isPassed"] for asked in questions)
    if passed := len(questions) - left_open:
        answered += f"{count(passed, 'question')} passed. "
    left = f"Still open: {count(left_open, 'question')}." if held.answers or questions else ""
    if left_open and held.found is not None:
        left += " Until you answer, the review below is a guess."
    return {
        "view": "record",
        "questions": questions,
        "urgent": True,
        "copies": 1,
        "playTools": [undo] if held.answers else [],
        "status": answered + (FOUND_ANEW if held.is_found_anew else left),
    }


def _handlers(held: Reviewing) -> dict[str, board.Handler]:
    return {
        "answer": lambda event: held.answer(event["id"], str(event["value"])),
        "pass": lambda event: held.pass_over(*event["ids"]),
        "undo": lambda event: held.take_back(),
    }
