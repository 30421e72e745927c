"""`batt show --graph`: compile a deck into one graph, and show it as figures, text or a picture."""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Sequence
from multiprocessing.connection import Connection

from batt.analysis.measure import Costs, Inputs, measure
from batt.cli.options import read_deck, read_limits, read_tasks
from batt.cli.output import print_rows, tell_note
from batt.compiler import Batt, Statistics, compile_deck, fan_out
from batt.draw.png import png_block
from batt.draw.svg import svg_block
from batt.errors import UsageError
from batt.files import write_bytes, write_text
from batt.ir.graph import Graph
from batt.ir.text import to_text
from batt.jobs import samples_of
from batt.report.graph import core_picture, slice_picture, statistics_table

MEASURED_SAMPLES, MEASURED_STEPS = 6, 100_000


def show_graph(args: argparse.Namespace) -> int:
    """Show the graph of a deck, or the part of it that one solver runs."""
    batt = compile_deck(read_deck(args))
    name = args.what
    if name is not None and name in batt.left_out:
        raise UsageError(f"{name} is not compiled: {batt.left_out[name]}")
    if name is not None:
        batt.deck[name]  # raises an error that suggests close names
    if args.output is not None:
        draw(batt, name, args)
    elif args.json:
        print(json.dumps(figures(batt, args).as_json() if name is None else slice_json(batt, name), indent=2))
    elif name is None:
        print_rows(statistics_table(batt, figures(batt, args)))
    else:
        print(to_text(batt.graph, [name]), end="")
    return 0


def figures(batt: Batt, args: argparse.Namespace) -> Statistics:
    """Return the figures of a deck, with costs measured on a few samples spread evenly over the tasks."""
    samples = samples_of(read_tasks(args))
    chosen = samples[:: max(1, len(samples) // MEASURED_SAMPLES)][:MEASURED_SAMPLES]
    inputs = [(each.demonstrations, each.input, None) for each in chosen]
    return batt.statistics(measured(batt.graph, inputs, read_limits(args).wall_s))


def measured(graph: Graph, inputs: Sequence[Inputs], wall_s: float) -> Costs | None:
    """Measure costs in a process that can be killed, since a deck may be hostile; None if it took too long."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=measure_into, args=(sender, graph, inputs), daemon=True)
    child.start()
    sender.close()
    try:
        if receiver.poll(wall_s):
            found: Costs = receiver.recv()
            return found
        tell_note(f"costs were not measured within {wall_s:g} s (-t) and are left out")
    except EOFError:
        tell_note("costs could not be measured and are left out")
    finally:
        child.kill()
        child.join()
        receiver.close()
    return None


def measure_into(sender: Connection, graph: Graph, inputs: Sequence[Inputs]) -> None:
    """Measure and send the costs, in the child process."""
    sender.send(measure(graph, inputs, MEASURED_STEPS))
    sender.close()


def draw(batt: Batt, name: str | None, args: argparse.Namespace) -> None:
    """Write the picture of a solver's slice or of the shared core, or the text of either."""
    suffix = args.output.suffix.lower()
    if suffix == ".txt":
        write_text(args.output, to_text(batt.graph, None if name is None else [name]))
        return
    each = None if name is None else batt.graph.slice_of(name)
    block = core_picture(batt.graph, fan_out(batt.graph)) if each is None else slice_picture(batt.graph, each)
    if suffix == ".svg":
        write_text(args.output, svg_block(block, name or batt.deck.name))
    elif suffix == ".png":
        write_bytes(args.output, png_block(block))
    else:
        raise UsageError(f"{args.output}: a graph is written as .svg, .png or .txt")


def slice_json(batt: Batt, name: str) -> dict[str, object]:
    """Return one solver's slice as plain data."""
    each = batt.graph.slice_of(name)
    return {
        "name": each.name,
        "entries": list(each.entries),
        "lines": list(each.lines),
        "result": each.result,
        "text": to_text(batt.graph, [name]).splitlines(),
    }
