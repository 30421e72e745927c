"""`batt check`."""

from __future__ import annotations

import pytest

from batt.check import engines
from batt.check.batches import RandomBatch, WordsBatch
from batt.check.engines import Reference
from batt.cli import check
from native_library import needs_library
from planted import Planted

pytestmark = needs_library


def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Planted("vmirror", "upside down")
    monkeypatch.setitem(engines.ENGINES, "cpu", wrong)
    monkeypatch.setattr(check, "FUZZ_ENGINES", (wrong, Reference(count_ops=True)))


def test_engines_that_agree_end_in_zero(batt, deck_file, tasks_file):
    ended = batt("check", "--deck", deck_file, "--tasks", tasks_file)
    assert ended.code == 0
    assert ended.out.startswith("cpu against reference: 21 compared, 0 different; 21 evaluations: ok 14, raised 7;")


def test_a_difference_ends_in_one_with_a_small_example(batt, deck_file, tasks_file, monkeypatch):
    plant(monkeypatch)
    ended = batt("check", "--deck", deck_file, "--tasks", tasks_file, "--own")
    assert ended.code == 1
    assert "solve_mirror on mirror train0: cpu: equal, hash, differing: ok " in ended.out
    assert "# smallest example from solve_mirror\n" in ended.out
    assert "def solve_it(I):\n    x1 = vmirror(" in ended.out
    assert "cpu against reference: 3 compared, 3 different" in ended.out


def test_several_engines_are_held_against_the_last(batt, deck_file, tasks_file):
    ended = batt(
        "check", "--deck", deck_file, "--tasks", tasks_file, "--engines", "cpu-direct,reference,cpu", "--sample", 6
    )
    assert ended.code == 0
    assert ended.out.startswith("cpu-direct, reference against cpu: 12 compared, 0 different; 6 evaluations")


def test_fuzzing_tells_its_figures(batt, tmp_path):
    ended = batt("check", "--fuzz", "--count", 100, "--seed", 77, "--workers", 1, "--save", tmp_path / "kept")
    assert ended.code == 0
    assert ended.out.startswith("100 random programs (")
    assert "seeds 77 to 77" in ended.out
    assert "0 differences" in ended.out


def test_fuzzing_that_finds_a_difference_ends_in_one_and_keeps_it(batt, tmp_path, monkeypatch):
    plant(monkeypatch)
    ended = batt("check", "--fuzz", "--count", 60, "--seed", 11, "--workers", 1, "--save", tmp_path / "kept")
    assert ended.code == 1
    assert "vmirror(" in ended.out
    assert "batt: seed 11: 60 programs" in ended.err
    assert (tmp_path / "kept" / "11-0.py").is_file()


def test_fuzzing_with_sharing_tells_its_figures(batt, tmp_path):
    ended = batt(
        "check", "--fuzz", "--sharing", "--count", 12, "--seed", 9, "--workers", 1, "--save", tmp_path / "kept"
    )
    assert ended.code == 0
    assert ended.out.startswith("12 random programs (")
    assert "seeds 9 to 10" in ended.out
    assert "0 differences" in ended.out


def test_fuzzing_compares_the_engines_that_are_named(batt, tmp_path):
    options = ("--fuzz", "--words", "--count", 6, "--workers", 1, "--save", tmp_path / "kept")
    one = batt("check", *options, "--engines", "cpu-noshare,cpu")
    assert (one.code, "18 compared" in one.out, "call" in one.out) == (0, True, False)
    counted = batt("check", *options, "--engines", "cpu,cpu-noshare,reference")
    assert (counted.code, "36 compared" in counted.out, "calls of ops" in counted.out) == (0, True, True)


def test_a_difference_names_its_engines_in_the_command():
    named = engines.engines_named("cpu-noshare,cpu")
    assert RandomBatch(3, 5, named).command("cpu") == "batt check --fuzz --seed 3 --count 5 --engines cpu-noshare,cpu"
    assert WordsBatch(3, 5).command("cpu") == "batt check --fuzz --seed 3 --count 5 --words"


@pytest.mark.parametrize(
    "options",
    [
        ("--engines", "cpu"),
        ("--fuzz", "--engines", "cpu"),
        ("--engines", "cpu,gpu"),
        ("--count", "5"),
        ("--sample", "0"),
        ("--own", "--sample", "5"),
        ("--fuzz", "--count", "5", "--minutes", "1"),
        ("--fuzz", "--count", "0"),
        ("--fuzz", "--seed", "-1"),
        ("--fuzz", "--own"),
        ("--sharing",),
        ("--fuzz", "--sharing", "--engines", "cpu-direct"),
    ],
)
def test_requests_that_make_no_sense_are_refused(refused, deck_file, tasks_file, options, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert refused("check", "--deck", deck_file, "--tasks", tasks_file, *options).startswith("batt: ")


def test_a_missing_library_is_told(refused, deck_file, tasks_file, monkeypatch):
    monkeypatch.setenv("BATT_NATIVE_LIBRARY", "/nowhere/lib.so")
    assert "nothing to compare: " in refused("check", "--deck", deck_file, "--tasks", tasks_file)
