"""Decks as images: compiled where they can be, as they stand where not, and refused by name."""

from __future__ import annotations

import pytest

from agreement import BUDGETS
from batt.bench.frozen import first_132
from batt.bytecode.disassemble import disassemble
from batt.bytecode.verify import verify
from batt.check.generate import random_source
from batt.codegen.plan import StagePlan, plan
from batt.compiler import compile_deck, encode_programs
from batt.front import Deck
from batt.ir import Literal, Program, Slot
from batt.runtime import evaluate_one
from encoding import encode_deck
from handmade import sample, source
from image_machine import ImageMachine, inputs_of, same
from rearc import compiled_deck, whole_deck

LEFT_OUT = "fs = apply(lbind(lbind, hconcat), sfilter((I, I), first))", "x = apply(rbind(compose, first), fs)"
MIXED = {
    "solve_a": source("solve_a", "x = vmirror(I)"),
    "solve_b": source("solve_b", *LEFT_OUT),
    "solve_c": source("solve_c", "x = canvas(0, shape(I))"),
}


def test_slices_are_in_the_order_of_the_deck_whether_compiled_or_not():
    made = compile_deck(Deck.from_sources(MIXED))
    assert list(made.left_out) == ["solve_b"]
    encoded = encode_deck(made, plan(made.graph))
    assert encoded.image.slices == tuple(MIXED)
    assert encoded.slice_of == {name: number for number, name in enumerate(MIXED)}
    assert not encoded.refused
    machine = ImageMachine(encoded.image, inputs_of(sample()), BUDGETS[0])
    for solver in made.deck:
        got = machine.outcome(encoded.slice_of[solver.name], BUDGETS[0])
        assert same(got, evaluate_one(solver.program, sample(), BUDGETS[0]))


def test_a_solver_that_is_refused_has_no_slice_and_the_others_have():
    programs = {
        "good": Program(("I",), 1, (), Slot(0)),
        "bad": Program(("I",), 1, (), Literal((1, 2**64))),
        "fine": Program(("I",), 1, (), Literal((1, 2))),
    }
    encoded = encode_programs(programs)
    assert encoded.image.slices == ("good", "fine")
    assert encoded.slice_of == {"good": 0, "fine": 1}
    assert encoded.refused == {"bad": "an int of 65 bits"}


def test_a_helper_whose_name_is_not_ascii_keeps_its_solvers_to_the_reference():
    helper = "def größe(a):\n    return size(a)\n\n"
    text = helper + source("solve_b", "fs = apply(lbind(lbind, hconcat), sfilter((I, I), größe))", LEFT_OUT[1])
    made = compile_deck(Deck.from_sources({**MIXED, "solve_b": text}))
    assert list(made.left_out) == ["solve_b"]
    encoded = encode_deck(made, StagePlan())
    # Where the helper is compiled away its name does not matter; here it is a value.
    assert encoded.refused == {"solve_b": "a helper called größe, which is not ASCII"}
    assert list(encoded.slice_of) == ["solve_a", "solve_c"]


def test_equal_solvers_share_a_routine():
    same_text = {name: source(name, "x = hmirror(vmirror(I))") for name in ("a", "b")}
    made = compile_deck(Deck.from_sources(same_text))
    assert "r0 (a, b): 0 params" in disassemble(encode_deck(made, StagePlan()).image)


@pytest.mark.parametrize("name", ["first-132", "re-arc"])
def test_the_images_of_whole_decks_are_good(name: str):
    deck, made = whole_deck(name), compiled_deck(name)
    for encoded in (
        encode_deck(made, StagePlan()),
        encode_deck(made, plan(made.graph)),
        encode_programs({solver.name: solver.program for solver in deck}),
    ):
        verify(encoded.image)
        assert not encoded.refused
        assert encoded.image.slices == deck.names
        assert encoded.slice_of == {each: number for number, each in enumerate(deck.names)}


def test_the_images_of_random_programs_are_good():
    sources = {f"solve_{seed}": random_source(seed).replace("def solve(", f"def solve_{seed}(") for seed in range(300)}
    deck = Deck.from_sources(sources)
    made = compile_deck(deck)
    assert made.left_out
    for encoded in (
        encode_deck(made, plan(made.graph)),
        encode_programs({solver.name: solver.program for solver in deck}),
    ):
        verify(encoded.image)
        assert not encoded.refused
        assert len(encoded.slice_of) == 300


def test_an_image_is_the_same_every_time():
    first, second = compiled_deck("first-132"), compile_deck(first_132())
    assert encode_deck(first, plan(first.graph)) == encode_deck(second, plan(second.graph))
