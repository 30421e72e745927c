"""Child processes that answer messages. A child may crash, never end, or be killed at any time.

A child is a fresh interpreter, not a fork: it inherits neither threads nor the caller's main module. Messages are
pickles over its standard input and output, each after its length. Parent and child share a few bytes of memory, in
which the child writes its progress.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO, Any

LENGTH = struct.Struct("<Q")
PR_SET_PDEATHSIG = 1
"""Linux: have a signal sent to this process when the thread that started it ends."""

_PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])
_CODE = (
    "import sys; sys.path[:] = {path!r}; from batt.runtime.child import end_with; end_with({parent}); "
    "from {module} import main; main({shared})"
)
"""The code of a child. It has the import path of its parent, so a batt.py in the working folder does not matter."""


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message."""
    data = pickle.dumps(message, protocol=5)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; raise EOFError if the other side is gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


class ChildProcess:
    """The parent's side of a child that runs `main` of `module`, with `shared_bytes` of memory that both see.

    `variables` are added to its environment, for libraries that read theirs when they are loaded.
    """

    def __init__(self, module: str, shared_bytes: int = 8, variables: Mapping[str, str] | None = None) -> None:
        with tempfile.TemporaryFile() as file:
            file.truncate(shared_bytes)
            self.shared = mmap.mmap(file.fileno(), shared_bytes)
            path = [*filter(None, sys.path), _PACKAGE_ROOT]
            code = _CODE.format(path=path, parent=os.getpid(), module=module, shared=file.fileno())
            self.process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[file.fileno()],
                start_new_session=True,
                env={**os.environ, **(variables or {})},
            )

    def send(self, message: Any) -> None:
        """Send one message. If the child is gone, reading its answer raises."""
        assert self.process.stdin
        with suppress(BrokenPipeError):
            send(self.process.stdin, message)

    def receive(self) -> Any:
        """Wait for the next answer; raise EOFError if the child is gone."""
        assert self.process.stdout
        return receive(self.process.stdout)

    def answers(self, poll_s: float, on_poll: Callable[[], bool]) -> bool:
        """Wait until an answer or the end of the child can be read; return False if `on_poll` returns True before."""
        assert self.process.stdout
        with DefaultSelector() as selector:
            selector.register(self.process.stdout, EVENT_READ)
            while not selector.select(poll_s):
                if on_poll():
                    return False
        return True

    def word(self, at: int = 0) -> int:
        """Read the shared number at position `at`; each has eight bytes."""
        return int.from_bytes(self.shared[8 * at : 8 * at + 8], sys.byteorder)

    def kill(self) -> None:
        """Kill the process; any thread may call this."""
        self.process.kill()

    def close(self) -> int:
        """Kill the process, and return its exit code."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            with suppress(BrokenPipeError):
                stream.close()
        code = self.process.wait()
        with suppress(BufferError):
            self.shared.close()
        return code


def pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return a child's streams of requests and replies, and redirect what it prints to the standard error stream."""
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    return requests, replies


def end_with(parent: int) -> None:
    """End this process with the process `parent`, and ignore SIGTERM.

    A scheduler signals all processes of a job at once. The parent then writes what is done, and kills its children.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    # The parent may have ended before this process watched it.
    if os.getppid() != parent:
        os._exit(0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def reply(replies: IO[bytes], message: Any) -> None:
    """Send an answer; end this process if its parent is gone."""
    try:
        send(replies, message)
    except BrokenPipeError:
        # A normal exit would try to write the rest.
        os._exit(0)
