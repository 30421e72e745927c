// The machine of one evaluation: a stack of frames, a stack of values, and the program. C++ calls do not nest with the
// depth of a program, so that a GPU thread can run it.
#pragma once
#include "../core/digest.h"

namespace batt {

constexpr u32 NOTHING = 0xffffffffu;
constexpr u32 MAX_CALLS = 900;  // nested calls of function values: batt.ops.meter.MAX_DEPTH

struct Routine {
  u32 start, words, params, slots, counters, name_at, name_bytes;
  u32 is_leaf;  // a LeafKind, or 0
};

// Routines that a loop runs without a frame: only kernels, tuples and charges; or only `connect` or `manhattan` of the
// two arguments; or only `shift` of the second one by the first; or, on hosts, also loops over plain leaves.
enum LeafKind : u32 { PLAIN_LEAF = 1, CONNECTING, MEASURING, SHIFTING, NESTING };

enum Space : u32 { SLOT, CONSTANT, INPUT, ARGUMENT, STAGE, PARAMETER };

// The status of a staged entry that the stage has no room for: evaluations that read it run it.
constexpr u32 NOT_KEPT = STOPPED + 1;

enum FrameKind : u32 {
  ROUTINE,    // instructions of a slice, a body or a helper
  LOOPING,    // an op that calls a function or a body for items
  REPEATING,  // a body that is applied to its own result
  APPLYING    // a running function that an op made
};

// The frames of each kind. All begin with the fields of FrameHead, which can be read from any of them.
struct FrameHead {
  u32 kind;
  u32 base;  // where its values begin on the value stack; the stack is cut back to this when the frame ends
};
struct RoutineFrame {
  u32 kind, base;
  u32 number;        // the routine
  u32 pc;            // the next instruction, a word of the code
  u32 slots;         // where its slots begin on the value stack
  u32 target;        // the slot for the awaited result
  u32 counter;       // the counter for the steps of that instruction
  u32 is_helper;     // 1 if it was called as a function value
  u32 instruction;   // the running one, in a profile
  u32 entry;         // the stage entry that it is running, plus 1
  u32 held;          // the last stage entry that it ran, plus 1
  i64 steps_before;  // at the start of the running instruction
  u64 since;         // the time then, in a profile
};
struct LoopFrame {
  u32 kind, base;
  u32 body;  // a routine, or NOTHING if a function value is called
  u32 op;
  u32 manner;        // a LoopManner
  u32 is_last;       // 1 in the call that `valmax` and `valmin` make after all others
  u32 index, count;  // calls begun, and all calls
  u32 found;         // items kept, or the position of the best one
  u32 column, row;   // for `prapply`: the items of the next call in `a` and `b`
  u32 split_from;    // the first call that the lanes of a warp may split; not 0 once they did
  u32 side;          // where results go; bodies run on the other side
  Addr mark;         // that side is cut back to this after each call
  Addr results;      // Value[count] or u32[count]
  Value a, b;        // the containers
  Value function;    // what is called if `body` is NOTHING
  Value best;        // the best key so far
};
struct RepeatFrame {
  u32 kind, base;
  u32 body;          // a routine
  u32 index, count;  // calls begun, and all calls
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

// The addresses of a routine's operands, by space.
struct Spaces {
  Addr at[PARAMETER + 1];
};

enum Next : u32 { RUN_ROUTINE, CALL_FUNCTION, DELIVER, SPLIT_LOOP };

struct Machine {
  Vm vm;
  Program program;
  Value inputs[3];
  Addr parameters;     // Value[MAX_PARAMETERS]
  Addr stage;          // Staged[]: how the staged entries ended
  Addr stage_values;   // Value[]: their values
  Addr stage_rows;     // StageRow[]; 0 if evaluations that need an entry that was not kept are deferred
  i64 steps_reserved;  // steps of the budget that the launch does not give; staged entries are charged to them first
  Addr frames;         // Frame[frame_room]
  Addr values;         // Value[value_room]
  u32 frame_count, frame_room;
  u32 value_count, value_room;
  u32 calls;    // nested calls of function values
  u32 next;     // what to do next, a Next …
  Value value;  // … with this function, or this result
  u32 argc;     // arguments of the call, on top of the value stack
  u32 unused;
  Addr code_tallies;  // Tally[], by the first word of an instruction; 0 if nothing is counted
};

BATT_INLINE Frame& top_frame(Machine& m) { return mem<Frame>(m.vm, m.frames, m.frame_count - 1); }
BATT_INLINE Value& stacked(Machine& m, u32 k) { return mem<Value>(m.vm, m.values, k); }

// The spaces of a routine whose arguments begin at `base` and slots at `slots` on the value stack.
BATT_INLINE Spaces spaces_of(Machine& m, u32 base, u32 slots) {
  Addr values = m.values, inputs = reinterpret_cast<Addr>(m.inputs);
  return Spaces{{values + sizeof(Value) * slots, m.program.constants, inputs, values + sizeof(Value) * base,
                 m.stage_values, m.parameters}};
}

// Whether the value stack has room for `count` values from `from` on; the machine stops if not.
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

// Push a frame whose values begin at `base`. The caller sets all other fields.
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

// Enter a routine whose arguments begin at `base`.
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

// Enter the body of a loop again: its frame is still above the loop's.
BATT_INLINE void enter_again(Machine& m) {
  RoutineFrame& frame = mem<Frame>(m.vm, m.frames, m.frame_count++).routine;
  const Routine& routine = mem<Routine>(m.vm, m.program.routines, frame.number);
  frame.pc = routine.start;
  m.value_count = frame.slots + routine.slots + routine.counters;
  m.next = RUN_ROUTINE;
}

}  // namespace batt
