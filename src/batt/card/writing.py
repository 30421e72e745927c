"""Write a batt as Python text: for one sample, or in the words of a batch."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence

from batt.card.blocks import BattLine, blocks_of
from batt.card.dealing import source_word
from batt.card.kinds import likely_kinds
from batt.card.steps import DealtSolver, InputName, Number, SharedSteps, merge_steps
from batt.card.words import BattSpelling
from batt.differs import BuiltInDiffer, Differ, Written
from batt.errors import BattError, InternalError, UsageError
from batt.front import Solver
from batt.front.batts import read_batt_text
from batt.ir.functions import new_words_of, words_lines
from batt.ir.graph import Level
from batt.ir.writing import INDENT, in_docstring
from batt.types import Kind

WIDTH = 120

_ANNOTATIONS = {Kind.BOOL: "Boolean", Kind.INT: "Integer"}
_ONE_SAMPLE = ("task_id: str", "S: Samples", "I: Grid", "C: Grid | None = None", "log_path: str | None = None")
_MANY_SAMPLES = (
    "task_ids: list[str]",
    "Ss: list[Samples]",
    "Is: list[Grid]",
    "Cs: list[Grid | None] | None = None",
    "log_paths: list[str | None] | None = None",
)


def write_batt(steps: SharedSteps, head: str, differs: Sequence[Differ] = (), batch: bool = False) -> str:
    """Return the text of a batt with the docstring `head`: one function that runs every solver."""
    return _Writing(steps, differs, batch).text(head)


def check_text(text: str, steps: SharedSteps, file: str) -> None:
    """Read `text` back and compare every step of every solver. A batt that fails this is never written."""
    try:
        found = merge_steps(read_batt_text(text, file).deck)
    except BattError as error:
        raise UsageError(f"{file}: these solvers do not fit in one batt: {error}") from None
    if found != steps:
        names = [a.name for a, b in zip(steps.dealt, found.dealt, strict=False) if a != b]
        raise InternalError(f"{file}: the batt does not read back as it was written; first: {names[:1]}")


class _Writing:
    """Builds the text of one batt."""

    def __init__(self, steps: SharedSteps, differs: Sequence[Differ], batch: bool) -> None:
        self.steps = steps
        self.differs = differs
        self.built_in = [each for each in differs if isinstance(each, BuiltInDiffer)]
        self.batch = batch
        self.plural = "s" if batch else ""
        self.words = BattSpelling(batch)
        self.kinds = {} if batch else likely_kinds(steps)
        self.levels = steps.levels()
        self.types = {"Grid", "Samples"}
        written = [each.solver for each in differs if isinstance(each, Written)]
        self.programs = [solver.program for solver in (*[each.solver for each in steps.dealt], *written)]

    def text(self, head: str) -> str:
        """Return the whole file."""
        body = self._body()
        own = _own_definitions(self.steps, self.words.helpers, self.differs, reserved=self._reserved())
        for each in own:
            self.words.mention(each)
        parts = [f'"""{in_docstring(head)}"""\n', "\n".join(self._imports()) + "\n"]
        if self.words.constant_lines:
            parts.append("\n".join(self.words.constant_lines) + "\n")
        return "\n".join([*parts, *[f"\n{each}\n" for each in own], "\n" + body])

    def _reserved(self) -> set[str]:
        """Return the names with a meaning in the file, which no definition of a deck may have."""
        inputs = {f"{name}{self.plural}" for name in ("S", "I", "C", "task_id", "log_path")}
        steps = {f"t{number}{self.plural}" for number in self.steps.numbers}
        words = {*self.types, *self.words.defined.values(), *self.words.batched, *[each.word for each in self.built_in]}
        names = {"o", "s", "_", "batt", "batt_batch", "batt_function"}
        return {*inputs, *steps, *words, *new_words_of(self.programs), *names}

    def _imports(self) -> list[str]:
        language = sorted(self.words.constants) + sorted(self.words.ops)
        words = {*self.types, *[each.word for each in self.built_in], "batt_function"}
        given = {"dsl": language, "generated": sorted(words)}
        if self.batch:
            given["lazy"] = sorted(self.words.batched)
        named = [_wrapped(f"from batt.{module} import ", names) for module, names in given.items() if names]
        return [*named, *words_lines(self.programs)]

    def _body(self) -> str:
        name = "batt_batch" if self.batch else "batt"
        outputs, scores = ("BatchOutputs", "BatchScores") if self.batch else ("Outputs", "Scores")
        self.types.update((outputs, scores))
        result = f"tuple[{outputs}, {scores}]"
        lines = ["@batt_function", *_signature(name, _MANY_SAMPLES if self.batch else _ONE_SAMPLE, result)]
        told = "many samples: (outputs, scores) for each" if self.batch else "one sample: (outputs, scores)"
        lines += [
            f'{INDENT}"""Run every solver on {told}."""',
            f"{INDENT}o: {outputs} = []",
            f"{INDENT}s: {scores} = []",
        ]
        for dealt, block in zip(self.steps.dealt, blocks_of(self.steps), strict=True):
            lines += ["", *self._block(dealt, block)]
        return "\n".join([*lines, "", f"{INDENT}return o, s"]) + "\n"

    def _block(self, dealt: DealtSolver, block: list[BattLine]) -> list[str]:
        """Return the lines of a solver: its description, its new steps, its entries in `o` and `s`."""
        word = source_word(dealt.name)
        told = dealt.solver.idea
        lines = [textwrap.shorten(f"# {word}{f': {told}' if told else ''}", WIDTH - len(INDENT), placeholder=" …")]
        for each in block:
            if isinstance(each, int):
                lines += self._step(each)
            else:
                lines.append(_filled("_ = ", [f"t{number}{self.plural}" for number in each], ""))
        return [INDENT + line.replace("\n", "\n" + INDENT) for line in [*lines, *self._entries(dealt, word)]]

    def _step(self, number: int) -> list[str]:
        """Return the line of a step, after those of literals that it needs by name."""
        step = self.steps[number]
        kind = self.kinds.get(number, Kind.ANY)
        annotation = ""
        if kind is not Kind.ANY:
            name = _ANNOTATIONS.get(kind, kind.value.capitalize())
            self.types.add(name)
            annotation = f": {name}"
        comment = "  # once per task" if self.levels[number] is Level.TASK else ""
        name = f"t{number}{self.plural}"
        phrase = self.words.phrase(step, name)
        # Unpacked names take no annotation.
        target = name + annotation if phrase.target == name else phrase.target
        line = str(phrase._replace(target=target))
        if phrase.items:
            line = _filled(f"{target} = {phrase.opening}", phrase.items, phrase.closing)
        return [*self.words.take_lines(), line + comment]

    def _entries(self, dealt: DealtSolver, word: str) -> list[str]:
        """Return the lines that append a solver's result and its scores."""
        result = dealt.result
        number = result.number if isinstance(result, Number) else 0
        value, given = self.words.text(result), f"I{self.plural}"
        changed = "False" if result == InputName("I") else f"{value} != {given}"
        name = _quoted(word)
        lines = [f"o.append(({number}, {changed}, {name}, {value}))"]
        return lines + [
            f"s.append(({number}, {name}, {_quoted(each.name)}, {self._score(each, value)}))" for each in self.differs
        ]

    def _score(self, differ: Differ, value: str) -> str:
        args = [value, f"C{self.plural}"]
        if isinstance(differ, Written):
            args = [f"S{self.plural}", f"I{self.plural}", *args[: 1 + differ.takes_expected]]
        if not self.batch:
            return f"{differ.word}({', '.join(args)})"
        self.words.batched.add("batch_each")
        return f"batch_each({', '.join([differ.word, *args])})"


