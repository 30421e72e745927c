// Mirrors and rotations: ops/mirrors.py. Grids are turned as a whole, patches are reflected within their own bounding
// box.
#pragma once
#include "shapes.h"
#include "slices.h"

namespace batt {

enum Mirror : u32 { UPSIDE_DOWN, LEFT_TO_RIGHT, DIAGONAL, OTHER_DIAGONAL };

// Maps a place of a packed patch to (row + row_sign * i, column + column_sign * j); a diagonal mirror swaps i and j
// first. There are `lines` new rows, from `first` on.
struct Reflection {
  bool swap;
  i64 row, row_sign, column, column_sign;
  i64 first, lines;
  BATT_INLINE i64 new_row(u32 place) const { return row + row_sign * (swap ? key_j(place) : key_i(place)); }
  BATT_INLINE i64 new_column(u32 place) const { return column + column_sign * (swap ? key_i(place) : key_j(place)); }
};

BATT_DEVICE_NOINLINE Reflection reflection_of(Mirror mirror, const Box& box) {
  i64 height = box.bottom - box.top + 1, width = box.right - box.left + 1;
  switch (mirror) {
    case UPSIDE_DOWN: return Reflection{false, box.top + box.bottom, -1, 0, 1, box.top, height};
    case LEFT_TO_RIGHT: return Reflection{false, 0, 1, box.left + box.right, -1, box.top, height};
    case DIAGONAL: return Reflection{true, box.top - box.left, 1, box.left - box.top, 1, box.top, width};
    default: return Reflection{true, box.top + box.right, -1, box.left + box.bottom, -1, box.top, width};
  }
}

// Reflect the keys [from, to) of one colour and write them in ascending order, by a counting sort of their new rows.
// Within a new row, columns ascend if keys are read forwards, or backwards if columns change their direction.
template <class Key>
BATT_DEVICE_NOINLINE void reflect_by_rows(Vm& vm, Addr source, Addr made, u32 from, u32 to, const Reflection& r,
                                          Addr counts) {
  u64 lines = static_cast<u64>(r.lines);
  for (u64 k = 0; k <= lines; k++) mem<u32>(vm, counts, k) = 0;
  for (u32 k = from; k < to; k++) {
    u32 place = static_cast<u32>(mem<Key>(vm, source, k));
    mem<u32>(vm, counts, static_cast<u64>(r.new_row(place) - r.first + 1))++;
  }
  for (u64 k = 1; k < lines; k++) mem<u32>(vm, counts, k) += mem<u32>(vm, counts, k - 1);
  bool forwards = r.column_sign > 0;
  for (u32 k = from; k < to; k++) {
    Key key = mem<Key>(vm, source, forwards ? k : to - 1 - (k - from));
    u32 place = static_cast<u32>(key);
    i64 row = r.new_row(place);
    u32 spot = from + mem<u32>(vm, counts, static_cast<u64>(row - r.first))++;
    mem<Key>(vm, made, spot) = (key - place) | place_key(row, r.new_column(place));
  }
}

// Reflect PLACES or CELLS, colour by colour. Distinct places stay distinct.
template <class Key> BATT_DEVICE_NOINLINE Value reflect_keys(Vm& vm, Value patch, const Reflection& r) {
  u32 n = patch.n;
  Addr made = alloc<Key>(vm, n);
  Scratch scratch(vm);
  Addr counts = scratch.alloc<u32>(static_cast<u64>(r.lines) + 1);
  if (stopped(vm)) return none();
  for (u32 from = 0, to; from < n; from = to) {
    u64 colour = static_cast<u64>(mem<Key>(vm, patch.bits, from)) >> 32;
    for (to = from + 1; to < n && static_cast<u64>(mem<Key>(vm, patch.bits, to)) >> 32 == colour;) to++;
    if (r.lines <= 8 * static_cast<i64>(to - from)) {
      reflect_by_rows<Key>(vm, patch.bits, made, from, to, r, counts);
      continue;
    }
    for (u32 k = from; k < to; k++) {
      Key key = mem<Key>(vm, patch.bits, k);
      u32 place = static_cast<u32>(key);
      mem<Key>(vm, made, k) = (key - place) | place_key(r.new_row(place), r.new_column(place));
    }
    sort_keys<Key>(vm, made + from * sizeof(Key), to - from);
    if (stopped(vm)) return none();
  }
  return Value{patch.tag, n, made};
}

// Reflect a packed patch; false for any other form, and if a place would leave 16 bits.
BATT_INLINE bool reflect_packed(Vm& vm, Value patch, Mirror mirror, Value& result) {
  Box box;
  if (!packed_box(vm, patch, box)) return false;
  Reflection r = reflection_of(mirror, box);
  if (r.swap && (!fits16(box.top + box.right - box.left) || !fits16(box.left + box.bottom - box.top))) return false;
  result = patch.tag == PLACES ? reflect_keys<u32>(vm, patch, r) : reflect_keys<u64>(vm, patch, r);
  return true;
}

// The numbers for the reflection of any patch. None stands for what is not an int and fails when it is used.
struct Axes {
  Mirror mirror;
  Value row, column;  // the upper left corner for the main diagonal, else sums of opposite sides
};

// `a + b` of corners. Tuples can be added, but nothing can be subtracted from their sum: it becomes None.
BATT_INLINE Value sum_of_sides(Vm& vm, Value a, Value b) {
  if (is_int(a) && is_int(b)) return integer(plus(vm, int_of(a), int_of(b)));
  return is_tuple(a) && is_tuple(b) ? none() : raise(vm, TYPE_ERROR);
}

BATT_DEVICE_NOINLINE bool axes_of(Vm& vm, Value patch, Axes& axes) {
  Value spots = places(vm, patch);
  if (stopped(vm)) return false;
  Value first = corner_of(vm, spots, LEAST_OF_ALL);
  if (stopped(vm)) return false;
  Value last = corner_of(vm, spots, GREATEST_OF_ALL);
  if (stopped(vm)) return false;
  if (axes.mirror == DIAGONAL) return unpack(vm, first, axes.row, axes.column);
  u32 needed = axes.mirror == UPSIDE_DOWN ? 1 : 2;
  if (length(first) < needed) {
    raise(vm, INDEX_ERROR);
    return false;
  }
  if (axes.mirror == UPSIDE_DOWN) {
    axes.row = sum_of_sides(vm, item(vm, first, 0), item(vm, last, 0));
  } else if (axes.mirror == LEFT_TO_RIGHT) {
    axes.column = sum_of_sides(vm, item(vm, first, 1), item(vm, last, 1));
  } else {
    axes.row = sum_of_sides(vm, item(vm, first, 0), item(vm, last, 1));
    if (!stopped(vm)) axes.column = sum_of_sides(vm, item(vm, first, 1), item(vm, last, 0));
  }
  return !stopped(vm);
}

// Python's `a - b`, where a is an int, or a value from which nothing can be subtracted.
BATT_INLINE Value difference_of(Vm& vm, Value a, Value b) {
  return is_int(a) && is_int(b) ? integer(minus(vm, int_of(a), int_of(b))) : raise(vm, TYPE_ERROR);
}

// `base + x - other`, for ints only: a sum of tuples fails at the difference.
BATT_INLINE Value shifted_by(Vm& vm, Value base, Value x, Value other) {
  if (!is_int(base) || !is_int(x)) return raise(vm, TYPE_ERROR);
  return difference_of(vm, integer(plus(vm, int_of(base), int_of(x))), other);
}

BATT_DEVICE_NOINLINE Value reflect_place(Vm& vm, Value place, const Axes& axes) {
  Value i, j;
  if (!unpack(vm, place, i, j)) return none();
  Value row = i, column = j;
  switch (axes.mirror) {
    case UPSIDE_DOWN: row = difference_of(vm, axes.row, i); break;
    case LEFT_TO_RIGHT: column = difference_of(vm, axes.column, j); break;
    case DIAGONAL:
      row = shifted_by(vm, axes.row, j, axes.column);
      column = shifted_by(vm, axes.column, i, axes.row);
      break;
    default: row = difference_of(vm, axes.row, j); column = difference_of(vm, axes.column, i);
  }
  return stopped(vm) ? none() : tuple_of(vm, row, column);
}

// Reflect a set that holds places or cells as values; false for any other form, and if a place would leave 32 bits.
BATT_INLINE bool reflect_values(Vm& vm, Value patch, Mirror mirror, Value& result) {
  Box box;
  if (patch.tag != SET || !set_box(vm, patch, box)) return false;
  bool turned = mirror == DIAGONAL || mirror == OTHER_DIAGONAL;
  if (turned && (!fits32(box.top + box.right - box.left) || !fits32(box.left + box.bottom - box.top))) return false;
  Addr at = alloc<Value>(vm, patch.n);
  if (stopped(vm)) return true;
  for_all(vm, patch.n, [&](u64 k) {
    Value each = mem<Value>(vm, patch.bits, k);
    i64 i = pair_i(each), j = pair_j(each), row = i, column = j;
    if (mirror == UPSIDE_DOWN) row = box.top + box.bottom - i;
    else if (mirror == LEFT_TO_RIGHT) column = box.left + box.right - j;
    else {
      row = mirror == DIAGONAL ? box.top + j - box.left : box.top + box.right - j;
      column = mirror == DIAGONAL ? box.left + i - box.top : box.left + box.bottom - i;
    }
    each.bits = pair_of(static_cast<i32>(row), static_cast<i32>(column)).bits;
    mem<Value>(vm, at, k) = each;
  });
  result = set_at(vm, at, patch.n);
  return true;
}

// Reflect any patch; the first bad item decides the error.
BATT_DEVICE_NOINLINE Value reflected(Vm& vm, Value patch, Mirror mirror) {
  Value result;
  if (reflect_packed(vm, patch, mirror, result)) return result;
  if (reflect_values(vm, patch, mirror, result)) return stopped(vm) ? none() : result;
  Axes axes{mirror, none(), none()};
  if (!axes_of(vm, patch, axes)) return none();
  bool cells = is_object(vm, patch);
  u32 n = length(patch);
  Scratch scratch(vm);
  Addr at = scratch.alloc<Value>(n);
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value colour, place = item(vm, patch, k);
    if (cells && !unpack(vm, place, colour, place)) return none();
    place = reflect_place(vm, place, axes);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, k) = cells ? tuple_of(vm, colour, place) : place;
  }
  return stopped(vm) ? none() : set_from(vm, at, n);
}

