// Bounding boxes, sizes and shifts of patches in any form: the helpers of ops/shapes.py that families share.
#pragma once
#include "shapes_places.h"

namespace batt {

// Get the least and the greatest row (axis 0) or column (axis 1) as Python's min and max find them; false if the
// machine stopped.
BATT_DEVICE_NOINLINE bool span(Vm& vm, Value patch, u32 axis, Value& least, Value& greatest) {
  Box box;
  if (box_of_values(vm, patch, PAIR, box) || box_of_values(vm, patch, CELL, box)) {
    least = integer(axis ? box.left : box.top);
    greatest = integer(axis ? box.right : box.bottom);
    return true;
  }
  // The places of an unusual object can look like cells, but are read as pairs.
  Value spots = patch.tag == CELLS ? patch : places(vm, patch);
  if (stopped(vm)) return false;
  i64 first, last;
  if ((spots.tag == PLACES || patch.tag == CELLS) && packed_span(vm, spots, axis, first, last)) {
    least = integer(first);
    greatest = integer(last);
    return true;
  }
  u32 n = length(spots);
  if (n == 0) raise(vm, VALUE_ERROR);
  // Two passes: the first one finds a place that is no pair before the second one compares anything.
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value at[2];
    if (!unpack(vm, item(vm, spots, k), at[0], at[1])) return false;
    if (k == 0 || less(vm, at[axis], least)) least = at[axis];
  }
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value each = item(vm, item(vm, spots, k), axis);
    if (k == 0 || less(vm, greatest, each)) greatest = each;
  }
  return !stopped(vm);
}

BATT_INLINE Value least_along(Vm& vm, Value patch, u32 axis) {
  Value least, greatest;
  return span(vm, patch, axis, least, greatest) ? least : none();
}
BATT_INLINE Value greatest_along(Vm& vm, Value patch, u32 axis) {
  Value least, greatest;
  return span(vm, patch, axis, least, greatest) ? greatest : none();
}
BATT_INLINE Value top(Vm& vm, Value patch) { return least_along(vm, patch, 0); }
BATT_INLINE Value bottom(Vm& vm, Value patch) { return greatest_along(vm, patch, 0); }
BATT_INLINE Value left(Vm& vm, Value patch) { return least_along(vm, patch, 1); }
BATT_INLINE Value right(Vm& vm, Value patch) { return greatest_along(vm, patch, 1); }

// Python's `a + b` for an int b, and `-a`; a TypeError if a is not an int.
BATT_INLINE Value sum_with(Vm& vm, Value a, i64 b) {
  return is_int(a) ? integer(plus(vm, int_of(a), b)) : raise(vm, TYPE_ERROR);
}
BATT_INLINE Value negative(Vm& vm, Value a) {
  return is_int(a) ? integer(minus(vm, 0, int_of(a))) : raise(vm, TYPE_ERROR);
}

// `last - first + 1`, for ints only: nothing can be added to a difference of sets.
BATT_INLINE Value size_between(Vm& vm, Value first, Value last) {
  if (!is_int(first) || !is_int(last)) return raise(vm, TYPE_ERROR);
  return integer(plus(vm, minus(vm, int_of(last), int_of(first)), 1));
}

// The rows of a grid or of a patch's bounding box; 0 for an empty piece.
BATT_INLINE Value height_of(Vm& vm, Value piece) {
  u32 n = len(vm, piece);
  if (stopped(vm)) return none();
  if (is_tuple(piece) || n == 0) return integer(n);
  Value first, last;
  return span(vm, piece, 0, first, last) ? size_between(vm, first, last) : none();
}

// The columns of a grid's first row or of a patch's bounding box; 0 for an empty piece.
BATT_INLINE Value width_of(Vm& vm, Value piece) {
  u32 n = len(vm, piece);
  if (stopped(vm)) return none();
  if (n == 0) return integer(0);
  if (is_tuple(piece)) return integer(len(vm, item(vm, piece, 0)));
  Value first, last;
  return span(vm, piece, 1, first, last) ? size_between(vm, first, last) : none();
}

