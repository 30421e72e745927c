"""Reading files that hold a batt, in each of their forms."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import batt
from batt.errors import DeckError, UsageError
from batt.front import Deck, load_deck
from batt.front.batts import BattFile, BattForm, read_batt, read_batt_text
from batt.jobs import evaluate
from batt.runtime import Limits, Status, evaluate_one
from handmade import sample

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    ("name", "form", "names", "defaults"),
    [
        (
            "old_batt",
            BattForm.OLD,
            ["be94b721", "67a3c6ac", "ed36ccf7", "d511f180", "25ff71a9", "b1948b0a", "be94b721_2"],
            14,
        ),
        ("plain_batt", BattForm.OLD, ["c59eb873", "d511f180"], 0),
        ("sequential_batt", BattForm.SEQUENTIAL, ["be94b721", "d511f180", "verify_order", "ed36ccf7"], 0),
        ("batch_batt", BattForm.BATCH, ["be94b721", "d511f180", "verify_order", "ed36ccf7"], 0),
    ],
)
def test_a_batt_is_a_deck_of_its_solvers(name: str, form: BattForm, names: list[str], defaults: int):
    found, deck = read_batt(DATA / f"{name}.py"), load_deck(DATA / f"{name}.py")
    assert (found.form, found.defaults, deck.defaults) == (form, defaults, defaults)
    assert [each.removeprefix("solve_") for each in deck.names] == names
    assert list(found.solvers) == list(found.deck) == list(deck)
    assert repr(found) == f"<BattFile {DATA / name}.py | {form.value} | {len(names)} solvers>"


@pytest.mark.parametrize("name", ["old_batt", "plain_batt"])
def test_solvers_of_an_old_batt_solve_their_tasks(name: str):
    results = evaluate(load_deck(DATA / f"{name}.py"), batt.load_tasks("arc1-training"), own=True, limits=Limits())
    assert results.counts["ok"] == len(results)
    # One solver of a task wins it.
    assert len(results.winners()) == len({entry.task for entry in read_batt(DATA / f"{name}.py").entries})


def test_a_batch_is_read_as_the_batt_of_one_sample():
    sequential, batch = read_batt(DATA / "sequential_batt.py"), read_batt(DATA / "batch_batt.py")
    assert [each.program for each in sequential.solvers] == [each.program for each in batch.solvers]
    assert [(s.step, s.task, s.differ) for s in sequential.scores] == [(s.step, s.task, s.differ) for s in batch.scores]
    assert [(e.step, e.task, e.name) for e in sequential.entries] == [(e.step, e.task, e.name) for e in batch.entries]


def test_a_default_in_place_of_an_error_is_an_error_here():
    solver = read_batt(DATA / "old_batt.py").deck["solve_be94b721"]
    outcome = evaluate_one(solver.program, sample(((0, 0), (0, 0))), Limits())
    assert (outcome.status, outcome.error) == (Status.RAISED, "ValueError")


def test_every_solver_stands_alone_and_can_be_saved(tmp_path: Path):
    for path in sorted(DATA.glob("*_batt.py")):
        found = read_batt(path)
        for each in found.solvers:
            assert Deck.from_sources({each.name: each.source})[0].program == each.program
        for target in (tmp_path / f"{path.stem}.py", tmp_path / f"{path.stem}.jsonl"):
            found.deck.save(target)
            assert [each.program for each in load_deck(target)] == [each.program for each in found.solvers]


def test_a_batt_may_be_named_as_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "mine.py", tmp_path / "folder" / "inner.py"):
        target.write_text((DATA / "plain_batt.py").read_text())
    monkeypatch.chdir(tmp_path)
    assert read_batt("mine").file == "mine.py"
    assert read_batt("mine.py").file == "mine.py"
    assert read_batt("folder.inner").file == os.path.join("folder", "inner.py")


@pytest.mark.parametrize("name", ["missing", "missing.py", "a/b", "", "x" * 5000, "a\0b", "..", "mine..py"])
def test_a_batt_that_is_not_there_is_a_usage_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"no such file or module; a batt is a \.py file"):
        read_batt(name)


def test_a_deck_is_no_batt(tmp_path: Path):
    with pytest.raises(UsageError, match=r"deck.py: no batt in it; a batt is `def batt\(task_id, S, I, C, log_path\)`"):
        read_batt_text("def solve_a(I):\n    return I\n", "deck.py")
    with pytest.raises(DeckError, match="a dictionary"):
        read_batt_text("{}\ndef solve_a(I):\n    return I\n", "deck.py")


def test_solvers_may_stand_beside_a_batt(tmp_path: Path):
    text = (DATA / "plain_batt.py").read_text() + "def solve_c59eb873(I):\n    return grow(grow(I))\n"
    (tmp_path / "both.py").write_text(text)
    assert load_deck(tmp_path / "both.py").names == ("solve_c59eb873_2", "solve_d511f180", "solve_c59eb873")
    assert read_batt(tmp_path / "both.py").deck.names == ("solve_c59eb873_2", "solve_d511f180")
    bad = text + "def solve_x(I):\n    return foo(I)\n"
    with pytest.raises(DeckError, match="'foo' is not defined"):
        read_batt_text(bad, "both.py")


def test_a_second_batt_in_one_file_is_a_mistake():
    text = (DATA / "plain_batt.py").read_text()
    with pytest.raises(DeckError, match="a second batt in one file"):
        read_batt_text(text + text[text.index("def batt") :], "twice.py")


def test_text_that_is_not_python_is_told_with_its_place(tmp_path: Path):
    (tmp_path / "bad.py").write_bytes(b"def batt(S, I, C):\n    o, s = [], \xff\n")
    with pytest.raises(DeckError, match=r"bad.py:2:16: not UTF-8 text: the byte 0xff"):
        read_batt(tmp_path / "bad.py")
    with pytest.raises(DeckError, match=r"bad\.py:2:16: "):
        read_batt_text("def batt(S, I, C):\n    o, s = [], [\n", "bad.py")


# Files that nobody wrote in good faith.


def old(*lines: str) -> str:
    return "\n".join(
        ["def batt(S, I, C):", "    o, s = [], []", *[f"    {line}" for line in lines], "    return o, s", ""]
    )


def chained(count: int) -> str:
    """Each of so many solvers depends on all lines above it."""
    return old("t0 = I", *[f"t{n} = vmirror(t{n - 1})\n    o.append(({n}, 1, 'a', t{n}))" for n in range(1, count)])


HOSTILE = {
    "chained": (chained(2_000), "hold more than 1,000,000 names and numbers together"),
    "many lines": (old("o.append((1, 1, 'a', I))", *["x = 1"] * 120_000), "definition larger than 100,000 lines"),
    "deep calls": (old(f"x = {'(' * 150}I{')' * 150}{'(I)' * 2_000}", "o.append((1, 1, 'a', x))"), "nested"),
    "deep value": (old(f"o.append((1, 1, 'a', I{'(I)' * 2_000}))"), "nested"),
    "deep score": (old("o.append((1, 1, 'a', I))", f"s.append((1, 'a', 'b', I{'(I)' * 2_000}))"), ""),
    "deep decorator": (f"@a{'(I)' * 2_000}\n" + old("o.append((1, 1, 'a', I))"), ""),
    "deep try": (old("".join(["try:\n" + "  " * n + " " * 5 for n in range(1, 30)])), "indent"),
    "dangerous": (old("x = __import__('os').system('true')", "o.append((1, 1, 'a', x))"), "a string is not part"),
    "unread danger": (old("x = __import__('os').system('true')", "o.append((1, 1, 'a', I))"), ""),
    "one task": (old(*["o.append((1, 1, 'a', I))"] * 3_000), ""),
    "control characters": (old("o.append((1, 1, 'a\\x1b[2J', I))"), "must be printable text"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_batt_is_read_or_told_what_is_wrong(name: str):
    text, message = HOSTILE[name]
    if not message:
        read_batt_text(text, "batt.py")
        return
    with pytest.raises(DeckError, match=message):
        read_batt_text(text, "batt.py")


LINES = [
    *["t1 = vmirror(I)", "t2 = fill(t1, 2, t1)", "t1 = o_g(t2, R5)", "t3 = t1(t2)", "o, s = [], []", "x, y = t1"],
    *["o.append((1, True, 'a', t1))", "o.append((2, 'b', t2))", "s.append((1, None, 'd', t3))", "o = [1]", "return o"],
    *["try:\n        t1 = I\n    except:\n        t1 = 0", "try:\n        raise\n    finally:\n        o.append(t1)"],
    *[
        "for t1 in S:\n        t2 = t1",
        "with I as t3:\n        pass",
        "def t1(x):\n        return x",
        "del t1",
        "t1 += 1",
    ],
    *["'text'", "pass", "t4 = lambda: o", "o.append((t1, 2))", "t1: int", "import t2", "yield t1", "t5 = F0", "@"],
    *["_ = t1, t2", "_ = t3", "_ = vmirror(t1)"],
]
HEADS = [
    "def batt(task_id, S, I, C, log_path):\n",
    "@batt_function\ndef batt(S, I, C):\n",
    "@batch_function\ndef batt_batch(i, Ss, Is, Cs):\n",
]


@given(st.sampled_from(HEADS), st.lists(st.sampled_from(LINES), max_size=12))
@settings(max_examples=400)
def test_any_lines_are_a_batt_or_a_deck_error(head: str, lines: list[str]):
    body = "".join([f"    {line}\n" for line in ["o, s = [], []", *lines, "return o, s"]])
    try:
        found: BattFile = read_batt_text(head + body, "batt.py")
    except DeckError as error:
        str(error).encode()
        return
    for each in found.solvers:
        assert Deck.from_sources({each.name: each.source})[0].program == each.program
