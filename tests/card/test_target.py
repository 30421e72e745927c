"""Names of files that a batt may have."""

from __future__ import annotations

from pathlib import Path

import pytest

from batt.card.target import check_target
from batt.errors import UsageError


@pytest.mark.parametrize(
    ("name", "why", "better"),
    [
        ("batt.py", "would hide the module 'batt'", "my_batt.py"),
        ("json.py", "would hide the module 'json'", "my_json.py"),
        ("sys.py", "would hide the module 'sys'", "my_sys.py"),
        ("numpy.py", "would hide the module 'numpy'", "my_numpy.py"),
        ("__main__.py", "would hide the module '__main__'", "my___main__.py"),
        ("my-batt.py", "is not a valid module name", "my_batt.py"),
        ("class.py", "is not a valid module name", "my_class.py"),
        ("a.b.py", "is not a valid module name", "a_b.py"),
        ("7.py", "is not a valid module name", "my_7.py"),
        ("my_batt.txt", "solvers are written to a .py file", "my_batt.py"),
        ("batt", "solvers are written to a .py file", "my_batt.py"),
    ],
)
def test_a_bad_name_is_refused_with_a_better_one(tmp_path: Path, name: str, why: str, better: str):
    with pytest.raises(UsageError) as refused:
        check_target(tmp_path / name)
    assert why in str(refused.value)
    assert f"; try {better}" in str(refused.value)


@pytest.mark.parametrize("name", ["my_batt.py", "batt_test.py", "solvers10.py"])
def test_a_free_name_is_taken(tmp_path: Path, name: str):
    check_target(tmp_path / name)


def test_a_file_that_is_written_again_does_not_hide_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "my_own_batt.py"
    target.write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    check_target(target)
    with pytest.raises(UsageError, match="would hide the module 'my_own_batt'"):
        check_target(tmp_path / "elsewhere" / "my_own_batt.py")


def test_a_folder_is_refused_and_a_device_is_not(tmp_path: Path):
    with pytest.raises(UsageError, match="is a folder"):
        check_target(tmp_path)
    check_target(Path("/dev/null"))
