"""A walk through the legacy API: what it promises, as commands and snippets in today's names, for real.

Promises are numbered; `PROMISES` names each, and a test is tied to those that it shows. What needs an engine runs on
every rung of the ladder, on GPUs where there are some.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pytest

import batt
import handmade
from batt import compat, dsl, gpu, lazy
from batt.card import running
from batt.cli.main import main
from batt.front.batts import BattForm, read_batt
from batt.jobs import Failed, samples_of
from batt.runtime import Sample, cuda
from batt.runtime.native import VARIABLE
from batt.tasks import Tasks
from dealt import alone, imported
from handmade import source
from native_library import needs_library
from own_example import needs_compiler

PROMISES = {
    1: "many solvers in one generated file",
    2: "a generated file finds the devices, says so, and falls back",
    3: "sample extraction in one call",
    4: "several forms of objects of a grid in one call",
    5: "groups of mapply in one call",
    6: "patterns are found, and told in the file",
    7: "a batch file in lazy words",
    8: "colours and moves inferred from the demonstrations",
    9: "old files run as they are, and become batch files",
    10: "differs",
    11: "a run of a batt, and generating and running in one",
    12: "the coordinator of mega-batches",
    13: "the processor of batches",
    14: "memory of GPUs",
    15: "array functions over grids",
    16: "operations by their batch names",
    17: "optimizers",
    18: "several GPUs",
    19: "bounded memory, mapped files, asynchronous batches",
    20: "a fallback, always",
    21: "special operations, and those of one's own",
    22: "what is asked for twice is worked out once",
    23: "equal results, checked",
    24: "profiling",
    25: "benchmarks by size",
    26: "a dashboard",
    27: "a test of the machine, and submissions",
    28: "speed, with all of it equal",
}

KEPT: dict[int, list[str]] = {}
"""The tests of each promise."""

Test = TypeVar("Test", bound=Callable[..., Any])


def promise(*numbers: int) -> Callable[[Test], Test]:
    """Tie a test to the promises that it shows."""

    def tied(test: Test) -> Test:
        for number in numbers:
            KEPT.setdefault(number, []).append(test.__name__)
        return test

    return tied


NO_GPU = cuda.missing()
on_a_gpu = [pytest.mark.gpu, pytest.mark.skipif(NO_GPU is not None, reason=f"no GPU: {NO_GPU}")]
on_every_rung = pytest.mark.parametrize(
    "engine", ["reference", pytest.param("cpu", marks=needs_library), pytest.param("cuda", marks=on_a_gpu)]
)

IDS = ("25ff71a9", "2dee498d", "4c4377d9", "a699fb00", "ecdecbb3")
"""Tasks that the built-in deck solves, in the order in which a file gives them."""


@cache
def few() -> Tasks:
    tasks = batt.load_tasks("arc1-training")
    return Tasks(tuple([tasks[each] for each in IDS]), "few")


@cache
def samples() -> tuple[Sample, ...]:
    return samples_of(few())


@cache
def few_grids() -> list[Any]:
    return [sample.input for sample in samples()]


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], here: Path) -> Callable[[str], Ended]:
    """A command as somebody types it, which must succeed; FEW stands for a file of a few tasks."""
    challenges = {
        task.id: {
            part: [{"input": pair.input, "output": pair.output} for pair in pairs]
            for part, pairs in (("train", task.train), ("test", task.test))
        }
        for task in few()
    }
    (here / "few.json").write_text(json.dumps(challenges))

    def run(line: str) -> Ended:
        program, *words = line.replace("FEW", "--tasks few.json").split()
        assert program == "batt"
        ended = Ended(main(words), *capsys.readouterr())
        assert ended.code == 0, ended
        return ended

    return run


Command = Callable[[str], Ended]


DEALT: dict[str, str] = {}


def deal(command: Command, here: Path, options: str, name: str) -> None:
    """Write a batt as `batt card` does. The command runs once for equal options."""
    line = f"batt card {options} -f {name} FEW"
    if line not in DEALT:
        command(line)
        DEALT[line] = (here / name).read_text()
    (here / name).write_text(DEALT[line])


@promise(*PROMISES)
def test_every_promise_has_its_test():
    assert {number for number, tests in KEPT.items() if len(tests) > 1} == PROMISES.keys()


@promise(1)
@on_every_rung
def test_a_batt_of_ten_gives_what_each_solver_gives_alone(command: Command, here: Path, engine: str):
    deal(command, here, "-c 10", "my_batt.py")
    module = imported(here, (here / "my_batt.py").read_text())
    module.batt.engine = engine
    solvers = batt.load_deck("my_batt.py")
    assert len(solvers) == 10
    for sample in samples()[::4]:
        o, s = module.batt(sample.task, sample.demonstrations, sample.input, sample.expected, None)
        values = [alone(solver.program, sample) for solver in solvers]
        changed = [not isinstance(value, Failed) and value != sample.input for value in values]
        assert [(row[1], row[3]) for row in o] == list(zip(changed, values, strict=True))
        assert [(step, task) for step, _, task, _ in o] == [(step, task) for step, task, _, _ in s]
        assert {differ for _, _, differ, _ in s} == {"equal"}
        scores = [None if isinstance(value, Failed) else int(value != sample.expected) for value in values]
        assert [score for *_, (score, _) in s] == scores


@promise(1)
def test_a_batt_is_written_by_either_option_and_always_the_same(command: Command, here: Path):
    texts = []
    for option in ("-f", "-o", "-f"):
        command(f"batt card -c 3 {option} my_batt.py FEW")
        texts.append((here / "my_batt.py").read_text())
    assert len(set(texts)) == 1


@promise(1)
def test_a_target_that_would_hide_a_module_is_refused(here: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["card", "-c", "10", "-f", "batt.py"]) == 2
    assert "would hide the module 'batt'; try my_batt.py" in capsys.readouterr().err
    assert list(here.iterdir()) == []


@promise(2)
def test_a_generated_file_says_in_one_line_what_it_runs_on(
    command: Command, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(running, "_TOLD", set())
    command("batt card -c 2 -f my_batt.py FEW")
    module = imported(here, (here / "my_batt.py").read_text())
    for sample in samples()[:2]:
        module.batt(sample.task, sample.demonstrations, sample.input)
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Batt GPU: ")]
    pattern = r"Batt GPU: not available \(.+\), using CPU" if NO_GPU else r"Batt GPU: Enabled \(\d+ GPUs?, .+\).*"
    assert len(lines) == 1
    assert re.fullmatch(pattern, lines[0])


@promise(3)
@on_every_rung
def test_samples_are_extracted_in_one_call(engine: str):
    S = few()[0].demonstrations
    inputs, outputs = dsl.apply(dsl.first, S), dsl.apply(dsl.last, S)
    palettes = [tuple(dsl.mapply(lambda grid: tuple(dsl.palette(grid)), grids)) for grids in (inputs, outputs)]
    assert gpu.batch_process_samples_gpu(S, engine=engine) == (inputs, outputs, *palettes)
    mirrored = [dsl.mapply(dsl.vmirror, grids) for grids in (inputs, outputs)]
    assert gpu.batch_process_samples_gpu(S, dsl.vmirror, engine=engine) == (inputs, outputs, *mirrored)


@promise(4)
@on_every_rung
def test_all_forms_of_objects_of_a_grid_come_in_one_call(engine: str):
    for grid in few_grids()[::5]:
        forms = [dsl.objects(grid, bool(r & 4), bool(r & 2), bool(r & 1)) for r in range(8)]
        assert compat.batch_o_g(grid, range(8), engine=engine) == forms
        assert gpu.batch_o_g_gpu(grid, range(8), engine=engine) == forms


@promise(5)
@on_every_rung
def test_groups_of_mapply_come_in_one_call(engine: str):
    found = [dsl.objects(grid, True, False, True) for grid in few_grids()]
    places = [dsl.mapply(dsl.toindices, each) for each in found]
    assert gpu.batch_mapply_gpu(dsl.toindices, found, engine=engine) == places
    pairs = [(dsl.toindices, found[0]), (dsl.palette, found[1])]
    assert gpu.multi_mapply_gpu(pairs, engine=engine) == [dsl.mapply(f, xs) for f, xs in pairs]


@promise(6)
def test_patterns_are_found_and_told_in_the_file(command: Command, here: Path):
    deck = here / "deck.py"
    lines = ["a = apply(first, S)", "b = mapply(palette, a)", "c = objects(I, T, F, T)", "d = objects(I, F, F, T)"]
    lines += ["e = mapply(toindices, c)", "f = mapply(corners, c)", "x = fill(I, ONE, f)"]
    deck.write_text(source("solve_x", *lines, params="S, I, C"))
    patterns = compat.detect_batch_pattern(deck)
    assert len(patterns.sample_extraction) == 2
    assert [len(forms) for forms in patterns.object_forms.values()] == [2]
    assert [len(loops) for loops in patterns.mapply_groups.values()] == [2]
    command("batt card --deck deck.py -f my_batt.py FEW")
    told = " ".join((here / "my_batt.py").read_text().split('"""')[1].split())
    for line in (
        "steps before sharing 7 steps after sharing 7",
        "steps by level 0 constant, 2 task, 5 sample",
        "sample extraction 2 steps several objects 1 grid in 2 forms groups of mapply 1 container in 2 loops",
        "ops by frequency mapply 3, objects 2",
        "ops by measured cost",
    ):
        assert line in told
    assert json.loads(command("batt show --graph --json --deck deck.py").out)["levels"]["task"] == 2


