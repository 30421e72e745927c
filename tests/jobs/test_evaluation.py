"""The main job: its engine, its progress, its clean end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import batt
from batt.errors import UsageError
from batt.jobs import ENGINES, choose_engine, evaluate, evaluation
from batt.jobs.choice import Choice
from batt.own.native import native_table
from batt.runtime import Limits, Status
from batt.runtime.child import ChildProcess
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import VARIABLE
from batt.runtime.reference import process as process_module
from batt.tasks import tasks_from_dict
from fake_cupy import Card, FakeCupy
from handmade import HUNGRY, MIRROR, RAISES, SAME, STUCK, deck, plain_tasks, source
from native_library import needs_library
from output_texts import run_texts

TASKS = tasks_from_dict(plain_tasks())
DECK = deck(**{f"solve_{n}": MIRROR if n % 2 else RAISES for n in range(20)})


ENGINE = pytest.mark.parametrize("engine", [pytest.param("cpu", marks=needs_library), "reference"])

WIDE = ("a = asindices(upscale(I, 30))", "x = prapply(astuple, a, a)")
"""Seconds of work for any engine within the default budget."""


@pytest.mark.parametrize("engine", ["", "Reference", "gpu"])
def test_an_unknown_engine_is_refused(engine: str):
    with pytest.raises(
        UsageError, match=r"is not available; this version has: auto, cuda, cpu, reference \(see batt doctor\)$"
    ):
        evaluate(DECK, TASKS, engine=engine)


@needs_library
def test_auto_is_the_cpu_engine_where_the_library_is_there():
    assert choose_engine("auto") == choose_engine("cpu") == Choice("cpu")
    assert choose_engine("reference") == Choice("reference")
    assert ENGINES == ("auto", "cuda", "cpu", "reference")


@needs_library
def test_without_a_gpu_the_cuda_engine_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    FakeCupy(count_error=35, driver_version=0).use(monkeypatch)
    with pytest.raises(
        UsageError, match=r"^engine 'cuda' is not available: no NVIDIA driver is installed; .*nvidia-smi"
    ):
        evaluate(DECK, TASKS, engine="cuda")
    assert evaluate(DECK, TASKS, workers=1).notes == ()


def test_the_cuda_engine_needs_the_library_too(monkeypatch: pytest.MonkeyPatch):
    FakeCupy().use(monkeypatch)
    monkeypatch.setenv(VARIABLE, "/nowhere/lib.so")
    with pytest.raises(UsageError, match=r"^engine 'cuda' is not available: the native library is missing"):
        evaluate(DECK, TASKS, engine="cuda")


@needs_library
@pytest.mark.parametrize("outputs", [False, True])
def test_gpus_run_with_and_without_outputs_and_notes_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, outputs: bool
):
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    cupy = FakeCupy([Card(total_bytes=1 << 20)]).use(monkeypatch)
    told: list[str] = []
    results = evaluate(DECK, TASKS, engine="cuda", outputs=outputs, workers=2, tell=told.append)
    assert (results.engine, list(results.notes)) == ("cuda", told)
    assert results.records.tolist() == evaluate(DECK, TASKS, engine="cpu").records.tolist()
    # Which of the two runs finds no kernel depends on the order of the tests.
    assert [line for line in told if not line.startswith("compiling the GPU kernel")] == []
    assert cupy.taken == {}


def test_without_the_library_auto_is_the_reference_engine_and_says_why(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "/nowhere/lib.so")
    told: list[str] = []
    results = evaluate(DECK, TASKS, workers=1, tell=told.append)
    assert results.engine == "reference"
    assert list(results.notes) == told
    (note,) = told
    assert note.startswith("the cpu engine is not available (the native library is missing")
    assert "pip install" in note


def test_without_the_library_a_named_engine_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "/nowhere/lib.so")
    with pytest.raises(UsageError, match=r"^engine 'cpu' is not available: .*/nowhere/lib\.so.*pip install"):
        evaluate(DECK, TASKS, engine="cpu")
    assert evaluate(DECK, TASKS, engine="reference", workers=1).notes == ()


@needs_library
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize(("compiled", "share"), [(False, False), (True, False), (True, True)])
def test_engines_agree_on_every_record_and_output(own: bool, compiled: bool, share: bool):
    solvers = deck(
        solve_mirror=MIRROR, solve_trap=RAISES, solve_x=("x = objects(I, T, T, F)",), solve_y=WIDE[:1] * 2 + SAME
    )
    options: dict[str, Any] = {"own": own, "outputs": True, "workers": 2}
    native = evaluate(solvers, TASKS, engine="cpu", compiled=compiled, share=share, **options)
    plain = evaluate(solvers, TASKS, engine="reference", **options)
    assert native.records.tolist() == plain.records.tolist()
    assert run_texts(native) == run_texts(plain)
    assert native.steps == plain.steps
    assert (native.native, plain.native) == (len(native), 0)
    assert native.fallbacks == plain.fallbacks == {}


@ENGINE
def test_progress_grows_and_ends_at_the_total(engine: str):
    told: list[tuple[int, int]] = []
    results = evaluate(DECK, TASKS, workers=2, engine=engine, progress=lambda done, total: told.append((done, total)))
    done = [each for each, _ in told]
    assert done == sorted(set(done))
    assert done[0] == 0
    assert {total for _, total in told} == {len(results)} == {140}
    assert done[-1] == 140


def test_no_process_is_left_when_progress_raises(monkeypatch: pytest.MonkeyPatch):
    started: list[ChildProcess] = []

    class Recorded(ChildProcess):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            started.append(self)

    def fail(done: int, total: int) -> None:
        if done:
            raise ZeroDivisionError

    monkeypatch.setattr(process_module, "ChildProcess", Recorded)
    with pytest.raises(ZeroDivisionError):
        evaluate(DECK, TASKS, workers=2, progress=fail, engine="reference")
    assert len(started) == 2
    assert all(worker.process.returncode is not None for worker in started)


@ENGINE
def test_an_interrupt_keeps_what_is_done(engine: str):
    seen: list[int] = []

    def interrupt(done: int, total: int) -> None:
        seen.append(done)
        if done:
            raise KeyboardInterrupt

    threads = threading.active_count()
    many = deck(**{f"solve_{n}": MIRROR for n in range(200)})
    results = evaluate(many, TASKS, workers=2, engine=engine, progress=interrupt, outputs=True)
    assert results.interrupted
    done = len(results) - results.not_run
    assert 0 < seen[-1] <= done < len(results) == 1400
    assert sum(results.counts.values()) == done
    assert sum(text != "null" for text in run_texts(results)) == results.counts["ok"] == done
    assert threading.active_count() == threads


@ENGINE
def test_an_interrupt_before_anything_is_done_leaves_nothing_run(engine: str):
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    results = evaluate(DECK, TASKS, engine=engine, progress=interrupt)
    assert (results.interrupted, results.not_run, results.steps) == (True, 140, 0)
    assert not results.fits.any()


INTERRUPTED = """
import sys
from batt.front import load_deck
from batt.jobs import evaluate
from batt.tasks import load_tasks