// The number of components that all places have: the length of `zip(*places)`. Raises a TypeError if a place cannot be
// iterated.
BATT_DEVICE_NOINLINE u32 component_count(Vm& vm, Value spots) {
  u32 n = length(spots), count = n ? ~0u : 0;
  if (spots.tag == PLACES) return 2;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, spots, k);
    if (!is_container(each)) {
      raise(vm, TYPE_ERROR);
      return 0;
    }
    count = smaller(count, length(each));
  }
  return count;
}

// The least or the greatest value of one component, which all places have.
BATT_DEVICE_NOINLINE Value extreme(Vm& vm, Value spots, u32 component, bool greatest) {
  i64 first, last;
  if (spots.tag == PLACES && packed_span(vm, spots, component, first, last)) return integer(greatest ? last : first);
  Box box;
  if (component < 2 && box_of_values(vm, spots, PAIR, box))
    return integer(component ? (greatest ? box.right : box.left) : greatest ? box.bottom : box.top);
  Value found = item(vm, item(vm, spots, 0), component);
  u32 n = length(spots);
  for (u32 k = 1; k < n && !stopped(vm); k++) {
    Value each = item(vm, item(vm, spots, k), component);
    if (greatest ? less(vm, found, each) : less(vm, each, found)) found = each;
  }
  return found;
}

// The tuple of the extremes of all components. Bit k of `greatest` is for component k, the last bit also for all that
// follow.
BATT_DEVICE_NOINLINE Value corner_of(Vm& vm, Value spots, u32 greatest) {
  u32 count = component_count(vm, spots);
  if (stopped(vm) || count == 0) return empty_tuple();
  Addr at = alloc<Value>(vm, count);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < count; k++) {
    mem<Value>(vm, at, k) = extreme(vm, spots, k, greatest >> smaller(k, 31u) & 1u);
    if (stopped(vm)) return none();
  }
  return tuple_at(vm, at, count);
}
constexpr u32 LEAST_OF_ALL = 0, GREATEST_OF_ALL = ~0u;

// The least of each component of the places; () for an empty patch.
BATT_INLINE Value upper_left(Vm& vm, Value patch) {
  Box box;
  if (patch_box(vm, patch, box)) return int_pair(vm, box.top, box.left);
  Value spots = places(vm, patch);
  return stopped(vm) ? none() : corner_of(vm, spots, LEAST_OF_ALL);
}

// The transposed places, a tuple of tuples: all rows, then all columns, up to the length of the shortest place.
BATT_DEVICE_NOINLINE bool components(Vm& vm, Value patch, Value& lines) {
  Value spots = places(vm, patch);
  if (stopped(vm)) return false;
  u32 count = component_count(vm, spots), n = length(spots);
  if (stopped(vm)) return false;
  Addr found = alloc<Value>(vm, count);
  if (stopped(vm)) return false;
  for (u32 k = 0; k < count; k++) {
    Addr at = alloc<Value>(vm, n);
    if (stopped(vm)) return false;
    for (u32 q = 0; q < n; q++) mem<Value>(vm, at, q) = item(vm, item(vm, spots, q), k);
    mem<Value>(vm, found, k) = tuple_at(vm, at, n);
  }
  lines = count ? Value{TUPLE, count, found} : empty_tuple();
  return true;
}

