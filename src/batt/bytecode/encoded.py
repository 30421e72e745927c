"""Programs as one image, each found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from batt.bytecode.direct import encode_solver
from batt.bytecode.image import Builder, Image
from batt.bytecode.wire import Unencodable
from batt.ir import Program


@dataclass(frozen=True, slots=True)
class Encoded:
    """An image, the number of each program's slice in it, and the reason for each program that has none."""

    image: Image
    slice_of: Mapping[str, int]
    refused: Mapping[str, str]


def encode_each(
    builder: Builder,
    programs: Mapping[str, Program],
    routines: Mapping[str, int] | None = None,
    refused: Mapping[str, str] | None = None,
) -> Encoded:
    """The image of programs, slices in their order: each by its routine of `builder`, or else step by step.

    Those that are `refused` already stay so.
    """
    slice_of: dict[str, int] = {}
    reasons = dict(refused or {})
    for name, program in programs.items():
        if name in reasons:
            continue
        try:
            routine = (routines or {}).get(name)
            slice_of[name] = builder.slice(name, encode_solver(builder, program) if routine is None else routine)
        except Unencodable as reason:
            reasons[name] = str(reason)
    return Encoded(builder.image(), slice_of, reasons)
