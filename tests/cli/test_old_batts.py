"""Old batts on the command line: each command takes them, and says what became of their defaults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from native_library import needs_library

DATA = Path(__file__).parents[1] / "data"
OLD = DATA / "old_batt.py"
TOLD = f"batt: {OLD.name}: 14 lines gave a default value instead of an error; here the error is raised\n"


@pytest.mark.parametrize(
    "argv",
    [
        ["run", "-b", OLD, "--own", "--engine", "reference", "--json"],
        ["run", "--deck", OLD, "--own", "--engine", "reference", "--json"],
        ["show", "--deck", OLD, "solve_d511f180"],
        ["show", "--deck", OLD, "solve_be94b721", "be94b721"],
        ["show", "--deck", OLD, "--graph", "--json"],
        ["trace", "--deck", OLD, "solve_ed36ccf7", "ed36ccf7", "train0"],
        ["card", "-b", OLD, "--ids", "d511f180"],
        pytest.param(["check", "--deck", OLD, "--own"], marks=needs_library),
    ],
    ids=lambda argv: " ".join(argv[:2]),
)
def test_a_command_takes_an_old_batt_and_tells_of_its_defaults(batt, argv: list[object]):
    ended = batt(*argv)
    assert ended.code == 0, ended
    assert TOLD in ended.err


@needs_library
def test_an_old_batt_written_anew_exports_the_same(batt, tmp_path: Path):
    exported = {}
    for form in ([], ["--batch"]):
        target = tmp_path / f"new{len(form)}.py"
        assert batt("card", "-b", OLD, "-f", target, *form).code == 0
        for source in (OLD, target):
            path = tmp_path / "rows.jsonl"
            assert batt("run", "-b", source, "--own", "--export", path, "--outputs", "--quiet").code == 0
            exported[source] = path.read_text()
    assert len(set(exported.values())) == 1


def test_what_is_no_old_batt_is_refused_with_its_place(refused: Callable[..., str], tmp_path: Path):
    path = tmp_path / "bad.py"
    path.write_text(OLD.read_text().replace("t3 = subgrid(t2, I)", "t3 = subgird(t2, I)", 1))
    line = OLD.read_text().split("\n").index("        t3 = subgrid(t2, I)") + 1
    shown = f"{path}:{line}:14: 'subgird' is not defined; did you mean 'subgrid'?\n            t3 = subgird(t2, I)"
    assert shown in refused("run", "-b", path)
    assert "no such file or module" in refused("run", "-b", tmp_path / "missing.py")
