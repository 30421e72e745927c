import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.cells.cells import cell_states, constant_states, features_of
from batt.solving.cells.trees import (
    SIDE_BONUS,
    CellSplit,
    TreeLearner,
    grouped_cells,
    leaves_of,
    near_trees,
    tree_candidates,
)
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import Pair, Task


def test_a_tree_copies_cells_from_the_sources_that_get_them_right():
    masks = np.array([[True, True, False, False]])
    right = np.array([[True, True, False, False], [False, False, True, True]])
    tree = TreeLearner(masks, right, np.ones(4, np.float32), Work(10**9)).fit(np.arange(4))
    assert tree == CellSplit(0, 0, 1)
    assert leaves_of(tree) == 2


def test_no_tree_fits_if_no_test_tells_the_cells_apart():
    right = np.array([[True, False], [False, True]])
    learner = TreeLearner(np.array([[True, True]]), right, np.ones(2, np.float32), Work(10**9))
    assert learner.fit(np.arange(2)) is None


def test_a_tree_becomes_a_program_that_gives_what_the_tree_gives(easy_tasks):
    task = easy_tasks["greened"]
    frame = TaskFrame(task)
    work = Work(10**9)
    sources, marks = cell_states(frame.input, frame, work)
    features = features_of(sources, marks, [], constant_states(frame.input, frame.target_colours), frame.train)
    best = next(tree_candidates(features, frame, Layer.TREE, work))
    assert best.held_out
    assert best.outputs == (task.test[0].output,)
    program = compose(best.expression)
    for sample, output in zip(frame.samples(), [*frame.outputs, *best.outputs], strict=True):
        assert evaluate_one(program, sample, Limits()).value == output


def test_cells_that_nothing_tells_apart_are_grouped_within_a_demonstration(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    features = features_of([frame.input], [], [], [], frame.train)
    right = features.colours[:, : features.starts[frame.train]] == 0
    groups = grouped_cells(features, right, frame.train)
    assert groups.counts.sum() == features.starts[frame.train]
    masks = [features.masks[:, features.cells([sample])] for sample in range(frame.train)]
    assert np.bincount(groups.sample).tolist() == [np.unique(mask, axis=1).shape[1] for mask in masks]


def test_a_learner_with_a_side_bonus_settles_many_cells_first():
    # The first test gets eight cells right, the second one seven, and settles three of them.
    masks = np.array([[True] * 5 + [False] * 5, [True] * 3 + [False] * 7])
    right = np.array([[True] * 4 + [False] * 6, [False] * 5 + [True] * 4 + [False]])
    learner = TreeLearner(masks, right, np.ones(10, np.float32), Work(10**9))
    best = []
    for learner.side_bonus in (0.0, SIDE_BONUS):
        best.append(int(learner.scores(np.arange(10)).argmax()))
    assert best == [0, 1]


def test_a_tree_that_misses_cells_is_a_near_miss_with_the_demonstrations_that_it_misses():
    noisy = [(((1, 0, 1, 0),), ((2, 0, 2, 0),)), (((0, 1, 1, 0),), ((0, 2, 2, 0),)), (((1, 0, 0, 0),), ((2, 0, 0, 7),))]
    task = Task("t", tuple([Pair(*pair) for pair in noisy]), (Pair(((0, 0, 1, 1),), None),))
    frame = TaskFrame(task)
    constants = constant_states(frame.input, frame.target_colours)
    features = features_of([frame.input], [], [], constants, frame.train)
    right = features.colours[:, :12] == np.concatenate([target.ravel() for target in frame.targets])[None]
    learner = TreeLearner(features.masks[:, :12], right, np.ones(12, np.float32), Work(10**9))
    near = [*near_trees(learner, features, frame)]
    assert near
    assert {each.layer for each in near} == {Layer.NEAR_TREE}
    assert near[0].missed == 1
    assert near[0].outputs == (((0, 0, 2, 2),),)
