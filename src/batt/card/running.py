"""Run a generated file: samples in, (outputs, scores) out, one line about devices."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from batt.differs import BUILT_IN, Candidate, Differ, read_differs, score
from batt.errors import UsageError
from batt.front.batts import BattForm, read_batt_text
from batt.jobs.choice import choose_engine
from batt.jobs.probing import work_of
from batt.jobs.programs import Programs, Ran
from batt.jobs.values import Failed, as_value
from batt.runtime import Limits, Sample, Split, cuda
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import read_options
from batt.tasks.model import counted

Row: TypeAlias = tuple[Any, ...]
Result: TypeAlias = tuple[list[Row], list[Row]]

_TOLD: set[str] = set()


class Running:
    """A batt read from a file, with the programs prepared for each engine."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.file = read_batt_text(text, path)
        self._programs: dict[tuple[Any, ...], Programs] = {}

    @property
    def is_batch(self) -> bool:
        """Tell whether it is written for many samples at once."""
        return self.file.form is BattForm.BATCH

    @cached_property
    def differs(self) -> dict[str, Differ]:
        """Return the differs that it scores with, by name."""
        names = {each.differ for each in self.file.scores}
        found: dict[str, Differ] = {name: differ for name, differ in BUILT_IN.items() if name in names}
        if names - found.keys():
            found.update({each.name: each for each in read_differs(self.text, self.path) if each.name in names})
        for each in self.file.scores:
            if each.differ not in found:
                there = f"there are {', '.join(BUILT_IN)}, and each `def differ_NAME` of the file"
                raise UsageError(f"{each.place}: no differ {each.differ!r}; {there}")
        return found

    @cached_property
    def scored(self) -> list[tuple[int, int]]:
        """Return the numbers of the solver and the differ of every score of the file."""
        solvers = {(entry.step, entry.task): number for number, entry in enumerate(self.file.entries)}
        differs = {name: number for number, name in enumerate(self.differs)}
        found: list[tuple[int, int]] = []
        for each in self.file.scores:
            solver = solvers.get((each.step, each.task or ""))
            if solver is None:
                raise UsageError(f"{each.place}: no output of step {each.step} and task {each.task!r} to score")
            found.append((solver, differs[each.differ]))
        return found

    def run(
        self, columns: Sequence[Sequence[Any]], engine: str, limits: Limits | None, workers: int | None
    ) -> list[Result]:
        """Return (outputs, scores) of each sample. `columns` are task, S, I, C and the path of a log or None."""
        *given, logs = columns
        samples = [
            Sample(task, Split.TEST, at, as_value(shown), as_value(grid), as_value(expected))
            for at, (task, shown, grid, expected) in enumerate(zip(*given, strict=True))
        ]
        if not samples:
            return []
        scored = self.scored  # Refuse what cannot be scored before anything runs.
        ran = self._ran(samples, engine, limits, workers)
        scores = self._scores(samples, scored, ran, limits, workers)
        labels = [(entry.step, entry.task) for entry in self.file.entries]
        outputs = [output_rows(labels, ran.values[at :: len(samples)], each) for at, each in enumerate(samples)]
        results = list(zip(outputs, scores, strict=True))
        for sample, log, result in zip(samples, logs, results, strict=True):
            if log is not None:
                _append_log(Path(log), sample.task, result)
        return results

    def _ran(self, samples: Sequence[Sample], engine: str, limits: Limits | None, workers: int | None) -> Ran:
        """Run every solver on every sample, on the fastest engine."""
        programs = [solver.program for solver in self.file.deck]
        options = read_options(engine=engine, limits=limits, workers=workers)
        work_s = work_of(self.file.deck.programs, Evaluations(samples, len(programs)), options)
        choice = choose_engine(engine, None, work_s, options.workers)
        chosen = choice.engine
        key = chosen, limits, workers
        if key not in self._programs:
            for line in filter(None, (device_line(chosen), choice.note)):
                tell_once(line)
            self._programs[key] = Programs(programs, replace(options, engine=chosen), tell_once)
        return self._programs[key].on(samples)

    def _scores(
        self,
        samples: Sequence[Sample],
        scored: Sequence[tuple[int, int]],
        ran: Ran,
        limits: Limits | None,
        workers: int | None,
    ) -> list[list[Row]]:
        """Score all candidates with all differs at once. Return the scores of each sample in the order of the file."""
        if not self.file.scores:
            return [[] for _ in samples]
        candidates = [Candidate(samples[at % len(samples)], value) for at, value in enumerate(ran.values)]
        found = score([*self.differs.values()], candidates, limits=limits, engine=ran.engine, workers=workers)
        return [
            [
                (each.step, each.task, each.differ, found[solver * len(samples) + at][differ])
                for each, (solver, differ) in zip(self.file.scores, scored, strict=True)
            ]
            for at in range(len(samples))
        ]


def output_rows(labels: Sequence[tuple[int, str]], values: Sequence[Any], sample: Sample) -> list[Row]:
    """Return (step, changed?, task, value) of each solver; `labels` are (step, task), `values` those for `sample`."""
    changed = [not isinstance(value, Failed) and bool(value != sample.input) for value in values]
    return [(step, each, task, value) for (step, task), each, value in zip(labels, changed, values, strict=True)]


def device_line(engine: str) -> str:
    """Return the line that a generated file prints before its first run: the devices, and the engine."""
    why = cuda.missing()
    if why:
        return f"Batt GPU: not available ({why}), using CPU"
    names = [device.name for device in cuda.devices()]
    line = f"Batt GPU: Enabled ({counted(len(names), 'GPU')}, {', '.join(dict.fromkeys(names))})"
    return line if engine == "cuda" else f"{line}; this run is faster on the {engine} engine"


def tell_once(line: str) -> None:
    """Print `line` to standard error unless it was printed before."""
    if line not in _TOLD:
        _TOLD.add(line)
        print(line, file=sys.stderr, flush=True)


def _append_log(path: Path, task: str, result: Result) -> None:
    """Append a JSON row for every solver to a file."""
    rows: list[dict[str, Any]] = []
    scores: dict[tuple[Any, Any], dict[str, Any]] = {}
    for step, source, differ, scored in result[1]:
        scores.setdefault((step, source), {})[differ] = scored[0]
    for step, changed, source, value in result[0]:
        failed = value.kind if isinstance(value, Failed) else None
        given = scores.get((step, source), {})
        rows.append(
            {"task": task, "source": source, "step": step, "changed": changed, "failed": failed, "scores": given}
        )
    try:
        with path.open("a", encoding="utf-8") as file:
            file.writelines([json.dumps(row) + "\n" for row in rows])
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
