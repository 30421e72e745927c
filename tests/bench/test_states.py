"""`batt bench states`: a committed mix of calls, and candidates that agree with their programs alone."""

from __future__ import annotations

import pytest

from batt.bench import states
from batt.bench.columns import BenchColumn, ColumnKind
from batt.bench.states import measure_engines, measure_states, states_manifest
from batt.bench.states_figures import states_rows, states_table
from batt.ops import OPS
from native_library import needs_library


def test_every_call_of_the_manifest_has_the_arguments_of_its_op():
    manifest = states_manifest()
    kinds = {*states.POOLS, *manifest["constants"], *manifest["functions"]}
    for op, *arguments in manifest["calls"]:
        assert OPS[op].arity == len(arguments)
        assert set(arguments) <= kinds


@needs_library
def test_candidates_agree_with_their_programs_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(states, "CHECKED", 40)
    figures = measure_states(limit=1)
    assert (figures.tasks, figures.differing, figures.refused) == (1, 0, 0)
    assert 60 <= figures.checked <= 120
    assert figures.states < figures.candidates < figures.evaluations
    assert figures.parts > 100
    again = measure_states(limit=1, workers=2)
    assert (again.candidates, again.states, again.failed) == (figures.candidates, figures.states, figures.failed)
    assert dict(states_rows(figures))["candidates also run by evaluate"] == f"{figures.checked}, 0 differ"


@needs_library
def test_a_candidate_that_differs_is_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(states, "CHECKED", 10)
    monkeypatch.setattr(states, "_is_same", lambda *given: False)
    figures = measure_states(limit=1)
    assert figures.differing == figures.checked > 0


@needs_library
def test_engines_are_measured_on_the_same_candidates_of_many_tasks():
    columns = [BenchColumn(ColumnKind.CPU, threads) for threads in (1, 2)]
    figures = measure_engines(columns, limit=1, together=2, repeat=2)
    assert [(each.tasks, each.together, each.unequal) for each in figures] == [(2, 2, 0), (2, 2, 0)]
    assert figures[0].candidates == figures[1].candidates > figures[0].checked > 0
    assert states_table(*figures).row_count == len(list(states_rows(figures[0])))


@needs_library
def test_an_engine_with_other_states_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(states.np, "array_equal", lambda a, b: False)
    figures = measure_engines([BenchColumn(ColumnKind.CPU)], limit=1)
    assert figures[0].unequal > 0
