"""The command `batt`, also as `python -m batt`. A signal ends it quietly even while its modules are loading."""

from __future__ import annotations

import sys

from batt.cli.signals import leave_at_once


def main() -> int:
    """Import the command and run it. Return its exit code."""
    leave_at_once()
    from batt.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
