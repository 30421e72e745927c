"""The recorded calls of every op, which the reference and native code are held against."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from batt.ops import OPS
from batt.types import OrderedSet

DATA = Path(__file__).parent / "data"
VECTORS = DATA / "vectors.jsonl.gz"
WORD_VECTORS = sorted((DATA / "words").glob("*.jsonl.gz"))


@cache
def recorded() -> dict[str, list[dict[str, Any]]]:
    """The vectors by the op they call, primitives before new words."""
    by_op: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in (VECTORS, *WORD_VECTORS):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                vector = json.loads(line)
                by_op[vector["fn"]].append(vector)
    return dict(by_op)


def read(written: Any) -> Any:
    """The value that a vector writes."""
    match written:
        case {"t": items}:
            return tuple([read(item) for item in items])
        case {"s": items}:
            return OrderedSet([read(item) for item in items])
        case {"f": str(name)}:
            return OPS[name]
        case {"f": [name, *args]}:
            return OPS[name](*[read(arg) for arg in args])
    return written
