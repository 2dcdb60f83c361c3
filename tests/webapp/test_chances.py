from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from webapp import simulations, streamlit_link
from webapp.page import chances
from webapp.simulations import SIMULATED, batch_seed, run

SCRIPT = "from webapp.page import chances\nchances.page()\n"


@pytest.mark.parametrize("what", SIMULATED)
def test_going_on_after_a_stop_ends_with_the_same_counts(what: str) -> None:
    whole = run({"what": what, "n": 200, "seed": 3}, lambda news: None)
    parts: list[dict[str, object]] = []
    run({"what": what, "n": 200, "seed": 3}, lambda news: parts.append({**news, "points": [*news["points"]]}))
    resumed = run({"what": what, "n": 200, "seed": 3, "points": parts[40]["points"]}, lambda news: None)
    assert resumed["points"] == whole["points"]
    total, *counts = whole["points"][-1]
    assert total == 200
    assert all(0 <= count <= total for count in counts)


def test_batches_have_seeds_of_their_own() -> None:
    assert len({batch_seed(seed, batch) for seed in range(20) for batch in range(50)}) == 1000


def test_fewer_trials_than_batches_are_played_all_the_same() -> None:
    assert run({"what": "baccarat", "n": 7, "seed": 1}, lambda news: None)["points"][-1][0] == 7


def test_the_page_runs_a_simulation_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "BATCHES", 10)
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    assert not page.exception
    page.pills(key="chance_game").set_value("baccarat")
    page.selectbox(key="chance_n").set_value(1000)
    page.button(key="chance_start").click().run()
    assert not page.exception
    page.session_state[chances.Runs.__qualname__].job.wait(300)
    page.run()
    assert not page.exception
    assert {metric.label for metric in page.metric} == {"Player", "Banker", "Tie"}
    assert "After 1,000 games" in page.caption[-1].value
    assert page.caption[0].value.startswith("About ")
    assert [field.key for field in page.expander[0].number_input] == ["chance_seed"], "nobody needs it at first"
    told = " ".join(part.value for part in (*page.markdown, *page.caption))
    for what in ("How often", "Klondike and Makiaveli are not here", "as casinos play it", "95 times in 100"):
        assert what in told, "what the page does, and its terms, are told in plain words"
    seen: list[bool] = []
    monkeypatch.setattr(streamlit_link, "is_tick", lambda: not seen.append(True) and len(seen) == 1)
    page.run()
    assert len(seen) == 2, "who still asks how far it is has lost the page of the end, and gets it again"
    page.pills(key="chance_game").set_value("tomb_single").run()
    assert not page.metric, "what was simulated of another game is not shown as this one's"
