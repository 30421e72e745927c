"""Layers of candidates on the states of several tasks, to compare engines and ways to apply ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import batt
from batt.bench.states import constant_pools, kind_pools, random_layer
from batt.states import OpenEngine, States, StatesBatch

TASKS = ("05f2a901", "007bbfb7", "a61f2674", "0b148d64")


def tasks() -> list[Any]:
    """Return real tasks with different numbers of samples."""
    found = batt.load_tasks("arc1-training")
    return [found[name] for name in TASKS]


def run_together(batch: StatesBatch, most: int, layers: int = 3) -> list[Any]:
    """Apply all calls of the manifest, with the states of all tasks in one call for each layer."""
    pools = [constant_pools(states) for states in batch]
    randoms = [np.random.default_rng(at) for at in range(len(batch))]
    made: list[Any] = []
    for _ in range(layers):
        drawn = [
            random_layer(kind_pools(states, pool), most, random)
            for states, pool, random in zip(batch, pools, randoms, strict=True)
        ]
        of = np.repeat(np.arange(len(batch)), [len(layer.called) for layer in drawn])
        called = np.concatenate([layer.called for layer in drawn])
        arguments = np.concatenate([layer.arguments for layer in drawn])
        made += batch.apply_each(drawn[0].ops, of, called, *arguments.T).candidates.tolist()
    return made


def run_alone(engine: OpenEngine, most: int, layers: int = 3, **options: Any) -> tuple[list[Any], list[States]]:
    """Apply the same to the states of each task on its own. Return the candidates layer by layer, and the states."""
    made: list[list[Any]] = [[] for _ in range(layers)]
    found: list[States] = []
    for at, task in enumerate(tasks()):
        states = engine.states(task, **options)
        pools, random = constant_pools(states), np.random.default_rng(at)
        for layer in range(layers):
            drawn = random_layer(kind_pools(states, pools), most, random)
            made[layer] += states.apply_each(drawn.ops, drawn.called, *drawn.arguments.T).candidates.tolist()
        found.append(states)
    return [each for layer in made for each in layer], found


def told(states: States) -> tuple[Any, ...]:
    """Return all that is told of states but their values."""
    programs = [str(states.program(handle)) for handle in range(0, len(states), 97)]
    return (
        *(states.hashes().tolist(), states.lengths().tolist(), states.kinds().tolist(), programs),
        *(states.used_bytes, states.refused),
    )


def assert_same_states(made: Sequence[States], wanted: Sequence[States]) -> None:
    """Compare all states, and the values of some of each kind."""
    for mine, other in zip(made, wanted, strict=True):
        assert told(mine) == told(other)
        kinds = mine.kinds()
        for kind in np.unique(kinds).tolist():
            chosen = np.flatnonzero(kinds == kind)[::7]
            assert mine.wires(chosen) == other.wires(chosen), kind
        assert mine.used_bytes == other.used_bytes
