"""Count what says how large and how plain the source is, side by side for several revisions.

python benchmarks/counts.py REVISION|FOLDER…

Lines are all lines of .py, .h, .cpp and .cu files, blank ones and comments included; generated files ("do not edit" in
their first line) are left out. Everything below the lines is counted in src/batt alone.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from checkouts import CheckoutError, source_folder, table

SUFFIXES = (".py", ".h", ".cpp", ".cu")
FOLDERS = ("src", "native", "tests", "benchmarks")
QUESTIONS = ("What", "Which", "Where", "Whether", "How")
DEFERRED = (
    "refused", "unsupported", "fallbacks", "handed_down", "left", "left_over", "left_out", "rest", "remains", "aside",
    "late", "heavy", "hopeless", "without",
)  # fmt: skip
"""Identifiers that have meant: this evaluation was not done here."""
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of(folder: Path) -> int:
    """Count the lines of all source files below `folder` that are written by hand."""
    total = 0
    for path in folder.rglob("*"):
        if path.suffix in SUFFIXES and path.is_file():
            lines = path.read_text("utf-8").splitlines()
            total += 0 if lines and "do not edit" in lines[0] else len(lines)
    return total


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Yield every name in a module: of variables, attributes, arguments, functions, classes and imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.rpartition(".")[2]


def docstrings(tree: ast.AST) -> Iterator[str]:
    """Yield the docstrings of a module and all that it defines."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield text


def parameters(trees: Sequence[ast.Module], function: str) -> int | None:
    """Count the parameters of a function or of `Class.__init__`, without self; of a dataclass the fields.

    None where it is not found.
    """
    first, _, method = function.partition(".")
    for node in [node for tree in trees for node in tree.body if getattr(node, "name", None) == first]:
        if isinstance(node, ast.ClassDef):
            found = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == method]
            fields = sum([isinstance(each, ast.AnnAssign) for each in node.body])
            return _arguments(found[0]) - 1 if found else fields
        if isinstance(node, ast.FunctionDef):
            return _arguments(node)
    return None


def _arguments(function: ast.FunctionDef) -> int:
    found = function.args
    return len(found.posonlyargs) + len(found.args) + len(found.kwonlyargs)


def parsed(folder: Path) -> dict[str, ast.Module]:
    """Parse the package of a checkout. Return its modules by path."""
    package = folder / "src" / "batt"
    if not package.is_dir():
        raise CheckoutError(f"{folder} is no checkout of batt: it has no folder src/batt")
    paths = sorted(package.rglob("*.py"))
    return {path.relative_to(package).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def clashes(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Return the names of top-level classes that several modules define, with those modules."""
    homes: dict[str, list[str]] = {}
    for name, tree in modules.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(name)
    return {name: found for name, found in sorted(homes.items()) if len(found) > 1}


def _share_package(homes: Sequence[str]) -> bool:
    packages = [home.partition("/")[0] for home in homes]
    return len(set(packages)) < len(packages)


def counts(folder: Path) -> dict[str, int | None]:
    """Return all figures of a checkout by what they count."""
    modules = parsed(folder)
    found = clashes(modules)
    jobs = [tree for name, tree in modules.items() if name.startswith("jobs/")]
    classes = [node.name for tree in modules.values() for node in tree.body if isinstance(node, ast.ClassDef)]
    texts = [text for tree in modules.values() for text in docstrings(tree)]
    words = Counter([name.lstrip("_") for tree in modules.values() for name in identifiers(tree)])
    return {
        **{f"lines of {name}": lines_of(folder / name) for name in FOLDERS},
        "files of src": len(modules),
        "top-level classes": len(classes),
        "… public": len([name for name in classes if not name.startswith("_")]),
        "… names in several modules": len(found),
        "… names in several modules of a package": len([homes for homes in found.values() if _share_package(homes)]),
        "docstrings": len(texts),
        "… that begin with What, Which, Where, Whether, How": len([t for t in texts if t.split()[0] in QUESTIONS]),
        "parameters of evaluate": parameters(jobs, "evaluate"),
        "parameters of Results.__init__": parameters(jobs, "Results.__init__"),
        "words for deferred, of 14": len([word for word in DEFERRED if words[word]]),
        **{f"… {word}": words[word] for word in DEFERRED},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print a column for each checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", metavar="REVISION|FOLDER", help="what to count")
    parser.add_argument("--clashes", action="store_true", help="also list the class names that several modules define")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as JSON to FILE")
    args = parser.parse_args(arguments)
    found: dict[str, dict[str, int | None]] = {}
    clashing: list[str] = []
    try:
        for named in args.checkouts:
            with source_folder(named) as folder:
                found[named] = counts(folder)
                names = clashes(parsed(folder)) if args.clashes else {}
                clashing += [f"{named}: {name}: {', '.join(homes)}" for name, homes in names.items()]
    except CheckoutError as error:
        print(f"counts: {error}", file=sys.stderr)
        return 2
    rows = [
        [what, "", *["–" if side[what] is None else f"{side[what]:,}" for side in found.values()]]
        for what in next(iter(found.values()))
    ]
    print("\n".join([table([["", "", *found], *rows]), *clashing]))
    if args.json:
        args.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
