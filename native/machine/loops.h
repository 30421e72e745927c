// Ops that call a function for items: begin, take a result, end. Each call is a routine (a body) or a function value.
//
// A loop's results go to the side it was begun on; what its function makes goes to the other side, which is cut back after
// every call, so that a loop needs no more memory than its longest call and its results.
#pragma once
#include "evacuate.h"
#include "instructions.h"

namespace batt {

// Whether a StopIteration of the function comes out of this op as a RuntimeError: its calls stand in a generator.
BATT_FN bool is_generator(u32 op) {
  return !(op == OP_order || op == OP_argmax || op == OP_argmin || op == OP_valmax || op == OP_valmin);
}
BATT_FN bool picks_best(u32 op) { return op == OP_argmax || op == OP_argmin || op == OP_valmax || op == OP_valmin; }
BATT_FN bool picks_value(u32 op) { return op == OP_valmax || op == OP_valmin; }
BATT_FN bool keeps_items(u32 op) { return op == OP_sfilter || op == OP_mfilter || op == OP_extract; }
enum LoopManner : u32 { COLLECTING, KEEPING, PICKING };  // what becomes of a call's result
// Items handed to the function at a time.
BATT_FN u32 items_per_call(u32 op) { return op == OP_papply || op == OP_mpapply || op == OP_prapply ? 2 : 1; }
// Which argument of the op is its function.
BATT_FN u32 function_position(u32 op) { return is_generator(op) && !keeps_items(op) ? 0 : 1; }

// How many calls a loop makes before any is made; the errors that come before the first call.
BATT_BIG u32 calls_of(Vm& vm, u32 op, Value a, Value b) {
  if (op == OP_prapply) {
    if (!is_container(b) || (length(b) && !is_container(a))) { raise(vm, TYPE_ERROR); return 0; }
    u64 count = static_cast<u64>(length(a)) * length(b);
    if (count > 0xffffffffull) { unsupported(vm, ARENA_FULL); return 0; }
    return length(b) ? static_cast<u32>(count) : 0;
  }
  if (!is_container(a)) { raise(vm, TYPE_ERROR); return 0; }
  if (items_per_call(op) == 1) return length(a);
  if (!is_container(b)) { raise(vm, TYPE_ERROR); return 0; }
  return smaller(length(a), length(b));
}

// Whether a value's order by `<` is total among its like: it holds no set.
BATT_BIG bool holds_set(Vm& vm, Value v) {
  if (is_set(v)) return true;
  if (v.tag != TUPLE) return false;
  Stack<Walked> stack(vm);
  if (!stack.push(Walked{v, 0, 0})) return false;
  while (stack.count) {
    Walked& top = stack.top();
    if (top.k == top.v.n) { stack.pop(); continue; }
    Value inner = mem<Value>(vm, top.v.bits, top.k++);
    if (!work(vm, 1)) return false;
    if (is_set(inner)) return true;
    if (inner.tag == TUPLE && !stack.push(Walked{inner, 0, 0})) return false;
  }
  return false;
}

struct ByKey {
  Addr keys;
  BATT_FN bool operator()(Vm& vm, u32 a, u32 b) const { return less(vm, mem<Value>(vm, keys, a), mem<Value>(vm, keys, b)); }
};

// The items of a container ascending by keys, stable. `keys` lies on the side of results.
BATT_BIG Value ordered_by(Vm& vm, Value container, Addr keys, u32 n) {
  if (n > 2)
    for (u32 k = 0; k < n; k++)
      // Sets are ordered in part only: what sorting makes of them depends on Python's algorithm.
      if (holds_set(vm, mem<Value>(vm, keys, k))) return unsupported(vm, SET_ORDER);
  Addr positions = alloc<u32>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) mem<u32>(vm, positions, k) = k;
  sort<u32>(vm, positions, n, ByKey{keys});
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) mem<Value>(vm, at, k) = item(vm, container, mem<u32>(vm, positions, k));
  return tuple_at(vm, at, n);
}

BATT_FN Value ordered_by_itself(Vm& vm, Value container) {
  u32 n = length(container);
  Addr keys = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  put_items(vm, container, keys, 0);
  return ordered_by(vm, container, keys, n);
}

