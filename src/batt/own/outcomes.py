"""What native tiers make of the programs of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from batt.bytecode.image import ImageBuilder
from batt.bytecode.table import Table
from batt.codegen.direct import encode_each
from batt.ir import Program
from batt.runtime import ERROR_KINDS, Options, Sample, Status
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.tier import Observer, Part, TierName
from batt.types import fingerprint


@dataclass(frozen=True, slots=True)
class Seen:
    """What native code made of a program: a value, by its hash, or the kind of an error; and the steps.

    `wire` are the bytes of the value, where outputs were asked for.
    """

    told: str
    steps: int
    hash: int
    wire: bytes = b""

    def matches(self, told: str, steps: int, value: Any) -> bool:
        """Whether it is that outcome."""
        return (self.told, self.steps) == (told, steps) and (told != "ok" or self.hash == fingerprint(value))

    def __str__(self) -> str:
        what = f"a value of hash {self.hash:016x}" if self.told == "ok" else self.told
        return f"{what} in {self.steps:,} steps"


def on_tiers(
    programs: Sequence[Program], table: Table, sample: Sample, options: Options, tiers: Sequence[TierName]
) -> list[Seen | None]:
    """Run programs on native tiers; None stands for what none of them could do. The CPU runs only what GPUs defer."""
    named = {str(number): program for number, program in enumerate(programs)}
    job = Job.of(named, encode_each(ImageBuilder(table), named)).on(Evaluations((sample,), len(programs)))
    seeing = _Seeing(len(programs))
    Ladder(job, options, tiers, seeing, beside=False).run()
    return seeing.found


class _Seeing(Observer):
    """Keeps what native code makes of each program."""

    def __init__(self, programs: int) -> None:
        self.found: list[Seen | None] = [None] * programs

    def on_part(self, part: Part) -> None:
        """Keep the outcomes of a part."""
        numbers, steps_of = part.numbers.tolist(), part.steps.tolist()
        wires = [b""] * len(numbers) if part.outputs is None else part.outputs.wires
        for number, record, steps, wire in zip(numbers, part.records, steps_of, wires, strict=True):
            status = Status(int(record["status"]))
            told = ERROR_KINDS[int(record["error"])] if status is Status.RAISED else status.word
            self.found[number] = Seen(told, steps, int(record["hash"]), wire)
