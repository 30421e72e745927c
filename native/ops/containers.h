// Tuples and sets, their size, membership, joining and taking apart: ops/containers.py. Sets are iterated in canonical
// order, in which they are stored.
#pragma once
#include "containers_product.h"
#include "containers_sets.h"

namespace batt {

BATT_OP Value op_size(Vm& vm, const Value* a) { return integer(len(vm, a[0])); }

BATT_OP Value op_contained(Vm& vm, const Value* a) {
  if (!is_container(a[1])) return raise(vm, TYPE_ERROR);
  return boolean(holds(vm, a[1], a[0]));
}

// Joining.

// Make a grid of the rows of both.
BATT_INLINE Value stacked(Vm& vm, Value above, Value below) {
  u64 w = grid_w(above), m = grid_h(above) * w, n = grid_h(below) * w;
  Value made = new_grid(vm, static_cast<u64>(grid_h(above)) + grid_h(below), w);
  if (stopped(vm)) return none();
  copy_bytes(vm, grid_cells(vm, made), above.bits, m);
  copy_bytes(vm, grid_cells(vm, made) + m, below.bits, n);
  return made;
}

BATT_DEVICE_NOINLINE Value joined_tuples(Vm& vm, Value a, Value b) {
  u32 m = length(a), n = length(b);
  if (m == 0) return as_tuple(vm, b);
  if (n == 0) return a;
  if (a.tag == GRID && b.tag == GRID && grid_w(a) == grid_w(b)) return stacked(vm, a, b);
  if (a.tag == ROW && b.tag == ROW) {
    Addr at = alloc<u8>(vm, static_cast<u64>(m) + n);
    if (stopped(vm)) return none();
    copy_bytes(vm, at, a.bits, m);
    copy_bytes(vm, at + m, b.bits, n);
    return bytes_as_tuple(vm, at, m + n);
  }
  Addr at = alloc<Value>(vm, static_cast<u64>(m) + n);
  if (stopped(vm)) return none();
  put_items(vm, a, at, 0);
  put_items(vm, b, at, m);
  return rows_as_grid(vm, tuple_at(vm, at, m + n));
}

BATT_OP Value op_combine(Vm& vm, const Value* a) {
  if (!is_container(a[0]) || !is_container(a[1])) return raise(vm, TYPE_ERROR);
  if (is_tuple(a[0])) return joined_tuples(vm, a[0], a[1]);
  Value added = as_set(vm, a[1]);
  return stopped(vm) ? none() : merge_sets<KEEP_ALL>(vm, a[0], added);
}

// Whether all parts are rows, or grids of one width. `size` is the number of their bytes.
BATT_DEVICE_NOINLINE bool are_byte_parts(const Vm& vm, Value parts, u64& size, u64& rows) {
  if (parts.tag != TUPLE || parts.n == 0) return false;
  Value head = mem<Value>(vm, parts.bits, 0);
  size = rows = 0;
  for (u32 k = 0; k < parts.n; k++) {
    Value each = mem<Value>(vm, parts.bits, k);
    if (each.tag != head.tag || (each.tag != ROW && (each.tag != GRID || grid_w(each) != grid_w(head)))) return false;
    rows += length(each);
    size += each.tag == ROW ? each.n : static_cast<u64>(grid_h(each)) * grid_w(each);
  }
  return true;
}

BATT_DEVICE_NOINLINE Value joined_bytes(Vm& vm, Value parts, u64 size, u64 rows) {
  bool grids = mem<Value>(vm, parts.bits, 0).tag == GRID;
  Value made = grids ? new_grid(vm, rows, grid_w(mem<Value>(vm, parts.bits, 0))) : none();
  Addr at = stopped(vm) ? 0 : grids ? grid_cells(vm, made) : alloc<u8>(vm, size);
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 k = 0; k < parts.n; k++) {
    Value each = mem<Value>(vm, parts.bits, k);
    u64 n = grids ? static_cast<u64>(grid_h(each)) * grid_w(each) : each.n;
    copy_bytes(vm, at + done, each.bits, n);
    done += n;
  }
  return grids ? made : bytes_as_tuple(vm, at, static_cast<u32>(size));
}

BATT_OP Value op_merge(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  if (is_set(a[0])) return united(vm, a[0]);
  u64 size = 0, rows = 0;
  bool grid = a[0].tag == GRID;
  if (grid) rows = size = static_cast<u64>(grid_h(a[0])) * grid_w(a[0]);
  if (!grid && !are_byte_parts(vm, a[0], size, rows)) {
    Value made = joined(vm, a[0]);
    return stopped(vm) ? none() : rows_as_grid(vm, made);
  }
  i64 count = static_cast<i64>(rows);
  if (count > vm.max_items || count > vm.steps_left) return stop_with(vm, OVER_BUDGET);
  // The rows of a grid are adjacent already.
  return grid ? bytes_as_tuple(vm, a[0].bits, static_cast<u32>(size)) : joined_bytes(vm, a[0], size, rows);
}

