"""Whether tests of the native engine run. Its absence is a failure, unless BATT_PURE=1 says that it is meant."""

from __future__ import annotations

import os

import pytest

from batt.runtime.native import missing

needs_library = pytest.mark.skipif(
    os.environ.get("BATT_PURE") == "1" and missing() is not None, reason="BATT_PURE=1, and no native library"
)
