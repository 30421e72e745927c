"""The shapes of a batt: which statements it may hold, and what is told of others."""

from __future__ import annotations

import ast

import pytest

from batt.errors import DeckError
from batt.front.batts import read_batt_text
from batt.front.shape import BattForm, form_of
from marked import marks, told, unmarked

OLD = "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n{}    return o, s\n"
NEW = "@batt_function\n" + OLD


def parsed(text: str) -> ast.FunctionDef:
    (definition,) = ast.parse(text).body
    assert isinstance(definition, ast.FunctionDef)
    return definition


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("def batt(task_id, S, I, C, log_path): pass", BattForm.OLD),
        ("@jit\ndef batt(S, I, C): pass", BattForm.OLD),
        ("@batt_function\ndef batt(task_id, S, I, C=None, log_path=None): pass", BattForm.SEQUENTIAL),
        ("@generated.batt_function()\ndef batt(task_id, S, I, C, /): pass", BattForm.SEQUENTIAL),
        ("@batch_function\ndef batt_batch(task_ids, Ss, Is, Cs, log_paths): pass", BattForm.BATCH),
        ("def batt_batch(task_ids, Ss, Is, Cs): pass", BattForm.BATCH),
        ("def batt(x): pass", None),
        ("def batt_batch(S, I, C): pass", None),
        ("def solve(S, I, C): pass", None),
    ],
)
def test_a_batt_is_known_by_its_name_its_parameters_and_its_decorator(text: str, form: BattForm | None):
    assert form_of(parsed(text)) is form


TRY = "    try:\n        t1 = vmirror(I)\n"
STEP = {
    "plain": "    t1 = vmirror(I)\n",
    "annotated": "    t1: Grid = vmirror(I)\n",
    "bare": TRY + "    except:\n        t1 = ()\n",
    "one kind": TRY + "    except Exception as e:\n        log(e)\n        t1 = I\n",
    "some kinds": TRY + "    except (TypeError, ValueError):\n        t1 = default(vmirror)\n",
    "several": TRY + "    except TypeError:\n        pass\n    except ValueError:\n        _ = 1\n",
    "nested": "    try:\n"
    + "".join([f"    {line}\n" for line in [*TRY.splitlines(), "    except A:", "        t1 = 1"]])
    + "    except B:\n        t1 = 2\n",
    "finally": TRY + "    except A:\n        t1 = 1\n    else:\n        pass\n    finally:\n        log()\n",
}


@pytest.mark.parametrize("name", STEP)
def test_a_step_may_stand_in_a_try_of_any_kind(name: str):
    found = read_batt_text(OLD.format(STEP[name] + "    o.append((1, True, 'a', t1))\n"), "old.py")
    assert [solver.source for solver in found.solvers] == ["def solve_a(I):\n    t1 = vmirror(I)\n    return t1\n"]
    assert found.defaults == (name not in ("plain", "annotated"))


def test_an_error_that_is_raised_again_had_no_default():
    step = "    try:\n        t1 = vmirror(I)\n    except Exception:\n        log()\n        raise\n"
    assert read_batt_text(OLD.format(step + "    o.append((1, True, 'a', t1))\n"), "old.py").defaults == 0


@pytest.mark.parametrize(
    "line",
    [
        "'what follows'",
        "pass",
        "start = time.time()",
        "print(task_id, I)",
        "assert I, 'no grid'",
        "_ = [x for x in S]",
        "import os",
        "if log_path:\n        with open(log_path) as file:\n            file.write(task_id)",
        "for x in S:\n        seen = x",
        "global count",
        "count += 1",
        "x, y = 1, 2",
    ],
)
def test_what_cannot_change_an_output_is_passed_over_in_an_old_batt(line: str):
    text = OLD.format(f"    {line}\n    o.append((1, None, 'a', vmirror(I)))\n    {line}\n")
    assert [solver.source for solver in read_batt_text(text, "old.py").solvers] == [
        "def solve_a(I):\n    return vmirror(I)\n"
    ]


