"""C++ bodies: compiled once, tried against the Python bodies, and used on every engine with equal outcomes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import batt
from batt.bytecode.image import ImageBuilder
from batt.bytecode.table import STANDARD, Table
from batt.cli.main import main
from batt.front import Deck
from batt.jobs import evaluate, samples_of
from batt.own import Ops, building, load_ops, trial
from batt.own.native import native_table
from batt.own.trial import LIMITS, BodyOutcome, on_tiers
from batt.runtime import Limits, Status
from batt.runtime.cuda.kernels import NEW_WORDS, op_options
from batt.runtime.options import Options
from batt.runtime.tier import ENGINES
from batt.types import fingerprint
from fake_cards import Cards
from handmade import sample
from output_texts import run_texts
from own_example import EXAMPLE, needs_compiler, needs_library

SOLVERS = """
def solve_enclosed(I):
    x = objects(I, T, T, T)
    return apply(fork(astuple, enclosed, size), totuple(x))


def solve_most(I):
    x = argmax(objects(I, T, T, T), enclosed)
    return subgrid(x, majority(I))


def solve_again(I):
    return power(majority, THREE)(I)


def solve_branch(I):
    f = branch(equality(height(I), width(I)), majority, vmirror)
    return f(I)


def solve_left(I):
    return enclosed(I)


def solve_python(I):
    return add_three(twice(size(I)))


def solve_backwards(I):
    return backwards(twice, (ONE, height(I)))


def solve_wrong(I):
    return wrong(height(I), width(I))


def solve_plain(I):
    return vmirror(I)
"""
NATIVE = ("solve_enclosed", "solve_most", "solve_again", "solve_branch", "solve_plain")


@pytest.fixture
def deck(own_folder: Path, ops: Ops) -> Deck:
    (own_folder / "deck.py").write_text(SOLVERS)
    return batt.load_deck(own_folder / "deck.py", ops=ops)


@pytest.fixture(scope="module")
def tasks() -> batt.Tasks:
    return batt.load_tasks("arc1-training").select(count=8)


def table_of(deck: Deck, told: list[str] | None = None) -> Table:
    return native_table([each.program for each in deck], tell=None if told is None else told.append)


@needs_compiler
@needs_library
def test_bodies_that_differ_are_told_with_the_smallest_arguments_and_not_used(own_cache: Path, deck: Deck, ops: Ops):
    told: list[str] = []
    table = table_of(deck, told)
    assert [line for line in told if line.startswith("wrong")] == [
        "wrong: its C++ body gives 77, its Python body -5, for wrong(0, 5); the Python body is used"
    ]
    trusted = {name for name in ops if ops[name] in table.numbers}
    assert trusted == {"enclosed", "majority", "twice"}
    (kept,) = own_cache.glob("own-*/trial-cpu-*.json")
    found = json.loads(kept.read_text())
    assert re.fullmatch(r"its C\+\+ body takes \d+ steps, its Python body \d+, for dear\(\(.*\)\)", found["dear"])
    assert re.fullmatch(r"its C\+\+ body ends the process \(exit code -11\) for crash\(4\)", found["crash"])
    assert found["endless"] == "its C++ body does not end within 4 s for endless(4)"


@needs_compiler
@needs_library
def test_what_was_compiled_and_tried_is_not_done_again(deck: Deck, monkeypatch: pytest.MonkeyPatch):
    table_of(deck)

    def never(*args: object) -> None:
        raise AssertionError("compiled or tried again")

    monkeypatch.setattr(building, "_compile", never)
    monkeypatch.setattr(trial, "_try_alone", never)
    assert len(table_of(deck).own) == 7


@needs_compiler
@needs_library
@pytest.mark.parametrize("compiled", [True, False])
def test_engines_agree_and_only_what_has_no_body_runs_in_python(deck: Deck, tasks: batt.Tasks, compiled: bool):
    native = evaluate(deck, tasks, engine="cpu", compiled=compiled, outputs=True, workers=2)
    reference = evaluate(deck, tasks, engine="reference", outputs=True, workers=2)
    assert (native.records == reference.records).all()
    assert run_texts(native) == run_texts(reference)
    samples = len(samples_of(tasks))
    causes = {"the op add_three in Python", "the op wrong in Python", "the op backwards in Python", "a user's own op"}
    assert dict(native.fallbacks) == dict.fromkeys(causes, samples)
    assert native.native == len(NATIVE) * samples
    assert native.notes == (
        "wrong: its C++ body gives 77, its Python body -5, for wrong(0, 5); the Python body is used",
    )


@needs_compiler
@needs_library
def test_budgets_end_evaluations_at_the_same_step(deck: Deck, tasks: batt.Tasks):
    chosen = deck.select(NATIVE)
    for steps in (1, 20, 150, 700):
        limits = Limits(steps=steps, max_items=300)
        one, other = (evaluate(chosen, tasks, engine=engine, limits=limits) for engine in ("cpu", "reference"))
        assert (one.records == other.records).all()
        assert (one.records["status"] == Status.OVER_BUDGET).any()


@needs_compiler
@needs_library
def test_commands_take_the_file(own_folder: Path, deck: Deck, capsys: pytest.CaptureFixture[str]):
    common = ["--deck", str(own_folder / "deck.py"), "--ops", str(own_folder / "my_ops.py")]
    assert main(["check", *common, "--sample", "60", "--quiet", "--workers", "1"]) == 0
    assert " 0 different" in capsys.readouterr().out
    assert main(["profile", *common, "--sample", "60", "--quiet"]) == 0
    assert "majority" in capsys.readouterr().out
    assert main(["bench", *common, "--limit", "40", "--engines", "reference,cpu:1", "--repeat", "1"]) == 0
    capsys.readouterr()


@needs_compiler
@needs_library
def test_a_gpu_is_told_of_own_ops_and_tried(deck: Deck, ops: Ops, monkeypatch: pytest.MonkeyPatch):
    table = table_of(deck)
    assert op_options(ImageBuilder().image()) == ()
    # Bodies of own ops may call what new words are made of.
    assert op_options(ImageBuilder(table).image()) == (*NEW_WORDS, "-DBATT_OWN_OPS", f"-I{table.folder}")
    cards = Cards(monkeypatch)
    cards.watch(monkeypatch, trial)
    text = "def solve(I):\n    return astuple(majority(I), enclosed(asobject(I)))\n"
    program = Deck.from_sources({"solve": text}, ops=ops)[0].program
    (seen,) = on_tiers([program], table, sample(), Options(limits=LIMITS, workers=1), ENGINES["cuda"][:3])
    assert seen is not None
    assert cards.kernel.counts
    assert {"-DBATT_OWN_OPS", f"-I{table.folder}"} <= set(cards.cupy.compiled[0][1])
    value = program.run((sample().input,))
    assert seen == BodyOutcome("ok", fingerprint(value), seen.steps)
    assert seen != BodyOutcome("ok", fingerprint(7), seen.steps)


def test_programs_without_own_ops_need_nothing(tasks: batt.Tasks):
    assert native_table([each.program for each in batt.load_deck()[:5]]) is STANDARD


def test_the_example_of_the_documentation_does_what_it_says():
    for name, op in load_ops(EXAMPLE / "my_ops.py").items():
        space = {**vars(__import__("batt.dsl", fromlist=["*"])), name: op}
        assert op.examples, name
        for example in op.examples:
            assert repr(eval(example.call, space)) == example.gives
