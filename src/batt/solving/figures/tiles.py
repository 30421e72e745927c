"""Cut outputs into equal tiles, each of which is the crop of a figure that a test picks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression, call
from batt.solving.figures.editing import fitting_outputs
from batt.solving.figures.measuring import FigureTable
from batt.solving.figures.options import FigureTest, Mask, figure_tests
from batt.solving.figures.picking import PickProblem, crop_hits, one_test_picks, pick_expression
from batt.solving.frame import TaskFrame
from batt.solving.running import Array
from batt.solving.work import Work

TILINGS = ((1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (1, 4), (4, 1), (3, 3))
"""The rows and columns of tiles that outputs are cut into."""
LEAST_TILE = 4
"""The cells of a tile at least."""


@dataclass(frozen=True, slots=True)
class TilePick:
    """The crop that is a tile, its description length, and whether it is found without each demonstration in turn."""

    expression: Expression
    size: int
    is_held: bool


def tiled_candidates(tables: Sequence[FigureTable], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield outputs that are cut into equal tiles, each of which is the crop of a figure that a test picks."""
    for tiling in TILINGS:
        if not all(_is_tiled(target, tiling) for target in frame.targets):
            continue
        for table in tables:
            picked = _picked_tiles(table, tiling, frame, work)
            if picked is None or not work.is_left():
                continue
            rows = [[tile.expression for tile in row] for row in picked]
            made = _joined([_joined(row, "hconcat") for row in rows], "vconcat")
            outputs = fitting_outputs(made, frame, work)
            if outputs is not None:
                tiles = [tile for row in picked for tile in row]
                held_out = all(tile.is_held for tile in tiles) if frame.train > 1 else None
                size = sum([1 + tile.size for tile in tiles])
                yield SearchCandidate(Layer.COLLAGE, made, outputs, size, held_out)


def _is_tiled(target: Array, tiling: tuple[int, int]) -> bool:
    """Tell whether a grid can be cut into `tiling` rows and columns of equal tiles that have several cells each."""
    is_cut = not any(side % parts for side, parts in zip(target.shape, tiling, strict=True))
    return is_cut and target.size >= LEAST_TILE * tiling[0] * tiling[1]


def _picked_tiles(
    table: FigureTable, tiling: tuple[int, int], frame: TaskFrame, work: Work
) -> list[list[TilePick]] | None:
    """Return for each tile a pick, by rows; None if a tile has none."""
    tests: tuple[list[FigureTest], Mask] | None = None
    crops: dict[str, list[Array | None]] = {}
    rows = []
    for row in range(tiling[0]):
        tiles = []
        for column in range(tiling[1]):
            targets = [_tile(target, tiling, (row, column)) for target in frame.targets]
            hits = crop_hits(table, frame, work, targets, crops)
            if not hits:
                return None
            tests = tests or figure_tests(table, table.starts[frame.train], work)
            pick = _shortest(PickProblem(table, frame, hits, *tests))
            if pick is None:
                return None
            tiles.append(pick)
        rows.append(tiles)
    return rows


def _shortest(problem: PickProblem) -> TilePick | None:
    """Return the shortest pick by at most one test."""
    found = []
    for (crop, turn), hit in problem.hits.items():
        for pick, is_held in one_test_picks(problem, hit)[:1]:
            size = sum([problem.tests[at].size for at in pick.tests]) + (turn != "identity")
            found.append((size, pick, crop, turn, is_held))
    if not found:
        return None
    size, pick, crop, turn, is_held = min(found, key=lambda each: each[0])
    return TilePick(pick_expression(problem, pick, crop, turn), size, is_held)


def _tile(target: Array, tiling: tuple[int, int], place: tuple[int, int]) -> Array:
    """Return the tile at a place."""
    height, width = target.shape[0] // tiling[0], target.shape[1] // tiling[1]
    return target[place[0] * height : (place[0] + 1) * height, place[1] * width : (place[1] + 1) * width]


def _joined(parts: Sequence[Expression], name: str) -> Expression:
    """Return grids joined by an op, one after the other."""
    made = parts[0]
    for part in parts[1:]:
        made = call(name, made, part)
    return made
