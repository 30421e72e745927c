// Ops that call a function for items: begin, take a result, end. Each call runs a routine (a body) or a function value.
//
// The results of a loop go to the side on which it began. Its function allocates on the other side, which is cut back
// after every call: a loop needs no more memory than its largest call and its results.
#pragma once
#include "instructions.h"
#include "loop_shifts.h"
#include "loop_values.h"
#include "loop_columns.h"
#include "loop_functions.h"

namespace batt {

BATT_INLINE void call_for_items(Machine& m, LoopFrame& f);

// End a loop with its value.
BATT_INLINE void finish_loop(Machine& m, u32 op, Value made) {
  if (stopped(m.vm)) return;
  pop_frame(m);
  charge_after(m.vm, op, made);
  deliver(m, made);
}

// Call the function of `valmax` or `valmin` once more, with the best item or with 0.
BATT_INLINE void call_for_best(Machine& m, LoopFrame& f) {
  m.vm.side = f.side;
  f.is_last = 1;
  Value best = f.count ? item(m.vm, f.a, f.found) : integer(0);
  if (f.body != NOTHING) {
    stacked(m, f.base) = best;
    enter_routine(m, f.body, f.base);
    return;
  }
  m.value_count = f.base;
  if (!push_value(m, best)) return;
  m.value = f.function;
  m.argc = 1;
  m.next = CALL_FUNCTION;
}

// End a loop after its last call.
BATT_DEVICE_NOINLINE void end_loop(Machine& m, LoopFrame& f) {
  Vm& vm = m.vm;
  vm.side = f.side;
  if (picks_value(f.op)) {
    call_for_best(m, f);
    return;
  }
  u32 op = f.op;
  if (op == OP_extract) {
    pop_frame(m);
    raise(vm, STOP_ITERATION);
    return;
  }
  finish_loop(m, op, loop_value(vm, f));
}

// Continue a loop with the next call, or end it.
BATT_INLINE void continue_loop(Machine& m, LoopFrame& f) {
  if (f.index < f.count) call_for_items(m, f);
  else end_loop(m, f);
}

// Put the items of the next call on the value stack, where its body or function value expects them.
BATT_INLINE void put_next_items(Machine& m, LoopFrame& f) {
  Vm& vm = m.vm;
  u32 k = f.index++;
  if (f.op == OP_prapply) {
    // Every item of `a` for each item of `b`.
    stacked(m, f.base) = item(vm, f.a, f.column);
    stacked(m, f.base + 1) = item(vm, f.b, f.row);
    if (++f.column == length(f.a)) {
      f.column = 0;
      f.row++;
    }
    return;
  }
  stacked(m, f.base) = f.op == OP_rapply ? f.b : item(vm, f.a, k);
  if (items_per_call(f.op) == 2) {
    stacked(m, f.base + 1) = item(vm, f.b, k);
#ifndef __CUDACC__
    // Pairs of bytes need no memory of their own.
    if (f.a.tag == GRID && grid_w(f.a) == 2) stacked(m, f.base) = compact_pair(vm, stacked(m, f.base));
#endif
  }
}

// Take the result of the last call. True if it ends the loop.
BATT_INLINE bool keep_result(Vm& vm, LoopFrame& f, Value r) {
  vm.side = f.side;
  u32 k = f.index - 1;
  bool found = false;
  if (f.manner == COLLECTING) {
    mem<Value>(vm, f.results, k) = evacuate(vm, r, f.mark);
  } else if (f.manner == KEEPING) {
    bool keep = truth(r);
    cut_back(vm.region[f.side ^ 1u], f.mark);
    found = keep && f.op == OP_extract;
    if (keep && !found) mem<u32>(vm, f.results, f.found++) = k;
  } else {
    bool least = f.op == OP_argmin || f.op == OP_valmin;
    if (k == 0 || (least ? less(vm, r, f.best) : less(vm, f.best, r))) {
      cut_back(vm.region[f.side], f.results);  // the best key before this one
      f.best = evacuate(vm, r, f.mark);
      f.found = k;
    } else {
      cut_back(vm.region[f.side ^ 1u], f.mark);
    }
  }
  return found;
}

// Set what a frame needs of a loop; its results lie on the side on which it begins.
BATT_INLINE void open_loop(Vm& vm, LoopFrame& f, u32 op, Value a, Value b, u32 count, Addr results) {
  f.op = op;
  f.manner = keeps_items(op) ? KEEPING : picks_best(op) ? PICKING : COLLECTING;
  f.is_last = f.index = f.found = f.column = f.row = f.split_from = 0;
  f.count = count;
  f.side = vm.side;
  f.mark = vm.region[vm.side ^ 1u].top;
  f.results = results;
  f.a = a;
  f.b = b;
}
BATT_INLINE Addr new_results(Vm& vm, u32 op, u32 count) {
  return keeps_items(op) ? alloc<u32>(vm, op == OP_extract ? 0 : count) : alloc<Value>(vm, picks_best(op) ? 0 : count);
}

// Run all calls of a leaf; true if one of them ends the loop. The caller made room for its values.
template <class RunLoop> BATT_INLINE bool run_leaf_calls(Machine& m, LoopFrame& f, const Leaf& leaf, RunLoop run_loop) {
  Vm& vm = m.vm;
  while (f.index < f.count) {
    if (asked_to_stop(vm)) {
      stop_with(vm, STOPPED);
      return false;
    }
    put_next_items(m, f);
    Value made = run_leaf(m, leaf, run_loop);
    if (stopped(vm)) return false;
    if (keep_result(vm, f, made)) return true;
    if (stopped(vm)) return false;
    vm.side = f.side ^ 1u;
  }
  return false;
}

// Run all calls of a loop whose body is a leaf.
template <class RunLoop = NoLoops>
BATT_DEVICE_NOINLINE void run_leaf_loop(Machine& m, LoopFrame& f, const Leaf& leaf, RunLoop run_loop = RunLoop()) {
  bool ended = run_leaf_calls(m, f, leaf, run_loop);
  if (stopped(m.vm)) return;
  if (ended) finish_loop(m, f.op, item(m.vm, f.a, f.index - 1));
  else end_loop(m, f);
}

#ifndef __CUDACC__
// `apply` to a container of one item, which `run` takes from the value stack at `base`.
template <class Run> inline Value applied_to_one(Machine& m, Value container, u32 base, Run run) {
  Vm& vm = m.vm;
  Addr mark = vm.region[vm.side ^ 1u].top;
  stacked(m, base) = item(vm, container, 0);
  vm.side ^= 1u;
  Value made = run();
  if (vm.status == RAISED && vm.error == STOP_ITERATION) vm.error = RUNTIME_ERROR;
  if (stopped(vm)) return none();
  vm.side ^= 1u;
  made = evacuate(vm, made, mark);
  Addr results = alloc<Value>(vm, 1);
  if (stopped(vm)) return none();
  mem<Value>(vm, results) = made;
  return is_tuple(container) ? tuple_at(vm, results, 1) : set_ascending(vm, results, 1);
}

// Run a loop over a plain leaf within a leaf, without a frame.
struct InnerLoops {
  bool operator()(Machine& m, const Leaf& outer, const Instruction& i, Value& made) const {
    Vm& vm = m.vm;
    u32 op = immediate(m, i, 0), given = OP_ARITY[op] - 1u, per_call = items_per_call(op), base = outer.end;
    const Routine& body = mem<Routine>(vm, m.program.routines, immediate(m, i, 1));
    Value args[3] = {none(), operand(m, outer.spaces, i, 0), given == 2 ? operand(m, outer.spaces, i, 1) : none()};
    if (!charge_loop(vm, op, args) || !has_room(m, base, body.params + body.slots + body.counters)) return true;
    for (u32 k = given; k < i.operands; k++) stacked(m, base + per_call + k - given) = operand(m, outer.spaces, i, k);
    u32 count = calls_of(vm, op, args[1], args[2]);
    if (stopped(vm)) return true;
    if (op == OP_apply && count == 1) {
      Leaf one = leaf_of(m, body, base);
      made = applied_to_one(m, args[1], base, [&] { return run_leaf(m, one); });
      if (!stopped(vm)) charge_after(vm, op, made);
      return true;
    }
    LoopFrame f;
    f.base = base;
    f.body = NOTHING;
    f.best.tag = f.best.n = 0;
    f.best.bits = 0;
    open_loop(vm, f, op, args[1], args[2], count, new_results(vm, op, count));
    if (stopped(vm)) return true;
    vm.side ^= 1u;
    Leaf leaf = leaf_of(m, body, base);
    ColumnsEnd end = may_run_columns(m, f) ? run_columns(m, f, leaf) : NOT_RUN;
    bool ended = end == FOUND_ONE || (end == NOT_RUN && !stopped(vm) && run_leaf_calls(m, f, leaf, NoLoops()));
    if (vm.status == RAISED && vm.error == STOP_ITERATION && is_generator(op)) vm.error = RUNTIME_ERROR;
    if (stopped(vm)) return true;
    vm.side = f.side;
    if (ended) made = item(vm, f.a, f.index - 1);
    else made = op == OP_extract ? raise(vm, STOP_ITERATION) : loop_value(vm, f);
    if (!stopped(vm)) charge_after(vm, op, made);
    return true;
  }
};
#endif

// Run a loop column by column, to its end or to an error. False if it cannot run so.
BATT_DEVICE_NOINLINE bool run_in_columns(Machine& m, LoopFrame& f, const Leaf& leaf) {
  ColumnsEnd end = run_columns(m, f, leaf);
  if (end == NOT_RUN || stopped(m.vm)) return stopped(m.vm);
  if (end == ALL_RUN) {
    end_loop(m, f);
  } else {
    m.vm.side = f.side;
    finish_loop(m, f.op, item(m.vm, f.a, f.index - 1));
  }
  return true;
}

// Whether the lanes of a warp split the next calls of a loop.
BATT_INLINE bool is_split(const Machine& m, const LoopFrame& f) {
#ifdef BATT_SPLIT_LOOPS
  constexpr u32 LEAST = 8;  // with fewer calls most lanes would be idle
  return m.vm.is_warp && f.count - f.index >= LEAST && f.index >= f.split_from && !m.code_tallies;
#else
  static_cast<void>(m);
  static_cast<void>(f);
  return false;
#endif
}

// Whether the function value of a loop may be compiled to a leaf.
BATT_INLINE bool may_be_written(const Machine& m, const LoopFrame& f) {
  constexpr u32 LEAST = 3;  // with fewer items, compiling takes longer than it saves
#ifdef __CUDACC__
  constexpr bool ONLY_MADE = true;  // a warp calls ops and helpers in lanes
#else
  constexpr bool ONLY_MADE = false;
#endif
  return f.count >= LEAST && f.op != OP_rapply && is_fn(f.function) && (!ONLY_MADE || fn_kind(f.function) == FN_MADE) &&
         !m.code_tallies && !m.vm.op_tallies;
}

#ifndef __CUDACC__
// Whether a loop calls the kernel of an op that takes as many items as it gives.
inline bool calls_kernel(const Machine& m, u32 op, Value function) {
  return op != OP_rapply && is_fn(function) && fn_kind(function) == FN_OP && OP_KIND[fn_number(function)] == KERNEL &&
         OP_ARITY[fn_number(function)] == items_per_call(op) && !m.code_tallies;
}

// Run all calls of such a loop, which has room for its items.
inline void run_kernel_loop(Machine& m, LoopFrame& f) {
  Vm& vm = m.vm;
  u32 op = fn_number(f.function);
  while (f.index < f.count) {
    if (asked_to_stop(vm)) stop_with(vm, STOPPED);
    if (stopped(vm)) return;
    put_next_items(m, f);
    Value made = call_kernel_on(vm, op, m.values + sizeof(Value) * f.base);
    if (stopped(vm)) return;
    bool ended = keep_result(vm, f, made);
    if (stopped(vm)) return;
    if (ended) {
      finish_loop(m, f.op, item(vm, f.a, f.index - 1));
      return;
    }
    vm.side = f.side ^ 1u;
  }
  end_loop(m, f);
}
#endif

// Run a loop over a function value that is compiled to a leaf. False if it cannot be, or if lanes split it.
BATT_DEVICE_NOINLINE bool run_written_out(Machine& m, LoopFrame& f) {
  u32 params = items_per_call(f.op);
  WrittenOut function;
  if (!function.write(m, f.function, params)) return false;
  if (!has_room(m, f.base, params + function.slots)) return true;
  Leaf leaf = function.leaf(m, f.base);
  if (may_run_columns(m, f) && run_in_columns(m, f, leaf)) return true;
  if (is_split(m, f)) return false;
  run_leaf_loop(m, f, leaf);
  return true;
}

BATT_INLINE void call_for_items(Machine& m, LoopFrame& f) {
  Vm& vm = m.vm;
  if (asked_to_stop(vm)) {
    stop_with(vm, STOPPED);
    return;
  }
  if (f.body != NOTHING) {
    const Routine& routine = mem<Routine>(vm, m.program.routines, f.body);
    if (f.index == 0 && may_run_columns(m, f) && run_in_columns(m, f, leaf_of(m, routine, f.base))) return;
    if (is_split(m, f)) {
      m.next = SPLIT_LOOP;
      return;
    }
    if (routine.is_leaf && routine.is_leaf != NESTING && !m.code_tallies) {
      if (has_room(m, f.base, routine.params + routine.slots + routine.counters))
        run_leaf_loop(m, f, leaf_of(m, routine, f.base));
      return;
    }
#if !defined(__CUDACC__) && !defined(BATT_SPLIT_LOOPS)
    if (routine.is_leaf == NESTING && !m.code_tallies && !vm.op_tallies) {
      if (has_room(m, f.base, routine.params + routine.slots + routine.counters))
        run_leaf_loop(m, f, leaf_of(m, routine, f.base), InnerLoops());
      return;
    }
#endif
    put_next_items(m, f);
    if (f.index > 1 && f.split_from == 0) enter_again(m);
    else enter_routine(m, f.body, f.base);
    return;
  }
  if (f.index == 0 && may_be_written(m, f) && run_written_out(m, f)) return;
  if (is_split(m, f)) {
    m.next = SPLIT_LOOP;
    return;
  }
  u32 argc = items_per_call(f.op);
  if (!has_room(m, f.base, argc)) return;
#ifndef __CUDACC__
  if (calls_kernel(m, f.op, f.function)) {
    run_kernel_loop(m, f);
    return;
  }
#endif
  m.value = f.op == OP_rapply ? item(vm, f.a, f.index) : f.function;
  put_next_items(m, f);
  m.value_count = f.base + argc;
  m.argc = argc;
  m.next = CALL_FUNCTION;
}

// Take the result of a call, and continue the loop.
BATT_DEVICE_NOINLINE void take_result(Machine& m, LoopFrame& f, Value r) {
  Vm& vm = m.vm;
  if (f.is_last) {
    finish_loop(m, f.op, r);
    return;
  }
  if (keep_result(vm, f, r)) {
    finish_loop(m, f.op, item(vm, f.a, f.index - 1));
    return;
  }
  if (stopped(vm)) return;
  vm.side = f.side ^ 1u;
  continue_loop(m, f);
}

// Compare the items themselves: the key of the op is None.
BATT_DEVICE_NOINLINE bool without_key(Machine& m, u32 op, Value a) {
  Vm& vm = m.vm;
  Value made = none();
  if (op == OP_order) made = ordered_by_itself(vm, a);
  else if (length(a) == 0 && !picks_value(op)) raise(vm, VALUE_ERROR);
  else {
    u32 best = length(a) ? best_by_itself(vm, a, op == OP_argmin || op == OP_valmin) : 0;
    if (picks_value(op)) raise(vm, TYPE_ERROR);  // Python calls None
    else made = item(vm, a, best);
  }
  if (stopped(vm)) return true;
  charge_after(vm, op, made);
  deliver(m, made);
  return true;
}

// Run a loop whose body is one op all at once, if there is a way. Its captures follow the items on the value stack.
BATT_DEVICE_NOINLINE bool begin_whole(Machine& m, u32 op, Value a, Value b, u32 body, u32 base) {
  Vm& vm = m.vm;
  u32 kind = mem<Routine>(vm, m.program.routines, body).is_leaf;
  Value made = none();
  if (op == OP_prapply && kind == CONNECTING && a.tag == PLACES && b.tag == PLACES) made = connect_all(vm, a, b);
  else if (op != OP_mapply || kind != SHIFTING || !shift_all(vm, a, stacked(m, base + 1), made)) return false;
  charge_after(vm, op, made);
  deliver(m, made);
  return true;
}

// Begin a loop whose steps are charged already. It calls a body, whose captures follow the items on the value stack
// from `base` on, or a function value.
BATT_DEVICE_NOINLINE void begin_loop(Machine& m, u32 op, Value a, Value b, u32 body, Value function, u32 base) {
  Vm& vm = m.vm;
  u32 count = calls_of(vm, op, a, b);
  if (stopped(vm)) return;
  if (body == NOTHING && is_none(function) && !is_generator(op)) {
    without_key(m, op, a);
    return;
  }
  if (body != NOTHING && !m.code_tallies && !vm.op_tallies && begin_whole(m, op, a, b, body, base)) return;
#ifndef __CUDACC__
  if (op == OP_apply && count == 1 && body == NOTHING && calls_kernel(m, op, function) && has_room(m, base, 1)) {
    Addr at = m.values + sizeof(Value) * base;
    Value made = applied_to_one(m, a, base, [&] { return call_kernel_on(vm, fn_number(function), at); });
    if (stopped(vm)) return;
    charge_after(vm, op, made);
    deliver(m, made);
    return;
  }
  if (stopped(vm)) return;
#endif
  Addr results = new_results(vm, op, count);
  Frame* pushed = stopped(vm) ? nullptr : push_frame(m, LOOPING, base);
  if (!pushed) return;
  LoopFrame& f = pushed->loop;
  f.body = body;
  f.function = function;
  open_loop(vm, f, op, a, b, count, results);
  vm.side ^= 1u;
  continue_loop(m, f);
}

// Begin to apply a body to its own result; its captures are on the value stack from `base` + 1 on.
BATT_DEVICE_NOINLINE void begin_repeat(Machine& m, Value count, Value value, u32 body, u32 base) {
  Vm& vm = m.vm;
  if (!is_int(count) || int_of(count) < 1 || int_of(count) > POWER_LIMIT) {
    unsupported(vm, BAD_CODE);
    return;
  }
  Frame* pushed = push_frame(m, REPEATING, base);
  if (!pushed) return;
  RepeatFrame& f = pushed->repeat;
  f.body = body;
  f.index = 1;
  f.count = static_cast<u32>(int_of(count));
  f.side = vm.side;
  f.mark = vm.region[vm.side ^ 1u].top;
  vm.side ^= 1u;
  stacked(m, base) = value;
  enter_routine(m, body, base);
}

BATT_DEVICE_NOINLINE void take_repeated(Machine& m, RepeatFrame& f, Value r) {
  Vm& vm = m.vm;
  vm.side = f.side;
  Value value = evacuate(vm, r, f.mark);
  if (asked_to_stop(vm)) stop_with(vm, STOPPED);
  if (stopped(vm)) return;
  if (f.index == f.count) {
    pop_frame(m);
    deliver(m, value);
    return;
  }
  f.index++;
  vm.side ^= 1u;
  stacked(m, f.base) = value;
  enter_routine(m, f.body, f.base);
}

}  // namespace batt
