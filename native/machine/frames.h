// The machine of one evaluation: a stack of frames, a stack of values, and what they run. No C++ call nests with the
// depth of a program, so that a GPU thread can run it.
#pragma once
#include "../core/digest.h"

namespace batt {

constexpr u32 NOTHING = 0xffffffffu;
constexpr u32 MAX_CALLS = 900;  // function values within one another: batt.ops.meter.MAX_DEPTH

struct Routine {
  u32 start, words, params, slots, counters, name_at, name_bytes;
  u32 is_leaf;  // a LeafKind, or 0
};

// Routines that a loop runs without a frame of their own: nothing but kernels, tuples and charges; or just `connect` of
// their two arguments.
enum LeafKind : u32 { PLAIN_LEAF = 1, CONNECTING };

enum Space : u32 { SLOT, CONSTANT, INPUT, ARGUMENT, STAGE };

// The status of a staged entry that the stage has no room for: what reads it runs it.
constexpr u32 NOT_KEPT = STOPPED + 1;

enum FrameKind : u32 {
  ROUTINE,    // instructions of a slice, a body or a helper
  LOOPING,    // an op that calls a function or a body for items
  REPEATING,  // a body applied to its own result
  APPLYING    // a made function under way
};

struct Frame {
  u32 kind;
  u32 routine;  // ROUTINE: what runs; LOOPING, REPEATING: the body, or NOTHING where a function value is called
  u32 pc;      // ROUTINE: the next instruction, a word of the code; APPLYING: how far it is; LOOPING: 1 for a last call
  u32 base;    // where its values begin on the value stack; it is cut back to this at the end
  u32 slots;   // ROUTINE: where its slots begin; APPLYING: where its arguments end
  u32 target;  // ROUTINE: slot for the result that is waited for; LOOPING: what becomes of results
  u32 counter;       // ROUTINE: counter for its steps; LOOPING: the call from which on lanes may share them out
  u32 op;            // LOOPING: the op; APPLYING: what made the function; ROUTINE: 1 where it is a helper's
  u32 index, count;  // LOOPING, REPEATING: calls begun and calls in all; ROUTINE: the instruction under way; the stage
                     // entry that it runs, plus 1
  u32 found;     // LOOPING: items kept, or the position of the best one; ROUTINE: the last stage entry that it has run
                 // itself, plus 1
  u32 side;      // LOOPING, REPEATING: where results go; bodies run on the other side
  Addr mark;     // … which is cut back to this after each of them
  Addr results;  // LOOPING: Value[count] or u32[count] on this side
  i64 steps_before;  // ROUTINE: at the start of the instruction under way
  u64 since;         // … and its time, where a profile is made
  Value a, b;        // LOOPING: its containers; APPLYING: a is the function
  Value function;    // LOOPING: what is called, where that is a value
  Value best;        // LOOPING: the best key so far
};
static_assert(sizeof(Frame) == FRAME_BYTES, "launches take memory for them");

// Where the operands of a routine lie, by space.
struct Spaces {
  Addr at[STAGE + 1];
};

enum Next : u32 { RUN_ROUTINE, CALL_FUNCTION, DELIVER, SHARE_OUT };

struct Machine {
  Vm vm;
  Program program;
  Value inputs[3];
  Addr stage;         // Staged[], how work that was done ahead ended
  Addr stage_values;  // Value[], and what it came to
  Addr stage_rows;    // StageRow[]; 0 where entries that were not kept are left to another engine
  i64 steps_aside;  // of the budget, kept back by a launch that gives fewer: slices are charged them for work that was
                    // done ahead
  Addr frames;      // Frame[frame_room]
  Addr values;      // Value[value_room]
  u32 frame_count, frame_room;
  u32 value_count, value_room;
  u32 calls;    // function values under way within one another
  u32 next;     // what to do now …
  Value value;  // … with this function, or this result
  u32 argc;     // arguments of the call, on top of the value stack
  u32 unused;
  Addr code_tallies;  // Tally[], by the word at which an instruction begins; 0 where nothing is counted
};

BATT_INLINE Frame& top_frame(Machine& m) { return mem<Frame>(m.vm, m.frames, m.frame_count - 1); }
BATT_INLINE Value& stacked(Machine& m, u32 k) { return mem<Value>(m.vm, m.values, k); }

// Those of a routine whose arguments and slots begin there on the value stack.
BATT_INLINE Spaces spaces_of(Machine& m, u32 base, u32 slots) {
  Addr values = m.values, inputs = reinterpret_cast<Addr>(m.inputs);
  return Spaces{
      {values + sizeof(Value) * slots, m.program.constants, inputs, values + sizeof(Value) * base, m.stage_values}};
}

// Room for `count` values more; false, and the machine stopped, where there is none.
BATT_INLINE bool has_room(Machine& m, u32 from, u32 count) {
  if (from <= m.value_room && count <= m.value_room - from) return true;
  unsupported(m.vm, STACK_FULL);
  return false;
}

BATT_INLINE bool push_value(Machine& m, Value v) {
  if (!has_room(m, m.value_count, 1)) return false;
  stacked(m, m.value_count++) = v;
  return true;
}

// A new frame whose values begin at `base`; every other field but the counts is the caller's to set.
BATT_INLINE Frame* push_frame(Machine& m, FrameKind kind, u32 base) {
  if (m.frame_count == m.frame_room) {
    unsupported(m.vm, STACK_FULL);
    return nullptr;
  }
  Frame& frame = mem<Frame>(m.vm, m.frames, m.frame_count++);
  frame.kind = kind;
  frame.base = base;
  frame.pc = frame.op = frame.index = frame.found = 0;
  return &frame;
}

BATT_INLINE void pop_frame(Machine& m) {
  m.value_count = top_frame(m).base;
  m.frame_count--;
}

BATT_INLINE void deliver(Machine& m, Value v) {
  m.value = v;
  m.next = DELIVER;
}

// Run a routine whose arguments stand at `base`.
BATT_INLINE Frame* enter_routine(Machine& m, u32 number, u32 base) {
  if (asked_to_stop(m.vm)) stop_with(m.vm, STOPPED);
  const Routine& routine = mem<Routine>(m.vm, m.program.routines, number);
  u32 needed = routine.params + routine.slots + routine.counters;
  if (!has_room(m, base, needed)) return nullptr;
  Frame* frame = push_frame(m, ROUTINE, base);
  if (!frame) return nullptr;
  frame->routine = number;
  frame->pc = routine.start;
  frame->slots = base + routine.params;
  frame->count = 0;
  m.value_count = base + needed;
  m.next = RUN_ROUTINE;
  return frame;
}

// Run the body of a loop again: its frame lies where the last call left it, just above the loop's.
BATT_INLINE void enter_again(Machine& m) {
  Frame& frame = mem<Frame>(m.vm, m.frames, m.frame_count++);
  const Routine& routine = mem<Routine>(m.vm, m.program.routines, frame.routine);
  frame.pc = routine.start;
  m.value_count = frame.slots + routine.slots + routine.counters;
  m.next = RUN_ROUTINE;
}

}  // namespace batt
