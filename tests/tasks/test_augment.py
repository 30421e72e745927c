"""Transforms of grids, colours and tasks, and how they are named, read and turned back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import UsageError
from batt.ops import OPS
from batt.tasks import Pair, Task, Transform, original
from batt.tasks.augment import FORMS, SYMMETRIES, Augmentation, augmentation, read_augmentation
from strategies import grids

ASYMMETRIC = ((1, 2, 3), (4, 5, 6))
TASK = Task("t", (Pair(ASYMMETRIC, ((7,),)),), (Pair(((0, 1),)), Pair(((2,), (3,)), ((4, 5),))))

transforms = st.builds(Transform, st.sampled_from(sorted(SYMMETRIES)), st.permutations(range(10)).map(tuple))


@given(transforms, grids())
def test_an_answer_is_turned_back(transform: Transform, grid: Any):
    assert transform.invert(transform.grid(grid)) == grid
    assert transform.grid(transform.invert(grid)) == grid
    assert transform.inverse.inverse == transform


@given(transforms, transforms, grids())
def test_two_transforms_are_one(first: Transform, second: Transform, grid: Any):
    assert first.then(second).grid(grid) == second.grid(first.grid(grid))
    assert first.then(first.inverse) == Transform()


@given(transforms, transforms)
def test_an_id_says_what_was_done(first: Transform, second: Transform):
    assert original(f"007bbfb7{first}") == ("007bbfb7", first)
    assert original(f"007bbfb7{first}{second}") == ("007bbfb7", first.then(second))


@given(st.sampled_from(sorted(SYMMETRIES)), grids())
def test_a_symmetry_does_what_the_primitive_of_its_name_does(name: str, grid: Any):
    assert Transform(name).grid(grid) == OPS[name](grid)


def test_the_eight_symmetries_are_distinct():
    assert len({turn(ASYMMETRIC) for turn in SYMMETRIES.values()}) == len(SYMMETRIES) == 8


def test_colours_are_exchanged_and_other_values_stay():
    swap = Transform(colours=(0, 2, 1, *range(3, 10)))
    assert swap.grid(((0, 1, 2), (3, 10, -1))) == ((0, 2, 1), (3, 10, -1))


@given(transforms)
def test_all_grids_of_a_task_are_transformed_alike(transform: Transform):
    made = transform.task(TASK)
    assert made.id == f"t{transform}"
    for pair, before in zip(made.pairs, TASK.pairs, strict=True):
        assert pair.input == transform.grid(before.input)
        assert pair.output == (None if before.output is None else transform.grid(before.output))
    assert made.demonstrations == ((transform.grid(ASYMMETRIC), transform.grid(((7,),))),)
    assert transform.inverse.task(made).pairs == TASK.pairs


@pytest.mark.parametrize("name", ["t", ".rot90", "rot90", "t.rot45", "t.colours-0123", "t.colours-0000000000", ""])
def test_an_id_that_says_nothing_of_a_transform_is_the_original(name: str):
    assert original(name) == (name, Transform())


def test_a_transform_that_is_none_is_refused():
    with pytest.raises(UsageError, match=r"^unknown symmetry 'rot45'; the symmetries are identity, rot90, rot180, "):
        Transform("rot45")
    with pytest.raises(UsageError, match=r"is not a permutation of the colours 0 to 9$"):
        Transform(colours=(0, 0, *range(2, 10)))


def test_permutations_follow_from_the_seed_and_the_id():
    asked = augmentation(colours=20, seed=7)
    found = [transform.colours for transform in asked.of("007bbfb7")]
    assert found == [transform.colours for transform in asked.of("007bbfb7")]
    assert len({*found}) == 21
    assert {colours[0] for colours in found} == {0}
    assert str(list(augmentation(colours=1, seed=1).of("007bbfb7"))[1]) == ".colours-0538491276"
    for other in (augmentation(colours=20, seed=8).of("007bbfb7"), asked.of("007bbfb8")):
        assert {transform.colours for transform in other} & {*found} == {tuple(range(10))}


def test_colour_zero_is_permuted_where_asked():
    found = {transform.colours[0] for transform in augmentation(colours=100, keep_zero=False).of("x")}
    assert len(found) == 10


def test_every_symmetry_comes_with_every_permutation():
    asked = augmentation(True, 2)
    found = list(asked.of("x"))
    assert len(asked) == len(found) == len({*found}) == 24
    assert found[0] == Transform()


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["symmetries"], Augmentation(tuple(SYMMETRIES))),
        (["symmetries:rot90"], Augmentation(("identity", "rot90"))),
        (["symmetries:rot90,vmirror"], Augmentation(("identity", "rot90", "vmirror"))),
        (["colours:5"], Augmentation(colours=5)),
        (["colours:5:seed=12"], Augmentation(colours=5, seed=12)),
        (["colours:5:with-0"], Augmentation(colours=5, keep_zero=False)),
        (["colours:5:seed=3:with-0", "symmetries"], Augmentation(tuple(SYMMETRIES), 5, 3, keep_zero=False)),
    ],
)
def test_words_are_read_and_written(words: list[str], asked: Augmentation):
    assert read_augmentation(words) == asked
    assert read_augmentation(str(asked).removeprefix("@").split("@")) == asked


@pytest.mark.parametrize(
    "word",
    ["", "rotations", "symmetries:", "symmetries:rot90:vmirror", "colours", "colours:", "colours:x", "colours:-1",
     "colours:5:seed=", "colours:5:seed=1:seed=2", "colours:5:with-0:seed=1", "colours:٣"],
)  # fmt: skip
def test_an_unknown_word_is_refused_with_those_that_are_known(word: str):
    with pytest.raises(UsageError) as caught:
        read_augmentation([word])
    assert str(caught.value) == f"unknown augmentation {word!a}; expected one of: {FORMS}"


def test_what_cannot_be_met_is_refused():
    with pytest.raises(UsageError, match=r"^the augmentation colours is given twice$"):
        read_augmentation(["colours:1", "symmetries", "colours:2"])
    with pytest.raises(UsageError, match=r"^unknown symmetry 'rot45'"):
        read_augmentation(["symmetries:rot90,rot45"])
    with pytest.raises(UsageError, match=r"must be 0 to 362,879, got 362,880$"):
        read_augmentation(["colours:362880"])
    assert len(augmentation(colours=362_880, keep_zero=False)) == 362_881
