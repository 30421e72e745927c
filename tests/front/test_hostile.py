"""Decks that nobody wrote in good faith: each ends in an error that says what is wrong, or in a deck."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from batt.errors import DeckError, UsageError
from batt.front import Deck, load_deck
from batt.ir.writing import describe
from batt.ops import OPS

HANG_S = 300
"""Long after a deck should have been read; a guard against waiting for ever, not a measure."""

READER = """
import json, pickle, sys
from pathlib import Path
from batt.errors import DeckError, UsageError
from batt.front import load_deck
from batt.ir.writing import describe

def use(deck):
    # Whatever is done with a program must be as harmless as reading it.
    programs = {solver.program: pickle.loads(pickle.dumps(solver.program)) for solver in deck}
    assert all(program == copy for program, copy in programs.items())
    return sum(len(describe(program, step)) for program in programs for step in program.steps[:100])

for path in sys.argv[2:]:
    try:
        deck = load_deck(path)
        told, count = [f"{len(deck):,} solvers"], 0
        use(deck)
        deck.save(sys.argv[1])
        assert load_deck(sys.argv[1]).names == deck.names
    except UsageError as error:
        told, count = [str(error)], 1
    except DeckError as error:
        told, count = [str(mistake) for mistake in error.mistakes[:3]], len(error.mistakes)
        assert len(str(error)) < 100_000
    print(json.dumps({"told": told, "count": count, "path": path}), flush=True)
