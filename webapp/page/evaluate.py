"""Evaluate: photos with ground truth go in, the report of `vision.evaluate` comes out."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import streamlit as st

from webapp import state
from webapp.archive import ArchiveError, unpack
from webapp.jobs import Job
from webapp.views import GAME_TITLES
from webapp.words import count, plain

TYPES: Final = ("zip", "jpg", "jpeg", "png", "webp", "heic", "heif", "json", "txt", "xml")
LIMIT: Final = 3600.0
"""Seconds that an evaluation may take."""
REFRESH: Final = 1.0
KEY: Final = "evaluation"


def page() -> None:
    """Takes the files and shows the figures."""
    st.title("Evaluate", anchor=False)
    st.markdown(
        "Photos with their ground truth, as a ZIP file or one by one: every photo is read and compared. The formats are"
        " told in `datasets/README.md`. Files are deleted when the report is done."
    )
    with st.form("evaluate_form", border=False):
        files = st.file_uploader(
            "Photos and ground truth", type=TYPES, accept_multiple_files=True, key="evaluate_files"
        )
        sent = st.form_submit_button("Evaluate", type="primary", icon=":material/query_stats:")
    if sent and files:
        try:
            _begin([(file.name, file.getvalue()) for file in files])
        except ArchiveError as error:
            st.error(plain(error.reason), title="These files were not taken", icon=":material/folder_off:")
            return
    elif sent:
        st.info("Choose a ZIP file, or photos with their ground truth, first.", icon=":material/upload_file:")
    held = st.session_state.get(KEY)
    if held is not None:
        job: Job = held["job"]
        st.fragment(_follow, run_every=None if job.done else REFRESH)(held, job.done)


def figure(line: str) -> tuple[str, str]:
    """A line of the report as its figure's name and value.

    >>> figure("tomb_single: exact positions: 95.0% (19/20)")
    ("Napoleon's Tomb, one deck: exact positions", '95.0% (19/20)')
    """
    name, _, value = line.rpartition(": ")
    game, colon, rest = name.partition(": ")
    return f"{GAME_TITLES.get(game, game)}{colon}{rest}", value


def _begin(files: list[tuple[str, bytes]]) -> None:
    folder = TemporaryDirectory(prefix="evaluate-")
    try:
        unpack(files, Path(folder.name))
    except ArchiveError:
        folder.cleanup()
        raise
    before = st.session_state.get(KEY)
    if before is not None:
        before["job"].stop()
        before["folder"].cleanup()
    job = state.long_pool().submit({"task": "evaluate", "folder": folder.name}, limit=LIMIT)
    st.session_state[KEY] = {"job": job, "folder": folder}


def _follow(held: dict[str, Any], was_done: bool) -> None:
    job: Job = held["job"]
    if not job.done:
        done, total = job.progress.get("done", 0), job.progress.get("total", 0)
        row = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
        row.progress(
            done / total if total else 0.0, text=f"{done} of {count(total, 'photo')}" if total else "Beginning"
        )
        if row.button("Stop", icon=":material/stop:", key="evaluate_stop"):
            job.stop()
            job.wait(2)
            st.rerun()
        return
    held["folder"].cleanup()
    if not was_done:
        st.rerun()
    if job.result is None:
        st.warning(plain(job.error), title="No report", icon=":material/warning:")
        return
    st.subheader("Report")
    rows = [figure(line) for line in job.result["lines"]]
    st.table([{"figure": plain(name), "value": plain(value)} for name, value in rows], hide_index=True)
    for error in job.result["errors"][:10]:
        st.caption(plain(error))
    row = st.container(horizontal=True, gap="small")
    row.download_button(
        "Report with plots",
        job.result["report"],
        "report.html",
        "text/html",
        icon=":material/description:",
        on_click="ignore",
        key="evaluate_report",
    )
    row.download_button(
        "Rows as CSV",
        job.result["csv"],
        "rows.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
        key="evaluate_csv",
    )
