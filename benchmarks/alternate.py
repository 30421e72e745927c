"""Measure two checkouts in turn with `batt bench`, and compare their rates.

python benchmarks/alternate.py OLD NEW [--times 7] [ARGUMENTS OF batt bench]

OLD and NEW are folders of checkouts or git revisions, and come first. Each pair of runs is one of either, in the order
old new new old old new …, so that a machine that slows down or speeds up favours neither. The table has the median and
the quartiles of new ÷ old of the pairs, by case and engine. Outcomes are equal where both have the same numbers of
evaluations by status; `benchmarks/same.py` compares every record.

    python benchmarks/alternate.py 5624f02 . first-132 --engines cpu
    python benchmarks/alternate.py ../old . --growth 6
    python3 benchmarks/alternate.py ../old . --python python3 first-132 --engines cpu,cuda    # environments not needed

Exit codes: 0 ok, 1 a median is below --least or outcomes differ, 2 bad input or a run failed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from checkouts import Checkout, CheckoutError, add_arguments, opened, run, table

OK, SLOWER, BAD_INPUT = 0, 1, 2
TIMES = 7
LEAST = 0.97
NOT_EXACT = "plain"
"""Plain Python is stopped by the clock, so how its evaluations end varies from run to run."""
Figures = dict[str, Any]
"""What `batt bench --json` writes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The rate of an engine on a case in one run, and the evaluations by status where they are known."""

    rate: float
    statuses: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """The rates of an engine on a case. `pairs` counts the pairs of runs in which both checkouts have one."""

    case: str
    engine: str
    pairs: int
    old_per_s: float
    new_per_s: float
    lower_quartile: float
    median: float
    upper_quartile: float
    outcomes_equal: bool | None
    """None where the figures hold no outcomes."""

    def is_ok(self, least: float) -> bool:
        """Whether the new checkout is fast enough, with the same outcomes."""
        return self.median >= least and self.outcomes_equal is not False


def read(figures: Figures) -> dict[tuple[str, str], Measured]:
    """Return what a run measured, by case and engine."""
    found: dict[tuple[str, str], Measured] = {}
    for case in figures.get("cases", ()):
        for column in case["columns"]:
            statuses = None if column["engine"] == NOT_EXACT else column["statuses"]
            found[case["case"], column["engine"]] = Measured(column["evaluations_per_s"], statuses)
    for row in figures.get("growth", {}).get("rows", ()):
        for engine, rate in row["evaluations_per_s"].items():
            # An engine that would take too long has no rate.
            if rate is not None:
                found[f"growth {row['evaluations']:,}", engine] = Measured(rate)
    for row in figures.get("devices", {}).get("rows", ()):
        if row["evaluations_per_s"] is not None:
            found[f"devices {row['devices']}", "cuda"] = Measured(row["evaluations_per_s"])
    return found


def compare(old: Sequence[Figures], new: Sequence[Figures]) -> list[Compared]:
    """Compare the runs of two checkouts pair by pair, for all that both have measured."""
    pairs = [(read(one), read(other)) for one, other in zip(old, new, strict=True)]
    keys = dict.fromkeys([key for one, other in pairs for key in one if key in other])
    return [_compared(*key, [(one[key], other[key]) for one, other in pairs if key in one and key in other])
            for key in keys]  # fmt: skip


def _compared(case: str, engine: str, pairs: Sequence[tuple[Measured, Measured]]) -> Compared:
    ratios = [other.rate / one.rate for one, other in pairs]
    lower, median, upper = quartiles(ratios)
    outcomes = [each.statuses for pair in pairs for each in pair]
    known = [each for each in outcomes if each is not None]
    return Compared(
        case,
        engine,
        len(pairs),
        statistics.median([one.rate for one, _ in pairs]),
        statistics.median([other.rate for _, other in pairs]),
        lower,
        median,
        upper,
        all(each == known[0] for each in known) if known else None,
    )


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    lower, median, upper = statistics.quantiles(values, method="inclusive")
    return lower, median, upper


def only_in_one(old: Sequence[Figures], new: Sequence[Figures]) -> list[str]:
    """Name what one checkout has measured and the other has not."""
    in_old, in_new = ({key for figures in side for key in read(figures)} for side in (old, new))
    return [
        f"only in {label}: {case}, {engine}"
        for label, found in (("old", in_old - in_new), ("new", in_new - in_old))
        for case, engine in sorted(found)
    ]


def differences(checkout: Checkout, figures: Figures) -> list[str]:
    """Return the cases in which a checkout's own engines disagree."""
    found = [case for case in figures.get("cases", ()) if not case["equal"]]
    return [f"{checkout.label}: {case['case']}: outcomes differ between engines" for case in found]


def order(times: int) -> Iterator[tuple[int, int]]:
    """Yield the number of a pair of runs and the place of the checkout to run: 0 1, 1 0, 0 1, …"""
    for number in range(times):
        for place in (0, 1) if number % 2 == 0 else (1, 0):
            yield number, place


