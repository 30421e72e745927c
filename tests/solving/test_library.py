import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from batt import compiler
from batt import kept as keeping
from batt.front import Deck, load_deck
from batt.ir import Program
from batt.jobs import images
from batt.solving import library as module
from batt.solving.library import FunctionLibrary, as_reader, build_library, parts_of, solving_deck, templates_of
from batt.solving.running import PreparedFunctions
from handmade import sample
from native_library import needs_library

GRID = ((0, 2, 0), (2, 0, 2), (0, 2, 0))
DECKS = Path(module.__file__).with_name("decks")
FOLDERS = sorted([each.parent.name for each in DECKS.glob("*/__init__.py")])


@pytest.mark.parametrize("name", FOLDERS)
def test_every_solver_of_a_folder_is_in_its_deck_in_the_order_of_the_imports(name: str):
    files = re.findall(r"from \.(\w+) import", (DECKS / name / "__init__.py").read_text("utf-8"))
    files += sorted({each.stem for each in DECKS.glob(f"{name}/*.py")} - {"__init__", *files})
    texts = [(DECKS / name / f"{file}.py").read_text("utf-8") for file in files]
    assert list(solving_deck(name).names) == re.findall(r"^def (solve_\w+)", "\n".join(texts), re.MULTILINE)


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


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of decks of the libraries that were made. Nothing is kept before."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))
    counted: list[int] = []
    real = module._make_library

    def watched(decks):
        counted.append(len(decks))
        return real(decks)

    monkeypatch.setattr(module, "_make_library", watched)
    return counted


def shown(library: FunctionLibrary) -> list[object]:
    """What answers show of a library, in order: programs with all names, and tasks."""
    groups = [library.plain, library.variants, *library.templates]
    return [(repr(each.program), each.program.digest, each.tasks) for group in groups for each in group]


def test_a_library_is_made_once_for_decks(made: list[int], small_deck: Deck):
    first, again = build_library([small_deck]), build_library([Deck(small_deck, "another name")])
    assert made == [1]
    assert first == again
    assert shown(first) == shown(again)


def test_other_names_of_solvers_or_variables_and_other_decks_make_another_library(made: list[int], small_deck: Deck):
    text = "def solve_turn(I):\n    x1 = rot90(I)\n    return x1"
    others: list[Mapping[str, str]] = [
        {"solve_turn": text},
        {"solve_007bbfb7": text},
        {"solve_turn": text.replace("x1", "turned")},
        {"solve_turn": text.replace("(I)", "(grid)")},
        {"solve_turn": text.replace("90", "180")},
    ]
    libraries = [build_library([Deck.from_sources(sources)]) for sources in others]
    assert made == [1] * len(others)
    assert "turned" in repr(libraries[2])
    two = [Deck.from_sources(others[0]), small_deck]
    build_library(two)
    build_library(two[::-1])
    assert made[len(others) :] == [2, 2]


def test_a_damaged_library_is_made_again(made: list[int], small_deck: Deck, tmp_path: Path):
    first = build_library([small_deck])
    (path,) = (tmp_path / "cache" / keeping.FOLDER).glob("functionlibrary-*")
    path.write_bytes(path.read_bytes()[:-1])
    assert shown(build_library([small_deck])) == shown(first)
    assert made == [1, 1]


def test_a_library_with_own_ops_is_made_each_time(made: list[int], tmp_path: Path):
    ops, deck = tmp_path / "my_ops.py", tmp_path / "deck.py"
    ops.write_text(
        "from batt.own import op\nfrom batt.types import Kind\n\n\n@op(Kind.GRID, result=Kind.GRID)\n"
        'def turned(grid):\n    """Turn a grid."""\n    return tuple(zip(*grid[::-1]))\n'
    )
    deck.write_text("def solve_turn(I):\n    return turned(I)\n")
    read = load_deck(deck, ops=ops)
    for _ in range(2):
        build_library([read])
    assert made == [1, 1]


@needs_library
def test_images_are_kept_only_if_asked_for(made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compiler, "VERIFY", False)
    monkeypatch.setattr(images, "LEAST_STEPS", 1)
    deck = Deck.from_sources({"solve_turn": "def solve_turn(I):\n    x1 = rot90(I)\n    return x1"})
    programs: list[Program] = [solver.program for solver in deck]
    folder = tmp_path / "cache" / keeping.FOLDER
    found = [PreparedFunctions(programs, keep=keep).run([sample()]).records for keep in (False, True, True)]
    assert [each.tobytes() for each in found[1:]] == [found[0].tobytes()] * 2
    assert len(list(folder.glob("imagefile-*"))) == 1
