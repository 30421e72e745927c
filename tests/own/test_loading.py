"""Files of ops: read, run once, sent to other processes, and found in programs."""

from __future__ import annotations

import pickle
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from batt.errors import BattError, DeckError, SourceError, UsageError
from batt.front import Deck, load_deck
from batt.own import Ops, load_ops, loading, own_ops
from own_example import EXAMPLE

GOOD = "from batt.own import INT, op\n\n\n@op(INT, result=INT)\ndef {name}(number):\n    return number + {more}\n"


def written(folder: Path, text: str, name: str = "ops.py") -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def program_of(text: str, ops: Ops) -> object:
    return Deck.from_sources({"solve": text}, ops=ops)[0].program


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(:\n", "ops.py:1:7: not Python: "),
        ("x = 1\nimport no_such_module\n", "ops.py:2:1: the file raised ModuleNotFoundError: No module named"),
        ("def f():\n    raise OSError('gone')\nf()\n", "ops.py:2:5: the file raised OSError: gone"),
        ("raise SystemExit\n", "ops.py:1:1: the file raised SystemExit"),
        ("x = 1\n", "ops.py: no op found; an op is a function under `@op(…)`"),
        ("x = '\0'\n", "not Python"),
        (
            GOOD.format(name="f", more=1).replace("result=INT", "result=INT, native='no.h'"),
            "no.h: No such file or directory",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_place(tmp_path: Path, text: str, told: str):
    with pytest.raises(BattError) as error:
        load_ops(written(tmp_path, text))
    assert told in str(error.value)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path):
    with pytest.raises(UsageError, match=r"no\.py: No such file or directory; --ops names a Python file"):
        load_ops(tmp_path / "no.py")
    (tmp_path / "bytes.py").write_bytes(b"x = 1\n\xff")
    with pytest.raises(UsageError, match="not UTF-8 text: the byte 0xff"):
        load_ops(tmp_path / "bytes.py")


def test_a_header_that_includes_another_is_refused(tmp_path: Path):
    written(tmp_path, "#include <cmath>\n", "f.h")
    text = GOOD.format(name="f", more=1).replace("result=INT", "result=INT, native='f.h'")
    with pytest.raises(BattError, match=r"f\.h includes a file; all of batt's headers are there already"):
        load_ops(written(tmp_path, text))


def test_a_file_is_run_once_for_each_of_its_texts(tmp_path: Path):
    path = written(tmp_path, GOOD.format(name="f", more=1))
    first = load_ops(path)
    assert load_ops(str(path)) is first
    written(tmp_path, GOOD.format(name="f", more=2))
    assert load_ops(path) is not first
    assert (first["f"](0), load_ops(path)["f"](0)) == (1, 2)


def test_an_op_that_is_sent_is_that_of_the_text_it_was_made_from(tmp_path: Path):
    path = written(tmp_path, GOOD.format(name="f", more=1))
    sent = pickle.dumps(load_ops(path)["f"])
    path.unlink()
    assert pickle.loads(sent)(1) == 2
    assert pickle.loads(pickle.dumps(pickle.loads(sent).file)) is not None


def test_solvers_use_own_ops_by_name_and_as_functions(ops: Ops):
    text = (
        "def solve(I):\n    f = compose(add_three, size)\n    return apply(add_three, (f(I), add_three(number=ONE)))\n"
    )
    program = Deck.from_sources({"solve": text}, ops=ops)[0].program
    assert program.run((((1,), (2,)),)) == (8, 7)
    assert [each.name for each in own_ops([program])] == ["add_three"]


def test_own_ops_are_found_in_helpers_and_in_functions_made_of_them(ops: Ops):
    text = "def one(x):\n    return fork(add, twice, add_three)\n\n\ndef solve(I):\n    return (one, I)\n"
    program = Deck.from_sources({"solve": text}, ops=ops)["solve"].program
    assert [each.name for each in own_ops([program])] == ["add_three", "twice"]


def test_a_deck_may_import_the_ops_that_it_uses_and_use_no_others(tmp_path: Path):
    ops = load_ops(EXAMPLE / "my_ops.py")
    assert len(load_deck(EXAMPLE / "solvers.py", ops=ops)) == 4
    text = "from my_ops import enclosed, others\n\n\ndef solve_a(I):\n    return {name}(I)\n"
    assert len(load_deck(written(tmp_path, text.format(name="enclosed"), "deck.py"), ops=ops)) == 1
    with pytest.raises(DeckError, match="'others' is not defined: it is imported, and imports are never executed"):
        load_deck(written(tmp_path, text.format(name="others"), "deck.py"), ops=ops)


def test_without_the_file_its_ops_are_not_defined():
    with pytest.raises(DeckError, match="'majority' is not defined"):
        load_deck(EXAMPLE / "solvers.py")


def test_a_definition_cannot_take_the_name_of_an_own_op(tmp_path: Path, ops: Ops):
    deck = written(tmp_path, "def enclosed(x):\n    return x\n\n\ndef solve_a(I):\n    return enclosed(I)\n", "deck.py")
    with pytest.raises(DeckError, match=r"deck\.py:1:1: 'enclosed' is an op of your own; choose another name"):
        load_deck(deck, ops=ops)


def test_two_different_ops_of_a_name_do_not_go_together(tmp_path: Path):
    files = [written(tmp_path, GOOD.format(name="f", more=more), f"ops{more}.py") for more in (1, 2)]
    programs = [Deck.from_sources({"solve": "def solve(I):\n    return f(I)\n"}, ops=path)[0].program for path in files]
    with pytest.raises(UsageError, match="two different ops 'f' in one deck"):
        own_ops(programs)


def test_a_saved_deck_reads_back_with_the_same_file(tmp_path: Path):
    deck = load_deck(EXAMPLE / "solvers.py", ops=EXAMPLE / "my_ops.py")
    for name in ("saved.py", "saved.jsonl"):
        deck.save(tmp_path / name)
        again = load_deck(tmp_path / name, ops=EXAMPLE / "my_ops.py")
        assert [each.program for each in again] == [each.program for each in deck]


def test_an_imported_module_declares_ops_that_can_be_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written(tmp_path, GOOD.format(name="plus_four", more=4), "imported_ops.py")
    monkeypatch.syspath_prepend(tmp_path)
    import imported_ops

    assert pickle.loads(pickle.dumps(imported_ops.plus_four))(1) == 5
    deck = Deck.from_sources(
        {"solve": "def solve(I):\n    return plus_four(ONE)\n"}, ops={"plus_four": imported_ops.plus_four}
    )
    assert deck[0].program.run((((0,),),)) == 5


@pytest.mark.parametrize("last", ["while True: pass", "try: sleep(600)\nexcept Exception: pass"])
def test_a_file_that_does_not_end_is_stopped_and_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str
):
    monkeypatch.setattr(loading, "LOAD_S", 0.3)
    handler = signal.getsignal(signal.SIGALRM)
    path = tmp_path / "endless.py"
    path.write_text(f"from time import sleep\n\n{last}\n")
    with pytest.raises(SourceError, match=r"endless\.py:3:1: the file was stopped here after 0\.3 s"):
        load_ops(path)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_alarm_of_another_goes_on_after_a_file_was_run(tmp_path: Path):
    path = written(tmp_path, GOOD.format(name="f", more=1))
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60.0)
        load_ops(path)
        assert 0 < signal.setitimer(signal.ITIMER_REAL, 0)[0] <= 60
        signal.raise_signal(signal.SIGALRM)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]


def test_a_file_is_run_in_another_thread_without_a_guard(tmp_path: Path):
    path = written(tmp_path, GOOD.format(name="f", more=2))
    with ThreadPoolExecutor(1) as threads:
        assert list(threads.submit(load_ops, path).result()) == ["f"]
