"""The view that looks at a game again: where it was lost, move by move, as `python -m solver review` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import streamlit as st

from webapp import streamlit_link as state
from webapp.jobs import Job, Json
from webapp.wording import escape_markdown, sentence

TYPES: Final = ("txt", "json", "jpg", "jpeg", "png", "webp", "heic", "heif", "mp4", "mov", "avi", "webm")
RECORDS: Final = (".txt", ".json")
MOST_FILES: Final = 100
MOST_TEXT: Final = 500_000
"""Size of a record that is taken, bytes."""
MOST_OPEN: Final = 5
"""Of what the photos leave open, how much is told."""
LIMIT_S: Final = 1800.0
"""That a review may take, with the reading of its photos."""
REFRESH_S: Final = 0.5
GUIDE: Final = (
    "Choose the photos of one game of Klondike, one after every move or two. Or choose a film of it by a camera that"
    " stands still, or a record that was saved here. You see which move lost the game, and what would have won. The"
    " files are deleted as soon as they are read."
)


@dataclass(eq=False)
class Reviewing:
    """A visitor's review, and the folder of its photos while they are read; None before the first."""

    job: Job | None = None
    folder: TemporaryDirectory[str] | None = None

    def begin(self, record: str) -> None:
        """Looks at a record instead of what was looked at before."""
        self._begin({"record": record})

    def begin_files(self, files: Sequence[tuple[str, bytes]]) -> None:
        """The same with a record's file, or with the photos of a game in the order of time."""
        if len(files) == 1 and Path(files[0][0]).suffix.lower() in RECORDS:
            self.begin(files[0][1][:MOST_TEXT].decode("utf-8", "replace"))
            return
        folder = TemporaryDirectory(prefix="review-")
        for number, (name, data) in enumerate(files[:MOST_FILES], 1):
            Path(folder.name, f"{number:03} {Path(name).name[-80:]}").write_bytes(data)
        self._begin({"folder": folder.name})
        self.folder = folder

    def clean(self) -> None:
        """Deletes the photos."""
        if self.folder is not None:
            self.folder.cleanup()
            self.folder = None

    def _begin(self, request: Json) -> None:
        if self.job is not None:
            self.job.stop()
        self.clean()
        self.job = state.pool().submit({"task": "review", **request}, limit=LIMIT_S, queue="batch")


def page() -> None:
    """Takes the files of a game and shows its review."""
    held = state.session_object(Reviewing)
    st.title("Where was it lost?", anchor=False)
    st.markdown(GUIDE)
    with st.form("review_form", border=False):
        files = st.file_uploader("Photos or record of a game", type=TYPES, accept_multiple_files=True)
        sent = st.form_submit_button("Look at the game", type="primary", icon=":material/timeline:")
    if sent and files:
        held.begin_files([(file.name, file.getvalue()) for file in files])
    elif sent:
        st.info("Choose the photos of a game, or its record, first.", icon=":material/upload_file:")
    show(held)


def show(held: Reviewing) -> None:
    """The review, or how far it is."""
    if held.job is not None:
        done = held.job.done
        state.poll(_follow, None if done else REFRESH_S, held, held.job, done)


def _follow(held: Reviewing, job: Job, was_done: bool) -> None:
    if not job.done:
        done, total, what = (job.progress.get(name) for name in ("done", "total", "what"))
        row = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
        row.progress(
            min(1.0, done / total) if total else 0.0, text=f"{what}: {done} of {total}" if total else "Beginning"
        )
        state.offer_stop(row, job, "review_stop")
        return
    held.clean()
    if not was_done:
        st.rerun()
    if job.result is None:
        st.warning(escape_markdown(sentence(job.error)), title="No review", icon=":material/warning:")
        return
    if left_open := [escape_markdown(sentence(text)) for text in job.result["open"][:MOST_OPEN]]:
        st.markdown("The photos leave this open. The likeliest was taken:")
        st.caption("\n".join(f"- {text}" for text in left_open))
    st.iframe(job.result["page"])
    row = st.container(horizontal=True, gap="small")
    state.offer_download(row, "Review", job.result["page"], "review.html", "description", "review_page")
    state.offer_download(row, "Record", job.result["record"], "game.txt", "save", "review_record")
