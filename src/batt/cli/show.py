"""`batt show`: draw a task, a solver, a solver's result on a task, a whole deck, or the graph that it compiles into."""

from __future__ import annotations

import argparse
from typing import Any

from rich.syntax import Syntax

from batt.cli import options
from batt.cli.command import add_command
from batt.cli.graph import show_graph
from batt.cli.output import console, print_rows, rows_text
from batt.cli.targets import task_sources
from batt.draw import Picture
from batt.errors import UsageError
from batt.files import write_text
from batt.front import Solver
from batt.jobs import own_task, show_result
from batt.report.gallery import gallery_page, gallery_table
from batt.runtime import Limits
from batt.tasks import Tasks


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "show",
        summary="draw a task, a solver, a result or a deck",
        description="Draw a task, a solver's source and result, a deck for browsing, or the graph that a deck "
        "compiles into.",
        examples=(
            "batt show 007bbfb7",
            "batt show solve_007bbfb7 007bbfb7 -o result.svg",
            "batt show --deck -o gallery.html",
            "batt show --graph --deck solvers.py",
        ),
    )
    parser.add_argument(
        "what",
        nargs="?",
        metavar="TASK|SOLVER",
        help="a task's id or a solver's name; without it, --deck alone lists a deck",
    )
    parser.add_argument("task", nargs="?", metavar="TASK", help="the task on which to show the solver's result")
    options.add_deck(parser, positional=False, bare=True)
    options.add_tasks(parser)
    options.add_limits(parser)
    options.add_picture(parser)
    parser.add_argument(
        "--graph", action="store_true", help="show the compiled graph of the whole deck, or of one SOLVER"
    )
    parser.add_argument(
        "--json", action="store_true", help="with --graph: print the figures, or one solver's part, as JSON"
    )
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Draw the named task, solver, result, deck or graph."""
    if args.graph:
        if args.task is not None:
            raise UsageError("--graph shows a deck or one of its solvers, not a task")
        return show_graph(args)
    if args.json:
        raise UsageError("--json needs --graph")
    if args.what is None:
        if args.deck is None:
            raise UsageError("name a task or a solver, or use --deck to list a deck, or --graph")
        return show_deck(args)
    limits, tasks = options.read_limits(args), options.read_tasks(args)
    if args.task is None and args.what in tasks:
        return options.deliver(Picture(tasks[args.what].scene()), args)
    deck = options.read_deck(args)
    if args.task is None and args.what not in deck:
        raise UsageError(
            f"{args.what!r} is neither a task of {', '.join(task_sources(args))} nor a solver of {deck.name}"
        )
    solver = deck[args.what]
    if args.task is not None:
        return options.deliver(show_result(solver, tasks[args.task], limits), args)
    return show_solver(solver, tasks, limits, args)


def show_deck(args: argparse.Namespace) -> int:
    """Print a table of the solvers of a deck, or write it as a page for browsing."""
    suffix = None if args.output is None else args.output.suffix.lower()
    if suffix not in (None, ".html", ".txt"):
        raise UsageError(f"{args.output}: a deck is drawn as .html or .txt")
    deck = options.read_deck(args)
    if suffix is None:
        print_rows(gallery_table(deck))
    elif suffix == ".html":
        write_text(args.output, gallery_page(deck, options.read_tasks(args)))
    else:
        write_text(args.output, rows_text(gallery_table(deck)))
    return 0


def show_solver(solver: Solver, tasks: Tasks, limits: Limits, args: argparse.Namespace) -> int:
    """Show a solver's source and, on a terminal, its result on the task in its name.

    Outside a terminal print the source alone, so that `batt show SOLVER > mine.py` writes a deck.
    """
    own = own_task(solver.name, tasks.ids)
    if args.output is not None and args.output.suffix == ".py":
        write_text(args.output, solver.source)
        return 0
    if args.output is None:
        out = console()
        if not out.is_terminal:
            print(solver.source, end="")
            return 0
        out.print(Syntax(solver.source, "python", theme="ansi_dark", background_color="default", word_wrap=True))
    elif own is None:
        raise UsageError(
            f"{solver.name} names none of the tasks; give a task to draw its result: batt show SOLVER TASK"
        )
    return options.deliver(show_result(solver, tasks[own], limits), args) if own else 0
