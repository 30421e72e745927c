"""The variants of decks: which there are, their names, and that all engines run them alike."""

from __future__ import annotations

import numpy as np
import pytest

import batt
import handmade
from batt.bench.frozen import first_132
from batt.check.engines import ENGINES, SharedProgress
from batt.codegen.plan import plan
from batt.compiler import compile_deck
from batt.front import Deck
from batt.ir.graph import Level
from batt.jobs import samples_of
from batt.runtime import Limits, Status
from batt.variants import infer_variants
from batt.variants.rewriting import ValueSource
from fake_cards import Cards, by_cpu, deck_job, gather
from native_library import needs_library

TASKS = batt.load_tasks("arc1-training")


@pytest.fixture(scope="module")
def built_in():
    return infer_variants(first_132(), TASKS)


def test_every_variant_belongs_to_a_solver_and_is_another_program(built_in):
    originals = first_132()
    programs = [*[solver.program for solver in originals], *[each.solver.program for each in built_in.variants]]
    assert len(set(programs)) == len(programs)
    assert len(set(built_in.beside.names)) == len(built_in.beside) == len(programs)
    assert all(each.solver.name.startswith(f"{each.original}_") for each in built_in.variants)


def test_variants_stand_right_after_their_originals(built_in):
    names = built_in.beside.names
    at = names.index("solve_3c9b0459")
    assert names[at + 1] == "solve_3c9b0459_rot180mr"
    assert [name for name in names if name in built_in.originals.names] == list(built_in.originals.names)


def test_the_same_deck_gives_the_same_variants(built_in):
    again = infer_variants(first_132(), TASKS)
    assert [each.solver for each in again.variants] == [each.solver for each in built_in.variants]
    assert again.deck.names == built_in.deck.names


def test_every_inferred_value_is_there_on_the_own_task(built_in):
    for each in built_in.variants:
        assert each.task is not None
        assert all(change.inferred is not None for change in each.changes)


def test_a_variant_that_infers_its_constants_is_right_where_the_original_is(built_in):
    same = [each for each in built_in.variants if each.is_the_same]
    assert len(same) > 100
    deck = Deck([each.solver for each in same])
    results = batt.evaluate(deck, TASKS, own=True)
    assert results.counts["ok"] == len(results)
    assert (results.records["equal"] == 1).all()


def test_a_deck_of_variants_can_be_saved_and_read(built_in, tmp_path):
    built_in.beside.save(tmp_path / "variants.py")
    again = batt.load_deck(tmp_path / "variants.py")
    assert {solver.name: solver.program for solver in again} == {s.name: s.program for s in built_in.beside}


def test_all_variants_compile_and_share_what_depends_on_the_demonstrations(built_in):
    made = compile_deck(built_in.deck)
    assert not made.left_out
    assert sum(entry.level is Level.TASK for entry in plan(made.graph).entries) >= 10


@needs_library
@pytest.mark.parametrize("limits", [Limits(300_000, 200_000), Limits(700, 300), Limits(260, 5_000)], ids=str)
def test_all_engines_agree_on_variants_own_and_foreign(built_in, limits):
    deck = built_in.deck[::3]
    chosen = ["007bbfb7", "3c9b0459", "67a3c6ac", "74dd1130", "dc1df850", "b1948b0a", "0520fde7", "a699fb00"]
    samples = samples_of(TASKS.select(chosen))
    pairs = [(solver, sample) for sample in range(len(samples)) for solver in range(len(deck))]
    wanted = ENGINES["reference"].open(deck, samples)(pairs, limits, SharedProgress())
    over = wanted.records["status"] == Status.OVER_BUDGET
    assert 10 < over.sum() + (limits.steps > 1_000) * 11 < len(pairs) - 10
    for name in ("cpu", "cpu-noshare", "cpu-direct"):
        got = ENGINES[name].open(deck, samples)(pairs, limits, SharedProgress())
        assert set(got.causes) == {""}
        assert np.array_equal(got.records, wanted.records), name
        assert np.array_equal(got.steps[~over], wanted.steps[~over]), name


