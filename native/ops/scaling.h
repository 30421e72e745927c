// Scale, join, compare and thin out grids: part of ops/scaling.py. The rest is in scaling_cuts.h.
#pragma once
#include "mirrors.h"
#include "scaling_cuts.h"

namespace batt {

BATT_DEVICE_NOINLINE i64 stretch_cost(Vm& vm, const Value* a, i64 factor) {
  return sum_of(1, product_of(cells(vm, a[0]), sum_of(1, factor)));
}
BATT_INLINE i64 cost_hupscale(Vm& vm, const Value* a) { return stretch_cost(vm, a, whole(a[1])); }
BATT_INLINE i64 cost_vupscale(Vm& vm, const Value* a) { return stretch_cost(vm, a, whole(a[1])); }
BATT_INLINE i64 cost_upscale(Vm& vm, const Value* a) {
  return stretch_cost(vm, a, product_of(whole(a[1]), whole(a[1])));
}
BATT_INLINE i64 cost_hconcat(Vm& vm, const Value* a) {
  return sum_of(1, product_of(2, sum_of(cells(vm, a[0]), cells(vm, a[1]))));
}

// Repeat each cell `down` times downwards and `across` times to the right.
BATT_DEVICE_NOINLINE Value stretched_grid(Vm& vm, Value g, i64 down, i64 across) {
  u32 h = grid_h(g), w = grid_w(g);
  i64 rows = product_of(h, down), width = product_of(w, across);
  if (!is_admitted(vm, rows, width)) return none();
  Value made = new_grid(vm, static_cast<u64>(rows), static_cast<u64>(width));
  if (stopped(vm) || rows == 0 || width == 0) return made;
  Addr to = grid_cells(vm, made);
  u64 k = 0, line = static_cast<u64>(width);
  for (u32 i = 0; i < h; i++) {
    for_all(vm, w, [&](u64 j) {
      u8 value = mem<u8>(vm, g.bits, static_cast<u64>(i) * w + j);
      for (u64 q = 0; q < static_cast<u64>(across); q++) mem<u8>(vm, to, k + j * static_cast<u64>(across) + q) = value;
    });
    k += line;
    for (i64 q = 1; q < down; q++, k += line) copy_bytes(vm, to + k, to + k - line, line);
  }
  return made;
}

// Repeat each item of a container `factor` times.
BATT_DEVICE_NOINLINE Value stretched_row(Vm& vm, Value row, i64 factor) {
  u32 n = length(row);
  i64 size = product_of(n, factor);
  if (size == 0) return empty_tuple();
  if (size > MOST_ITEMS) return unsupported(vm, ARENA_FULL);
  Addr at = alloc<Value>(vm, static_cast<u64>(size));
  if (stopped(vm)) return none();
  u64 k = 0;
  for (u32 j = 0; j < n; j++) {
    Value value = item(vm, row, j);
    for (i64 q = 0; q < factor; q++) mem<Value>(vm, at, k++) = value;
  }
  return tuple_at(vm, at, static_cast<u32>(size));
}

// Repeat every value of every row `factor` times, and every row `copies` times.
BATT_DEVICE_NOINLINE Value stretched_rows(Vm& vm, Value grid, Value factor, i64 copies) {
  u32 n = length(grid);
  for (u32 i = 0; i < n; i++) {
    u32 w = len(vm, item(vm, grid, i));
    if (w && !is_int(factor)) raise(vm, TYPE_ERROR);
    if (stopped(vm)) return none();
  }
  i64 rows = product_of(n, copies);
  if (rows == 0) return empty_tuple();
  if (!is_admitted(vm, rows, product_of(length(item(vm, grid, 0)), whole(factor)))) return none();
  Addr at = alloc<Value>(vm, static_cast<u64>(rows));
  if (stopped(vm)) return none();
  u64 k = 0;
  for (u32 i = 0; i < n; i++) {
    Value row = stretched_row(vm, item(vm, grid, i), whole(factor));
    if (stopped(vm)) return none();
    for (i64 q = 0; q < copies; q++) mem<Value>(vm, at, k++) = row;
  }
  return packed(vm, Value{TUPLE, static_cast<u32>(rows), at});
}

BATT_OP Value op_hupscale(Vm& vm, const Value* a) {
  Value g;
  if (is_int(a[1]) && as_grid(vm, a[0], g)) return stretched_grid(vm, g, 1, whole(a[1]));
  return is_container(a[0]) ? stretched_rows(vm, a[0], a[1], 1) : raise(vm, TYPE_ERROR);
}

BATT_OP Value op_vupscale(Vm& vm, const Value* a) {
  Value g;
  bool is_packed = is_int(a[1]) && as_grid(vm, a[0], g);
  // If the rows exceed a packed grid's, the code below shares their cells.
  if (is_packed && product_of(grid_h(g), whole(a[1])) <= MAX_SIDE) return stretched_grid(vm, g, whole(a[1]), 1);
  u32 n = len(vm, a[0]);
  if (stopped(vm) || n == 0) return empty_tuple();
  if (!is_int(a[1])) return raise(vm, TYPE_ERROR);
  Value head = item(vm, a[0], 0);
  if (!is_admitted(vm, product_of(n, whole(a[1])), is_tuple(head) ? length(head) : 1)) return none();
  Value made = stretched_row(vm, a[0], whole(a[1]));
  return stopped(vm) ? none() : packed(vm, made);
}

// Make each cell of CELLS a square; false if a place would have no key. Each row of a colour gives `factor` rows, so
// cells ascend.
BATT_DEVICE_NOINLINE bool upscale_packed(Vm& vm, Value object, i64 factor, Value& result) {
  Box box;
  if (object.tag != CELLS || factor > 0xffff || !packed_box(vm, object, box)) return false;
  result = empty_set();
  if (factor <= 0) return true;
  if (!fits16(box.top + (box.bottom - box.top + 1) * factor - 1)) return false;
  if (!fits16(box.left + (box.right - box.left + 1) * factor - 1)) return false;
  u32 n = object.n;
  i64 size = product_of(n, factor * factor);
  if (!is_admitted(vm, size, 1)) return true;
  Addr made = alloc<u64>(vm, static_cast<u64>(size));
  if (stopped(vm)) return true;
  u64 k = 0;
  for (u32 from = 0, to; from < n; from = to) {
    u64 line = mem<u64>(vm, object.bits, from) >> 16;
    for (to = from + 1; to < n && mem<u64>(vm, object.bits, to) >> 16 == line;) to++;
    u64 colour = line >> 16 << 32;
    i64 row = box.top + (key_i(static_cast<u32>(line << 16)) - box.top) * factor;
    for (i64 di = 0; di < factor; di++)
      for (u32 q = from; q < to; q++) {
        i64 column = box.left + (key_j(key_place(mem<u64>(vm, object.bits, q))) - box.left) * factor;
        for (i64 dj = 0; dj < factor; dj++) mem<u64>(vm, made, k++) = colour | place_key(row + di, column + dj);
      }
  }
  result = cells_ascending(vm, made, k);
  return true;
}

#ifndef __CUDACC__
// The same for cells whose squares have places of 32 bits.
inline bool upscale_values(Vm& vm, Value object, i64 factor, Value& result) {
  Box box;
  if (factor <= 0 || factor > 0xffff || !(packed_box(vm, object, box) || box_of_values(vm, object, CELL, box)))
    return false;
  if (object.tag == PLACES || !fits32(box.top + (box.bottom - box.top + 1) * factor - 1)) return false;
  if (!fits32(box.left + (box.right - box.left + 1) * factor - 1)) return false;
  u32 n = object.n;
  i64 size = product_of(n, factor * factor);
  if (!is_admitted(vm, size, 1)) return true;
  Addr made = alloc<Value>(vm, static_cast<u64>(size));
  if (stopped(vm)) return true;
  u64 k = 0;
  for (u32 from = 0, to; from < n; from = to) {
    Value head = item(vm, object, from);
    for (to = from + 1; to < n; to++) {
      Value each = item(vm, object, to);
      if (each.n != head.n || pair_i(each) != pair_i(head)) break;
    }
    i64 row = box.top + (pair_i(head) - box.top) * factor;
    for (i64 di = 0; di < factor; di++)
      for (u32 q = from; q < to; q++) {
        i64 column = box.left + (pair_j(item(vm, object, q)) - box.left) * factor;
        for (i64 dj = 0; dj < factor; dj++)
          mem<Value>(vm, made, k++) =
              cell_of(cell_colour(head), static_cast<i32>(row + di), static_cast<i32>(column + dj));
      }
  }
  result = set_ascending(vm, made, k);
  return true;
}
#endif

// `corner + (x - corner) * factor`, for ints.
BATT_INLINE i64 scaled_from(Vm& vm, Value corner, Value x, i64 factor) {
  return plus(vm, int_of(corner), times(vm, minus(vm, int_of(x), int_of(corner)), factor));
}

// Whether every item is a cell of two ints, and so is the corner if it is used. Only ints can be scaled: a difference
// of sets cannot be multiplied.
BATT_DEVICE_NOINLINE bool can_upscale(Vm& vm, Value object, Value top_row, Value left_column, bool used) {
  u32 n = length(object);
  for (u32 k = 0; k < n; k++) {
    Value colour, place, i, j;
    if (!unpack(vm, item(vm, object, k), colour, place) || !unpack(vm, place, i, j)) return false;
    if (!used || (is_int(i) && is_int(j) && is_int(top_row) && is_int(left_column))) continue;
    raise(vm, TYPE_ERROR);
    return false;
  }
  return true;
}

// Enlarge any non-empty set as an object.
BATT_DEVICE_NOINLINE Value upscaled_object(Vm& vm, Value object, Value factor) {
  Value result, top_row, left_column;
  if (is_int(factor) && upscale_packed(vm, object, int_of(factor), result)) return result;
#ifndef __CUDACC__
  if (is_int(factor) && upscale_values(vm, object, int_of(factor), result)) return stopped(vm) ? none() : result;
#endif
  Value corner = upper_left(vm, object);
  if (stopped(vm) || !unpack(vm, corner, top_row, left_column) || !expect_int(vm, factor)) return none();
  u32 n = length(object);
  i64 side = whole(factor), size = product_of(n, product_of(side, side));
  if (!can_upscale(vm, object, top_row, left_column, side > 0)) return none();
  if (size == 0) return empty_set();
  if (size > MOST_ITEMS) return unsupported(vm, ARENA_FULL);
  Scratch scratch(vm);
  Addr at = scratch.alloc<Value>(static_cast<u64>(size));
  if (stopped(vm)) return none();
  u64 k = 0;
  for (u32 q = 0; q < n; q++) {
    Value each = item(vm, object, q), place = item(vm, each, 1);
    i64 row = scaled_from(vm, top_row, item(vm, place, 0), side);
    i64 column = scaled_from(vm, left_column, item(vm, place, 1), side);
    for (i64 di = 0; di < side; di++)
      for (i64 dj = 0; dj < side && !stopped(vm); dj++) {
        Value spot = int_pair(vm, plus(vm, row, di), plus(vm, column, dj));
        mem<Value>(vm, at, k++) = tuple_of(vm, item(vm, each, 0), spot);
      }
    if (stopped(vm)) return none();
  }
  return set_from(vm, at, k);
}

BATT_OP Value op_upscale(Vm& vm, const Value* a) {
  Value g;
  if (is_int(a[1]) && as_grid(vm, a[0], g)) return stretched_grid(vm, g, whole(a[1]), whole(a[1]));
  u32 n = len(vm, a[0]);
  if (stopped(vm)) return none();
  if (is_set(a[0])) return n ? upscaled_object(vm, a[0], a[1]) : empty_set();
  if (n && !is_int(a[1])) return raise(vm, TYPE_ERROR);
  return stretched_rows(vm, a[0], a[1], whole(a[1]));
}

// `a + b` of two tuples.
BATT_DEVICE_NOINLINE Value concatenated(Vm& vm, Value a, Value b) {
  u32 m = length(a), n = length(b);
  if (m == 0) return b;
  if (n == 0) return a;
  if (a.tag == ROW && b.tag == ROW) {
    Addr at = alloc<u8>(vm, static_cast<u64>(m) + n);
    if (stopped(vm)) return none();
    copy_bytes(vm, at, a.bits, m);
    copy_bytes(vm, at + m, b.bits, n);
    return row_at(at, m + n);
  }
  Addr at = alloc<Value>(vm, static_cast<u64>(m) + n);
  if (stopped(vm)) return none();
  put_items(vm, a, at, 0);
  put_items(vm, b, at, m);
  return tuple_at(vm, at, m + n);
}

BATT_DEVICE_NOINLINE Value hconcat_grids(Vm& vm, Value a, Value b) {
  u32 h = smaller(grid_h(a), grid_h(b)), m = grid_w(a), n = grid_w(b);
  Value made = new_grid(vm, h, static_cast<u64>(m) + n);
  if (stopped(vm)) return none();
  Addr to = grid_cells(vm, made);
  for (u64 i = 0; i < h; i++) {
    copy_bytes(vm, to + i * (m + n), a.bits + i * m, m);
    copy_bytes(vm, to + i * (m + n) + m, b.bits + i * n, n);
  }
  return made;
}

BATT_OP Value op_hconcat(Vm& vm, const Value* a) {
  Value left_grid, right_grid;
  if (as_grid(vm, a[0], left_grid) && as_grid(vm, a[1], right_grid)) return hconcat_grids(vm, left_grid, right_grid);
  u32 m = len(vm, a[0]), n = len(vm, a[1]), h = smaller(m, n);
  if (stopped(vm) || h == 0) return empty_tuple();
  Addr at = alloc<Value>(vm, h);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < h; k++) {
    Value x = item(vm, a[0], k), y = item(vm, a[1], k), sum;
    if (is_int(x) && is_int(y)) sum = integer(plus(vm, int_of(x), int_of(y)));
    else if (is_tuple(x) && is_tuple(y)) sum = concatenated(vm, x, y);
    else return raise(vm, TYPE_ERROR);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, k) = sum;
  }
  return packed(vm, tuple_at(vm, at, h));
}

