"""Functions over many samples: recorded once, run once, a result for each sample."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from batt.bench.frozen import first_132
from batt.cli.main import main
from batt.errors import UsageError
from batt.jobs import samples_of
from batt.lazy import WORDS, Column, Failed, batch_each, batch_function
from batt.runtime import Limits
from batt.tasks import load_tasks
from native_library import needs_library

S = ((((1, 2),), ((2, 1),)),)
GRIDS = [((1, 2),), ((3, 3),), ((4, 5),)]
calls: list[Column] = []


@batch_function
def batt_batch(task_ids: Any, Ss: Any, Is: Any, Cs: Any = None, log_paths: Any = None) -> Any:
    """Mirror, and fail where the colours are one."""
    calls.append(Is)
    o, s = [], []
    t1s = WORDS["batch_vmirror"](Is)
    t2s = WORDS["batch_other"](WORDS["batch_first"](Is), WORDS["batch_first"](WORDS["batch_first"](Is)))
    o.append((1, t1s != Is, "mirror", t1s))
    o.append((2, t2s != Is, "other", t2s))
    s.append((1, "mirror", "equal", batch_each(lambda made, wanted: (int(made == wanted), ()), t1s, Cs)))
    return o, s


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=needs_library)])
def test_each_sample_gets_its_own_values_in_one_run(engine: str):
    calls.clear()
    results = batt_batch(["a", "b", "c"], [S] * 3, GRIDS, [((2, 1),), None, ((0,),)], engine=engine)
    assert results == [
        ([(1, True, "mirror", ((2, 1),)), (2, True, "other", 2)], [(1, "mirror", "equal", (1, ()))]),
        (
            [(1, False, "mirror", ((3, 3),)), (2, False, "other", Failed("StopIteration"))],
            [(1, "mirror", "equal", (0, ()))],
        ),
        ([(1, True, "mirror", ((5, 4),)), (2, True, "other", 5)], [(1, "mirror", "equal", (0, ()))]),
    ]
    assert (len(calls), calls[0].batch.runs) == (1, 1)


def test_it_keeps_the_name_and_the_words_of_the_function():
    assert (batt_batch.__name__, batt_batch.__doc__) == ("batt_batch", "Mirror, and fail where the colours are one.")


def test_candidates_may_be_unknown():
    assert batt_batch(["a"], [S], GRIDS[:1])[0][1] == [(1, "mirror", "equal", (0, ()))]
    assert batt_batch([], [], []) == []


def test_any_result_is_taken_apart():
    @batch_function(limits=Limits(steps=9))
    def told(task_ids: Any, Ss: Any, Is: Any, Cs: Any, log_paths: Any) -> Any:
        return {"sizes": [WORDS["batch_size"](Is)], "big": WORDS["batch_upscale"](Is, 9), "fixed": (1, "x")}

    assert told(["a"], [S], GRIDS[:1]) == [{"sizes": [1], "big": Failed("over_budget"), "fixed": (1, "x")}]


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(UsageError, match="batt_batch: 2 Ss for 3 Is"):
        batt_batch(["a", "b", "c"], [S] * 2, GRIDS)


def test_a_column_of_other_samples_does_not_fit_the_result():
    @batch_function
    def odd(task_ids: Any, Ss: Any, Is: Any, Cs: Any, log_paths: Any) -> Any:
        return Column([1, 2])

    with pytest.raises(UsageError, match="a column of 2 samples in the result for 3"):
        odd(["a", "b", "c"], [S] * 3, GRIDS)


def test_the_body_of_a_generated_batch_file_records_what_the_file_gives(tmp_path: Path):
    path = tmp_path / "my_batch.py"
    # Helpers that a deck passes as functions cannot be recorded, and the built-in deck has such helpers.
    first_132().save(tmp_path / "deck.py")
    deck = ["--deck", str(tmp_path / "deck.py")]
    assert main(["card", *deck, "-c", "25", "--seed", "2", "--batch", "-f", str(path)]) == 0
    generated = runpy.run_path(str(path))["batt_batch"]
    samples = samples_of(load_tasks("arc1-training"))[:12]
    given = [(each.task, each.demonstrations, each.input, each.expected) for each in samples]
    columns = [list(column) for column in zip(*given, strict=True)]
    assert batch_function(generated.__wrapped__)(*columns) == generated(*columns)
