"""The stages of a search for one task: each adds candidates and states to what is found so far."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from batt.solving.candidates import Layer
from batt.solving.cells.cells import cell_states, colour_marks, colour_roles, constant_states, features_of, role_states
from batt.solving.cells.counting import (
    colour_bars,
    count_marks,
    input_counts,
    panel_numbers,
)
from batt.solving.cells.fitting import fitted_states
from batt.solving.cells.growing import growth_candidates
from batt.solving.cells.outputs import output_cells
from batt.solving.cells.placing import placed_inputs
from batt.solving.cells.sizes import predict_size
from batt.solving.cells.tables import mark_tables, state_tables
from batt.solving.cells.tiling import tile_marks
from batt.solving.cells.trees import tree_candidates
from batt.solving.expressions import INPUT, call
from batt.solving.figures.arranging import arranged_candidates
from batt.solving.figures.editing import FigureEditor
from batt.solving.figures.listing import list_candidates
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.sized_crops import cropped_states
from batt.solving.frame import GridState
from batt.solving.searches.task_search import TaskSearch
from batt.solving.states.chains import ChainMaker, first_steps
from batt.solving.states.combining import joined_states
from batt.solving.states.images import ImageMaker
from batt.solving.states.layers import layered_images, near_images, pooled
from batt.solving.states.scenes import scene_candidates, scene_states
from batt.solving.states.states import (
    base_states,
    by_steps,
    promising,
    test_shapes,
)
from batt.solving.typed.inputs import ExpressionMaker
from batt.solving.views import views_of

NEXT_RULES_UNTIL, RULES_UNTIL = 0.6, 0.85
"""The shares of the effort after which the input's figures are not edited again, nor those of states."""
FIRST_RULES_UNTIL, LEAST_RULES = 0.5, 0.3
"""The share of the effort after which the input's figures are not edited, and what that may take in any case."""
MORE_FOR_MOVES = 0.1
"""The share of the effort that moving figures may take in any case."""
RELATIONS_UNTIL, MORE_FOR_RELATIONS = 0.85, 0.2
"""The share of the effort after which figures are not related to others, and what that may take."""
RULE_BASES = 20
"""The states whose figures are edited."""
BASE_STATES = 120
"""The states that are sources and tests of trees over another base."""
BASE_ROOTS = 2
"""The tests that are tried as the root of a tree over another base."""
DEEP_AT_ONCE, DEEP_STATES, DEEP_UNTIL = 20, 60, 0.6
"""For trees, second steps are applied to this many states at once and in all, until this share of the effort."""
CHAINS_UNTIL = 0.7
"""The share of the effort after which no more chains are tried."""
MORE_TREES_UNTIL = 0.35
"""The share of the effort after which only the best root of a tree over the input is tried."""
TREE_STATES = 200
"""The states whose cells a copy tree reads."""
EXPRESSIONS_UNTIL, MORE_FOR_EXPRESSIONS = 0.85, 0.2
"""The share of the effort after which no more expressions are enumerated, and what that may take in any case."""
EXPRESSION_STATES = 100
"""The states that are sources of trees over what expressions mark."""
GROWTH_UNTIL = 0.6
"""The share of the effort after which no more growing trees are fitted."""
IMAGES_UNTIL, LEAST_IMAGES = 0.45, 0.2
"""The share of the effort after which no more images are made, and what they may take in any case."""
MORE_FOR_DEEP_IMAGES = 0.1
"""The share of the effort that images of three steps may take, where nothing fits."""
MORE_FOR_STACKS = 0.15
"""The share of the effort that stacks of images may take."""
TREE_IMAGES = 100
"""The images whose cells a copy tree may read."""


def act_on_grids(search: TaskSearch) -> None:
    """Make states of actions on the whole grid, before trees read states."""
    if Layer.SCENE in search.layers and search.is_same_size:
        made = scene_states(search.frame, search.work)
        search.candidates += scene_candidates(made, search.frame)
        search.states = by_steps([*search.states, *made])


def edit_figures(search: TaskSearch) -> None:
    """Try rules that edit the figures of the input, or arrange them; crops of the outputs' size are states."""
    frame, work = search.frame, search.work
    if not search.is_same_size:
        tables = list(figure_tables(frame.input, frame, work))
        search.candidates += arranged_candidates(tables, frame, work, search.size, search.layers)
        if Layer.PICK in search.layers:
            grow_crop_trees(search, cropped_states(tables, frame, work, search.size))
        return
    if Layer.LIST in search.layers:
        search.candidates += list_candidates(figure_tables(frame.input, frame, work), frame, work)
    if {Layer.RULE, Layer.NEXT_RULE, Layer.MOVE, Layer.RELATION} & search.layers:
        search.editor = FigureEditor(frame, work)
        until = max(FIRST_RULES_UNTIL, work.done / work.effort + LEAST_RULES)
        search.candidates += search.editor.candidates(frame.input, Layer.RULE, until)


def move_figures(search: TaskSearch) -> None:
    """Try rules that move the input's figures to rows and columns of others."""
    if search.editor is not None and Layer.MOVE in search.layers:
        until = search.work.done / search.work.effort + MORE_FOR_MOVES
        search.candidates += search.editor.moved_candidates(until)


