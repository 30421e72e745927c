"""`batt card`: what it writes, what it says, what it refuses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batt.bench.frozen import first_132
from batt.card.steps import merge_steps
from batt.front import load_deck
from batt.front.batts import BattForm, read_batt
from dealt import imported
from handmade import MIRROR, source

Run = Callable[..., Any]


@pytest.fixture
def card(batt: Run, tasks_file: str) -> Run:
    """Run `batt card` with small tasks."""
    return lambda *argv: batt("card", "--tasks", tasks_file, *argv)


def test_card_deals_the_built_in_deck_into_a_file(card: Run, tmp_path: Path):
    target = tmp_path / "my_batt.py"
    ended = card("-c", 10, "--seed", 1, "-f", target)
    assert ended.code == 0, ended
    assert ended.out == ""
    assert "my_batt.py: 10 solvers, 112 steps" in ended.err
    text = target.read_text()
    assert text.startswith('"""10 solvers of 10 tasks as one function of a sample: 112 steps.\n')
    assert "Written by `batt card -c 10 --seed 1 -f my_batt.py`" in text
    assert "ops by measured cost" in text
    o, s = imported(tmp_path, text).batt("t", (), ((1, 2),), ((1, 2),))
    assert len(o) == len(s) == 10


def test_the_page_shows_what_is_written(batt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = Path(__file__).parents[2] / "docs" / "card.md"
    _, command, block = page.read_text(encoding="utf-8").split("## What is in the file\n\n", 1)[1].split("`", 2)
    shown = block.split("```python\n", 1)[1].split("```\n", 1)[0]
    monkeypatch.chdir(tmp_path)
    first_132().save("solvers.py")
    assert batt(*command.split()[1:]).out.endswith(f"\n\n{shown}")


def test_the_same_seed_gives_the_same_file_and_another_seed_another(card: Run, tmp_path: Path):
    texts = []
    for seed in (3, 3, 4):
        card("-c", 5, "--seed", seed, "-o", tmp_path / "my_batt.py")
        texts.append((tmp_path / "my_batt.py").read_text())
    assert texts[0] == texts[1] != texts[2]


def test_without_a_file_the_batt_is_printed(card: Run, deck_file: str):
    ended = card("--deck", deck_file)
    assert ended.code == 0
    assert '    o.append((1, t1 != I, "mirror", t1))\n' in ended.out
    assert ended.out.endswith("    return o, s\n")


@pytest.mark.parametrize("flag", ["--batch", "--vectorized", "--gpu"])
def test_a_batch_file_is_written_by_three_names(card: Run, deck_file: str, tmp_path: Path, flag: str):
    target = tmp_path / "batt_batch.py"
    assert card("--deck", deck_file, flag, "-f", target).code == 0
    assert read_batt(target).form is BattForm.BATCH
    assert "t1s = batch_vmirror(Is)" in target.read_text()


def test_a_batt_that_is_there_is_turned_into_a_batch_one(card: Run, tmp_path: Path):
    old, new = tmp_path / "old_batt.py", tmp_path / "new_batt.py"
    card("-c", 20, "--seed", 5, "-f", old)
    assert card("--batch", "-b", old, "-f", new).code == 0
    assert read_batt(new).form is BattForm.BATCH
    assert merge_steps(load_deck(new)) == merge_steps(load_deck(old))


def test_a_batt_is_found_by_the_name_of_its_module(card: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    card("-c", 2, "-f", "batt_test.py")
    assert card("-b", "batt_test", "-f", "again.py").code == 0
    assert load_deck("again.py").names == load_deck("batt_test.py").names


def test_only_what_is_named_is_dealt(card: Run, deck_file: str):
    assert '"same"' in card("--deck", deck_file, "--ids", "same").out
    assert '"mirror"' not in card("--deck", deck_file, "--ids", "solve_same").out


@pytest.mark.parametrize(("differs", "lines"), [("none", 0), ("equal,cells", 6), ("singles", 3)])
def test_differs_are_chosen(card: Run, deck_file: str, differs: str, lines: int):
    assert card("--deck", deck_file, "--differs", differs).out.count("s.append(") == lines


def test_variants_stand_beside_their_solvers(card: Run, tmp_path: Path):
    deck = tmp_path / "deck.py"
    deck.write_text(source("solve_mirror", "x = replace(vmirror(I), ONE, TWO)"))
    tasks = tmp_path / "tasks.json"
    pairs = '[{"input": [[1, 0]], "output": [[0, 2]]}, {"input": [[0, 1]], "output": [[2, 0]]}]'
    tasks.write_text(f'{{"mirror": {{"train": {pairs}, "test": {pairs}}}}}')
    ended = card("--deck", deck, "--infer", "--tasks", tasks, "-f", tmp_path / "my_batt.py")
    assert ended.code == 0, ended
    names = load_deck(tmp_path / "my_batt.py").names
    assert names[0] == "solve_mirror"
    assert len(names) > 1
    assert f"{len(names) - 1:,} inferred variants beside 1 solver" in ended.err
    assert "# once per task" in (tmp_path / "my_batt.py").read_text()


@pytest.mark.parametrize(
    ("name", "better"), [("batt.py", "my_batt.py"), ("json.py", "my_json.py"), ("my-batt.py", "my_batt.py")]
)
def test_a_file_named_like_a_module_is_refused(refused: Callable[..., str], tmp_path: Path, name: str, better: str):
    assert f"try {better}" in refused("card", "-c", 2, "-f", tmp_path / name)


def test_a_target_that_cannot_be_written_is_refused(refused: Callable[..., str], tmp_path: Path):
    assert "is not a folder" in refused("card", "-c", 2, "-f", tmp_path / "nowhere" / "my_batt.py")
    (tmp_path / "folder.py").mkdir()
    assert "is a folder" in refused("card", "-c", 2, "-f", tmp_path / "folder.py")


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write anywhere")
def test_a_folder_that_is_not_ones_own_is_refused(refused: Callable[..., str], tmp_path: Path):
    tmp_path.chmod(0o500)
    assert "cannot be written to" in refused("card", "-c", 2, "-f", tmp_path / "my_batt.py")


def test_a_mistake_in_the_deck_is_told_at_its_place(refused: Callable[..., str], bad_deck_file: str, tmp_path: Path):
    said = refused("card", "--deck", bad_deck_file, "-f", tmp_path / "my_batt.py")
    assert "bad.py:2:9: 'vmiror' is not defined; did you mean 'vmirror'?\n" in said
    assert "        x = vmiror(I)\n            ^" in said


def test_a_deck_with_nothing_in_it_is_refused(refused: Callable[..., str], tmp_path: Path):
    (tmp_path / "empty.py").write_text("X = 1\n")
    said = refused("card", "--deck", tmp_path / "empty.py", "-f", tmp_path / "my_batt.py")
    assert "empty.py: no solver found" in said


@pytest.mark.parametrize("batch", [[], ["--batch"]])
def test_an_op_of_the_users_own_in_python_is_refused(refused: Callable[..., str], tmp_path: Path, batch: list[str]):
    ops, deck = tmp_path / "my_ops.py", tmp_path / "deck.py"
    ops.write_text("from batt.own import GRID, op\n\n\n@op(GRID, result=GRID)\ndef same(grid):\n    return grid\n")
    deck.write_text(source("solve_x", "x = same(I)"))
    said = refused("card", "--deck", deck, "--ops", ops, *batch, "-f", tmp_path / "my_batt.py")
    assert "'same' is an op of your own in Python, and a batt stands alone: write it as a `def`" in said


def test_two_solvers_of_one_name_are_refused(refused: Callable[..., str], tmp_path: Path):
    (tmp_path / "decks").mkdir()
    for name in ("a.py", "b.py"):
        (tmp_path / "decks" / name).write_text(source("solve_x", *MIRROR))
    told = refused("card", "--deck", tmp_path / "decks", "-f", tmp_path / "c.py")
    assert "a second solver 'solve_x'; the first is at" in told


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["-b", "nothing.py"], "nothing.py: no such file or module"),
        (["-b", "a.py", "--deck", "b.py"], "give only one of them"),
        (["-c", "0"], "at least 1, got 0"),
        (["-c", "500"], "cannot take 500 tasks: built-in has solvers of 399"),
        (["--ids", "solve_nobody"], "no solver or task 'solve_nobody'"),
        (["--differs", "nearness"], "no differ 'nearness'"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(refused: Callable[..., str], argv: list[str], said: str):
    assert said in refused("card", *argv)


def test_an_unknown_op_in_a_batt_is_told_at_its_place(card: Run, refused: Callable[..., str], tmp_path: Path):
    target = tmp_path / "my_batt.py"
    card("--ids", "67a3c6ac", "dc1df850", "-f", target)
    target.write_text(target.read_text().replace(" = vmirror(", " = vmiror(").replace(" = fill(", " = fil("))
    assert "is not defined; did you mean" in refused("card", "-b", target, "--batch", "-f", tmp_path / "new_batt.py")
