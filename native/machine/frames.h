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

// A frame of each kind. All begin with the fields of FrameHead, so that these can be read from any of them.
struct FrameHead {
  u32 kind;
  u32 base;  // where its values begin on the value stack; the stack is cut back to this when the frame ends
};
struct RoutineFrame {
  u32 kind, base;
  u32 number;        // the routine
  u32 pc;            // the next instruction, a word of the code
  u32 slots;         // where its slots begin on the value stack
  u32 target;        // the slot for the result that it waits for
  u32 counter;       // the counter for the steps of that instruction
  u32 is_helper;     // 1 where a function value was called
  u32 instruction;   // the one under way, where a profile is made
  u32 entry;         // the stage entry that it runs, plus 1
  u32 held;          // the last stage entry that it has run itself, plus 1
  i64 steps_before;  // at the start of the instruction under way
  u64 since;         // the time then, where a profile is made
};
struct LoopFrame {
  u32 kind, base;
  u32 body;  // a routine, or NOTHING where a function value is called
  u32 op;
  u32 manner;        // a LoopManner
  u32 is_last;       // 1 in the call that `valmax` makes after all others
  u32 index, count;  // calls begun, and calls in all
  u32 found;         // items kept, or the position of the best one
  u32 column, row;   // of the next call of `prapply`: its items in `a` and `b`
  u32 share_from;    // the call from which on the lanes of a warp may share them
  u32 side;          // where results go; bodies run on the other side
  Addr mark;         // that side is cut back to this after each call
  Addr results;      // Value[count] or u32[count]
  Value a, b;        // the containers
  Value function;    // what is called, where `body` is NOTHING
  Value best;        // the best key so far
};
struct RepeatFrame {
  u32 kind, base;
  u32 body;          // a routine
  u32 index, count;  // calls begun, and calls in all
  u32 side;          // where results go; bodies run on the other side
  Addr mark;         // that side is cut back to this after each call
};
struct MadeFrame {
  u32 kind, base;
  u32 op;     // what made the function
  u32 phase;  // calls begun
  u32 end;    // where its arguments end on the value stack
  Value function;
};
union Frame {
  FrameHead head;
  RoutineFrame routine;
  LoopFrame loop;
  RepeatFrame repeat;
  MadeFrame made;
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

// A new frame whose values begin at `base`; the caller sets every other field that is read.
BATT_INLINE Frame* push_frame(Machine& m, FrameKind kind, u32 base) {
  if (m.frame_count == m.frame_room) {
    unsupported(m.vm, STACK_FULL);
    return nullptr;
  }
  Frame& frame = mem<Frame>(m.vm, m.frames, m.frame_count++);
  frame.head = FrameHead{kind, base};
  return &frame;
}

BATT_INLINE void pop_frame(Machine& m) {
  m.value_count = top_frame(m).head.base;
  m.frame_count--;
}

BATT_INLINE void deliver(Machine& m, Value v) {
  m.value = v;
  m.next = DELIVER;
}

// Run a routine whose arguments stand at `base`.
BATT_INLINE RoutineFrame* enter_routine(Machine& m, u32 number, u32 base) {
  if (asked_to_stop(m.vm)) stop_with(m.vm, STOPPED);
  const Routine& routine = mem<Routine>(m.vm, m.program.routines, number);
  u32 needed = routine.params + routine.slots + routine.counters;
  if (!has_room(m, base, needed)) return nullptr;
  Frame* pushed = push_frame(m, ROUTINE, base);
  if (!pushed) return nullptr;
  RoutineFrame& frame = pushed->routine;
  frame.number = number;
  frame.pc = routine.start;
  frame.slots = base + routine.params;
  frame.is_helper = frame.instruction = frame.entry = frame.held = 0;
  m.value_count = base + needed;
  m.next = RUN_ROUTINE;
  return &frame;
}

// Run the body of a loop again: its frame lies where the last call left it, just above the loop's.
BATT_INLINE void enter_again(Machine& m) {
  RoutineFrame& frame = mem<Frame>(m.vm, m.frames, m.frame_count++).routine;
  const Routine& routine = mem<Routine>(m.vm, m.program.routines, frame.number);
  frame.pc = routine.start;
  m.value_count = frame.slots + routine.slots + routine.counters;
  m.next = RUN_ROUTINE;
}

}  // namespace batt
