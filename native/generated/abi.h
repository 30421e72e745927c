// Generated from the records of batt.bytecode.abi by `make opcodes`; do not edit.
#pragma once
#include "../core/value.h"

namespace batt {

constexpr u32 INTERFACE = 0x230a020du;
constexpr u64 FRAME_BYTES = 144;
constexpr u32 MAX_PARAMETERS = 16;

enum Ended : u8 {
  ENDED_OK = 0,
  ENDED_RAISED = 1,
  ENDED_OVER_BUDGET = 2,
  ENDED_TIMED_OUT = 3,
  ENDED_UNSUPPORTED = 4,
  ENDED_LAUNCH_LIMIT = 5,
  ENDED_SKIPPED = 254,
  ENDED_NOT_RUN = 255,
};

enum Stop : u32 {
  STOP_NO = 0,
  STOP_AT_ONCE = 1,
  STOP_AFTER_THIS = 2,
};

enum Equality : u8 {
  EQUAL_NO = 0,
  EQUAL_YES = 1,
  EQUAL_UNKNOWN = 2,
};

enum Error : u32 {
  NO_ERROR = 0,
  TYPE_ERROR = 1,
  VALUE_ERROR = 2,
  INDEX_ERROR = 3,
  KEY_ERROR = 4,
  ATTRIBUTE_ERROR = 5,
  STOP_ITERATION = 6,
  RUNTIME_ERROR = 7,
  RECURSION_ERROR = 8,
  ZERO_DIVISION_ERROR = 9,
};

enum Cause : u32 {
  NO_CAUSE = 0,
  WIDE_INT = 1,
  ARENA_FULL = 2,
  STACK_FULL = 3,
  LONG_WORK = 4,
  SET_ORDER = 5,
  LONG_FORM = 6,
  BAD_CODE = 7,
  OWN_OP = 8,
  OTHER_OUTPUT = 9,
  MISSING_OP = 10,
};

enum PartForm : u32 {
  FORM_TTT = 0,
  FORM_TTF = 1,
  FORM_TFT = 2,
  FORM_TFF = 3,
  FORM_FTT = 4,
  FORM_FTF = 5,
  FORM_FFT = 6,
  FORM_FFF = 7,
  FORM_COLOURS = 8,
  FORM_PANELS = 9,
  FORM_PIECES = 10,
};

enum Feature : u32 {
  F_NUMBER = 0,
  F_PARTS = 1,
  F_SIZE = 2,
  F_HEIGHT = 3,
  F_WIDTH = 4,
  F_AREA = 5,
  F_TOP = 6,
  F_LEFT = 7,
  F_BOTTOM = 8,
  F_RIGHT = 9,
  F_TO_BOTTOM = 10,
  F_TO_RIGHT = 11,
  F_MIDDLE_ROW = 12,
  F_MIDDLE_COLUMN = 13,
  F_VERTICAL = 14,
  F_HORIZONTAL = 15,
  F_COLOUR = 16,
  F_LEAST_COLOUR = 17,
  F_COLOURS = 18,
  F_COLOUR_CELLS = 19,
  F_COLOUR_IN_GRID = 20,
  F_IS_BACKGROUND = 21,
  F_GAPS = 22,
  F_HOLES = 23,
  F_HOLE_CELLS = 24,
  F_EDGES = 25,
  F_ENDS = 26,
  F_FORKS = 27,
  F_IS_SQUARE = 28,
  F_IS_FULL = 29,
  F_IS_LINE = 30,
  F_ASPECT = 31,
  F_IS_FRAME = 32,
  F_SHAPE_CLASS = 33,
  F_VMIRROR = 34,
  F_HMIRROR = 35,
  F_DMIRROR = 36,
  F_CMIRROR = 37,
  F_ROT90 = 38,
  F_ROT180 = 39,
  F_SYMMETRIES = 40,
  F_SHAPE = 41,
  F_TURNED_SHAPE = 42,
  F_PICTURE = 43,
  F_TURNED_PICTURE = 44,
  F_SAME_SIZE = 45,
  F_SAME_COLOUR = 46,
  F_SAME_SHAPE = 47,
  F_SAME_TURNED_SHAPE = 48,
  F_SAME_PICTURE = 49,
  F_SAME_TOP = 50,
  F_SAME_LEFT = 51,
  F_UNIQUE_SIZE = 52,
  F_UNIQUE_COLOUR = 53,
  F_UNIQUE_SHAPE = 54,
  F_UNIQUE_TURNED_SHAPE = 55,
  F_UNIQUE_PICTURE = 56,
  F_COMMON_SIZE = 57,
  F_COMMON_COLOUR = 58,
  F_COMMON_SHAPE = 59,
  F_SIZE_RANK = 60,
  F_HEIGHT_RANK = 61,
  F_WIDTH_RANK = 62,
  F_AREA_RANK = 63,
  F_TOP_RANK = 64,
  F_LEFT_RANK = 65,
  F_COLOURS_RANK = 66,
  F_HOLES_RANK = 67,
  F_SIZE_RANK_DOWN = 68,
  F_HEIGHT_RANK_DOWN = 69,
  F_WIDTH_RANK_DOWN = 70,
  F_AREA_RANK_DOWN = 71,
  F_TOP_RANK_DOWN = 72,
  F_LEFT_RANK_DOWN = 73,
  F_COLOURS_RANK_DOWN = 74,
  F_HOLES_RANK_DOWN = 75,
  F_BORDERS = 76,
  F_AT_CORNER = 77,
  F_TOUCHES = 78,
  F_ADJOINS = 79,
  F_TOUCHED_COLOURS = 80,
  F_TOUCHED_COLOUR = 81,
  F_BOXES_INSIDE = 82,
  F_BOXES_AROUND = 83,
  F_ENCLOSES = 84,
  F_ENCLOSED = 85,
  F_ROW_MATES = 86,
  F_COLUMN_MATES = 87,
  F_NEAREST = 88,
  F_SIZE_ODD = 89,
  F_HEIGHT_ODD = 90,
  F_WIDTH_ODD = 91,
  F_GRID_HEIGHT = 92,
  F_GRID_WIDTH = 93,
  F_GRID_COLOURS = 94,
  F_BACKGROUND = 95,
  F_COUNT = 96,
};

// What a caller sees of one evaluation.
struct Result {
  u8 status, error, equal, cause;  // an Ended, an Error, an Equality, a Cause
  u32 shape;
  u32 differing;
  u32 time_ns;  // of the program alone, without the scoring; no part of the outcome
  u64 hash;
  u64 steps;
  u32 right, shown, wanted, likeness;  // scores as in batt.runtime.scores, 0 if they are not asked for
  u64 table;
};
static_assert(sizeof(Result) == 56, "Python counts on it");

// What one evaluation may use, and whether it is scored beyond equality.
struct Budget {
  i64 steps, max_items, work;
  i64 scores;
};
static_assert(sizeof(Budget) == 32, "Python counts on it");

// Where the values of evaluations go.
struct Outputs {
  u8* data;
  u64 room, used;
  u64* ends;   // by evaluation: where its value ends
  u64 needed;  // room that the next value needs, where the run stopped for lack of it
};
static_assert(sizeof(Outputs) == 40, "Python counts on it");

// How a worker uses memory.
struct WorkerMemory {
  u64 arena_bytes;  // address space of both sides together
  u64 trim_bytes;   // of a side, that the worker keeps after a heavy evaluation
  i64 trim_steps;   // an evaluation with more steps is heavy
  u64 stage_bytes;  // for staged values; a value that does not fit is not kept
};
static_assert(sizeof(WorkerMemory) == 32, "Python counts on it");

// A sample by the positions of its values; -1 for None, for no expected output, and for no assignment.
struct SampleRow {
  i64 task, demonstrations, input, expected;
  i64 assignment;  // of its parameters
};
static_assert(sizeof(SampleRow) == 40, "Python counts on it");

// A sample with its values.
struct DeviceSample {
  Value demonstrations, input, expected;
  i64 task;
  u64 is_known;     // whether there is an expected output
  Addr parameters;  // Value[MAX_PARAMETERS]
  u64 unused;       // pads it to whole values
};
static_assert(sizeof(DeviceSample) == 80, "Python counts on it");

// What a profile counts of an op or an instruction.
struct Tally {
  u64 calls, steps, ticks;
  u64 bytes;  // that calls of an op allocated for their results
};
static_assert(sizeof(Tally) == 32, "Python counts on it");

// What a machine runs.
struct Program {
  Addr code;       // u32[]
  Addr constants;  // Value[]
  Addr routines;   // Routine[]
};
static_assert(sizeof(Program) == 24, "Python counts on it");

// A program for a kernel: offsets into its bytes.
struct FrozenProgram {
  u64 code, constants, routines, names, stage;
};
static_assert(sizeof(FrozenProgram) == 40, "Python counts on it");

// An entry of the stage: what it depends on (0 nothing, 1 the task, 2 the sample), and the routine that makes it.
struct StageRow {
  u32 level, routine;
};
static_assert(sizeof(StageRow) == 8, "Python counts on it");

// How a staged entry ended. `next` links the entries that a routine ran itself, because they were not kept.
struct Staged {
  u32 status, error, cause, next;
  i64 steps;
};
static_assert(sizeof(Staged) == 24, "Python counts on it");

// What became of an op or program applied to states: a handle, -1 without a value, NO_ROOM without memory for it.
struct Candidate {
  i64 handle;
  u8 status, error, cause, is_new;  // an Ended, an Error, a Cause; whether the state was not known before
  u32 sample;  // on which it failed
  u64 steps;   // on all samples together
};
static_assert(sizeof(Candidate) == 24, "Python counts on it");

// The arguments of a launch.
struct Launch {
  Program program;
  Addr helper_names;
  const DeviceSample* samples;
  const u32* routines;  // by evaluation: its routine
  const u32* numbers;   // by evaluation: its sample, or none
  Result* results;      // by evaluation
  u32* next;            // the queue: the first evaluation that is not taken
  u8* memory;           // an arena for each running evaluation: the value stack, then both sides
  u64 lane_bytes;       // of each arena
  u8* frames;           // Frame[running evaluations][frame_room]
  u64 frame_room, value_room;
  u64 count;
  i64 steps;            // that an evaluation may take in this launch
  i64 ticks;            // the time that it may take, by the clock of its SM
  Budget budget;
  u8* outputs;          // output grids in the wire form; 0 if they are not wanted
  u64 output_room;
  u64* output_used;
  u64* output_ends;     // by evaluation: the start of its output << 24 | its bytes
  const StageRow* stage_rows;  // the staged entries of a sample
  u64 stage_entries;           // their number; if there are any, `numbers` are positions in:
  const u32* stage_samples;    // the samples that have staged values
  u8* stages;                  // for each: Value[stage_entries], Staged[stage_entries], memory of the values
  u64 stage_bytes;             // of each
};
static_assert(sizeof(Launch) == 240, "Python counts on it");

// An argument of a column: a value for each row, or one for all.
struct ColumnArgument {
  const Value* values;
  const u16* ends;  // an Ended and an Error << 8
  u64 stride;  // 0 if one value for all
};
static_assert(sizeof(ColumnArgument) == 24, "Python counts on it");

// The arguments of a launch that calls one op for many rows, or that packs values.
struct ColumnLaunch {
  ColumnArgument first, second, third, fourth;
  Value* values;
  u16* ends;
  Result* results;
  const u32* rows;   // the rows to pack; 0 for all
  u64 from, count, op;
  u64 is_again;      // 1 to call only the rows for whose values there was no room
  u8* memory;        // an arena of `lane_bytes` for each running row
  u8* frames;        // Frame[running rows][frame_room]
  u64 lane_bytes, frame_room, value_room;
  u8* store;         // for the arrays of values
  u64 store_bytes;
  u64 moved;         // what to add to the addresses in the store
  u64* counts;       // rows taken, bytes of all values, rows deferred
  u32* deferred;     // the rows that are deferred
  i64 ticks;         // the time that a row may take, by the clock of its SM
  Budget budget;
};
static_assert(sizeof(ColumnLaunch) == 280, "Python counts on it");

// What became of a candidate on one sample, on a GPU.
struct StateRow {
  u64 hash, steps;
  u32 bytes;  // of the value with all its parts
  u8 status, error, cause, kind;  // an Ended, an Error, a Cause; a StateKind, with EMPTY_SET
};
static_assert(sizeof(StateRow) == 24, "Python counts on it");

// Candidates of one task in a call for many tasks, and what became of them on a GPU.
struct StatePart {
  void* set;           // its StateSet
  u64 start, count;    // its candidates
  u64 first_row;       // among the rows of all parts: one for each sample of each candidate
  u64 first_handle;    // of the states that are new
  u64 kept_rows;       // the rows with values of new states that stay on the GPU
  u64 kept_bytes;      // the bytes of these values
  u64 wanted;          // states on the GPU whose values are needed on the CPU
};
static_assert(sizeof(StatePart) == 64, "Python counts on it");

// The rows of a launch that belong to one task: a row for each sample of each candidate.
struct StateSegment {
  u32 first_row, first_candidate, samples, unused;
};
static_assert(sizeof(StateSegment) == 16, "Python counts on it");

// The arguments of a launch that calls one op for candidates of many tasks.
struct StatesLaunch {
  const Value* table;       // the values of all states, by state and then by sample
  const u32* arguments;     // by candidate: where the values of its arguments begin in the table
  const StateSegment* segments;
  u64 segment_count;
  Value* values;            // by row
  StateRow* rows;
  u64 count, op;
  u64 is_again;             // 1 to call only the rows for whose values there was no room
  u8* memory;               // an arena of `lane_bytes` for each running row
  u8* frames;               // Frame[running rows][frame_room]
  u64 lane_bytes, frame_room, value_room;
  u8* store;                // for the arrays of values
  u64 store_bytes;
  u64* taken;               // rows of this launch that are taken, then those that are deferred
  u64* stored;              // bytes of all values, of all launches with this store
  i64 ticks;                // the time that a row may take, by the clock of its SM
  Budget budget;
};
static_assert(sizeof(StatesLaunch) == 184, "Python counts on it");

}  // namespace batt
