"""Decks: how solvers are found, named, looked up and saved."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import DeckError, SourceError, UsageError
from batt.front import BUILT_IN, Deck, load_deck, texts
from batt.front.deck import MOST_MISTAKES
from batt.ir import Helper
from marked import marks, told, unmarked

A = "def solve_a(I):\n    return vmirror(I)\n"
B = "def solve_b(S, I, C):\n    return hmirror(I)\n"
PLAIN = "def solve(S, I, C):\n    return rot90(I)\n"


def written(folder: Path, **texts: str | bytes) -> Path:
    """A folder with these files; an underscore in a name stands for the dot."""
    for name, text in texts.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def as_lines(**sources: str) -> str:
    return "".join([json.dumps({"name": name, "source": source}) + "\n" for name, source in sources.items()])


def mistakes_in(path: Path) -> list[SourceError]:
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    return list(caught.value.mistakes)


def told_in(path: Path) -> list[str]:
    """The first lines of all mistakes, without the folder."""
    return [str(mistake).split("\n")[0].replace(f"{path.parent}{os.sep}", "") for mistake in mistakes_in(path)]


# Where solvers are found and what they are called.


def test_the_solvers_of_a_python_file_are_the_definitions_named_so(tmp_path: Path):
    others = "def helper(x):\n    return x\ndef solver(x):\n    return x\ndef verify_a(I):\n    return I\n"
    found = load_deck(written(tmp_path, deck_py=B + others + A) / "deck.py")
    assert found.names == ("solve_b", "verify_a", "solve_a")
    assert found.name == "deck.py"
    assert [solver.takes_demonstrations for solver in found] == [True, False, False]
    assert str(found["solve_a"].place) == f"{tmp_path / 'deck.py'}:9:1"


def test_a_folder_is_all_its_python_and_json_lines_files_in_the_order_of_their_names(tmp_path: Path):
    written(tmp_path, b_py=A, c_txt="nothing", a_py=B, d_jsonl=as_lines(z=A, y=B))
    (tmp_path / "inner").mkdir()
    written(tmp_path / "inner", e_py="def solve_e(I):\n    return I\n")
    assert load_deck(tmp_path).names == ("solve_b", "solve_a", "z", "y")
    assert load_deck(str(tmp_path)).name == tmp_path.name


@pytest.mark.parametrize("form", ["solve(S, I, C)", "solve(I)", "verify(I)"])
def test_a_solver_that_is_just_called_solve_is_named_after_its_file(tmp_path: Path, form: str):
    path = written(tmp_path, mirror_py=f"def {form}:\n    return I\n") / "mirror.py"
    assert load_deck(path).names == ("mirror",)
    assert load_deck(path)["mirror"].definition == form.partition("(")[0]


def test_json_lines_name_their_solvers(tmp_path: Path):
    lines = as_lines(one=PLAIN, two=A, three="def f(I):\n    return I\n") + "\n  \n"
    found = load_deck(written(tmp_path, deck_jsonl=lines) / "deck.jsonl")
    assert found.names == ("one", "two", "three")
    assert [solver.definition for solver in found] == ["solve", "solve_a", "f"]
    assert str(found["two"].place) == f"{tmp_path / 'deck.jsonl'}:2 two:1:1"


def test_json_lines_may_hold_more_than_name_and_source(tmp_path: Path):
    line = json.dumps({"source": A, "score": [1.5, None], "name": "a"})
    assert load_deck(written(tmp_path, deck_jsonl=line) / "deck.jsonl").names == ("a",)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["f"], "f"),
        (["solve"], "solve"),
        (["h", "solve_x"], "solve_x"),
        (["solve_x", "h"], "solve_x"),
        (["solve_x", "solve_given"], "solve_given"),
        (["solve", "solve_given"], "solve_given"),
        (["solve_given", "solve_x", "solve"], "solve_given"),
        (["solve_x", "solve"], "solve"),
        (["verify", "solve_x", "solve_y"], "verify"),
        (["f", "solve_given", "given"], "solve_given"),
    ],
)
def test_the_solver_of_a_source_is_the_one_named_most_plainly(names: list[str], chosen: str):
    text = "".join([f"def {name}(I):\n    return I\n" for name in names])
    assert Deck.from_sources({"solve_given": text})[0].definition == chosen


def test_a_definition_of_the_given_name_comes_before_one_that_is_named_as_another_solver():
    text = "def solve_x(I):\n    return I\ndef given(I):\n    return solve_x(I)\n"
    assert Deck.from_sources({"given": text})[0].definition == "given"


def test_a_plain_solve_comes_before_a_helper_of_the_given_name():
    text = "def mirror(I):\n    return vmirror(I)\ndef solve(I):\n    return mirror(I)\n"
    assert Deck.from_sources({"mirror": text})[0].definition == "solve"


def test_without_any_such_name_the_solver_is_the_definition_that_no_other_calls():
    text = "def main(I):\n    return h(I)\ndef h(I):\n    return k(I)\ndef k(I):\n    return I\n"
    assert Deck.from_sources({"given": text})[0].definition == "main"


def test_the_built_in_deck_is_there_by_default():
    assert load_deck().names == load_deck(BUILT_IN).names
    assert len(load_deck()) > 50


def test_sources_may_come_with_any_line_ends_and_a_byte_order_mark(tmp_path: Path):
    plain = load_deck(written(tmp_path, a_py=A + B) / "a.py")
    for text in ((A + B).replace("\n", "\r\n"), (A + B).replace("\n", "\r"), "\ufeff" + A + B):
        found = load_deck(written(tmp_path, a_py=text) / "a.py")
        assert list(found) == list(plain)
        assert [solver.source for solver in found] == [solver.source for solver in plain]
    for ends in ("\n", "\r\n"):
        lines = "\ufeff" + as_lines(a="\ufeff" + A.replace("\n", "\r\n"), b=B).replace("\n", ends)
        assert load_deck(written(tmp_path, a_jsonl=lines) / "a.jsonl")["a"].program == plain["solve_a"].program


# What cannot be a deck.


@pytest.mark.parametrize("name", ["nothing.py", "no/such", "", "x" * 5000, "a\0b"])
def test_a_deck_that_is_not_there_is_a_usage_error(tmp_path: Path, name: str):
    with pytest.raises(UsageError):
        load_deck(tmp_path / (name or "missing"))


def test_a_deck_that_is_not_there_is_told_what_a_deck_is(tmp_path: Path):
    with pytest.raises(UsageError) as caught:
        load_deck(tmp_path / "a.py")
    message = "no such file or folder; a deck is a .py file, a folder of them, or a .jsonl file"
    assert str(caught.value) == f"{tmp_path / 'a.py'}: {message}"


def test_a_name_too_long_for_a_file_is_told_as_such(tmp_path: Path):
    with pytest.raises(UsageError) as caught:
        load_deck("x" * 5000)
    assert str(caught.value).endswith(": File name too long")


def test_a_folder_without_decks_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError) as caught:
        load_deck(tmp_path)
    assert str(caught.value) == f"{tmp_path}: the folder holds no .py or .jsonl file"


def test_a_folder_that_is_named_as_a_file_is_a_usage_error(tmp_path: Path):
    (tmp_path / "a.py").mkdir()
    with pytest.raises(UsageError) as caught:
        load_deck(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'a.py'}: Is a directory"


@pytest.mark.parametrize("text", ["", "# nothing\n", "def helper(x):\n    return x\n"])
def test_a_deck_without_solvers_is_a_usage_error(tmp_path: Path, text: str):
    with pytest.raises(UsageError) as caught:
        load_deck(written(tmp_path, a_py=text) / "a.py")
    message = "no solver found; a solver is `def solve_NAME(I)` or `def solve_NAME(S, I, C)`"
    assert str(caught.value) == f"a.py: {message}"


def test_no_sources_are_no_deck():
    with pytest.raises(UsageError, match="sources: no solver found"):
        Deck.from_sources({})


def test_a_deck_without_solvers_is_named_also_where_its_path_is_just_a_dot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(written(tmp_path, a_py=""))
    with pytest.raises(UsageError, match=r"^\.: no solver found"):
        load_deck(".")


def test_a_file_that_is_too_large_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts, "MAX_FILE_BYTES", 40)
    path = written(tmp_path, a_py=A + B) / "a.py"
    with pytest.raises(UsageError) as caught:
        load_deck(path)
    assert str(caught.value) == f"{path}: larger than 40 bytes; split the deck"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf_8_are_told_with_their_place(tmp_path: Path, mark: bytes):
    path = written(tmp_path, a_py=mark + "# é\ndef solve_é(I):\n    é = ".encode() + b"\xff(\n") / "a.py"
    (mistake,) = mistakes_in(path)
    assert str(mistake) == f"{path}:3:9: not UTF-8 text: the byte 0xff\n        é = \ufffd(\n            ^"


def test_a_file_that_is_not_utf_8_does_not_stop_the_others(tmp_path: Path):
    found = load_deck(written(tmp_path, a_py=b"\xff", b_jsonl=b"\n\x80", c_py=A), keep_going=True)
    assert found.names == ("solve_a",)
    assert [mistake.place.line for mistake in found.mistakes] == [1, 2]


# Mistakes.

NOT_SOLVERS = """\
def solve_none(I, x):
^ a solver takes (I), (S, I) or (S, I, C), not 2 parameters
    return I