@promise(7)
@on_every_rung
def test_a_batch_file_gives_what_the_other_gives(command: Command, here: Path, engine: str):
    deal(command, here, "-c 10", "my_batt.py")
    deal(command, here, "-c 10 --batch", "batt_batch.py")
    one = imported(here, (here / "my_batt.py").read_text())
    many = imported(here, (here / "batt_batch.py").read_text(), "batt_batch")
    one.batt.engine = many.batt_batch.engine = engine
    some = samples()[::3]
    columns = [[getattr(each, name) for each in some] for name in ("task", "demonstrations", "input", "expected")]
    assert many.batt_batch(*columns, [None] * len(some)) == [one.batt(*row) for row in zip(*columns, strict=True)]


@promise(7)
def test_a_batch_file_has_three_names(command: Command):
    texts = {command(f"batt card -c 2 {flag} FEW").out for flag in ("--batch", "--vectorized", "--gpu")}
    assert len(texts) == 1
    assert "    t1s = batch_" in texts.pop()


@promise(7)
def test_batch_words_are_lazy():
    places = lazy.batch_ofcolor(few_grids(), dsl.ONE)
    filled = lazy.batch_fill(few_grids(), dsl.TWO, places)
    assert not filled.known
    assert list(filled) == [dsl.fill(grid, dsl.TWO, dsl.ofcolor(grid, dsl.ONE)) for grid in few_grids()]
    assert (filled.batch.runs, places.known) == (1, True)


