"""What tests on a GPU share: the GPU. With the mark `alone` a test has it for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared_gpu import gpu_for


@pytest.fixture(autouse=True)
def _gpu(request: pytest.FixtureRequest, shared_folder: Path) -> Iterator[None]:
    with gpu_for(shared_folder, alone=request.node.get_closest_marker("alone") is not None):
        yield