def solve_good(I):
    return I
def verify_four(a, b, c, d):
^ a solver takes (I), (S, I) or (S, I, C), not 4 parameters
    return a
def helper(a, b):
    return a
"""


def test_a_solver_has_one_parameter_or_three(tmp_path: Path):
    path = written(tmp_path, deck_py=unmarked(NOT_SOLVERS)) / "deck.py"
    assert told(mistakes_in(path)) == marks(NOT_SOLVERS)
    assert load_deck(path, keep_going=True).names == ("solve_good",)


def test_two_solvers_of_one_name_are_a_mistake_across_files(tmp_path: Path):
    path = written(tmp_path, a_py=A, b_py="\n" + A, c_jsonl=as_lines(solve_a=B)) / "b.py"
    (in_python, in_lines) = mistakes_in(tmp_path)
    assert str(in_python) == (
        f"{path}:2:1: a second solver 'solve_a'; the first is at {tmp_path / 'a.py'}:1:1\n    def solve_a(I):\n    ^"
    )
    assert in_lines.message == in_python.message
    assert str(in_lines.place) == f"{tmp_path / 'c.jsonl'}:1 solve_a:1:1"
    assert load_deck(tmp_path, keep_going=True).names == ("solve_a",)


def test_two_solvers_of_one_name_are_a_mistake_within_a_file(tmp_path: Path):
    assert told_in(written(tmp_path, a_py=A + A) / "a.py") == ["a.py:3:1: 'solve_a' is defined twice; first in line 1"]
    written(tmp_path, b_py="def solve(I):\n    return I\ndef verify(I):\n    return I\n")
    (message,) = told_in(tmp_path / "b.py")
    assert message.startswith("b.py:3:1: a second solver 'b'; the first is at ")


def test_two_lines_of_one_name_are_a_mistake(tmp_path: Path):
    (message,) = told_in(written(tmp_path, a_jsonl=as_lines(x=A) + as_lines(x=B)) / "a.jsonl")
    assert message.startswith("a.jsonl:2 x:1:1: a second solver 'x'; the first is at ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nope", "1: not JSON: Expecting value"),
        ('{"name": "a" 5}', "14: not JSON: Expecting ',' delimiter"),
        ('{"name": "a"} {}', "15: not JSON: Extra data"),
        ('{"name": "a', "10: not JSON: Unterminated string starting at"),
        ('{"name": "\ta"}', "11: not JSON: Invalid control character at"),
        ("3", '1: expected an object with the strings "name" and "source"'),
        ("[]", '1: expected an object with the strings "name" and "source"'),
        ('{"name": "a"}', '1: expected an object with the strings "name" and "source"'),
        ('{"name": 3, "source": "x"}', '1: expected an object with the strings "name" and "source"'),
        ('{"name": "a", "source": null}', '1: expected an object with the strings "name" and "source"'),
    ],
)
def test_a_line_that_is_no_solver_is_told_with_its_place(tmp_path: Path, line: str, message: str):
    path = written(tmp_path, a_jsonl=as_lines(good=A) + f"\n{line}\n") / "a.jsonl"
    (told_of,) = told_in(path)
    assert told_of == f"a.jsonl:3:{message}"
    assert mistakes_in(path)[0].line == line
    assert load_deck(path, keep_going=True).names == ("good",)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a":' * 100_000, '{"name": ' + "9" * 5_000 + "}"])
def test_a_line_that_json_cannot_read_is_a_mistake(tmp_path: Path, line: str):
    (message,) = told_in(written(tmp_path, a_jsonl=line) / "a.jsonl")
    assert message.startswith("a.jsonl:1:1: not JSON: ")


def test_a_mistake_in_a_source_names_its_line_of_the_file_and_its_place_in_the_source(tmp_path: Path):
    path = written(tmp_path, a_jsonl=as_lines(x=A, y="def f(I):\n    x = foo(I)\n    return x\n")) / "a.jsonl"
    (mistake,) = mistakes_in(path)
    assert str(mistake) == f"{path}:2 y:2:9: 'foo' is not defined\n        x = foo(I)\n            ^"


@pytest.mark.parametrize("name", ["", "a\nb", "\x1b[2J", "\ud800", "\u202e"])
def test_a_name_must_be_printable(name: str, tmp_path: Path):
    with pytest.raises(DeckError) as caught:
        Deck.from_sources({name: A})
    (mistake,) = caught.value.mistakes
    assert mistake.message == f"a solver's name must be printable text, not {name!a}"
    assert str(mistake).isascii()
    path = written(tmp_path, a_jsonl=json.dumps({"name": name, "source": A})) / "a.jsonl"
    assert mistakes_in(path)[0].message == mistake.message


def test_a_solver_named_after_a_file_has_a_printable_name(tmp_path: Path):
    (tmp_path / "\x1b[2J.py").write_text("def solve(I):\n    return I\n")
    (mistake,) = mistakes_in(tmp_path)
    assert mistake.message == "a solver's name must be printable text, not '\\x1b[2J'"


def test_the_name_of_a_deck_is_printable(tmp_path: Path):
    (tmp_path / "\x1b[2J.py").write_text(A)
    assert load_deck(tmp_path / "\x1b[2J.py").name == r"\x1b[2J.py"


@pytest.mark.parametrize("sources", [{5: A}, {"a": 5}, {"a": A.encode()}, {None: A}])
def test_sources_are_texts_by_name(sources: Any):
    with pytest.raises(UsageError, match="sources must map names to source texts"):
        Deck.from_sources(sources)


@pytest.mark.parametrize("bad", ["def solve_{}(I):\n    return x{}(I)\n", "K{} = [{}]\n", "def solve_{}(:{}\n"])
def test_reading_stops_after_so_many_mistakes(tmp_path: Path, bad: str):
    text = "".join([bad.format(n, n) for n in range(2 * MOST_MISTAKES)])
    path = written(tmp_path, a_py=text + A, b_py="def solve_z(I):\n    return z(I)\n")
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(caught.value).endswith("more; reading stopped after 1,000 mistakes")
    assert len(load_deck(path, keep_going=True).mistakes) == 2 * MOST_MISTAKES + 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "the source defines no solver"),
        ("K = 1\n", "the source defines no solver"),
        (A + B, "several solvers in one source: solve_a, solve_b"),
        ("def f(I):\n    return I\ndef g(I):\n    return I\n", "several solvers in one source: f, g"),
    ],
)
def test_a_source_must_define_one_solver(source: str, message: str):
    with pytest.raises(DeckError) as caught:
        Deck.from_sources({"given": source})
    assert str(caught.value) == f"given:1:1: {message}"


def test_a_source_with_a_mistake_is_no_solver_even_where_a_helper_of_it_is_good():
    bad = "def helper(I):\n    return I\ndef solve(I):\n    return foo(helper(I))\n"
    found = Deck.from_sources({"bad": bad, "good": A}, keep_going=True)
    assert found.names == ("good",)
    assert [str(mistake.place) for mistake in found.mistakes] == ["bad:4:12"]


def test_all_mistakes_of_all_files_are_told_at_once(tmp_path: Path):
    written(tmp_path, a_py="os = {}\ndef solve_x(I):\n    return foo(I)\n", b_jsonl="nope\n", c_py="def solve_y(:\n")
    assert [(Path(m.place.file).name, m.place.line) for m in mistakes_in(tmp_path)] == [
        ("a.py", 1),
        ("a.py", 3),
        ("b.jsonl", 1),
        ("c.py", 1),
    ]


def test_to_keep_going_is_to_have_what_is_good_and_the_mistakes(tmp_path: Path):
    path = written(tmp_path, a_py=f"os = {{}}\n{A}def solve_x(I):\n    return foo(I)\n{B}") / "a.py"
    found = load_deck(path, keep_going=True)
    assert found.names == ("solve_a", "solve_b")
    assert [mistake.place.line for mistake in found.mistakes] == [1, 5]
    assert load_deck(written(tmp_path, b_py=A) / "b.py").mistakes == ()


def test_to_keep_going_with_nothing_good_is_an_error(tmp_path: Path):
    path = written(tmp_path, a_py="def solve_x(I):\n    return foo(I)\n") / "a.py"
    with pytest.raises(DeckError, match="'foo' is not defined"):
        load_deck(path, keep_going=True)


# A deck as a sequence.


def test_a_deck_is_a_sequence_of_solvers_and_finds_them_by_name():
    found = Deck.from_sources({"x": A, "y": B, "z": PLAIN})
    assert len(found) == 3
    assert [solver.name for solver in found] == ["x", "y", "z"]
    assert found[0] is found["x"]
    assert found[-1] is found["z"]
    assert found[1:].names == ("y", "z")
    assert found.select(["z", "x", "z"]).names == ("z", "x")
    assert found.index(found["y"]) == 1
    assert "x" in found
    assert "solve_a" not in found
    assert found[0] in found
    assert found[0] not in found[1:]
    assert 5 not in found
    assert repr(found) == "<Deck | 3 solvers>"
    assert repr(found[0]) == "<Solver x | 1 steps>"


def test_a_notebook_lists_the_first_solvers():
    found = Deck.from_sources({f"s{at}": "def solve_x(I):\n    return I\n" for at in range(42)})
    html = Deck(found, "<b>")._repr_html_()
    assert html.startswith("<p>Deck | 42 solvers | &lt;b&gt;</p>")
    assert html.count("<code>") == 40
    assert html.endswith("</table><p>… and 2 more</p>")


def test_a_notebook_shows_steps_and_ideas_as_text():
    source = 'def solve_x(I):\n    """Turn <b>."""\n    x = vmirror(I)\n    return x\n'
    html = Deck.from_sources({"<i>": source})._repr_html_()
    assert "<code>&lt;i&gt;</code></td><td>1</td>" in html
    assert "Turn &lt;b&gt;." in html
    assert "<i>" not in html


def test_solvers_are_values():
    one, two = [Deck.from_sources({"x": A})[0] for _ in range(2)]
    assert one == two
    assert hash(one) == hash(two)
    assert one != Deck.from_sources({"x": B})[0]


def test_an_unknown_name_is_told_with_close_ones():
    found = Deck.from_sources({"solve_abc": A, "solve_abd": A, "other": A})
    with pytest.raises(UsageError) as caught:
        found["solve_abx"]
    assert str(caught.value) == "no solver 'solve_abx' in sources; did you mean solve_abd or solve_abc?"
    with pytest.raises(UsageError) as caught:
        found["zzz"]
    assert str(caught.value) == "no solver 'zzz' in sources"
    with pytest.raises(IndexError):
        found[3]


# Saving.

HELPED = """\
'''About this deck.'''
from dsl import *

