"""The second dialect: each word does what its sentence says, on real grids, on the engines, plain and as a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import batt
import dialect_words
from batt.errors import DeckError
from batt.front import Deck, translate
from batt.front.batts import read_batt_text
from batt.front.dialect import CONSTANTS, WORDS
from batt.front.module import CELL_BY_POSITION, read_module
from batt.ir import Literal, Program
from batt.ir.writing import describe
from batt.jobs import evaluate, export, samples_of
from batt.ops import OPS
from batt.runtime import Limits
from batt.tasks import Tasks
from batt.types import OrderedSet
from batt.types.plain import as_json
from dialect_words import value_of
from marked import marks, told, unmarked
from native_library import needs_library

RANKED = {
    "get_nth_f": ["o_g(I, R7)", "ofcolor(I, GREY)", "palette(I)"],
    "get_nth_t": ["I", "first(S)", "apply(second, S)"],
    "get_arg_rank": ["o_g(I, R5), size", "o_g(I, R5), numcolors_f"],
    "get_arg_rank_f": ["o_g(I, R7), height_f", "palette(I), rbind(divide, TWO)"],
    "get_arg_rank_t": ["o_g_t(I, R3), width_f", "I, lbind(contained, GREY)"],
    "get_val_rank": ["o_g(I, R5), size"],
    "get_val_rank_f": ["o_g(I, R7), shape_f", "sizefilter_f(o_g(I, R5), ONE), color"],
    "get_val_rank_t": ["I, size_t", "apply(first, S), numcolors_t", "remove(I, initset(I)), identity"],
    "get_rank": ["palette_t(I)", "apply(size_f, o_g_t(I, R5))", "first(I)", "remove(I, initset(I))"],
    "get_color_rank_t": ["I", "first(first(S))"],
    "get_color_rank_f": ["merge_f(o_g(I, R3))", "asobject(I)"],
    "get_common_rank": ["first(I)", "merge_t(I)"],
    "get_common_rank_t": ["apply(size_f, o_g_t(I, R5))", "remove(I, initset(I))"],
    "get_common_rank_f": ["palette_t(I)"],
    "mir_rot_t": ["I", "first(last(S))"],
    "mir_rot_f": ["ofcolor(I, BLUE)", "asobject(I)"],
    "corner": ["merge_f(o_g(I, R5))", "ofcolor(I, RED)"],
    "col_row": ["merge_f(o_g(I, R5))", "ofcolor(I, RED)"],
    "o_g": ["I", "first(first(S))"],
    "o_g_t": ["I"],
}
"""Words whose last argument is a rank or a selector, and what may stand before it."""

WRITTEN_RANKS = ("F0", "F1", "F2", "F5", "R7", "A8", "L1", "L2", "L3", "L10")
RANKS_OF_DATA = (-4, -2, -1, 0, 1, 2, 6, 7)
BOUND_RANKS = ("F0", "F1", "F7", "L1", "L2")


def ranked_expressions() -> Iterator[str]:
    """Every ranked word with ranks that are written out, that come with the sample, and that are bound."""
    for word, before in RANKED.items():
        for args in before:
            yield from [f"{word}({args}, {rank})" for rank in WRITTEN_RANKS]
            # No reader of the text knows that a grid is as high as it has rows.
            yield from [f"{word}({args}, add(subtract(size(I), height(I)), {rank}))" for rank in RANKS_OF_DATA]
            yield from [f"rbind({word}, {rank})({args})" for rank in BOUND_RANKS]


OTHERS = [
    # Words of one argument, and others
    "p_g(I)",
    "p_f(merge_f(o_g(I, R5)))",
    "p_f(ofcolor(I, TEAL))",
    "second(I)",
    "second(palette(I))",
    "second(first(S))",
    "second(remove(I, initset(I)))",
    "dedupe(apply(size_f, o_g_t(I, R5)))",
    "difference_tuple(p_g(I), p_g(second(first(S))))",
    "difference_t(first(I), last(I))",
    "f_ofcolor(I, FUCHSIA)",
    "celltuple(totuple(ofcolor(I, RED)), last_t(I))",
    "ascell(ulcorner(asindices(I)), BURGUNDY)",
    "toij(ascell((ONE, F2), L1))",
    "paint(I, apply(rbind(ascell, ORANGE), ofcolor(I, BLACK)))",
    "apply(toij, asobject(I))",
    # The demonstrations
    "a_mr(S)",
    "mir_rot_t(I, a_mr(S))",
    "c_iz(S, p_g)",
    "c_zo(S, p_g)",
    "c_iz(S, palette)",
    "c_zo(S, identity)",
    "get_nth_t(c_iz(S, p_g), F0)",
    "get_nth_t(c_zo(S, p_g), L2)",
    "dedupe(mapply_t(p_g, apply(first, S)))",
    "mapply(p_g, apply(second, S))",
    # Words as values
    "apply(rbind(get_nth_t, F1), S)",
    "apply(rbind(get_nth_f, L1), o_g(I, R5))",
    "apply(rbind(get_nth_f, F1), o_g(I, R5))",
    "apply(compose(size_f, rbind(o_g, R5)), apply(first, S))",
    "apply(fork(astuple, rbind(corner, R0), rbind(corner, R3)), o_g(I, R5))",
    "apply(chain(rbind(get_nth_t, F0), p_f, rbind(mir_rot_f, R2)), o_g(I, R1))",
    "sfilter_f(o_g(I, R7), matcher(rbind(col_row, R1), ZERO))",
    "apply(lbind(o_g, I), (R0, R3, R6))",
    "apply(lbind(mir_rot_t, I), p_g(I))",
    "apply(lbind(lbind(get_arg_rank_f, o_g(I, R5)), size), (F0, F1, L1))",
    "apply(rbind(rbind(get_val_rank_f, L1), size), initset(o_g(I, R5)))",
    "fork(get_nth_t, identity, chain(decrement, size, rbind(get_nth_t, F0)))(I)",
    "rapply_t((p_g, second, rbind(get_color_rank_t, F1)), I)",
    "power(rbind(mir_rot_t, R4), THREE)(I)",
    "branch(equality(a_mr(S), NEG_ONE), p_g, second)(I)",
    "argmax(o_g(I, R5), rbind(get_color_rank_f, F0))",
    # Suffix forms
    "fill(I, YELLOW, mfilter_f(o_g(I, R5), square_f))",
    "paint(I, recolor_o(GREEN, merge_f(o_g(I, R5))))",
    "paint(I, recolor_i(GREEN, ofcolor(I, BLACK)))",
    "astuple(width_t(I), colorcount_t(I, GREY))",
    "upscale_t(I, TWO)",
    "combine_t(I, remove_t(first(I), I))",
    "apply(normalize_o, colorfilter_f(o_g(I, R5), GREY))",
    "apply(fork(either, vline_i, hline_o), o_g(I, R5))",
    "other_f(palette_t(I), BLACK)",
    "rapply_t((portrait_t, numcolors_t, shape_t), I)",
]


def read(*lines: str) -> Program:
    """The program of a solver of these lines."""
    return Deck.from_sources({"a": "def solve(I):\n" + "".join([f"    {line}\n" for line in lines])})["a"].program


def text_of(number: int, expression: str) -> tuple[str, str]:
    return f"solve_{number}", f"def solve_{number}(S, I, C):\n    return {expression}\n"


def expected_row(expression: str, S: Any, grid: Any) -> tuple[str, str]:
    """The status, and the value as JSON, that plain Python gives."""
    try:
        value = value_of(expression, S, grid)
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration, RuntimeError):
        return "raised", ""
    return "ok", json.dumps(as_json(value), separators=(",", ":"))


def exported(deck: Deck, tasks: Tasks, engine: str, path: Path) -> list[dict[str, Any]]:
    export(evaluate(deck, tasks, engine=engine, limits=Limits(wall_s=600), outputs=True), path, outputs=True)
    return [json.loads(line) for line in path.read_text().splitlines()]


def differences(expressions: list[str], tasks: Tasks, folder: Path) -> tuple[list[str], int]:
    """What the engines give otherwise than plain Python, and how many evaluations there were."""
    deck = Deck.from_sources(dict(text_of(number, each) for number, each in enumerate(expressions)))
    samples = {(each.task, each.part.value, each.index): each for each in samples_of(tasks)}
    rows = exported(deck, tasks, "cpu", folder / "cpu")
    found = [] if rows == exported(deck, tasks, "reference", folder / "reference") else ["the engines differ"]
    for row in rows:
        expression = expressions[int(row["solver"].partition("_")[2])]
        sample = samples[row["task"], row["part"], row["index"]]
        got = row["status"], json.dumps(row["output"], separators=(",", ":")) if row["status"] == "ok" else ""
        expected = expected_row(expression, sample.demonstrations, sample.input)
        if got != expected:
            found.append(f"{expression} on {sample.task} {sample.index}: {got}, expected {expected}")
    return found, len(rows)


@needs_library
def test_words_with_ranks_do_what_their_sentences_say(tmp_path: Path):
    tasks = batt.load_tasks("arc1-training").select(["a65b410d", "d0f5fe59"])
    found, count = differences(list(ranked_expressions()), tasks, tmp_path)
    assert found == []
    assert count > 5_000


@needs_library
def test_words_do_what_their_sentences_say_plain_and_as_values(tmp_path: Path):
    # Tasks whose answer is a mirror or a turn, and some where it is not.
    ids = ["68b16354", "67a3c6ac", "74dd1130", "3c9b0459", "ed36ccf7", "a65b410d", "d511f180", "0e206a2e"]
    found, count = differences(OTHERS, batt.load_tasks("arc1-training").select(ids), tmp_path)
    assert found == []
    assert count > 1_500


@needs_library
def test_a_rank_that_is_written_out_means_what_it_means_as_data(tmp_path: Path):
    tasks = batt.load_tasks("arc1-training").select(["a65b410d", "d0f5fe59", "d511f180"])
    calls = [(word, args, rank) for word, before in RANKED.items() for args in before for rank in range(-3, 9)]
    rows = []
    for form in ("{rank}", "add(subtract(size(I), height(I)), {rank})"):
        texts = [f"{word}({args}, {form.format(rank=rank)})" for word, args, rank in calls]
        deck = Deck.from_sources(dict(text_of(number, each) for number, each in enumerate(texts)))
        rows.append(exported(deck, tasks, "cpu", tmp_path / "rows"))
    assert rows[0] == rows[1]
    assert {row["error"] for row in rows[0]} >= {None, "StopIteration", "ValueError"}


# What a name means.


def test_the_table_holds_every_word_and_no_other():
    assert set(WORDS) == {*dialect_words.WORDS}
    assert set(translate.dialect().words) <= set(WORDS)


@pytest.mark.parametrize(("name", "value"), [*dialect_words.RANKS.items(), *dialect_words.COLOURS.items()])
def test_ranks_selectors_and_colours_are_numbers(name: str, value: int):
    assert read(f"return ({name}, 0)").result == Literal((value, 0))


def test_every_primitive_has_its_suffix_forms():
    for name, op in OPS.items():
        for suffix in ("_t", "_f", "_i", "_o"):
            assert read(f"x = {name}{suffix}", "return x").result == Literal(op)


@pytest.mark.parametrize(
    ("lines", "steps"),
    [
        (["return o_g(I, R5)"], ["_1 = objects(I, 1, 0, 1)"]),
        (["return o_g(I, BLACK)"], ["_1 = objects(I, 0, 0, 0)"]),
        (["x = o_g_t(I, R2)", "return x"], ["x = objects(I, 0, 1, 0)", "x = totuple(x)"]),
        (["return get_nth_f(I, F0)"], ["_1 = first(I)"]),
        (["return get_nth_t(I, L1)"], ["_1 = last(I)"]),
        (["return get_nth_t(I, F1)"], ["_1 = get_nth_t(I, 1)"]),
        (["f = rbind(get_nth_f, F0)", "return apply(f, I)"], ["_1 = apply(first, I)"]),
        (["f = rbind(get_nth_f, L2)", "return apply(f, I)"], ["f = rbind(get_nth_f, -2)", "_2 = apply(f, I)"]),
        (["return get_arg_rank_f(I, size_f, F0)"], ["_1 = argmax(I, size)"]),
        (["return get_val_rank(I, size, rank=L1)"], ["_1 = valmin(I, size)"]),
        (["return rbind(get_arg_rank, F0)(I, size)"], ["_1 = argmax(I, size)"]),
        (["return get_common_rank_t(I, F0)"], ["_1 = totuple(I)", "_2 = mostcommon(_1)"]),
        (["return rbind(get_common_rank, L1)(I)"], ["_1 = compose(leastcommon, totuple)", "_2 = _1(I)"]),
        (["return mir_rot_t(I, R7)"], ["_1 = identity(I)"]),
        (["return mir_rot_f(I, R7)"], ["_1 = mir_rot_f(I, 7)"]),
        (["return col_row(I, A3)"], ["_1 = rightmost(I)"]),
        (["return f_ofcolor(I, TEAL)"], ["_1 = ofcolor(I, 8)"]),
    ],
)
def test_a_word_with_a_written_rank_is_the_primitive_that_it_stands_for(lines: list[str], steps: list[str]):
    program = read(*lines)
    assert [describe(program, step) for step in program.steps] == steps


OWN = "def second(x):\n    return last(x)\n"
USER = "def solve(I):\n    return second(I)\n"


@pytest.mark.parametrize(
    "text",
    [
        OWN + USER,
        USER + OWN,
        (USER + OWN).replace("\n", "\r"),
        (USER + OWN).replace("\n", "\r\n"),
        f"{USER}\f{OWN}",
        f'"""\ndef o_g(\n"""\n{USER}{OWN}',
    ],
)
def test_a_definition_of_the_deck_comes_before_a_word(text: str):
    solver = Deck.from_sources({"a": text})["a"]
    (step,) = solver.program.steps
    assert isinstance(step.callee, Literal)
    assert [each.callee for each in step.callee.value.program.steps] == [Literal(OPS["last"])]
    assert solver.source == f"{OWN}\n\n{USER}"


@pytest.mark.parametrize(
    "text",
    [
        "RED = 7\ndef solve(I):\n    return RED\n",
        "def solve(I):\n    return RED\nRED = 7\n",
        "def solve(I):\n    return RED\nA = 1; RED: int = 7\n",
    ],
)
def test_a_constant_of_the_deck_comes_before_that_of_the_dialect(text: str):
    assert Deck.from_sources({"a": text})["a"].program.result == Literal(7)


def test_a_definition_of_the_deck_with_a_mistake_does_not_fall_back_to_the_word():
    with pytest.raises(DeckError, match="a loop is not part of the language"):
        Deck.from_sources({"a": USER + "def second(x):\n    for y in x:\n        pass\n    return x\n"})


def test_the_source_of_a_solver_holds_its_words_and_reads_as_the_same_program(tmp_path: Path):
    lines = ["x = rbind(get_nth_t, F1)", "y = apply(x, S)", "z = mir_rot_t(I, a_mr(S))", "w = o_g(z, R5)", "return w"]
    source = "def solve(S, I, C):\n" + "".join([f"    {line}\n" for line in lines])
    solver = Deck.from_sources({"second": source})["second"]
    assert [line for line in solver.source.split("\n") if line.startswith("def")] == [
        "def a_mr(S):", "def get_nth_t(container, rank):", "def mir_rot_t(piece, number):", "def solve(S, I, C):",
    ]  # fmt: skip
    assert Deck.from_sources({"a": solver.source})["a"].program == solver.program
    for name in ("deck.py", "deck.jsonl"):
        Deck([solver]).save(tmp_path / name)
        assert batt.load_deck(tmp_path / name)[0].program == solver.program


MISTAKES = """\
def solve_a(I):
    x = o_gg(I, R5)
        ^ 'o_gg' is not defined; did you mean 'o_g'?
    y = sfitler_f(x, size_f)
        ^ 'sfitler_f' is not defined; did you mean 'sfilter_f'?
    z = get_nth_f(x)
        ^ get_nth_f takes 2 arguments (container, rank), 1 given
    w = F10
        ^ 'F10' is not defined
    return mir_rot_t(z, R0, a=w)
                            ^ mir_rot_t has no parameter 'a'; it takes (piece, number)
"""


def test_mistakes_with_words_are_told_with_their_place():
    with pytest.raises(DeckError) as caught:
        Deck.from_sources({"a": unmarked(MISTAKES)})
    assert told(caught.value.mistakes) == marks(MISTAKES)


# What is written about it.

PAGE = Path(__file__).parents[2] / "docs" / "dialect.md"


def test_the_page_names_every_word_and_constant():
    page = PAGE.read_text("utf-8")
    suffixed = {f"get_{kind}_rank{end}" for kind in ("arg", "val", "common") for end in ("_t", "_f")}
    ranges = {*dialect_words.RANKS}
    missing = [name for name in (*WORDS, *CONSTANTS) if f"`{name}" not in page and name not in suffixed | ranges]
    assert missing == []


def test_the_examples_of_the_page_are_read():
    deck, old_batt = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert read_module(deck, "deck.py").mistakes == []
    assert [*read_module(deck, "deck.py").definitions][-2:] == ["solve_ed36ccf7", "solve_be94b721"]
    assert read_batt_text(old_batt, "old.py").deck.names == ("solve_be94b721",)
    shown = re.search(r"```\n(old.py:3:10: .*?)\n", PAGE.read_text("utf-8"))
    assert shown is not None
    assert shown[1] == f"old.py:3:10: {CELL_BY_POSITION}"


@pytest.mark.parametrize("number", range(8))
def test_every_mirror_and_turn_is_found_in_the_demonstrations(number: int):
    grids = [((1, 2, 3), (4, 5, 6)), ((1, 0), (2, 3))]
    pairs = tuple([(grid, dialect_words.MIRRORS[number](grid)) for grid in grids])
    literal = translate.dialect().meaning("a_mr")
    assert literal is not None
    assert literal.value(pairs) == dialect_words.a_mr(pairs) == number


SMALL = ((7,), (5, 5), (1,), (2, 2))
"""Two and two of a size, not in canonical order."""


@pytest.mark.parametrize(
    ("word", "args", "gives"),
    [
        ("get_arg_rank", (SMALL, OPS["size"], 0), (5, 5)),
        ("get_arg_rank", (SMALL, OPS["size"], 1), (2, 2)),
        ("get_arg_rank", (SMALL, OPS["size"], 2), (7,)),
        ("get_arg_rank", (SMALL, OPS["size"], -1), (7,)),
        ("get_arg_rank", (SMALL, OPS["size"], -2), (1,)),
        ("get_arg_rank_f", (OrderedSet(SMALL), OPS["size"], -1), (1,)),
        ("get_arg_rank", (SMALL, OPS["size"], 4), ValueError),
        ("get_arg_rank", (SMALL, OPS["size"], -5), ValueError),
        ("get_arg_rank", ((), OPS["size"], 0), ValueError),
        ("get_val_rank", (SMALL, OPS["size"], 2), 1),
        ("get_val_rank", ((), OPS["increment"], 0), 1),
        ("get_val_rank", ((), OPS["increment"], 1), ValueError),
        ("get_nth_t", (SMALL, 1), (5, 5)),
        ("get_nth_t", (SMALL, -4), (7,)),
        ("get_nth_t", (SMALL, 4), StopIteration),
        ("get_nth_t", (SMALL, -5), ValueError),
        ("get_nth_t", ((), 0), StopIteration),
        ("get_nth_t", ((), -1), ValueError),
        ("get_nth_f", (OrderedSet(SMALL), 1), (2, 2)),
        ("get_nth_f", (SMALL, (0, 1)), TypeError),
        ("get_nth_f", (SMALL, None), TypeError),
        ("get_nth_f", (3, 0), TypeError),
        ("second", (OrderedSet(SMALL),), (2, 2)),
        ("second", ((1,),), StopIteration),
        ("get_rank", ((3, 5, 5, 1), 1), 5),
        ("get_rank", ((3, 5, 5, 1), -2), 3),
        ("get_rank", ((), -1), 0),
        ("get_common_rank", ((3, 1, 2, 2, 1, 2), 1), 1),
        ("get_common_rank", ((3, 2, 1), 0), 1),
        ("get_common_rank", ((3, 2, 1), -1), 1),
        ("get_common_rank_f", (OrderedSet((3, 2, 1)), 2), 3),
        ("get_color_rank_t", (((3, 1), (1, 2)), 1), 2),
        ("get_color_rank_t", (((3, 1), (1, 2)), -2), 3),
        ("get_color_rank_f", (OrderedSet(), 0), ValueError),
        ("a_mr", (((((1, 2),), ((2, 1),)),),), 2),
        ("a_mr", (((((1, 2),), ((2, 1),)), (((1, 2),), ((1, 2),))),), None),
        ("a_mr", ((),), 0),
        ("mir_rot_t", (((1, 2),), None), ValueError),
        ("mir_rot_t", (((1, 2),), 8), ValueError),
        ("mir_rot_f", (OrderedSet(), 4), ValueError),
        ("corner", (OrderedSet(), -1), ValueError),
        ("c_iz", ((), OPS["identity"]), ()),
        ("celltuple", (((1, 2), (3, 4)), (5,)), ((5, (1, 2)),)),
    ],
)
def test_ties_ends_and_empty_containers(word: str, args: tuple[Any, ...], gives: Any):
    literal = translate.dialect().meaning(word)
    assert literal is not None
    if isinstance(gives, type):
        with pytest.raises(gives):
            literal.value(*args)
    else:
        assert literal.value(*args) == gives
