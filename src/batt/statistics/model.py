"""Statistics of a deck: what the arguments of each op are, and how long, deep and wide programs are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.ops import EVERY_OP
from batt.source import did_you_mean
from batt.statistics.producers import INPUT_NAMES, LITERALS, STEPS, Producer, ProducerKind

Shares = npt.NDArray[np.float64]

PRIOR = 10.0
"""How many observations the more general distribution counts for where a probability is smoothed."""


@dataclass(frozen=True, slots=True)
class _KnownProducers:
    """All steps, inputs and kinds of literals; all literals, the number of the kind of each, and its share there."""

    kinds: Sequence[Producer]
    literals: Sequence[Producer]
    kind_of: npt.NDArray[np.int64]
    uniform: Shares


@dataclass(frozen=True)
class DeckStatistics:
    """Counts over the programs of a deck, as they are written, with calls of helpers inlined.

    `arguments` has the producers of each argument of each op; `tuple`, `call` (argument 0 is what is called) and
    `return` (the result of a solver) are there like ops. `calls` has the calls of each op in each group of solvers.
    The others are distributions: the steps of a solver, its depth (the longest chain of steps), its width (the most
    steps of one depth), and the reads of a step's value.
    """

    solvers: int
    calls: Mapping[str, Mapping[str, int]]
    steps: Mapping[int, int]
    depths: Mapping[int, int]
    widths: Mapping[int, int]
    reads: Mapping[int, int]
    arguments: Mapping[str, Sequence[Mapping[Producer, int]]]

    def __repr__(self) -> str:
        return f"<DeckStatistics | {self.solvers:,} solvers | {sum(self.reads.values()):,} steps>"

    def probability(self, op: str, argument: int, producer: Producer | str) -> float:
        """Return the smoothed probability that an argument of `op` (counted from 0) is `producer`.

        A producer is a step (`step objects`), an input (`input I`), a literal (`int 2`, `function size`), or any
        literal of a kind (`int`). The probabilities of all steps, inputs and kinds of literals add up to 1. Within a
        kind, those of the literals that the deck or the language has, if any, add up to that of the kind.

        The counts of an argument are smoothed by those of all arguments of the same kinds, these by those of all
        arguments, and these by a uniform distribution.
        """
        given = Producer.parse(producer) if isinstance(producer, str) else producer
        kind = given.without_value
        if kind not in self._kinds:
            raise UsageError(f"no {kind}{did_you_mean(str(kind), map(str, self._kinds))}")
        levels = self._levels_of(op, argument)
        found = _smoothed(levels, kind, None, 1 / len(self._kinds))
        if given == kind:
            return found
        values = self._values[given.kind]
        return found * _smoothed(levels, given, kind, 1 / len(values) if given.name in values else 0)

    def producers(self, op: str, argument: int) -> list[tuple[Producer, float]]:
        """Return all steps, inputs and literals with their probabilities as an argument of `op`, likely ones first."""
        known = self._known
        shares, own = np.full(len(known.kinds), 1 / len(known.kinds)), known.uniform
        for key in self._level_keys(op, argument):
            total, of_kinds, of_literals = self._known_counts(key)
            shares = (of_kinds + PRIOR * shares) / (total + PRIOR)
            own = (of_literals + PRIOR * own) / (of_kinds[known.kind_of] + PRIOR)
        rated = [pair for pair in zip(known.kinds, shares.tolist(), strict=True) if not pair[0].kind.is_literal]
        rated += zip(known.literals, (shares[known.kind_of] * own).tolist(), strict=True)
        return sorted(rated, key=lambda pair: -pair[1])

    @property
    def total_calls(self) -> Counter[str]:
        """The calls of each op in the whole deck."""
        return sum(map(Counter, self.calls.values()), Counter())

    def literals(self, kind: ProducerKind) -> Counter[str]:
        """Count the literals of a kind by value; those of the kind `function` by name."""
        everywhere = self._counts[None].items()
        return Counter({each.name: count for each, count in everywhere if each and each.kind is kind and each.name})

    def uses_as_function(self, name: str) -> Counter[tuple[str, int]]:
        """Count the (op, argument) places where the op `name` is a function value."""
        function = Producer(ProducerKind.FUNCTION, name)
        return Counter({(op, at): found[function] for op, at, found in self._positions() if function in found})

    def _positions(self) -> Iterator[tuple[str, int, Mapping[Producer, int]]]:
        for op, positions in self.arguments.items():
            for at, found in enumerate(positions):
                yield op, at, found

    @cached_property
    def _counts(self) -> dict[object, Counter[Producer | None]]:
        """The counts of each argument, of all arguments of the same kinds, and of all arguments (key None).

        In each, a producer has its own count, a kind of literals the sum of its literals, and None the sum of all.
        """
        counts: dict[object, Counter[Producer | None]] = {None: Counter()}
        for op, at, found in self._positions():
            for level in (None, _parameter_kinds(op, at), (op, at)):
                tally = counts.setdefault(level, Counter())
                for producer, count in found.items():
                    for part in {None, producer.without_value, producer}:
                        tally[part] += count
        return counts

    @cached_property
    def _kinds(self) -> dict[Producer, None]:
        """All steps, inputs and kinds of literals."""
        known = [Producer(ProducerKind.STEP, name) for name in STEPS]
        known += [Producer(ProducerKind.INPUT, name) for name in INPUT_NAMES]
        known += [Producer(kind) for kind in LITERALS]
        return dict.fromkeys([*known, *[each.without_value for each in self._counts[None] if each]])

    @cached_property
    def _known(self) -> _KnownProducers:
        kinds = list(self._kinds)
        literals = [Producer(each, name) for each in LITERALS for name in sorted(self._values[each])]
        kind_of = np.array([kinds.index(each.without_value) for each in literals])
        return _KnownProducers(
            kinds, literals, kind_of, np.array([1 / len(self._values[each.kind]) for each in literals])
        )

    @cached_property
    def _vectors(self) -> dict[object, tuple[int, Shares, Shares]]:
        """The counts of all known producers by key, as far as they were asked for."""
        return {}

    @cached_property
    def _values(self) -> dict[ProducerKind, frozenset[str]]:
        """The literals of each kind that the language or the deck has."""
        return {kind: names.union(self.literals(kind)) for kind, names in LITERALS.items()}

    def _levels_of(self, op: str, argument: int) -> list[Counter[Producer | None]]:
        """Return the counts that tell about an argument, the most general ones first."""
        return [self._counts.get(key, Counter()) for key in self._level_keys(op, argument)]

    def _level_keys(self, op: str, argument: int) -> tuple[object, ...]:
        """Return the keys of these counts."""
        if op not in EVERY_OP and op not in self.arguments:
            raise UsageError(f"no op {op!r}{did_you_mean(op, (*EVERY_OP, *self.arguments))}")
        arity = EVERY_OP[op].arity if op in EVERY_OP else len(self.arguments[op])
        if not 0 <= argument < arity:
            raise UsageError(f"{op} has no argument {argument}; its {arity} arguments are counted from 0")
        return None, _parameter_kinds(op, argument), (op, argument)

    def _known_counts(self, key: object) -> tuple[int, Shares, Shares]:
        """Return the counts of a key: all together, those of all kinds, and those of all literals."""
        found = self._vectors.get(key)
        if found is None:
            counts = self._counts.get(key, Counter())
            parts = [
                np.array([counts[each] for each in part], float) for part in (self._known.kinds, self._known.literals)
            ]
            found = self._vectors[key] = (counts[None], parts[0], parts[1])
        return found


def _smoothed(
    levels: Sequence[Counter[Producer | None]], part: Producer, whole: Producer | None, prior: float
) -> float:
    """Return the share of `part` in `whole`, from the most general counts to the most specific ones."""
    for counts in levels:
        prior = (counts[part] + PRIOR * prior) / (counts[whole] + PRIOR)
    return prior


def _parameter_kinds(op: str, argument: int) -> frozenset[object]:
    """Return the kinds that an op declares for an argument; for what is no op of the language, its own name."""
    if op not in EVERY_OP:
        return frozenset({op})
    return frozenset([each.params[argument] for each in EVERY_OP[op].signatures])
