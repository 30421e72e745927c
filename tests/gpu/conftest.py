"""What tests on a GPU share: the GPU. With the mark `alone` a test has it for itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared_gpu import gpu_for


@pytest.fixture(autouse=True)
def _gpu(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[None]:
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent
    with gpu_for(shared, alone=request.node.get_closest_marker("alone") is not None):
        yield
