"""Candidates: programs that fit the demonstrations of a task, and what speaks for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from batt.solving.expressions import Expression, count_steps
from batt.types.kinds import Grid


class Layer(Enum):
    """The part of the search that found a program."""

    DECK = "a solver of a deck, or a part of one"
    VARIANT = "a solver that infers constants from the demonstrations"
    TEMPLATE = "a solver of a deck with other colours"
    FAMILY = "image families, one after the other"
    CHAIN = "two functions of decks, one after the other"
    EXPRESSION = "a typed expression, found by its likelihood in decks"
    EXPRESSION_TREE = "a copy tree over cells that typed expressions mark"
    TABLE = "a state with its colours replaced by a table"
    PAIR = "two states, cell by cell"
    STACK = "states painted on one another"
    JOIN = "two states side by side"
    SCENE = "an action on the whole grid, such as a template stamped where a part of it is found"
    TREE = "a copy tree over cells of the input"
    STATE_TREE = "a copy tree over cells of states"
    DEEP_TREE = "a copy tree over cells of states of two steps"
    BASE_TREE = "a copy tree over cells of a state in place of the input"
    GROW = "a copy tree that reads what it has made, again and again"
    RECOLOUR = "a table that recolours or removes objects"
    RULE = "a rule that edits figures"
    NEXT_RULE = "two rules that edit figures, one after the other"
    RELATION = "a rule that edits figures by others that they are related to"
    MOVE = "a rule that moves figures to rows and columns of others"
    BASE_RULE = "a rule that edits figures of a state in place of the input"
    LIST = "a row or column of the colours of figures, in an order"
    LAYOUT = "a cell for each figure, in the rows and columns in which they lie"
    LAYOUT_TREE = "a copy tree over cells that stand for figures"
    COLLAGE = "crops of figures, beside one another or on one another"
    PICK = "a crop of a figure that passes tests"
    NEAR = "a state that misses one demonstration"
    NEAR_TREE = "a small copy tree that misses some demonstrations"


@dataclass(frozen=True, slots=True)
class SearchCandidate:
    """An expression that gives the demonstrations, and its outputs for the test inputs; None where it has none.

    `size` is its description length: steps, leaves or rows of a table. `held_out` tells whether it is found again,
    right, if each demonstration is left out in turn; None if that was not tried. `missed` counts the demonstrations
    that it does not give: 0 but for the last resort. `steps` is about the length of its program.
    """

    layer: Layer
    expression: Expression
    outputs: tuple[Grid | None, ...]
    size: int
    held_out: bool | None = None
    missed: int = 0
    steps: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Count the steps of the program, about."""
        object.__setattr__(self, "steps", count_steps(self.expression))
