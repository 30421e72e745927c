"""A profiled run has the records of any other, and counts the same on any number of threads."""

from __future__ import annotations

import pytest

from batt.errors import UsageError
from batt.jobs import evaluate
from batt.jobs.matching import match_all
from batt.profile import run as module
from batt.profile.run import profile
from batt.runtime import Limits, Status
from batt.tasks import load_tasks
from counting import DECK, evaluations
from handmade import deck
from native_library import needs_library

pytestmark = needs_library


@pytest.mark.parametrize("share", [False, True])
def test_a_profile_changes_no_record(share: bool):
    tasks = load_tasks("arc1-training").select(None, 5)
    run = profile(DECK, match_all(DECK, tasks), share=share)
    assert run.timed.records.tolist() == evaluate(DECK, tasks, engine="reference").records.tolist()
    assert (run.timed.times_ns >= 0).all()


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_are_summed(workers: int):
    run = profile(DECK, evaluations(DECK, 600), workers=workers)
    alone = profile(DECK, evaluations(DECK, 600), workers=1)
    for of in ("calls", "steps"):
        assert run.ops.counted.tallies.by_op[of].tolist() == alone.ops.counted.tallies.by_op[of].tolist()
        one, other = run.instructions.counted.tallies, alone.instructions.counted.tallies
        assert one.by_word[of].tolist() == other.by_word[of].tolist()
    assert min(run.ops.counted.tick_s, run.instructions.counted.tick_s) > 0


def test_what_native_code_defers_is_counted_and_not_run():
    wide = deck(solve_wide=("x = multiply(9223372036854775807, 2)", "x = multiply(x, size(I))"))
    run = profile(wide, evaluations(wide, 3))
    assert run.timed.records["status"].tolist() == [Status.NOT_RUN] * 3
    assert run.timed.ladder.counts.deferred_to_reference.total() == 3


def test_progress_covers_all_passes():
    told: list[tuple[int, int]] = []
    profile(DECK, evaluations(DECK), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3 * 96, 3 * 96)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_nothing_to_run_gives_an_empty_profile():
    run = profile(DECK, evaluations(DECK, 0), limits=Limits())
    assert (len(run.timed.records), int(run.ops.counted.tallies.by_op["calls"].sum()), run.ops.time_s) == (0, 0, 0.0)


def test_without_the_library_it_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "missing", lambda: "it is not there")
    with pytest.raises(UsageError, match="nothing to profile, engine 'cpu' is not available: it is not there"):
        profile(DECK, evaluations(DECK))
