"""The printed form of graphs.

    %0 = input I
    %1 = const (0, 1)
    %2 = arg 0
    %3 = call fgpartition(%0) : objects
    %4 = arg 1
    %5 = call shift(%2, %4)
    @0 = body(1): %5 -> %5
    %6 = loop apply[@0](%3; %1)
    solve_a: 2: %3 3: %6 -> %6

A node is `number = kind detail[bodies](operands) : hint`; operands after a semicolon go to the bodies. A body has its
parameters, entries and result; a slice too, with each source line before the entries that it holds.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable

from batt.ir.graph import Graph, Node, NodeKind, Slice, reached
from batt.types import form

_BARE_NAME = re.compile(r"[^\W\d]\w*")
_WITHOUT_DETAIL = (NodeKind.TUPLE, NodeKind.REPEAT, NodeKind.INVOKE, NodeKind.COUNT)


def to_text(graph: Graph, slices: Iterable[str] | None = None) -> str:
    """Return the graph as text, or only what `slices` reach. Numbers are those of the whole graph."""
    chosen = graph.slices if slices is None else [graph.slice_of(name) for name in slices]
    numbers = range(len(graph.nodes)) if slices is None else sorted(reached(graph, chosen))
    lines: list[str] = []
    shown: set[int] = set()
    for number in numbers:
        node = graph.nodes[number]
        lines += [_body_text(graph, body) for body in dict.fromkeys(node.bodies) if body not in shown]
        shown.update(node.bodies)
        lines.append(node_text(number, node) + (f" : {graph.hints[number]}" if graph.hints else ""))
    if slices is None:
        lines += [_body_text(graph, body) for body in range(len(graph.bodies)) if body not in shown]
    return "".join([line + "\n" for line in [*lines, *map(_slice_text, chosen)]])


def node_text(number: int, node: Node) -> str:
    """Return one node as a line, without its hint."""
    detail = ""
    if node.op is not None:
        detail = f" {node.op.name}"
    elif node.kind not in _WITHOUT_DETAIL:
        detail = f" {node.value if isinstance(node.value, str) else form(node.value, sys.maxsize)}"
    bodies = f"[{', '.join([f'@{body}' for body in node.bodies])}]" if node.bodies else ""
    has_operands = node.args or node.op is not None or node.kind in _WITHOUT_DETAIL
    return f"%{number} = {node.kind.value}{detail}{bodies}{_operands_text(node) if has_operands else ''}"


def _operands_text(node: Node) -> str:
    names, own = [f"%{arg}" for arg in node.args], node.own_operands
    semicolon = "; " if 0 < own < len(names) else ""
    return f"({', '.join(names[:own])}{semicolon}{', '.join(names[own:])})"


def _body_text(graph: Graph, number: int) -> str:
    body = graph.bodies[number]
    return " ".join([f"@{number} = body({body.params}):", *[f"%{each}" for each in body.entries], f"-> %{body.result}"])


def _slice_text(each: Slice) -> str:
    words = [f"{each.name if _BARE_NAME.fullmatch(each.name) else json.dumps(each.name)}:"]
    lines = each.lines if len(each.lines) == len(each.entries) else [None] * len(each.entries)
    before = None
    for entry, line in zip(each.entries, lines, strict=True):
        words += [f"%{entry}"] if line == before else [f"{line}:", f"%{entry}"]
        before = line
    return " ".join([*words, f"-> %{each.result}"])
