"""One definition to its program: what a line may be, what a name means, and what is told of everything else."""

from __future__ import annotations

import ast

import pytest

from batt.errors import SourceError
from batt.front.expressions import MAX_MISTAKES, MAX_NESTING
from batt.front.module import read_module
from batt.front.words import what
from batt.ir import Literal, Program, Slot
from batt.ir.writing import describe
from marked import marks, told, unmarked


def lowered(text: str, name: str = "f") -> Program:
    module = read_module(text, "deck.py")
    assert module.mistakes == []
    return module.definitions[name].program


def steps(body: str, params: str = "I") -> list[str]:
    """The steps of a body, printed, with its result last."""
    lines = "\n".join([f"    {line}" for line in body.split("\n")])
    program = lowered(f"def f({params}):\n{lines}\n")
    return [*[describe(program, step) for step in program.steps], f"return {program.slot_name(program.result)}"]


def mistakes(text: str) -> list[SourceError]:
    return read_module(text, "deck.py").mistakes


# What becomes of good lines.


def test_a_line_is_a_step_and_a_parameter_a_slot():
    program = lowered("def f(S, I, C):\n    x = vmirror(I)\n    return x\n")
    assert program.params == ("S", "I", "C")
    assert program.arity == 3
    assert [step.args for step in program.steps] == [(Slot(1),)]
    assert program.result == Slot(3)


def test_nested_calls_are_steps_from_the_inside_out_and_from_left_to_right():
    assert steps("return hconcat(vmirror(rot90(I)), hmirror(I))") == [
        "_1 = rot90(I)",
        "_2 = vmirror(_1)",
        "_3 = hmirror(I)",
        "_4 = hconcat(_2, _3)",
        "return _4",
    ]


def test_the_callee_is_worked_out_before_the_arguments():
    assert steps("return compose(first, last)(rot90(I))") == [
        "_1 = compose(first, last)",
        "_2 = rot90(I)",
        "_3 = _1(_2)",
        "return _3",
    ]


def test_keyword_arguments_are_worked_out_where_they_stand_and_placed_by_name():
    assert steps("return fill(patch=asindices(I), grid=rot90(I), value=mostcolor(I))") == [
        "_1 = asindices(I)",
        "_2 = rot90(I)",
        "_3 = mostcolor(I)",
        "_4 = fill(_2, _3, _1)",
        "return _4",
    ]


def test_positional_arguments_come_before_keyword_arguments():
    assert steps("return fill(rot90(I), patch=asindices(I), value=2)") == [
        "_1 = rot90(I)",
        "_2 = asindices(I)",
        "_3 = fill(_1, 2, _2)",
        "return _3",
    ]


def test_tuple_displays_are_steps_where_they_hold_values():
    assert steps("x = (I, rot90(I), (I,))\nreturn (x, 1)") == [
        "_1 = rot90(I)",
        "_2 = (I,)",
        "x = (I, _1, _2)",
        "_4 = (x, 1)",
        "return _4",
    ]


def test_a_display_of_literals_is_a_literal():
    program = lowered("def f(I):\n    x = (1, (-2, ()), ZERO, vmirror)\n    return shift(I, x)\n")
    assert len(program.steps) == 1
    literal = program.steps[0].args[1]
    assert isinstance(literal, Literal)
    assert literal.value[:3] == (1, (-2, ()), 0)
    assert describe(program, program.steps[0]) == "_1 = shift(I, (1, (-2, ()), 0, vmirror))"


def test_a_display_that_names_a_tuple_is_made_when_it_runs():
    assert steps("x = (1, 2)\ny = (x, UP)\nreturn y") == ["y = ((1, 2), (-1, 0))", "return y"]


def test_lines_that_nothing_reads_are_steps():
    assert steps("a = rot90(I)\nb = first(I)\nreturn I") == ["a = rot90(I)", "b = first(I)", "return I"]


def test_another_name_for_a_value_is_no_step():
    assert steps("a = I\nb = vmirror\nc = 5\nd = b(a)\nreturn fill(d, c, c)") == [
        "d = vmirror(I)",
        "_2 = fill(d, 5, 5)",
        "return _2",
    ]


