"""Other compilers and another processor give the same records and values, byte for byte.

Recorded evaluations are run by a small program around the same C interface, so no Python of the other processor is
needed. Under an emulator that takes minutes: `make aarch64`.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from batt.runtime import Status
from batt.runtime.native import RESULT_TYPE
from recording import deck_jobs, fuzzed_jobs, write_recording

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parent / "replay.cpp"
FLAGS = ("-std=c++17", "-O3", "-fno-tree-slp-vectorize", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-static")
UNDEFINED = ("-std=c++17", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all")
ARM, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"
INSTALL = "apt-get install g++ clang g++-aarch64-linux-gnu qemu-user"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built-in deck and re-arc's verifiers on real samples, and random programs."""
    path = tmp_path_factory.mktemp("recorded") / "evaluations"
    write_recording(path, [*deck_jobs("first-132", 300), *deck_jobs("re-arc", 100), *fuzzed_jobs(range(12))])
    return path


def needs(*tools: str) -> None:
    """Skip the test where a tool is missing."""
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed: {INSTALL}")


def replayed(recording: Path, compiler: str, flags: tuple[str, ...] = FLAGS, emulator: str | None = None) -> bytes:
    """What a compiler's program makes of the recording."""
    name = f"{Path(compiler).name}{'-checked' if flags is UNDEFINED else ''}"
    program, made = recording.with_name(name), recording.with_name(f"{name}-records")
    if not made.exists():
        subprocess.run([compiler, *flags, str(SOURCE), "-o", str(program)], check=True)
        command = [*([emulator] if emulator else []), str(program), str(recording), str(made)]
        count = int(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        assert count == len(records(made.read_bytes()))
        print(f"{name}: {count:,} records, {made.stat().st_size:,} bytes")
    return made.read_bytes()


@cache
def records(made: bytes) -> list[bytes]:
    """The records of a replay, each with its value."""
    found, at = [], 0
    while at < len(made):
        end = at + RESULT_TYPE.itemsize + 8
        end += int.from_bytes(made[end - 8 : end], "little")
        found.append(made[at:end])
        at = end
    return found


def test_the_recording_has_all_kinds_of_outcomes(recording: Path):
    needs("g++")
    found = records(replayed(recording, "g++"))
    heads = np.frombuffer(b"".join([each[: RESULT_TYPE.itemsize] for each in found]), RESULT_TYPE)
    assert len(found) > 200_000
    assert {Status.OK, Status.RAISED, Status.OVER_BUDGET} <= set(heads["status"].tolist())
    assert not heads["time_ns"].any()


def test_clang_gives_the_records_of_gcc(recording: Path):
    needs("g++", "clang++")
    assert replayed(recording, "clang++") == replayed(recording, "g++")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_no_evaluation_meets_undefined_behaviour(recording: Path, compiler: str):
    needs(compiler)
    assert replayed(recording, compiler, UNDEFINED) == replayed(recording, "g++")


def test_an_aarch64_processor_gives_the_records_of_this_one(recording: Path):
    needs("g++", ARM, EMULATOR)
    assert replayed(recording, ARM, emulator=EMULATOR) == replayed(recording, "g++")