// Get the center of the bounding box, the lower right one of an even size; false if the machine stopped.
BATT_DEVICE_NOINLINE bool center_of(Vm& vm, Value patch, Value& i, Value& j) {
  Value first_row, last_row, first_column, last_column;
  Box box;
  if (patch_box(vm, patch, box)) {
    bool tuple = is_tuple(patch);  // whose height and width are those of a grid
    i = integer(box.top + (tuple ? length(patch) : box.bottom - box.top + 1) / 2);
    j = integer(box.left + (tuple ? 2 : box.right - box.left + 1) / 2);
    return true;
  }
  if (is_tuple(patch)) {
    i = sum_with(vm, top(vm, patch), length(patch) / 2);
    if (stopped(vm)) return false;
    Value first = left(vm, patch), width = stopped(vm) ? none() : width_of(vm, patch);
    if (stopped(vm)) return false;
    j = sum_with(vm, first, int_of(width) / 2);
    return !stopped(vm);
  }
  if (!span(vm, patch, 0, first_row, last_row) || !span(vm, patch, 1, first_column, last_column)) return false;
  Value height = size_between(vm, first_row, last_row);
  if (stopped(vm)) return false;
  i = sum_with(vm, first_row, int_of(height) / 2);
  Value width = size_between(vm, first_column, last_column);
  if (stopped(vm)) return false;
  j = sum_with(vm, first_column, int_of(width) / 2);
  return !stopped(vm);
}

// Move PLACES or CELLS; false if a place would have no key. All keys change by the same number, so the order stays.
BATT_DEVICE_NOINLINE bool moved_packed(Vm& vm, Value patch, i64 di, i64 dj, Value& result) {
  Box box;
  if (!fits32(di) || !fits32(dj) || !packed_box(vm, patch, box)) return false;
  if (!fits16(box.top + di) || !fits16(box.bottom + di)) return false;
  if (!fits16(box.left + dj) || !fits16(box.right + dj)) return false;
  if (di == 0 && dj == 0) {
    result = patch;
    return true;
  }
  u32 n = patch.n, step = (static_cast<u32>(di) << 16) + static_cast<u32>(dj);
  Addr at = patch.tag == PLACES ? alloc<u32>(vm, n) : alloc<u64>(vm, n);
  result = Value{patch.tag, n, at};
  if (stopped(vm)) return true;
  if (patch.tag == PLACES) {
    for_all(vm, n, [&](u64 k) { mem<u32>(vm, at, k) = mem<u32>(vm, patch.bits, k) + step; });
  } else {
    for_all(vm, n, [&](u64 k) {
      u64 key = mem<u64>(vm, patch.bits, k);
      mem<u64>(vm, at, k) = (key >> 32) << 32 | (key_place(key) + step);
    });
  }
  return true;
}

// The same for a SET of places or cells whose places stay within 32 bits.
BATT_DEVICE_NOINLINE bool moved_values(Vm& vm, Value patch, i64 di, i64 dj, Value& result) {
  Box box;
  if (patch.tag != SET || !fits32(di) || !fits32(dj) || !set_box(vm, patch, box)) return false;
  if (!fits32(box.top + di) || !fits32(box.bottom + di)) return false;
  if (!fits32(box.left + dj) || !fits32(box.right + dj)) return false;
  Addr at = alloc<Value>(vm, patch.n);
  if (stopped(vm)) return true;
  for_all(vm, patch.n, [&](u64 k) {
    Value each = mem<Value>(vm, patch.bits, k);
    each.bits = pair_of(static_cast<i32>(pair_i(each) + di), static_cast<i32>(pair_j(each) + dj)).bits;
    mem<Value>(vm, at, k) = each;
  });
  result = set_ascending(vm, at, patch.n);
  return true;
}

// Move an item of a patch: a cell (colour, (i, j)) or a place (i, j).
BATT_INLINE Value moved_item(Vm& vm, Value each, bool cells, i64 di, i64 dj) {
  if (each.tag == (cells ? CELL : PAIR) && fits32(di) && fits32(dj)) {
    i64 row = pair_i(each) + di, column = pair_j(each) + dj;
    if (fits32(row) && fits32(column)) {
      each.bits = pair_of(static_cast<i32>(row), static_cast<i32>(column)).bits;
      return each;
    }
  }
  Value colour, place = each, i, j;
  if (cells && !unpack(vm, each, colour, place)) return none();
  if (!unpack(vm, place, i, j)) return none();
  if (!is_int(i) || !is_int(j)) return raise(vm, TYPE_ERROR);
  place = int_pair(vm, plus(vm, int_of(i), di), plus(vm, int_of(j), dj));
  return cells ? tuple_of(vm, colour, place) : place;
}

