"""One text to its definitions: what may stand at the top level, and how definitions find one another."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.front.definitions import Module
from batt.front.module import MAX_HELPER_DEPTH, read_module
from batt.ir import Helper, Literal
from batt.ops import CONSTANTS
from marked import marks, told, unmarked


def good(text: str) -> Module:
    module = read_module(text, "deck.py")
    assert module.mistakes == []
    return module


def mistakes_of(text: str) -> list[str]:
    """The mistakes of a text, each as line:column: message."""
    return [f"{m.place.line}:{m.place.column}: {m.message}" for m in read_module(text, "deck.py").mistakes]


# Good texts.


def test_definitions_are_read_in_the_order_of_the_text():
    module = good("def b(I):\n    return c(I)\ndef a(I):\n    return I\ndef c(I):\n    return a(I)\n")
    assert list(module.definitions) == ["b", "a", "c"]
    assert [str(each.place) for each in module.definitions.values()] == ["deck.py:1:1", "deck.py:3:1", "deck.py:5:1"]


@pytest.mark.parametrize(
    "line",
    [
        "from dsl import *",
        "from constants import *",
        "from arc_types import *",
        "from arc_dsl.dsl import *",
        "from .dsl import *",
        "from batt.dsl import *",
        "from typing import Tuple, List",
        "from dsl import vmirror, hmirror as hmirror",
        "from __future__ import annotations",
        '"""About this deck.\n\ndef nothing(I):\n"""',
        "# a comment",
        "",
    ],
)
def test_imports_of_the_language_strings_and_comments_are_ignored(line: str):
    module = good(f"{line}\ndef f(I):\n    return I\n")
    assert list(module.definitions) == ["f"]
    assert module.constants == {}


def test_definitions_and_strings_may_follow_one_another_on_any_lines():
    module = good("\n\n'''x'''\ndef f(I): return I\n'y'\ndef g(I): return f(I)\nK = 1\n\n\n")
    assert list(module.definitions) == ["f", "g"]


def test_constants_are_integers_and_tuples_of_them():
    module = good("A = 5\nB = (1, (-2, ()))\nC: int = True\nD = None\ndef f(I):\n    return fill(A, B, (C, D))\n")
    assert module.constants == {"A": 5, "B": (1, (-2, ())), "C": True, "D": None}
    (step,) = module.definitions["f"].program.steps
    assert step.args == (Literal(5), Literal((1, (-2, ()))), Literal((True, None)))


def test_a_constant_may_stand_below_its_use():
    module = good("def f(I):\n    return fill(I, K, I)\nK = 7\n")
    assert module.definitions["f"].program.steps[0].args[1] == Literal(7)


def test_a_deck_may_spell_out_the_constants_of_the_language():
    text = "\n".join([f"{name} = {value!r}" for name, value in CONSTANTS.items()])
    module = good(f"{text}\ndef f(I):\n    return ZERO\n")
    assert module.constants == {}
    assert module.definitions["f"].uses == ()


@pytest.mark.parametrize("below", [False, True])
def test_helpers_may_stand_above_and_below_and_be_called_or_handed_around(below: bool):
    helper = "def helper(g, c):\n    return replace(g, c, ZERO)\n"
    solver = "def f(I):\n    x = helper(c=1, g=I)\n    return apply(helper, (x, x))\n"
    module = good(solver + helper if below else helper + solver)
    value = Literal(Helper("helper", module.definitions["helper"].program))
    first, _, last = module.definitions["f"].program.steps
    assert (first.callee, first.args[1]) == (value, Literal(1))
    assert last.args[0] == value
    assert module.definitions["f"].uses == ("helper",)


def test_a_solver_may_call_a_solver():
    module = good("def solve_a(I):\n    return solve_b(I)\ndef solve_b(I):\n    return I\n")
    assert module.definitions["solve_a"].uses == ("solve_b",)


def test_names_that_are_not_of_the_text_are_no_uses():
    assert good("K = 1\ndef f(vmirror):\n    K = hmirror(ZERO)\n    return K\n").definitions["f"].uses == ()


def test_helpers_of_helpers_are_found_in_any_order():
    names = [f"h{n}" for n in range(30)]
    texts = [f"def h{n}(x):\n    return {f'h{n - 1}(x)' if n else 'x'}\n" for n in range(30)]
    for seed in range(5):
        order = random.Random(seed).sample(range(30), 30)
        module = good("".join([texts[n] for n in order]))
        assert list(module.definitions) == [names[n] for n in order]
        assert module.needed("h29") == names


def test_the_text_of_a_definition_is_its_own_lines_alone():
    module = good("# above\ndef f(I):  # beside\n    '''\ndef x\n    '''\n    return I  # end\n# below\n\nK = 1\n")
    assert module.definitions["f"].text == "def f(I):  # beside\n    '''\ndef x\n    '''\n    return I  # end"


def test_a_form_feed_before_a_definition_is_not_part_of_it():
    module = good(
        "K = 1\n\x0cdef f(I):\n    return I\n\x0cdef g(I):\n    return below(I)\ndef below(I):\n    return I\n"
    )
    assert module.definitions["f"].text == "def f(I):\n    return I"
    assert module.definitions["g"].text == "def g(I):\n    return below(I)"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(end: str):
    text = "# one\ndef f(I):\n    '''a\n    b'''\n    return I\n\nK = 1\n"
    module = good(text.replace("\n", end))
    assert module == good(text)


def test_the_source_of_a_definition_stands_alone():
    module = good(
        "def unused(x):\n    return x\n"
        "def f(I):\n    return g(h(I, K))\n"
        "def g(x):\n    return h(x, L)\n"
        "K = 1\nL = (2,)\nM = 3\n"
        "def h(x, y):\n    return fill(x, y, x)\n"
    )
    assert module.needed("f") == ["K", "L", "h", "g", "f"]
    assert module.source_of("f") == (
        "K = 1\nL = (2,)\n\n\n"
        "def h(x, y):\n    return fill(x, y, x)\n\n\n"
        "def g(x):\n    return h(x, L)\n\n\n"
        "def f(I):\n    return g(h(I, K))\n"
    )
    again = good(module.source_of("f"))
    assert again.definitions["f"].program == module.definitions["f"].program
    assert good("def f(I):\n    return I\n").source_of("f") == "def f(I):\n    return I\n"


# What is told of everything else; each case carries its mistakes.

TOP_LEVEL = """\
for i in range(3): pass
^ a loop cannot stand at the top level of a deck
if True:
^ an if statement cannot stand at the top level of a deck
    def f(I):
        return I