def test_a_name_may_be_assigned_again():
    assert steps("x = rot90(I)\nx = hmirror(x)\nI = vmirror(x)\nreturn I") == [
        "x = rot90(I)",
        "x = hmirror(x)",
        "I = vmirror(x)",
        "return I",
    ]
    assert lowered("def f(x):\n    x = rot90(x)\n    x = rot90(x)\n    return x\n").steps[1].args == (Slot(1),)


def test_a_variable_can_be_called():
    assert steps("return g(I, 1)(I)", params="I, g") == ["_1 = g(I, 1)", "_2 = _1(I)", "return _2"]


def test_a_literal_that_is_no_function_can_be_called_and_will_raise():
    assert steps("x = 5\nreturn x(I)") == ["_1 = 5(I)", "return _1"]


def test_annotations_are_ignored():
    program = lowered("def f(I: G[1].x, g: lambda q: q) -> open('a'):\n    x: Undefined = rot90(I)\n    return x\n")
    assert program.params == ("I", "g")
    assert [step.target for step in program.steps] == ["x"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-7", -7),
        ("0x1F", 31),
        ("1_000", 1000),
        ("True", True),
        ("None", None),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
    ],
)
def test_integers_bools_and_none_are_literals(text: str, value: object):
    result = lowered(f"def f(I):\n    return {text}\n").result
    assert result == Literal(value)
    assert isinstance(result, Literal)
    assert type(result.value) is type(value)


def test_names_mean_what_is_nearest():
    """A line's own name comes before a parameter, and both before primitives and constants."""
    assert steps("vmirror = rot90(I)\nreturn vmirror") == ["vmirror = rot90(I)", "return vmirror"]
    assert lowered("def f(vmirror, ZERO):\n    return vmirror(ZERO)\n").steps[0].callee == Slot(0)
    assert lowered("K = 5\ndef f(K):\n    return K\n").result == Slot(0)
    assert lowered("def g(x):\n    return x\ndef f(g):\n    return g(g)\n").steps[0].callee == Slot(0)


def test_constants_of_the_language_are_literals():
    assert steps("return fill(I, TEN, (NEG_TWO, F))") == ["_1 = fill(I, 10, (-2, 0))", "return _1"]


def test_a_docstring_is_no_line():
    assert steps('"""Turn it."""\nreturn rot90(I)') == ["_1 = rot90(I)", "return _1"]


def test_steps_know_their_line_in_the_file():
    text = (
        "K = 1\n\n\ndef f(I):\n    '''Two\n    lines.'''\n    x = rot90(\n        hmirror(I))\n    return vmirror(x)\n"
    )
    assert [(step.target, step.line) for step in lowered(text).steps] == [("_1", 7), ("x", 7), ("_3", 9)]


def test_a_definition_may_stand_on_one_line():
    program = lowered("def f(I): x = rot90(I); y = hmirror(x); return y\n")
    assert [step.line for step in program.steps] == [1, 1]


def test_expressions_may_nest_up_to_the_limit():
    text = "vmirror(" * MAX_NESTING + "I" + ")" * MAX_NESTING
    assert len(lowered(f"def f(I):\n    return {text}\n").steps) == MAX_NESTING


# What is told of everything else; each case carries its mistakes.

NAMES = """\
def undefined(I):
    x = foo(I)
        ^ 'foo' is not defined
    return bar(x, baz)
           ^ 'bar' is not defined
                  ^ 'baz' is not defined
def typos(I):
    x = vmiror(I)
        ^ 'vmiror' is not defined; did you mean 'vmirror'?
    y = fill(x, NINEE, Zero)
                ^ 'NINEE' is not defined; did you mean 'NINE'?
                       ^ 'Zero' is not defined
    return y
def too_soon(I):
    x = vmirror(y)
        ^ 'vmirror' is used before the line that assigns it
                ^ 'y' is used before the line that assigns it
    y: Grid = I
    vmirror = y
    return x
def of_itself(I):
    x = rot90(x)
              ^ 'x' is used before the line that assigns it
    return x
def powerful(I):
    x = __import__(I)
        ^ '__import__' is not defined
    y = eval(exec, open, __builtins__)
        ^ 'eval' is not defined
             ^ 'exec' is not defined
                   ^ 'open' is not defined
                         ^ '__builtins__' is not defined
    return getattr
           ^ 'getattr' is not defined
"""

