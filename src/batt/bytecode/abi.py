"""The interface between Python and native code: statuses, kinds of errors, causes and structs, each declared once.

`native/generated/abi.h` is what `header()` returns; `make opcodes` writes it, and a test compares the two. The types of
NumPy and the structures of ctypes come from the same records.
"""

from __future__ import annotations

import re
import zlib
from enum import IntEnum

from batt.bytecode.features import FEATURES, FORMS
from batt.bytecode.structs import Struct
from batt.ops import RAISABLE

FUNCTIONS = 10
"""Raise it when a function of native/host/api.cpp takes other arguments."""

FRAME_BYTES = 144
"""The size of `Frame` of native/machine/frames.h, which asserts it."""

MAX_PARAMETERS = 16
"""The most parameters of a program that native code runs."""


class Ended(IntEnum):
    """The end of an evaluation, as engines number it.

    `UNSUPPORTED` is deferred, for a `Cause`. `LAUNCH_LIMIT` met a limit of a GPU's launch, not of its budget. `NOT_RUN`
    and `SKIPPED`, which only Python uses, were not begun.
    """

    OK = 0
    RAISED = 1
    OVER_BUDGET = 2
    TIMED_OUT = 3
    UNSUPPORTED = 4
    LAUNCH_LIMIT = 5
    SKIPPED = 254
    NOT_RUN = 255


class Stop(IntEnum):
    """How a caller stops a run of native code: in the middle of an evaluation, or when the current one has ended."""

    NO = 0
    AT_ONCE = 1
    AFTER_THIS = 2


class Equality(IntEnum):
    """The comparison of a value with the expected output; unknown if there is none."""

    NO = 0
    YES = 1
    UNKNOWN = 2


class Cause(IntEnum):
    """The reason why a tier defers an evaluation; `text` is for people. Native code knows those below 100."""

    NO_CAUSE = 0, "no cause"
    WIDE_INT = 1, "an int beyond 64 bits"
    ARENA_FULL = 2, "arena full"
    STACK_FULL = 3, "stack full"
    LONG_WORK = 4, "long work"
    SET_ORDER = 5, "an order of sets"
    LONG_FORM = 6, "a long function"
    BAD_CODE = 7, "bad code"
    OWN_OP = 8, "a user's own op"
    OTHER_OUTPUT = 9, "an output that is not a grid"
    MISSING_OP = 10, "an op that the kernel lacks"
    REFUSED = 100, "not given to native code"
    SLOW_STAGE = 101, "shared steps take too long"
    HEAVY = 102, "many steps"
    THREAD_LIMIT = 103, "the steps, the time or the memory of a GPU's thread"
    WARP_LIMIT = 104, "the time of a GPU's warp"
    LAUNCH_FAILED = 105, "a launch that failed"
    FAILED_TWICE = 106, "two launches that failed"

    text: str

    def __new__(cls, number: int, text: str = "") -> Cause:
        """Make a member."""
        made = int.__new__(cls, number)
        made._value_ = number
        made.text = text
        return made