print(1)
^ a call cannot stand at the top level of a deck
A.b
^ an attribute cannot stand at the top level of a deck
5
^ an integer cannot stand at the top level of a deck
None
^ None cannot stand at the top level of a deck
A = B = 1
^ an assignment to more than one name cannot stand at the top level of a deck
A, B = 1, 2
^ an assignment to more than one name cannot stand at the top level of a deck
A += 1
^ an augmented assignment cannot stand at the top level of a deck
A: int
^ a name without a value cannot stand at the top level of a deck
return 1
^ return cannot stand at the top level of a deck
class A:
^ a class cannot stand at the top level of a deck
    pass
async def f(I):
^ an async definition cannot stand at the top level of a deck
    return I
def good(I):
    return I
"""

CONSTANT_VALUES = """\
A = foo(1)
    ^ a constant must be an integer or a tuple of integers
B = 1.5
    ^ a constant must be an integer or a tuple of integers
C = (1, (2, 'x'))
    ^ a constant must be an integer or a tuple of integers
D: Grid = [1]
          ^ a constant must be an integer or a tuple of integers
E = A
    ^ a constant must be an integer or a tuple of integers
G = (1, 9223372036854775808)
    ^ the integer does not fit in 64 bits
def f(I):
    return fill(A, E, H)
                ^ 'A' has mistakes
                   ^ 'E' has mistakes
                      ^ 'H' has mistakes
H = None + 1
    ^ a constant must be an integer or a tuple of integers
"""

TAKEN_NAMES = """\
def vmirror(I):
^ 'vmirror' is a primitive; choose another name
    return hmirror(I)
hmirror = 5
^ 'hmirror' is a primitive; choose another name
def ZERO(I):
^ 'ZERO' is a constant of the language; choose another name
    return I
ONE = 2
^ 'ONE' is a constant of the language; choose another name
def f(I):
    return vmirror(I)
def f(I):
^ 'f' is defined twice; first in line 7
    return foo(I)
f = 5
^ 'f' is defined twice; first in line 7
K = 1
K = 1
^ 'K' is defined twice; first in line 12
def K(x):
^ 'K' is defined twice; first in line 12
    return x
def waiting(I):
    return below(I)
def waiting(I):
^ 'waiting' is defined twice; first in line 16
    return I
def below(I):
    return I
"""

UNUSABLE = """\
def early(I):
    return middle(I)
           ^ 'middle' has mistakes
def middle(I):
    return late(I)
           ^ 'late' has mistakes
def late(I):
    return foo(I)
           ^ 'foo' is not defined
def after(I):
    return apply(late, late(I))
                 ^ 'late' has mistakes
                       ^ 'late' has mistakes
def unharmed(I):
    return fine(I)
def fine(I):
    return I
"""

CIRCLES = """\
def itself(I):
    return itself(I)
           ^ 'itself' leads into a circle of calls; nothing could end it
def named(I):
    return apply(named, I)
                 ^ 'named' leads into a circle of calls; nothing could end it
def h(x):
    return k(x)
           ^ 'k' leads into a circle of calls; nothing could end it
def k(x):
    return m(foo(x))
           ^ 'm' leads into a circle of calls; nothing could end it
             ^ 'foo' is not defined
