"""Check that every program that `batt solve` found gives its answer on every engine.

batt solve arc1-training -c 60 --time 1 --out solved
python benchmarks/reproduced.py solved --engines reference,cpu,cuda

Prints for each engine how many answers come out again. Exits with 1 if an answer does not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import batt
from batt.jobs.matching import match_own
from batt.jobs.prepare import prepare
from batt.jobs.settling import settle
from batt.runtime import Split
from batt.runtime.counts import Counts
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.options import read_options
from batt.solving import Answer, Solutions
from batt.solving.searches.storing import read_search
from batt.states import EngineRun


def stored_solutions(folder: Path) -> Solutions:
    """Return the solutions of a folder."""
    stored = read_search(folder)
    tasks = batt.load_tasks(*stored.request.tasks).select(stored.request.ids)
    return Solutions(tasks, {each.task: each for each in stored.found})


def answers_by_name(solutions: Solutions) -> Iterator[tuple[str, int, Answer]]:
    """Yield the name of each program with the number of a test input, and the answer."""
    names: dict[tuple[str, str], str] = {}
    for solution in solutions:
        texts = dict.fromkeys([answer.source for answers in solution.answers for answer in answers])
        for number, text in enumerate(texts, 1):
            names[solution.task, text] = f"solve_{solution.task}" + (f"_{number}" if number > 1 else "")
        for test, answers in enumerate(solution.answers):
            for answer in answers:
                yield names[solution.task, answer.source], test, answer


def not_reproduced(solutions: Solutions, engine: str) -> tuple[list[str], str]:
    """Return the programs that do not give their answers in a run on an engine, and how many evaluations ran where."""
    deck = solutions.deck()
    evaluations = match_own(deck, solutions.tasks, leave_out=False)
    made, counts = run_on(deck, evaluations, engine)
    values: dict[tuple[str, int], object] = {}
    for number, value in enumerate(made.values):
        solver, place = evaluations.pair(number)
        sample = evaluations.samples[place]
        if sample.part is Split.TEST:
            values[deck.names[solver], sample.index] = value
    wrong = [
        f"{name} on test input {test}"
        for name, test, answer in answers_by_name(solutions)
        if values.get((name, test)) != answer.grid
    ]
    where = f"{counts.on_gpus:,} on GPUs" if engine == "cuda" else f"{counts.native:,} in native code"
    return wrong, f"{len(evaluations):,} evaluations, {where}"


def run_on(deck: batt.Deck, evaluations: Evaluations, engine: str) -> tuple[EngineRun, Counts]:
    """Run a deck on an engine. GPUs get all evaluations: a CPU is done with so few before a GPU is open."""
    options, _ = settle(deck.programs, evaluations, replace(read_options(engine=engine), outputs=True))
    job = Job.plain(deck.programs) if engine == "reference" else prepare(deck.programs, options)
    made = EngineRun(*evaluations.columns(), outputs=True)
    ladder = Ladder(job.on(evaluations), options, observer=made, beside=False)
    ladder.run()
    return made, ladder.counts


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description="Check that programs of a search give their answers again.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engines", default="reference,cpu")
    args = parser.parse_args(argv)
    solutions = stored_solutions(args.folder)
    count = len(list(answers_by_name(solutions)))
    is_whole = True
    for engine in args.engines.split(","):
        wrong, where = not_reproduced(solutions, engine)
        is_whole = is_whole and not wrong
        print(f"{engine}: {count - len(wrong):,} of {count:,} answers come out again ({where})")
        print("".join([f"  {each}\n" for each in wrong[:20]]), end="")
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