@promise(8)
def test_a_variant_takes_its_constant_from_the_demonstrations(command: Command, here: Path):
    command("batt card --ids a699fb00 --infer -f my_batt.py FEW")
    variants = batt.load_deck("my_batt.py")
    assert {"solve_a699fb00", "solve_a699fb00_2zo"} <= {*variants.names}
    text = (here / "my_batt.py").read_text()
    assert "# a699fb00_2zo: As solve_a699fb00, with the first colour that only outputs have in place of 2." in text
    results = batt.evaluate(variants.select(["solve_a699fb00_2zo"]), few())
    assert [few()[at].id for at in np.flatnonzero((results.fits & results.correct)[0])] == ["a699fb00"]


@promise(9, 11)
@pytest.mark.parametrize("named", ["old_batt.py", "old_batt"])
def test_an_old_batt_runs_as_it_is_and_becomes_a_batch_one(command: Command, here: Path, named: str):
    shutil.copy(Path(__file__).parent / "data" / "old_batt.py", here)
    told = command(f"batt run -b {named} --export old.jsonl --outputs FEW").err
    assert "14 lines gave a default value instead of an error; here the error is raised" in told
    command(f"batt card --batch -b {named} -f new_batt.py FEW")
    assert read_batt("new_batt.py").form is BattForm.BATCH
    command("batt run -b new_batt.py --export new.jsonl --outputs FEW")
    rows = (here / "old.jsonl").read_bytes()
    assert rows == (here / "new.jsonl").read_bytes()
    assert rows.count(b"\n") == 7 * len(samples())


