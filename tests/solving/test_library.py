from batt.front import Deck
from batt.solving.library import as_reader, build_library, parts_of, templates_of

GRID = ((0, 2, 0), (2, 0, 2), (0, 2, 0))


def test_a_solver_is_cut_at_steps_that_may_be_grids(small_deck):
    parts = list(parts_of(small_deck["solve_mirror"].program))
    assert [len(part.steps) for part in parts] == [1, 2]
    assert parts[0].run((((1, 2),),)) == ((2, 1),)


def test_functions_that_do_the_same_are_one_with_all_their_tasks():
    deck = Deck.from_sources(
        {
            "solve_007bbfb7": "def solve_007bbfb7(I):\n    x1 = rot90(I)\n    return x1",
            "solve_00d62c1b": "def solve_00d62c1b(I):\n    x1 = rot180(I)\n    x2 = rot270(x1)\n    return x2",
        }
    )
    library = build_library([deck])
    turns = [each for each in library.plain if each.tasks == {"007bbfb7", "00d62c1b"}]
    assert [len(each.program.steps) for each in turns] == [1]
    assert not turns[0].is_of("007bbfb7")
    assert [each.is_of("00d62c1b") for each in library.plain if each not in turns] == [True]


def test_a_template_takes_the_colours_of_a_program(small_deck):
    templates = {each.arity: each for each in templates_of(small_deck["solve_hole"].program)}
    assert templates[2].run((GRID, 7))[1][1] == 7
    filled = templates[3].run((GRID, 0, 7))
    assert filled[1][1] == 7
    assert as_reader(templates[3]).run(((0, 7), GRID, None)) == filled