BATT_OP Value op_vconcat(Vm& vm, const Value* a) {
  if (!is_tuple(a[0]) || !is_tuple(a[1])) return raise(vm, TYPE_ERROR);
  if (a[0].tag != GRID || a[1].tag != GRID || grid_w(a[0]) != grid_w(a[1])) {
    Value made = concatenated(vm, a[0], a[1]);
    return stopped(vm) ? none() : packed(vm, made);
  }
  u32 h = grid_h(a[0]), w = grid_w(a[0]);
  Value made = new_grid(vm, static_cast<u64>(h) + grid_h(a[1]), w);
  if (stopped(vm)) return none();
  Addr to = grid_cells(vm, made);
  u64 m = static_cast<u64>(h) * w, n = static_cast<u64>(grid_h(a[1])) * w;
  copy_bytes(vm, to, a[0].bits, m);
  copy_bytes(vm, to + m, a[1].bits, n);
  return made;
}

// For two packed grids; b is at least as large as a.
BATT_DEVICE_NOINLINE Value cellwise_grids(Vm& vm, Value a, Value b, u8 fallback) {
  u32 h = grid_h(a), w = grid_w(a), other_w = grid_w(b);
  Value made = new_grid(vm, h, w);
  if (stopped(vm)) return none();
  u64 k = 0;
  for (u32 i = 0; i < h; i++) {
    u64 from = static_cast<u64>(i) * other_w;
    for (u32 j = 0; j < w; j++, k++) {
      u8 value = mem<u8>(vm, a.bits, k);
      mem<u8>(vm, made.bits, k) = value == mem<u8>(vm, b.bits, from + j) ? value : fallback;
    }
  }
  return made;
}

