"""Write what the documentation derives from the code: the pages of primitives, commands and the Python interface,
tables of instructions and file formats, the numbers in prose that are constants of the code, pictures, and the sources
and steps of solvers.

python docs/make.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import batt
from batt.bench.frozen import first_132
from batt.bytecode.features import FEATURES
from batt.bytecode.opcodes import Code
from batt.cli.trace import find_pair
from batt.draw import svg
from batt.draw.png import encode
from batt.jobs import own_task
from batt.jobs.columns import COLUMNS
from batt.ops import CONSTANTS, NEW_WORDS, PYTHON, WORDS, Op, families
from batt.ops.python import call_text
from batt.runtime.reference.evaluation import evaluate_one
from making import commands, formats, interface
from making.solved import solved_pictures, with_solved
from making.wall import wall

DOCS = Path(__file__).parent
TABLE = re.compile(
    r"(<!-- Made from the records of ([\w.]+) by `make docs`. -->\n)(?:.*\n)*?(<!-- End of what is made. -->\n)"
)
"""Where a page has the table of a module's records."""
STEPS = re.compile(r"(<!-- Steps of (\w+) on (\w+)\. -->\n)(?:.*\n)*?(<!-- End of the steps\. -->\n)")
"""Where a page has the source and the picture of the steps of a solver, on a pair of the task in its name."""
STEP_PICTURES = DOCS / "learn"
SOLVED = DOCS / "solve"
"""A search of which a page shows what it found."""
VALUE = re.compile(r"[\d.,]*\d(<!-- value: (len )?([\w.]+)(?: in ([^>]+))? -->)")
"""A number that a constant gives, and the comment behind it that names the constant: `100<!-- value: batt.x.Y -->`.

`len` counts the items of a container, `in` converts to a unit: `<!-- value: batt.x.Y_BYTES in MiB -->`.
"""
UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "million": 10**6, "%": 0.01, "ms": 10**6, "ms of an H200": 1_755_000}
"""What one of the unit is in the constant's own unit: of nanoseconds, or of ticks of an H200 at 1.755 GHz."""

REFERENCE_HEAD = """# The primitives

<!-- Generated from the op table by `make docs`; a test compares. -->

{count} primitives in {family_count} families. `batt ops NAME` prints one of these entries in the terminal.

A set iterates in ascending order: ints before tuples before sets before None before functions. Tuples compare item by
item, sets by the ascending tuples of their items. *Steps* is what a call takes from the budget of an evaluation. The
items of a grid are its cells, those of another container its items; any other value has none.

Examples write a set as it is printed: `{{1, 2}}`. In Python and in a deck, write `frozenset({{1, 2}})`.
"""

REFERENCE_FORMS = """## python

Forms of everyday Python. A deck writes the form; it cannot call the op by name. Each does what Python does, for every
value. See [Decks as people write them](everyday-python.md)."""


REFERENCE_WORDS = """## new words

{count} new words in {family_count} families: ops like the primitives, but apart from them. A deck has them after the
line

```python
from batt.words import *
```

Without it their names are unknown. A definition of the deck with the same name wins.

A new word takes only plain values, and anything else is a TypeError. A *grid* has 1 to 65,535 rows and columns, rows of
one length, and colours: ints from 0 to 255. A *place* is a pair of ints, a *cell* a colour with a place. Indices and
objects are sets of places and of cells; they may be empty.

A word with the parameter `S` takes the demonstrations: a tuple of pairs of grids, without which it is a ValueError. On
a demonstration, S holds the very output that is wanted. `batt run --leave-out` leaves that pair out of S."""


@cache
def solver(name: str) -> batt.Solver:
    """Return a solver that pages show: of the frozen deck, so that the prose around it stays right, else built-in."""
    decks = [deck for deck in (first_132(), batt.load_deck()) if name in deck.names]
    return decks[0][name]


@cache
def tasks() -> batt.Tasks:
    """Return the tasks that the built-in deck is for."""
    return batt.load_tasks("arc1-training")


def pages() -> dict[Path, str]:
    """Every text file of the documentation that holds something generated, with its text."""
    written = sorted([*DOCS.parent.glob("*.md"), *DOCS.glob("*.md")])
    texts = {path: path.read_text(encoding="utf-8") for path in written}
    made = {path: with_values(with_tables(with_solved(with_sources(text), SOLVED))) for path, text in texts.items()}
    traced = [(found[2], found[3]) for text in texts.values() for found in STEPS.finditer(text)]
    drawn = {STEP_PICTURES / f"{name}.svg": svg(steps_of(name, pair).picture.scene) for name, pair in traced}
    whole = {
        DOCS / "primitives.md": reference_page(),
        DOCS / "commands.md": commands.commands_page(),
        DOCS / "interface.md": interface.interface_page(),
    }
    return made | drawn | whole | solved_pictures(SOLVED)


