"""Run a notebook: `python notebook_runner.py NOTEBOOK EXECUTED`. Needs nbclient and ipykernel, but not batt.

Messages between the notebook and its kernel go through files, since a process without network has no loopback either.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    source, target = map(Path, sys.argv[1:])
    notebook = nbformat.read(source, as_version=4)
    nbformat.validate(notebook)
    config = Config()
    config.ConnectionFileMixin.transport = "ipc"
    try:
        NotebookClient(notebook, timeout=600, config=config).execute()
    finally:
        nbformat.write(notebook, target)
