"""What a generated file imports: it is quick, it stands alone, and it says what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import batt.generated
from batt.differs import BUILT_IN
from batt.differs.arrays import PLAIN
from batt.errors import DeckError, UsageError
from batt.generated import BattFunction, DifferWord, batt_function
from batt.jobs.values import Failed
from dealt import imported, text_of
from handmade import MIRROR, deck

SMALL = deck(solve_a=MIRROR)


def test_every_built_in_differ_is_a_word():
    words = {name for name in batt.generated.__all__ if isinstance(getattr(batt.generated, name), DifferWord)}
    assert words == set(BUILT_IN)
    for name in words:
        assert getattr(batt.generated, name)(((1, 2),), ((1, 3),)) == PLAIN[name](((1, 2),), ((1, 3),))


def test_failed_is_there():
    assert batt.generated.Failed is Failed
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = batt.generated.nothing


@pytest.mark.parametrize("name", batt.generated.__all__)
def test_every_name_is_there(name: str):
    assert getattr(batt.generated, name) is not None


def test_importing_a_generated_file_loads_neither_numpy_nor_an_engine(tmp_path: Path):
    (tmp_path / "my_batt.py").write_text(text_of(SMALL))
    code = "import sys, my_batt; print(sorted({'numpy', 'rich', 'batt.jobs', 'batt.front'} & set(sys.modules)))"
    path = {"PYTHONPATH": f"{tmp_path}:{Path(batt.__file__).parents[1]}"}
    ran = subprocess.run([sys.executable, "-c", code], env=path, capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_a_file_runs_on_its_own(tmp_path: Path):
    main = "\n\nif __name__ == '__main__':\n    print(batt('t', (), ((1, 2),)))\n"
    (tmp_path / "my_batt.py").write_text(text_of(SMALL) + main)
    path = {"PYTHONPATH": str(Path(batt.__file__).parents[1])}
    ran = subprocess.run(
        [sys.executable, tmp_path / "my_batt.py"], env=path, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "([(1, True, 'a', ((2, 1),))], [])\n"
    assert ran.stderr.startswith("Batt GPU: ")


def test_the_body_is_never_executed(tmp_path: Path):
    text = text_of(SMALL).replace("from batt.dsl import vmirror\n", "vmirror = None\n")
    module = imported(tmp_path, text)
    assert module.vmirror is None
    assert module.batt("t", (), ((1, 2),))[0][0][3] == ((2, 1),)


def test_a_batt_tells_its_solvers(tmp_path: Path):
    module = imported(tmp_path, text_of(SMALL))
    assert isinstance(module.batt, BattFunction)
    assert repr(module.batt) == "<batt of my_batt.py>"
    assert module.batt.__doc__ == "Run every solver on one sample: (outputs, scores)."
    assert module.batt.deck.names == ("solve_a",)


def test_a_mistake_that_was_made_in_the_file_is_told_at_its_place(tmp_path: Path):
    module = imported(tmp_path, text_of(SMALL).replace("= vmirror(I)", "= vmiror(I)"))
    with pytest.raises(DeckError, match=r"my_batt\.py:\d+:\d+: 'vmiror' is not defined; did you mean 'vmirror'?"):
        module.batt("t", (), ((1, 2),))


def test_a_function_without_a_source_is_refused():
    names: dict[str, object] = {"batt_function": batt_function}
    with pytest.raises(UsageError, match="cannot read the source of batt"):
        exec("@batt_function\ndef batt(task_id, S, I, C=None, log_path=None):\n    return [], []\n", names)
