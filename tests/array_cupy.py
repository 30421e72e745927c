"""CuPy's arrays without a GPU: NumPy's, which count as a device's until they are fetched."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fake_cupy import FakeCupy


class DeviceArray(np.ndarray):
    """An array that has to be fetched."""

    def get(self) -> Any:
        return np.asarray(self)


@dataclass
class ArrayCupy(FakeCupy):
    """A FakeCupy with arrays. `entered` are the cards that were made current, `moved` the shapes that were sent."""

    entered: list[int] = field(default_factory=list)
    moved: list[tuple[int, ...]] = field(default_factory=list)
    ndarray = DeviceArray

    @property
    def cuda(self) -> Any:
        made = super().cuda
        made.Device = self._device
        return made

    @contextmanager
    def _device(self, number: int) -> Any:
        assert 0 <= number < len(self.cards)
        self.entered.append(number)
        yield

    def asarray(self, array: Any) -> DeviceArray:
        self.moved.append(array.shape)
        return np.asarray(array).view(DeviceArray)

    def stack(self, arrays: Any) -> DeviceArray:
        return np.stack(arrays).view(DeviceArray)
