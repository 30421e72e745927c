"""Compiling decks: how long, how large, and how it grows.

python benchmarks/compile.py [--count N]
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import batt
from batt.bench import rearc
from batt.bench.frozen import first_132
from batt.codegen.plan import StagePlan, plan
from batt.compiler import compile_programs
from batt.ir.graph import Graph
from batt.ir.writing import source_text
from batt.jobs import samples_of
from batt.runtime import Limits, Sample, outcome_of
from variants import variants

# Steps are counted by the plain Python of the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
from staged import Stages

LIMITS = Limits(steps=200_000, max_items=200_000)


def distinct(graph: Graph) -> int:
    """How many slices differ from all others."""
    return len({(each.entries, each.result) for each in graph.slices})


def megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def executed(graph: Graph, planned: StagePlan, samples: Sequence[Sample]) -> int:
    """The steps that are worked out for all slices on these samples, those of materialised nodes once."""
    stages = Stages(graph, planned, LIMITS.steps, LIMITS.max_items)
    total = 0
    for sample in samples:
        interpreter = stages.interpreter(sample.arguments(3))
        for each in graph.slices:
            outcome_of(lambda: interpreter.run_slice(each), LIMITS)  # noqa: B023
        total += interpreter.executed_steps
    return total


def report_sharing(what: str, graph: Graph, samples: Sequence[Sample]) -> None:
    """Print the steps that are worked out with sharing and without."""
    alone = executed(graph, StagePlan(), samples)
    shared = executed(graph, plan(graph), samples)
    print(f"{what} on {len(samples)} samples: {alone:,} steps executed without sharing, {shared:,} with it,")
    print(f"  {alone / shared:.2f} × fewer")


def main() -> None:
    """Compile the decks and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000, help="variants to compile")
    args = parser.parse_args()
    started_s = time.perf_counter()
    verifiers, own = rearc.verifiers(), first_132()
    read_s = time.perf_counter() - started_s
    started_s = time.perf_counter()
    made = compile_programs([(solver.name, solver.program) for deck in (verifiers, own) for solver in deck])
    took_s = time.perf_counter() - started_s
    print(f"{len(verifiers)} verifiers and {len(own)} solvers: read in {read_s:.2f} s, compiled in {took_s:.2f} s,")
    print(f"  {len(made.graph.nodes):,} nodes, {len(made.graph.bodies):,} bodies; left out: {dict(made.left_out)}")
    samples = samples_of(batt.load_tasks("arc1-training"))[::200]
    report_sharing("  both decks", made.graph, samples)
    for count in (args.count // 4, args.count // 2, args.count):
        sources = {name: source_text(program, name) for name, program in variants((verifiers, own), count)}
        started_s = time.perf_counter()
        deck = batt.Deck.from_sources(sources)
        parsed_s = time.perf_counter() - started_s
        made = compile_programs([(solver.name, solver.program) for solver in deck])
        took_s = time.perf_counter() - started_s
        entries = sum(len(each.entries) for each in made.graph.slices)
        print(f"{count:,} variants: parsed in {parsed_s:.1f} s, compiled in {took_s - parsed_s:.1f} s,")
        print(f"  {took_s:.1f} s in all, {distinct(made.graph) / len(made.graph.slices):.1%} distinct,")
        print(f"  {len(made.left_out):,} left out, {entries:,} entries are {len(made.graph.nodes):,} nodes,")
        print(f"  {megabytes():,.0f} MB at most")
    few = compile_programs(list(variants((verifiers, own), args.count // 10)))
    report_sharing(f"{args.count // 10:,} variants", few.graph, samples[::3])


if __name__ == "__main__":
    main()
