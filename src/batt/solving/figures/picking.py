"""Pick a figure: the output is the crop of the figure that passes one test or two, perhaps turned or mirrored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression, call
from batt.solving.figures.editing import fitting_outputs
from batt.solving.figures.figures import figure_program
from batt.solving.figures.measuring import FigureTable
from batt.solving.figures.options import FigureTest, Mask, figure_tests
from batt.solving.frame import TaskFrame
from batt.solving.parts import without
from batt.solving.running import Array
from batt.solving.work import PRODUCT_UNITS, Work

KEPT_PICKS = 6
"""The picks of one crop that are kept."""
CROP_UNITS = 4_000
"""The units of work to compare a crop of a figure with the output."""
COMPARED_UNITS = 1_000
"""The units of work to compare a crop that is made in all turns."""
TWO_TESTS = 250
"""The tests that are tried in pairs."""

TURNS: dict[str, Callable[[Array], Array]] = {
    "identity": lambda grid: grid,
    "vmirror": lambda grid: grid[:, ::-1],
    "hmirror": lambda grid: grid[::-1],
    "dmirror": lambda grid: grid.T,
    "cmirror": lambda grid: grid[::-1, ::-1].T,
    "rot90": lambda grid: np.rot90(grid, -1),
    "rot180": lambda grid: grid[::-1, ::-1],
    "rot270": lambda grid: np.rot90(grid),
}
"""The turns of a crop, by the op of the language."""
CROPS = ("box", "alone", "on_ground", "inner", "wide")


@dataclass(frozen=True, slots=True, eq=False)
class PickProblem:
    """The figures of a table, and for each way to crop one the figures of demonstrations whose crop is the output."""

    table: FigureTable
    frame: TaskFrame
    hits: dict[tuple[str, str], Mask]
    tests: list[FigureTest]
    masks: Mask

    def demonstrations(self) -> Iterator[slice]:
        """Yield where the figures of each demonstration are."""
        for at in range(self.frame.train):
            yield slice(self.table.starts[at], self.table.starts[at + 1])


@dataclass(frozen=True, slots=True)
class FigurePick:
    """The tests that the figure passes, by number, and whether it must fail them instead."""

    tests: tuple[int, ...]
    fails: tuple[bool, ...]


def pick_candidates(tables: Iterable[FigureTable], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield crops of figures that fit the demonstrations."""
    for table in tables:
        hits = crop_hits(table, frame, work)
        if not hits:
            continue
        problem = PickProblem(table, frame, hits, *figure_tests(table, table.starts[frame.train], work))
        for crop, turn in hits:
            yield from _picks(problem, crop, turn, work)


def _picks(problem: PickProblem, crop: str, turn: str, work: Work) -> Iterator[SearchCandidate]:
    """Yield the picks of one crop that fit, the shortest first."""
    hit = problem.hits[crop, turn]
    good = one_test_picks(problem, hit) or two_test_picks(problem, hit, work)
    seen: set[object] = set()
    for number, (pick, is_held) in enumerate(good[:KEPT_PICKS]):
        if not work.is_left():
            return
        expression = pick_expression(problem, pick, crop, turn)
        outputs = fitting_outputs(expression, problem.frame, work)
        if outputs is None or outputs in seen:
            continue
        seen.add(outputs)
        size = 1 + (crop != "box") + (turn != "identity") + sum([problem.tests[at].size for at in pick.tests])
        held_out = (is_held if not number else None) if problem.frame.train > 1 else None
        yield SearchCandidate(Layer.PICK, expression, outputs, size, held_out)


def one_test_picks(problem: PickProblem, hit: Mask) -> list[tuple[FigurePick, bool]]:
    """Return the picks by no test or one that fit, the shortest first, and whether each holds out."""
    shown = len(hit)
    every = np.ones((1, shown), bool)
    masks = np.concatenate([every, problem.masks[:, :shown], ~problem.masks[:, :shown]])
    count = len(problem.tests)
    picks = [FigurePick((), ())]
    picks += [FigurePick((at,), (False,)) for at in range(count)] + [FigurePick((at,), (True,)) for at in range(count)]
    sizes = np.array([0, *[test.size for test in problem.tests], *[test.size + 1 for test in problem.tests]])
    right = np.stack([_is_right(masks[:, part], hit[part]) for part in problem.demonstrations()], axis=1)
    return _ranked(picks, sizes, right)


