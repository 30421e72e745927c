"""Own ops: how they are declared, what their bodies may do, and what they cost."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from batt.errors import SourceError
from batt.ops import METER, OverBudget
from batt.own import Ops, load_ops
from batt.runtime import Limits, Status, evaluate_one
from batt.types import OrderedSet
from handmade import sample

HEAD = "from batt.own import FN, GRID, INT, TUPLE, op, unit\n"


def ops_of(tmp_path: Path, text: str) -> Ops:
    path = tmp_path / "ops.py"
    path.write_text(HEAD + textwrap.dedent(text), "utf-8")
    return load_ops(path)


def only(tmp_path: Path, text: str) -> Any:
    (op,) = ops_of(tmp_path, text).values()
    return op


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@op(GRID, result=GRID)\ndef vmirror(grid): ...", "ops.py:2:1: 'vmirror' is a primitive; choose another name"),
        ("@op(GRID, result=GRID)\ndef ZERO(grid): ...", "'ZERO' is a constant of the language"),
        ("@op(GRID, result=GRID)\ndef f(grid, more): ...", "f has 2 parameters, and 1 kinds are given for them"),
        ("@op(GRID, result=GRID)\ndef f(*grids): ...", "the parameters of f must be plain names"),
        ("@op(INT, result=INT)\ndef f(number=1): ...", "the parameters of f must be plain names"),
        ("@op(result=INT)\ndef f(): ...", "f has 0 parameters; an op has 1 to 16"),
        (
            "@op(INT, result=INT, cost=5)\ndef f(number): ...",
            "the cost of f is 5; a cost is a function of the arguments",
        ),
        ("@op(7, result=INT)\ndef f(number): ...", "the kinds of f must be kinds of batt.own"),
        ("@op(FN, result=INT, native='f.h')\ndef f(g): ...", "f takes a function, and such an op cannot have"),
        ("@op(INT, result=INT, native=3)\ndef f(g): ...", "native=3: the name of a header is expected"),
        ("@op(*[INT] * 5, result=INT, native='f.h')\ndef f(a, b, c, d, e): ...", "with a C++ body 4 at most"),
        ("@op(INT, result=INT, native='f.h')\ndef é(a): ...", "so its name must be ASCII"),
    ],
)
def test_what_can_be_no_op_is_refused_at_its_line(tmp_path: Path, text: str, told: str):
    with pytest.raises(SourceError) as error:
        ops_of(tmp_path, text)
    assert told in str(error.value)
    assert error.value.place.line == 2


def test_a_second_op_of_a_name_is_refused(tmp_path: Path):
    twice = "@op(INT, result=INT)\ndef f(x):\n    return x\n"
    with pytest.raises(SourceError, match=r"ops.py:5:1: a second op 'f'; the first is in line 2"):
        ops_of(tmp_path, twice + twice)


def test_an_own_op_costs_what_the_ops_of_the_language_cost(tmp_path: Path):
    ops = ops_of(
        tmp_path,
        """
        @op(GRID, result=GRID)
        def plain(grid):
            return grid
        @op(GRID, result=GRID, cost=unit)
        def cheap(grid):
            return grid
        @op(GRID, result=GRID, cost=lambda grid: 5 * len(grid))
        def dear(grid):
            return grid
        """,
    )
    for name, steps in {"plain": 5, "cheap": 1, "dear": 10}.items():
        METER.reset(100, 100)
        assert ops[name](((1,), (2,))) == ((1,), (2,))
        assert METER.steps_left == 100 - steps


def test_what_a_body_calls_costs_nothing_and_has_no_budget(tmp_path: Path):
    op = only(
        tmp_path,
        """
        from batt.dsl import canvas, size
        @op(INT, result=INT)
        def f(side):
            return size(canvas(0, (side, side)))
        """,
    )
    METER.reset(10, 10)
    assert op(50) == 50
    assert (METER.steps_left, METER.max_items) == (9, 10)


def test_calls_of_functions_that_an_op_is_given_do_cost(tmp_path: Path, ops: Ops):
    from batt.dsl import increment

    METER.reset(100, 100)
    assert ops["backwards"](increment, (1, 2, 3)) == (4, 3, 2)
    assert METER.steps_left == 100 - (1 + 3 + 3) - 3
    METER.reset(5, 100)
    with pytest.raises(OverBudget):
        ops["backwards"](increment, (1, 2, 3))


def test_a_result_that_is_too_large_is_over_the_budget(tmp_path: Path):
    op = only(tmp_path, "@op(INT, result=TUPLE)\ndef f(n):\n    return (0,) * n\n")
    METER.reset(1000, 10)
    with pytest.raises(OverBudget):
        op(11)


def test_sets_come_back_ordered(tmp_path: Path):
    op = only(tmp_path, "@op(INT, result=TUPLE)\ndef f(n):\n    return {n, 1, n - 9}\n")
    assert repr(op(5)) == repr(OrderedSet([-4, 1, 5]))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("return grid[9]", IndexError),
        ("return b'\\xff'.decode()", ValueError),
        ("raise NotImplementedError('later')", RuntimeError),
        ("return {}[grid]", KeyError),
        ("return 1 // 0", ZeroDivisionError),
        ("return f(grid)", RecursionError),
        ("return next(iter(()))", StopIteration),
    ],
)
def test_errors_of_the_language_are_outcomes_by_their_plain_kind(tmp_path: Path, line: str, kind: type[Exception]):
    op = only(tmp_path, f"@op(GRID, result=GRID)\ndef f(grid):\n    {line}\n")
    with pytest.raises(kind) as error:
        op(((1,),))
    assert type(error.value) is kind


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("open('/no/such/file')", "f raised FileNotFoundError: [Errno 2]"),
        ("assert False, 'never'", "f raised AssertionError: never"),
        ("raise SystemExit(3)", "f raised SystemExit: 3"),
        ("import no_such_module", "f raised ModuleNotFoundError: No module named 'no_such_module'"),
        ("return [1]", "f gives back a list, which is no value"),
        ("return grid, 0.5", "f gives back a float, which is no value"),
        ("return op", "f gives back a function, which is no value"),
    ],
)
def test_other_errors_and_results_are_mistakes_of_the_file(tmp_path: Path, line: str, told: str):
    op = only(tmp_path, f"@op(GRID, result=GRID)\ndef f(grid):\n    {line}\n")
    with pytest.raises(SourceError) as error:
        op(((1,),))
    assert told in str(error.value)
    assert error.value.place.line in (2, 4)


@pytest.mark.parametrize(("cost", "told"), [("0", "is 0; a cost is an int"), ("None", "is None; a cost is an int")])
def test_a_cost_that_is_none_is_a_mistake(tmp_path: Path, cost: str, told: str):
    op = only(tmp_path, f"@op(GRID, result=GRID, cost=lambda grid: {cost})\ndef f(grid):\n    return grid\n")
    with pytest.raises(SourceError, match=told):
        op(((1,),))


def test_arguments_that_a_cost_cannot_count_cost_one_step(tmp_path: Path):
    op = only(tmp_path, "@op(GRID, result=GRID, cost=lambda grid: 9 * len(grid))\ndef f(grid):\n    return grid\n")
    METER.reset(100, 100)
    assert op(7) == 7
    assert METER.steps_left == 99


def test_a_wrong_number_of_arguments_is_a_type_error(ops: Ops):
    with pytest.raises(TypeError, match="enclosed takes 1 arguments, 2 given"):
        ops["enclosed"](1, 2)


def test_memory_that_is_used_up_is_no_mistake_of_the_file(tmp_path: Path):
    op = only(tmp_path, "@op(GRID, result=GRID)\ndef f(grid):\n    raise MemoryError\n")
    with pytest.raises(MemoryError):
        op(((1,),))


def test_an_evaluation_ends_as_with_any_op(tmp_path: Path, ops: Ops):
    from batt.front import Deck

    text = "def solve(I):\n    x = add_three(I)\n    return x\n"
    program = Deck.from_sources({"solve": text}, ops=ops)[0].program
    outcome = evaluate_one(program, sample(), Limits())
    assert (outcome.status, outcome.error) == (Status.RAISED, "TypeError")