@needs_library
@pytest.mark.parametrize("compiled", [False, True])
def test_a_gpu_gives_the_records_of_the_cpu_engine(built_in, monkeypatch, compiled):
    job = deck_job(built_in.deck[::5], 3, compiled)
    assert gather(Cards(monkeypatch).make(job)) == by_cpu(job)


def variants_of(*lines: str, name: str = "solve_t", params: str = "I", shown=(((1, 5), (1, 7)),)):
    deck = Deck.from_sources({name: handmade.source(name, *lines, params=params)})
    pairs = [([list(i)], [list(o)]) for i, o in shown]
    tasks = batt.tasks_from_dict({"t": {"train": handmade.pairs(*pairs), "test": handmade.pairs(*pairs[:1])}})
    return infer_variants(deck, tasks).variants


def test_a_colour_is_taken_from_both_sources_and_tells_which_is_the_constant():
    vanishing, appearing = variants_of("x = ofcolor(I, FIVE)")
    assert (vanishing.solver.name, appearing.solver.name) == ("solve_t_5iz", "solve_t_5zo")
    assert [each.changes[0].inferred for each in (vanishing, appearing)] == [5, 7]
    assert vanishing.is_the_same
    assert not appearing.is_the_same


def test_the_last_colour_is_taken_where_that_is_the_constant():
    (made,) = variants_of("x = ofcolor(I, NINE)", shown=(((1, 2, 9), (1,)),))
    assert made.solver.name == "solve_t_9izl"
    assert made.changes[0].source is ValueSource.IZ_LAST


def test_two_colours_are_taken_together_one_that_vanishes_and_one_that_appears():
    names = [each.solver.name for each in variants_of("x = replace(I, FIVE, SEVEN)")]
    assert names == ["solve_t_5iz", "solve_t_5zo", "solve_t_7iz", "solve_t_7zo", "solve_t_5iz7zo", "solve_t_7iz5zo"]


def test_nothing_is_taken_where_the_demonstrations_have_nothing_to_give():
    assert variants_of("x = ofcolor(I, FIVE)", shown=(((1, 5), (5, 1)),)) == ()
    assert variants_of("x = rot90(I)", shown=(((1, 5), (5, 5)),)) == ()


def test_a_move_is_found_by_which_the_solver_fits():
    shown = (((1, 2), (1, 2, 2, 1)), ((3, 4), (3, 4, 4, 3)))
    (made,) = variants_of("y = rot90(I)", "x = hconcat(I, y)", shown=shown)
    assert made.solver.name == "solve_t_rot90mf"
    assert made.changes[0].inferred == "vmirror"
    assert not made.is_the_same


def test_a_solver_that_raises_or_never_ends_with_a_move_has_no_variant_of_it():
    shown = (((1, 2), (2, 1)), ((3,), (4,)))
    assert variants_of("y = rot90(I)", "x = first(())", shown=shown) == ()
    assert variants_of("y = rot90(I)", *["y = astuple(y, y)"] * 60, "x = initset(y)", shown=shown) == ()


def test_a_solver_without_a_task_has_every_variant():
    found = variants_of("x = ofcolor(rot90(I), FIVE)", name="solve_else", shown=(((1,), (1,)),))
    names = [each.solver.name for each in found]
    assert names == ["solve_else_5iz", "solve_else_5zo", "solve_else_rot90mr", "solve_else_rot90mf"]


def test_a_solver_of_demonstrations_has_variants_too():
    names = [each.solver.name for each in variants_of("x = (S, ofcolor(I, FIVE))", params="S, I, C")]
    assert names == ["solve_t_5iz", "solve_t_5zo"]


def test_a_name_that_is_taken_is_not_given_again():
    lines = {"solve_t": "x = ofcolor(I, FIVE)", "solve_t_5iz": "x = identity(I)"}
    deck = Deck.from_sources({name: handmade.source(name, line) for name, line in lines.items()})
    assert infer_variants(deck, TASKS).deck.names == ("solve_t_5zo",)
