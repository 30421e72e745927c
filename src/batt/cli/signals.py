"""Signals that end a command: Ctrl-C, and those of schedulers and terminals. All act as an interrupt.

Imports only fast modules, so that it can act before the command is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}

_received: list[int] = []


def word() -> str:
    """Return what happened to the command, by its first signal."""
    return WORDS[signal.Signals(_received[0])] if _received else WORDS[signal.SIGINT]


def exit_code() -> int:
    """Return the exit code of an interrupted command, as shells count: 130 after Ctrl-C, 143 after SIGTERM."""
    return 128 + (_received[0] if _received else signal.SIGINT)


def leave_at_once() -> None:
    """End the process with one line on a signal, until the command is loaded: nothing is done yet."""
    for number in WORDS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, f"batt: {WORDS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


@contextmanager
def interrupting() -> Iterator[None]:
    """Raise KeyboardInterrupt on a signal.

    `timeout` and process groups may send one signal twice, and schedulers several: after the first of all, only Ctrl-C
    interrupts again, so that finished work can be written.
    """
    _received.clear()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = (signal.SIG_DFL, signal.default_int_handler, _leave)
    before = {number: handler for number in WORDS if (handler := signal.getsignal(number)) in ours}
    try:
        for number in before:
            signal.signal(number, _interrupt)
        yield
    finally:
        for number, handler in before.items():
            # A process that a signal ends must not end twice.
            signal.signal(number, signal.SIG_IGN if handler is _leave and _received else handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    first = not _received
    _received.append(number)
    if first or number == signal.SIGINT:
        raise KeyboardInterrupt


def open_missing_streams() -> None:
    """Open standard streams that the process was started without; what is printed to them is lost."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