// `tuple([row[j] if row[j] == other[j] else fallback for j in range(w)])` with other = b[i]; w >= 1.
BATT_DEVICE_NOINLINE Value cellwise_row(Vm& vm, Value row, Value b, u32 i, Value fallback, u32 w) {
  Addr at = alloc<Value>(vm, w);
  if (stopped(vm)) return none();
  for (u32 j = 0; j < w; j++) {
    Value mine = at_index(vm, row, j);
    if (stopped(vm)) return none();
    Value other = at_index(vm, b, i);
    if (stopped(vm)) return none();
    Value theirs = at_index(vm, other, j);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, j) = equal(vm, mine, theirs) ? mine : fallback;
    if (stopped(vm)) return none();
  }
  return tuple_at(vm, at, w);
}

BATT_OP Value op_cellwise(Vm& vm, const Value* a) {
  Value g, other;
  if (is_byte(a[2]) && as_grid(vm, a[0], g) && as_grid(vm, a[1], other)) {
    if (grid_h(other) < grid_h(g) || grid_w(other) < grid_w(g)) return raise(vm, INDEX_ERROR);
    return cellwise_grids(vm, g, other, static_cast<u8>(a[2].bits));
  }
  u32 w = first_width(vm, a[0]);
  if (stopped(vm)) return none();
  u32 h = length(a[0]);
  if (w == 0) return new_grid(vm, h, 0);  // no value is read
  Addr at = alloc<Value>(vm, h);
  if (stopped(vm)) return none();
  for (u32 i = 0; i < h; i++) {
    Value row = cellwise_row(vm, item(vm, a[0], i), a[1], i, a[2], w);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, i) = row;
  }
  return packed(vm, Value{TUPLE, h, at});
}

}  // namespace batt