def check_options(checkout: Checkout, arguments: Sequence[str]) -> None:
    """Refuse arguments that a checkout's `batt bench` does not take, before anything is measured."""
    command = checkout.batt("bench", *arguments, "--list")
    try:
        run(command, f"{checkout.label}: batt bench", checkout.environment)
    except CheckoutError as error:
        hint = f"the batt of {checkout.folder} does not take these arguments; give those that both take"
        raise CheckoutError(f"{error}\n{checkout.label}: {hint}") from None


def bench(checkout: Checkout, arguments: Sequence[str]) -> Figures:
    """Run `batt bench` of a checkout. Return its figures."""
    with tempfile.TemporaryDirectory(prefix="batt-alternate-") as folder:
        path = Path(folder) / "figures.json"
        command = checkout.batt("bench", *arguments, "--json", str(path))
        # 1 says that its engines disagree, which is told with the figures.
        output = run(command, f"{checkout.label}: batt bench", checkout.environment, allowed=(1,))
        if not path.is_file():
            raise CheckoutError(f"{checkout.label}: batt bench wrote no figures: {' '.join(command)}\n{output}")
        figures: Figures = json.loads(path.read_text("utf-8"))
    if figures.get("skipped"):
        raise CheckoutError(f"{checkout.label}: {'; '.join(figures['skipped'])}")
    try:
        read(figures)
    except KeyError as error:
        raise CheckoutError(f"{checkout.label}: the figures of batt bench have no {error}") from None
    return figures


def measure(
    checkouts: Sequence[Checkout], times: int, arguments: Sequence[str], path: Path | None
) -> tuple[list[Figures], list[Figures]]:
    """Run the checkouts in turn. Return the figures of all runs of either.

    The figures are written to `path` after each pair, so that they outlive a stop.
    """
    old: list[Figures] = []
    new: list[Figures] = []
    for checkout in checkouts:
        check_options(checkout, arguments)
    for done, (_, place) in enumerate(order(times)):
        print(f"run {done + 1} of {2 * times}: {checkouts[place].label}", file=sys.stderr, flush=True)
        (old, new)[place].append(bench(checkouts[place], arguments))
        if path and len(old) == len(new):
            write(path, arguments, old, new)
    return old, new


def write(path: Path, arguments: Sequence[str], old: Sequence[Figures], new: Sequence[Figures]) -> None:
    """Write the comparison and all figures to `path`, as JSON."""
    compared = [asdict(each) for each in compare(old, new)]
    told = {"arguments": list(arguments), "compared": compared, "old": old, "new": new}
    path.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def cells_of(each: Compared, least: float) -> list[str]:
    """Return the row of the table for one engine on one case."""
    rates = [f"{each.old_per_s:,.0f}", f"{each.new_per_s:,.0f}"]
    outcomes = {True: "equal", False: "DIFFERENT", None: "–"}[each.outcomes_equal]
    spread = f"{each.lower_quartile:.3f} – {each.upper_quartile:.3f}"
    mark = "" if each.median >= least else f"below {least:g}"
    return [each.case, each.engine, str(each.pairs), *rates, f"{each.median:.3f}", spread, outcomes, mark]


def read_arguments(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, list[str]]:
    """Read the command line. Return the options, and the arguments that are left for `batt bench`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    add_arguments(parser)
    parser.add_argument("--times", type=int, default=TIMES, metavar="N", help=f"pairs of runs (default: {TIMES})")
    parser.add_argument(
        "--least", type=float, default=LEAST, metavar="RATIO", help=f"the least median ratio (default: {LEAST})"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures as JSON to FILE")
    args, others = parser.parse_known_args(arguments)
    if args.times < 1:
        parser.error(f"--times must be at least 1, got {args.times}")
    return args, others


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the figures."""
    args, others = read_arguments(arguments)
    try:
        with opened(args) as checkouts:
            old, new = measure(checkouts, args.times, others, args.json)
            notes = [
                line
                for checkout, side in zip(checkouts, (old, new), strict=True)
                for figures in side
                for line in differences(checkout, figures)
            ]
    except CheckoutError as error:
        print(f"alternate: {error}", file=sys.stderr)
        return BAD_INPUT
    found = compare(old, new)
    print(f"batt bench {' '.join(others)}: {args.new} ÷ {args.old}")
    heads = ["case", "engine", "pairs", "old/s", "new/s", "new ÷ old", "quartiles", "outcomes", ""]
    print(table([heads, *[cells_of(each, args.least) for each in found]]))
    for line in dict.fromkeys([*notes, *only_in_one(old, new)]):
        print(line)
    return OK if found and not notes and all(each.is_ok(args.least) for each in found) else SLOWER


if __name__ == "__main__":
    sys.exit(main())
