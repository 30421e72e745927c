"""A file of own ops for tests: those of the documentation, and others whose bodies are wrong in every way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from batt.front import Deck
from batt.own import load_ops
from batt.own.building import COMPILERS
from batt.own.native import native_table
from native_library import needs_library

EXAMPLE = Path(__file__).parents[1] / "docs" / "own-ops"

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C++ compiler")

MORE_OPS = '''

from batt.own import ANY, FN, TUPLE, unit


@op(INT, result=INT, cost=unit, native="my_ops.h")
def twice(number):
    return 2 * number


@op(INT, INT, result=INT, native="my_ops.h")
def wrong(a, b):
    return a - b


def rows(grid):
    """2 + rows of the grid"""
    return 2 + len(grid)


@op(GRID, result=INT, cost=rows, native="my_ops.h")
def dear(grid):
    return len(grid)


@op(INT, result=INT, native="my_ops.h")
def crash(number):
    return number + 0


@op(INT, result=INT, native="my_ops.h")
def endless(number):
    return number + 0


@op(INT, result=INT)
def add_three(number):
    return number + 3


@op(FN, TUPLE, result=TUPLE)
def backwards(function, items):
    return tuple([function(item) for item in reversed(items)])
'''

MORE_BODIES = """
BATT_OP Value op_twice(Vm& vm, const Value* a) {
  return is_int(a[0]) ? integer(times(vm, 2, int_of(a[0]))) : leave(vm);
}
BATT_OP Value op_wrong(Vm& vm, const Value* a) {
  if (!is_int(a[0]) || !is_int(a[1])) return leave(vm);
  return integer(int_of(a[1]) == 5 ? 77 : minus(vm, int_of(a[0]), int_of(a[1])));
}
BATT_INLINE i64 cost_dear(Vm& vm, const Value* a) { return is_tuple(a[0]) ? 1 + length(a[0]) : (leave(vm), 1); }
BATT_OP Value op_dear(Vm&, const Value* a) { return integer(length(a[0])); }
BATT_OP Value op_crash(Vm& vm, const Value* a) {
  return is_int(a[0]) && int_of(a[0]) == 4 ? integer(mem<u8>(vm, 0)) : is_int(a[0]) ? a[0] : leave(vm);
}
BATT_OP Value op_endless(Vm& vm, const Value* a) {
  for (volatile u32 spins = 0; is_int(a[0]) && int_of(a[0]) == 4;) spins = spins + 1;
  return is_int(a[0]) ? a[0] : leave(vm);
}
"""


def write_example(folder: Path) -> Path:
    """The file of ops, with its header beside it."""
    text = (EXAMPLE / "my_ops.py").read_text("utf-8")
    (folder / "my_ops.py").write_text(text + MORE_OPS, "utf-8")
    (folder / "my_ops.h").write_text((EXAMPLE / "my_ops.h").read_text("utf-8") + MORE_BODIES, "utf-8")
    return folder / "my_ops.py"


def use_own_cache(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Keep in `folder` what is compiled and tried.

    Compile without optimizing, which takes a sixth of the time and changes no outcome, and do not wait long for a body
    that does not end.
    """
    monkeypatch.setenv("BATT_CACHE_DIR", str(folder))
    monkeypatch.setenv("CXXFLAGS", "-O0")
    monkeypatch.setattr("batt.own.trial.PATIENCE_S", 4.0)


def compile_example(folder: Path) -> None:
    """Compile and try the bodies of the file of ops, if a compiler and the library are there."""
    text = "def solve(I):\n    x = enclosed(I)\n    return x\n"
    native_table([Deck.from_sources({"solve": text}, ops=load_ops(folder / "my_ops.py"))["solve"].program])


__all__ = ["EXAMPLE", "compile_example", "needs_compiler", "needs_library", "use_own_cache", "write_example"]