"""
REPORT = """
# Not getrusage: a process starts with the peak of the one that started it, and pytest is large.
status = Path("/proc/self/status")
peak_kb = status.read_text().partition("VmHWM:")[2].split()[0] if status.exists() else "0"
print(json.dumps({"peak_mb": int(peak_kb) / 1024}))
"""


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")


def solver(*lines: str, name: str = "solve_a") -> str:
    return "\n".join([f"def {name}(I):", *[f"    {line}" for line in lines], ""])


def chain(link: str, count: int, lines: int = 1) -> str:
    """An expression of so many links, each line of it in brackets so that it goes on."""
    return solver("x = (I\n" + (link * (count // lines) + "\n") * lines + ")", "return x")


def fanned_helpers(count: int) -> str:
    """Helpers that call two others each: so many levels, twice as many paths at each."""
    first = "def h0(x):\n    return x\ndef h1(x):\n    return x\n"
    return first + "".join([f"def h{n}(x):\n    return add(h{n - 1}(x), h{n - 2}(x))\n" for n in range(2, count)])


TOO_DEEP = ("expressions are nested too deeply", "nested deeper than 100 levels", "is not part of the language")
LONG_LINE = "characters; the limit is 10,000"

CASES: dict[str, tuple[str | bytes, str | tuple[str, ...]]] = {
    # What grows when it is run, or would if it were written out, is read as it stands.
    "compose doubled": (solver("x = vmirror", *["x = compose(x, x)"] * 40, "return x"), "1 solvers"),
    "tuple doubled": (solver("x = (1, 2)", *["x = (x, x)"] * 60, "return x"), "1 solvers"),
    "tuple wrapped": (solver("x = (1,)", *["x = (x,)"] * 10_000, "return x"), "1 solvers"),
    "constant doubled": (
        "K = (" + "1, " * 3_000 + ")\n" + solver(f"x = ({'K, ' * 3_000})", "x = (x, x, K)", "return x"),
        "1 solvers",
    ),
    "many lines": (solver("x = I", *["x = vmirror(x)"] * 19_000, "return x"), "1 solvers"),
    "too many lines": (solver(*["x = I"] * 30_000, "return x"), "definition larger than 20,000 lines"),
    "fanned helpers": (fanned_helpers(50) + solver("return h49(I)"), "1 solvers"),
    # What nests.
    "nested calls": (solver(f"return {'vmirror(' * 10_000}I{')' * 10_000}"), LONG_LINE),
    "nested calls over lines": (solver("return " + "vmirror(\n" * 10_000 + "I" + ")" * 9_000), "too many nested paren"),
    "nested calls of the language": (solver(f"return {'vmirror(' * 101}I{')' * 101}"), "nested deeper than 100"),
    "parentheses": (solver(f"return {'(' * 190}I{')' * 190}"), "1 solvers"),
    "too many parentheses": (solver(f"return {'(' * 300}I{')' * 300}"), "too many nested parentheses"),
    "open brackets": (solver(f"return {'[{(' * 60}"), ("was never closed", "is not part of the language")),
    "callees": (chain("(I)", 3_000), TOO_DEEP),
    "callees over lines": (chain("(I)", 180_000, lines=18_000), "statement of 558,012 characters"),
    "attributes": (chain(".a", 4_000), TOO_DEEP),
    "attributes over lines": (chain(".a", 300_000, lines=18_000), "characters; the limit is 100,000"),
    "operators": (chain("+1", 4_900), TOO_DEEP),
    "operators over lines": (chain("+1", 40_000, lines=18_000), TOO_DEEP),
    "powers": (chain("**2", 3_000), TOO_DEEP),
    "signs": (solver("x = " + "-" * 9_000 + "1", "return x"), TOO_DEEP),
    "negations": (solver("x = " + "not " * 2_400 + "1", "return x"), TOO_DEEP),
    "lambdas": (solver("x = " + "lambda v: " * 900 + "1", "return x"), TOO_DEEP),
    "conditions": (solver("x = " + "1 if 1 else " * 800 + "1", "return x"), TOO_DEEP),
    "branches": (solver("if I: return I", *["elif I: return I"] * 9_000, "return I"), TOO_DEEP),
    "indentation": ("".join([" " * n + "if 1:\n" for n in range(200)]), "too many levels of indentation"),
    "targets": (solver("x = " * 2_000 + "I", "return x"), "an assignment to more than one name"),
    "adjoined strings": (solver("x = (" + "'a'\n" * 15_000 + ")", "return x"), "a string is not part"),
    # What is long.
    "megabyte line": (solver(f"O = combine(I, I) #{'x' * 1_048_576}", "return O"), LONG_LINE),
    "megabyte name": (solver(f"return {'x' * 1_048_576}"), LONG_LINE),
    "megabyte without a line": ("x" * 1_048_576, LONG_LINE),
    "megabyte of spaces": (" " * 1_048_576, LONG_LINE),
    "megabyte of tabs": (solver("x = I" + "\t" * 1_048_576, "return x"), LONG_LINE),
    "long name": (solver(f"return {'x' * 9_000}"), "is not defined"),
    "long integer": (solver(f"return {'9' * 9_900}"), ":2:12: the integer does not fit in 64 bits"),
    "long hexadecimal": (solver(f"return 0x{'f' * 9_900}"), "the integer does not fit in 64 bits"),
    "long constant": (f"K = 0x{'f' * 9_900}\n" + solver("return K"), "the integer does not fit in 64 bits"),
    "long tuple": (solver(f"return ({'1,' * 4_900})"), "1 solvers"),
    "many parameters": (f"def solve_a({', '.join(f'a{n}' for n in range(1_500))}): return a1\n", "1500 parameters"),
    "many arguments": (solver(f"return vmirror({'I,' * 4_900})"), "takes 1 argument (piece), 4900 given"),
    "many keywords": (
        solver(f"return vmirror({', '.join(f'a{n}=I' for n in range(1_000))})"),
        "vmirror has no parameter 'a0'",
    ),
    # What is left open, or hides definitions.
    "open string": ('"""' + "def a\n" * 300_000, "is a string left open?"),
    "open string with other quotes": ('"""' + "def a\n'''\n" * 150_000, "is a string left open?"),
    "escaped quotes": ('\\"""\n' * 19_000, ("unexpected character after line", "unexpected EOF")),
    "quotes": ("'" * 100_001, LONG_LINE),
    "lines of quotes": ("'\"\n" * 19_000, "unterminated string literal"),
    "decorators": ("@a\n" * 19_000 + solver("return I"), "a decorator is not part of the language"),
    "form feeds": (
        "\f"
        + "\f".join([solver("return below(I)", name=f"solve_{n}") for n in range(5_000)])
        + "def below(x): return x",
        "5,000 solvers",
    ),
    # Definitions that lean on one another.
    "helper below all": (
        "".join([solver("return below(I)", name=f"solve_{n}") for n in range(6_000)]) + "def below(x): return x\n",
        "6,000 solvers",
    ),
    "helpers in reverse": (
        "".join([f"def solve_{n}(x): return solve_{n + 1}(x)\n" for n in range(5_000)])
        + "def solve_5000(x): return x\n",
        "has mistakes",
    ),
    "one long circle": (
        "".join([f"def solve_{n}(x): return solve_{(n + 1) % 5_000}(x)\n" for n in range(5_000)]),
        "'solve_1' leads into a circle of calls; nothing could end it",
    ),
    "itself": (solver("return solve_a(I)"), "'solve_a' leads into a circle of calls; nothing could end it"),
    "one name": (solver("return I") * 10_000, "'solve_a' is defined twice; first in line 1"),
    # Very many mistakes.
    "undefined names": (solver(*[f"x = a{n}bcd(I)" for n in range(15_000)], "return x"), "'a0bcd' is not defined"),
    "undefined names apart": (
        "".join([solver(f"return vmi{n}ror(I)", name=f"solve_{n}") for n in range(5_000)]),
        "'vmi0ror' is not defined",
    ),
    "statements": (("1;" * 4_900 + "\n") * 5, "an integer cannot stand at the top level of a deck"),
    "unicode statements": (solver(*["é = " + "(é, " * 40 + ")" * 40] * 200, "return é"), "used before the line"),
    # What would do harm if it were run.
    "dangerous names": (
        solver("x = __import__(I)", "y = eval(I)", "z = __builtins__(I)", "return exec(x, y, z)"),
        "'__import__' is not defined",
    ),
    "dangerous definitions": ("def __import__(x): return x\n" + solver("return __import__(I)"), "1 solvers"),
    "dunders": (solver("__class__ = I", "__debug__ = I", "return __class__"), "1 solvers"),
    # What is not text.
    "nothing": (b"", "no solver found"),
    "bytes": (bytes(range(256)) * 100, "not UTF-8 text: the byte 0x80"),
    "zeros": (b"\0" * 1_000_000, r"the character '\x00' is not text"),
    "zero": (solver("return I\0"), r"the character '\x00' is not text"),
    "control characters": (solver("return \x1b[2J"), r"the character '\x1b' is not text"),
    "right to left": (solver("return \u202eI"), r"the character '\u202e' is not text"),
    "utf-16": (solver("return I").encode("utf-16"), "not UTF-8 text: the byte 0xff"),
    "carriage returns": ("\r" * 30_000, "definition larger than 20,000 lines"),
}

