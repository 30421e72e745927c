"""`batt ops`: list the primitives and the new words, or explain one with its example."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from batt.cli.command import add_command
from batt.cli.options import add_ops
from batt.cli.output import print_rows
from batt.errors import UsageError
from batt.ops import EVERY_OP, OWN, WORDS, WORDS_LINE, Op, families, groups
from batt.ops.python import call_text
from batt.own import load_ops
from batt.source import did_you_mean


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "ops",
        summary="list the primitives and new words, or explain one",
        description="List the primitives of the language by family, then the new words, or explain one with its "
        "signatures and an example.",
        examples=("batt ops", "batt ops objects"),
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the primitive to explain (default: list them all)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_ops(parser)
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Print the table or one entry."""
    own = load_ops(args.ops) if args.ops else {}
    known: dict[str, Op] = {**EVERY_OP, **own}
    if args.name is not None and args.name not in known:
        raise UsageError(f"no primitive {args.name!r}{did_you_mean(args.name, known)}")
    chosen = [known[args.name]] if args.name else list(known.values())
    if args.json:
        print(json.dumps([entry(each) for each in chosen], indent=2))
    elif args.name:
        print(explain(chosen[0]))
    else:
        by_family = {name: ops for group in groups() for name, ops in families(group).items()}
        print_rows(op_table({**by_family, **({OWN: list(own.values())} if own else {})}))
    return 0


def entry(op: Op) -> dict[str, Any]:
    """Return one op as plain data."""
    return {
        "name": op.name,
        "family": op.family,
        "group": op.group,
        "params": list(op.params),
        "signatures": [str(signature) for signature in op.signatures],
        "doc": op.doc,
        "cost": op.cost_text,
        "examples": [{"call": example.call, "gives": example.gives} for example in op.examples],
    }


def explain(op: Op) -> str:
    """Return one op as text."""
    lines = [f"{call_text(op)}    family: {op.family}", "", op.doc, ""]
    lines += [f"    {op.name}: {signature}" for signature in op.signatures]
    lines += ["", f"step cost: {op.cost_text}", ""]
    if op.group == WORDS:
        lines += [f"a new word: a deck has it after the line `{WORDS_LINE}`"]
        lines += ["it reads the demonstrations: see `batt run --leave-out`"] * op.reads_demonstrations
        lines += [""]
    for example in op.examples:
        lines += [f"    >>> {example.call}", f"    {example.gives}"]
    return "\n".join(lines)


def op_table(by_family: Mapping[str, Sequence[Op]]) -> Table:
    """Return a table of ops by family, a line each."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("family", "op", "what it does"):
        table.add_column(heading, no_wrap=heading != "what it does")
    for family, members in by_family.items():
        for position, op in enumerate(members):
            mark = " (new words)" if op.group == WORDS else ""
            table.add_row("" if position else f"{family}{mark}", call_text(op), op.doc.split("\n")[0])
    return table