def edit_figures_again(search: TaskSearch) -> None:
    """Try rules that edit what the nearest rules make of the input, and keep it as states."""
    if search.editor is None or Layer.NEXT_RULE not in search.layers:
        return
    nearest = search.editor.next_states()
    search.states = by_steps([*search.states, *nearest])
    for state in nearest:
        if not search.work.is_left(NEXT_RULES_UNTIL) or search.is_settled():
            return
        search.candidates += search.editor.candidates(state, Layer.NEXT_RULE)


def relate_figures(search: TaskSearch) -> None:
    """Try rules that edit the input's figures by others that they are related to."""
    if search.editor is not None and Layer.RELATION in search.layers:
        until = min(RELATIONS_UNTIL, search.work.done / search.work.effort + MORE_FOR_RELATIONS)
        search.candidates += search.editor.related_candidates(until)


def edit_base_figures(search: TaskSearch) -> None:
    """Try rules that edit the figures of promising states in place of the input."""
    if Layer.BASE_RULE not in search.layers:
        return
    frame, work = search.frame, search.work
    for base in base_states(search.target_states(), frame)[:RULE_BASES]:
        if not work.is_left(RULES_UNTIL) or search.is_settled():
            return
        search.candidates += FigureEditor(frame, work).candidates(base, Layer.BASE_RULE)


def lay_images(search: TaskSearch, maker: ImageMaker) -> None:
    """Make images of a task, lay them on one another, and keep the nearest of them as states."""
    frame, work, size = search.frame, search.work, search.size
    if size is None or not {Layer.FAMILY, Layer.STACK} & search.layers:
        return
    until = max(IMAGES_UNTIL, work.done / work.effort + LEAST_IMAGES)
    for number, view in enumerate(views_of(frame)):
        if number and (search.candidates or not work.is_left(until)):
            break
        with maker.images(frame, view, size, work, until) if maker.is_open else nullcontext() as images:
            pool = pooled(frame, view, images, search.states, size.sizes)
            found = layered_images(pool, frame, work, until + MORE_FOR_STACKS)
            deep_until = min(IMAGES_UNTIL, work.done / work.effort + MORE_FOR_DEEP_IMAGES)
            if images is not None and not found and not search.candidates and work.is_left(deep_until):
                maker.deepen(images, frame, work, deep_until)
                pool = pooled(frame, view, images, search.states, size.sizes)
                found = layered_images(pool, frame, work, deep_until + MORE_FOR_STACKS)
            search.candidates += found
            search.states = by_steps([*search.states, *near_images(pool, frame, TREE_IMAGES)])


def combine_states(search: TaskSearch) -> None:
    """Try tables and joins of states, and tables over marks of objects."""
    frame, work = search.frame, search.work
    states = search.target_states()
    if {Layer.TABLE, Layer.PAIR} & search.layers:
        shaped = [frame.input, *states] if search.is_same_size else states
        search.candidates += state_tables(shaped, frame, work)
    if Layer.RECOLOUR in search.layers and search.is_same_size:
        search.candidates += mark_tables(frame.input, search.marks, frame, work)
    if Layer.JOIN in search.layers:
        search.candidates += joined_states([frame.input, *search.states], frame)


def grow_cells(search: TaskSearch) -> None:
    """Fit copy trees that read what they have made."""
    frame = search.frame
    if Layer.GROW in search.layers and search.is_same_size:
        constants = constant_states(frame.input, frame.target_colours)
        features = features_of(search.sources, search.marks, [], constants, frame.train, near=False)
        search.candidates += growth_candidates(features, frame, search.work, GROWTH_UNTIL)


def count_inputs(search: TaskSearch) -> None:
    """Count what the inputs have, and predict the size of the outputs."""
    frame, work = search.frame, search.work
    search.counts = input_counts(frame, work)
    if not search.is_same_size:
        search.panels = panel_numbers(frame, work)
        search.states = by_steps([*search.states, *search.panels, *colour_bars(frame, work)])
    search.size = predict_size(frame, search.states, search.counts)


def mark_outputs(search: TaskSearch) -> None:
    """Mark cells of outputs of another size than the inputs: by their place, and by counts of the input."""
    frame, work, size = search.frame, search.work, search.size
    states = search.target_states()
    if size is None:
        return
    if not size.is_counted and any(test_shapes(state, frame) != size.sizes[frame.train :] for state in states[:1]):
        return
    fitted = fitted_states([frame.input, *search.states], frame, size, work)
    search.states = by_steps([*search.states, *placed_inputs(frame, size, work), *fitted])
    search.sources, search.marks = output_cells(frame, work, size, search.counts, search.panels)
    search.marks += tile_marks(frame, size, search.counts, work)


