"""`batt cache`: show, prune or clear the cache of outcomes; and the options of runs that use it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

from batt.cache import MOST_BYTES
from batt.cli.command import add_command
from batt.cli.output import print_rows
from batt.errors import UsageError

if TYPE_CHECKING:
    from batt.cache import ResultCache

GIB, MIB = 1 << 30, 1 << 20


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "cache",
        summary="show, prune or clear the cache of outcomes",
        description="Show what the cache of `batt run --cache` holds, remove what is old, or remove everything.",
        examples=("batt cache", "batt cache prune --size 0.5"),
    )
    parser.set_defaults(execute=show, json=False)
    parts = parser.add_subparsers(dest="what", metavar="show|prune|clear", required=False)
    shown = add_command(
        parts,
        "show",
        summary="show what the cache holds",
        description="Show the file of the cache, its size, and how many evaluations it holds.",
        examples=("batt cache show", "batt cache show --json"),
    )
    shown.set_defaults(execute=show)
    pruned = add_command(
        parts,
        "prune",
        summary="remove what is old",
        description="Remove what this version of batt cannot use, then what was used least recently, until the file "
        "has at most the given size.",
        examples=("batt cache prune", "batt cache prune --size 0.5"),
    )
    pruned.add_argument(
        "--size", type=size_bytes, default=MOST_BYTES, metavar="GIB",
        help=f"the most bytes that stay (default: {MOST_BYTES / GIB:g})",
    )  # fmt: skip
    pruned.set_defaults(execute=prune)
    cleared = add_command(
        parts,
        "clear",
        summary="remove everything",
        description="Remove all outcomes from the cache. The next run computes everything.",
        examples=("batt cache clear", "batt cache clear --json"),
    )
    cleared.set_defaults(execute=clear)
    for each in (shown, pruned, cleared):
        each.add_argument("--json", action="store_true", help="print JSON")


def size_bytes(text: str) -> int:
    """Read a size in GiB."""
    try:
        size = int(float(text) * GIB)
    except (ValueError, OverflowError):
        size = -1
    if size < 0:
        raise argparse.ArgumentTypeError(f"a size in GiB, such as 0.5 or 4, not {text!r}")
    return size


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Add the options of runs that use the cache."""
    parser.add_argument(
        "--cache", action=argparse.BooleanOptionalAction, default=False,
        help="take outcomes of earlier runs from the cache, and put new ones there; no outcome depends on it",
    )  # fmt: skip
    parser.add_argument(
        "--cache-size", type=size_bytes, metavar="GIB",
        help="the most bytes of the cache; what was used least recently goes first "
        f"(default: {MOST_BYTES / GIB:g})",
    )  # fmt: skip


def read_cache(args: argparse.Namespace) -> ResultCache | bool:
    """Return the cache that the options ask for; False if they ask for none."""
    if not args.cache:
        if args.cache_size is not None:
            raise UsageError("--cache-size needs --cache")
        return False
    from batt.cache import ResultCache

    return ResultCache(most_bytes=MOST_BYTES if args.cache_size is None else args.cache_size)


def show(args: argparse.Namespace) -> int:
    """Print what the cache holds."""
    from batt.cache import ResultCache, cache_file

    with ResultCache() as cache:
        figures = {"file": str(cache_file()), **asdict(cache.figures())}
    if args.json:
        print(json.dumps(figures, indent=2))
        return 0
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_row("file", figures["file"])
    table.add_row("size", f"{figures['file_bytes'] / MIB:,.1f} MiB")
    table.add_row("evaluations", f"{figures['evaluations']:,} in {figures['columns']:,} columns")
    table.add_row("usable", f"{figures['usable']:,} of them are of this version of batt")
    print_rows(table)
    return 0


def prune(args: argparse.Namespace) -> int:
    """Remove what is old, and print what is left."""
    from batt.cache import ResultCache

    with ResultCache() as cache:
        cache.prune(args.size)
    return show(args)


def clear(args: argparse.Namespace) -> int:
    """Remove everything."""
    from batt.cache import ResultCache

    with ResultCache() as cache:
        cache.clear()
    return show(args)
