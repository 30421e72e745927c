"""How a generated file looks, and that it reads back as what it was written from."""

from __future__ import annotations

import ast
import re

import pytest

from batt.card.steps import merge_steps
from batt.card.writing import WIDTH, check_text, write_batt
from batt.check.generate import random_source
from batt.compiler import compile_programs
from batt.differs import differs_named, read_differs
from batt.errors import UsageError
from batt.front import Deck
from batt.front.batts import read_batt_text
from dealt import deck_of, text_of
from handmade import MIRROR, deck, source

MIRRORED = deck(
    solve_007bbfb7=("y = vmirror(I)", "x = hconcat(I, y)"),
    solve_00d62c1b=(
        "y = objects(I, T, F, T)",
        "f = compose(size, toindices)",
        "z = argmax(y, f)",
        "x = fill(I, TWO, z)",
    ),
)

FILE = '''"""Two solvers."""

from batt.dsl import F, T, TWO, argmax, compose, fill, hconcat, objects, size, toindices, vmirror
from batt.generated import Fn, Grid, Object, Objects, Outputs, Samples, Scores, batt_function, equal


@batt_function
def batt(
    task_id: str,
    S: Samples,
    I: Grid,
    C: Grid | None = None,
    log_path: str | None = None,
) -> tuple[Outputs, Scores]:
    """Run every solver on one sample: (outputs, scores)."""
    o: Outputs = []
    s: Scores = []

    # 007bbfb7
    t1: Grid = vmirror(I)
    t2: Grid = hconcat(I, t1)
    o.append((2, t2 != I, "007bbfb7", t2))
    s.append((2, "007bbfb7", "equal", equal(t2, C)))

    # 00d62c1b
    t3: Objects = objects(I, T, F, T)
    t4: Fn = compose(size, toindices)
    t5: Object = argmax(t3, t4)
    t6: Grid = fill(I, TWO, t5)
    o.append((6, t6 != I, "00d62c1b", t6))
    s.append((6, "00d62c1b", "equal", equal(t6, C)))

    return o, s
'''

BATCH_FILE = '''"""Two solvers."""

from batt.dsl import F, T, TWO, size, toindices
from batt.generated import BatchOutputs, BatchScores, Grid, Samples, batt_function
from batt.lazy import batch_argmax, batch_compose, batch_fill, batch_hconcat, batch_objects, batch_vmirror


@batt_function
def batt_batch(
    task_ids: list[str],
    Ss: list[Samples],
    Is: list[Grid],
    Cs: list[Grid | None] | None = None,
    log_paths: list[str | None] | None = None,
) -> tuple[BatchOutputs, BatchScores]:
    """Run every solver on many samples: (outputs, scores) for each."""
    o: BatchOutputs = []
    s: BatchScores = []

    # 007bbfb7
    t1s = batch_vmirror(Is)
    t2s = batch_hconcat(Is, t1s)
    o.append((2, t2s != Is, "007bbfb7", t2s))

    # 00d62c1b
    t3s = batch_objects(Is, T, F, T)
    t4s = batch_compose(size, toindices)
    t5s = batch_argmax(t3s, t4s)
    t6s = batch_fill(Is, TWO, t5s)
    o.append((6, t6s != Is, "00d62c1b", t6s))

    return o, s
'''


def test_a_file_for_one_sample_looks_so():
    assert write_batt(merge_steps(MIRRORED), "Two solvers.", differs_named("equal")) == FILE


def test_a_file_for_a_batch_looks_so():
    assert write_batt(merge_steps(MIRRORED), "Two solvers.", batch=True) == BATCH_FILE


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("size", [10, 50, 132, 400])
def test_a_generated_file_is_the_graph_it_was_written_from(size: int, batch: bool):
    found = deck_of(size)
    text = text_of(found, differs_named("equal,cells"), batch)
    read = read_batt_text(text, "my_batt.py")
    assert merge_steps(read.deck) == merge_steps(found)
    assert read.deck.names == found.names
    assert without_comments(text_of(read.deck, differs_named("equal,cells"), batch)) == without_comments(text)
    if size <= 50:
        graphs = [compile_programs([(each.name, each.program) for each in deck]).graph for deck in (found, read.deck)]
        assert graphs[0] == graphs[1]