K = 5
PAIR = (1, (2, True))


def solve_first(I):
    '''
def not_a_definition
    '''
    x = recolour(helper(I), K)  # comment
    return apply(helper, (x, x))


def recolour(g, c):
    return replace(helper(g), c, ZERO)


UNUSED = 1


def helper(g):
    return shift(vmirror(g), PAIR)


def solve_second(S, I, C):
    return solve_first(helper(I))
"""


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_a_saved_deck_reads_back_as_the_same_programs(tmp_path: Path, suffix: str):
    first = load_deck(written(tmp_path, helped_py=HELPED) / "helped.py")
    first.save(tmp_path / f"saved{suffix}")
    second = load_deck(tmp_path / f"saved{suffix}")
    assert second.names == first.names
    assert [solver.program for solver in second] == [solver.program for solver in first]
    assert [solver.source for solver in second] == [solver.source for solver in first]
    second.save(tmp_path / f"again{suffix}")
    assert (tmp_path / f"again{suffix}").read_bytes() == (tmp_path / f"saved{suffix}").read_bytes()


def test_a_saved_python_file_holds_each_constant_and_helper_once_and_nothing_unused(tmp_path: Path):
    load_deck(written(tmp_path, helped_py=HELPED) / "helped.py").save(tmp_path / "saved.py")
    text = (tmp_path / "saved.py").read_text()
    assert text.startswith("from batt.dsl import *\n\nK = 5\nPAIR = (1, (2, True))\n\n\ndef helper(g):\n")
    assert [line for line in text.split("\n") if line.startswith("def ")] == [
        "def helper(g):",
        "def recolour(g, c):",
        "def solve_first(I):",
        "def not_a_definition",
        "def solve_second(S, I, C):",
    ]
    assert text.endswith("return solve_first(helper(I))\n")
    assert "UNUSED" not in text


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_the_built_in_deck_reads_back_as_itself(tmp_path: Path, suffix: str):
    load_deck().save(tmp_path / f"saved{suffix}")
    again = load_deck(tmp_path / f"saved{suffix}")
    assert again.names == load_deck().names
    assert [solver.program for solver in again] == [solver.program for solver in load_deck()]


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("x", "solve_x"),
        ("solve_x", "solve_x"),
        ("verify_x", "verify_x"),
        ("007bbfb7", "solve_007bbfb7"),
        ("a-b c.d", "solve_a_b_c_d"),
        ("solve", "solve_solve"),
        ("class", "solve_class"),
        ("größe", "solve_größe"),
        ("x²", "solve_x2"),
        ("ﬁx", "solve_fix"),
        ("🙂", "solve__"),
    ],
)
def test_solvers_are_saved_under_names_that_python_allows(tmp_path: Path, name: str, saved: str):
    Deck.from_sources({name: PLAIN}).save(tmp_path / "a.py")
    again = load_deck(tmp_path / "a.py")
    assert again.names == (saved,)
    assert again[0].source == PLAIN.replace("solve", saved)
    Deck.from_sources({name: PLAIN}).save(tmp_path / "a.jsonl")
    assert load_deck(tmp_path / "a.jsonl").names == (name,)


@pytest.mark.parametrize("head", ["def  solve(I):", "def \\\n  solve(I):", "def\tsolve (I):", "def ſolve(I):"])
def test_a_solver_is_renamed_however_its_definition_is_written(tmp_path: Path, head: str):
    Deck.from_sources({"x": f"{head}\n    return I\n"}).save(tmp_path / "a.py")
    assert load_deck(tmp_path / "a.py").names == ("solve_x",)


@pytest.mark.parametrize(
    "sources",
    [
        {"x": "def h(g):\n    return g\ndef solve(I):\n    return h(I)\n", "y": A.replace("vmirror", "rot90")},
        {"x": "K = 1\ndef solve(I):\n    return K\n", "y": "K = 1\ndef solve(I):\n    return (K, K)\n"},
        {"x": "def h(g):\n    return g\ndef f(I):\n    return h(I)\n", "y": "def h(g):\n    return g\n"},
    ],
)
def test_equal_helpers_and_constants_of_several_sources_are_saved_as_one(tmp_path: Path, sources: dict[str, str]):
    first = Deck.from_sources(sources)
    first.save(tmp_path / "a.py")
    second = load_deck(tmp_path / "a.py")
    assert [solver.program for solver in second] == [solver.program for solver in first]


@pytest.mark.parametrize(
    ("sources", "why"),
    [
        (
            {
                "x": "def h(g):\n    return g\ndef solve(I):\n    return h(I)\n",
                "y": "def h(g):\n    return rot90(g)\ndef solve(I):\n    return h(I)\n",
            },
            "two different 'h'",
        ),
        (
            {"x": "K = 1\ndef solve(I):\n    return K\n", "y": "K = 2\ndef solve(I):\n    return K\n"},
            "two different 'K'",
        ),
        (
            {
                "x": "K = 1\ndef solve(I):\n    return K\n",
                "y": "def K(g):\n    return g\ndef solve(I):\n    return K(I)\n",
            },
            "two different 'K'",
        ),
        ({"a-b": A, "a_b": A}, "two solvers would be named 'solve_a_b'"),
        (
            {"x": "def solve_h(g):\n    return g\ndef x(I):\n    return solve_h(I)\n"},
            "'solve_h' is no solver of the deck, but would be read as one",
        ),
    ],
)
def test_what_cannot_stand_in_one_python_file_is_refused_but_fits_in_json_lines(
    tmp_path: Path, sources: dict[str, str], why: str
):
    first = Deck.from_sources(sources)
    with pytest.raises(UsageError) as caught:
        first.save(tmp_path / "a.py")
    assert str(caught.value) == (
        f"{tmp_path / 'a.py'}: the deck does not fit in one file: {why}; save as .jsonl instead"
    )
    assert os.listdir(tmp_path) == []
    first.save(tmp_path / "a.jsonl")
    second = load_deck(tmp_path / "a.jsonl")
    assert second.names == first.names
    assert [solver.program for solver in second] == [solver.program for solver in first]


def test_a_selected_solver_takes_along_what_it_calls(tmp_path: Path):
    first = load_deck(written(tmp_path, helped_py=HELPED) / "helped.py").select(["solve_second"])
    with pytest.raises(UsageError, match="'solve_first' is no solver of the deck"):
        first.save(tmp_path / "a.py")
    first.save(tmp_path / "a.jsonl")
    again = load_deck(tmp_path / "a.jsonl")
    assert again.names == ("solve_second",)
    assert again[0].program == first[0].program


@pytest.mark.parametrize("name", ["mirror", "other"])
def test_a_plain_solve_reads_back_from_json_lines_whatever_its_file_and_helpers_are_called(tmp_path: Path, name: str):
    text = "def mirror(g):\n    return solve_h(g)\ndef solve_h(g):\n    return g\ndef solve(I):\n    return mirror(I)\n"
    first = load_deck(written(tmp_path, **{f"{name}_py": text}) / f"{name}.py")
    first.save(tmp_path / "a.jsonl")
    second = load_deck(tmp_path / "a.jsonl")
    assert second.names == first.names == ("solve_h", name)
    assert [solver.program for solver in second] == [solver.program for solver in first]


def test_a_deck_cannot_be_saved_where_nothing_can_be_written(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be written"):
        Deck.from_sources({"x": A}).save(tmp_path / "no" / "a.py")


@given(st.dictionaries(st.text(min_size=1).filter(str.isprintable), st.sampled_from([A, B, PLAIN]), min_size=1))
def test_any_printable_names_read_back_from_json_lines(
    tmp_path_factory: pytest.TempPathFactory, sources: dict[str, str]
):
    path = tmp_path_factory.mktemp("deck") / "a.jsonl"
    Deck.from_sources(sources).save(path)
    assert load_deck(path).names == tuple(sources)


# A deck is read, never run.


def test_nothing_of_a_deck_is_executed(tmp_path: Path):
    trace = tmp_path / "trace"
    effect = f"open({str(trace)!r}, 'w').write('x')"
    text = (
        f"{effect}\n"
        f"import sys; sys.exit({effect})\n"
        f"K = {effect}\n"
        f"@{effect}\n"
        f"def solve_a(I: {effect}, x={effect}) -> {effect}:\n    y: {effect} = {effect}\n    return I\n"
        f"class A({effect}):\n    {effect}\n"
        "def solve_good(I):\n    return I\n"
    )
    found = load_deck(written(tmp_path, a_py=text) / "a.py", keep_going=True)
    assert found.names == ("solve_good",)
    assert len(found.mistakes) == 8
    assert not trace.exists()


def test_imports_never_stop_a_deck_and_are_counted_by_module(tmp_path: Path):
    lines = "import numpy as np, os\nfrom synth_rearc.core import *\nfrom dsl import *\n"
    folder = written(tmp_path, a_py=lines + A, b_py=f"import os\n{B}", c_jsonl="")
    found = load_deck(folder)
    assert found.names == ("solve_a", "solve_b")
    assert found.imports == {"numpy": 1, "os": 2, "synth_rearc.core": 1}
    assert found[:1].imports == {}


def test_a_deck_named_like_a_module_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(tmp_path)
    written(tmp_path, dsl_py="raise SystemExit\n", a_py=f"from dsl import *\n{A}")
    assert load_deck(tmp_path / "a.py").names == ("solve_a",)


def test_the_helper_of_a_solver_is_a_function_value():
    (solver,) = Deck.from_sources({"x": "def h(g):\n    return g\ndef solve(I):\n    return h\n"})
    assert isinstance(solver.program.run([((1,),)]), Helper)