CALLS = """\
def count(I):
    a = vmirror()
        ^ vmirror takes 1 argument (piece), 0 given
    b = rot90(I, I)
        ^ rot90 takes 1 argument (grid), 2 given
    c = fill(I, 1)
        ^ fill takes 3 arguments (grid, value, patch), 2 given
    d = hconcat(a, rot180(I, hmirror()))
                   ^ rot180 takes 1 argument (grid), 2 given
                             ^ hmirror takes 1 argument (piece), 0 given
    e = fill(I, 1, I, I, patch=I)
        ^ fill takes 3 arguments (grid, value, patch), 5 given
                         ^ fill is given 'patch' twice
    return fill(I, 1, I, grid=I)
                         ^ fill is given 'grid' twice
def keywords(I):
    a = fill(I, colour=1, patch=I)
                ^ fill has no parameter 'colour'; it takes (grid, value, patch)
    b = fill(I, I, grid=I)
                   ^ fill is given 'grid' twice
    c = fill(grid=I, value=1, value=2)
                              ^ fill is given 'value' twice
    d = fill(grid=I, value=1)
        ^ fill takes 3 arguments (grid, value, patch), 2 given
    e = fill(*I, 1, 2)
             ^ a starred argument is not part of the language
    f = fill(**I)
             ^ a starred argument is not part of the language
    return I(a=1, b=2)
             ^ keyword arguments need a primitive or a definition as callee
def helper(a, b):
    return a
def of_helpers(I):
    a = helper(I)
        ^ helper takes 2 arguments (a, b), 1 given
    b = helper(b=I, c=I)
                    ^ helper has no parameter 'c'; it takes (a, b)
    c = compose(first, last)(x=I)
                             ^ keyword arguments need a primitive or a definition as callee
    d = foo(I, x=I)
        ^ 'foo' is not defined
    return helper(b=I, a=c)
"""

STATEMENTS = """\
def loops(I):
    for i in I:
    ^ a loop is not part of the language
        y = rot90(i)
        y.z = vmirror(undefined)
    else:
        z = 1
    while T:
    ^ a loop is not part of the language
        break
    return hconcat(y, z, i)
           ^ hconcat takes 2 arguments (a, b), 3 given
def blocks(I):
    if I:
    ^ an if statement is not part of the language
        return I
    with I as w:
    ^ a with statement is not part of the language
        pass
    try:
    ^ a try statement is not part of the language
        pass
    finally:
        pass
    match I:
    ^ a match statement is not part of the language
        case _: pass
    def inner(x):
    ^ a definition inside a definition is not part of the language
        return x
    async def later(x):
    ^ an async definition is not part of the language
        return x
    class A:
    ^ a class is not part of the language
        pass
    return inner(later(A(w)))
def lines(I):
    pass
    ^ pass is not part of the language
    raise I
    ^ raise is not part of the language
    assert I
    ^ an assertion is not part of the language
    del I
    ^ del is not part of the language
    global a
    ^ global is not part of the language
    nonlocal b
    ^ nonlocal is not part of the language
    import os.path, sys as s
    from re import sub
    return I
def assignments(I):
    x += 1
    ^ 'x' is used before the line that assigns it
    x /= 1
    ^ an augmented assignment is not part of the language
    a = b = I
    ^ an assignment to more than one name is not part of the language
    c, *d = I
       ^ a starred argument cannot take a part of a value; a name can
    c, I.d = I
       ^ an attribute cannot take a part of a value; a name can
    c, (d, ()) = I
           ^ a value is unpacked into 1 to 64 names
    e[0] = I
    ^ an assignment to more than one name is not part of the language
    g: Grid
    ^ a name without a value is not part of the language
    return (x, a, b, c, d, g)
def values(I):
    rot90(I)
    ^ a line must name its value: `x = …`
    I
    ^ a line must name its value: `x = …`
    I, I
    ^ a line must name its value: `x = …`
    'not the first line'
    ^ a string is not part of the language
    5
    ^ a line must name its value: `x = …`
    None
    ^ a line must name its value: `x = …`
    1.5
    ^ a non-integer number is not part of the language
    yield I
    ^ yield is not part of the language
    I.x
    ^ an attribute is not part of the language
    return I
def no_docstring(I):
    5
    ^ a line must name its value: `x = …`
    return I
"""

