"""Greedy layers: few images laid on one another give the output. Chosen by the cells that they get right.

A layer shows some cells of an image: those that are not black, those that are black, or, at the bottom, all. No cell
that a layer is the first to show may be wrong in a demonstration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import blackened, laid_on
from batt.solving.running import Array
from batt.solving.states.images import Handles, TaskImages
from batt.solving.views import COLOURS, ColourView
from batt.solving.work import Work
from batt.types.kinds import Grid, Pair

MOST_LAYERS = 4
POOL = 20_000
"""The images that are tried as layers."""
AT_ONCE = 2_000
"""The images whose cells are compared with the outputs at once."""
BEAM = 6
"""The stacks that are kept at each number of layers."""
BRANCHES = 4
"""The layers that are tried on top of each stack: those that show most cells."""
SIMPLE = 400
"""The images that come first in the pool: half of the layers that are tried are from these."""
KEPT = 4
WORD_UNITS = 6.0
"""The units of work for 64 cells of an image."""

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class ImageLayer:
    """A layer: the place of an image in the pool, and whether its cells that are not black show, or the black ones."""

    image: int
    is_drawn: bool


@dataclass(frozen=True, slots=True, eq=False)
class LayerStack:
    """Layers from the top, the image that shows below them, and the cells that the layers do not show."""

    layers: tuple[ImageLayer, ...]
    open_cells: Words
    bottom: int = -1


class LayerPool:
    """Images of one size as bits: where they are right, and where they are not black.

    Stacks are looked for until this `share` of the work is done.
    """

    def __init__(self, cells: Array, target: Array, steps: Sequence[int], work: Work, share: float = 1.0) -> None:
        self.work = work
        self.share = share
        self.steps = steps
        self.right = packed(cells == target[None])
        self.drawn = packed(cells != 0)
        self.all_cells = packed(np.ones((1, len(target)), bool))[0]

    def bottoms(self, open_cells: Words) -> list[int]:
        """Return the first images that are right in all these cells."""
        self.work.spend(self.right.size * WORD_UNITS)
        is_right = ~(~self.right & open_cells).any(axis=1)
        found: list[int] = np.flatnonzero(is_right)[:KEPT].tolist()
        return found

    def extended(self, stack: LayerStack) -> Iterator[LayerStack]:
        """Yield the stack with one more layer: those that show most open cells, and none of them wrong."""
        self.work.spend(3 * self.right.size * WORD_UNITS)
        for is_drawn in (True, False):
            shown = (self.drawn if is_drawn else ~self.drawn) & stack.open_cells
            legal = np.flatnonzero(~(shown & ~self.right).any(axis=1))
            gains = count_bits(shown[legal])
            for group in (slice(None), slice(0, int(np.searchsorted(legal, SIMPLE)))):
                best = np.argsort(-gains[group], kind="stable")[: BRANCHES // 2]
                for at in best[gains[best] > 0].tolist():
                    layer = ImageLayer(int(legal[at]), is_drawn)
                    yield LayerStack((*stack.layers, layer), stack.open_cells & ~shown[legal[at]])

    def length(self, stack: LayerStack) -> int:
        """Return about how long a stack is as a program."""
        return sum([self.steps[each.image] for each in stack.layers], self.steps[stack.bottom])

    def is_hopeless(self, limit: int) -> bool:
        """Tell whether no stack of `limit` layers fits: layers that are not wrong are all taken, again and again."""
        open_cells = self.all_cells
        for _ in range(limit):
            if self.bottoms(open_cells):
                return False
            before = open_cells
            for drawn in (self.drawn, ~self.drawn):
                shown = drawn & before
                legal = ~(shown & ~self.right).any(axis=1)
                open_cells = open_cells & ~np.bitwise_or.reduce(shown[legal], axis=0)
            self.work.spend(3 * self.right.size * WORD_UNITS)
            if (open_cells == before).all():
                return True
        return not self.bottoms(open_cells)

    def stacks(self, most: int = MOST_LAYERS) -> list[LayerStack]:
        """Return stacks that are right in all cells, with as few layers as a beam finds."""
        beam = [LayerStack((), self.all_cells)]
        for _ in range(most + 1):
            found = [
                LayerStack(stack.layers, stack.open_cells, bottom)
                for stack in beam
                for bottom in self.bottoms(stack.open_cells)
            ]
            if found:
                return sorted(found, key=self.length)[:KEPT]
            longer = {each.open_cells.tobytes(): each for stack in beam for each in self.extended(stack)}
            beam = sorted(longer.values(), key=lambda each: int(count_bits(each.open_cells[None])[0]))[:BEAM]
            if not beam or not self.work.is_left(self.share):
                break
        return []


def packed(cells: npt.NDArray[np.bool_]) -> Words:
    """Return rows of bits as rows of words, the last filled up with zeros."""
    padded = np.zeros((len(cells), -(-cells.shape[1] // 64) * 64), bool)
    padded[:, : cells.shape[1]] = cells
    return np.packbits(padded, axis=1).view(np.uint64)


_BITS = np.array([bin(number).count("1") for number in range(1 << 16)], np.uint8)


def count_bits(words: Words) -> npt.NDArray[np.int64]:
    """Count the bits of each row."""
    found: npt.NDArray[np.int64] = _BITS[np.ascontiguousarray(words).view(np.uint16)].sum(axis=1, dtype=np.int64)
    return found


def shown_cells(stack: LayerStack, cells: Array) -> Array:
    """Return the cells that a stack shows, of the cells of all images of its pool."""
    made: Array = cells[stack.bottom].copy()
    for layer in reversed(stack.layers):
        own = cells[layer.image]
        mask = (own != 0) == layer.is_drawn
        made[mask] = own[mask]
    return made


@dataclass(frozen=True, slots=True, eq=False)
class PooledImages:
    """Images and states of the outputs' size in a view: a row of cells for each, how it is made, and its steps.

    What makes a row is a state, or the handle of one of the `images`.
    """

    view: ColourView
    cells: Array
    sizes: tuple[Pair, ...]
    makers: list[GridState | int]
    steps: list[int]
    images: TaskImages | None = None

    def __len__(self) -> int:
        return len(self.cells)

    def expression(self, at: int) -> Expression:
        """Return how a row is made."""
        maker = self.makers[at]
        if isinstance(maker, GridState):
            return maker.expression
        assert self.images is not None, "a handle is that of an image"
        return self.images.expression(maker)


def pooled(
    frame: TaskFrame, view: ColourView, images: TaskImages | None, states: Sequence[GridState], sizes: Sequence[Pair]
) -> PooledImages:
    """Return images of a view and states of these sizes, each value once, the shortest programs first."""
    wanted = tuple(sizes)
    sized = [state for state in states if tuple([value.shape for value in state.values]) == wanted]
    fitting = [view.entered_state(state) for state in sized if all(value.max() < COLOURS for value in state.values)]
    count = sum([height * width for height, width in wanted])
    rows = [np.stack([state.cells for state in fitting])] if fitting else [np.zeros((0, count), np.uint8)]
    makers: list[GridState | int] = [*fitting]
    steps = [state.steps for state in fitting]
    if images is not None:
        target = np.concatenate([each.ravel() for each in view.entered(frame.targets)])
        handles = _chosen(images, images.of_size(wanted), target)
        if len(handles):
            rows.append(images.cells(handles))
            makers += handles.tolist()
            steps += [images.steps(each) for each in handles.tolist()]
    cells = np.concatenate(rows)
    order = np.argsort(steps, kind="stable")
    keys = np.ascontiguousarray(cells[order]).view(f"V{count}").ravel()
    _, first = np.unique(keys, return_index=True)
    kept = order[np.sort(first)].tolist()
    return PooledImages(view, cells[kept], wanted, [makers[at] for at in kept], [steps[at] for at in kept], images)


def _chosen(images: TaskImages, handles: Handles, target: Array) -> Handles:
    """Return the images of a pool: half the first ones, half those of the others that are nearest to `target`."""
    if len(handles) <= POOL:
        return handles
    first, others = np.split(handles, [POOL // 2])
    wrong = [
        (images.cells(some)[:, : len(target)] != target[None]).sum(axis=1)
        for some in np.split(others, range(AT_ONCE, len(others), AT_ONCE))
    ]
    near = np.argsort(np.concatenate(wrong), kind="stable")[: POOL // 2]
    return np.concatenate([first, others[np.sort(near)]])


def near_images(images: PooledImages, frame: TaskFrame, count: int) -> list[GridState]:
    """Return at most `count` images as states: half the shortest, half the nearest to the demonstrations."""
    target = np.concatenate([each.ravel() for each in images.view.entered(frame.targets)])
    wrong = (images.cells[:, : len(target)] != target[None]).sum(axis=1)
    near = np.argsort(wrong, kind="stable")[: count // 2].tolist()
    ends = np.cumsum([height * width for height, width in images.sizes])[:-1]
    found = []
    for at in sorted({*near, *range(min(len(images), count // 2))}):
        parts = np.split(images.cells[at], ends)
        values = tuple([part.reshape(size).copy() for part, size in zip(parts, images.sizes, strict=True)])
        found.append(images.view.left_state(GridState(images.expression(at), values, images.steps[at])))
    return found


def layered_images(images: PooledImages, frame: TaskFrame, work: Work, share: float = 1.0) -> list[SearchCandidate]:
    """Return images laid on one another that fit the demonstrations; single images that fit, if there are any.

    They are looked for until a `share` of the work is done. After that, none is held out.
    """
    if not len(images):
        return []
    target = np.concatenate([each.ravel() for each in images.view.entered(frame.targets)])
    shown = images.cells[:, : len(target)]
    pool = LayerPool(shown, target, images.steps, work, share)
    if pool.is_hopeless(MOST_LAYERS):
        return []
    stacks = [(each, _outputs(shown_cells(each, images.cells), images, frame.train)) for each in pool.stacks()]
    lost = frame.lost_colours
    stacks.sort(key=lambda each: any(cell in lost for grid in each[1] for row in grid for cell in row))
    found: dict[tuple[Grid, ...], SearchCandidate] = {}
    for number, (stack, outputs) in enumerate(stacks):
        # Stacks after the first are not held out.
        is_tried = not number and work.is_left(share)
        held_out = frame.train > 1 and _holds_out(images, target, frame, work) if is_tried else None
        layer = Layer.STACK if stack.layers else Layer.FAMILY
        expression = images.view.leave(stack_expression(stack, images))
        size = pool.length(stack) + len(stack.layers)
        found.setdefault(outputs, SearchCandidate(layer, expression, outputs, size, held_out))
    return list(found.values())


def _outputs(cells: Array, images: PooledImages, train: int) -> tuple[Grid, ...]:
    """Return the outputs for the test inputs, with the colours of the task."""
    ends = np.cumsum([height * width for height, width in images.sizes])
    grids = [part.reshape(size) for part, size in zip(np.split(cells, ends[:-1]), images.sizes, strict=True)]
    return tuple([as_grid(grid) for grid in images.view.left(grids)[train:]])


def _holds_out(images: PooledImages, target: Array, frame: TaskFrame, work: Work) -> bool:
    """Tell whether stacks that are found without one demonstration get it right, for each of them."""
    cells = images.cells[:, : len(target)]
    sample = np.repeat(np.arange(frame.train), [each.size for each in frame.targets])
    for number in range(frame.train):
        rest = sample != number
        found = LayerPool(cells[:, rest], target[rest], images.steps, work).stacks()
        if not found or (shown_cells(found[0], cells)[~rest] != target[~rest]).any():
            return False
    return True


def stack_expression(stack: LayerStack, images: PooledImages) -> Expression:
    """Return a stack as an expression."""
    made = images.expression(stack.bottom)
    for layer in reversed(stack.layers):
        piece = images.expression(layer.image)
        made = laid_on(made, piece) if layer.is_drawn else blackened(made, piece)
    return made
