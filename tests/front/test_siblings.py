"""Files of a folder deck that import names from one another: read as data, with every mistake at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from batt.errors import DeckError
from batt.front import Deck, linked_deck, load_deck
from batt.front.siblings import MAX_IMPORT_DEPTH

IDIOMS = """from batt.dsl import *

EDGE = 8


def edge(grid):
    return box(asindices(grid))


def framed(grid):
    return fill(grid, EDGE, edge(grid))


def _secret(grid):
    return grid
"""
SOLVER = "\n\ndef solve_a(I):\n    return framed(I)\n"


def folder(path: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (path / f"{name}.py").write_text(text, encoding="utf-8")
    return path


def mistakes_in(path: Path) -> list[str]:
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    return [str(each).split("\n")[0].replace(f"{path}/", "") for each in caught.value.mistakes]


@pytest.mark.parametrize(
    "statement", ["from idioms import *", "from idioms import framed", "from .idioms import framed, edge, EDGE"]
)
def test_a_file_takes_helpers_and_constants_of_another_file_of_its_folder(tmp_path: Path, statement: str):
    apart = load_deck(folder(tmp_path, idioms=IDIOMS, solvers=statement + SOLVER))
    together = Deck.from_sources({"solve_a": IDIOMS + SOLVER})
    assert apart.names == ("solve_a",)
    assert apart["solve_a"].program == together["solve_a"].program
    assert apart.imports == {}


def test_an_import_may_follow_the_solver_that_needs_it(tmp_path: Path):
    deck = load_deck(folder(tmp_path, idioms=IDIOMS, solvers=SOLVER + "\nfrom idioms import framed\n"))
    assert deck.names == ("solve_a",)


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_a_saved_deck_is_self_contained(tmp_path: Path, suffix: str):
    deck = load_deck(folder(tmp_path, idioms=IDIOMS, solvers="from .idioms import framed" + SOLVER))
    (tmp_path / "saved").mkdir()
    deck.save(tmp_path / "saved" / f"deck{suffix}")
    again = load_deck(tmp_path / "saved" / f"deck{suffix}")
    assert [each.program for each in again] == [each.program for each in deck]
    assert deck["solve_a"].source.startswith("EDGE = 8\n\n\ndef edge(grid):")
    assert Deck.from_sources({"solve_a": deck["solve_a"].source})["solve_a"].program == deck["solve_a"].program


def test_names_pass_through_several_files(tmp_path: Path):
    more = "from idioms import edge\n\n\ndef red(grid):\n    return fill(grid, 2, edge(grid))\n"
    solver = "from more import red\n\n\ndef solve_a(I):\n    return red(I)\n"
    deck = load_deck(folder(tmp_path, idioms=IDIOMS, more=more, a=solver))
    assert deck["solve_a"].source.startswith("def edge(grid):")


def test_solvers_are_those_of_their_own_file(tmp_path: Path):
    helped = "from one import solve_a\nfrom one import *\n\n\ndef solve_b(I):\n    return solve_a(I)\n"
    deck = load_deck(folder(tmp_path, one="def solve_a(I):\n    return rot90(I)\n", two=helped))
    assert deck.names == ("solve_a", "solve_b")


def test_a_star_takes_neither_solvers_nor_names_with_an_underscore(tmp_path: Path):
    text = "from idioms import *\n\n\ndef solve_a(I):\n    return _secret(framed(I))\n"
    found = mistakes_in(folder(tmp_path, idioms=IDIOMS, solvers=text))
    assert found == ["solvers.py:5:12: '_secret' is not defined"]
    text = "from other import *\n\n\ndef solve(I):\n    return I\n"
    assert load_deck(folder(tmp_path, idioms=IDIOMS, other="def solve(I):\n    return I\n", solvers=text))


def test_a_name_that_the_other_file_does_not_define_is_a_mistake_at_the_import(tmp_path: Path):
    found = mistakes_in(folder(tmp_path, idioms=IDIOMS, a="from idioms import framed, edges" + SOLVER))
    assert found == ["a.py:1:28: idioms.py defines no 'edges'"]


def test_a_primitive_keeps_its_meaning(tmp_path: Path):
    text = "from idioms import vmirror\n\n\ndef solve_a(I):\n    return vmirror(I)\n"
    assert load_deck(folder(tmp_path, idioms=IDIOMS, a=text)).names == ("solve_a",)


def test_a_name_with_mistakes_there_is_a_mistake_where_it_is_used(tmp_path: Path):
    broken = "def framed(grid):\n    return nothing(grid)\n"
    found = mistakes_in(folder(tmp_path, idioms=broken, a="from idioms import framed" + SOLVER))
    assert found == [
        "a.py:4:12: 'framed' is not defined: idioms.py has mistakes",
        "idioms.py:2:12: 'nothing' is not defined",
    ]


def test_another_name_for_an_import_is_a_mistake_where_it_is_used(tmp_path: Path):
    text = "from idioms import framed as f\n\n\ndef solve_a(I):\n    return f(I)\n"
    found = mistakes_in(folder(tmp_path, idioms=IDIOMS, a=text))
    assert found == ["a.py:5:12: 'f' is not defined: import 'framed' of idioms.py under its own name"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "from idioms import framed\n\n\ndef framed(grid):\n    return grid\n\n\ndef solve_a(I):\n    return I\n",
            "a.py:4:1: 'framed' is defined twice; first in idioms.py:10:1",
        ),
        (
            "from idioms import framed\n\n\ndef edge(grid):\n    return grid\n\n\ndef solve_a(I):\n    return I\n",
            "a.py:4:1: 'edge' is defined twice; first in idioms.py:6:1",
        ),
        (
            "def edge(grid):\n    return grid\n\n\ndef solve_a(I):\n    return I\n\n\nfrom idioms import framed\n",
            "a.py:9:20: 'framed' needs 'edge': 'edge' is defined twice; first in a.py:1:1",
        ),
    ],
)
def test_a_name_is_defined_once_here_or_there(tmp_path: Path, text: str, told: str):
    assert mistakes_in(folder(tmp_path, idioms=IDIOMS, a=text)) == [told]


def test_files_that_import_one_another_in_a_circle_are_a_mistake(tmp_path: Path):
    one = "from two import low\n\n\ndef high(x):\n    return low(x)\n\n\ndef solve_a(I):\n    return I\n"
    found = mistakes_in(folder(tmp_path, one=one, two="from one import high\n\n\ndef low(x):\n    return x\n"))
    assert found == ["two.py:1:1: the files import one another in a circle: one → two → one"]
    (itself,) = mistakes_in(folder(tmp_path, one="from one import a" + SOLVER, two="def framed(x):\n    return x\n"))[
        :1
    ]
    assert itself == "one.py:1:1: the files import one another in a circle: one → one"


def test_imports_go_so_many_files_deep(tmp_path: Path):
    texts = {f"f{n}": f"from f{n + 1} import x\n\n\nY{n} = 1\n" for n in range(MAX_IMPORT_DEPTH)}
    last = {f"f{MAX_IMPORT_DEPTH}": "x = 1\n\n\ndef solve_a(I):\n    return I\n"}
    told = f"f{MAX_IMPORT_DEPTH - 1}.py:1:1: files import one another more than {MAX_IMPORT_DEPTH} deep"
    assert told in mistakes_in(folder(tmp_path, **texts, **last))


@pytest.mark.parametrize("statement", ["from missing import framed", "from ..idioms import framed", "import idioms"])
def test_only_a_file_of_the_same_folder_is_read(tmp_path: Path, statement: str):
    (tmp_path / "deck").mkdir()
    folder(tmp_path, idioms=IDIOMS)
    found = mistakes_in(folder(tmp_path / "deck", a=statement + SOLVER, b="def solve_b(I):\n    return I\n"))
    assert [each.partition(": ")[0] for each in found] == ["a.py:4:12"]


def test_a_file_alone_has_no_siblings(tmp_path: Path):
    path = folder(tmp_path, idioms=IDIOMS, a="from idioms import framed" + SOLVER) / "a.py"
    (told,) = mistakes_in(path)
    assert told.endswith("'framed' is not defined: it is imported, and imports are never executed")


def test_no_file_is_executed(tmp_path: Path):
    text = IDIOMS + "\n\ndef boom(x=open('executed', 'w')):\n    return x\n"
    mistakes_in(folder(tmp_path, idioms=text, a="from idioms import *" + SOLVER))
    assert not (tmp_path / "executed").exists()
    assert not Path("executed").exists()


def test_a_linked_deck_has_the_solvers_of_the_files_that_its_first_file_imports_in_this_order():
    texts = {"idioms": IDIOMS, "first": "from .two import *\nfrom .one import *\n", "beside": "not read"}
    texts |= {name: "from .idioms import framed" + SOLVER.replace("_a", f"_{name}") for name in ("one", "two")}
    assert linked_deck("linked", "first", texts).names == ("solve_two", "solve_one")


def test_a_linked_deck_may_take_helpers_of_the_folder_above():
    texts = {"..idioms": IDIOMS, "first": "from ..idioms import framed" + SOLVER}
    assert (
        linked_deck("linked", "first", texts)["solve_a"].program
        == Deck.from_sources({"a": IDIOMS + SOLVER})["a"].program
    )


def test_mistakes_of_all_files_of_a_linked_deck_are_told():
    texts = {
        "first": "from .one import *\n",
        "one": "from .parts import low" + SOLVER,
        "parts": "def low(x):\n    y = 1.5\n",
    }
    with pytest.raises(DeckError) as caught:
        linked_deck("linked", "first", texts)
    assert {each.place.file for each in caught.value.mistakes} == {"one.py", "parts.py"}
