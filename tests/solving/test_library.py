from batt.front import Deck
from batt.solving.library import as_reader, build_library, parts_of, templates_of

GRID = ((0, 2, 0), (2, 0, 2), (0, 2, 0))


def test_a_solver_is_cut_at_steps_that_may_be_grids(small_deck):
    parts = list(parts_of(small_deck["solve_mirror"].program))
    assert [len(part.steps) for part in parts] == [1, 2]
    assert parts[0].run((((1, 2),),)) == ((2, 1),)


def test_functions_that_do_the_same_are_one_with_all_their_tasks():
    lines = "\n    x3 = hconcat(x2, x2)\n    x4 = vmirror(x3)\n    x5 = vconcat(x4, x2)\n    return x4"
    deck = Deck.from_sources(
        {
            "solve_007bbfb7": f"def solve_007bbfb7(I):\n    x2 = rot90(I){lines}",
            "solve_00d62c1b": f"def solve_00d62c1b(I):\n    x1 = rot180(I)\n    x2 = rot270(x1){lines}",
        }
    )
    both = {"007bbfb7", "00d62c1b"}
    found = [each for each in build_library([deck]).plain if both <= each.tasks]
    assert sorted([len(each.program.steps) for each in found]) == [1, 2, 3]
    assert not found[0].is_of("007bbfb7")


def test_a_template_takes_the_colours_of_a_program(small_deck):
    templates = {each.arity: each for each in templates_of(small_deck["solve_hole"].program)}
    assert templates[2].run((GRID, 7))[1][1] == 7
    filled = templates[3].run((GRID, 0, 7))
    assert filled[1][1] == 7
    assert as_reader(templates[3]).run(((0, 7), GRID, None)) == filled
