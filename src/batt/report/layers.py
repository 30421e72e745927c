"""Lay out a graph in layers: every node below those it reads, with edges around nodes instead of behind them.

An edge that passes a row has a slot there, between the nodes. All edges of a node share these slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Slot: TypeAlias = tuple[int, int]
"""A node in its own row, or the path of its edges through a later row: (node, row)."""

Point: TypeAlias = tuple[float, float]

SWEEPS = 6


@dataclass(frozen=True, slots=True)
class LayerLayout:
    """The left side and the row of every node, the total width, and edges as (source, points up to a node).

    A point of an edge is (x, row): a whole row is the upper side of its nodes, a row and a half their lower side.
    """

    places: Mapping[int, tuple[float, int]]
    width: float
    rows: int
    edges: Sequence[tuple[int, Sequence[Point]]]


def lay_out_layers(
    nodes: Sequence[int], reads: Mapping[int, Sequence[int]], widths: Mapping[int, float], gap: float, page: float
) -> LayerLayout:
    """Lay out `nodes`, each after those it reads, with their `widths`; rows are at most `page` wide.

    Nodes without edges come last, in separate rows.
    """
    joined = {n for n in nodes if reads[n]} | {arg for n in nodes for arg in reads[n]}
    layers = _layers([n for n in nodes if n in joined], reads)
    rows = [row for layer in layers for row in _wrapped(layer, widths, gap, page)]
    linked = len(rows)
    rows += _wrapped([n for n in nodes if n not in joined], widths, gap, page)
    row_of = {n: at for at, row in enumerate(rows) for n in row}
    slots = [[(n, at) for n in row] for at, row in enumerate(rows)]
    for source, last in _last_readers(reads, row_of).items():
        for at in range(row_of[source] + 1, last):
            slots[at].append((source, at))
    rooms = {slot: widths[slot[0]] if row_of[slot[0]] == slot[1] else 0.0 for row in slots for slot in row}
    total = max([sum(rooms[slot] + gap for slot in row) - gap for row in slots], default=0.0)
    centres = _centres(slots, _neighbours(reads, row_of), rooms, gap, total, linked)
    places = {n: (centres[n, at] - widths[n] / 2, at) for n, at in row_of.items()}
    return LayerLayout(places, total, len(rows), list(_edges(reads, row_of, centres, widths)))


def _layers(nodes: Sequence[int], reads: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Group nodes by the longest path from those that read nothing."""
    depth: dict[int, int] = {}
    for number in nodes:
        depth[number] = 1 + max([depth[arg] for arg in reads[number]], default=-1)
    layers: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for number in nodes:
        layers[depth[number]].append(number)
    return layers


def _wrapped(layer: Sequence[int], widths: Mapping[int, float], gap: float, page: float) -> list[list[int]]:
    """Split a layer into rows that fit the page."""
    rows: list[list[int]] = []
    used = page + 1
    for number in layer:
        used += widths[number] + gap
        if used > page:
            rows.append([])
            used = widths[number] + gap
        rows[-1].append(number)
    return rows


def _last_readers(reads: Mapping[int, Sequence[int]], row_of: Mapping[int, int]) -> dict[int, int]:
    """Return, by node, the row of the last node that reads it."""
    last: dict[int, int] = {}
    for number, args in reads.items():
        for arg in args:
            last[arg] = max(last.get(arg, 0), row_of[number])
    return last


def _neighbours(reads: Mapping[int, Sequence[int]], row_of: Mapping[int, int]) -> dict[Slot, list[Slot]]:
    """Return, by slot, the slots in the rows above and below that an edge connects to it."""
    found: dict[Slot, list[Slot]] = {}
    for number, args in reads.items():
        for arg in args:
            way = [(arg, at) for at in range(row_of[arg], row_of[number])] + [(number, row_of[number])]
            for upper, lower in pairwise(way):
                found.setdefault(upper, []).append(lower)
                found.setdefault(lower, []).append(upper)
    return {slot: list(dict.fromkeys(others)) for slot, others in found.items()}


def _centres(
    slots: Sequence[list[Slot]],
    neighbours: Mapping[Slot, Sequence[Slot]],
    rooms: Mapping[Slot, float],
    gap: float,
    total: float,
    linked: int,
) -> dict[Slot, float]:
    """Return the middle of every slot: near its neighbours, in an order with few crossing edges."""
    centres: dict[Slot, float] = {}
    for row in slots:
        start = (total - sum(rooms[slot] + gap for slot in row) + gap) / 2
        for slot in row:
            centres[slot] = start + rooms[slot] / 2
            start += rooms[slot] + gap
    for sweep in range(2 * SWEEPS):
        down = sweep % 2 == 0
        for row in slots[:linked] if down else slots[:linked][::-1]:
            wanted = {slot: _wanted(slot, neighbours, centres, down, is_last=sweep >= 2 * SWEEPS - 2) for slot in row}
            row.sort(key=lambda slot: (wanted[slot], slot))
            centres.update(zip(row, _spaced(row, wanted, rooms, gap, total), strict=True))
    return centres


def _wanted(
    slot: Slot, neighbours: Mapping[Slot, Sequence[Slot]], centres: Mapping[Slot, float], down: bool, is_last: bool
) -> float:
    """Return the wanted place of a slot: the mean of its neighbours above or below; in the last sweeps, of all."""
    others = [each for each in neighbours.get(slot, ()) if is_last or (each[1] < slot[1]) == down]
    return sum(centres[each] for each in others) / len(others) if others else centres[slot]


def _spaced(
    row: Sequence[Slot], wanted: Mapping[Slot, float], rooms: Mapping[Slot, float], gap: float, total: float
) -> list[float]:
    """Return middles in the order of the row, as near to `wanted` as non-overlapping slots can be, within the width."""
    # Pack all slots to the left. The wanted shifts from there must not decrease along the row.
    packed: list[float] = []
    at = 0.0
    for slot in row:
        packed.append(at + rooms[slot] / 2)
        at += rooms[slot] + gap
    free = total - at + gap
    blocks: list[tuple[float, int]] = []
    for slot, place in zip(row, packed, strict=True):
        mean, count = wanted[slot] - place, 1
        while blocks and blocks[-1][0] > mean:
            before, length = blocks.pop()
            mean, count = (before * length + mean * count) / (length + count), length + count
        blocks.append((mean, count))
    shifts = [min(max(mean, 0.0), free) for mean, count in blocks for _ in range(count)]
    return [place + shift for place, shift in zip(packed, shifts, strict=True)]


def _edges(
    reads: Mapping[int, Sequence[int]],
    row_of: Mapping[int, int],
    centres: Mapping[Slot, float],
    widths: Mapping[int, float],
) -> Iterator[tuple[int, Sequence[Point]]]:
    """Yield every edge as points: from the lower side of a node, through the rows between, to an upper side."""
    for number, args in reads.items():
        at = row_of[number]
        ordered = sorted(dict.fromkeys(args), key=lambda arg: (centres[arg, at - 1], arg))
        for place, arg in enumerate(ordered, 1):
            points: list[Point] = [(centres[arg, row_of[arg]], row_of[arg] + 0.5)]
            for row in range(row_of[arg] + 1, at):
                points += [(centres[arg, row], row), (centres[arg, row], row + 0.5)]
            # Edges to one node end side by side.
            end = centres[number, at] + widths[number] * (place / (len(ordered) + 1) - 0.5)
            yield arg, [*points, (end, at)]