// Sets.

BATT_OP Value op_intersection(Vm& vm, const Value* a) {
  if (!is_set(a[0]) || !is_set(a[1])) return raise(vm, TYPE_ERROR);
  return merge_sets<KEEP_SHARED>(vm, a[0], a[1]);
}

BATT_OP Value op_initset(Vm& vm, const Value* a) { return set_of_one(vm, a[0]); }

BATT_OP Value op_insert(Vm& vm, const Value* a) {
  if (!is_set(a[1])) return raise(vm, ATTRIBUTE_ERROR);
  Value added = set_of_one(vm, a[0]);
  return stopped(vm) ? none() : merge_sets<KEEP_ALL>(vm, a[1], added);
}

// Removing items.

// Remove the items of a tuple that are in a container.
BATT_DEVICE_NOINLINE Value tuple_without(Vm& vm, Value tuple, Value taken) {
  u32 n = length(tuple), kept = 0;
  Scratch scratch(vm);
  Addr positions = scratch.alloc<u32>(n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    mem<u32>(vm, positions, kept) = k;
    kept += !holds(vm, taken, item(vm, tuple, k));
    if (stopped(vm)) return none();
  }
  return kept_items(vm, tuple, positions, kept);
}

BATT_OP Value op_difference(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  if (length(a[0]) == 0) return a[0];
  if (!is_container(a[1])) return raise(vm, TYPE_ERROR);
  // Few items are searched without sorting.
  constexpr u32 FEW = 4;
  bool few = is_tuple(a[0]) && (length(a[1]) <= FEW || a[1].tag == ROW);
  Value taken = few ? a[1] : as_set(vm, a[1]);
  if (stopped(vm)) return none();
  return is_set(a[0]) ? merge_sets<KEEP_LEFT>(vm, a[0], taken) : tuple_without(vm, a[0], taken);
}

BATT_OP Value op_remove(Vm& vm, const Value* a) {
  if (!is_container(a[1])) return raise(vm, TYPE_ERROR);
  if (is_set(a[1])) {
    Value taken = set_of_one(vm, a[0]);
    return stopped(vm) ? none() : merge_sets<KEEP_LEFT>(vm, a[1], taken);
  }
  u32 n = length(a[1]), kept = 0;
  Scratch scratch(vm);
  Addr positions = scratch.alloc<u32>(n);
  if (stopped(vm)) return none();
#ifndef __CUDACC__
  Value head = head_of_tuple(vm, a[0]);
  bool decides = head.tag == INT || head.tag == PAIR;
#endif
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, a[1], k);
    mem<u32>(vm, positions, kept) = k;
#ifndef __CUDACC__
    if (decides && heads_differ(head, head_of_tuple(vm, each))) {
      kept++;
      continue;
    }
#endif
    kept += !equal(vm, each, a[0]);
    if (stopped(vm)) return none();
  }
  return kept_items(vm, a[1], positions, kept);
}

BATT_OP Value op_dedupe(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  u32 n = length(a[0]);
  if (n == 0) return empty_tuple();
  if (is_set(a[0])) return raise(vm, ATTRIBUTE_ERROR);
  Scratch scratch(vm);
  Addr positions = scratch.alloc<u32>(n);
  if (stopped(vm)) return none();
  u32 kept = 0;
  if (a[0].tag == ROW) {
    Bytes seen{{0, 0, 0, 0}};
    for (u32 k = 0; k < n; k++) {
      u8 byte = mem<u8>(vm, a[0].bits, k);
      if (!seen.has(byte)) mem<u32>(vm, positions, kept++) = k;
      seen.add(byte);
    }
    return kept_items(vm, a[0], positions, kept);
  }
  Addr order = scratch.alloc<Prefixed>(n);
  if (stopped(vm)) return none();
  order_values(vm, order, n, [&](u64 k) { return item(vm, a[0], static_cast<u32>(k)); });
  if (stopped(vm)) return none();
  // Of equal items, the first one comes first.
  Value last = none();
  for (u32 k = 0; k < n; k++) {
    u32 position = static_cast<u32>(mem<Prefixed>(vm, order, k).at);
    Value each = item(vm, a[0], position);
    if (k == 0 || !equal(vm, each, last)) mem<u32>(vm, positions, kept++) = position;
    last = each;
    if (stopped(vm)) return none();
  }
  sort_keys<u32>(vm, positions, kept);
  return stopped(vm) ? none() : kept_items(vm, a[0], positions, kept);
}