RESULT = Struct(
    "Result",
    "What a caller sees of one evaluation.",
    (
        "u8 status, error, equal, cause  // an Ended, an Error, an Equality, a Cause",
        "u32 shape",
        "u32 differing",
        "u32 time_ns  // of the program alone, without the scoring; no part of the outcome",
        "u64 hash",
        "u64 steps",
        "u32 right, shown, wanted, likeness  // scores as in batt.runtime.scores, 0 if they are not asked for",
        "u64 table",
    ),
)
BUDGET = Struct(
    "Budget",
    "What one evaluation may use, and whether it is scored beyond equality.",
    ("i64 steps, max_items, work", "i64 scores"),
)
OUTPUTS = Struct(
    "Outputs",
    "Where the values of evaluations go.",
    (
        "u8* data",
        "u64 room, used",
        "u64* ends   // by evaluation: where its value ends",
        "u64 needed  // room that the next value needs, where the run stopped for lack of it",
    ),
)
WORKER_MEMORY = Struct(
    "WorkerMemory",
    "How a worker uses memory.",
    (
        "u64 arena_bytes  // address space of both sides together",
        "u64 trim_bytes   // of a side, that the worker keeps after a heavy evaluation",
        "i64 trim_steps   // an evaluation with more steps is heavy",
        "u64 stage_bytes  // for staged values; a value that does not fit is not kept",
    ),
)
SAMPLE_ROW = Struct(
    "SampleRow",
    "A sample by the positions of its values; -1 for None, for no expected output, and for no assignment.",
    ("i64 task, demonstrations, input, expected", "i64 assignment  // of its parameters"),
)
DEVICE_SAMPLE = Struct(
    "DeviceSample",
    "A sample with its values.",
    (
        "Value demonstrations, input, expected",
        "i64 task",
        "u64 is_known     // whether there is an expected output",
        "Addr parameters  // Value[MAX_PARAMETERS]",
        "u64 unused       // pads it to whole values",
    ),
)
TALLY = Struct(
    "Tally",
    "What a profile counts of an op or an instruction.",
    ("u64 calls, steps, ticks", "u64 bytes  // that calls of an op allocated for their results"),
)
PROGRAM = Struct(
    "Program",
    "What a machine runs.",
    ("Addr code       // u32[]", "Addr constants  // Value[]", "Addr routines   // Routine[]"),
)
FROZEN_PROGRAM = Struct(
    "FrozenProgram",
    "A program for a kernel: offsets into its bytes.",
    ("u64 code, constants, routines, names, stage",),
)
STAGE_ROW = Struct(
    "StageRow",
    "An entry of the stage: what it depends on (0 nothing, 1 the task, 2 the sample), and the routine that makes it.",
    ("u32 level, routine",),
)
STAGED = Struct(
    "Staged",
    "How a staged entry ended. `next` links the entries that a routine ran itself, because they were not kept.",
    ("u32 status, error, cause, next", "i64 steps"),
)
CANDIDATE = Struct(
    "Candidate",
    "What became of an op or program applied to states: a handle, -1 without a value, NO_ROOM without memory for it.",
    (
        "i64 handle",
        "u8 status, error, cause, is_new  // an Ended, an Error, a Cause; whether the state was not known before",
        "u32 sample  // on which it failed",
        "u64 steps   // on all samples together",
    ),
)
LAUNCH = Struct(
    "Launch",
    "The arguments of a launch.",
    (
        "Program program",
        "Addr helper_names",
        "const DeviceSample* samples",
        "const u32* routines  // by evaluation: its routine",
        "const u32* numbers   // by evaluation: its sample, or none",
        "Result* results      // by evaluation",
        "u32* next            // the queue: the first evaluation that is not taken",
        "u8* memory           // an arena for each running evaluation: the value stack, then both sides",
        "u64 lane_bytes       // of each arena",
        "u8* frames           // Frame[running evaluations][frame_room]",
        "u64 frame_room, value_room",
        "u64 count",
        "i64 steps            // that an evaluation may take in this launch",
        "i64 ticks            // the time that it may take, by the clock of its SM",
        "Budget budget",
        "u8* outputs          // output grids in the wire form; 0 if they are not wanted",
        "u64 output_room",
        "u64* output_used",
        "u64* output_ends     // by evaluation: the start of its output << 24 | its bytes",
        "const StageRow* stage_rows  // the staged entries of a sample",
        "u64 stage_entries           // their number; if there are any, `numbers` are positions in:",
        "const u32* stage_samples    // the samples that have staged values",
        "u8* stages                  // for each: Value[stage_entries], Staged[stage_entries], memory of the values",
        "u64 stage_bytes             // of each",
    ),
    (BUDGET, PROGRAM),
)
COLUMN_ARGUMENT = Struct(
    "ColumnArgument",
    "An argument of a column: a value for each row, or one for all.",
    ("const Value* values", "const u16* ends  // an Ended and an Error << 8", "u64 stride  // 0 if one value for all"),
)
COLUMN_LAUNCH = Struct(
    "ColumnLaunch",
    "The arguments of a launch that calls one op for many rows, or that packs values.",
    (
        "ColumnArgument first, second, third, fourth",
        "Value* values",
        "u16* ends",
        "Result* results",
        "const u32* rows   // the rows to pack; 0 for all",
        "u64 from, count, op",
        "u64 is_again      // 1 to call only the rows for whose values there was no room",
        "u8* memory        // an arena of `lane_bytes` for each running row",
        "u8* frames        // Frame[running rows][frame_room]",
        "u64 lane_bytes, frame_room, value_room",
        "u8* store         // for the arrays of values",
        "u64 store_bytes",
        "u64 moved         // what to add to the addresses in the store",
        "u64* counts       // rows taken, bytes of all values, rows deferred",
        "u32* deferred     // the rows that are deferred",
        "i64 ticks         // the time that a row may take, by the clock of its SM",
        "Budget budget",
    ),
    (BUDGET, COLUMN_ARGUMENT),
)

