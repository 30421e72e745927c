import pytest

from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.solving.families.families import FamilyParameter, FamilyUse, image_families

GRID = ((0, 1, 0, 0, 0), (0, 1, 0, 2, 2), (3, 3, 3, 0, 0), (3, 0, 3, 0, 0), (3, 3, 3, 0, 0))
SHOWN = ((GRID, GRID), (GRID, GRID))
VALUES = {FamilyParameter.NONE: (), FamilyParameter.COLOUR: (3,), FamilyParameter.PAINT: (7,)}
VALUES[FamilyParameter.SIZE] = ((10, 10),)


def made_by(name, grid=GRID, parameter=None):
    (family,) = [each for each in image_families() if each.name == name]
    values = VALUES[family.parameter] if parameter is None else (parameter,)
    return evaluate_one(family.program, Sample("t", Split.TRAIN, 0, SHOWN, grid, None, values), Limits())


def test_every_family_has_a_name_of_its_own_and_a_program_that_takes_its_parameter():
    names = [family.name for family in image_families()]
    assert len({*names}) == len(names)
    for family in image_families():
        assert (family.program.arity == 4) == (family.parameter is not FamilyParameter.NONE)


@pytest.mark.parametrize("family", image_families(), ids=lambda family: family.name)
def test_every_family_makes_a_grid_of_a_simple_grid(family):
    outcome = made_by(family.name)
    assert outcome.status is Status.OK
    assert isinstance(outcome.value, tuple)


def test_families_that_help_often_come_first():
    uses = [list(FamilyUse).index(family.use) for family in image_families()]
    assert uses == sorted(uses, reverse=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("only COLOUR", ((0, 0), (0, 3))),
        ("without COLOUR", ((0, 2), (0, 0))),
        ("drawn in PAINT", ((0, 7), (0, 7))),
        ("black in PAINT", ((7, 0), (7, 0))),
        ("with vmirror", ((2, 2), (3, 3))),
        ("moved by 1, 0", ((0, 0), (0, 2))),
        ("wrapped by (1, 0)", ((0, 3), (0, 2))),
        ("box", ((2,), (3,))),
    ],
)
def test_families_of_images(name, expected):
    assert made_by(name, ((0, 2), (0, 3))).value == expected


def test_a_hidden_part_of_a_grid_that_repeats_is_cropped():
    grid = ((1, 2, 1, 2, 1), (3, 4, 7, 7, 3), (1, 2, 7, 7, 1), (3, 4, 3, 4, 3), (1, 2, 1, 2, 1))
    assert made_by("hidden part, retiled COLOUR", grid, 7).value == ((3, 4), (1, 2))


def test_a_drawing_is_repeated_from_its_place():
    grid = ((0, 0, 0, 0), (0, 1, 2, 0), (0, 0, 0, 0))
    assert made_by("box tiled in place, gap 0", grid).value == ((2, 1, 2, 1),) * 3