// Taking items.

BATT_OP Value op_other(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  u32 n = length(a[0]);
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, a[0], k);
    bool same = equal(vm, each, a[1]);
    if (stopped(vm)) return none();
    if (!same) return each;
  }
  return raise(vm, STOP_ITERATION);
}

BATT_OP Value op_totuple(Vm& vm, const Value* a) {
  return is_container(a[0]) ? as_tuple(vm, a[0]) : raise(vm, TYPE_ERROR);
}

BATT_OP Value op_first(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  return length(a[0]) ? item(vm, a[0], 0) : raise(vm, STOP_ITERATION);
}
BATT_OP Value op_last(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  return length(a[0]) ? item(vm, a[0], length(a[0]) - 1) : raise(vm, VALUE_ERROR);
}

// Making tuples.

BATT_INLINE i64 cost_repeat(Vm&, const Value* a) { return sum_of(1, whole(a[1])); }
BATT_OP Value op_repeat(Vm& vm, const Value* a) {
  if (!is_int(a[1])) return raise(vm, TYPE_ERROR);
  u64 n = static_cast<u64>(whole(a[1]));
  if (n == 0) return empty_tuple();
  u32 width = is_tuple(a[0]) ? length(a[0]) : 0;
  if (product_of(static_cast<i64>(n), larger(1u, width)) > vm.max_items) return stop_with(vm, OVER_BUDGET);
  if (n > 0xffffffffull) return unsupported(vm, ARENA_FULL);
  if (is_byte(a[0]) || (a[0].tag == ROW && width)) {
    bool row = is_byte(a[0]);
    Value made = row ? new_grid(vm, 1, n) : new_grid(vm, n, width);
    if (stopped(vm)) return none();
    Addr at = grid_cells(vm, made);
    if (row) fill_bytes(vm, at, n, static_cast<u8>(a[0].bits));
    else
      for (u64 k = 0; k < n; k++) copy_bytes(vm, at + k * width, a[0].bits, width);
    return row ? bytes_as_tuple(vm, at, static_cast<u32>(n)) : made;
  }
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<Value>(vm, at, k) = a[0]; });
  return tuple_at(vm, at, static_cast<u32>(n));
}

// The number of ints in `range(start, stop, step)`; step is not 0. Unsigned numbers hold every distance.
BATT_INLINE u64 interval_length(i64 start, i64 stop, i64 step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  u64 from = static_cast<u64>(start), to = static_cast<u64>(stop), by = static_cast<u64>(step);
  return step > 0 ? (to - from - 1) / by + 1 : (from - to - 1) / (0 - by) + 1;
}
BATT_INLINE i64 cost_interval(Vm&, const Value* a) {
  if (!is_int(a[0]) || !is_int(a[1]) || !is_int(a[2]) || int_of(a[2]) == 0) return 1;
  u64 n = interval_length(int_of(a[0]), int_of(a[1]), int_of(a[2]));
  return sum_of(1, static_cast<i64>(smaller<u64>(n, VAST)));
}
BATT_OP Value op_interval(Vm& vm, const Value* a) {
  if (!is_int(a[0]) || !is_int(a[1]) || !is_int(a[2])) return raise(vm, TYPE_ERROR);
  if (int_of(a[2]) == 0) return raise(vm, VALUE_ERROR);
  u64 n = interval_length(int_of(a[0]), int_of(a[1]), int_of(a[2]));
  if (n == 0) return empty_tuple();
  if (n > static_cast<u64>(vm.max_items)) return stop_with(vm, OVER_BUDGET);
  if (n > 0xffffffffull) return unsupported(vm, ARENA_FULL);
  // Each int lies between start and stop, so it fits; unsigned, because the one after the last may not.
  u64 next = a[0].bits;
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u64 k = 0; k < n; k++, next += a[2].bits) mem<Value>(vm, at, k) = integer(static_cast<i64>(next));
  return tuple_at(vm, at, static_cast<u32>(n));
}

BATT_OP Value op_astuple(Vm& vm, const Value* a) {
  Value made = tuple_of(vm, a[0], compact_pair(vm, a[1]));
  return stopped(vm) ? none() : rows_as_grid(vm, made);
}

BATT_OP Value op_pair(Vm& vm, const Value* a) {
  if (!is_container(a[0]) || !is_container(a[1])) return raise(vm, TYPE_ERROR);
  u32 n = smaller(length(a[0]), length(a[1]));
  if (n == 0) return empty_tuple();
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    Value made = tuple_of(vm, item(vm, a[0], k), compact_pair(vm, item(vm, a[1], k)));
    if (stopped(vm)) return none();
    mem<Value>(vm, at, k) = made;
  }
  return Value{TUPLE, n, at};
}

}  // namespace batt
