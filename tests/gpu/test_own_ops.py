"""A user's own ops on a GPU for real: tried there, and with the reference engine's outcomes."""

from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.jobs import evaluate
from batt.own.native import native_table
from batt.runtime.cuda import missing
from batt.runtime.options import Options
from own_example import EXAMPLE, needs_compiler, write_example

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}"), needs_compiler]


@pytest.mark.parametrize("compiled", [True, False])
def test_own_ops_run_on_gpus_with_equal_outcomes(compiled: bool):
    deck = batt.load_deck(EXAMPLE / "solvers.py", ops=EXAMPLE / "my_ops.py")
    tasks = batt.load_tasks("arc1-training").select(count=60)
    found = evaluate(deck, tasks, engine="cuda", compiled=compiled)
    expected = evaluate(deck, tasks, engine="reference")
    assert (found.records == expected.records).all()
    assert not found.fallbacks
    assert found.native == len(found)


def test_a_body_that_differs_only_on_gpus_is_found_there(tmp_path: Path):
    write_example(tmp_path)
    header = tmp_path / "my_ops.h"
    wrong = "#ifdef __CUDACC__\n  if (is_int(a[0]) && int_of(a[0]) == 7) return integer(0);\n#endif\n"
    text = header.read_text("utf-8").replace(
        "op_twice(Vm& vm, const Value* a) {\n", f"op_twice(Vm& vm, const Value* a) {{\n{wrong}"
    )
    header.write_text(text, "utf-8")
    (tmp_path / "deck.py").write_text("def solve_a(I):\n    return twice(size(I))\n")
    deck = batt.load_deck(tmp_path / "deck.py", ops=tmp_path / "my_ops.py")
    told: list[str] = []
    table = native_table([each.program for each in deck], Options(engine="cuda"), told.append)
    assert "twice: on a GPU its C++ body gives" in told[-1]
    assert "for twice(7); the Python body is used" in told[-1]
    assert [each.name for each in table.own if each in table.numbers] == ["enclosed", "majority"]
