// Lines and boxes: ops/lines.py. No grid is consulted, so nothing is clipped.
#pragma once
#include "place_list.h"

namespace batt {

constexpr i64 REACH = 42;     // steps of a shot
constexpr i64 FRONTIER = 30;  // places of a frontier

BATT_DEVICE_NOINLINE bool is_pair_of_ints(Vm& vm, Value v, i64& i, i64& j) {
  if (v.tag == PAIR) {
    i = pair_i(v);
    j = pair_j(v);
    return true;
  }
  if (length(v) != 2) return false;
  Value first = item(vm, v, 0), second = item(vm, v, 1);
  i = int_of(first);
  j = int_of(second);
  return is_int(first) && is_int(second);
}

// The distance of two ints, for costs: it saturates instead of overflowing.
BATT_INLINE i64 distance(i64 a, i64 b) { return bounded_size(smaller(a, b), larger(a, b)) - 1; }

BATT_INLINE i64 cost_connect(Vm& vm, const Value* a) {
  i64 i, j, k, m;
  if (!is_pair_of_ints(vm, a[0], i, j) || !is_pair_of_ints(vm, a[1], k, m)) return 1;
  return sum_of(2, larger(distance(i, k), distance(j, m)));
}

BATT_INLINE i64 cost_shoot(Vm& vm, const Value* a) {
  if (!is_tuple(a[1]) || length(a[1]) < 2) return 1;
  Value i = item(vm, a[1], 0), j = item(vm, a[1], 1);
  if (!is_int(i) || !is_int(j)) return 1;
  return sum_of(2, product_of(REACH, larger(distance(int_of(i), 0), distance(int_of(j), 0))));
}

BATT_DEVICE_NOINLINE i64 outline_cost(Vm& vm, Value patch) {
  i64 height, width;
  extent(vm, patch, height, width);
  return sum_of(1 + items(vm, patch), product_of(2, sum_of(height, width)));
}
BATT_INLINE i64 cost_box(Vm& vm, const Value* a) { return outline_cost(vm, a[0]); }
BATT_INLINE i64 cost_outbox(Vm& vm, const Value* a) { return outline_cost(vm, a[0]); }
BATT_INLINE i64 cost_inbox(Vm& vm, const Value* a) { return outline_cost(vm, a[0]); }

// The places from (ai, aj) to (bi, bj) on their common row, column or diagonal; none if there is none.
BATT_DEVICE_NOINLINE Value line_between(Vm& vm, i64 ai, i64 aj, i64 bi, i64 bj) {
  Box box{smaller(ai, bi), smaller(aj, bj), larger(ai, bi), larger(aj, bj)};
  // Unsigned differences cannot overflow.
  u64 down = static_cast<u64>(box.bottom) - static_cast<u64>(box.top);
  u64 across = static_cast<u64>(box.right) - static_cast<u64>(box.left);
  if (ai != bi && aj != bj && down != across) return empty_set();
  u64 last = larger(down, across);
  if (too_many(vm, static_cast<i64>(smaller(last, static_cast<u64>(VAST))) + 1)) return none();
  PlaceList list(vm, last + 1, box);
  if (ai == bi) {
    list.add_run(ai, box.left, last + 1);
    return list.made();
  }
  bool falling = (ai < bi) == (aj < bj);
  i64 step = aj == bj ? 0 : falling ? 1 : -1, j = falling ? box.left : box.right;
  for (u64 k = 0; k <= last && !stopped(vm); k++)
    list.add(box.top + static_cast<i64>(k), j + step * static_cast<i64>(k));
  return list.made();
}

// The same for places with keys, which are a constant number apart.
BATT_DEVICE_NOINLINE Value line_of_keys(Vm& vm, u32 a, u32 b) {
  u32 first = smaller(a, b), last = larger(a, b);
  i32 down = key_i(last) - key_i(first), across = key_j(last) - key_j(first), width = across < 0 ? -across : across;
  if (down && across && down != width) return empty_set();
  u32 n = static_cast<u32>(larger(down, width)) + 1;
  if (too_many(vm, n)) return none();
  u32 step = (down ? 0x10000u : 0u) + static_cast<u32>(across < 0 ? -1 : across > 0);
  Addr at = alloc<u32>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++, first += step) mem<u32>(vm, at, k) = first;
  return Value{PLACES, n, at};
}

BATT_INLINE Value line_of(Vm& vm, Value a, Value b) {
  if (has_place_key(a) && has_place_key(b)) return line_of_keys(vm, place_key_of(a), place_key_of(b));
  Value ai, aj, bi, bj;
  if (!unpack(vm, a, ai, aj) || !unpack(vm, b, bi, bj)) return none();
  if (!is_int(ai) || !is_int(aj) || !is_int(bi) || !is_int(bj)) return raise(vm, TYPE_ERROR);
  return line_between(vm, int_of(ai), int_of(aj), int_of(bi), int_of(bj));
}

BATT_OP Value op_connect(Vm& vm, const Value* a) { return line_of(vm, a[0], a[1]); }

// The coordinate after 42 steps along one axis.
BATT_INLINE i64 ahead(Vm& vm, Value start, Value direction, u32 axis) {
  Value from = at_index(vm, start, axis);
  if (stopped(vm)) return 0;
  Value step = at_index(vm, direction, axis);
  if (stopped(vm) || !expect_int(vm, from) || !expect_int(vm, step)) return 0;
  return plus(vm, int_of(from), times(vm, REACH, int_of(step)));
}

