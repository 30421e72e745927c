"""`--ops FILE`, and helpers of a deck: a user's own ops from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Batt
from native_library import needs_library

OPS = """
from batt.own import GRID, INT, op


@op(GRID, result=INT)
def rows(grid):
    return len(grid)


@op(GRID, result=GRID)
def bad(grid):
    return {body}
"""
DECK = """
def thrice(x):
    y = combine(x, x)
    return combine(y, x)


def solve_rows(I):
    return fill(I, rows(I), asindices(I))


def solve_mapped(I):
    return apply(rows, (I, vmirror(I)))


def solve_helped(I):
    return apply(thrice, (I,))


def solve_bad(I):
    return bad(I)
"""


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    """The options that name a deck and a file of ops with one body as given."""

    def make(body: str = "grid", solvers: str = DECK) -> list[str]:
        (tmp_path / "ops.py").write_text(OPS.replace("{body}", body))
        (tmp_path / "own_deck.py").write_text(solvers)
        return ["--deck", str(tmp_path / "own_deck.py"), "--ops", str(tmp_path / "ops.py")]

    return make


@needs_library
def test_solvers_with_an_op_in_python_run_on_the_reference_engine_and_are_counted(
    batt: Batt, files: Callable[..., list[str]], tasks_file: str, tmp_path: Path
):
    options = [*files(), "--tasks", tasks_file, "--outputs", "--workers", "1"]
    told = {}
    for engine in ("auto", "cpu", "reference"):
        ended = batt("run", *options, "--engine", engine, "--export", tmp_path / f"{engine}.jsonl", "--json")
        assert ended.code == 0, ended.err
        told[engine] = json.loads(ended.out)
    each = told["cpu"]["evaluations"] // 4
    assert told["cpu"]["fallbacks"] == {"the op rows in Python": 2 * each, "the op bad in Python": each}
    assert told["cpu"]["native"] == each
    assert len({(tmp_path / f"{engine}.jsonl").read_bytes() for engine in told}) == 1


@needs_library
def test_a_helper_of_a_deck_is_native_called_and_as_a_function(
    batt: Batt, files: Callable[..., list[str]], tasks_file: str, tmp_path: Path
):
    helper, rest = DECK.split("def solve_rows")[0], DECK.split("def solve_helped")[1].split("def solve_bad")[0]
    deck = f"{helper}def solve_helped{rest}def solve_again(I):\n    return power(thrice, TWO)(thrice(I))\n"
    options = [*files(solvers=deck), "--tasks", tasks_file, "--outputs", "--workers", "1"]
    for engine in ("cpu", "reference"):
        ended = batt("run", *options, "--engine", engine, "--export", tmp_path / f"{engine}.jsonl", "--json")
        summary = json.loads(ended.out)
        assert summary["fallbacks"] == {}
        assert summary["native"] == (summary["evaluations"] if engine == "cpu" else 0)
    assert (tmp_path / "cpu.jsonl").read_bytes() == (tmp_path / "reference.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("[grid]", "bad gives back a list, which is no value"),
        ("open('/no/such/file')", "bad raised FileNotFoundError: [Errno 2] No such file or directory"),
        ("exit(1)", "bad raised SystemExit: 1"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "trace", "show"])
def test_a_body_that_is_at_fault_ends_the_command_with_its_place(
    batt: Batt, files: Callable[..., list[str]], tasks_file: str, command: str, body: str, told: str
):
    options = [*files(body), "--tasks", tasks_file]
    more = {"run": ["--quiet", "--workers", "1"], "check": ["--quiet"]}.get(command, ["solve_bad", "trap"])
    ended = batt(command, *more, *options)
    assert ended.code == 2, ended
    assert told in ended.err
    assert "ops.py:1" in ended.err
    assert "Traceback" not in ended.err


def test_a_body_that_does_not_end_is_ended_by_the_guard(batt: Batt, files: Callable[..., list[str]], tasks_file: str):
    deck = DECK.split("def solve_mapped")[0] + "def solve_bad(I):\n    return bad(I)\n"
    options = [*files("[0 for _ in iter(int, 1)]", deck), "--tasks", tasks_file, "-c", "1", "--workers", "2"]
    ended = batt("run", *options, "-t", "0.3", "--json")
    assert ended.code == 0, ended.err
    statuses = json.loads(ended.out)["statuses"]
    assert statuses["timed_out"] == statuses["ok"] > 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def (", "ops.py:1:5: not Python: "),
        ("import no_such_module", "ops.py:1:1: the file raised ModuleNotFoundError"),
        ("", "ops.py: no op found"),
        (
            "from batt.own import INT, op\n@op(INT, result=INT)\ndef add(x): ...",
            "ops.py:2:1: 'add' is a primitive; choose another name\n    @op(INT, result=INT)\n    ^",
        ),
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "show", "bench", "card"])
def test_a_file_that_cannot_be_used_is_refused_by_every_command(
    refused: Callable[..., str], files: Callable[..., list[str]], tmp_path: Path, command: str, text: str, told: str
):
    options = files()
    (tmp_path / "ops.py").write_text(text)
    assert told in refused(command, *(["--graph"] if command == "show" else []), *options)


def test_a_graph_shows_own_ops(batt: Batt, files: Callable[..., list[str]], tasks_file: str):
    ended = batt("show", "solve_rows", "--graph", *files(), "--tasks", tasks_file)
    assert "call rows(" in ended.out
    ended = batt("show", "--graph", "--json", *files(), "--tasks", tasks_file)
    assert ended.code == 0
    assert "could not be measured" not in ended.err


def test_bench_needs_a_deck_for_ops(refused: Callable[..., str], files: Callable[..., list[str]]):
    assert "--ops needs --deck PATH" in refused("bench", *files()[2:])
    assert "--ops" in refused("check", "--fuzz", *files()[2:])
