"""Images of a task: the grids that image families make of its inputs in one step, two and three, each value once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from batt.ir import Literal
from batt.runtime import Limits
from batt.runtime.native import missing
from batt.solving.cells.sizes import OutputSize, unscaled_size
from batt.solving.expressions import INPUT, SHOWN, Argument, Expression
from batt.solving.families.families import FamilyParameter, FamilyUse, ImageFamily, image_families, role_colours
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.running import Array
from batt.solving.views import ColourView
from batt.solving.work import Work
from batt.states import OpenEngine, States, open_engine
from batt.types.kinds import Pair

LIMITS = Limits(steps=200_000, max_items=50_000)
"""The budget of a call on a sample."""
MOST_BYTES = 1 << 28
"""The memory of the images of a task."""
MOST_SIDE = 30
MOST_COMPARED = 20_000
"""The images of two steps that are compared with the outputs."""
DEEP_NEAR, DEEP_EACH, DEEP_OTHERS = 150, 20, 300
"""Images of two steps that a third is applied to: the nearest, the first of each size, and these in all."""
AT_ONCE = 6_000
"""Calls that are made together, between which the work is checked."""
MOST_ROLES = 3
"""The colours by role that are put into families, beside constant ones."""
CALL_UNITS, STEP_UNITS = 70, 0.18
"""The units of work for a call on a sample, and for each of its steps."""

Handles = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FamilyCalls:
    """Families with their parameters, as they are applied to every image: `programs[k]` with `values[k]`."""

    families: list[ImageFamily]
    parameters: list[Argument | None]
    handles: list[int]

    def __len__(self) -> int:
        return len(self.families)


@dataclass(slots=True, eq=False)
class TaskImages:
    """The distinct images of a task in the order in which they are found, and how each is made."""

    view: ColourView
    states: States
    base: int
    order: list[int] = field(default_factory=list)
    made_by: dict[int, tuple[ImageFamily, Argument | None, int]] = field(default_factory=dict)
    sizes: dict[int, tuple[Pair, ...]] = field(default_factory=dict)
    calls: FamilyCalls | None = None
    _expressions: dict[int, Expression] = field(default_factory=dict)
    _steps: dict[int, int] = field(default_factory=dict)

    def __enter__(self) -> TaskImages:
        return self

    def __exit__(self, *reason: object) -> None:
        self.states.close()

    def expression(self, handle: int) -> Expression:
        """Return how an image is made from the input."""
        if handle == self.base:
            return self.view.enter(INPUT)
        if handle not in self._expressions:
            family, parameter, base = self.made_by[handle]
            self._expressions[handle] = family_call(family, self.expression(base), parameter)
        return self._expressions[handle]

    def steps(self, handle: int) -> int:
        """Return the number of steps of the program of an image."""
        if handle == self.base:
            return 0
        if handle not in self._steps:
            family, _, base = self.made_by[handle]
            self._steps[handle] = len(family.program.steps) + self.steps(base)
        return self._steps[handle]

    def depth(self, handle: int) -> int:
        """Return how many families make an image."""
        return 0 if handle == self.base else 1 + self.depth(self.made_by[handle][2])

    def of_size(self, sizes: Sequence[Pair]) -> Handles:
        """Return the images of these sizes, in order."""
        wanted = tuple(sizes)
        return np.array([each for each in self.order if self.sizes[each] == wanted], np.int64)

    def cells(self, handles: Handles) -> Array:
        """Return the cells of images of one size: a row for each, with all samples one after the other."""
        return self.states.grids(handles).cells.reshape(len(handles), -1)

    def state(self, handle: int) -> GridState:
        """Return an image as a state of the search."""
        grids = self.states.grids([handle])
        values = tuple([np.ascontiguousarray(grids[at]) for at in range(len(grids))])
        return GridState(self.expression(handle), values, self.steps(handle))


def family_call(family: ImageFamily, base: Expression, parameter: Argument | None) -> Expression:
    """Return a family applied to an image."""
    program = family.program
    if program.arity == 1:
        return Expression(program, (base,))
    first: Argument = SHOWN if family.reads_shown else Literal(None)
    return Expression(program, (first, base, Literal(None), parameter or Literal(None))[: program.arity])


class ImageMaker:
    """Applies the image families to tasks, on an engine that is kept. Without native code there are no images."""

    def __init__(self) -> None:
        self._engine: OpenEngine | None = None if missing() else open_engine(engine="cpu", workers=1, compiled=True)

    @property
    def is_open(self) -> bool:
        """Tell whether there is native code that makes images."""
        return self._engine is not None

    def images(
        self, frame: TaskFrame, view: ColourView, size: OutputSize | None, work: Work, share: float
    ) -> TaskImages:
        """Return the images of one step and two in a view, as far as this share of the effort goes."""
        assert self._engine is not None, "it is open"
        states = self._engine.states(frame.samples(), limits=LIMITS, most_bytes=MOST_BYTES)
        inputs = view.entered(frame.input.values)
        base = states.add([as_grid(value) for value in inputs])
        images = TaskImages(view, states, base)
        images.sizes[base] = tuple([(value.shape[0], value.shape[1]) for value in inputs])
        images.order.append(base)
        calls = self.calls(frame, images, size)
        firsts = _apply(images, calls, [base], work, share)
        images.calls = _used_again(calls)
        _apply(images, images.calls, firsts, work, share)
        return images

    def deepen(self, images: TaskImages, frame: TaskFrame, work: Work, share: float) -> int:
        """Add images of three steps: what families make of some of two steps. Return how many are new.

        They are made of images that are near the outputs and of the first ones of each size, the nearest first.
        """
        assert images.calls is not None, "images of two steps were made"
        seconds = np.array([each for each in images.order if images.depth(each) == 2], np.int64)
        target = images.view.entered(frame.targets)
        chosen: dict[int, None] = {}
        by_size: dict[tuple[Pair, ...], list[int]] = {}
        for each in seconds.tolist():
            by_size.setdefault(images.sizes[each], []).append(each)
        for sizes, handles in by_size.items():
            if sizes[: frame.train] == tuple([value.shape for value in target]):
                wanted = np.concatenate([value.ravel() for value in target])
                some = np.array(handles[:MOST_COMPARED], np.int64)
                wrong = (images.cells(some)[:, : len(wanted)] != wanted[None]).sum(axis=1)
                chosen.update(dict.fromkeys(some[np.argsort(wrong, kind="stable")][:DEEP_NEAR].tolist()))
        firsts = sorted([(at, handle) for each in by_size.values() for at, handle in enumerate(each[:DEEP_EACH])])
        chosen.update(dict.fromkeys([handle for _, handle in firsts][:DEEP_OTHERS]))
        return len(_apply(images, images.calls, list(chosen), work, share))

    def calls(self, frame: TaskFrame, images: TaskImages, size: OutputSize | None) -> FamilyCalls:
        """Return the families with all parameters that a task has for them."""
        states, view = images.states, images.view
        sizes = [each for each in (size, size and unscaled_size(frame, size)) if each is not None]
        given = {*np.unique(np.concatenate([each.ravel() for each in view.entered(frame.input.values)])).tolist()}
        wanted = {*np.unique(np.concatenate([each.ravel() for each in view.entered(frame.targets)])).tolist()}
        pools: dict[FamilyParameter, list[tuple[Argument | None, int]]] = {
            FamilyParameter.NONE: [(None, -1)],
            FamilyParameter.COLOUR: [(Literal(each), states.constant(each)) for each in sorted(given)],
            FamilyParameter.PAINT: [(Literal(each), states.constant(each)) for each in sorted(wanted - {0})],
            FamilyParameter.SIZE: [(each.expression, states.add(each.sizes)) for each in sizes],
        }
        known = {handle for _, handle in pools[FamilyParameter.COLOUR]}
        roles = [each for each in self._roles(images) if each[1] not in known][:MOST_ROLES]
        pools[FamilyParameter.COLOUR] += roles
        pools[FamilyParameter.PAINT] += roles
        found = FamilyCalls([], [], [])
        for family in image_families():
            if family.reads_shown and not view.is_plain:
                continue
            for parameter, handle in pools[family.parameter]:
                found.families.append(family)
                found.parameters.append(parameter)
                found.handles.append(handle)
        return found

    def _roles(self, images: TaskImages) -> list[tuple[Argument | None, int]]:
        """Return the colours by role that a task has, each once."""
        programs = role_colours()
        made = images.states.apply_each(programs, np.arange(len(programs)), images.base).handles.tolist()
        base = images.expression(images.base)
        found = {
            handle: Expression(program, (base,))
            for program, handle in zip(reversed(programs), reversed(made), strict=True)
            if handle >= 0
        }
        return [(expression, handle) for handle, expression in reversed(found.items())]


def _used_again(calls: FamilyCalls) -> FamilyCalls:
    """Return the calls of families that are applied to images, too."""
    kept = [at for at, family in enumerate(calls.families) if family.use is FamilyUse.TWICE]
    return FamilyCalls(
        [calls.families[at] for at in kept],
        [calls.parameters[at] for at in kept],
        [calls.handles[at] for at in kept],
    )


def _apply(images: TaskImages, calls: FamilyCalls, bases: Sequence[int], work: Work, share: float) -> list[int]:
    """Apply all calls to images, while this share of the effort is not spent. Return the new images."""
    states = images.states
    programs = [family.program for family in image_families()]
    numbers = {id(program): at for at, program in enumerate(programs)}
    called = np.array([numbers[id(family.program)] for family in calls.families], np.int64)
    parameters = np.array(calls.handles, np.int64)
    at_once = max(1, AT_ONCE // max(1, len(calls)))
    found: list[int] = []
    for start in range(0, len(bases), at_once):
        # The first images are always made, which compiles the families in a warm-up, too.
        if bases[start] != images.base and not work.is_left(share):
            break
        some = np.array(bases[start : start + at_once], np.int64)
        made = states.apply_each(
            programs,
            np.tile(called, len(some)),
            states.S,
            np.repeat(some, len(calls)),
            np.tile(parameters, len(some)),
        )
        work.spend(len(made) * len(states.samples) * CALL_UNITS + int(made.steps.sum()) * STEP_UNITS)
        new = np.flatnonzero(made.is_new)
        handles = made.handles[new]
        for place, handle, sizes in zip(new.tolist(), handles.tolist(), _sizes(images, handles), strict=True):
            if sizes is not None:
                base, call = divmod(place, len(calls))
                images.made_by[handle] = calls.families[call], calls.parameters[call], int(some[base])
                images.sizes[handle] = sizes
                found.append(handle)
    images.order += found
    return found


def _sizes(images: TaskImages, handles: Handles) -> list[tuple[Pair, ...] | None]:
    """Return the sizes of images on all samples; None if one is no grid, too large, or all are of one colour."""
    if not len(handles):
        return []
    shapes = images.states.shapes(handles)
    distinct, which = np.unique(shapes.reshape(len(handles), -1), axis=0, return_inverse=True)
    is_grid = np.all((distinct > 0) & (distinct <= MOST_SIDE), axis=1)
    sizes = [
        tuple(zip(row[::2], row[1::2], strict=True)) if fits else None
        for row, fits in zip(distinct.tolist(), is_grid.tolist(), strict=True)
    ]
    return [sizes[at] for at in which.ravel().tolist()]