BATT_OP Value op_shoot(Vm& vm, const Value* a) {
  i64 i = ahead(vm, a[0], a[1], 0);
  if (stopped(vm)) return none();
  i64 j = ahead(vm, a[0], a[1], 1);
  if (stopped(vm)) return none();
  Value from_i, from_j;
  if (!unpack(vm, a[0], from_i, from_j)) return none();
  return line_between(vm, int_of(from_i), int_of(from_j), i, j);
}

// Make the set of the pairs of a value with 0 … 29, in this order or the other. The value need not be an int.
BATT_DEVICE_NOINLINE Value frontier(Vm& vm, Value fixed, bool is_row) {
  Scratch scratch(vm);
  Addr from = scratch.alloc<Value>(FRONTIER);
  if (stopped(vm)) return none();
  BATT_NO_UNROLL
  for (i64 k = 0; k < FRONTIER; k++) {
    Value each = is_row ? tuple_of(vm, fixed, integer(k)) : tuple_of(vm, integer(k), fixed);
    if (stopped(vm)) return none();
    mem<Value>(vm, from, static_cast<u64>(k)) = each;
  }
  return set_from(vm, from, FRONTIER);
}

BATT_OP Value op_hfrontier(Vm& vm, const Value* a) {
  Value row = at_index(vm, a[0], 0);
  if (stopped(vm)) return none();
  if (!is_int(row) || !fits16(int_of(row))) return frontier(vm, row, true);
  i64 i = int_of(row);
  PlaceList list(vm, FRONTIER, Box{i, 0, i, FRONTIER - 1});
  list.add_run(i, 0, FRONTIER);
  return list.made();
}

BATT_OP Value op_vfrontier(Vm& vm, const Value* a) {
  Value column = at_index(vm, a[0], 1);
  if (stopped(vm)) return none();
  if (!is_int(column) || !fits16(int_of(column))) return frontier(vm, column, false);
  i64 j = int_of(column);
  PlaceList list(vm, FRONTIER, Box{0, j, FRONTIER - 1, j});
  BATT_NO_UNROLL
  for (i64 i = 0; i < FRONTIER; i++) list.add(i, j);
  return list.made();
}

// The outline of the rectangle with opposite corners (i, j) and (k, m).
BATT_DEVICE_NOINLINE Value outline(Vm& vm, i64 i, i64 j, i64 k, i64 m) {
  Box box{smaller(i, k), smaller(j, m), larger(i, k), larger(j, m)};
  i64 height = bounded_size(box.top, box.bottom), width = bounded_size(box.left, box.right);
  i64 edges = product_of(height > 1 ? 2 : 1, width), sides = width > 1 ? 2 : 1;
  i64 count = sum_of(edges, product_of(larger(height - 2, 0LL), sides));
  if (too_many(vm, count)) return none();
  PlaceList list(vm, static_cast<u64>(count), box);
  list.add_run(box.top, box.left, static_cast<u64>(width));
  for (i64 q = 1; q < height - 1 && !stopped(vm); q++) {
    list.add(box.top + q, box.left);
    if (width > 1) list.add(box.top + q, box.right);
  }
  if (height > 1) list.add_run(box.bottom, box.left, static_cast<u64>(width));
  return list.made();
}

BATT_OP Value op_box(Vm& vm, const Value* a) {
  u32 n = len(vm, a[0]);
  if (stopped(vm) || n == 0) return a[0];
  Box box;
  if (patch_box(vm, a[0], box)) return outline(vm, box.top, box.left, box.bottom, box.right);
  Value spots = places(vm, a[0]);
  if (stopped(vm)) return none();
  u32 count = component_count(vm, spots);
  if (stopped(vm)) return none();
  if (count != 2) return raise(vm, VALUE_ERROR);
  Value found[4];
  BATT_NO_UNROLL
  for (u32 k = 0; k < 4; k++) {
    found[k] = extreme(vm, spots, k % 2, k / 2);
    if (stopped(vm)) return none();
  }
  BATT_NO_UNROLL
  for (u32 k = 0; k < 4; k++)
    if (!expect_int(vm, found[k])) return none();
  return outline(vm, int_of(found[0]), int_of(found[1]), int_of(found[2]), int_of(found[3]));
}

// The outline of the bounding box with each side moved outwards by `by`.
BATT_DEVICE_NOINLINE Value outline_around(Vm& vm, Value patch, i64 by) {
  Box box;
  if (patch_box(vm, patch, box)) return outline(vm, box.top - by, box.left - by, box.bottom + by, box.right + by);
  Value first, last, i, j, k, m;
  if (!span(vm, patch, 0, first, last)) return none();
  i = sum_with(vm, first, -by);
  k = stopped(vm) ? none() : sum_with(vm, last, by);
  if (stopped(vm) || !span(vm, patch, 1, first, last)) return none();
  j = sum_with(vm, first, -by);
  m = stopped(vm) ? none() : sum_with(vm, last, by);
  if (stopped(vm)) return none();
  return outline(vm, int_of(i), int_of(j), int_of(k), int_of(m));
}

BATT_OP Value op_outbox(Vm& vm, const Value* a) { return outline_around(vm, a[0], 1); }
BATT_OP Value op_inbox(Vm& vm, const Value* a) { return outline_around(vm, a[0], -1); }

}  // namespace batt
