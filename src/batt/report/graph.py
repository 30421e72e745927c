"""Graphs for people: a node as an expression, and a slice or the shared core as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from batt.draw import palette
from batt.draw.blocks import ADVANCE, Block, Box, Line, Shape, Text
from batt.ir.graph import BY_TRUTH, Graph, Node, NodeKind, Slice
from batt.ir.interpreter import function_position
from batt.types import form

FONT = 13.0
PAD, GAP, LAYER = 10.0, 14.0, 62.0
LABEL_CHARS = 44
CORE_NODES = 40
PAGE = 1400.0
"""Layers wider than this go on in another row."""
PARAMETERS = "xyzuvw"


def expression(graph: Graph, number: int, names: Mapping[int, str], limit: int = LABEL_CHARS) -> str:
    """A node as a call in the language's own words; operands that have a name are written by it."""
    text = _written(graph, number, names, top=True)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _written(graph: Graph, number: int, names: Mapping[int, str], top: bool = False) -> str:
    node = graph.nodes[number]
    if not top and number in names:
        return names[number]
    match node.kind:
        case NodeKind.INPUT:
            return str(node.value)
        case NodeKind.ARG:
            return PARAMETERS[node.value] if node.value < len(PARAMETERS) else f"x{node.value}"
        case NodeKind.CONST:
            return form(node.value, 16)
    operands = [_written(graph, arg, names) for arg in node.args]
    return _call(graph, node, operands)


def _call(graph: Graph, node: Node, operands: list[str]) -> str:
    bodies = [_function(graph, body) for body in node.bodies]
    match node.kind:
        case NodeKind.LOOP:
            assert node.op
            position = function_position(node.op) or 0
            given = operands[: node.op.arity - 1]
            return f"{node.op.name}({', '.join([*given[:position], bodies[0], *given[position:]])})"
        case NodeKind.SELECT if node.value == BY_TRUTH:
            return f"if {operands[0]}: {bodies[0]} else {bodies[1]}"
        case NodeKind.TUPLE:
            return f"({', '.join(operands)})"
    name = node.op.name if node.op else node.kind.value
    return f"{name}({', '.join([*bodies, *operands])})"


def _function(graph: Graph, number: int) -> str:
    body = graph.bodies[number]
    params = ", ".join(PARAMETERS[: body.params])
    return f"{params} -> {expression(graph, body.result, {}, LABEL_CHARS)}"


def slice_picture(graph: Graph, each: Slice) -> Block:
    """One program as a picture: its nodes in layers, each below those it reads."""
    valueless = (NodeKind.CHARGE, NodeKind.LIMIT)
    entries = list(dict.fromkeys(entry for entry in each.entries if graph.nodes[entry].kind not in valueless))
    return _picture(graph, entries, each.name, {each.result})


def core_picture(graph: Graph, fan_out: Mapping[int, int]) -> Block:
    """The nodes that most programs share, with the number of programs that run each."""
    shared = sorted(fan_out, key=lambda number: (-fan_out[number], number))[:CORE_NODES]
    title = f"the {len(shared)} most shared steps of {len(graph.slices):,} solvers"
    return _picture(graph, sorted(shared), title, set(), fan_out)


def _picture(
    graph: Graph, entries: Sequence[int], title: str, results: set[int], counts: Mapping[int, int] | None = None
) -> Block:
    inputs = sorted({arg for n in entries for arg in graph.nodes[n].args if graph.nodes[arg].kind is NodeKind.INPUT})
    shown = [*inputs, *entries]
    names = {number: f"t{place}" for place, number in enumerate(entries, 1)}
    labels = {n: _label(graph, n, names, counts) for n in shown}
    widths = {n: len(labels[n]) * FONT * ADVANCE + 2 * PAD for n in shown}
    rows = [row for layer in _layers(graph, shown) for row in _wrapped(layer, widths)]
    total = max([sum(widths[n] + GAP for n in row) for row in rows] + [len(title) * 16.0 * ADVANCE])
    places = {}
    for depth, row in enumerate(rows):
        x = (total - sum(widths[n] + GAP for n in row)) / 2 + 2 * PAD
        for n in row:
            places[n] = (x, 60 + depth * LAYER)
            x += widths[n] + GAP
    shapes: list[Shape] = list(_edges(graph, shown, places, widths))
    for n in shown:
        x, y = places[n]
        fill = palette.CARD if n in inputs else palette.TILE
        stroke = palette.GOOD if n in results else palette.CARD_LINE
        shapes.append(Box(x, y, widths[n], 30, fill, 6, stroke))
        shapes.append(Text(x + PAD, y + 20, labels[n], FONT, palette.TEXT, mono=True))
    width, height = total + 4 * PAD, 60 + len(rows) * LAYER
    card = Box(0.5, 0.5, width, height, palette.CARD, 12, palette.CARD_LINE)
    return Block(width, height, (card, Text(2 * PAD, 34, title, 16, palette.TEXT, bold=True), *shapes))


def _label(graph: Graph, number: int, names: Mapping[int, str], counts: Mapping[int, int] | None) -> str:
    if number not in names:
        return _written(graph, number, names)
    count = f"  ×{counts[number]:,}" if counts else ""
    return f"{names[number]} = {expression(graph, number, names)}{count}"


def _layers(graph: Graph, shown: Sequence[int]) -> list[list[int]]:
    """Nodes by the longest way from the inputs; within a layer near the middle of what they read."""
    depth: dict[int, int] = {}
    for number in shown:
        depth[number] = 1 + max([depth[arg] for arg in graph.nodes[number].args if arg in depth], default=-1)
    layers: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    middle: dict[int, float] = {}
    for number in shown:
        layers[depth[number]].append(number)
    for layer in layers:
        for place, number in enumerate(layer):
            read = [middle[arg] for arg in graph.nodes[number].args if arg in middle]
            middle[number] = sum(read) / len(read) if read else float(place)
        layer.sort(key=lambda number: (middle[number], number))
        for place, number in enumerate(layer):
            middle[number] = place / max(1, len(layer) - 1) if len(layer) > 1 else 0.5
    return layers


def _wrapped(layer: Sequence[int], widths: Mapping[int, float]) -> list[list[int]]:
    """A layer as rows that fit the page."""
    rows: list[list[int]] = [[]]
    used = 0.0
    for number in layer:
        used += widths[number] + GAP
        if used > PAGE and rows[-1]:
            rows.append([])
            used = widths[number] + GAP
        rows[-1].append(number)
    return rows


def _edges(
    graph: Graph, shown: Iterable[int], places: Mapping[int, tuple[float, float]], widths: Mapping[int, float]
) -> Iterable[Line]:
    for number in shown:
        for arg in dict.fromkeys(graph.nodes[number].args):
            if arg in places:
                (x, y), (to_x, to_y) = places[arg], places[number]
                yield Line(x + widths[arg] / 2, y + 30, to_x + widths[number] / 2, to_y, palette.ARROW, 1)
