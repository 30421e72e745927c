"""Every op as a word of a batch: what was recorded of it, on every engine, all in one run."""

from __future__ import annotations

from typing import Any

import pytest

import batt.lazy
from batt.dsl import add, compose, first, increment, last, size, vmirror
from batt.errors import UsageError
from batt.ir import Helper
from batt.lazy import Batch, Column, Failed, batch_after, batch_call, batch_each, batch_tuple
from batt.lazy.words import WORDS
from batt.ops import NEW_WORDS, OPS
from handmade import program
from native_library import needs_library
from vectors import read, recorded

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
every_engine = pytest.mark.parametrize("engine", ENGINES)


def expected(written: Any) -> Any:
    """What a vector says that a call comes to."""
    return Failed(written["error"]) if isinstance(written, dict) and "error" in written else read(written)


def called(name: str, vectors: list[dict[str, Any]], batch: Batch) -> Column:
    """The word of these vectors of an op, and the calls of what it gives."""
    column: Any = WORDS[f"batch_{name}"]
    for part in ("args", "call", "then"):
        if part in vectors[0]:
            args = [
                Column([read(each[part][at]) for each in vectors], batch=batch) for at in range(len(vectors[0][part]))
            ]
            column = column(*args) if part == "args" else batch_call(column, *args)
    assert isinstance(column, Column)
    return column


SHARE = 20
"""One vector in so many: engines are held against all of them elsewhere."""


def alike(vectors: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Vectors with the same calls of the same numbers of arguments together."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for vector in vectors:
        key = tuple([len(vector.get(part, ())) for part in ("args", "call", "then")])
        found.setdefault(key, []).append(vector)
    return list(found.values())


@every_engine
def test_every_word_gives_what_was_recorded_of_its_op_in_one_run_for_all(engine: str):
    batch = Batch(engine)
    made = [
        (name, group, called(name, group, batch))
        for name, vectors in recorded().items()
        for group in alike(vectors[::SHARE])
    ]
    wrong = [
        f"{name}: vector {vector['id']}: {value!r}"
        for name, group, column in made
        for vector, value in zip(group, column, strict=True)
        if value != expected(vector["out"])
    ]
    assert (wrong, batch.runs, batch.notes) == ([], 1, [])


def test_there_is_a_word_for_every_op():
    assert set(WORDS) == {f"batch_{name}" for name in OPS | NEW_WORDS}
    assert set(WORDS) < set(batt.lazy.__all__)
    assert all(getattr(batt.lazy, name) is word for name, word in WORDS.items())


def test_a_word_tells_what_it_does():
    word = WORDS["batch_fill"]
    assert (word.__name__, repr(word)) == ("batch_fill", "<batch_fill(grid, value, patch)>")
    assert (word.__doc__ or "").startswith(OPS["fill"].doc)


@every_engine
def test_a_column_of_functions_is_called(engine: str):
    functions = Column([increment, compose(increment, increment), first], batch=Batch(engine))
    assert batch_call(functions, 5).values == [6, 7, Failed("TypeError")]
    assert batch_call(add, [1, 2], 3).values == [4, 5]


@every_engine
def test_helpers_are_called_too_also_as_data(engine: str):
    turned = Helper("turned", program("x = vmirror(I)"))
    grids = [((1, 2),), ((3, 4),)]
    assert batch_call(turned, Column(grids, batch=Batch(engine))).values == [((2, 1),), ((4, 3),)]
    functions = Column([turned, first], batch=Batch(engine))
    assert batch_call(functions, grids).values == [((2, 1),), (3, 4)]
    assert WORDS["batch_compose"](first, Column([turned, turned])).at(0)(((1, 2),)) == (2, 1)


def test_a_list_is_a_value_for_each_sample_and_all_else_is_a_constant():
    assert WORDS["batch_add"]([1, 2, 3], 10).values == [11, 12, 13]
    assert WORDS["batch_add"]([(1, 2), (3, 4)], (1, 1)).values == [(2, 3), (4, 5)]


def test_a_wrong_number_of_arguments_is_an_outcome_as_in_a_solver():
    assert WORDS["batch_add"]([1, 2]).values == [Failed("TypeError")] * 2


def test_a_tuple_may_hold_columns():
    xs = Column([3, 1, 2])
    assert batch_tuple(xs, 7).values == [(3, 7), (1, 7), (2, 7)]
    assert WORDS["batch_maximum"]((xs, 2)).values == [3, 2, 2]
    assert WORDS["batch_size"](((xs, 1), 2, 3)).values == [3, 3, 3]


def test_what_comes_after_a_failure_fails_with_the_first_error_in_order():
    xs = Column([(1, 2), (), ()])
    ys = Column([0, 0, 9])
    fails_late = WORDS["batch_last"](xs)
    fails_first = WORDS["batch_first"](xs)
    kept = batch_after(ys, fails_first, fails_late)
    assert kept.values == [0, Failed("ValueError"), Failed("ValueError")]
    assert fails_first.values == [1, Failed("StopIteration"), Failed("StopIteration")]
    assert WORDS["batch_increment"](kept).values == [1, Failed("ValueError"), Failed("ValueError")]


def test_a_python_function_of_each_sample_runs_here_and_is_handed_failures():
    xs = Column([(1, 2), ()])
    made = batch_each(lambda item, text: (text, item), WORDS["batch_first"](xs), "x")
    assert made.values == [("x", 1), ("x", Failed("StopIteration"))]
    with pytest.raises(UsageError, match="no word of a batch takes it"):
        WORDS["batch_first"](made)


def test_constants_alone_are_one_value_for_all_samples():
    function = WORDS["batch_compose"](vmirror, vmirror)
    assert (function.length, function.at(5), repr(function)) == (
        None,
        compose(vmirror, vmirror),
        "<Column | constants | known>",
    )
    assert batch_call(function, [((1, 2),)]).values == [((1, 2),)]
    assert WORDS["batch_first"](()).at(0) == Failed("StopIteration")
    with pytest.raises(UsageError, match="constants alone"):
        len(function)


@pytest.mark.parametrize("given", ["text", 1.5, {1: 2}, abs, [lambda x: x]], ids=lambda given: type(given).__name__)
def test_what_is_no_value_of_the_language_is_refused_when_it_is_recorded(given: Any):
    with pytest.raises(UsageError, match="not a value of the language"):
        WORDS["batch_apply"](given, (size, last))
