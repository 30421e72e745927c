"""C++ bodies to native code: what is told where there is none, and a cache that is not taken on trust."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import batt
from batt.bytecode.table import STANDARD
from batt.front import Deck
from batt.ir import Program
from batt.own import Ops, building, load_ops
from batt.own.building import CannotBuild, build, sources
from batt.own.native import native_table
from batt.runtime.native import file_name, library
from own_example import EXAMPLE, needs_compiler


def told_of(ops: Path) -> list[str]:
    """What is told where nothing can be compiled."""
    told: list[str] = []
    deck = batt.load_deck(EXAMPLE / "solvers.py", ops=ops)
    assert native_table([each.program for each in deck], tell=told.append) is STANDARD
    return told


def test_without_a_compiler_the_python_bodies_are_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    looked = "looked for CXX=no-such-compiler"
    assert told_of(EXAMPLE / "my_ops.py") == [
        f"no C++ compiler is there for own ops ({looked}); their Python bodies are used"
    ]


@needs_compiler
def test_a_body_that_does_not_compile_is_told_with_its_line(tmp_path: Path):
    (tmp_path / "my_ops.py").write_text((EXAMPLE / "my_ops.py").read_text())
    (tmp_path / "my_ops.h").write_text("BATT_OP Value op_enclosed(Vm& vm, const Value* a) {\n  return nonsense;\n}\n")
    compiling, failed = told_of(tmp_path / "my_ops.py")
    assert compiling.startswith("compiling my_ops.h with ")
    assert re.match(r"my_ops\.h:2:\d+: .*error: .*nonsense.*; their Python bodies are used$", failed)


@needs_compiler
def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ops: Ops):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.raises(CannotBuild, match=r"cannot be kept: .*; their Python bodies are used"):
        build(sources([ops["enclosed"]]), lambda line: None)


@needs_compiler
def test_a_damaged_library_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    made = sources(tuple(load_ops(EXAMPLE / "my_ops.py").values()))
    compiled: list[Path] = []

    def compile_quickly(made: object, compiler: str, folder: Path) -> None:
        (folder / file_name()).write_bytes(b"a library")
        (folder / building.SUM).write_text(building._sum_of(folder))
        compiled.append(folder)

    monkeypatch.setattr(building, "_compile", compile_quickly)
    told: list[str] = []
    folder = build(made, told.append)
    assert build(made, told.append) == folder
    assert (len(compiled), len(told)) == (1, 1)
    (folder / file_name()).write_bytes(b"a libra")
    assert build(made, told.append) == folder
    assert (folder / file_name()).read_bytes() == b"a library"
    assert len(compiled) == 2
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_the_same_text_is_compiled_once_wherever_it_lies(tmp_path: Path):
    for name in ("my_ops.py", "my_ops.h"):
        (tmp_path / name).write_text((EXAMPLE / name).read_text("utf-8"), "utf-8")
    here, there = (sources(tuple(load_ops(each / "my_ops.py").values())) for each in (EXAMPLE, tmp_path))
    assert here.digest == there.digest
    (tmp_path / "my_ops.h").write_text((EXAMPLE / "my_ops.h").read_text("utf-8") + "\n", "utf-8")
    assert sources(tuple(load_ops(tmp_path / "my_ops.py").values())).digest != here.digest


@needs_compiler
def test_flags_of_the_environment_are_given_to_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ops: Ops):
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("CXXFLAGS", "-O0 '--no-such flag'")
    with pytest.raises(CannotBuild, match="--no-such flag"):
        build(sources([ops["enclosed"]]), lambda line: None)


PLANTED = """
#include <cstdio>
#include <cstdlib>
__attribute__((constructor)) static void begin() { std::fclose(std::fopen(std::getenv("PLANTED"), "w")); }
"""


def plant(folder: Path) -> None:
    """Put a library with a matching sum in place of one that was compiled; it leaves a mark when it is loaded."""
    (folder / "planted.cpp").write_text(PLANTED)
    command = ["g++", "-shared", "-fPIC", str(folder / "planted.cpp"), "-o", str(folder / file_name())]
    subprocess.run(command, check=True)
    (folder / building.SUM).write_text(building._sum_of(folder))


@needs_compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="the planted library is compiled with g++")
@pytest.mark.parametrize("way", ["the folder is open to all", "the library is of another user"])
def test_a_planted_library_is_not_loaded(tmp_path: Path, own_ops: Path, monkeypatch: pytest.MonkeyPatch, way: str):
    ops = load_ops(own_ops / "my_ops.py")
    right = native_table([program_of(ops)]).folder
    assert right is not None
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    planted = cache / right.name
    shutil.copytree(right, planted)
    plant(planted)
    if way == "the folder is open to all":
        cache.chmod(0o777)
    elif os.geteuid() == 0:
        os.chown(planted / file_name(), 12345, 12345)
    else:
        pytest.skip("only root can give files away")
    monkeypatch.setenv("PLANTED", str(tmp_path / "mark"))
    monkeypatch.setenv("BATT_CACHE_DIR", str(cache))
    monkeypatch.setattr(building, "_compile", lambda made, compiler, folder: copy_files(right, folder))
    told: list[str] = []
    table = native_table([program_of(ops)], tell=told.append)
    assert len(table.own) > 0
    library(table)
    assert not (tmp_path / "mark").exists()
    assert "set BATT_CACHE_DIR to a folder that only you can write to" in told[0]
    assert ("until then own ops are compiled again" in told[0]) == (way == "the folder is open to all")


def copy_files(source: Path, target: Path) -> None:
    """Copy what was compiled, in place of compiling it again."""
    for path in source.iterdir():
        shutil.copy(path, target)


def program_of(ops: Ops) -> Program:
    text = "def solve(I):\n    x = enclosed(I)\n    return x\n"
    return Deck.from_sources({"solve": text}, ops=ops)[0].program