OLD_MISTAKES = """\
def batt(task_id, S, I, C, log_path):
    o, s = [], []
    for x in S:
    ^ a loop is not part of the language
        t1 = x
    t2 = t1[0:]
            ^ a slice is not part of the language
    t3 = vmirrorr(t2)
         ^ 'vmirrorr' is not defined; did you mean 'vmirror'?
    unread = vmirrorr(I)
    o.append((1, None, 'a', t1))
    o.append((2, None, 'b', t2))
    o.append((3, None, 'c', t3))
    o.append((4, None, 'd', helper(t3)))
                            ^ 'helper' has mistakes
    return o, s
def helper(x):
    return x.y
           ^ an attribute is not part of the language
"""

SHAPE_MISTAKES = """\
def batt(task_id, S, I, C, log_path):
    o = s = []
    ^ an assignment to more than one name is not part of a batt
    if I:
        o.append((1, None, 'a', I))
        ^ an if statement is not part of a batt
    while True:
        return o, s
        ^ a loop is not part of a batt
    o.append(1, None, 'a', I)
    ^ a call is not part of a batt
    o.append((1.5, None, 'a', I))
             ^ an output is a tuple (step number, changed, 'task', value)
    o.append([1, None, 'a', I])
             ^ an output is a tuple (step number, changed, 'task', value)
    o.append((1, None, task_id, I))
             ^ an output is a tuple (step number, changed, 'task', value)
    o.append((1, None, '', I))
             ^ a task's name must be printable text, not ''
    s.append((1, 'a', I))
             ^ a score is a tuple (step number, 'task' or None, 'differ', value)
    o.extend([])
    ^ a call is not part of a batt
    return o, s
"""

NEW_MISTAKES = """\
@batt_function
def batt(task_id, S, I, C, log_path):
    o, s = [], []
    print(I)
    ^ a call is not part of a batt
    try:
    ^ a try statement is not part of a batt
        t1 = I
    except Exception:
        t1 = ()
    x, y.z = 1, 2
    ^ an assignment to more than one name is not part of a batt
    return o, s
"""


@pytest.mark.parametrize("case", [OLD_MISTAKES, NEW_MISTAKES])
def test_mistakes_are_told_with_their_places(case: str):
    with pytest.raises(DeckError) as caught:
        read_batt_text(unmarked(case), "batt.py")
    assert told(caught.value.mistakes) == marks(case)


def test_mistakes_of_shape_are_told_with_their_lines():
    with pytest.raises(DeckError) as caught:
        read_batt_text(unmarked(SHAPE_MISTAKES), "batt.py")
    found = [(mistake.place.line, mistake.message) for mistake in caught.value.mistakes]
    assert [message for _, message in found] == [message for _, _, message in marks(SHAPE_MISTAKES)]


@pytest.mark.parametrize("end", ["return o", "return s, s", "return (o, s, o)", "pass", "x = 1", "return o, []"])
def test_a_batt_ends_with_its_lists(end: str):
    with pytest.raises(DeckError, match="a batt ends with `return o, s`"):
        read_batt_text(f"def batt(S, I, C):\n    o, s = [], []\n    {end}\n", "batt.py")


def test_the_lists_may_be_called_otherwise():
    lines = ["out: list = []", "scores = []", "out.append((1, 1, 'a', I))", "return (out, scores)"]
    text = "def batt(S, I, C):\n" + "".join([f"    {line}\n" for line in lines])
    assert [entry.task for entry in read_batt_text(text, "batt.py").entries] == ["a"]


def test_a_batt_without_an_output_is_a_mistake():
    with pytest.raises(DeckError, match=r"the batt has no solver: it never calls `o\.append`"):
        read_batt_text(OLD.format("    t1 = I\n"), "batt.py")


def test_the_words_of_a_batch_are_read_as_those_of_one_sample():
    lines = ["o, s = [], []", "t9s = identity", "t1s = batch_fill(Is, 2, batch_ofcolor(Cs, 1))"]
    lines += ["t2s = batch_call(t9s, Ss)", "o.append((1, 'a', t1s))", "return o, s"]
    text = "def batt_batch(task_ids, Ss, Is, Cs):\n" + "".join([f"    {line}\n" for line in lines])
    assert read_batt_text(text, "b.py").solvers[0].source == (
        "def solve_a(S, I, C):\n    t9 = identity\n    t1 = fill(I, 2, ofcolor(C, 1))\n    t2 = t9(S)\n    return t1\n"
    )
