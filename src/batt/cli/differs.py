"""The option `--differs`, and how scores are shown."""

from __future__ import annotations

import argparse
from typing import Any

from rich.table import Table
from rich.text import Text

from batt.differs import BUILT_IN, Differ, Scores, differs_named, score_results
from batt.front.deck import loaded
from batt.jobs import Results


def add_differs(parser: argparse.ArgumentParser) -> None:
    """Add the option that names differs."""
    parser.add_argument(
        "--differs",
        metavar="NAME,FILE,…",
        help=f"score every output by these differs: {', '.join(BUILT_IN)}, or .py files with your own",
    )


def read_differs(args: argparse.Namespace) -> tuple[Differ, ...]:
    """Return the differs that the option names."""
    return () if args.differs is None else differs_named(args.differs, loaded(args.ops))


def scores_of(results: Results, differs: tuple[Differ, ...], engine: str, args: argparse.Namespace) -> Scores | None:
    """Return the scores of a run, or None if no differ is named."""
    return score_results(results, differs, engine, args.workers, args.gpu_memory) if differs else None


def columns_of(scores: Scores | None) -> dict[str, Any]:
    """Return the columns that the scores add to exported rows."""
    return {} if scores is None else {"scores": scores.texts()}


def scores_table(scores: Scores) -> Table:
    """Return a table with the figures of each differ."""
    table = Table("differ", "scored", "zero", "mean", "without a score", box=None, pad_edge=False, padding=(0, 2))
    for name, figures in scores.summary.items():
        mean = "" if figures["mean"] is None else f"{figures['mean']:,.2f}"
        without = sum(figures["without"].values())
        # As Text, because rich could read a name as markup.
        table.add_row(Text(name), f"{figures['scored']:,}", f"{figures['zero']:,}", mean, f"{without:,}")
    return table