// The first item that no other exceeds, or, with `least`, that exceeds no other; the container is not empty.
BATT_BIG u32 best_by_itself(Vm& vm, Value container, bool least) {
  u32 best = 0, n = length(container);
  for (u32 k = 1; k < n && !stopped(vm); k++) {
    Value x = item(vm, container, k), y = item(vm, container, best);
    if (least ? less(vm, x, y) : less(vm, y, x)) best = k;
  }
  return best;
}

// What an op makes of its results, on the side of results.
BATT_BIG Value loop_value(Vm& vm, Frame& f) {
  u32 n = f.count;
  switch (f.op) {
    case OP_apply: case OP_rapply:
      return is_tuple(f.a) ? tuple_at(vm, f.results, n) : set_of_results(vm, f.results, n);
    case OP_prapply: return set_of_results(vm, f.results, n);
    case OP_papply: return tuple_at(vm, f.results, n);
    case OP_mpapply: return joined(vm, Value{TUPLE, n, f.results});
    case OP_mapply: return is_tuple(f.a) ? joined(vm, Value{TUPLE, n, f.results}) : united(vm, Value{TUPLE, n, f.results});
    case OP_sfilter: return items_at(vm, f.a, f.results, f.found);
    case OP_mfilter: {
      Value kept = items_at(vm, f.a, f.results, f.found);
      if (stopped(vm)) return none();
      return is_tuple(kept) ? joined(vm, kept) : united(vm, kept);
    }
    case OP_order: return ordered_by(vm, f.a, f.results, n);
    case OP_argmax: case OP_argmin: return n ? item(vm, f.a, f.found) : raise(vm, VALUE_ERROR);
    default: return unsupported(vm, BAD_CODE);
  }
}

BATT_FN void call_for_items(Machine& m, Frame& f);

// End a loop with its value.
BATT_FN void finish_loop(Machine& m, u32 op, Value made) {
  if (stopped(m.vm)) return;
  pop_frame(m);
  charge_after(m.vm, op, made);
  deliver(m, made);
}

// Call the function of `valmax` or `valmin` once more, of the best item or of 0.
BATT_FN void call_for_best(Machine& m, Frame& f) {
  m.vm.side = f.side;
  f.pc = 1;
  Value best = f.count ? item(m.vm, f.a, f.found) : integer(0);
  if (f.routine != NOTHING) {
    stacked(m, f.base) = best;
    enter_routine(m, f.routine, f.base);
    return;
  }
  m.value_count = f.base;
  if (!push_value(m, best)) return;
  m.value = f.function;
  m.argc = 1;
  m.next = CALL_FUNCTION;
}

// Go on with a loop: the next call, or its end.
BATT_BIG void go_on(Machine& m, Frame& f) {
  Vm& vm = m.vm;
  if (f.index < f.count) { call_for_items(m, f); return; }
  vm.side = f.side;
  if (picks_value(f.op)) { call_for_best(m, f); return; }
  u32 op = f.op;
  if (op == OP_extract) {
    pop_frame(m);
    raise(vm, STOP_ITERATION);
    return;
  }
  finish_loop(m, op, loop_value(vm, f));
}

// The items of the next call, put where its body, or the call of a function value, finds them.
BATT_FN void put_next_items(Machine& m, Frame& f) {
  Vm& vm = m.vm;
  u32 k = f.index++;
  if (f.op == OP_prapply) {
    // Every item of the first container, for each of the second one's: `found` and `slots` count them.
    stacked(m, f.base) = item(vm, f.a, f.found);
    stacked(m, f.base + 1) = item(vm, f.b, f.slots);
    if (++f.found == length(f.a)) {
      f.found = 0;
      f.slots++;
    }
    return;
  }
  stacked(m, f.base) = f.op == OP_rapply ? f.b : item(vm, f.a, k);
  if (items_per_call(f.op) == 2) stacked(m, f.base + 1) = item(vm, f.b, k);
}

