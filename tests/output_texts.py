"""Outputs as text: the definition, and what packed outputs come to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from batt.jobs import Results
from batt.jobs.texts import output_texts
from batt.runtime.outputs import PackedOutputs
from batt.types.plain import as_json


def plain_text(value: Any) -> str:
    """The text of a value by its definition; None stands for no value as well."""
    return json.dumps(as_json(value), separators=(",", ":"))


def texts_of(outputs: PackedOutputs | None) -> Sequence[str]:
    """The texts of a block's outputs; none where it has no outputs."""
    return () if outputs is None else output_texts(outputs.wires, [outputs.functions] * len(outputs))


def run_texts(results: Results) -> list[str]:
    """The texts of all outputs of a run."""
    assert results.outputs is not None
    return output_texts(*results.outputs.take(np.arange(len(results))))
