// The position and shape of patches: ops/patches.py.
#pragma once
#include "patches_mass.h"
#include "place_list.h"

namespace batt {

BATT_OP Value op_toindices(Vm& vm, const Value* a) { return places(vm, a[0]); }

BATT_OP Value op_uppermost(Vm& vm, const Value* a) { return top(vm, a[0]); }
BATT_OP Value op_lowermost(Vm& vm, const Value* a) { return bottom(vm, a[0]); }
BATT_OP Value op_leftmost(Vm& vm, const Value* a) { return left(vm, a[0]); }
BATT_OP Value op_rightmost(Vm& vm, const Value* a) { return right(vm, a[0]); }

// The upper right or lower left corner of the bounding box. A third component is a KeyError, but only after the first
// two have been compared.
BATT_DEVICE_NOINLINE Value mixed_corner(Vm& vm, Value spots, bool upper) {
  u32 count = component_count(vm, spots);
  if (stopped(vm) || count == 0) return empty_tuple();
  Value i = extreme(vm, spots, 0, !upper);
  if (stopped(vm)) return none();
  if (count == 1) {
    Addr at = alloc<Value>(vm, 1);
    if (stopped(vm)) return none();
    mem<Value>(vm, at) = i;
    return tuple_at(vm, at, 1);
  }
  Value j = extreme(vm, spots, 1, upper);
  if (stopped(vm)) return none();
  return count > 2 ? raise(vm, KEY_ERROR) : tuple_of(vm, i, j);
}

BATT_OP Value op_ulcorner(Vm& vm, const Value* a) { return upper_left(vm, a[0]); }
BATT_OP Value op_urcorner(Vm& vm, const Value* a) {
  Box box;
  if (patch_box(vm, a[0], box)) return int_pair(vm, box.top, box.right);
  Value spots = places(vm, a[0]);
  return stopped(vm) ? none() : mixed_corner(vm, spots, true);
}
BATT_OP Value op_llcorner(Vm& vm, const Value* a) {
  Box box;
  if (patch_box(vm, a[0], box)) return int_pair(vm, box.bottom, box.left);
  Value spots = places(vm, a[0]);
  return stopped(vm) ? none() : mixed_corner(vm, spots, false);
}
BATT_OP Value op_lrcorner(Vm& vm, const Value* a) {
  Box box;
  if (patch_box(vm, a[0], box)) return int_pair(vm, box.bottom, box.right);
  Value spots = places(vm, a[0]);
  return stopped(vm) ? none() : corner_of(vm, spots, GREATEST_OF_ALL);
}

BATT_DEVICE_NOINLINE Value corners_of_box(Vm& vm, const Box& box) {
  PlaceList list(vm, 4, box);
  bool wide = box.left < box.right;
  list.add(box.top, box.left);
  if (wide) list.add(box.top, box.right);
  if (box.top < box.bottom) {
    list.add(box.bottom, box.left);
    if (wide) list.add(box.bottom, box.right);
  }
  return list.made();
}

BATT_OP Value op_corners(Vm& vm, const Value* a) {
  Box box;
  if (patch_box(vm, a[0], box)) return corners_of_box(vm, box);
  Value spots = places(vm, a[0]);
  if (stopped(vm)) return none();
  Scratch scratch(vm);
  Addr found = scratch.alloc<Value>(4);
  if (stopped(vm)) return none();
  mem<Value>(vm, found, 0) = corner_of(vm, spots, LEAST_OF_ALL);
  if (!stopped(vm)) mem<Value>(vm, found, 1) = corner_of(vm, spots, GREATEST_OF_ALL);
  if (!stopped(vm)) mem<Value>(vm, found, 2) = mixed_corner(vm, spots, true);
  if (!stopped(vm)) mem<Value>(vm, found, 3) = mixed_corner(vm, spots, false);
  return stopped(vm) ? none() : set_from(vm, found, 4);
}

BATT_OP Value op_center(Vm& vm, const Value* a) {
  Box box;
  if (set_box(vm, a[0], box))
    return int_pair(vm, box.top + (box.bottom - box.top + 1) / 2, box.left + (box.right - box.left + 1) / 2);
  Value i, j;
  return center_of(vm, a[0], i, j) ? tuple_of(vm, i, j) : none();
}

BATT_OP Value op_shift(Vm& vm, const Value* a) { return moved(vm, a[0], a[1]); }
BATT_OP Value op_normalize(Vm& vm, const Value* a) { return normalized(vm, a[0]); }

BATT_INLINE bool is_int_equal(Value v, i64 x) { return is_int(v) && int_of(v) == x; }

BATT_OP Value op_vline(Vm& vm, const Value* a) {
  Box box;
  if (set_box(vm, a[0], box)) return boolean(box.left == box.right && box.bottom - box.top + 1 == a[0].n);
  Value height = height_of(vm, a[0]);
  if (stopped(vm) || !is_int_equal(height, length(a[0]))) return boolean(false);
  return boolean(is_int_equal(width_of(vm, a[0]), 1));
}
BATT_OP Value op_hline(Vm& vm, const Value* a) {
  Box box;
  if (set_box(vm, a[0], box)) return boolean(box.top == box.bottom && box.right - box.left + 1 == a[0].n);
  Value width = width_of(vm, a[0]);
  if (stopped(vm) || !is_int_equal(width, length(a[0]))) return boolean(false);
  return boolean(is_int_equal(height_of(vm, a[0]), 1));
}

BATT_OP Value op_bordering(Vm& vm, const Value* a) {
  Value least, greatest;
  if (!span(vm, a[0], 0, least, greatest)) return none();
  if (is_int_equal(least, 0)) return boolean(true);
  Value first, last;
  if (!span(vm, a[0], 1, first, last)) return none();
  if (is_int_equal(first, 0)) return boolean(true);
  i64 height = len(vm, a[1]);
  if (stopped(vm)) return none();
  if (is_int_equal(greatest, height - 1)) return boolean(true);
  Value row = at_index(vm, a[1], 0);
  if (stopped(vm)) return none();
  return boolean(is_int_equal(last, static_cast<i64>(len(vm, row)) - 1));
}

BATT_DEVICE_NOINLINE i64 box_cost(Vm& vm, Value patch) {
  i64 height, width;
  extent(vm, patch, height, width);
  return sum_of(1 + items(vm, patch), product_of(height, width));
}
BATT_INLINE i64 cost_backdrop(Vm& vm, const Value* a) { return box_cost(vm, a[0]); }
BATT_INLINE i64 cost_delta(Vm& vm, const Value* a) { return box_cost(vm, a[0]); }

// Get the bounding box of a non-empty patch, which must consist of ints; false if the machine stopped.
BATT_DEVICE_NOINLINE bool bounding_box(Vm& vm, Value patch, Box& box) {
  if (patch_box(vm, patch, box)) return true;
  Value spots = places(vm, patch);
  if (stopped(vm)) return false;
  if (spots.tag == PLACES) return packed_box(vm, spots, box);
  Value least = corner_of(vm, spots, LEAST_OF_ALL);
  Value greatest = stopped(vm) ? none() : corner_of(vm, spots, GREATEST_OF_ALL);
  Value i, j, k, m;
  if (stopped(vm) || !unpack(vm, least, i, j) || !unpack(vm, greatest, k, m)) return false;
  if (!expect_int(vm, i) || !expect_int(vm, j) || !expect_int(vm, k) || !expect_int(vm, m)) return false;
  box = Box{int_of(i), int_of(j), int_of(k), int_of(m)};
  return true;
}

BATT_INLINE Value box_places(Vm& vm, const Box& box) {
  i64 height = bounded_size(box.top, box.bottom), width = bounded_size(box.left, box.right);
  PlaceList list(vm, static_cast<u64>(product_of(height, width)), box);
  for (i64 k = 0; k < height && !stopped(vm); k++) list.add_run(box.top + k, box.left, static_cast<u64>(width));
  return list.made();
}

BATT_OP Value op_backdrop(Vm& vm, const Value* a) {
  u32 n = len(vm, a[0]);
  if (stopped(vm) || n == 0) return empty_set();
  Box box;
  if (!bounding_box(vm, a[0], box)) return none();
  i64 area = product_of(bounded_size(box.top, box.bottom), bounded_size(box.left, box.right));
  return too_many(vm, area) ? none() : box_places(vm, box);
}

// The places of a box that are not in `taken`, all of which lie in the box.
BATT_DEVICE_NOINLINE Value box_without(Vm& vm, const Box& box, Value taken) {
  u64 area = static_cast<u64>(box.bottom - box.top + 1) * static_cast<u64>(box.right - box.left + 1);
  Addr at = alloc<u32>(vm, area - taken.n);
  if (stopped(vm)) return none();
  u32 width = static_cast<u32>(box.right - box.left + 1), next = 0;
  u64 count = 0;
  for (i64 i = box.top; i <= box.bottom; i++) {
    u32 key = place_key(i, box.left), end = key + width;  // wraps to 0 after the very last place
    for (; key != end; key++) {
      if (next < taken.n && mem<u32>(vm, taken.bits, next) == key) next++;
      else mem<u32>(vm, at, count++) = key;
    }
  }
  return places_ascending(vm, at, count);
}

// The same for pairs: those of `all`, a SET, without those of `taken`.
BATT_DEVICE_NOINLINE Value pairs_without(Vm& vm, Value all, Value taken) {
  u64 bias = value_bias(PAIR), count = 0;
  for (u32 k = 0, next = 0; k < all.n; k++) {
    Value each = mem<Value>(vm, all.bits, k);
    while (next < taken.n && (mem<Value>(vm, taken.bits, next).bits ^ bias) < (each.bits ^ bias)) next++;
    mem<Value>(vm, all.bits, count) = each;
    count += next == taken.n || mem<Value>(vm, taken.bits, next).bits != each.bits;
  }
  return set_ascending(vm, all.bits, count);
}

// The same for places of any form. They are filtered in place: they were made last and are not used elsewhere.
BATT_DEVICE_NOINLINE Value without_taken(Vm& vm, Value all, Value taken) {
  u32 n = length(all), m = length(taken), count = 0, next = 0;
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value each = item(vm, all, k);
    int found = 1;
    while (next < m && (found = compare(vm, each, item(vm, taken, next))) > 0 && !stopped(vm)) next++;
    if (next < m && found == 0) continue;
    if (all.tag == PLACES) mem<u32>(vm, all.bits, count++) = mem<u32>(vm, all.bits, k);
    else mem<Value>(vm, all.bits, count++) = mem<Value>(vm, all.bits, k);
  }
  if (stopped(vm)) return none();
  return all.tag == PLACES ? places_ascending(vm, all.bits, count) : set_ascending(vm, all.bits, count);
}