// Take the result of call k. True where it ends the loop.
BATT_FN bool keep_result(Vm& vm, Frame& f, Value r) {
  vm.side = f.side;
  u32 k = f.index - 1;
  bool found = false;
  if (f.target == COLLECTING) {
    mem<Value>(vm, f.results, k) = evacuate(vm, r, f.mark);
  } else if (f.target == KEEPING) {
    bool keep = truth(r);
    cut_back(vm.region[f.side ^ 1u], f.mark);
    found = keep && f.op == OP_extract;
    if (keep && !found) mem<u32>(vm, f.results, f.found++) = k;
  } else {
    bool least = f.op == OP_argmin || f.op == OP_valmin;
    if (k == 0 || (least ? less(vm, r, f.best) : less(vm, f.best, r))) {
      f.best = evacuate(vm, r, f.mark);
      f.found = k;
    } else {
      cut_back(vm.region[f.side ^ 1u], f.mark);
    }
  }
  return found;
}

// All calls of a loop whose body is a leaf.
BATT_BIG void run_leaf_loop(Machine& m, Frame& f, const Routine& routine) {
  Vm& vm = m.vm;
  if (!has_room(m, f.base, routine.params + routine.slots)) return;
  while (f.index < f.count) {
    if (*vm.stop) { stop_with(vm, STOPPED); return; }
    put_next_items(m, f);
    Value made = run_leaf(m, routine, f.base);
    if (stopped(vm)) return;
    if (keep_result(vm, f, made)) { finish_loop(m, f.op, item(vm, f.a, f.index - 1)); return; }
    if (stopped(vm)) return;
    vm.side = f.side ^ 1u;
  }
  go_on(m, f);
}

BATT_FN void call_for_items(Machine& m, Frame& f) {
  Vm& vm = m.vm;
  if (*vm.stop) { stop_with(vm, STOPPED); return; }
  if (f.routine != NOTHING) {
    const Routine& routine = mem<Routine>(vm, m.program.routines, f.routine);
    if (routine.is_leaf && !m.code_tallies) { run_leaf_loop(m, f, routine); return; }
    put_next_items(m, f);
    if (f.index > 1) enter_again(m);
    else enter_routine(m, f.routine, f.base);
    return;
  }
  u32 argc = items_per_call(f.op);
  if (!has_room(m, f.base, argc)) return;
  m.value = f.op == OP_rapply ? item(vm, f.a, f.index) : f.function;
  put_next_items(m, f);
  m.value_count = f.base + argc;
  m.argc = argc;
  m.next = CALL_FUNCTION;
}

// Take the result of a call, and go on.
BATT_BIG void take_result(Machine& m, Frame& f, Value r) {
  Vm& vm = m.vm;
  if (f.pc) { finish_loop(m, f.op, r); return; }
  if (keep_result(vm, f, r)) { finish_loop(m, f.op, item(vm, f.a, f.index - 1)); return; }
  if (stopped(vm)) return;
  vm.side = f.side ^ 1u;
  go_on(m, f);
}

// Ops whose key is None compare the items themselves; true where that is all.
BATT_BIG bool without_key(Machine& m, u32 op, Value a) {
  Vm& vm = m.vm;
  Value made = none();
  if (op == OP_order) made = ordered_by_itself(vm, a);
  else if (length(a) == 0 && !picks_value(op)) raise(vm, VALUE_ERROR);
  else {
    u32 best = length(a) ? best_by_itself(vm, a, op == OP_argmin || op == OP_valmin) : 0;
    if (picks_value(op)) raise(vm, TYPE_ERROR);  // None is called
    else made = item(vm, a, best);
  }
  if (stopped(vm)) return true;
  charge_after(vm, op, made);
  deliver(m, made);
  return true;
}