def without_comments(text: str) -> list[str]:
    """The lines that mean something: what authors say of their solvers is not read."""
    return [line for line in text.splitlines() if not line.startswith("    # ")]


@pytest.mark.parametrize("batch", [False, True])
def test_lines_fit_the_page(batch: bool):
    assert max(map(len, text_of(deck_of(400), differs_named("equal"), batch).splitlines())) <= WIDTH


def test_what_an_author_says_of_a_solver_heads_its_block():
    text = '"""'
    found = Deck.from_sources({"solve_a": source("solve_a", f"{text}Mirror it.\n\n    And more.{text}", *MIRROR)})
    assert "    # a: Mirror it.\n    t1: Grid = vmirror(I)\n" in text_of(found)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("x = fill(I, 2, ((1, 2), (3, 4)))", "fill(I, TWO, ((1, 2), (3, 4)))"),
        ("x = canvas(10, (3, 3))", "canvas(TEN, THREE_BY_THREE)"),
        ("x = canvas(-1, (11, 12))", "canvas(NEG_ONE, (11, 12))"),
        ("x = canvas(-7, ((1, 0), 1))", "canvas(-7, ((1, 0), 1))"),
        ("x = branch(T, True, 1)", "branch(T, T, ONE)"),
        ("x = branch(False, None, (T, 0))", "branch(F, None, (T, 0))"),
        ("x = rapply((vmirror, hmirror), I)", "rapply((vmirror, hmirror), I)"),
        ("x = ((I, I), 5)", "(t1, FIVE)"),
        ("x = (I,)", "(I,)"),
        ("x = (DOWN, I)", "(DOWN, I)"),
        ("x = first(())", "first(())"),
        ("x = I(I)", "I(I)"),
        ("x = FIVE(I)", "FIVE(I)"),
        ("x = branch(T, vmirror, hmirror)(I)", "t1(I)"),
    ],
)
@pytest.mark.parametrize("batch", [False, True])
def test_every_expression_of_the_language_is_written_and_read_back(line: str, written: str, batch: bool):
    steps = merge_steps(deck(solve_a=(line,)))
    text = write_batt(steps, "A batt.", batch=batch)
    check_text(text, steps, "my_batt.py")
    ast.parse(text)
    if not batch:
        assert any(each.endswith(f" = {written}") for each in text.splitlines())


def test_a_tuple_that_is_an_item_by_name_is_defined_by_the_file():
    steps = merge_steps(deck(solve_a=("y = (5, 6)", "x = (y, y)")))
    text = write_batt(steps, "A batt.")
    assert "\nK1 = (5, 6)\n" in text
    assert "    t1: Tuple = (K1, K1)\n" in text
    check_text(text, steps, "my_batt.py")


def test_a_result_that_is_no_step_has_the_number_0():
    text = text_of(deck(solve_a=("x = I",), solve_b=("x = SEVEN",)))
    assert '    o.append((0, False, "a", I))\n' in text
    assert '    o.append((0, SEVEN != I, "b", SEVEN))\n' in text


def test_a_long_line_is_folded_and_read_back():
    places = ", ".join([f"({n}, {n})" for n in range(400)])
    steps = merge_steps(deck(solve_a=(f"x = fill(I, TWO, ({places}))",)))
    text = write_batt(steps, "A batt.")
    assert max(map(len, text.splitlines())) <= WIDTH
    check_text(text, steps, "my_batt.py")


HELPERS = "LEFTMOST = 3\n\n\ndef frame(grid, colour):\n    return fill(grid, colour, box(asindices(grid)))\n"
USES = HELPERS + "\n\ndef solve_a(I):\n    y = frame(I, LEFTMOST)\n    return mapply(frame, y)\n"