@promise(10)
def test_differs_score_every_output(command: Command, here: Path):
    (here / "mine.py").write_text(source("differ_rows", "x = subtract(height(C), height(E))", params="S, I, C, E"))
    command("batt run -c 1 --own --differs equal,cells,colours,singles,mine.py --export rows.jsonl FEW")
    rows = [json.loads(line) for line in (here / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == len(few()[0].pairs)
    assert {tuple(row["scores"]) for row in rows} == {("equal", "cells", "colours", "singles", "rows")}
    assert {score for row in rows for score, _ in row["scores"].values()} == {0}


@promise(11)
def test_the_old_command_line_of_a_run_is_taken(command: Command, here: Path):
    command("batt card -c 20 -f batt_test.py FEW")
    told = command("batt run --mega-batch -c 3 -b batt_test --batch-size 100 --use-gpu --json FEW")
    found = json.loads(told.out)
    assert (found["solvers"], found["tasks"]) == (20, 3)
    assert (found["engine"] == "cuda") == (NO_GPU is None)
    assert ("no GPU is used" in told.err) == (NO_GPU is not None)


@promise(11)
def test_generating_and_running_is_one_command(command: Command):
    found = json.loads(command("batt run -c 5 -t 1.0 --json FEW").out)
    assert (found["solvers"], found["tasks"], found["limits"]["wall_s"]) == (399, 5, 1.0)
    assert found["tasks_correct"] == 5


@promise(12, 13)
@pytest.mark.parametrize("use_gpu", [False, True])
def test_samples_of_all_tasks_run_in_batches_and_are_merged_per_task(command: Command, use_gpu: bool):
    command("batt card --ids 2dee498d a699fb00 -f batt_test.py FEW")
    coordinator = compat.MegaBatchCoordinator("batt_test", batch_size=7)
    merged = coordinator.process_all(few())
    assert {task: len(found) for task, found in merged.items()} == {task.id: len(task.pairs) for task in few()}
    assert isinstance(merged["a699fb00"][0], compat.BatchResult)
    for result in merged["a699fb00"]:
        assert [score for *_, (score, _) in result.scores] == [1, 0]
    again = compat.GPUBatchProcessor(batch_size=3, use_gpu=use_gpu, deck="batt_test").process_tasks_batch(few())
    assert again == merged


@promise(14, 19)
def test_memory_is_bounded_counted_and_given_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.runtime.cuda.memory._default", None)
    assert gpu.configure_gpu_memory(device_id=0, memory_fraction=0.8) is (NO_GPU is None)
    sizes = [gpu.get_optimal_batch_size(side, 10**9) for side in (10, 20, 30)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] > 64
    assert gpu.get_optimal_batch_size(30, 5) == 5
    gpu.gpu_memory_cleanup()


@promise(15)
def test_array_functions_run_over_grids_of_many_shapes():
    given = few_grids()
    for operation, wanted in (
        (lambda array: array[:, ::-1], dsl.vmirror),
        (lambda array: array.T, dsl.dmirror),
        (lambda array: array[: array.shape[0] // 2], dsl.tophalf),
    ):
        assert gpu.batch_grid_operations(given, operation) == [wanted(grid) for grid in given]
        assert gpu.gpu_grid_transform(given, operation) == [wanted(grid) for grid in given]
    assert gpu.batch_grid_operations(given, "rot90") == [dsl.rot90(grid) for grid in given]


@promise(16)
@on_every_rung
def test_operations_by_their_batch_names_give_what_the_primitives_give(engine: str):
    ops, given = gpu.GPUDSLOperations(engine=engine), few_grids()
    objects = ops.batch_o_g(given, 5)
    assert list(objects) == [dsl.objects(grid, True, False, True) for grid in given]
    assert list(ops.batch_mapply(dsl.toindices, objects)) == [dsl.mapply(dsl.toindices, each) for each in objects]
    assert list(ops.batch_apply(dsl.size, objects)) == [dsl.apply(dsl.size, each) for each in objects]
    assert ops.batch_compose(dsl.size, dsl.first)[0] == dsl.compose(dsl.size, dsl.first)
    assert list(ops.batch_colorfilter(objects, 1)) == [dsl.colorfilter(each, 1) for each in objects]
    places = [dsl.ofcolor(grid, 1) for grid in given]
    assert list(ops.batch_fill(given, 3, places)) == [dsl.fill(g, 3, p) for g, p in zip(given, places, strict=True)]
    assert list(ops.batch_rot90(given)) == [dsl.rot90(grid) for grid in given]
    assert list(ops.batch_flip(given, axis=1)) == [dsl.vmirror(grid) for grid in given]
    assert list(ops.batch_transpose(given)) == [dsl.dmirror(grid) for grid in given]
    assert ops.batch_color_counts(given)[0] == tuple([dsl.colorcount(given[0], colour) for colour in range(10)])
    assert ops.batch_difference_tuple([(1, 2, 3, 2)], (2,))[0] == (1, 3)


@promise(17, 18)
def test_optimizers_run_on_what_is_there():
    given, Ss = few_grids(), [task.demonstrations for task in few()]
    mirrored, taken = [dsl.vmirror(grid) for grid in given], [gpu.batch_process_samples_gpu(S) for S in Ss]
    assert gpu.auto_select_optimizer().batch_grid_op_optimized(given, "vmirror") == mirrored
    assert gpu.batch_grid_op_optimized(given, np.fliplr) == mirrored
    assert gpu.batch_grid_op_multi_gpu(given, np.fliplr, num_gpus=2) == mirrored
    assert gpu.batch_process_samples_multi_gpu(Ss) == taken
    assert gpu.MultiGPUOptimizer(2).batch_process_samples_multi_gpu(Ss) == taken


@promise(18, 20)
@needs_library
@pytest.mark.skipif(NO_GPU is None, reason="there is a GPU")
def test_devices_that_are_not_there_are_told_and_the_cpu_does_the_work(command: Command):
    ended = command("batt run -c 2 --devices 0,1 --json FEW")
    assert "CUDA is not available (" in ended.err
    assert json.loads(ended.out)["engine"] == "cpu"


@promise(18, 25)
@pytest.mark.gpu
@pytest.mark.skipif(NO_GPU is not None, reason=f"no GPU: {NO_GPU}")
def test_two_workers_share_the_work_and_the_scaling_is_printed(command: Command, here: Path):
    for name, devices in (("one", "0"), ("two", "0,0")):
        command(f"batt run --engine cuda --devices {devices} --export {name}.jsonl --outputs FEW")
    assert (here / "one.jsonl").read_bytes() == (here / "two.jsonl").read_bytes()
    command("batt bench --devices 0,0 --limit 20000 --json scaling.json")
    assert len(json.loads((here / "scaling.json").read_text())["devices"]["rows"]) == 2


@promise(19)
def test_blocks_come_while_the_event_loop_goes_on_and_packed_tasks_are_mapped(command: Command, here: Path):
    path = here / "few.batt-tasks"
    command("batt tasks pack few.json -o few.batt-tasks")
    deck = batt.load_deck().select([f"solve_{each}" for each in IDS])

    async def blocks() -> tuple[int, Any]:
        run = batt.evaluate_async(deck, batt.load_tasks(path))
        done = 0
        async for block in run:
            done += len(block)
        return done, run.results

    done, results = asyncio.run(blocks())
    assert done == len(results) == len(deck) * len(samples())
    assert results.records.tobytes() == batt.evaluate(deck, few()).records.tobytes()


@promise(20)
def test_without_native_code_and_gpus_the_reference_engine_does_the_work(
    command: Command, here: Path, monkeypatch: pytest.MonkeyPatch
):
    command("batt run -c 2 --own --export a.jsonl FEW")
    monkeypatch.setenv(VARIABLE, "/nowhere/lib.so")
    ended = command("batt run -c 2 --own --export b.jsonl --workers 1 --json FEW")
    assert json.loads(ended.out)["engine"] == "reference"
    assert "Running on the reference engine." in ended.err
    assert (here / "a.jsonl").read_bytes() == (here / "b.jsonl").read_bytes()


@promise(20, 28)
@needs_library
def test_what_an_engine_leaves_is_counted_and_of_the_built_in_deck_it_leaves_nothing(command: Command, here: Path):
    found = json.loads(command("batt run --engine cpu --json FEW").out)
    assert (found["native"], found["fallbacks"]) == (399 * len(samples()), {})
    (here / "my_ops.py").write_text(
        "from batt.own import GRID, op\n\n\n@op(GRID, result=GRID)\ndef same(grid):\n    return grid\n"
    )
    (here / "deck.py").write_text(source("solve_x", "x = same(I)"))
    found = json.loads(command("batt run --engine cpu --deck deck.py --ops my_ops.py --json FEW").out)
    assert (found["native"], sum(found["fallbacks"].values())) == (0, len(samples()))


@promise(21)
@needs_library
@needs_compiler
def test_special_operations_and_ones_own_are_native(command: Command, here: Path, own_ops: Path):
    for name in ("my_ops.py", "my_ops.h"):
        shutil.copy(own_ops / name, here)
    definitions = [
        source("large", "x = difference(x, sizefilter(x, ONE))", params="x"),
        source("solve_a", "x = paint(I, merge(large(fgpartition(I))))"),
        source("solve_b", "y = ofcolor(I, ONE)", "x = fill(I, TWO, shift(y, gravitate(y, ofcolor(I, ZERO))))"),
        source("solve_c", "x = majority(I)"),
    ]
    (here / "deck.py").write_text("\n\n".join(definitions))
    for engine in ("reference", "cpu"):
        line = f"batt run --engine {engine} --deck deck.py --ops my_ops.py --export {engine}.jsonl --json FEW"
        found = json.loads(command(line).out)
    assert (found["native"], found["fallbacks"]) == (3 * len(samples()), {})
    assert (here / "reference.jsonl").read_bytes() == (here / "cpu.jsonl").read_bytes()


@promise(22)
@needs_library
def test_what_solvers_share_is_worked_out_once():
    lines = "x = objects(I, T, F, T)", "y = argmax(x, size)"
    deck = handmade.deck(**{f"solve_{at}": (*lines, f"x = fill(I, {at}, y)") for at in range(8)})
    compiled = batt.compile_deck(deck)
    assert sum(len(solver.program.steps) for solver in deck) == 24
    assert len(compiled.graph.nodes) < 24
    shared, apart = [batt.evaluate(deck, few(), engine="cpu", compiled=True, share=each) for each in (True, False)]
    assert shared.records.tobytes() == apart.records.tobytes()


@promise(23)
@pytest.mark.parametrize(
    "engine", [pytest.param("cpu", marks=needs_library), pytest.param("cuda", marks=[*on_a_gpu, needs_library])]
)
def test_the_exports_of_two_engines_are_the_same_bytes(command: Command, here: Path, engine: str):
    for name in ("reference", engine):
        command(f"batt run -c 2 --engine {name} --export {name}.jsonl --outputs FEW")
    rows = (here / "reference.jsonl").read_bytes()
    assert rows == (here / f"{engine}.jsonl").read_bytes()
    assert rows.count(b"\n") == 399 * len(samples_of(few()[:2]))
    assert "0 differ" in command(f"batt check --engines {engine},reference --sample 200 --quiet FEW").out


@promise(24)
@needs_library
def test_profiling_tells_which_operations_take_the_time(command: Command, here: Path):
    command("batt profile --own --quiet --json profile.json FEW")
    found = json.loads((here / "profile.json").read_text())
    assert found["evaluations"] == len(samples())
    assert sum(row["share"] for row in found["by_op"]) == pytest.approx(1)
    figures = compat.profile_batt_operations(batt.load_deck().select(["solve_a699fb00"]), few())
    calls = {row.op: row.spent.calls for row in figures.by_op}
    assert calls["ofcolor"] == calls["underfill"] == len(samples())


@promise(25, 28)
@needs_library
def test_a_benchmark_compares_engines_and_checks_that_they_are_equal(command: Command, here: Path):
    listed = " ".join(command("batt bench --list").out.split())
    for size in (*[f"{n} samples" for n in (3, 10, 50, 200)], *[f"{n} tasks" for n in (10, 50, 200)], "small batch"):
        assert f"sizes/{size}" in listed
    command("batt card -c 4 -f my_batt.py FEW")
    command("batt bench --deck my_batt.py --engines plain,cpu:1 --limit 40 --repeat 1 --json bench.json FEW")
    (case,) = json.loads((here / "bench.json").read_text())["cases"]
    assert (case["compared"], case["equal"], case["different"]) == (case["evaluations"], True, 0)
    plain, cpu = case["columns"]
    assert (plain["ratio"], cpu["left_out"], cpu["deferred"]) == (1, 0, 0)


@promise(26)
def test_a_page_shows_a_run(command: Command, here: Path):
    command("batt run --own --out results FEW")
    command("batt report results -o page.html")
    assert "<html" in (here / "page.html").read_text()


@promise(27)
@needs_library
def test_the_doctor_tries_the_machine(command: Command):
    found = json.loads(command("batt doctor --test --json").out)
    tried = {(each["check"], each["about"]): each["state"] for each in found["checks"]}
    subjects = {"detection", "memory", "batch size", "operations", "processor", "clean-up"}
    assert subjects <= {subject for subject, _ in tried}
    assert tried["operations", "GPUs"] == ("not available" if NO_GPU else "ok")
    assert "failed" not in tried.values()


@promise(27)
def test_a_run_writes_a_submission_with_two_attempts(command: Command, here: Path):
    command("batt run --submission submission.json FEW")
    found = json.loads((here / "submission.json").read_text())
    assert found["a699fb00"][0].keys() == {"attempt_1", "attempt_2"}
