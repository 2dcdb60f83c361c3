"""The view that measures photos with known answers and shows the report of `vision.evaluate`."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import streamlit as st

from solver.games import GAMES
from vision.measure.totals import SAID, STANDS, UNASKED
from vision.measure.uploaded_zip import ArchiveError, unpack
from webapp import streamlit_link as state
from webapp.jobs import Job, Json, end
from webapp.wording import count, escape_markdown, with_symbols

TYPES: Final = ("zip", "jpg", "jpeg", "png", "webp", "heic", "heif", "json", "txt", "xml")
LIMIT: Final = 3600.0
"""Seconds that an evaluation may take."""
REFRESH_S: Final = 1.0
PICTURE_WIDTH: Final = 100
"""Of a photo beside its row, px."""
PLAIN_WORDS: Final = (
    (STANDS, "tables called sure that are right"),
    (SAID, "tables without a mistake that are called sure"),
    (UNASKED, "neither called sure nor asked about"),
    ("could not be evaluated", "could not be compared"),
    ("positions exact, by the probability that they stand", "tables without a mistake, by how sure the reading was"),
    ("exact positions without decoding", "tables without a mistake before the rules of the game helped"),
    ("exact positions, game not told", "tables without a mistake, the game not named before"),
    ("exact positions", "tables without a mistake"),
    ("wrong without a question", "tables with a mistake about which nothing was asked"),
    ("verdict agrees", "answers that are as for the true table"),
    ("no game: recognised", "photos of no game that are called so"),
    ("no game: a verdict given", "photos of no game that got an answer"),
    ("game told right", "games recognised"),
    ("zone right", "cards in their right place"),
    ("readable: ", "photos good enough to read: "),
    ("mean card precision of a photo", "cards read that are there, for a photo on average"),
    ("mean card recall of a photo", "cards there that were read, for a photo on average"),
    ("precision of different cards", "cards read that are there, equal ones counted once"),
    ("card precision", "cards read that are there"),
    ("card recall", "cards there that were read"),
    ("rank right", "cards of which the number or letter is right"),
    ("wrong among cards at confidence >= ", "wrong among cards that are called this sure or surer: "),
    ("expected calibration error of the cards", "by how much the cards are called too sure or not sure enough"),
    ("most confused", "most often mixed up"),
    ("median time", "time for a photo"),
)
"""Figures of the report, and what they are called here."""
STAGES: Final = {
    "load": "loading the networks",
    "detect": "finding cards",
    "read": "reading their corners",
    "see": "putting cards together",
    "join": "putting photos together",
    "count": "counting cards face down",
    "layout": "finding their places",
    "readable": "looking whether the photo is good enough",
    "decode_file": "opening the file",
}
"""What takes time, and what that is called here."""
ANSWERS: Final = """
1. Open a photo on **Your table**, and put right what was read wrong.
2. Below the table, under **Files**, tap **Save as labelled photo**. You get a ZIP file with the photo and its answer.
3. Choose that ZIP file here.

You can also write an answer yourself. It has the name of its photo: `table.txt` belongs to `table.jpg`. It holds the
table as a line of text, as **Your table** shows it below the board. Such an answer does not tell where in the photo a
card lies.
"""
BRACKETS: Final = (
    "A share such as 90.0% [59.6, 98.2] (9/10) means 9 of 10. With so few, the true share may lie anywhere between the"
    " two numbers in brackets."
)


@dataclass(eq=False)
class Evaluation:
    """A visitor's evaluation and the folder of its files; None before the first."""

    job: Job | None = None
    folder: TemporaryDirectory[str] | None = None

    def begin(self, files: list[tuple[str, bytes]]) -> None:
        """Evaluates files instead of those before. Raises ArchiveError."""
        folder = TemporaryDirectory(prefix="evaluate-")
        try:
            unpack(files, Path(folder.name))
        except ArchiveError:
            folder.cleanup()
            raise
        self.clean()
        self.job = state.pool().submit({"task": "evaluate", "folder": folder.name}, limit=LIMIT, queue="batch")
        self.folder = folder

    def clean(self) -> None:
        """Stops what still reads the files, and deletes them."""
        end(self.job)
        if self.folder is not None:
            self.folder.cleanup()


def page() -> None:
    """Takes the files and shows the figures."""
    held = state.session_object(Evaluation)
    st.title("How well are photos read?", anchor=False)
    st.markdown(
        "Does the program make mistakes with your photos? Give it photos and, for each, a file that says which cards it"
        " shows: the answer. It reads every photo and counts its mistakes. Your files are deleted after that."
    )
    box = st.container()
    with st.expander("How do I get an answer file?", icon=":material/help:"):
        st.markdown(ANSWERS)
    if files := state.ask_files(box, "evaluate", "Photos and their answers, chosen together", TYPES):
        try:
            held.begin(files)
        except ArchiveError as error:
            st.error(escape_markdown(error.reason), title="These files were not taken", icon=":material/folder_off:")
            return
    if (job := held.job) is not None and state.follow(job, REFRESH_S, partial(_show_progress, job)):
        held.clean()
        if job.result is None:
            st.warning(escape_markdown(job.error), title="No report", icon=":material/warning:")
        else:
            _report(job.result)


def figure(line: str) -> tuple[str, str]:
    """A line of the report as its figure's name and value.

    >>> figure("tomb_single: exact positions: 95.0% (19/20)")
    ("Napoleon's Tomb, one deck: tables without a mistake", '95.0% (19/20)')
    """
    for technical, plain in PLAIN_WORDS:
        line = line.replace(technical, plain)
    line = re.sub(r"(\w+) (\d+) ms", lambda found: _in_words(*found.groups()), line)
    of, _, rest = line.partition(": ")
    if of not in GAMES and of != "all games":
        return of, rest
    name, _, value = rest.partition(": ")
    return f"{GAMES[of].title if of in GAMES else of}: {name}", value


def _in_words(stage: str, milliseconds: str) -> str:
    return f"{STAGES.get(stage, stage)} {int(milliseconds) / 1000:.2f} s"


def _show_progress(job: Job) -> None:
    done, total = job.progress.get("done", 0), job.progress.get("total", 0)
    state.show_progress(job, done, total, f"{done} of {count(total, 'photo')}", "evaluate_stop")


def _report(result: Json) -> None:
    """The figures of a report, what could not be read, and its files."""
    st.subheader("Report")
    st.markdown(f"**{escape_markdown(result['said'])}**")
    for photo in result["rows"]:
        row = state.show_row()
        if photo["picture"]:
            row.image(b64decode(photo["picture"]), width=PICTURE_WIDTH)
        row.markdown(f"**{escape_markdown(photo['photo'])}**: {escape_markdown(with_symbols(photo['told']))}")
    rows = [figure(line) for line in result["lines"]]
    figures = [{"What": escape_markdown(name), "How much": escape_markdown(value)} for name, value in rows]
    with st.expander("All figures", icon=":material/table_rows:"):
        st.caption(BRACKETS)
        st.table(figures, hide_index=True)
    row = st.container(horizontal=True, gap="small")
    state.offer_download(
        row, "Report with pictures (HTML)", result["report"], "report.html", "description", "evaluate_report"
    )
    state.offer_download(row, "Table of all photos (CSV)", result["csv"], "rows.csv", "table", "evaluate_csv")