@pytest.mark.parametrize("batch", [False, True])
def test_helpers_of_a_deck_stand_in_the_file(batch: bool):
    steps = merge_steps(Deck.from_sources({"solve_a": USES}))
    text = write_batt(steps, "A batt.", batch=batch)
    assert "\n\ndef frame(grid, colour):\n" in text
    assert {"asindices", "box", "fill"} <= {name for line in text.splitlines()[:4] for name in re.findall(r"\w+", line)}
    assert ("batch_call(frame, Is, THREE)" if batch else "t1 = frame(I, THREE)") in text
    check_text(text, steps, "my_batt.py")


def test_two_helpers_of_one_name_do_not_fit_in_one_batt():
    other = USES.replace("box(", "corners(").replace("solve_a", "solve_b")
    with pytest.raises(UsageError, match="two different 'frame' do not fit in one batt"):
        text_of(Deck.from_sources({"solve_a": USES, "solve_b": other}))


@pytest.mark.parametrize("name", ["t1", "o", "Grid", "batt", "equal", "batt_function"])
def test_a_helper_with_a_name_of_the_file_is_refused(name: str):
    with pytest.raises(UsageError, match=f"'{name}' has another meaning in a batt"):
        text_of(Deck.from_sources({"solve_a": USES.replace("frame", name)}), differs_named("equal"))


def test_differs_of_the_user_stand_in_the_file():
    differs = read_differs("def differ_larger(S, I, C, E):\n    return greater(size(C), size(E))\n", "mine.py")
    for batch in (False, True):
        text = text_of(MIRRORED, differs, batch)
        assert "def differ_larger(S, I, C, E):\n    return greater(size(C), size(E))\n" in text
        assert merge_steps(read_batt_text(text, "my_batt.py").deck) == merge_steps(MIRRORED)
    assert 's.append((2, "007bbfb7", "larger", differ_larger(S, I, t2, C)))' in text_of(MIRRORED, differs)


def test_a_head_cannot_end_the_docstring():
    text = write_batt(merge_steps(MIRRORED), 'a """ and a \\ in a name')
    assert ast.get_docstring(ast.parse(text)) == 'a """ and a \\ in a name'


def test_lambdas_that_differ_in_true_and_1_alone_are_one():
    lines = "def solve_{0}(I):\n    return apply(lambda v: (v, {1}), I)\n"
    found = Deck.from_sources({f"solve_{name}": lines.format(name, value) for name, value in (("a", "T"), ("b", "1"))})
    read = read_batt_text(text_of(found), "my_batt.py")
    assert [each.program for each in read.deck] == [each.program for each in found]


@pytest.mark.parametrize("batch", [False, True])
def test_a_literal_with_functions_has_a_line_of_its_own(batch: bool):
    found = deck(solve_a=("k = (vmirror, (T, 5))", "x = k(I)"))
    text = text_of(found, batch=batch)
    assert re.findall("from batt.dsl.*|.*K1 = .*", text) == [
        "from batt.dsl import T, vmirror",
        "    K1 = (vmirror, (T, 5))",
    ]
    assert read_batt_text(text, "my_batt.py").deck[0].program == found[0].program


@pytest.mark.parametrize("batch", [False, True])
def test_a_literal_of_truths_is_a_constant_of_the_file(batch: bool):
    found = deck(solve_a=("k = (T, F)", "x = (k, 5)", "x = k[0]"))
    text = text_of(found, batch=batch)
    assert "\nK1 = (True, False)\n" in text
    assert read_batt_text(text, "my_batt.py").deck[0].program == found[0].program


@pytest.mark.parametrize("batch", [False, True])
def test_random_programs_read_back_from_a_card(batch: bool):
    for seed in range(150):
        found = Deck.from_sources({"solve": random_source(seed)})
        read = read_batt_text(text_of(found, batch=batch), "my_batt.py")
        assert merge_steps(read.deck) == merge_steps(found), seed