def two_test_picks(problem: PickProblem, hit: Mask, work: Work) -> list[tuple[FigurePick, bool]]:
    """Return the picks by two tests that fit, the shortest first, and whether each holds out."""
    masks = problem.masks[:TWO_TESTS, : len(hit)].astype(np.float32)
    work.spend(2 * masks.size * len(masks) * PRODUCT_UNITS)
    parts = list(problem.demonstrations())
    right = np.stack([_are_right(masks[:, part], hit[part]) for part in parts], axis=-1)
    pairs = [(a, b) for a, b in np.argwhere(right.sum(axis=-1) >= len(parts) - 1).tolist() if a < b]
    sizes = np.array([problem.tests[a].size + problem.tests[b].size for a, b in pairs], np.int64)
    picks = [FigurePick((a, b), (False, False)) for a, b in pairs]
    return _ranked(picks, sizes, np.array([right[pair] for pair in pairs], bool).reshape(-1, len(parts)))


def _is_right(masks: Mask, hit: Mask) -> Mask:
    """Tell for each test whether some figures pass, and all of them are hits."""
    some, missed = masks.any(axis=1), (masks & ~hit[None]).any(axis=1)
    return np.logical_and(some, ~missed)


def _are_right(masks: npt.NDArray[np.float32], hit: Mask) -> Mask:
    """Tell for each pair of tests whether some figures pass both, and all of them are hits."""
    missed, passed = masks[:, ~hit], masks[:, hit]
    made: Mask = np.logical_and(missed @ missed.T == 0, passed @ passed.T > 0)
    return made


def _ranked(picks: list[FigurePick], sizes: npt.NDArray[np.int64], right: Mask) -> list[tuple[FigurePick, bool]]:
    """Return the picks that are right for all demonstrations, the shortest first.

    A pick holds out if, without any one demonstration, the shortest that is right for the others is right for it.
    """
    order = np.argsort(sizes, kind="stable")
    train = right.shape[1]
    holds = all(_first_without(right[order], at) for at in range(train))
    return [(picks[at], holds) for at in order.tolist() if right[at].all()]


def _first_without(right: Mask, left_out: int) -> bool:
    others = np.delete(right, left_out, axis=1).all(axis=1)
    return bool(others.any() and right[int(others.argmax()), left_out])


def crop_hits(
    table: FigureTable,
    frame: TaskFrame,
    work: Work,
    targets: Sequence[Array] | None = None,
    known: dict[str, list[Array | None]] | None = None,
) -> dict[tuple[str, str], Mask]:
    """Return the crops and turns that give the output, or other `targets`, for some figure of each demonstration.

    Crops that are `known` are not made again.
    """
    shown = table.starts[frame.train]
    wanted = frame.targets if targets is None else targets
    made = {} if known is None else known
    found: dict[tuple[str, str], Mask] = {}
    for crop in CROPS:
        if crop not in made:
            made[crop] = [cropped(table, figure, crop) for figure in range(shown)]
            work.spend(shown * CROP_UNITS)
        crops = made[crop]
        work.spend(shown * COMPARED_UNITS)
        for turn, turned in TURNS.items():
            hit = np.zeros(shown, bool)
            for figure, sample in enumerate(table.sample_of[:shown].tolist()):
                value = crops[figure]
                hit[figure] = value is not None and np.array_equal(turned(value), wanted[sample])
            parts = [hit[table.starts[at] : table.starts[at + 1]] for at in range(frame.train)]
            if all(part.any() for part in parts) and not any((hit == known).all() for known in found.values()):
                found[crop, turn] = hit
    return found


def cropped(table: FigureTable, figure: int, crop: str) -> Array | None:
    """Return the crop of a figure as the program of the deck gives it, or None."""
    sample = int(np.searchsorted(table.starts, figure, side="right")) - 1
    grid = table.base.values[sample]
    owner = table.itself[table.cells[sample] : table.cells[sample + 1]].reshape(grid.shape)
    rows, columns = np.nonzero(owner == figure)
    if not len(rows):
        return None
    wide = int(crop == "wide") - int(crop == "inner")
    box = slice(rows.min() - wide, rows.max() + 1 + wide), slice(columns.min() - wide, columns.max() + 1 + wide)
    if box[0].start < 0 or box[1].start < 0 or box[0].stop > grid.shape[0] or box[1].stop > grid.shape[1]:
        return None
    made: Array = grid[box]
    if crop in ("alone", "on_ground"):
        ground = 0 if crop == "alone" else int(np.bincount(grid.ravel()).argmax())
        made = np.where(owner[box] == figure, made, ground).astype(np.uint8)
    return made if made.size else None


def pick_expression(problem: PickProblem, pick: FigurePick, crop: str, turn: str) -> Expression:
    """Return a pick as an expression."""
    table = problem.table
    kept, base = table.figures, table.base.expression
    for at, fails in zip(pick.tests, pick.fails, strict=True):
        passing = problem.tests[at].passing(kept, table.figures, base)
        kept = without(kept, passing) if fails else passing
    made = Expression(figure_program(f"crop_{crop}"), (table.figures, base, call("first", kept)))
    return made if turn == "identity" else call(turn, made)
