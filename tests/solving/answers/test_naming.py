from batt.front import Deck, load_deck
from batt.front.naming import lambda_of
from batt.ir import Literal, Program, Slot, Step
from batt.ir.program import Helper
from batt.ir.writing import source_text
from batt.ops import OPS
from batt.solving.answers.naming import distinct_helpers, named_sources


def program(task, body, helper="painted"):
    return (
        task,
        f"def {helper}(G):\n    return {body}\n\n\ndef solve_{task}(I):\n    x1 = {helper}(I)\n    return x1\n",
    )


def test_programs_are_named_by_their_task_and_numbered():
    texts = [("a", "def solve_a(I):\n    return rot90(I)\n"), ("a", "def solve_a(I):\n    return rot180(I)\n")]
    assert list(named_sources(texts)) == ["solve_a", "solve_a_2"]
    assert "def solve_a_2(I):" in named_sources(texts)["solve_a_2"]


def test_different_helpers_of_one_name_get_numbers_and_equal_ones_stay(tmp_path):
    made = named_sources([program("a", "rot90(G)"), program("b", "rot180(G)"), program("c", "rot90(G)")])
    assert ["painted_2(I)" in text for text in made.values()] == [False, True, False]
    Deck.from_sources(made).save(tmp_path / "all.py")
    grid = ((1, 2), (3, 4))
    assert Deck.from_sources(made)["solve_b"].program.run((grid,)) == ((4, 3), (2, 1))


def test_helpers_that_call_renamed_helpers_are_renamed_too(tmp_path):
    inner = [
        program(task, body, "inner")[1].split("\n\n\n")[0] for task, body in (("a", "rot90(G)"), ("b", "rot180(G)"))
    ]
    outer = "def outer(G):\n    return inner(G)"
    texts = [
        (task, f"{text}\n\n\n{outer}\n\n\ndef solve_{task}(I):\n    return outer(I)\n")
        for task, text in zip("ab", inner, strict=True)
    ]
    made = named_sources(texts)
    assert "outer_2(I)" in made["solve_b"]
    Deck.from_sources(made).save(tmp_path / "all.py")


def lambda_calling(helper, body):
    called = Helper(helper, one_call(OPS[body]))
    return lambda_of(Program(("a1",), 1, (Step(Literal(called), (Slot(0),), "x1", 1),), Slot(1)))


def mapping(made):
    return Program(("I",), 1, (Step(Literal(OPS["apply"]), (Literal(made), Slot(0)), "x1", 1),), Slot(1))


def test_lambdas_that_call_renamed_helpers_get_other_names(tmp_path):
    programs = [mapping(lambda_calling("turned", body)) for body in ("hmirror", "vmirror", "hmirror")]
    texts = [(task, source_text(program, f"solve_{task}")) for task, program in zip("abc", programs, strict=True)]
    made = named_sources(texts)
    assert ["def function_" in text for text in made.values()] == [False, True, False]
    deck = Deck.from_sources(made)
    deck.save(tmp_path / "all.py")
    grids = (((1, 2), (3, 4)), ((5, 6),))
    assert [solver.program.run((grids,)) for solver in deck] == [program.run((grids,)) for program in programs]
    assert [solver.program.run((grids,)) for solver in load_deck(tmp_path / "all.py")] == [
        program.run((grids,)) for program in programs
    ]


def test_lambdas_that_call_helpers_of_one_name_in_one_program_have_the_names_of_their_bodies():
    first, second = lambda_calling("turned", "hmirror"), lambda_calling("turned", "vmirror")
    steps = (
        Step(Literal(OPS["apply"]), (Literal(first), Slot(0)), "x1", 1),
        Step(Literal(OPS["apply"]), (Literal(second), Slot(1)), "x2", 1),
    )
    program = Program(("I",), 1, steps, Slot(2))
    text = source_text(distinct_helpers(program), "solve")
    grids = (((1, 2), (3, 4)), ((5, 6),))
    assert Deck.from_sources({"solve": text})[0].program.run((grids,)) == program.run((grids,))


def one_call(callee, name="x"):
    return Program(("a",), 1, (Step(Literal(callee), (Slot(0),), name, 1),), Slot(1))


def test_helpers_of_one_name_in_one_program_get_numbers():
    first, second = [Helper("turned", one_call(OPS[name])) for name in ("rot90", "rot180")]
    steps = (Step(Literal(first), (Slot(0),), "x1", 1), Step(Literal(second), (Slot(1),), "x2", 1))
    program = Program(("I",), 1, steps, Slot(2))
    text = source_text(distinct_helpers(program), "solve")
    assert "turned_2(x1)" in text
    grid = ((1, 2), (3, 4))
    assert Deck.from_sources({"solve": text})[0].program.run((grid,)) == program.run((grid,))
