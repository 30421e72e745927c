// Split loops: the lanes of a warp run the calls of one loop. Each lane runs a call in memory of its own, and the
// results are taken in the order of the items, so that outcomes and steps do not change.
//
// A host build (BATT_SPLIT_LOOPS) runs the lanes one after the other, so that tests cover everything but the parallel
// execution.
#pragma once
#include "run.h"

namespace batt {

#ifdef BATT_SPLIT_LOOPS

// How a lane's call ended.
struct LaneEnd {
  Value made;
  i64 steps, work;
  Addr kept;  // the end of its memory on the side of results; 0 if it used none
  u32 status, error, cause, unused;
};

// The memory of each lane: a part of the free memory of both sides, of the frames and of the value stack.
struct Parts {
  Addr from[2];
  u64 bytes[2];
  u32 frames, values, first_value;
};

// Call f for each of n calls, spread over the lanes; and the calls for which f is true, as bits.
template <class F> BATT_INLINE void in_lanes(const Vm& vm, u32 n, F f) {
  BATT_NO_UNROLL
  for (u32 k = lane(vm); k < n; k += LANES) f(k);
  sync_lanes(vm);
}
template <class F> BATT_INLINE u32 lanes_where(const Vm& vm, u32 n, F f) {
  if constexpr (LANES == SPLIT_CALLS) return ballot(vm, lane(vm) < n && f(lane(vm)));
  u32 all = 0;
  for (u32 k = 0; k < n; k++) all |= static_cast<u32>(f(k)) << k;
  return all;
}
// The sum of f over n calls.
template <class F> BATT_INLINE i64 sum_over(const Vm& vm, u32 n, F f) {
  i64 mine = 0;
  for (u32 k = lane(vm); k < n; k += LANES) mine += f(k);
  BATT_NO_UNROLL
  for (u32 step = LANES / 2; step; step /= 2) mine += from_lane(vm, mine, lane(vm) ^ step);
  return mine;
}
BATT_INLINE u32 lowest_lanes(u32 n) { return n == SPLIT_CALLS ? 0xffffffffu : (1u << n) - 1; }

BATT_INLINE LaneEnd& lane_end(const Vm& vm, Addr ends, u32 k) { return mem<LaneEnd>(vm, ends, k); }

// Get the items of call k of a loop; return how many.
BATT_INLINE u32 items_of_call(Vm& vm, const LoopFrame& f, u32 k, Value* to) {
  if (f.op == OP_prapply) {
    u32 n = length(f.a);
    to[0] = item(vm, f.a, k % n);
    to[1] = item(vm, f.b, k / n);
    return 2;
  }
  to[0] = f.op == OP_rapply ? f.b : item(vm, f.a, k);
  if (items_per_call(f.op) == 1) return 1;
  to[1] = item(vm, f.b, k);
  return 2;
}

// Divide the free memory among the lanes; false if it is too little.
BATT_INLINE bool parts_of(Machine& m, const LoopFrame& f, u32 params, Parts& parts, Addr& ends) {
  constexpr u64 LEAST_BYTES = 4096;
  constexpr u32 LEAST_FRAMES = 6, LEAST_VALUES = 32;
  Region& other = m.vm.region[f.side ^ 1u];
  u64 ends_bytes = sizeof(LaneEnd) * SPLIT_CALLS;
  if (other.end - other.top < ends_bytes) return false;
  ends = other.top;
  unpoison(ends, ends_bytes);
  BATT_NO_UNROLL
  for (u32 k = 0; k < 2; k++) {
    const Region& region = m.vm.region[k];
    parts.from[k] = region.top + (k == f.side ? 0 : ends_bytes);
    // One more part is for taking the results.
    parts.bytes[k] = (region.end - parts.from[k]) / (SPLIT_CALLS + 1) / ALIGN * ALIGN;
  }
  parts.first_value = f.base + params;
  if (parts.first_value > m.value_room) return false;
  parts.values = (m.value_room - parts.first_value) / SPLIT_CALLS;
  parts.frames = (m.frame_room - m.frame_count) / SPLIT_CALLS;
  return parts.bytes[0] >= LEAST_BYTES && parts.bytes[1] >= LEAST_BYTES && parts.frames >= LEAST_FRAMES &&
         parts.values >= params + LEAST_VALUES;
}

// What lanes run without a frame: a leaf routine, or a compiled function value. `values` is what it needs beyond its
// arguments.
struct LaneLeaf {
  const Routine* routine = nullptr;
  const WrittenOut* function = nullptr;
  u32 values = 0;

