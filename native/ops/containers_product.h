// The op `product` of ops/containers.py. Pairs ascend as they are made, so only the two sides are sorted.
#pragma once
#include "containers_sets.h"

namespace batt {

BATT_INLINE i64 cost_product(Vm& vm, const Value* a) { return sum_of(1, product_of(items(vm, a[0]), items(vm, a[1]))); }

// Whether a non-empty set holds only ints, all from `low` to `high`.
BATT_INLINE bool ints_within(const Vm& vm, Value set, i64 low, i64 high) {
  if (set.tag != SET) return false;
  Value first = mem<Value>(vm, set.bits, 0), last = mem<Value>(vm, set.bits, set.n - 1);
  return is_int(last) && int_of(first) >= low && int_of(last) <= high;
}

// Whether `tuple_of` can make a tuple of x and a partner without allocating memory.
BATT_INLINE bool fits_left(Value x) { return is_int(x) && fits32(int_of(x)); }
BATT_INLINE bool fits_right(Value y) { return (is_int(y) && fits32(int_of(y))) || y.tag == PAIR; }

// The tuple of such x and y.
BATT_INLINE Value small_tuple(Value x, Value y) {
  i32 first = static_cast<i32>(int_of(x));
  return is_int(y) ? pair_of(first, static_cast<i32>(int_of(y))) : cell_of(first, pair_i(y), pair_j(y));
}

// Make all pairs of items of two sets; they ascend as they are made.
BATT_DEVICE_NOINLINE Value crossed(Vm& vm, Value left, Value right) {
  u32 m = length(left), n = length(right);
  u64 count = static_cast<u64>(m) * n, left_fit = 0, right_fit = 0;
  for (u32 i = 0; i < m; i++) left_fit += fits_left(item(vm, left, i));
  for (u32 j = 0; j < n; j++) right_fit += fits_right(compact_pair(vm, item(vm, right, j)));
  // Pairs that need memory lie before the array of all pairs, which must be the last allocation.
  Addr bodies = alloc<Value>(vm, 2 * (count - left_fit * right_fit));
  Addr at = stopped(vm) ? 0 : alloc<Value>(vm, count);
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 i = 0; i < m; i++, done += n) {
    Value x = item(vm, left, i);
    for (u32 start = 0; start < n; start += lanes(vm)) {
      u32 j = start + lane(vm);
      Value y = j < n ? compact_pair(vm, item(vm, right, j)) : none();
      bool fits = fits_left(x) && fits_right(y);
      u32 apart = ballot(vm, j < n && !fits);
      Addr body = bodies + 2 * sizeof(Value) * lanes_before(vm, apart);
      bodies += 2 * sizeof(Value) * bit_count(apart);
      if (j >= n) continue;
      if (!fits) {
        mem<Value>(vm, body, 0) = x;
        mem<Value>(vm, body, 1) = y;
      }
      mem<Value>(vm, at, done + j) = !fits ? Value{TUPLE, 2, body} : small_tuple(x, y);
    }
    sync_lanes(vm);
  }
  return set_ascending(vm, at, count);
}

BATT_DEVICE_NOINLINE Value crossed_as_places(Vm& vm, Value rows, Value columns) {
  Addr at = alloc<u32>(vm, static_cast<u64>(rows.n) * columns.n);
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 i = 0; i < rows.n; i++, done += columns.n) {
    u32 row = place_key(int_of(mem<Value>(vm, rows.bits, i)), 0);
    for_all(vm, columns.n, [&](u64 j) {
      mem<u32>(vm, at, done + j) = row + static_cast<u32>(int_of(mem<Value>(vm, columns.bits, j)));
    });
  }
  return places_ascending(vm, at, done);
}

BATT_DEVICE_NOINLINE Value crossed_as_cells(Vm& vm, Value colours, Value places) {
  Addr at = alloc<u64>(vm, static_cast<u64>(colours.n) * places.n);
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 i = 0; i < colours.n; i++, done += places.n) {
    i32 colour = static_cast<i32>(int_of(mem<Value>(vm, colours.bits, i)));
    for_all(vm, places.n, [&](u64 j) { mem<u64>(vm, at, done + j) = cell_key(colour, mem<u32>(vm, places.bits, j)); });
  }
  return cells_ascending(vm, at, done);
}

BATT_OP Value op_product(Vm& vm, const Value* a) {
  if (!is_container(a[1])) return raise(vm, TYPE_ERROR);
  if (length(a[1]) == 0) return empty_set();
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  if (length(a[0]) == 0) return empty_set();
  Value left = as_set(vm, a[0]);
  Value right = stopped(vm) ? none() : as_set(vm, a[1]);
  if (stopped(vm)) return none();
  if (product_of(length(left), length(right)) > vm.max_items) return stop_with(vm, OVER_BUDGET);
  bool rows = ints_within(vm, left, -0x8000, 0x7fff), columns = ints_within(vm, right, -0x8000, 0x7fff);
  if (rows && columns) return crossed_as_places(vm, left, right);
  bool colours = ints_within(vm, left, -0x80000000LL, 0x7fffffffLL);
  if (colours && right.tag == PLACES) return crossed_as_cells(vm, left, right);
  return crossed(vm, left, right);
}

}  // namespace batt
