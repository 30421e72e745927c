// The interpreter: run instructions, and advance the machine.
#pragma once
#include "calls.h"

namespace batt {

BATT_INLINE void finish_instruction(Machine& m, RoutineFrame& f, u32 target, u32 counter, Value made) {
  if (target != NOTHING) stacked(m, f.slots + target) = made;
  if (counter != NOTHING) {
    const Routine& routine = mem<Routine>(m.vm, m.program.routines, f.number);
    stacked(m, f.slots + routine.slots + counter) = integer(f.steps_before - m.vm.steps_left);
  }
  if (m.code_tallies) count(m.vm, m.code_tallies, f.instruction, f.steps_before, f.since);
}

// Copy the operands from number `from` on to the value stack, from `base` on.
BATT_INLINE bool put_operands(Machine& m, const Spaces& spaces, const Instruction& i, u32 from, u32 base) {
  if (!has_room(m, base, i.operands - from)) return false;
  for (u32 k = from; k < i.operands; k++) stacked(m, base + k - from) = operand(m, spaces, i, k);
  return true;
}

BATT_DEVICE_NOINLINE void run_loop(Machine& m, const Spaces& spaces, const Instruction& i) {
  u32 op = immediate(m, i, 0), body = immediate(m, i, 1), given = OP_ARITY[op] - 1u, base = m.value_count;
  // The function has no items and comes first here; only the cost of `prapply` depends on the position of an argument.
  Value args[3] = {none(), operand(m, spaces, i, 0), given == 2 ? operand(m, spaces, i, 1) : none()};
  if (!charge_loop(m.vm, op, args)) return;
  u32 per_call = items_per_call(op);
  if (!has_room(m, base, per_call) || !put_operands(m, spaces, i, given, base + per_call)) return;
  begin_loop(m, op, args[1], args[2], body, none(), base);
}

BATT_DEVICE_NOINLINE void run_select(Machine& m, const Spaces& spaces, const Instruction& i) {
  Value picked = operand(m, spaces, i, 0);
  u32 which;
  if (i.code == code::SELECT_TRUTH) which = truth(picked) ? 0 : 1;
  else if (is_int(picked) && picked.bits < i.immediates) which = static_cast<u32>(picked.bits);
  else {
    unsupported(m.vm, BAD_CODE);
    return;
  }
  u32 base = m.value_count;
  if (put_operands(m, spaces, i, 1, base)) enter_routine(m, immediate(m, i, which), base);
}

// Run a stage entry that was not kept. Its value is valid until the routine that needs it ends, for that routine and
// all that it calls.
BATT_DEVICE_NOINLINE void run_entry(Machine& m, RoutineFrame& f, u32 entry) {
  f.entry = entry + 1;
  f.target = f.counter = NOTHING;
  enter_routine(m, mem<StageRow>(m.vm, m.stage_rows, entry).routine, m.value_count);
}

BATT_DEVICE_NOINLINE void hold_entry(Machine& m, RoutineFrame& f, Value made) {
  u32 entry = f.entry - 1;
  mem<Value>(m.vm, m.stage_values, entry) = made;
  mem<Staged>(m.vm, m.stage, entry) = Staged{RUNNING, NO_ERROR, NO_CAUSE, f.held, f.steps_before - m.vm.steps_left};
  f.held = f.entry;
  f.entry = 0;
}

BATT_DEVICE_NOINLINE void forget_entries(Machine& m, RoutineFrame& f) {
  while (f.held) {
    u32 entry = f.held - 1;
    Staged& staged = mem<Staged>(m.vm, m.stage, entry);
    f.held = staged.next;
    staged.status = NOT_KEPT;
    mem<Value>(m.vm, m.stage_values, entry) = none();
  }
}

// Forget the entries of all routines that an error ended.
BATT_INLINE void forget_all_entries(Machine& m) {
  if (!m.stage_rows) return;
  for (u32 k = 0; k < m.frame_count; k++) {
    Frame& f = mem<Frame>(m.vm, m.frames, k);
    if (f.head.kind == ROUTINE && f.routine.held) forget_entries(m, f.routine);
  }
}

// Charge a staged entry to the routine that reads it, and raise its error if it has one. True if the routine continues
// at once.
BATT_INLINE bool charge_entry(Machine& m, RoutineFrame& f, u32 entry) {
  const Staged& staged = mem<Staged>(m.vm, m.stage, entry);
  if (staged.status == NOT_KEPT) {
    if (!m.stage_rows) {
      unsupported(m.vm, ARENA_FULL);
      return true;
    }
    run_entry(m, f, entry);
    return false;
  }
  // Steps inside a body are counted for the loop around it.
  i64 reserved = m.frame_count == 1 ? smaller(staged.steps, m.steps_reserved) : 0;
  m.steps_reserved -= reserved;
  if (!charge(m.vm, staged.steps - reserved)) return true;
  if (staged.status == RAISED) raise(m.vm, static_cast<Error>(staged.error));
  else if (staged.status == UNSUPPORTED) unsupported(m.vm, static_cast<Cause>(staged.cause));
  else if (staged.status != RUNNING) stop_with(m.vm, static_cast<Status>(staged.status));
  return true;
}

// Run an instruction other than a kernel. True if the routine continues at once.
BATT_DEVICE_NOINLINE bool run_special(Machine& m, RoutineFrame& f, const Spaces& spaces, const Instruction& i) {
  switch (i.code) {
    case code::TUPLE: finish_instruction(m, f, i.target, i.counter, make_tuple(m, spaces, i)); return true;
    case code::COUNT:
      finish_instruction(m, f, i.target, i.counter, checked_count(m.vm, operand(m, spaces, i, 0)));
      return true;
    case code::LIMIT:
      if (immediate64(m, i) > m.vm.max_items) stop_with(m.vm, OVER_BUDGET);
      return true;
    case code::RAISE: raise(m.vm, static_cast<Error>(immediate(m, i, 0))); return true;
    case code::RECHARGE: {
      const Routine& routine = mem<Routine>(m.vm, m.program.routines, f.number);
      charge(m.vm, int_of(stacked(m, f.slots + routine.slots + i.counter)));
      return true;
    }
    case code::RECHARGE_STAGE: return charge_entry(m, f, immediate(m, i, 0));
    default: break;
  }
  f.target = i.target;
  f.counter = i.counter;
  u32 base = m.value_count;
  switch (i.code) {
    case code::LOOP: run_loop(m, spaces, i); return false;
    case code::REPEAT:
      if (has_room(m, base, 1) && put_operands(m, spaces, i, 2, base + 1))
        begin_repeat(m, operand(m, spaces, i, 0), operand(m, spaces, i, 1), immediate(m, i, 0), base);
      return false;
    case code::SELECT_TRUTH:
    case code::SELECT_NUMBER: run_select(m, spaces, i); return false;
    case code::INVOKE:
      if (put_operands(m, spaces, i, 0, base)) enter_routine(m, immediate(m, i, 0), base);
      return false;
    case code::CALL:
      if (put_operands(m, spaces, i, 1, base)) {
        m.value_count = base + i.operands - 1;
        call(m, operand(m, spaces, i, 0), i.operands - 1);
      }
      return false;
    default: unsupported(m.vm, BAD_CODE); return false;
  }
}

// Begin a loop op of a program that is not compiled: its function is an argument.
BATT_INLINE void begin_loop_op(Machine& m, u32 op, const Spaces& spaces, Addr words) {
  Value a[MAX_ARITY];
  for (u32 k = 0; k < OP_ARITY[op]; k++) a[k] = operand_at(m.vm, spaces.at, words, k);
  call_loop(m, op, a);
}

// End the topmost routine and deliver its value. A waiting loop continues at once.
BATT_INLINE void leave_routine(Machine& m, RoutineFrame& f, Value made) {
  if (f.is_helper) m.calls--;
  if (f.held) forget_entries(m, f);
  pop_frame(m);
  deliver(m, made);
  if (m.frame_count && top_frame(m).head.kind == LOOPING) take_result(m, top_frame(m).loop, made);
}

// Run any instruction but RETURN and kernels, and move `f.pc` behind it. True if the routine continues at once.
BATT_INLINE bool run_other(Machine& m, RoutineFrame& f, const Spaces& spaces, Addr at) {
  Instruction i = read_instruction(m, at);
  f.pc += 4 + i.immediates + i.operands;
  if (i.code == code::CHARGE) {
    charge_operands(m, spaces, i);
    return true;
  }
  u32 frames = m.frame_count;
  if (i.code >= OP_COUNT) {
    if (run_special(m, f, spaces, i)) return true;
  } else {
    f.target = i.target;
    f.counter = i.counter;
    begin_loop_op(m, i.code, spaces, i.at);
  }
  if (m.next != DELIVER || m.frame_count != frames || stopped(m.vm)) return false;
  // The loop has already ended.
  finish_instruction(m, f, i.target, i.counter, m.value);
  m.next = RUN_ROUTINE;
  return true;
}

// Run the topmost routine, and the routines that it calls and returns to, until something else is next; or one
// instruction.
BATT_DEVICE_NOINLINE void run_routine(Machine& m, bool just_one = false) {
  Vm& vm = m.vm;
  while (m.next == RUN_ROUTINE && !stopped(vm)) {
    RoutineFrame& f = top_frame(m).routine;
    Spaces spaces = spaces_of(m, f.base, f.slots);
    Addr at = m.program.code + 4ull * f.pc;
    while (!stopped(vm)) {
      u32 head = mem<u32>(vm, at), opcode = head & 0xffffu;
      f.steps_before = vm.steps_left;
      if (m.code_tallies) {
        f.instruction = static_cast<u32>((at - m.program.code) / 4);
        f.since = ticks();
      }
      if (opcode < OP_COUNT && OP_KIND[opcode] == KERNEL) {
        Value made = call_kernel(vm, opcode, Operands{at + 16, spaces.at});
        u32 target = mem<u32>(vm, at, 1), counter = mem<u32>(vm, at, 2);
        if (target != NOTHING) mem<Value>(vm, spaces.at[SLOT], target) = made;
        if (counter != NOTHING || m.code_tallies) finish_instruction(m, f, NOTHING, counter, made);
        at += 16 + 4 * (head >> 16);
        if (!just_one) continue;
        f.pc = static_cast<u32>((at - m.program.code) / 4);
        return;
      }
      if (opcode == code::RETURN) {
        leave_routine(m, f, operand_at(vm, spaces.at, at + 16, 0));
        break;
      }
      f.pc = static_cast<u32>((at - m.program.code) / 4);
      if (!run_other(m, f, spaces, at)) break;
      if (just_one) return;
      at = m.program.code + 4ull * f.pc;
    }
    if (just_one) return;
  }
}

// Deliver a result to the frame that waits for it.
BATT_DEVICE_NOINLINE void take_delivery(Machine& m) {
  Frame& f = top_frame(m);
  Value made = m.value;
  switch (f.head.kind) {
    case ROUTINE:
      if (f.routine.entry) hold_entry(m, f.routine, made);
      finish_instruction(m, f.routine, f.routine.target, f.routine.counter, made);
      m.next = RUN_ROUTINE;
      return;
    case LOOPING: take_result(m, f.loop, made); return;
    case REPEATING: take_repeated(m, f.repeat, made); return;
    default: apply_made(m, f.made, made);
  }
}

// A StopIteration that passes through a generator is a RuntimeError.
BATT_INLINE void pass_through_generators(Machine& m) {
  if (m.vm.status != RAISED || m.vm.error != STOP_ITERATION) return;
  for (u32 k = 0; k < m.frame_count; k++) {
    const Frame& f = mem<Frame>(m.vm, m.frames, k);
    // `valmax` makes its last call outside of any generator; other ops that make a last call have no generator either.
    if (f.head.kind == LOOPING && is_generator(f.loop.op)) m.vm.error = RUNTIME_ERROR;
  }
}

// Begin a routine without parameters, under the machine's budget.
BATT_INLINE void begin_routine(Machine& m, u32 routine) {
  m.frame_count = m.value_count = m.calls = 0;
  m.vm.status = RUNNING;
  m.vm.error = m.vm.cause = 0;
  enter_routine(m, routine, 0);
}

// Do what is next. False if nothing is: the routine has its value, or the machine stopped.
BATT_INLINE bool advance(Machine& m) {
  if (stopped(m.vm)) {
    pass_through_generators(m);
    return false;
  }
  if (m.next == RUN_ROUTINE) run_routine(m);
  else if (m.next == CALL_FUNCTION) call_function(m);
  else if (m.frame_count == 0) return false;
  else take_delivery(m);
  return true;
}

}  // namespace batt
