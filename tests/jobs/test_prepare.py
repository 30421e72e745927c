"""Programs made ready for native code, compiled or as they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from batt.bench.frozen import first_132
from batt.bytecode.image import Encoded
from batt.ir import Program
from batt.jobs import prepare as module
from batt.jobs.prepare import prepare
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options
from handmade import MIRROR, SAME, deck, sample


def test_solvers_find_their_slices_and_refused_ones_their_reasons():
    given = deck(solve_a=MIRROR, solve_b=SAME, solve_c=MIRROR).programs
    slices = {"solve_c": 0, "solve_a": 1}
    encoded = Encoded(prepare(given, Options()).image, slices, {"solve_b": "too long"})
    job = Job.of(given, encoded)
    assert job.slice_of.tolist() == [1, -1, 0]
    assert job.refused == {1: "too long"}
    assert job.programs == list(given.values())
    assert job.evaluations.total == 0
    assert job.on(Evaluations((sample(),), 3)).evaluations.total == 3


def test_a_deck_is_encoded_as_it_stands_or_compiled_with_or_without_a_stage():
    given = first_132().programs
    asked = ((False, True), (True, False), (True, True), (None, True))
    images = [prepare(given, Options(compiled=compiled, share=share)).image for compiled, share in asked]
    assert [image.stage_entries > 0 for image in images] == [False, False, True, True]
    assert len({image.words for image in images}) == 3


def test_programs_of_a_deck_are_prepared_as_those_without_names():
    given = deck(solve_a=MIRROR, solve_b=SAME).programs
    named, bare = [prepare(each, Options()) for each in (given, dict(enumerate_names(given)))]
    assert named.image.words == bare.image.words
    assert named.slice_of.tolist() == bare.slice_of.tolist()


def enumerate_names(programs: dict[str, Program]) -> Iterator[tuple[str, Program]]:
    for number, each in enumerate(programs.values()):
        yield f"program_{number}", each


def test_verifying_looks_at_hints_too(monkeypatch: pytest.MonkeyPatch):
    asked: list[bool] = []
    real = module.compile_programs

    def watched(programs: Any, hints: bool, verify: bool | None) -> Any:
        asked.append(hints)
        return real(programs, hints=hints, verify=verify)

    monkeypatch.setattr(module, "compile_programs", watched)
    for verify in (None, False, True):
        prepare(deck(solve_a=MIRROR).programs, Options(verify=verify))
    assert asked == [False, False, True]


def test_few_programs_that_run_again_are_encoded_once(monkeypatch: pytest.MonkeyPatch):
    made = list[int]()
    real = module.encode_programs

    def counted(programs: dict[str, Program], *given: Any) -> Encoded:
        made.append(len(programs))
        return real(programs, *given)

    monkeypatch.setattr(module, "encode_programs", counted)
    monkeypatch.setattr(module, "_last", None)
    direct, few = Options(compiled=False), deck(solve_a=MIRROR, solve_b=SAME).programs
    first = prepare(few, direct)
    again = prepare(dict(few), direct)
    assert made == [2]
    assert again.image is first.image
    prepare({"solve_a": few["solve_a"]}, direct)
    prepare(few, replace(direct, verify=True))
    prepare({"solve_b": few["solve_b"], "solve_a": few["solve_a"]}, direct)
    assert made == [2, 1, 2, 2]


def test_many_programs_are_not_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "FEW", 1)
    programs = deck(solve_a=MIRROR, solve_b=SAME).programs
    prepare(programs, Options(compiled=False))
    assert module._last is None
