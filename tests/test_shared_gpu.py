"""Tests that share a GPU, and one that has it for itself."""

from __future__ import annotations

import fcntl
import threading
import time
from collections.abc import Callable
from pathlib import Path

from shared_gpu import GATE, gpu_for


class User:
    """A test in a thread that holds the GPU until it may leave."""

    def __init__(self, folder: Path, alone: bool, order: list[str], name: str) -> None:
        self.inside, self.may_leave = threading.Event(), threading.Event()

        def use() -> None:
            with gpu_for(folder, alone):
                order.append(name)
                self.inside.set()
                assert self.may_leave.wait(20)
                order.append(f"{name} left")

        self.thread = threading.Thread(target=use)
        self.thread.start()

    def leave(self) -> None:
        self.may_leave.set()
        self.thread.join(20)
        assert not self.thread.is_alive()


def wait_until(holds: Callable[[], bool]) -> None:
    until_s = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.001)


def is_gate_shut(folder: Path) -> bool:
    with (folder / GATE).open("w") as gate:
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_one_that_wants_it_alone_waits_for_the_others_and_comes_before_later_ones(tmp_path: Path):
    order: list[str] = []
    first, second = [User(tmp_path, False, order, name) for name in ("first", "second")]
    assert first.inside.wait(20)
    assert second.inside.wait(20)
    alone = User(tmp_path, True, order, "alone")
    wait_until(lambda: is_gate_shut(tmp_path))
    later = User(tmp_path, False, order, "later")
    first.leave()
    second.leave()
    assert alone.inside.wait(20)
    alone.leave()
    assert later.inside.wait(20)
    later.leave()
    assert sorted(order[:2]) == ["first", "second"]
    assert order[2:] == ["first left", "second left", "alone", "alone left", "later", "later left"]