def reference_page() -> str:
    """Return the reference page of the primitives, from the op table."""
    groups = families()
    head = REFERENCE_HEAD.format(count=sum(map(len, groups.values())), family_count=len(groups))
    words = families(WORDS)
    links = " · ".join(f"[{family}](#{family})" for family in (*groups, *words, PYTHON))
    parts = [head, links, ""]
    for family, ops in groups.items():
        parts += [f"## {family}", ""]
        for op in ops:
            parts += _entry(op)
    parts += [REFERENCE_WORDS.format(count=len(NEW_WORDS), family_count=len(words)), ""]
    for family, ops in words.items():
        parts += [f"## {family}", ""]
        for op in ops:
            parts += _entry(op)
    parts += [REFERENCE_FORMS, ""]
    for op in [each for ops in families(PYTHON).values() for each in ops]:
        parts += _entry(op)
    parts += ["## constants", "", "| name | value |", "|---|---|"]
    parts += [f"| `{name}` | `{value!r}` |" for name, value in CONSTANTS.items()]
    return "\n".join(parts) + "\n"


def _entry(op: Op) -> Iterator[str]:
    yield f"### {call_text(op)}"
    yield ""
    yield op.doc
    yield ""
    yield f"`{'` · `'.join(map(str, op.signatures))}` — steps: {op.cost_text}"
    yield ""
    yield "```python"
    for example in op.examples:
        yield f">>> {example.call}"
        yield example.gives
    yield "```"
    yield ""


def with_tables(text: str) -> str:
    """Replace the tables that are made from records."""
    return TABLE.sub(lambda found: found[1] + "".join([f"{each}\n" for each in TABLES[found[2]]()]) + found[3], text)


def instruction_rows() -> list[str]:
    """Return the table of instructions."""
    rows = ["| opcode | immediates | operands | effect |", "|---|---|---|---|"]
    rows += ["| an op | – | its arity | `R[d] := op(x…)`, charged as the op is |"]
    for code in Code:
        immediates, operands = code.form.immediates or "–", code.form.operands or "–"
        rows.append(f"| {code.name} | {immediates} | {operands} | {code.form.effect} |")
    return rows


def column_rows() -> list[str]:
    """Return the table of the columns of exports."""
    rows = ["| column | kind | what it holds | no value if | added by |", "|---|---|---|---|---|"]
    for column in COLUMNS:
        added = f"`{column.added_by}`" if column.added_by else ""
        rows.append(f"| `{column.name}` | {column.kind.value} | {column.doc} | {column.may_be_null} | {added} |")
    return rows


def feature_rows() -> list[str]:
    """Return the table of the features of parts of grids."""
    return ["| feature | definition |", "|---|---|", *[f"| `{name}` | {text} |" for name, text in FEATURES.items()]]


TABLES = {
    "batt.bytecode.opcodes": instruction_rows,
    "batt.bytecode.features": feature_rows,
    "batt.jobs.columns": column_rows,
} | formats.TABLES


def with_sources(text: str) -> str:
    """Replace the source and the link to the picture of each solver whose steps a page shows."""

    def shown(found: re.Match[str]) -> str:
        name = found[2]
        link = f"![Every step of {name} with its value]({STEP_PICTURES.name}/{name}.svg)"
        return f"{found[1]}```python\n{solver(name).source}```\n\n{link}\n{found[4]}"

    return STEPS.sub(shown, text)


def steps_of(name: str, pair: str) -> batt.Trace:
    """Run `solver(name)` on a pair of its own task, as `batt trace` does, but in this process."""
    traced, task = solver(name), tasks()[str(own_task(name, tasks().ids))]
    sample = find_pair(task, pair)
    values: list[Any] = []
    outcome = evaluate_one(traced.program, sample, batt.Limits(), lambda _, value: values.append(value))
    return batt.Trace(traced, sample, tuple(values), outcome)


def with_values(text: str) -> str:
    """Replace every number that a comment ties to a constant of the code."""
    return VALUE.sub(lambda found: _written(found[2], found[3], found[4]) + found[1], text)


def _written(counted: str | None, path: str, unit: str | None) -> str:
    """The constant at a dotted path, as prose writes it: 100,000,000 or 0.26."""
    value = constant(path)
    value = len(value) if counted else value
    value = value / UNITS[unit] if unit else value
    if abs(value - round(value)) < 1e-9:
        return f"{round(value):,}"
    # Two digits, and no exponent: 256.4 is 260.
    return f"{float(f'{value:.2g}'):,.12g}"


def constant(path: str) -> Any:
    """The value at a dotted path: a constant of a module, the default of a dataclass's field, or the item of a dict."""
    owner_path, _, name = path.rpartition(".")
    owner = resolve_name(owner_path)
    if isinstance(owner, type) and is_dataclass(owner):
        return {each.name: each.default for each in fields(owner)}[name]
    return owner[name] if isinstance(owner, dict) else getattr(owner, name)


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (DOCS / "wall.png").write_bytes(encode(wall()))