LINES: dict[str, tuple[str, str]] = {
    "deep arrays": ("[" * 1_000_000, "not JSON: "),
    "deep objects": ('{"name":' * 200_000, "not JSON: "),
    "long integer": ('{"name": ' + "9" * 1_000_000 + "}", "not JSON: "),
    "megabyte name": (json.dumps({"name": "x" * 1_048_576, "source": solver("return I")}), "1 solvers"),
    "megabyte source": (json.dumps({"name": "x", "source": "x" * 1_048_576}), LONG_LINE),
    "surrogates": (
        json.dumps({"name": "x", "source": solver("return I # \ud800")}),
        r"the character '\ud800' is not text",
    ),
    "many lines that are not JSON": ("x\n" * 20_000, "not JSON: Expecting value"),
}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What reading every hostile deck came to, all in one process, which would be killed if it hung."""
    folder = tmp_path_factory.mktemp("hostile")
    paths = []
    for cases, suffix in ((CASES, ".py"), (LINES, ".jsonl")):
        for name, (text, _) in cases.items():
            paths.append(folder / f"{name}{suffix}")
            paths[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
    command = [sys.executable, "-c", READER + REPORT, str(folder / "saved.jsonl"), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{paths[len(answers)].name}: {done.stderr}"
    return {Path(answer["path"]).name: answer for answer in answers[:-1]} | answers[-1]


@pytest.mark.parametrize("name", [f"{name}.py" for name in CASES] + [f"{name}.jsonl" for name in LINES])
def test_a_hostile_deck_is_read_or_told_what_is_wrong(read: dict[str, Any], name: str):
    _, expected = LINES[name[:-6]] if name.endswith(".jsonl") else CASES[name[:-3]]
    first = read[name]["told"][0]
    assert any(text in first for text in ([expected] if isinstance(expected, str) else expected)), first


@needs_proc
def test_hostile_decks_are_read_in_bounded_memory(read: dict[str, Any]):
    assert read["peak_mb"] < 1_000


@pytest.mark.parametrize(("name", "most"), [("undefined names.py", 101), ("many keywords.py", 101)])
def test_the_mistakes_of_one_definition_are_bounded(read: dict[str, Any], name: str, most: int):
    assert read[name]["count"] == most


# Token soup.

WORDS = [
    *"()[]{},:;=*@.-+#'\"\\",
    *["def solve_a(I):\n    ", "def f(x, y):\n    ", "return ", "\n", "\n    ", "\n        ", "\t", " ", "I", "x", "f"],
    *["vmirror", "fill", "K", "ZERO", "solve_a", "0", "17", "1.5", "0x", '"""', "'''", "f'", "**", ":=", "->", "=="],
    *["import os", "from dsl import *", "class A:", "async ", "lambda", "for", "in", "if", "else:", "yield", "await"],
    *["\0", "\r", "\f", "\ufeff", "é", "\u202e", "𝔥", "²", "\ud800", "not", "...", "None", "True", "global x", "match"],
    *[
        "o_g",
        "R5",
        "L1",
        "get_nth_f",
        "rbind(get_nth_t, F0)",
        "toij(x)",
        "asobject_t(I)",
        "second",
        "def o_g(x, y):\n    ",
    ],
    *["(I)", "(I, x)", "x = ", "y: int = ", "f(I)", "value=", "patch=I", "@f\n", "type X = ", "t'{"],
]
SOUP = st.lists(st.sampled_from(WORDS)).map("".join)