def grow_trees(search: TaskSearch) -> None:
    """Fit copy trees over cells of the input, and over cells of states."""
    frame, work = search.frame, search.work
    if search.is_same_size:
        search.sources, search.marks = cell_states(frame.input, frame, work)
        roles = colour_roles(frame, work)
        search.sources += role_states(frame.input, roles)
        search.marks += colour_marks(frame.input, frame, work, roles)
        shapes = [value.shape for value in frame.input.values]
        search.marks += count_marks(search.counts, call("shape", INPUT), shapes, work)
        constants = constant_states(frame.input, frame.target_colours)
        if {Layer.TREE, Layer.NEAR_TREE} & search.layers:
            features = features_of(search.sources, search.marks, [], constants, frame.train)
            search.candidates += tree_candidates(features, frame, Layer.TREE, work, until=MORE_TREES_UNTIL)
    else:
        mark_outputs(search)
    if {Layer.STATE_TREE, Layer.NEAR_TREE} & search.layers:
        grow_state_trees(search, Layer.STATE_TREE)


def grow_state_trees(search: TaskSearch, layer: Layer) -> None:
    """Fit copy trees over cells of the states that are known so far."""
    frame, work = search.frame, search.work
    states = promising(search.target_states(), frame, TREE_STATES)
    if states or search.sources:
        constants = constant_states((search.sources or states)[0], frame.target_colours)
        features = features_of(search.sources, search.marks, states, constants, frame.train)
        search.candidates += tree_candidates(features, frame, layer, work, until=MORE_TREES_UNTIL)


def grow_crop_trees(search: TaskSearch, crops: Sequence[GridState]) -> None:
    """Keep crops of the outputs' size as states, and fit copy trees over cells of those that are new."""
    frame, work = search.frame, search.work
    known = {state.key for state in search.states}
    search.states = by_steps([*search.states, *crops])
    new = [state for state in search.target_states() if state.key not in known]
    if new and search.sources and Layer.STATE_TREE in search.layers:
        constants = constant_states(search.sources[0], frame.target_colours)
        features = features_of(search.sources, search.marks, new, constants, frame.train)
        search.candidates += tree_candidates(features, frame, Layer.STATE_TREE, work, 2, until=MORE_TREES_UNTIL)


def grow_deep_trees(search: TaskSearch, maker: ChainMaker) -> None:
    """Make states of two steps from the first states, some at a time, and fit copy trees over the nearest of them."""
    frame, work = search.frame, search.work
    firsts = first_steps(search.states, frame)[:DEEP_STATES] if Layer.DEEP_TREE in search.layers else []
    for start in range(0, len(firsts), DEEP_AT_ONCE):
        if not work.is_left(DEEP_UNTIL) or search.is_settled():
            return
        known = {state.key for state in search.states}
        second = maker.second_states(firsts[start : start + DEEP_AT_ONCE], frame, work)
        new = [state for state in second if state.key not in known]
        if new:
            search.states = by_steps([*search.states, *new])
            grow_state_trees(search, Layer.DEEP_TREE)


def grow_base_trees(search: TaskSearch, bases: int) -> None:
    """Fit copy trees over cells of promising states in place of the input, at most `bases` of them in all."""
    if Layer.BASE_TREE not in search.layers:
        return
    frame, work = search.frame, search.work
    target = search.target_states()
    states = promising(target, frame, BASE_STATES)
    left = [base for base in base_states(target, frame) if base.key not in search.bases_done]
    for base in left[: bases - len(search.bases_done)]:
        if not work.is_left() or search.is_settled():
            return
        search.bases_done.add(base.key)
        sources, marks = cell_states(base, frame, work)
        if not search.is_same_size:
            marks += colour_marks(base, frame, work)
        constants = constant_states(base, frame.target_colours)
        features = features_of(sources, marks, states, constants, frame.train)
        search.candidates += tree_candidates(features, frame, Layer.BASE_TREE, work, BASE_ROOTS)


def chain_functions(search: TaskSearch, maker: ChainMaker) -> None:
    """Apply functions of the library to states."""
    if Layer.CHAIN in search.layers:
        firsts = first_steps(search.states, search.frame)
        search.candidates += maker.chains(firsts, search.frame, search.work, CHAINS_UNTIL)


def enumerate_expressions(search: TaskSearch, maker: ExpressionMaker) -> None:
    """Enumerate typed expressions; fit copy trees over cells that they mark."""
    frame, work = search.frame, search.work
    if maker.engine is None or not {Layer.EXPRESSION, Layer.EXPRESSION_TREE} & search.layers:
        return
    with maker.grids(frame) as values:
        values.values.run(work, min(EXPRESSIONS_UNTIL, work.done / work.effort + MORE_FOR_EXPRESSIONS))
        search.candidates += values.candidates()
        search.states = by_steps([*search.states, *values.near_grids()])
        marks = values.marks(work) if search.is_same_size and Layer.EXPRESSION_TREE in search.layers else []
    if marks and not search.is_settled():
        states = promising(search.target_states(), frame, EXPRESSION_STATES)
        constants = constant_states(frame.input, frame.target_colours)
        features = features_of(search.sources or [frame.input], [*marks, *search.marks], states, constants, frame.train)
        search.candidates += tree_candidates(features, frame, Layer.EXPRESSION_TREE, work, 2)
