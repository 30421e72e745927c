// Call function values: ops, helpers, and functions that ops made. While a made function calls another one, it waits in
// an APPLYING frame.
#pragma once
#include "loops.h"

namespace batt {

// Enter a call of a function value. More than 900 nested calls are a RecursionError, by rule.
BATT_INLINE bool enter_call(Machine& m) {
  if (m.calls >= MAX_CALLS) {
    raise(m.vm, RECURSION_ERROR);
    return false;
  }
  m.calls++;
  return true;
}

// Call a function with the topmost `argc` values.
BATT_INLINE void call(Machine& m, Value function, u32 argc) {
  m.value = function;
  m.argc = argc;
  m.next = CALL_FUNCTION;
}

BATT_INLINE void call_one(Machine& m, Value function, Value x) {
  if (push_value(m, x)) call(m, function, 1);
}

// Leave the made function with its value.
BATT_INLINE void leave_made(Machine& m, Value made) {
  m.calls--;
  pop_frame(m);
  deliver(m, made);
}

BATT_INLINE void apply_matcher(Machine& m, Value r, Value target) {
  Value both[2] = {r, target};
  Value made = call_kernel_on(m.vm, OP_equality, reinterpret_cast<Addr>(both));
  if (!stopped(m.vm)) leave_made(m, made);
}

// Call a bound function with its fixed argument before or after the others.
BATT_DEVICE_NOINLINE void apply_bound(Machine& m, MadeFrame& f, Value function, Value fixed) {
  u32 first = f.base, end = f.end;
  bool left = f.op == OP_lbind;
  if (left && !push_value(m, fixed)) return;
  for (u32 k = first; k < end; k++)
    if (!push_value(m, stacked(m, k))) return;
  if (!left && !push_value(m, fixed)) return;
  call(m, function, end - first + 1);
}

// Continue a made function: `r` is the result of the call that it waited for, None at the start.
BATT_DEVICE_NOINLINE void apply_made(Machine& m, MadeFrame& f, Value r) {
  Vm& vm = m.vm;
  u32 phase = f.phase++;
  m.value_count = f.op == OP_fork && phase == 2 ? f.end + 1 : f.end;
  Value x = stacked(m, f.base);
  Value p = mem<Value>(vm, f.function.bits, 0), q = mem<Value>(vm, f.function.bits, 1);
  switch (f.op) {
    case OP_compose:
      if (phase == 0) call_one(m, q, x);
      else if (phase == 1) call_one(m, p, r);
      else leave_made(m, r);
      return;
    case OP_chain:
      if (phase == 0) call_one(m, mem<Value>(vm, f.function.bits, 2), x);
      else if (phase == 1) call_one(m, q, r);
      else if (phase == 2) call_one(m, p, r);
      else leave_made(m, r);
      return;
    case OP_matcher:
      if (phase == 0) call_one(m, p, x);
      else apply_matcher(m, r, q);
      return;
    case OP_fork:
      if (phase == 0) call_one(m, q, x);
      else if (phase == 1) {
        if (push_value(m, r)) call_one(m, mem<Value>(vm, f.function.bits, 2), x);
      } else if (phase == 2) {
        if (push_value(m, r)) call(m, p, 2);
      } else leave_made(m, r);
      return;
    case OP_lbind:
    case OP_rbind:
      if (phase == 0) apply_bound(m, f, p, q);
      else leave_made(m, r);
      return;
    case OP_power:
      if (phase < static_cast<u32>(int_of(q))) call_one(m, p, phase == 0 ? x : r);
      else leave_made(m, r);
      return;
    default: unsupported(vm, BAD_CODE);
  }
}

BATT_DEVICE_NOINLINE void call_made(Machine& m, Value function, u32 argc) {
  if (argc != fn_arity(function)) {
    raise(m.vm, TYPE_ERROR);
    return;
  }
  // A `power` of a `power` makes calls for hours, and enters no routine.
  if (asked_to_stop(m.vm)) stop_with(m.vm, STOPPED);
  if (stopped(m.vm) || !enter_call(m)) return;
  Frame* pushed = push_frame(m, APPLYING, m.value_count - argc);
  if (!pushed) return;
  MadeFrame& f = pushed->made;
  f.op = fn_number(function);
  f.phase = 0;
  f.end = m.value_count;
  f.function = function;
  apply_made(m, f, none());
}

BATT_DEVICE_NOINLINE void call_helper(Machine& m, u32 routine, u32 argc) {
  if (argc != mem<Routine>(m.vm, m.program.routines, routine).params) {
    raise(m.vm, TYPE_ERROR);
    return;
  }
  if (!charge(m.vm, 1) || !enter_call(m)) return;
  RoutineFrame* f = enter_routine(m, routine, m.value_count - argc);
  if (f) f->is_helper = 1;
}

// Call a loop op: one that is a function value, or that gets a function value. `a` holds its arguments.
BATT_DEVICE_NOINLINE void call_loop(Machine& m, u32 op, const Value* a) {
  if (!charge_loop(m.vm, op, a)) return;
  if (op == OP_rapply) {
    begin_loop(m, op, a[0], a[1], NOTHING, integer(0), m.value_count);
    return;
  }
  u32 at = function_position(op);
  Value second = OP_ARITY[op] == 3 ? a[2] : none();
  begin_loop(m, op, at == 0 ? a[1] : a[0], second, NOTHING, a[at], m.value_count);
}

BATT_DEVICE_NOINLINE void call_op(Machine& m, u32 op, u32 argc) {
  u32 base = m.value_count - argc;
  if (argc != OP_ARITY[op]) {
    i64 steps = 1;
    if (OP_COST[op] == COST_ITEMS)
      for (u32 k = 0; k < argc; k++) steps += items(m.vm, stacked(m, base + k));
    if (charge(m.vm, steps)) raise(m.vm, TYPE_ERROR);
    return;
  }
  m.value_count = base;
  Addr arguments = m.values + sizeof(Value) * base;
  if (OP_KIND[op] != LOOP) {
    deliver(m, call_kernel_on(m.vm, op, arguments));
    return;
  }
  Value a[MAX_ARITY];
  for (u32 k = 0; k < argc; k++) a[k] = mem<Value>(m.vm, arguments, k);
  call_loop(m, op, a);
}

// Call the function `m.value` with the topmost `m.argc` values.
BATT_DEVICE_NOINLINE void call_function(Machine& m) {
  Value function = m.value;
  if (!is_fn(function)) {
    raise(m.vm, TYPE_ERROR);
    return;
  }
  switch (fn_kind(function)) {
    case FN_OP: call_op(m, fn_number(function), m.argc); return;
    case FN_HELPER: call_helper(m, fn_number(function), m.argc); return;
    default: call_made(m, function, m.argc);
  }
}

}  // namespace batt