def reads_or_refuses(read_it: Callable[[], Deck]) -> None:
    try:
        found = read_it()
    except (DeckError, UsageError) as error:
        str(error).encode()
        return
    for each in found:
        for step in each.program.steps:
            describe(each.program, step)
        assert Deck.from_sources({each.name: each.source})[0].program == each.program


@given(SOUP | st.text())
@example("def solve_a(I):\n    return I\n")
@settings(max_examples=500)
def test_any_text_is_a_deck_or_a_deck_error(text: str):
    reads_or_refuses(lambda: Deck.from_sources({"a": text}))
    reads_or_refuses(lambda: Deck.from_sources({"a": text}, keep_going=True))


GOOD_LINES = st.sampled_from(
    [
        *["x = vmirror(I)", "y = (x, 1)", "x: Grid = fill(I, K, value=3)", "z = h(x)(y)", "'doc'"],
        *["x = fill(I, 1, patch=y)", "x = o_g(I, R5)", "y = rbind(get_nth_f, F0)", "x = get_arg_rank(x, second, L1)"],
        *["y = apply(toij, x)", "z = y(x)"],
    ]
)


@given(st.lists(GOOD_LINES | SOUP, max_size=6), SOUP, st.booleans())
@settings(max_examples=300)
def test_almost_good_definitions_are_a_deck_or_a_deck_error(lines: list[str], soup: str, below: bool):
    text = solver(*lines, "return x")
    helper = f"def h(x):\n    return {soup}\n"
    reads_or_refuses(lambda: Deck.from_sources({"a": text + helper if below else helper + text}))


