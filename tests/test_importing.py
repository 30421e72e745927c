"""Names of packages are imported on first use."""

import subprocess
import sys

import pytest

import batt
from batt import runtime


@pytest.mark.parametrize("package", [batt, runtime])
def test_every_name_is_found(package):
    for name in package.__all__:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("package", [batt, runtime])
def test_an_unknown_name_is_refused(package):
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_a_name_is_imported_once():
    code = "import batt; first = batt.Deck; print('Deck' in vars(batt), batt.Deck is first)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True True\n"


def test_a_worker_process_imports_neither_a_front_end_nor_other_tiers():
    code = "import sys, batt.runtime.reference.worker; print(*sorted(name for name in sys.modules if 'batt.' in name))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert "batt.runtime.reference.worker" in told
    for name in ("batt.front", "batt.tasks", "batt.runtime.cuda", "batt.runtime.cpu", "batt.runtime.outputs"):
        assert name not in told