BATT_OP Value op_delta(Vm& vm, const Value* a) {
  u32 n = len(vm, a[0]);
  if (stopped(vm) || n == 0) return empty_set();
  Box box;
  if (!bounding_box(vm, a[0], box)) return none();
  Value taken = places(vm, a[0]);
  if (stopped(vm)) return none();
  if (!is_set(taken)) return raise(vm, TYPE_ERROR);
  if (taken.tag == PLACES) return box_without(vm, box, taken);
  Value all = box_places(vm, box);
  if (stopped(vm)) return none();
  if (all.tag == SET && all_tagged(vm, all, PAIR) && all_tagged(vm, taken, PAIR)) return pairs_without(vm, all, taken);
  return without_taken(vm, all, taken);
}

// Read the first two items of a tuple, which must be ints, and make the box of one more place on each side; false if
// the machine stopped.
BATT_DEVICE_NOINLINE bool around(Vm& vm, Value place, Box& box) {
  Value i = at_index(vm, place, 0);
  if (stopped(vm) || !expect_int(vm, i)) return false;
  Value j = at_index(vm, place, 1);
  if (stopped(vm) || !expect_int(vm, j)) return false;
  box.top = minus(vm, int_of(i), 1);
  box.left = minus(vm, int_of(j), 1);
  box.bottom = plus(vm, int_of(i), 1);
  box.right = plus(vm, int_of(j), 1);
  return !stopped(vm);
}

BATT_OP Value op_dneighbors(Vm& vm, const Value* a) {
  Box box;
  if (!around(vm, a[0], box)) return none();
  PlaceList list(vm, 4, box);
  list.add(box.top, box.left + 1);
  list.add(box.top + 1, box.left);
  list.add(box.top + 1, box.right);
  list.add(box.bottom, box.left + 1);
  return list.made();
}
BATT_OP Value op_ineighbors(Vm& vm, const Value* a) {
  Box box;
  if (!around(vm, a[0], box)) return none();
  return corners_of_box(vm, box);
}
BATT_OP Value op_neighbors(Vm& vm, const Value* a) {
  Box box;
  if (!around(vm, a[0], box)) return none();
  PlaceList list(vm, 8, box);
  list.add_run(box.top, box.left, 3);
  list.add(box.top + 1, box.left);
  list.add(box.top + 1, box.right);
  list.add_run(box.bottom, box.left, 3);
  return list.made();
}

}  // namespace batt