// `shift`: add the directions to every place, as a set. An empty patch stays as it is, and the directions are not read.
BATT_DEVICE_NOINLINE Value moved(Vm& vm, Value patch, Value directions) {
  u32 n = len(vm, patch);
  if (stopped(vm) || n == 0) return patch;
  Value di, dj, result;
  if (!unpack(vm, directions, di, dj)) return none();
  bool ints = is_int(di) && is_int(dj);
  if (ints) patch = patch_of_tuple(vm, patch);
  if (stopped(vm)) return none();
  n = length(patch);
  if (ints && moved_packed(vm, patch, int_of(di), int_of(dj), result)) return result;
  if (ints && moved_values(vm, patch, int_of(di), int_of(dj), result)) return stopped(vm) ? none() : result;
  bool cells = is_object(vm, patch);
  if (stopped(vm)) return none();
  if (!ints) {  // the first item raises, for its own error or for this one
    moved_item(vm, item(vm, patch, 0), cells, 0, 0);
    return raise(vm, TYPE_ERROR);
  }
  Scratch scratch(vm);
  Addr from = scratch.alloc<Value>(n);
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value each = moved_item(vm, item(vm, patch, k), cells, int_of(di), int_of(dj));
    mem<Value>(vm, from, k) = each;
  }
  return stopped(vm) ? none() : set_from(vm, from, n);
}

// `normalize`: move the patch so that its bounding box starts at (0, 0).
BATT_DEVICE_NOINLINE Value normalized(Vm& vm, Value patch) {
  u32 n = len(vm, patch);
  if (stopped(vm) || n == 0) return patch;
  Box box;
  Value result;
  if (packed_box(vm, patch, box) && moved_packed(vm, patch, -box.top, -box.left, result)) return result;
  if (patch_box(vm, patch, box)) return moved(vm, patch, int_pair(vm, -box.top, -box.left));
  Value di = negative(vm, top(vm, patch));
  if (stopped(vm)) return none();
  Value dj = negative(vm, left(vm, patch));
  if (stopped(vm)) return none();
  Value directions = tuple_of(vm, di, dj);
  return stopped(vm) ? none() : moved(vm, patch, directions);
}

// The number of ints from `least` to `greatest`, for costs: it saturates instead of overflowing.
BATT_INLINE i64 bounded_size(i64 least, i64 greatest) {
  u64 size = static_cast<u64>(greatest) - static_cast<u64>(least);
  return size >= static_cast<u64>(VAST) ? VAST : static_cast<i64>(size) + 1;
}

BATT_DEVICE_NOINLINE bool try_extent(Vm& vm, Value patch, i64& height, i64& width) {
  Value spots = places(vm, patch);
  if (stopped(vm) || component_count(vm, spots) != 2 || stopped(vm)) return false;
  Value found[4];
  BATT_NO_UNROLL
  for (u32 k = 0; k < 4; k++) {
    found[k] = extreme(vm, spots, k / 2, k % 2);
    if (stopped(vm) || !is_int(found[k])) return false;
  }
  height = bounded_size(int_of(found[0]), int_of(found[1]));
  width = bounded_size(int_of(found[2]), int_of(found[3]));
  return true;
}

// Get height and width of the bounding box, for costs: (0, 0) if there is none, never an error.
BATT_DEVICE_NOINLINE void extent(Vm& vm, Value patch, i64& height, i64& width) {
  Box box;
  if (patch_box(vm, patch, box)) {
    height = box.bottom - box.top + 1;
    width = box.right - box.left + 1;
    return;
  }
  height = width = 0;
  if (!is_container(patch)) return;
  Addr mark = vm.region[vm.side].top;
  try_extent(vm, patch, height, width);
  vm.region[vm.side].top = mark;
  if (vm.status == RAISED) {
    vm.status = RUNNING;
    vm.error = NO_ERROR;
  }
}

}  // namespace batt
