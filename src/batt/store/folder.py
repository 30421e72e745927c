"""The folders of runs: their files, and the state of each run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batt.errors import BattError
from batt.store import RUN
from batt.store.lock import Owner, owner_of
from batt.store.manifest import Manifest, read_manifest
from batt.store.runfile import RunFile
from batt.store.tally import Found


@dataclass(frozen=True, slots=True)
class RunState:
    """The progress of a run, and what it has found; `word` is one of the words below.

    `finished`, `running`, `unfinished` (it ended early, and said why: `ended_by`), `killed`, `damaged`. `sessions` are
    what each process that ran it wrote about itself, the first one first.
    """

    folder: Path
    manifest: Manifest | None
    found: Found
    word: str
    ended_by: str
    owner: Owner | None
    wall_s: float
    sessions: Sequence[dict[str, Any]] = ()

    @property
    def done(self) -> int:
        """Count the stored evaluations."""
        return self.found.done

    @property
    def age_s(self) -> float:
        """Return the time since the run began; 0 if the clock was set back since."""
        return 0.0 if self.manifest is None else max(0.0, time.time() - self.manifest.started)


def find_runs(folders: list[Path]) -> Iterator[Path]:
    """Yield the folders that hold a run: those given, or else the folders directly in them, in order of name."""
    for folder in folders:
        if (folder / RUN).exists() or not folder.is_dir():
            yield folder
        else:
            yield from sorted(each.parent for each in folder.glob(f"*/{RUN}"))


def state_of(folder: Path) -> RunState:
    """Return the state of a run, without reading its records."""
    owner = owner_of(folder)
    try:
        file = RunFile.open(folder / RUN)
    except BattError as error:
        return RunState(folder, None, Found(), "damaged", str(error), owner, 0.0)
    try:
        manifest = read_manifest(file)
        sessions, found = file.sessions(), found_by(file)
    except BattError as error:
        return RunState(folder, None, Found(), "damaged", str(error), owner, 0.0)
    finally:
        file.close()
    ended_by, wall_s = (sessions[-1].get("ended_by") if sessions else None), total_wall_s(sessions)
    return RunState(
        folder, manifest, found, _word(manifest, found.done, ended_by, owner), ended_by or "", owner, wall_s, sessions
    )


def found_by(file: RunFile) -> Found:
    """Return what a run has found, as its last session says; else count what its blocks say."""
    found = next((Found.from_session(each) for each in reversed(file.sessions())), None)
    return Found(file.done()) if found is None else found


def total_wall_s(sessions: list[dict[str, Any]]) -> float:
    """Return the seconds that all sessions ran."""
    return sum([float(each.get("wall_s", 0)) for each in sessions])


def _word(manifest: Manifest, done: int, ended_by: str | None, owner: Owner | None) -> str:
    if owner is not None:
        return "running"
    if done == manifest.total:
        return "finished"
    return "killed" if ended_by is None else "unfinished"
