// Loops whose bodies run column by column (columns.h).
#pragma once
#include "columns.h"
#include "evacuate.h"
#include "instructions.h"
#include "loop_kinds.h"

namespace batt {

enum ColumnsEnd : u32 { NOT_RUN, ALL_RUN, FOUND_ONE };

// The first of n items for which the body is true, or n.
BATT_INLINE u32 first_true(const Vm& vm, const Columns& columns, u32 n) {
  for (u32 start = 0; start < n; start += lanes(vm)) {
    u32 k = start + lane(vm), all = ballot(vm, k < n && columns.is_true(k));
    if (all) return start + lowest_bit(all);
  }
  return n;
}

// Update the best item of a loop with n items from `from` on; the first wins a tie.
BATT_INLINE void pick_best(const Vm& vm, LoopFrame& f, const Columns& columns, u32 from, u32 n) {
  bool least = f.op == OP_argmin || f.op == OP_valmin;
  // With this bias, unsigned order is the order of the values.
  u32 kind = columns.result.kind;
  u64 bias = kind == INTS ? 1ull << 63 : kind == PAIRS ? 0x8000000080000000ull : 0, best = f.best.bits;
  u32 at = f.found;
  bool none_yet = from == 0;
  for (u32 k = lane(vm); k < n; k += lanes(vm)) {
    u64 made = mem<u64>(vm, columns.result.at, k) ^ bias;
    if (!none_yet && (least ? made >= best : made <= best)) continue;
    none_yet = false;
    best = made;
    at = from + k;
  }
  BATT_NO_UNROLL
  for (u32 step = lanes(vm) / 2; step; step /= 2) {
    u64 other = from_lane(vm, best, lane(vm) ^ step);
    u32 other_at = from_lane(vm, at, lane(vm) ^ step);
    bool other_none = from_lane(vm, static_cast<u32>(none_yet), lane(vm) ^ step) != 0;
    bool better = other == best ? other_at < at : (other < best) == least;
    if (other_none || (!none_yet && !better)) continue;
    none_yet = false;
    best = other;
    at = other_at;
  }
  sync_lanes(vm);
  f.best.bits = best;
  f.found = at;
}

#ifndef __CUDACC__
// The same for tuples of two wide ints.
inline void pick_best_wide(const Vm& vm, LoopFrame& f, Columns& columns, u32 from, u32 n) {
  bool least = f.op == OP_argmin || f.op == OP_valmin;
  i64 i = static_cast<i64>(f.best.bits), j = columns.best_second;
  for (u32 k = 0; k < n; k++) {
    i64 x = mem<i64>(vm, columns.result.at, k), y = mem<i64>(vm, second_ints(columns.result), k);
    bool better = x != i ? (x < i) == least : y != j && (y < j) == least;
    if (!better && from + k) continue;
    i = x;
    j = y;
    f.found = from + k;
  }
  f.best.bits = static_cast<u64>(i);
  columns.best_second = j;
}
#endif

// Take the body's values for n items from `from` on. True if one of them ends the loop; `index` is then the number
// after it.
BATT_INLINE bool keep_column(Vm& vm, LoopFrame& f, Columns& columns, u32 from, u32 n) {
  bool ended = false;
#ifndef __CUDACC__
  if (f.manner == PICKING && columns.is_wide()) {
    pick_best_wide(vm, f, columns, from, n);
    f.index = from + n;
    return false;
  }
#endif
  if (f.manner == COLLECTING) {
    for (u32 k = lane(vm); k < n; k += lanes(vm)) mem<Value>(vm, f.results, from + k) = columns.value(k);
  } else if (f.manner == PICKING) {
    pick_best(vm, f, columns, from, n);
  } else if (f.op == OP_extract) {
    u32 first = first_true(vm, columns, n);
    ended = first < n;
    if (ended) n = first + 1;
  } else {
    u32 found = f.found;
    for (u32 start = 0; start < n; start += lanes(vm)) {
      u32 k = start + lane(vm);
      bool is_true = k < n && columns.is_true(k);
      u32 all = ballot(vm, is_true), to = found + lanes_before(vm, all);
      if (LANES == 1 || is_true) mem<u32>(vm, f.results, to) = from + k;
      found += bit_count(all);
    }
    sync_lanes(vm);
    f.found = found;
  }
  sync_lanes(vm);
  f.index = from + n;
  return ended;
}

// Whether a loop may run column by column, as far as that does not depend on its body. Not in a profile, which counts
// calls.
BATT_INLINE bool may_run_columns(const Machine& m, const LoopFrame& f) {
  constexpr u32 LEAST = 6;         // with fewer items, deciding takes longer than it saves
  constexpr i64 LARGEST_ITEM = 2;  // of all results that bodies have here
  return f.count >= LEAST && m.vm.max_items >= LARGEST_ITEM && items_per_call(f.op) == 1 && f.op != OP_rapply &&
         !m.code_tallies && !m.vm.op_tallies;
}

// Run all calls of a loop column by column, if its body allows it.
BATT_DEVICE_NOINLINE ColumnsEnd run_columns(Machine& m, LoopFrame& f, const Leaf& leaf) {
  Vm& vm = m.vm;
  Scratch scratch(vm);
  Columns columns{{vm, f.a, {}, {}, {}}, m.program, leaf.code, leaf.spaces.at, {}, {}, {}, {}, 0, 0, {}};
#ifndef __CUDACC__
  columns.may_be_wide = f.manner != COLLECTING;
  u32 index = f.index, kept = f.found;
  i64 steps_left = vm.steps_left;
#endif
  if (!columns.open(scratch)) return NOT_RUN;
  bool found = false;
  bool charge_before = f.op != OP_extract && columns.sizes_charged == 0;
#ifndef __CUDACC__
  charge_before = charge_before && columns.item_column.kind <= UNITED;
#endif
  if (charge_before) charge(vm, product_of(columns.steps, f.count));
  while (f.index < f.count && !found && !stopped(vm)) {
    if (asked_to_stop(vm)) {
      stop_with(vm, STOPPED);
      break;
    }
    u32 from = f.index, n = columns.run(from);
    if (stopped(vm)) break;
#ifndef __CUDACC__
    if (n == 0) {
      // Items of other kinds come later: begin again, one by one.
      f.index = index;
      f.found = kept;
      vm.steps_left = steps_left;
      return NOT_RUN;
    }
#endif
    found = keep_column(vm, f, columns, from, n);
    if (!charge_before) charge(vm, columns.steps_of(f.index - from));
  }
  return found ? FOUND_ONE : ALL_RUN;
}

}  // namespace batt