EXPRESSIONS = """\
def expressions(I):
    a = I.x
        ^ an attribute is not part of the language
    b = I[0:1]
          ^ a slice is not part of the language
    b = I[::, 0]
          ^ a slice is not part of the language
    c = lambda: I
        ^ a lambda needs at least one parameter
    c = lambda v=I: v
        ^ parameters must be plain names without defaults or stars
    c = lambda *v: v
        ^ parameters must be plain names without defaults or stars
    d = I / 1
        ^ only these operators are part of the language: + - * // % not == != < <= > >=
    d = I | I
        ^ only these operators are part of the language: + - * // % not == != < <= > >=
    d = ~I
        ^ only these operators are part of the language: + - * // % not == != < <= > >=
    e = I and not I
        ^ an operator is not part of the language
    g = I < 1 < 2
        ^ a chained comparison is not part of the language
    g = I is I
        ^ only these operators are part of the language: + - * // % not == != < <= > >=
    g = I in I
        ^ only these operators are part of the language: + - * // % not == != < <= > >=
    h = I if I else I
        ^ a conditional expression is not part of the language
    i = (j := I)
         ^ an assignment inside an expression is not part of the language
    k = [x for x in I]
        ^ a comprehension is not part of the language
    l = vmirror(x for x in I)
               ^ a comprehension is not part of the language
    m = [I]
        ^ a list is not part of the language
    n = {I}
        ^ a set display is not part of the language
    o = {I: I}
        ^ a dictionary is not part of the language
    p = 'text'
        ^ a string is not part of the language
    q = f'{I}'
        ^ a string is not part of the language
    r = b'text'
        ^ a string is not part of the language
    s = 1.5
        ^ a non-integer number is not part of the language
    t = 2j
        ^ a non-integer number is not part of the language
    u = ...
        ^ Ellipsis is not part of the language
    v = (I, *I)
            ^ a starred argument is not part of the language
    x = +1
        ^ only these operators are part of the language: + - * // % not == != < <= > >=
    y = -1.5
        ^ an operator is not part of the language
    z = rot90(rot90(I.x), y)
        ^ rot90 takes 1 argument (grid), 2 given
                    ^ an attribute is not part of the language
    return (yield)
            ^ yield is not part of the language
def awaits(I):
    return await I
           ^ await is not part of the language
def huge(I):
    a = 9223372036854775808
        ^ the integer does not fit in 64 bits
    b = (1, -9223372036854775809)
            ^ the integer does not fit in 64 bits
    return 0xfffffffffffffffffffffffffffffffffffffffffff
           ^ the integer does not fit in 64 bits
"""

RETURNS = """\
def none(I):
^ the definition does not return a value
    x = rot90(I)
def only_documented(I):
^ the definition does not return a value
    '''Nothing.'''
def empty(I):
    return
    ^ return needs a value
def early(I):
    return foo(I)
    ^ lines after return are never reached
           ^ 'foo' is not defined
    x = bar(I)
        ^ 'bar' is not defined
    return x
"""

