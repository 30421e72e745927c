"""The command `batt`, also as `python -m batt`. A signal ends it quietly even while its modules are loading."""

from __future__ import annotations

import gc
import sys

from batt.cli.signals import leave_at_once


def main() -> int:
    """Import the command and run it. Return its exit code."""
    leave_at_once()
    # Imports make many objects, and none of them is garbage. Frozen ones are not looked through later, nor at exit.
    gc.disable()
    from batt.cli.main import main as run

    gc.freeze()
    gc.enable()
    try:
        return run()
    finally:
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
