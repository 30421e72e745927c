"""The memory that a process may use: shares of the machine, limits of control groups, and a limit that holds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from batt.runtime import process_memory
from batt.runtime.process_memory import limited_memory, machine_bytes, memory_of_worker

MIB = 1 << 20

needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")


@needs_linux
def test_a_process_gets_no_more_memory_than_its_limit_and_all_of_it_again_afterwards():
    with limited_memory(64 * MIB):
        assert len(bytearray(16 * MIB)) == 16 * MIB
        with pytest.raises(MemoryError):
            bytearray(256 * MIB)
    assert len(bytearray(256 * MIB)) == 256 * MIB


@needs_linux
def test_a_limit_within_a_limit_is_the_smaller_one():
    with limited_memory(64 * MIB), limited_memory(1024 * MIB), pytest.raises(MemoryError):
        bytearray(256 * MIB)


def test_workers_share_the_machine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process_memory, "machine_bytes", lambda: 1000 * MIB)
    assert memory_of_worker(600 * MIB, 1) == 600 * MIB
    assert memory_of_worker(600 * MIB, 2) == 400 * MIB
    assert memory_of_worker(600 * MIB, 8) == 100 * MIB


def test_the_machine_has_memory():
    assert machine_bytes() > 100 * MIB


@pytest.mark.parametrize(
    ("own", "files", "limits"),
    [
        ("0::/", {"memory.max": "5000"}, [5000]),
        ("0::/a/b", {"a/b/memory.max": "max", "a/memory.max": "7000", "memory.max": "9000"}, [7000, 9000]),
        ("4:memory:/job\n0::/", {"memory/job/memory.limit_in_bytes": "300"}, [300]),
        ("4:memory:/gone", {"memory/memory.limit_in_bytes": "200"}, [200]),
        ("2:cpu:/", {"memory.max": "5000"}, []),
        ("0::/", {"memory.max": "what?"}, []),
    ],
)
def test_limits_of_control_groups_count(tmp_path: Path, own: str, files: dict[str, str], limits: list[int]):
    for name, text in files.items():
        path = tmp_path / "cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "own").write_text(own + "\n")
    assert process_memory._cgroup_limits(tmp_path / "own", tmp_path / "cgroup") == limits


def test_without_control_groups_there_are_no_limits(tmp_path: Path):
    assert process_memory._cgroup_limits(tmp_path / "own", tmp_path) == []
