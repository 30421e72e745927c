"""Graphs for people: figures as a table, a node as an expression, a slice or the shared core as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text as TableText

from batt.compiler import Batt, Statistics
from batt.draw import palette
from batt.draw.blocks import ADVANCE, Box, Line, Shape, ShapeBlock, Text
from batt.ir.graph import BY_TRUTH, Graph, Node, NodeKind, Slice
from batt.ir.interpreter import function_position
from batt.report.layers import LayerLayout, lay_out_layers
from batt.types import form

FONT = 13.0
PAD, GAP, TOP, HEIGHT, LAYER = 10.0, 16.0, 60.0, 30.0, 72.0
LABEL_CHARS, TITLE_CHARS = 44, 300
"""The most characters of an expression in a label and in its tooltip."""
CORE_NODES = 40
SHOWN_OPS = 12
PAGE = 1400.0
"""Wider layers continue in another row."""
PARAMETERS = "xyzuvw"


def expression(graph: Graph, number: int, names: Mapping[int, str], limit: int = LABEL_CHARS) -> str:
    """Return a node as a call in the words of the language. Operands in `names` are written by name."""
    text = ""
    # Piece by piece: a function that uses its steps twice each is exponentially long in full.
    for piece in _written(graph, number, names, limit, top=True):
        text += piece
        if len(text) > limit:
            return text[: limit - 1] + "…"
    return text


def _written(graph: Graph, number: int, names: Mapping[int, str], limit: int, top: bool = False) -> Iterator[str]:
    node = graph.nodes[number]
    if not top and number in names:
        yield names[number]
        return
    match node.kind:
        case NodeKind.INPUT:
            yield str(node.value)
        case NodeKind.ARG:
            yield PARAMETERS[node.value] if node.value < len(PARAMETERS) else f"x{node.value}"
        case NodeKind.CONST:
            yield form(node.value, max(16, limit // 3))
        case _:
            operands = [_written(graph, arg, names, limit) for arg in node.args]
            yield from _call(node, operands, [_function(graph, body, limit) for body in node.bodies])


def _call(node: Node, operands: list[Iterator[str]], bodies: list[Iterator[str]]) -> Iterator[str]:
    match node.kind:
        case NodeKind.LOOP:
            assert node.op
            position = function_position(node.op) or 0
            given = operands[: node.op.arity - 1]
            yield from _listed(f"{node.op.name}(", [*given[:position], bodies[0], *given[position:]])
        case NodeKind.SELECT if node.value == BY_TRUTH:
            yield from chain(["if "], operands[0], [": "], bodies[0], [" else "], bodies[1])
        case NodeKind.TUPLE:
            yield from _listed("(", operands)
        case _:
            yield from _listed(f"{node.op.name if node.op else node.kind.value}(", [*bodies, *operands])


def _listed(opening: str, parts: list[Iterator[str]]) -> Iterator[str]:
    yield opening
    for position, part in enumerate(parts):
        if position:
            yield ", "
        yield from part
    yield ")"


def _function(graph: Graph, number: int, limit: int) -> Iterator[str]:
    body = graph.bodies[number]
    yield f"{', '.join(PARAMETERS[: body.params])} -> {expression(graph, body.result, {}, limit)}"


def slice_picture(graph: Graph, each: Slice) -> ShapeBlock:
    """Draw one program: its nodes in layers, each below those it reads."""
    valueless = (NodeKind.CHARGE, NodeKind.LIMIT)
    entries = list(dict.fromkeys(entry for entry in each.entries if graph.nodes[entry].kind not in valueless))
    return _picture(graph, entries, each.name, {each.result})


def core_picture(graph: Graph, fan_out: Mapping[int, int]) -> ShapeBlock:
    """Draw the nodes that most programs share, with the number of programs that run each."""
    shared = sorted(fan_out, key=lambda number: (-fan_out[number], number))[:CORE_NODES]
    title = f"the {len(shared)} most shared steps of {len(graph.slices):,} solvers"
    return _picture(graph, sorted(shared), title, set(), fan_out)


def _picture(
    graph: Graph, entries: Sequence[int], title: str, results: set[int], counts: Mapping[int, int] | None = None
) -> ShapeBlock:
    # Most shared nodes read the input: edges from it would hide all others.
    is_core = counts is not None
    inputs = sorted({arg for n in entries for arg in graph.nodes[n].args if graph.nodes[arg].kind is NodeKind.INPUT})
    shown = [*([] if is_core else inputs), *entries]
    names = {number: f"t{place}" for place, number in enumerate(entries, 1)}
    labels = {n: _label(graph, n, names, counts, LABEL_CHARS) for n in shown}
    widths = {n: len(labels[n]) * FONT * ADVANCE + 2 * PAD for n in shown}
    reads = {n: [arg for arg in dict.fromkeys(graph.nodes[n].args) if arg in widths] for n in shown}
    layout = lay_out_layers(shown, reads, widths, GAP, PAGE)
    width = max(layout.width, len(title) * 16.0 * ADVANCE) + 4 * PAD
    left = (width - layout.width) / 2
    shapes = list(_edge_lines(layout, left, set(inputs)))
    for n, (x, row) in layout.places.items():
        x, y = x + left, TOP + row * LAYER
        fill = palette.CARD if n in inputs else palette.TILE
        stroke = palette.GOOD if n in results else palette.CARD_LINE
        full = _label(graph, n, names, counts, TITLE_CHARS)
        shapes.append(Box(x, y, widths[n], HEIGHT, fill, 6, stroke, full))
        shapes.append(Text(x + PAD, y + 20, labels[n], FONT, palette.TEXT, mono=True, title=full))
    height = TOP + layout.rows * LAYER
    card = Box(0.5, 0.5, width, height, palette.CARD, 12, palette.CARD_LINE)
    return ShapeBlock(width, height, (card, Text(2 * PAD, 34, title, 16, palette.TEXT, bold=True), *shapes))


def _label(graph: Graph, number: int, names: Mapping[int, str], counts: Mapping[int, int] | None, limit: int) -> str:
    if number not in names:
        return expression(graph, number, names, limit)
    count = f"  ×{counts[number]:,}" if counts else ""
    return f"{names[number]} = {expression(graph, number, names, limit)}{count}"


def _edge_lines(layout: LayerLayout, left: float, inputs: set[int]) -> Iterator[Shape]:
    """Yield every edge with an arrowhead; edges from an input are light. Common parts are drawn once."""
    drawn: set[Line] = set()
    for source, points in layout.edges:
        color = palette.CARD_LINE if source in inputs else palette.ARROW
        places = [(x + left, TOP + int(row) * LAYER + (row % 1) * 2 * HEIGHT) for x, row in points]
        lines = [Line(*start, *end, color, 1) for start, end in pairwise(places)]
        for line in (*lines, *_arrowhead(lines[-1])):
            if line not in drawn:
                drawn.add(line)
                yield line


def _arrowhead(line: Line) -> tuple[Line, Line]:
    """Return two strokes back from the end of a line."""
    angle = math.atan2(line.y - line.to_y, line.x - line.to_x)
    ends = [(line.to_x + 7 * math.cos(angle + turn), line.to_y + 7 * math.sin(angle + turn)) for turn in (-0.4, 0.4)]
    first, second = [Line(line.to_x, line.to_y, x, y, line.color, 1) for x, y in ends]
    return first, second


def statistics_table(batt: Batt, figures: Statistics) -> RenderableType:
    """Return a table of how much work a deck shares."""
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    table.add_row("solvers", f"{figures.solvers:,} compiled, {len(figures.left_out):,} not compiled")
    table.add_row("steps in the source", f"{figures.source_steps:,}")
    table.add_row("steps, functions compiled away", f"{figures.steps:,}")
    share = figures.steps / figures.shared_steps if figures.shared_steps else 1.0
    table.add_row("distinct steps", f"{figures.shared_steps:,}: each exists once, {share:.2f} × fewer")
    table.add_row("by level", ", ".join(f"{count:,} {level}" for level, count in figures.levels.items()))
    table.add_row("loop and choice bodies", f"{figures.bodies:,} with {figures.body_steps:,} distinct steps")
    for pattern, count in figures.patterns.items():
        table.add_row(pattern, f"{count:,}")
    most = list(figures.ops.items())[:SHOWN_OPS]
    table.add_row("most frequent", ", ".join(f"{op} {count:,}" for op, count in most))
    if figures.measured_steps:
        costly = list(figures.measured_steps.items())[:SHOWN_OPS]
        table.add_row("most steps, measured", ", ".join(f"{op} {share:.1%}" for op, share in costly))
    lines: list[RenderableType] = [TableText(f"not compiled: {name}: {why}") for name, why in figures.left_out.items()]
    for each in batt.impossible:
        place = batt.deck[each.slice].place
        lines.append(TableText(f"never succeeds: {place.file}:{each.line}: {each.message}"))
    return Group(table, *lines)