// `prapply` of `connect` over two sets of places, which decks are full of: nearly all pairs lie on no common line, so that most of
// its calls come to the empty set. Costs and results are those of the calls.
BATT_BIG Value connect_all(Vm& vm, Value a, Value b) {
  i64 steps = 0, longest = 0;
  u64 lines = 0, spots = 0, pairs = static_cast<u64>(a.n) * b.n;
  for (u32 y = 0; y < b.n; y++) {
    u32 to = mem<u32>(vm, b.bits, y);
    for (u32 x = 0; x < a.n; x++) {
      u32 from = mem<u32>(vm, a.bits, x);
      i64 down = key_i(to) - key_i(from), across = key_j(to) - key_j(from);
      down = down < 0 ? -down : down;
      across = across < 0 ? -across : across;
      i64 reach = larger(down, across);
      steps += 2 + reach;
      if (down && across && down != across) continue;
      lines++;
      spots += static_cast<u64>(reach) + 1;
      longest = larger(longest, reach + 1);
    }
    if (*vm.stop) return stop_with(vm, STOPPED);
  }
  if (!charge(vm, steps)) return none();
  if (longest > vm.max_items) return stop_with(vm, OVER_BUDGET);
  Addr keys = alloc<u32>(vm, spots), found = alloc<Value>(vm, lines + 1);
  if (stopped(vm)) return none();
  u64 made = 0, used = 0;
  for (u32 y = 0; y < b.n; y++)
    for (u32 x = 0; x < a.n; x++) {
      // Ascending from the upper end: rows fall, or columns rise within one row.
      u32 from = mem<u32>(vm, a.bits, x), to = mem<u32>(vm, b.bits, y), first = smaller(from, to), last = larger(from, to);
      i32 down = key_i(last) - key_i(first), across = key_j(last) - key_j(first), width = across < 0 ? -across : across;
      if (down && across && down != width) continue;
      i32 reach = larger(down, width), side = across < 0 ? -1 : across > 0;
      Value line{PLACES, static_cast<u32>(reach) + 1, keys + 4 * used};
      for (i32 k = 0; k <= reach; k++) mem<u32>(vm, keys, used++) = place_key(key_i(first) + (down ? k : 0), key_j(first) + side * k);
      mem<Value>(vm, found, made++) = line;
    }
  if (lines < pairs) mem<Value>(vm, found, made++) = empty_set();
  return set_at(vm, found, made);
}

// Begin a loop whose step cost is charged: with a body, whose captures stand on the value stack from `base` + items on, or with
// a function value.
BATT_BIG void begin_loop(Machine& m, u32 op, Value a, Value b, u32 body, Value function, u32 base) {
  Vm& vm = m.vm;
  u32 count = calls_of(vm, op, a, b);
  if (stopped(vm)) return;
  if (body == NOTHING && is_none(function) && !is_generator(op)) { without_key(m, op, a); return; }
  if (body != NOTHING && op == OP_prapply && a.tag == PLACES && b.tag == PLACES && !m.code_tallies && !vm.op_tallies &&
      mem<Routine>(vm, m.program.routines, body).is_leaf == CONNECTING) {
    Value made = connect_all(vm, a, b);
    charge_after(vm, op, made);
    deliver(m, made);
    return;
  }
  Addr results = keeps_items(op) ? alloc<u32>(vm, op == OP_extract ? 0 : count) : alloc<Value>(vm, picks_best(op) ? 0 : count);
  Frame* f = stopped(vm) ? nullptr : push_frame(m, LOOPING, base);
  if (!f) return;
  f->op = op;
  f->a = a;
  f->b = b;
  f->slots = 0;
  f->target = keeps_items(op) ? KEEPING : picks_best(op) ? PICKING : COLLECTING;
  f->routine = body;
  f->function = function;
  f->count = count;
  f->results = results;
  f->side = vm.side;
  f->mark = vm.region[vm.side ^ 1u].top;
  vm.side ^= 1u;
  go_on(m, *f);
}

// Begin a body that is applied to its own result; its captures stand on the value stack from `base` + 1 on.
BATT_BIG void begin_repeat(Machine& m, Value count, Value value, u32 body, u32 base) {
  Vm& vm = m.vm;
  if (!is_int(count) || int_of(count) < 1 || int_of(count) > POWER_LIMIT) { unsupported(vm, BAD_CODE); return; }
  Frame* f = push_frame(m, REPEATING, base);
  if (!f) return;
  f->routine = body;
  f->count = static_cast<u32>(int_of(count));
  f->index = 1;
  f->side = vm.side;
  f->mark = vm.region[vm.side ^ 1u].top;
  vm.side ^= 1u;
  stacked(m, base) = value;
  enter_routine(m, body, base);
}

BATT_BIG void take_repeated(Machine& m, Frame& f, Value r) {
  Vm& vm = m.vm;
  vm.side = f.side;
  Value value = evacuate(vm, r, f.mark);
  if (*vm.stop) stop_with(vm, STOPPED);
  if (stopped(vm)) return;
  if (f.index == f.count) {
    pop_frame(m);
    deliver(m, value);
    return;
  }
  f.index++;
  vm.side ^= 1u;
  stacked(m, f.base) = value;
  enter_routine(m, f.routine, f.base);
}

}  // namespace batt
