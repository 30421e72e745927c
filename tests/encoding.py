"""A compiled deck as an image."""

from __future__ import annotations

from batt.bytecode.image import Encoded
from batt.codegen.plan import StagePlan
from batt.compiler import Batt, encode_programs


def encode_deck(made: Batt, staged: StagePlan | None = None, verify: bool | None = None) -> Encoded:
    """The image of a compiled deck, with what is staged."""
    return encode_programs(made.deck.programs, verify=verify, graph=made.graph, staged=staged)