def progress(done, total):
    if done:
        print("some are done", flush=True)

results = evaluate(load_deck(sys.argv[1]), load_tasks(sys.argv[2]), workers=2, engine="cpu", progress=progress)
print(results.interrupted, results.counts["ok"], results.counts["timed_out"], results.not_run)
"""


@needs_library
def test_a_signal_ends_a_run_at_once_and_keeps_what_is_done(tmp_path: Path):
    (tmp_path / "deck.py").write_text(
        "\n\n".join([source("solve_a", *MIRROR), *[source(f"solve_{n}", *WIDE) for n in range(40)]])
    )
    (tmp_path / "tasks.json").write_text(json.dumps(plain_tasks()))
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "deck.py"), str(tmp_path / "tasks.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "some are done\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    interrupted, ok, timed_out, not_run = out.split("\n")[-2].split()
    assert (interrupted, timed_out) == ("True", "0")
    assert int(ok) > 0
    assert int(not_run) > 200


def test_the_number_of_workers_is_checked():
    with pytest.raises(UsageError, match="workers must be at least 1"):
        evaluate(DECK, TASKS, workers=0)


@ENGINE
def test_limits_and_time_are_kept_with_the_results(engine: str):
    results = evaluate(DECK, TASKS, limits=Limits(steps=1), workers=1, engine=engine)
    assert results.limits == Limits(steps=1)
    assert results.counts["over_budget"] + results.counts["raised"] == 140
    assert results.wall_s > 0


@ENGINE
def test_an_evaluation_of_more_than_ten_million_steps_ends_within_the_default_budget(engine: str):
    long = (*["x = interval(0, 1000000, 1)"] * 11, "x = size(x)")
    results = evaluate(deck(solve_x=long), TASKS.select(["mirror"]), workers=1, engine=engine)
    assert (results.counts["ok"], results.steps) == (3, 3 * (11_000_000 + 12))


@ENGINE
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")
def test_without_memory_for_it_an_evaluation_times_out_and_has_no_other_outcome(engine: str):
    limits = Limits(wall_s=600, memory_bytes=200 << 20)
    results = evaluate(deck(solve_x=HUNGRY), TASKS.select(["mirror"]), workers=1, engine=engine, limits=limits)
    native = engine == "cpu"
    assert (results.counts["ok"], results.counts["timed_out"]) == ((3, 0) if native else (0, 3))
    assert results.out_of_memory == (0 if native else 3)


def test_what_ended_its_process_is_counted_among_the_timed_out(monkeypatch: pytest.MonkeyPatch):
    is_stuck = process_module._Stopwatch.is_stuck

    def kill_the_stuck(watch: Any) -> bool:
        if is_stuck(watch):
            watch.child.kill()
        return False

    monkeypatch.setattr(process_module._Stopwatch, "is_stuck", kill_the_stuck)
    results = evaluate(deck(solve_x=STUCK), TASKS, limits=Limits(wall_s=0.1), workers=1, engine="reference")
    assert results.counts["timed_out"] == 7
    assert results.crashed == 5


def test_the_package_offers_the_job():
    assert batt.evaluate is evaluate


LONG, LONGER = 30_000, 1_200_000
"""Items of an interval: half a mebibyte in memory, and 19 of them."""


@needs_library
@pytest.mark.parametrize(
    ("items", "memory"),
    [
        pytest.param(LONGER, WorkerMemory(), id="large values"),
        pytest.param(LONG, WorkerMemory(trim_bytes=0, trim_steps=1), id="small trims"),
    ],
)
def test_shared_values_stay_whole_when_memory_is_given_back(items: int, memory: WorkerMemory):
    head = f"a = interval(0, {items}, 1)"
    many = deck(
        solve_a=(head, "x = size(apply(increment, a))"),
        solve_b=(head, "x = last(a)"),
        solve_c=(head, "x = apply(increment, a)"),
        solve_d=(head, "x = last(order(a, invert))"),
        solve_e=(head, "x = dedupe(a)"),
    )

    def records(share: bool) -> Any:
        return evaluate(many, TASKS, engine="cpu", compiled=True, share=share, memory=memory, workers=1).records

    alone = records(share=False)
    assert (alone["status"] == Status.OK).all()
    assert records(share=True).tolist() == alone.tolist()


@needs_library
def test_the_time_to_compile_own_ops_is_no_part_of_the_runs(monkeypatch: pytest.MonkeyPatch):
    order: list[str] = []
    compiling_s = [0.0]
    now = time.monotonic

    def compile_for_an_hour(*given: Any) -> Any:
        order.append("compiled")
        compiling_s[0] += 3600.0
        return native_table(*given)

    monkeypatch.setattr(evaluation, "native_table", compile_for_an_hour)
    monkeypatch.setattr("time.monotonic", lambda: now() + compiling_s[0])
    results = evaluate(DECK, TASKS, engine="cpu", workers=1, progress=lambda done, total: order.append("progress"))
    assert order[:2] == ["compiled", "progress"]
    assert order.count("compiled") == 1
    assert results.wall_s < 3600.0


def test_decks_and_tasks_are_given_in_any_form(tmp_path: Path):
    (tmp_path / "deck.py").write_text(source("solve_mirror", *MIRROR))
    (tmp_path / "tasks.json").write_text(json.dumps(plain_tasks()))
    wanted = evaluate(deck(solve_mirror=MIRROR), TASKS, workers=1, engine="reference")
    decks = (tmp_path / "deck.py", str(tmp_path / "deck.py"), [tmp_path / "deck.py"], source("solve_mirror", *MIRROR),
             {"solve_mirror": source("solve_mirror", *MIRROR)}, list(deck(solve_mirror=MIRROR)))  # fmt: skip
    tasks = (
        tmp_path / "tasks.json",
        str(tmp_path / "tasks.json"),
        [tmp_path / "tasks.json"],
        plain_tasks(),
        list(TASKS),
    )
    for number in range(max(len(decks), len(tasks))):
        given = decks[number % len(decks)], tasks[number % len(tasks)]
        found = evaluate(*given, workers=1, engine="reference")
        assert (found.deck.names, found.tasks.ids) == (("solve_mirror",), ("mirror", "trap"))
        assert (found.records == wanted.records).all()
    assert evaluate(DECK, TASKS["trap"], workers=1, engine="reference").tasks.ids == ("trap",)


def test_what_is_no_deck_and_no_tasks_is_refused():
    with pytest.raises(UsageError, match=r"^expected a deck: "):
        evaluate(5, TASKS)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^expected tasks: "):
        evaluate(DECK, None)  # type: ignore[arg-type]


def test_a_bar_is_shown_where_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    for progress in (None, False):
        evaluate(DECK, TASKS, workers=1, engine="reference", progress=progress)
        assert capsys.readouterr() == ("", "")
    evaluate(DECK, TASKS, workers=1, engine="reference", progress=True)
    assert "140/140" in capsys.readouterr().err