def _own_definitions(
    steps: SharedSteps, helpers: Iterable[str], differs: Sequence[Differ], reserved: set[str]
) -> list[str]:
    """Return the definitions and constants of the deck and of the user's differs that the batt needs, each once."""
    wanted = set(helpers)
    found: dict[str, str] = {}
    owners = [(each.solver, wanted) for each in steps.dealt]
    owners += [(each.solver, {each.word}) for each in differs if isinstance(each, Written)]
    for solver, names in owners:
        for name in _needed(solver, names):
            text = solver.module.text_of(name)
            if name in reserved:
                raise UsageError(f"{solver.place}: {name!r} has another meaning in a batt; rename it")
            # A lambda is named by its digest, in which T and 1 are equal.
            if found.setdefault(name, text) != text and name not in solver.module.lambdas:
                raise UsageError(f"{solver.place}: two different {name!r} do not fit in one batt; rename one of them")
    return list(found.values())


def _needed(solver: Solver, wanted: set[str]) -> list[str]:
    """Return those of `wanted` that a solver uses, with their dependencies first."""
    module = solver.module
    used = [name for name in (*module.needed(solver.definition), *module.lambdas) if name in wanted]
    return list(dict.fromkeys([each for name in used for each in module.needed(name)]))


def _quoted(text: str) -> str:
    """Return a Python string literal in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def _signature(name: str, parameters: Sequence[str], result: str) -> list[str]:
    return [f"def {name}(", *[f"{INDENT}{each}," for each in parameters], f") -> {result}:"]


def _wrapped(start: str, names: Sequence[str]) -> str:
    """Return an import on one line, or in parentheses on several."""
    line = start + ", ".join(names)
    if len(line) <= WIDTH:
        return line
    return (
        f"{start}(\n{textwrap.fill(', '.join(names) + ',', WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)}\n)"
    )


def _filled(start: str, items: Sequence[str], end: str) -> str:
    """Join items on one line, or on several if they are too long."""
    line = start + ", ".join(items) + end
    if len(line) + len(INDENT) <= WIDTH:
        return line
    inner = textwrap.fill(", ".join(items), WIDTH - 2 * len(INDENT), break_long_words=False, break_on_hyphens=False)
    opening, closing = (start, end) if start.endswith("(") else (start + "(", ")" + end)
    return f"{opening}\n{textwrap.indent(inner, INDENT)}\n{closing}"