  BATT_INLINE Leaf in(Machine& own) const { return function ? function->leaf(own, 0) : leaf_of(own, *routine, 0); }
};

// Find out if lanes need no frame for the calls of a loop, and compile its function value into `space`. False if they
// need one.
BATT_INLINE bool find_leaf(Machine& m, const LoopFrame& f, WrittenOut& space, LaneLeaf& found) {
  if (f.body != NOTHING) {
    found.routine = &mem<Routine>(m.vm, m.program.routines, f.body);
    found.values = found.routine->slots + found.routine->counters;
    return found.routine->is_leaf && found.routine->is_leaf != NESTING && !m.code_tallies;
  }
  if (!may_be_written(m, f) || !space.write(m, f.function, items_per_call(f.op))) return false;
  found.function = &space;
  found.values = space.slots;
  return true;
}

// Run call k of a loop in one lane, as a `leaf` if there is one.
BATT_INLINE void call_in_lane(const Machine& m, const LoopFrame& f, const Parts& parts, const LaneLeaf* leaf, u32 at,
                              u32 k, LaneEnd& end) {
  Machine own = m;
  own.vm.is_warp = false;
  BATT_NO_UNROLL
  for (u32 side = 0; side < 2; side++) {
    Addr from = parts.from[side] + at * parts.bytes[side];
    own.vm.region[side] = Region{from, from, from + parts.bytes[side]};
  }
  own.frames = m.frames + sizeof(Frame) * (m.frame_count + at * parts.frames);
  own.frame_count = 0;
  own.frame_room = parts.frames;
  own.values = m.values + sizeof(Value) * (parts.first_value + at * parts.values);
  own.value_room = parts.values;
  Value items[2];
  u32 given = items_of_call(own.vm, f, k, items), params = parts.first_value - f.base;
  BATT_NO_UNROLL
  for (u32 q = 0; q < given; q++) stacked(own, q) = items[q];
  for (u32 q = given; q < params; q++) stacked(own, q) = mem<Value>(own.vm, m.values, f.base + q);
  own.value_count = given;
  if (leaf) {
    if (asked_to_stop(own.vm)) stop_with(own.vm, STOPPED);
    own.value = run_leaf(own, leaf->in(own));
  } else {
    if (f.body == NOTHING) {
      own.argc = given;
      own.value = f.op == OP_rapply ? item(own.vm, f.a, k) : f.function;
      own.next = CALL_FUNCTION;
    } else {
      enter_routine(own, f.body, 0);
    }
    while (advance(own)) {}
  }
  if (stopped(own.vm)) forget_all_entries(own);
  Value made = stopped(own.vm) ? none() : own.value;
  Addr start = parts.from[f.side] + at * parts.bytes[f.side], top = own.vm.region[f.side].top;
  end = LaneEnd{made,
                m.vm.steps_left - own.vm.steps_left,
                m.vm.work_left - own.vm.work_left,
                top == start ? 0 : top,
                own.vm.status,
                own.vm.error,
                own.vm.cause,
                0};
}

// The bytes to move a result out of its lane's memory, rounded up.
BATT_INLINE u64 bytes_to_move(const Within& dying, Value v) {
  bool stays = v.tag <= CELL || flat_bytes(v) == 0 || !dying.holds(v.bits);
  return stays ? 0 : (flat_bytes(v) + ALIGN - 1) / ALIGN * ALIGN;
}
// Collect n results at once, one in each lane. False if a result has parts to move, or if there is no room.
BATT_INLINE bool collect_all(Vm& vm, LoopFrame& f, Addr ends, Addr held, u32 n) {
  Within dying{f.mark, held};
  auto may_move = [&](Value v) { return !has_parts(v) || bytes_to_move(dying, v) == 0; };
  if (lanes_where(vm, n, [&](u32 k) { return may_move(lane_end(vm, ends, k).made); }) != lowest_lanes(n)) return false;
  Region& region = vm.region[f.side];
  auto bytes_of = [&](u32 k) { return static_cast<i64>(bytes_to_move(dying, lane_end(vm, ends, k).made)); };
  u64 all = static_cast<u64>(sum_over(vm, n, bytes_of));
  if (all > region.end - region.top) return false;
  Addr to = region.top, at = to;
  unpoison(to, all);
  // Each lane begins after those before it.
  if (all && LANES > 1) at += sum_of_lanes_before(vm, lane(vm) < n ? static_cast<u64>(bytes_of(lane(vm))) : 0);
  in_lanes(vm, n, [&](u32 k) {
    Value made = lane_end(vm, ends, k).made;
    if (u64 bytes = bytes_to_move(dying, made)) {
      copy_in_lane(vm, at, made.bits, flat_bytes(made));
      made.bits = at;
      at += bytes;
    }
    mem<Value>(vm, f.results, f.index + k) = made;
  });
  region.top = to + all;
  return true;
}

// Take n results at once; false if they must be taken one by one. `n` is reduced if a result ends the loop.
BATT_INLINE bool take_all(Vm& vm, LoopFrame& f, Addr ends, Addr held, u32& n, bool& is_over) {
  u32 from = f.index;
  if (f.manner == KEEPING) {
    u32 kept = lanes_where(vm, n, [&](u32 k) { return truth(lane_end(vm, ends, k).made); });
    is_over = kept && f.op == OP_extract;
    if (is_over) {
      n = lowest_bit(kept) + 1;
    } else if (f.op != OP_extract) {
      in_lanes(vm, n, [&](u32 k) {
        if (kept >> k & 1) mem<u32>(vm, f.results, f.found + bits_of(kept & ((1u << k) - 1))) = from + k;
      });
      f.found += bits_of(kept);
    }
    return true;
  }
  if (f.manner == COLLECTING) return collect_all(vm, f, ends, held, n);
  if (lanes_where(vm, n, [&](u32 k) { return is_int(lane_end(vm, ends, k).made); }) != lowest_lanes(n) ||
      (from && !is_int(f.best)))
    return false;
  bool least = f.op == OP_argmin || f.op == OP_valmin;
  // The complement reverses the order, so that the best one is always the least.
  auto key_of = [&](Value v) { return least ? int_of(v) : ~int_of(v); };
  i64 best = INT64_MOST;
  for (u32 k = lane(vm); k < n; k += LANES) best = smaller(best, key_of(lane_end(vm, ends, k).made));
  best = least_of_lanes(vm, best);
  u32 first = lowest_bit(lanes_where(vm, n, [&](u32 k) { return key_of(lane_end(vm, ends, k).made) == best; }));
  bool is_better = from == 0 || best < key_of(f.best);
  sync_lanes(vm);
  if (!is_better) return true;
  f.best = integer(least ? best : ~best);
  f.found = from + first;
  return true;
}

// Take n results one by one, until one ends the loop or the evaluation. Return how many were taken. A call that ran out
// of memory in its lane is not taken.
BATT_INLINE u32 take_in_order(Vm& vm, LoopFrame& f, Addr ends, Addr held, u32 n, bool& is_over) {
  Region& other = vm.region[f.side ^ 1u];
  for (u32 k = 0; k < n && !is_over; k++) {
    LaneEnd end = lane_end(vm, ends, k);
    if (end.status == UNSUPPORTED && (end.cause == ARENA_FULL || end.cause == STACK_FULL)) return k;
    vm.work_left -= end.work;
    if (!charge(vm, end.steps)) return k;
    if (vm.work_left < 0) unsupported(vm, LONG_WORK);
    else if (end.status != RUNNING) {
      vm.status = end.status;
      vm.error = end.error;
      vm.cause = end.cause;
    }
    if (stopped(vm)) return k;
    f.index++;
    is_over = keep_result(vm, f, end.made);
    if (stopped(vm)) return k;
    // That released the memory of all lanes, which the next results still need.
    other.top = held;
    unpoison(f.mark, held - f.mark);
  }
  return n;
}

BATT_INLINE i64 steps_of_lanes(const Vm& vm, Addr ends, u32 n) {
  return sum_over(vm, n, [&](u32 k) { return lane_end(vm, ends, k).steps; });
}
BATT_INLINE i64 work_of_lanes(const Vm& vm, Addr ends, u32 n) {
  return sum_over(vm, n, [&](u32 k) { return lane_end(vm, ends, k).work; });
}

// Whether all of n calls succeeded within the budget.
BATT_INLINE bool all_succeeded(Vm& vm, Addr ends, u32 n) {
  if (lanes_where(vm, n, [&](u32 k) { return lane_end(vm, ends, k).status == RUNNING; }) != lowest_lanes(n))
    return false;
  return steps_of_lanes(vm, ends, n) <= vm.steps_left && work_of_lanes(vm, ends, n) <= vm.work_left;
}

BATT_INLINE void charge_lanes(Vm& vm, Addr ends, u32 n) {
  i64 steps_left = vm.steps_left - steps_of_lanes(vm, ends, n);
  i64 work_left = vm.work_left - work_of_lanes(vm, ends, n);
  sync_lanes(vm);
  vm.steps_left = steps_left;
  vm.work_left = work_left;
}

// Run the next calls of the topmost loop, one in each lane, and take their results.
BATT_DEVICE_NOINLINE void split_loop(Machine& m) {
  Vm& vm = m.vm;
  LoopFrame& f = top_frame(m).loop;
  u32 params = f.body == NOTHING ? items_per_call(f.op) : mem<Routine>(vm, m.program.routines, f.body).params;
  u32 n = smaller(SPLIT_CALLS, f.count - f.index), first = f.index;
  Parts parts;
  Addr ends;
  if (!parts_of(m, f, params, parts, ends)) {
    f.split_from = f.count;
    continue_loop(m, f);
    return;
  }
  WrittenOut space;
  LaneLeaf found;
  const LaneLeaf* leaf = find_leaf(m, f, space, found) && params + found.values <= parts.values ? &found : nullptr;
  in_lanes(vm, n, [&](u32 k) { call_in_lane(m, f, parts, leaf, k, first + k, lane_end(vm, ends, k)); });
  Region& other = vm.region[f.side ^ 1u];
  Addr held = parts.from[f.side ^ 1u] + SPLIT_CALLS * parts.bytes[f.side ^ 1u], kept = vm.region[f.side].top;
  for (u32 k = lane(vm); k < n; k += LANES) kept = larger(kept, lane_end(vm, ends, k).kept);
  kept = greatest_of_lanes(vm, kept);
  bool is_over = false;
  sync_lanes(vm);
  vm.region[f.side].top = kept;
  other.top = held;
  u32 taken = n;
  if (all_succeeded(vm, ends, n) && take_all(vm, f, ends, held, taken, is_over)) {
    charge_lanes(vm, ends, taken);
    f.index = first + taken;
  } else {
    taken = take_in_order(vm, f, ends, held, n, is_over);
  }
  cut_back(other, f.mark);
  // Not 0 from now on: the frame of the body is not above the loop's, so `enter_again` must not be used.
  f.split_from = taken < n && !is_over ? f.index + SPLIT_CALLS : 1;
  if (f.op == OP_prapply) {
    f.column = f.index % length(f.a);
    f.row = f.index / length(f.a);
  }
  if (stopped(vm)) return;
  if (is_over) {
    vm.side = f.side;
    finish_loop(m, f.op, item(vm, f.a, f.index - 1));
    return;
  }
  vm.side = f.side ^ 1u;
  continue_loop(m, f);
}

#endif

}  // namespace batt
