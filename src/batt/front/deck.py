"""Decks: collections of solvers. Finds and names solvers, and never imports or runs their files."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias, overload

from batt.errors import DeckError, SourceError, UsageError
from batt.files import write_text
from batt.front.definitions import Definition, Module
from batt.front.naming import SOLVER_NAME
from batt.front.siblings import File, Folder, Sibling, no_sibling
from batt.front.solver import Solver, as_json_lines, as_python, html_rows, with_candidate
from batt.front.texts import STANDARD_INPUT, deck_files, is_stream, read_text
from batt.ir import Program
from batt.kept import is_large, kept
from batt.ops import Op
from batt.source import Place, did_you_mean, visible

MOST_MISTAKES = 1_000
"""Reading a deck stops after this many mistakes, unless `keep_going` is set."""
BUILT_IN = "built-in"
MADE_BY = ("errors", "front", "ir", "ops", "source", "types")
"""The code that decides what a deck is."""
LISTED = 40
"""The most solvers that a notebook lists for a deck."""

OwnOps: TypeAlias = str | os.PathLike[str] | Mapping[str, Op] | None
"""A file of the user's own ops, or such ops by name."""


class Deck(Sequence[Solver]):
    """Solvers in the order of reading, each name once.

    `defaults` counts the lines of old batts that gave a default instead of an error; here they raise. `imports` counts
    the imports of each module outside the language; they were skipped, never executed.
    """

    def __init__(
        self,
        solvers: Iterable[Solver],
        name: str = "deck",
        mistakes: Iterable[SourceError] = (),
        defaults: int = 0,
        imports: Mapping[str, int] | None = None,
    ) -> None:
        self._solvers = tuple(solvers)
        self._by_name = {solver.name: solver for solver in self._solvers}
        self.name = name
        self.mistakes = tuple(mistakes)
        self.defaults = defaults
        self.imports = dict(imports or {})

    @classmethod
    def from_sources(cls, sources: Mapping[str, str], keep_going: bool = False, ops: OwnOps = None) -> Deck:
        """Make a deck of source texts by solver name. They may use the ops of `ops`."""
        found = _DeckReader(loaded(ops), keep_going)
        for name, text in sources.items():
            if not (isinstance(name, str) and isinstance(text, str)):
                kinds = f"{type(name).__name__} to {type(text).__name__}"
                raise UsageError(f"sources must map names to source texts, str to str, not {kinds}")
            found.add_source(text, name, name)
        return found.deck("sources")

    @property
    def programs(self) -> dict[str, Program]:
        """The programs by name, in order."""
        return {name: solver.program for name, solver in self._by_name.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the solvers, in order."""
        return tuple(self._by_name)

    @overload
    def __getitem__(self, key: int | str) -> Solver: ...
    @overload
    def __getitem__(self, key: slice) -> Deck: ...
    def __getitem__(self, key: int | str | slice) -> Solver | Deck:
        if isinstance(key, slice):
            return Deck(self._solvers[key], self.name)
        if isinstance(key, int):
            return self._solvers[key]
        if key in self._by_name:
            return self._by_name[key]
        raise UsageError(f"no solver {key!r} in {self.name}{did_you_mean(key, self._by_name)}")

    def __len__(self) -> int:
        return len(self._solvers)

    def __iter__(self) -> Iterator[Solver]:
        return iter(self._solvers)

    def __contains__(self, item: object) -> bool:
        return item in self._by_name if isinstance(item, str) else item in self._solvers

    def select(self, names: Iterable[str]) -> Deck:
        """Return a deck of the solvers `names`, in this order, each once."""
        return Deck([self[name] for name in dict.fromkeys(names)], self.name)

    def save(self, path: str | os.PathLike[str], run: str = "") -> None:
        """Write the deck as a Python file, or as JSON lines if the name ends in `.jsonl`.

        The file names the run `run` that the deck comes from, if given.
        """
        target = Path(path)
        if target.suffix == ".jsonl":
            write_text(target, as_json_lines(self, run))
        else:
            write_text(target, f"# Run {run}\n" * bool(run) + as_python(self, target))

    def __repr__(self) -> str:
        return f"<Deck | {len(self):,} solvers>"

    def _repr_html_(self) -> str:
        more = f"<p>… and {len(self) - LISTED:,} more</p>" if len(self) > LISTED else ""
        return f"<p>{repr(self)[1:-1]} | {escape(self.name)}</p>{html_rows(self[:LISTED])}{more}"


def load_deck(source: str | os.PathLike[str] = BUILT_IN, keep_going: bool = False, ops: OwnOps = None) -> Deck:
    """Read a deck: a Python file, a folder of them, a JSON lines file, a pipe, or the built-in deck.

    `-` is standard input. A pipe may hold Python or JSON lines. Solvers may use the ops of the file `ops`, which is
    executed; a deck never is. Raise DeckError with every mistake, unless `keep_going` is set: then the deck holds the
    good solvers, and its `mistakes` the rest.
    """
    found = _DeckReader(loaded(ops), keep_going)
    if source == BUILT_IN:
        entries = [each for each in resources.files("batt.decks").iterdir() if each.name.endswith(".py")]
        texts = {each.name: each.read_text("utf-8") for each in entries}
        return found.kept_deck(BUILT_IN, texts, partial(found.add_folder, texts))
    path = Path(STANDARD_INPUT if source == "-" else source)
    name, files = visible(path.name or str(path)), deck_files(path)
    if files == [path]:
        text = found.read_file(path)
        return found.kept_deck(name, {str(path): text or ""}, partial(found.add_text, path, text))
    folder = Folder(
        {each.stem: File(str(each), partial(read_text, each)) for each in files if each.suffix == ".py"}, found.read
    )
    for file in files:
        if file.suffix == ".py":
            found.add_sibling(folder, file.stem)
        else:
            found.add_text(file, found.read_file(file))
    return found.deck(name)


def linked_deck(name: str, first: str, texts: Mapping[str, str]) -> Deck:
    """Read a deck of texts, by names of files without `.py`: the solvers of the `first`, then those of what it imports.

    Solvers are in the order in which its imports name the files. Nothing is executed.
    """
    found = _DeckReader()
    return found.kept_deck(name, texts, partial(found.add_linked, first, texts))


def loaded(ops: OwnOps) -> Mapping[str, Op]:
    """Return the user's own ops by name; load them if `ops` is a file."""
    if ops is None or isinstance(ops, Mapping):
        return ops or {}
    # Imported here because nothing else needs it.
    from batt.own import load_ops

    return load_ops(ops)


def _digested(deck: Deck) -> Deck:
    """Compute the digests of the programs, by which what is compiled of them is kept, too."""
    for solver in deck:
        _ = solver.program.digest
    return deck


def deck_of(module: Module, name: str, keep_going: bool = False) -> Deck:
    """Make a deck of one text that was read already."""
    found = _DeckReader(keep_going=keep_going)
    found.add_module(module, name)
    return found.deck(name)


class _DeckReader:
    """Collects solvers and mistakes from several texts, which may use the user's own ops."""

    def __init__(self, own: Mapping[str, Op] | None = None, keep_going: bool = False) -> None:
        self.own = own or {}
        self.keep_going = keep_going
        self.most_mistakes = sys.maxsize if keep_going else MOST_MISTAKES
        self.solvers: dict[str, Solver] = {}
        self.mistakes: list[SourceError] = []
        self.defaults = 0
        self.imports: Counter[str] = Counter()

    def deck(self, name: str) -> Deck:
        if self.mistakes and not (self.keep_going and self.solvers):
            raise DeckError(self.mistakes, is_stopped=self._is_full())
        if not self.solvers:
            raise UsageError(f"{name}: no solver found; a solver is `def solve_NAME(I)` or `def solve_NAME(S, I, C)`")
        return Deck(self.solvers.values(), name, self.mistakes, self.defaults, self.imports)

    def _is_full(self) -> bool:
        """Tell whether the limit of mistakes is reached, at which reading stops."""
        return len(self.mistakes) >= self.most_mistakes

    def read(self, text: str, file: str, sibling: Sibling = no_sibling) -> Module:
        """Read the definitions of a text."""
        # A deck that is kept is not read again.
        from batt.front.module import read_module

        module = read_module(text, file, self.own, self.most_mistakes, sibling)
        if module.batt is None:
            # Imports beside a batt do not matter to it, so they are not reported.
            self.imports.update(module.imports)
        return module

    def kept_deck(self, name: str, texts: Mapping[str, str], add: Callable[[], None]) -> Deck:
        """Return the deck of these texts by file, which `add` adds. It is kept, unless it depends on more than them."""

        def make() -> Deck:
            add()
            return self.deck(name)

        content = [part.encode() for pair in sorted(texts.items()) for part in pair]
        if self.own or self.keep_going or not is_large(content):
            return make()
        return kept(Deck, MADE_BY, content, lambda: _digested(make()))

    def add_folder(self, texts: Mapping[str, str]) -> None:
        """Add every solver of these texts by name of their files, which may import from one another."""
        files = {Path(name).stem: File(name, partial(str, text)) for name, text in texts.items()}
        folder = Folder(files, self.read)
        for stem in sorted(files.keys() - {"__init__"}):
            self.add_sibling(folder, stem)

    def add_linked(self, first: str, texts: Mapping[str, str]) -> None:
        """Add every solver of the `first` of these texts, and then of those that it imports from, in their order."""
        files = {each: File(f"{each}.py", partial(str, text)) for each, text in texts.items()}
        for module in Folder(files, self.read).linked(first):
            self.add_module(module, Path(module.file).stem)

    def read_file(self, path: Path) -> str | None:
        """Return the text of a file, or None and note the mistake that it is no text."""
        try:
            return None if self._is_full() else read_text(path)
        except DeckError as error:
            self.mistakes += error.mistakes
            return None

    def add_text(self, path: Path, text: str | None) -> None:
        """Add every solver of the text of a file."""
        if text is None:
            return
        if path.suffix == ".jsonl" or (is_stream(path) and text.lstrip().startswith("{")):
            for number, line in enumerate(text.split("\n"), 1):
                if line.strip() and not self._is_full():
                    self._add_json_line(line, str(path), number)
        else:
            self.add_module(self.read(text, str(path)), path.stem)

    def add_sibling(self, folder: Folder, stem: str) -> None:
        """Add every solver of a Python file of a folder."""
        if not self._is_full():
            self.add_module(folder.module(stem), stem)

    def add_source(self, text: str, name: str, file: str) -> None:
        """Add the one solver of a text under `name`."""
        if self._is_full():
            return
        if not _is_name(name):
            self.mistakes.append(SourceError(_NOT_A_NAME.format(name), Place(visible(file), 1, 1)))
            return
        module = self.read(text, file)
        self.mistakes += module.mistakes
        if module.mistakes:
            return  # which definition is the solver is unknown while some cannot be read
        candidates = module.candidates(name)
        if len(candidates) == 1:
            self._add_solver(name, candidates[0], module)
        elif candidates:
            which = ", ".join(each.name for each in candidates)
            self.mistakes.append(SourceError(f"several solvers in one source: {which}", Place(file, 1, 1)))
        else:
            self.mistakes.append(SourceError("the source defines no solver", Place(file, 1, 1)))

    def add_module(self, module: Module, stem: str) -> None:
        """Add every solver of a text. A solver named `solve` gets the name of its file."""
        self.mistakes += module.mistakes
        batt = module.batt
        dealt = {entry.definition: entry.name for entry in batt.entries} if batt else {}
        self.defaults += batt.defaults if batt else 0
        for definition in module.definitions.values():
            if SOLVER_NAME.match(definition.name) and definition.name not in module.imported:
                name = definition.name if "_" in definition.name else stem
                self._add_solver(dealt.get(definition.name, name), definition, module)

    def _add_solver(self, name: str, definition: Definition, module: Module) -> None:
        program = definition.program
        if program.params == ("S", "I"):
            program = with_candidate(program)
        if not _is_name(name):
            # The name is that of the file: the definition is named just `solve`.
            self.mistakes.append(SourceError(_NOT_A_NAME.format(name), definition.place))
        elif program.arity not in (1, 3):
            message = f"a solver takes (I), (S, I) or (S, I, C), not {program.arity} parameters"
            self.mistakes.append(SourceError(message, definition.place, definition.text.split("\n")[0]))
        elif name in self.solvers:
            message = f"a second solver {name!r}; the first is at {self.solvers[name].place}"
            self.mistakes.append(SourceError(message, definition.place, definition.text.split("\n")[0]))
        else:
            self.solvers[name] = Solver(name, program, definition.name, module, definition.place)

    def _add_json_line(self, line: str, file: str, number: int) -> None:
        try:
            entry: Any = json.loads(line)
        except json.JSONDecodeError as error:
            self.mistakes.append(SourceError(f"not JSON: {error.msg}", Place(file, number, error.colno), line))
            return
        except (ValueError, RecursionError) as error:
            why = "brackets nested too deeply" if isinstance(error, RecursionError) else "a number of too many digits"
            self.mistakes.append(SourceError(f"not JSON: {why}", Place(file, number, 1), line))
            return
        match entry:
            case {"name": str() as name, "source": str() as text}:
                self.add_source(text, name, f"{file}:{number} {name}")
            case _:
                message = 'expected an object with the strings "name" and "source"'
                self.mistakes.append(SourceError(message, Place(file, number, 1), line))


_NOT_A_NAME = "a solver's name must be printable text, not {!a}"


def _is_name(name: str) -> bool:
    return bool(name) and name.isprintable()