def m(x):
    return fine(h(x))
                ^ 'h' leads into a circle of calls; nothing could end it
def solve_a(I):
    return solve_b(h(I))
           ^ 'solve_b' leads into a circle of calls; nothing could end it
                   ^ 'h' leads into a circle of calls; nothing could end it
def solve_b(I):
    return h(I)
           ^ 'h' leads into a circle of calls; nothing could end it
def solve_c(I):
    return fine(I)
def fine(I):
    return I
"""


@pytest.mark.parametrize(
    ("case", "left"),
    [
        (TOP_LEVEL, ["good"]),
        (CONSTANT_VALUES, []),
        (TAKEN_NAMES, ["f", "waiting", "below"]),
        (UNUSABLE, ["unharmed", "fine"]),
        (CIRCLES, ["solve_c", "fine"]),
    ],
    ids=["top level", "constant values", "taken names", "unusable names", "circles"],
)
def test_what_cannot_be_read_is_told_with_its_place_and_the_rest_is_read(case: str, left: list[str]):
    module = read_module(unmarked(case), "deck.py")
    assert told(module.mistakes) == marks(case)
    assert list(module.definitions) == left


def test_definitions_that_are_not_python_do_not_harm_those_around_them():
    module = read_module("def a(I):\n    return I\ndef b(I):\n    return )\ndef c(I):\n    return a(I)\n", "deck.py")
    assert [str(mistake) for mistake in module.mistakes] == [
        "deck.py:4:12: unmatched ')'\n        return )\n               ^"
    ]
    assert list(module.definitions) == ["a", "c"]


@pytest.mark.parametrize(
    ("text", "doc"),
    [
        ('"""What it\n    holds."""\n\n\ndef f(x):\n    return x\n', "What it\nholds."),
        ('# A comment.\nimport x\n"""Words."""\n"""More."""\n', "Words."),
        ('def f(x):\n    return x\n\n\n"""Words."""\n', ""),
    ],
)
def test_the_docstring_of_a_text_stands_before_its_definitions(text: str, doc: str):
    assert read_module(text, "x.py").doc == doc


def test_all_mistakes_of_a_text_are_told_in_its_order():
    assert mistakes_of("def a(I):\n    return b(I)\nos = {}\ndef b(I):\n    return (\ndef c(I):\n    x = I\n") == [
        "2:12: 'b' is not defined",
        "3:6: a constant must be an integer or a tuple of integers",
        "5:12: '(' was never closed",
        "6:1: the definition does not return a value",
    ]


def test_definitions_may_call_one_another_up_to_the_limit():
    texts = [f"def h{n}(x):\n    return {f'h{n - 1}(x)' if n else 'x'}\n" for n in range(MAX_HELPER_DEPTH)]
    for text in ("".join(texts), "".join(reversed(texts))):
        assert len(good(text).definitions) == MAX_HELPER_DEPTH


def test_definitions_that_call_one_another_too_deeply_are_refused():
    texts = [f"def h{n}(x):\n    return {f'h{n - 1}(x)' if n else 'x'}\n" for n in range(MAX_HELPER_DEPTH + 2)]
    assert mistakes_of("".join(texts)) == [
        "101:1: definitions call one another more than 50 deep",
        "104:12: 'h50' has mistakes",
    ]
    assert mistakes_of("".join(reversed(texts))) == [
        "2:12: 'h50' has mistakes",
        "3:1: definitions call one another more than 50 deep",
    ]


def test_helpers_that_call_two_helpers_each_are_collected_once_each():
    lines = [f"def h{n}(x):\n    return astuple(h{max(n - 1, 0)}(x), h{max(n - 2, 0)}(x))\n" for n in range(2, 50)]
    text = "def h0(x):\n    return x\ndef h1(x):\n    return x\n" + "".join(lines)
    module = good(text)
    assert len(module.needed("h49")) == 50
    assert good(module.source_of("h49")).definitions["h49"].program == module.definitions["h49"].program


NAMES = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(NAMES, st.lists(NAMES | st.just("missing"), max_size=3), min_size=1)


def _ends(graph: dict[str, list[str]], name: str, above: tuple[str, ...] = ()) -> bool:
    """Whether all that a definition calls is there and none of it leads into a circle."""
    return name in graph and name not in above and all(_ends(graph, each, (*above, name)) for each in graph[name])


@given(GRAPHS)
def test_a_definition_is_read_exactly_when_all_that_it_calls_is_there_and_ends(graph: dict[str, list[str]]):
    texts = []
    for name, called in graph.items():
        lines = "".join([f"    {each}{n} = {each}(x)\n" for n, each in enumerate(called)])
        texts.append(f"def {name}(x):\n{lines}    return x\n")
    module = read_module("".join(texts), "f")
    assert list(module.definitions) == [name for name in graph if _ends(graph, name)]
    assert bool(module.mistakes) == (len(module.definitions) < len(graph))