BATT_OP Value op_rot90(Vm& vm, const Value* a) {
  Value g;
  if (as_grid(vm, a[0], g)) {
    i64 h = grid_h(g), w = grid_w(g);
    return walked(vm, g.bits, (h - 1) * w, grid_w(g), grid_h(g), 1, -w);
  }
  return is_tuple(a[0]) ? zipped(vm, a[0], true) : raise(vm, TYPE_ERROR);
}

BATT_OP Value op_rot180(Vm& vm, const Value* a) { return cut_grid(vm, a[0], backward_slice(), backward_slice()); }

BATT_OP Value op_rot270(Vm& vm, const Value* a) {
  Value g;
  if (as_grid(vm, a[0], g)) {
    i64 w = grid_w(g);
    return walked(vm, g.bits, w - 1, grid_w(g), grid_h(g), -1, w);
  }
  if (!is_tuple(a[0])) return raise(vm, TYPE_ERROR);
  Value columns = zipped(vm, a[0], false);
  return stopped(vm) ? none() : sliced(vm, columns, backward_slice());
}

BATT_OP Value op_hmirror(Vm& vm, const Value* a) {
  return is_tuple(a[0]) ? sliced(vm, packed(vm, a[0]), backward_slice()) : reflected(vm, a[0], UPSIDE_DOWN);
}

BATT_OP Value op_vmirror(Vm& vm, const Value* a) {
  return is_tuple(a[0]) ? cut_grid(vm, a[0], whole_slice(), backward_slice()) : reflected(vm, a[0], LEFT_TO_RIGHT);
}

BATT_OP Value op_dmirror(Vm& vm, const Value* a) {
  Value g;
  if (as_grid(vm, a[0], g)) return walked(vm, g.bits, 0, grid_w(g), grid_h(g), 1, grid_w(g));
  return is_tuple(a[0]) ? zipped(vm, a[0], false) : reflected(vm, a[0], DIAGONAL);
}

BATT_OP Value op_cmirror(Vm& vm, const Value* a) {
  Value g;
  if (as_grid(vm, a[0], g)) {
    i64 h = grid_h(g), w = grid_w(g);
    return walked(vm, g.bits, h * w - 1, grid_w(g), grid_h(g), -1, -w);
  }
  if (!is_tuple(a[0])) return reflected(vm, a[0], OTHER_DIAGONAL);
  Value turned = cut_rows(vm, a[0], backward_slice(), backward_slice());
  return stopped(vm) ? none() : zipped(vm, turned, false);
}

}  // namespace batt