BYTES = st.binary() | SOUP.map(lambda text: text.encode(errors="replace"))
JSON = st.dictionaries(st.sampled_from(["name", "source", "x"]), st.none() | st.integers() | SOUP).map(json.dumps)


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_any_bytes_are_a_deck_or_a_deck_error(tmp_path: Path, suffix: str):
    path = tmp_path / f"deck{suffix}"

    @given(BYTES | st.lists(JSON).map("\n".join).map(str.encode))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        reads_or_refuses(lambda: load_deck(path))
        reads_or_refuses(lambda: load_deck(path, keep_going=True))

    check()


@given(st.sampled_from(sorted(OPS)), st.integers(0, 5))
def test_every_primitive_is_called_with_its_number_of_arguments_or_refused(name: str, count: int):
    text = solver(f"return {name}({', '.join(['I'] * count)})")
    if count == OPS[name].arity:
        assert len(Deck.from_sources({"a": text})[0].program.steps) == 1
    else:
        with pytest.raises(DeckError, match=f"{name} takes {OPS[name].arity} argument"):
            Deck.from_sources({"a": text})


# Very many solvers.

MEASURE = """
import json, sys, time
from pathlib import Path
from batt.front import load_deck
from batt.ir.writing import describe
start = time.perf_counter()
deck = load_deck(sys.argv[1])
wall_s = time.perf_counter() - start
steps = sum(len(solver.program.steps) for solver in deck)
print(json.dumps({"solvers": len(deck), "steps": steps, "wall_s": wall_s}))
"""


def _typical(number: int) -> str:
    """A solver of ten lines, as decks have them; no two are alike."""
    one, two = number % 10, number // 10 % 10
    return solver(
        f"x1 = objects(I, T, {'TF'[one % 2]}, T)",
        f"x2 = colorfilter(x1, {two})",
        f"x3 = compose({['first', 'last', 'size'][number % 3]}, totuple)",
        f"x4 = fill(I, {one}, ofcolor(I, {number}))",
        "x5 = hconcat(I, vmirror(x4))",
        "x6 = vconcat(x5, hmirror(x5))",
        "x7 = mapply(toindices, x2)",
        "x8 = x3(x1)",
        f"O = underfill(x6, {two}, shift(x7, (ONE, {one})))",
        "return O",
        name=f"solve_{number:08x}",
    )


def _measured(folder: Path, count: int, suffix: str) -> float:
    """Read a generated deck of so many solvers in a process of its own; the most memory that it held, in megabytes."""
    path = folder / f"deck{suffix}"
    with path.open("w") as file:
        for number in range(count):
            text = _typical(number)
            file.write(
                json.dumps({"name": f"n{number}", "source": text}) + "\n" if suffix == ".jsonl" else text + "\n\n"
            )
    command = [sys.executable, "-c", MEASURE + REPORT, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S)
    assert done.returncode == 0, done.stderr
    deck, peak = map(json.loads, done.stdout.splitlines())
    assert (deck["solvers"], deck["steps"]) == (count, 13 * count)
    print(f"{count:,} solvers, {suffix}: {peak['peak_mb']:.0f} MB, {deck['wall_s']:.1f} s")
    return float(peak["peak_mb"])


@needs_proc
@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_five_thousand_solvers_are_read_in_little_memory(tmp_path: Path, suffix: str):
    assert _measured(tmp_path, 5_000, suffix) < 100


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_a_hundred_thousand_solvers_are_read_in_bounded_memory(tmp_path: Path, suffix: str):
    assert _measured(tmp_path, 100_000, suffix) < 1_500
