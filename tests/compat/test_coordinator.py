"""Many tasks in batches: every solver's own outcome for every sample, merged per task."""

from __future__ import annotations

import runpy
from itertools import chain
from pathlib import Path

import pytest

import batt
from batt.bench.frozen import first_132
from batt.cli.main import main
from batt.compat import BatchResult, GPUBatchProcessor, MegaBatchCoordinator
from batt.errors import UsageError
from batt.jobs import Failed
from batt.runtime import Split, Status
from handmade import MIRROR, RAISES, deck, plain_tasks, source
from native_library import needs_library

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
TASKS = batt.tasks_from_dict(plain_tasks())
DECK = deck(solve_mirror=MIRROR, solve_raises=RAISES)


@pytest.mark.parametrize("engine", ENGINES)
def test_results_are_those_of_the_solvers_alone_whatever_the_size_of_a_batch(engine: str):
    solvers = first_132()[:15]
    tasks = batt.Tasks(batt.load_tasks("arc1-training").tasks[:3], "three")
    results = batt.evaluate(solvers, tasks, engine="reference", outputs=True)
    merged = MegaBatchCoordinator(solvers, 7, engine=engine).process_all(tasks)
    assert list(merged) == list(tasks.ids)
    made = [value for result in chain.from_iterable(merged.values()) for *_, value in result.outputs]
    samples = len(results.evaluations.samples)
    for number, wanted in enumerate(results.values()):
        solver, sample = divmod(number, samples)
        value = made[sample * len(solvers) + solver]
        if results.records["status"][number] == Status.OK:
            assert value == wanted
        else:
            assert isinstance(value, Failed)


def test_a_result_holds_outputs_and_scores():
    merged = MegaBatchCoordinator(DECK, 2, differs="equal,cells").process_all(TASKS)
    first = merged["mirror"][0]
    assert first == BatchResult(
        "mirror",
        Split.TRAIN,
        0,
        [(1, True, "solve_mirror", ((2, 1),)), (1, False, "solve_raises", Failed("StopIteration"))],
        first.scores,
    )
    assert [score[:3] for score in first.scores] == [
        (1, name, differ) for name in ("solve_mirror", "solve_raises") for differ in ("equal", "cells")
    ]
    assert [score[3][0] for score in first.scores] == [0, 0, None, None]
    assert (first.failed, repr(first)) == (1, "<BatchResult mirror train 0 | 2 outputs, 1 failed>")


def test_batches_hold_all_samples_in_order():
    coordinator = MegaBatchCoordinator(DECK, 3)
    samples = coordinator.collect_samples(TASKS)
    batches = list(coordinator.create_batches(samples))
    assert [len(batch) for batch in batches] == [3, 3, 1]
    assert sum(map(tuple, batches), ()) == samples
    assert coordinator.process_batch([]) == []
    seen: list[tuple[int, int]] = []
    coordinator.process_all(list(TASKS), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(3, 7), (6, 7), (7, 7)]


def test_a_batt_is_found_by_its_path_or_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "batt_test.py").write_text(source("solve_mirror", *MIRROR))
    monkeypatch.chdir(tmp_path)
    for name in ("batt_test", "batt_test.py", tmp_path / "batt_test.py"):
        assert MegaBatchCoordinator(name).deck.names == ("solve_mirror",)
    with pytest.raises(UsageError, match="no such file or module"):
        MegaBatchCoordinator("batt_other")


@pytest.mark.parametrize("size", [0, -1])
def test_an_empty_batch_cannot_be_asked_for(size: int):
    with pytest.raises(UsageError, match="at least one sample"):
        MegaBatchCoordinator(DECK, size)
    with pytest.raises(UsageError, match="at least one sample"):
        GPUBatchProcessor(size)


def test_the_processor_falls_back_to_the_cpu_and_says_so(capsys: pytest.CaptureFixture[str]):
    processor = GPUBatchProcessor(batch_size=2, use_gpu=True, deck=DECK)
    assert not processor.gpu_available
    found = processor.process_tasks_batch(TASKS)
    assert found == MegaBatchCoordinator(DECK).process_all(TASKS)
    assert capsys.readouterr().err.count("GPU not available, using the CPU") == 1
    assert GPUBatchProcessor(use_gpu=False, deck=DECK).process_tasks_batch(list(TASKS)) == found
    assert GPUBatchProcessor(deck=DECK).process_tasks_batch([]) == {}


@pytest.mark.parametrize("form", [[], ["--batch"]], ids=["sequential", "batch"])
def test_a_generated_batt_gives_what_it_gives_when_it_is_called(tmp_path: Path, form: list[str]):
    path = tmp_path / "my_batt.py"
    assert main(["card", "-c", "6", "--seed", "3", "-f", str(path), *form]) == 0
    called = runpy.run_path(str(path))["batt_batch" if form else "batt"]
    tasks = batt.Tasks(batt.load_tasks("arc1-training").tasks[:2], "two")
    coordinator = MegaBatchCoordinator(path, 3)
    results = list(chain.from_iterable(coordinator.process_all(tasks).values()))
    samples = coordinator.collect_samples(tasks)
    given = [(each.task, each.demonstrations, each.input, each.expected) for each in samples]
    wanted = called(*map(list, zip(*given, strict=True))) if form else [called(*each) for each in given]
    assert [(result.outputs, result.scores) for result in results] == wanted