PARAMETERS = """\
def nothing():
^ a definition needs at least one parameter
    return 1
def defaults(I, x=foo):
^ parameters must be plain names without defaults or stars
    return x
def stars(*I, **x):
^ parameters must be plain names without defaults or stars
    return hconcat(I, x)
def keyword_only(I, *, x):
^ parameters must be plain names without defaults or stars
    return x
def positional_only(I, /, x):
^ parameters must be plain names without defaults or stars
    return I
def twice(I, x, I):
                ^ a second parameter 'I'
    return x
def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q):
^ 17 parameters; the limit is 16
    return a
def enough(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    return a
@cached
 ^ a decorator is not part of the language
@other
def decorated(I):
    return I
@cached
 ^ a decorator is not part of the language
def decorated_and_waiting(I):
    return below(I)
def below(I):
    return I
"""

UNICODE = """\
def größe(I):
    ü = vmirror(ñ, 1)
        ^ vmirror takes 1 argument (piece), 2 given
                ^ 'ñ' is not defined
    return (ü, é)
               ^ 'é' is not defined
"""


@pytest.mark.parametrize(
    "case",
    [NAMES, CALLS, STATEMENTS, EXPRESSIONS, RETURNS, PARAMETERS, UNICODE],
    ids=["names", "calls", "statements", "expressions", "returns", "parameters", "unicode"],
)
def test_what_is_not_in_the_language_is_told_with_its_place(case: str):
    assert told(mistakes(unmarked(case))) == marks(case)


def test_a_mistake_after_a_tab_has_its_caret_under_it():
    (mistake,) = mistakes("def f(I):\n\treturn foo(I)\n")
    assert str(mistake) == "deck.py:2:9: 'foo' is not defined\n     return foo(I)\n            ^"


def test_nesting_has_a_limit():
    text = "vmirror(" * (MAX_NESTING + 1) + "I" + ")" * (MAX_NESTING + 1)
    (mistake,) = mistakes(f"def f(I):\n    return {text}\n")
    assert str(mistake.place) == f"deck.py:2:{12 + 8 * MAX_NESTING}"
    assert mistake.message == "nested deeper than 100 levels"


@pytest.mark.parametrize(
    ("nest", "column"),
    [(lambda n: "(" * n + "I" + ",)" * n, 12 + MAX_NESTING), (lambda n: "I" + "(I)" * n, 12)],
    ids=["tuples", "callees"],
)
def test_tuples_and_callees_nest_as_calls_do(nest, column: int):
    assert mistakes(f"def f(I):\n    return {nest(MAX_NESTING)}\n") == []
    (mistake,) = mistakes(f"def f(I):\n    return {nest(MAX_NESTING + 1)}\n")
    assert (mistake.place.column, mistake.message) == (column, "nested deeper than 100 levels")


def test_a_definition_of_very_many_mistakes_is_not_read_to_its_end():
    lines = "".join([f"    x{n} = foo{n}(I)\n" for n in range(MAX_MISTAKES + 50)])
    found = mistakes(f"def f(I):\n{lines}    return I\ndef g(I):\n    return foo(I)\n")
    assert len(found) == MAX_MISTAKES + 2
    assert str(found[MAX_MISTAKES].place) == f"deck.py:{MAX_MISTAKES + 2}:12"
    assert found[MAX_MISTAKES].message == "more than 100 mistakes in one definition; the rest of it is not read"
    assert found[-1].message == "'foo' is not defined"


def test_all_mistakes_of_a_definition_are_told_in_the_order_of_the_text():
    found = mistakes("def f(I):\n    a = foo(bar, I.x)\n    for i in I: pass\n    b = a.c\n")
    assert [(mistake.place.line, mistake.place.column) for mistake in found] == [
        (1, 1),
        (2, 9),
        (2, 13),
        (2, 18),
        (3, 5),
        (4, 9),
    ]


@pytest.mark.parametrize(
    "node", [*ast.stmt.__subclasses__(), *ast.expr.__subclasses__()], ids=lambda node: node.__name__
)
def test_every_kind_of_syntax_has_a_plain_word(node: type[ast.AST]):
    if node not in (ast.Expr, ast.Constant) and not node.__subclasses__():
        assert not what(node.__new__(node)).startswith("this")


def test_syntax_of_later_pythons_is_named_as_python_names_it():
    class Novelty(ast.expr):
        pass

    assert what(Novelty()) == "this (Novelty)"