STATE_ROW = Struct(
    "StateRow",
    "What became of a candidate on one sample, on a GPU.",
    (
        "u64 hash, steps",
        "u32 bytes  // of the value with all its parts",
        "u8 status, error, cause, kind  // an Ended, an Error, a Cause; a StateKind, with EMPTY_SET",
    ),
)
STATE_PART = Struct(
    "StatePart",
    "Candidates of one task in a call for many tasks, and what became of them on a GPU.",
    (
        "void* set           // its StateSet",
        "u64 start, count    // its candidates",
        "u64 first_row       // among the rows of all parts: one for each sample of each candidate",
        "u64 first_handle    // of the states that are new",
        "u64 kept_rows       // the rows with values of new states that stay on the GPU",
        "u64 kept_bytes      // the bytes of these values",
        "u64 wanted          // states on the GPU whose values are needed on the CPU",
    ),
)
STATE_SEGMENT = Struct(
    "StateSegment",
    "The rows of a launch that belong to one task: a row for each sample of each candidate.",
    ("u32 first_row, first_candidate, samples, unused",),
)
STATES_LAUNCH = Struct(
    "StatesLaunch",
    "The arguments of a launch that calls one op for candidates of many tasks.",
    (
        "const Value* table       // the values of all states, by state and then by sample",
        "const u32* arguments     // by candidate: where the values of its arguments begin in the table",
        "const StateSegment* segments",
        "u64 segment_count",
        "Value* values            // by row",
        "StateRow* rows",
        "u64 count, op",
        "u64 is_again             // 1 to call only the rows for whose values there was no room",
        "u8* memory               // an arena of `lane_bytes` for each running row",
        "u8* frames               // Frame[running rows][frame_room]",
        "u64 lane_bytes, frame_room, value_room",
        "u8* store                // for the arrays of values",
        "u64 store_bytes",
        "u64* taken               // rows of this launch that are taken, then those that are deferred",
        "u64* stored              // bytes of all values, of all launches with this store",
        "i64 ticks                // the time that a row may take, by the clock of its SM",
        "Budget budget",
    ),
    (BUDGET,),
)

STRUCTS = (
    *(RESULT, BUDGET, OUTPUTS, WORKER_MEMORY, SAMPLE_ROW, DEVICE_SAMPLE, TALLY, PROGRAM, FROZEN_PROGRAM),
    *(STAGE_ROW, STAGED, CANDIDATE, LAUNCH, COLUMN_ARGUMENT, COLUMN_LAUNCH),
    *(STATE_ROW, STATE_PART, STATE_SEGMENT, STATES_LAUNCH),
)
"""All structs, each after those that it holds."""

STAGE_ENTRY_BYTES = 16 + STAGED.size_bytes
"""The bytes of a staged entry in a launch: a `Value` and a `Staged`."""


def enums() -> list[str]:
    """Return all enums in C++."""
    errors = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).upper() for kind in RAISABLE]
    return [
        _enum("Ended", "u8", {f"ENDED_{each.name}": each.value for each in Ended}),
        _enum("Stop", "u32", {f"STOP_{each.name}": each.value for each in Stop}),
        _enum("Equality", "u8", {f"EQUAL_{each.name}": each.value for each in Equality}),
        _enum("Error", "u32", {name: number for number, name in enumerate(["NO_ERROR", *errors])}),
        _enum("Cause", "u32", {each.name: each.value for each in Cause if each < Cause.REFUSED}),
        _enum("PartForm", "u32", {f"FORM_{name.upper()}": number for number, name in enumerate(FORMS)}),
        _enum("Feature", "u32", {f"F_{name.upper()}": number for number, name in enumerate([*FEATURES, "COUNT"])}),
    ]


def _enum(name: str, kind: str, members: dict[str, int]) -> str:
    return "\n".join([f"enum {name} : {kind} {{", *[f"  {each} = {number}," for each, number in members.items()], "};"])


def interface() -> int:
    """Return 32 bits that change with any number, field or size, to refuse a library with others."""
    fields = [f"{each.name} {each.fields}" for each in STRUCTS]
    return zlib.crc32("\n".join([*map(str, (FUNCTIONS, FRAME_BYTES, MAX_PARAMETERS)), *enums(), *fields]).encode())


def header() -> str:
    """Return the text of `native/generated/abi.h`."""
    parts = "\n\n".join([*enums(), *[each.text() for each in STRUCTS]])
    return f"""\
// Generated from the records of batt.bytecode.abi by `make opcodes`; do not edit.
#pragma once
#include "../core/value.h"

namespace batt {{

constexpr u32 INTERFACE = 0x{interface():08x}u;
constexpr u64 FRAME_BYTES = {FRAME_BYTES};
constexpr u32 MAX_PARAMETERS = {MAX_PARAMETERS};

{parts}

}}  // namespace batt
"""
