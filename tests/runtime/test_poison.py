"""Sanitizer builds: what is released cannot be reached, what is in use can, and memory in use is never given back."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from batt.own.building import COMPILERS

NATIVE = Path(__file__).resolve().parents[2] / "native"
FLAGS = ("-std=c++17", "-O1", "-DBATT_POISON", "-fsanitize=address", f"-I{NATIVE}")

SOURCE = """
#include "host/memory.h"
using namespace batt;

int main(int, char** names) {
  Block block;
  if (!block.reserve(1 << 20)) return 1;
  Vm vm{};
  vm.region[0] = block.region();
  Addr kept = alloc<u8>(vm, 200000), mark = vm.region[0].top, released = alloc<u8>(vm, 200000);
  for (u64 k = 0; k < 200000; k++) mem<u8>(vm, kept, k) = mem<u8>(vm, released, k) = 7;
  cut_back(vm.region[0], mark);
  switch (names[1][0]) {
    case 'a': block.trim(mark - block.first()); break;            // all that is in use stays
    case 'b': block.trim(100000); break;                          // memory in use is given back
    case 'c': return mem<u8>(vm, released, 0) == 7;               // released memory is read
    case 'd': expect_in_use(released); break;
  }
  for (u64 k = 0; k < 200000; k++) if (mem<u8>(vm, kept, k) != 7) return 2;
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built to find memory errors; the test is left out where that cannot be done."""
    folder = tmp_path_factory.mktemp("poison")
    (folder / "main.cpp").write_text(SOURCE)
    for compiler in filter(None, map(shutil.which, COMPILERS)):
        built = subprocess.run([compiler, *FLAGS, str(folder / "main.cpp"), "-o", str(folder / "main")], timeout=600)
        if built.returncode == 0:
            return folder / "main"
    pytest.skip("no compiler with an address sanitizer")


def ended(program: Path, case: str) -> int:
    return subprocess.run([program, case], stderr=subprocess.DEVNULL, timeout=60).returncode


def test_memory_above_what_is_in_use_may_be_given_back(program: Path):
    assert ended(program, "a") == 0


@pytest.mark.parametrize("case", ["b", "c", "d"], ids=["live memory given back", "released memory read", "not in use"])
def test_a_mistake_ends_the_process(program: Path, case: str):
    assert ended(program, case) not in (0, 2)
