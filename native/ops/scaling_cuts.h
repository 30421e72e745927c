// Cut grids apart by Python's slice rules: part of ops/scaling.py.
#pragma once
#include "containers_sets.h"
#include "mirrors.h"
#include "shapes_colours.h"

namespace batt {

constexpr i64 MOST_ITEMS = 0x7fffffff;  // of a tuple; far beyond any arena

// Whether a result of `rows` rows of `width` values is within the budget and may be made. For ops with a cost of their
// own, whose result is checked only against the limit of items. Nothing after this may raise.
BATT_INLINE bool is_admitted(Vm& vm, i64 rows, i64 width) {
  i64 size = product_of(rows, larger(width, 1LL));
  if (size > vm.max_items) stop_with(vm, OVER_BUDGET);
  else if (size > MOST_ITEMS) unsupported(vm, ARENA_FULL);
  return !stopped(vm);
}

BATT_INLINE i64 split_cost(Vm& vm, const Value* a) { return sum_of(1, sum_of(items(vm, a[0]), whole(a[1]))); }
BATT_INLINE i64 cost_hsplit(Vm& vm, const Value* a) { return split_cost(vm, a); }
BATT_INLINE i64 cost_vsplit(Vm& vm, const Value* a) { return split_cost(vm, a); }

// `len(grid[0])`
BATT_INLINE u32 first_width(Vm& vm, Value grid) {
  Value head = at_index(vm, grid, 0);
  return stopped(vm) ? 0 : len(vm, head);
}

BATT_OP Value op_downscale(Vm& vm, const Value* a) {
  u32 width = first_width(vm, a[0]);
  if (stopped(vm) || !expect_int(vm, a[1])) return none();
  i64 factor = int_of(a[1]);
  if (factor == 0) return raise(vm, ZERO_DIVISION_ERROR);
  i64 step = factor == INT64_LEAST ? INT64_MOST : factor < 0 ? -factor : factor;
  return cut_grid(vm, a[0], slice(0, INT64_MOST, step), slice(0, width, step));
}

// The end of a slice of a given start and size. Beyond 64 bits it is the last int, which takes the same items.
BATT_INLINE i64 slice_end(i64 from, i64 size) {
  if (size > 0 && from > INT64_MOST - size) return INT64_MOST;
  return size < 0 && from < INT64_LEAST - size ? INT64_LEAST : from + size;
}

// Get the slice `[start[axis] : start[axis] + dims[axis]]`; false if these are not ints.
BATT_INLINE bool slice_along(Vm& vm, Value start, Value dims, u32 axis, Slice& found) {
  Value from = at_index(vm, start, axis);
  if (stopped(vm)) return false;
  Value size = at_index(vm, dims, axis);
  if (stopped(vm) || !expect_int(vm, from) || !expect_int(vm, size)) return false;
  found = slice(int_of(from), slice_end(int_of(from), int_of(size)));
  return true;
}

BATT_INLINE Value cropped(Vm& vm, Value grid, Value start, Value dims) {
  Slice rows, columns;
  if (!slice_along(vm, start, dims, 0, rows)) return none();
  if (!is_tuple(grid)) return raise(vm, TYPE_ERROR);
  if (cut_of(rows, length(grid)).count == 0) return empty_tuple();  // columns are not read
  if (!slice_along(vm, start, dims, 1, columns)) return none();
  return cut_grid(vm, grid, rows, columns);
}

BATT_OP Value op_crop(Vm& vm, const Value* a) { return cropped(vm, a[0], a[1], a[2]); }

BATT_OP Value op_subgrid(Vm& vm, const Value* a) {
  Box box;
  if (set_box(vm, a[0], box) && is_tuple(a[1]))
    return cut_grid(vm, a[1], slice(box.top, box.bottom + 1), slice(box.left, box.right + 1));
  Value start = upper_left(vm, a[0]);
  if (stopped(vm)) return none();
  Value height = height_of(vm, a[0]);
  if (stopped(vm)) return none();
  Value width = width_of(vm, a[0]);
  if (stopped(vm)) return none();
  Value dims = tuple_of(vm, height, width);
  return stopped(vm) ? none() : cropped(vm, a[1], start, dims);
}

BATT_OP Value op_trim(Vm& vm, const Value* a) { return cut_grid(vm, a[0], slice(1, -1), slice(1, -1)); }

BATT_OP Value op_tophalf(Vm& vm, const Value* a) { return sliced(vm, a[0], slice(0, length(a[0]) / 2)); }

BATT_OP Value op_bottomhalf(Vm& vm, const Value* a) {
  return sliced(vm, a[0], slice((static_cast<i64>(length(a[0])) + 1) / 2, INT64_MOST));
}

// The left or right half of the columns that all rows have, () if there are none. Rows may be sets, which become
// tuples.
BATT_DEVICE_NOINLINE Value half_of_columns(Vm& vm, Value grid, bool right_half) {
  Value g;
  bool is_packed = as_grid(vm, grid, g);
  if (!is_packed && !is_tuple(grid)) return raise(vm, TYPE_ERROR);
  u32 w = is_packed ? grid_w(g) : shortest(vm, grid), half = w / 2, from = right_half ? w - half : 0;
  if (stopped(vm) || half == 0) return empty_tuple();
  if (is_packed) return walked(vm, g.bits, from, grid_h(g), half, w, 1);
  u32 h = length(grid);
  Addr at = alloc<Value>(vm, h);
  if (stopped(vm)) return none();
  for (u32 i = 0; i < h; i++) {
    Addr row = alloc<Value>(vm, half);
    if (stopped(vm)) return none();
    for (u32 j = 0; j < half; j++) mem<Value>(vm, row, j) = item(vm, item(vm, grid, i), from + j);
    mem<Value>(vm, at, i) = tuple_at(vm, row, half);
  }
  return packed(vm, Value{TUPLE, h, at});
}

BATT_OP Value op_lefthalf(Vm& vm, const Value* a) { return half_of_columns(vm, a[0], false); }
BATT_OP Value op_righthalf(Vm& vm, const Value* a) { return half_of_columns(vm, a[0], true); }

// `divmod(size, n)`, and the distance between the starts of n pieces.
struct Pieces {
  i64 size, stride;
};
BATT_INLINE bool pieces_of(Vm& vm, u32 size, Value n, Pieces& pieces) {
  if (!expect_int(vm, n)) return false;
  if (int_of(n) == 0) {
    raise(vm, ZERO_DIVISION_ERROR);
    return false;
  }
  pieces.size = floor_div(vm, size, int_of(n));
  pieces.stride = pieces.size + (size % int_of(n) != 0);
  return true;
}

// Repeat a piece n times.
BATT_INLINE Value repeated_piece(Vm& vm, Value piece, i64 n) {
  if (n <= 0) return empty_tuple();
  if (!is_admitted(vm, n, length(piece))) return none();
  Addr at = alloc<Value>(vm, static_cast<u64>(n));
  if (stopped(vm)) return none();
  for (i64 k = 0; k < n; k++) mem<Value>(vm, at, static_cast<u64>(k)) = piece;
  return Value{TUPLE, static_cast<u32>(n), at};
}

// Cut pieces 0 … n - 1 of a grid by rows or by columns; n >= 1, and at most the number of rows or columns.
BATT_DEVICE_NOINLINE Value cut_pieces(Vm& vm, Value grid, u32 n, Pieces pieces, bool by_rows, u32 width) {
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    Slice part = slice(k * pieces.stride, k * pieces.stride + pieces.size);
    Value piece = by_rows ? cut_grid(vm, grid, part, slice(0, width)) : cut_grid(vm, grid, whole_slice(), part);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, k) = piece;
  }
  return Value{TUPLE, n, at};
}

BATT_OP Value op_hsplit(Vm& vm, const Value* a) {
  u32 width = first_width(vm, a[0]);
  Pieces pieces;
  if (stopped(vm) || !pieces_of(vm, width, a[1], pieces)) return none();
  i64 n = int_of(a[1]);
  if (pieces.size == 0) {
    Value piece = cut_grid(vm, a[0], whole_slice(), slice(0, 0));
    return stopped(vm) ? none() : repeated_piece(vm, piece, n);
  }
  if (n < 0) return empty_tuple();
  Value grid = packed(vm, a[0]);
  return stopped(vm) ? none() : cut_pieces(vm, grid, static_cast<u32>(n), pieces, false, width);
}

BATT_OP Value op_vsplit(Vm& vm, const Value* a) {
  u32 height = len(vm, a[0]);
  Pieces pieces;
  if (stopped(vm) || !pieces_of(vm, height, a[1], pieces)) return none();
  u32 width = first_width(vm, a[0]);
  if (stopped(vm)) return none();
  i64 n = int_of(a[1]);
  if (n < 0 || pieces.size == 0) return repeated_piece(vm, empty_tuple(), n);
  Value grid = packed(vm, a[0]);
  return stopped(vm) ? none() : cut_pieces(vm, grid, static_cast<u32>(n), pieces, true, width);
}

// `len(set(v)) == 1`: whether a container has items and all are equal.
BATT_INLINE bool is_uniform_line(Vm& vm, Value v) {
  u32 n = length(v);
  if (is_set(v)) return n == 1;
  for (u32 k = 1; k < n; k++)
    if (!equal(vm, item(vm, v, k), item(vm, v, 0)) || stopped(vm)) return false;
  return n > 0;
}

BATT_INLINE bool is_uniform_row(const Vm& vm, Addr row, u32 w) {
  u8 first = mem<u8>(vm, row, 0);
  for (u32 j = 1; j < w; j++)
    if (mem<u8>(vm, row, j) != first) return false;
  return true;
}

// Find the columns of a packed grid that are not uniform: write u32[] of them, return how many.
BATT_DEVICE_NOINLINE u32 varied_columns(Vm& vm, Value g, Addr columns) {
  u32 h = grid_h(g), w = grid_w(g), kept = 0;
  for (u32 j = 0; j < w; j++) {
    u8 first = mem<u8>(vm, g.bits, j);
    u64 at = j;
    u32 i = 0;
    while (i < h && mem<u8>(vm, g.bits, at) == first) {
      i++;
      at += w;
    }
    if (i < h) mem<u32>(vm, columns, kept++) = j;
  }
  return kept;
}

BATT_DEVICE_NOINLINE Value compressed_grid(Vm& vm, Value g) {
  u32 h = grid_h(g), w = grid_w(g), rows = 0;
  Scratch scratch(vm);
  Addr columns = scratch.alloc<u32>(w), kept = scratch.alloc<u32>(h);
  if (stopped(vm)) return none();
  u32 width = varied_columns(vm, g, columns);
  for (u32 i = 0; i < h; i++)
    if (!is_uniform_row(vm, g.bits + static_cast<u64>(i) * w, w)) mem<u32>(vm, kept, rows++) = i;
  if (rows == h && width == w) return g;
  Value made = new_grid(vm, rows, width);
  if (stopped(vm) || rows == 0 || width == 0) return made;
  u64 k = 0;
  for (u32 r = 0; r < rows; r++) {
    u64 from = static_cast<u64>(mem<u32>(vm, kept, r)) * w;
    for (u32 c = 0; c < width; c++) mem<u8>(vm, made.bits, k++) = mem<u8>(vm, g.bits, from + mem<u32>(vm, columns, c));
  }
  return made;
}

// The items of a row whose position is not marked among the first n.
BATT_DEVICE_NOINLINE Value unmarked_items(Vm& vm, Value row, Addr marks, u32 n) {
  u32 w = length(row), kept = 0;
  Addr at = alloc<Value>(vm, w);
  if (stopped(vm)) return none();
  for (u32 j = 0; j < w; j++)
    if (j >= n || !mem<u8>(vm, marks, j)) mem<Value>(vm, at, kept++) = item(vm, row, j);
  shrink<Value>(vm, at, kept);
  return tuple_at(vm, at, kept);
}

#ifndef __CUDACC__
// The bytes of a row whose position is marked.
inline Value marked_bytes_of(Vm& vm, Value row, Addr marks) {
  Addr at = alloc<u8>(vm, row.n);
  if (stopped(vm)) return none();
  u32 kept = 0;
  for (u32 j = 0; j < row.n; j++) {
    u8 byte = mem<u8>(vm, row.bits, j);
    mem<u8>(vm, at, kept) = byte;
    kept += mem<u8>(vm, marks, j) != 0;
  }
  shrink<u8>(vm, at, kept);
  return bytes_as_tuple(vm, at, kept);
}
#endif

// `compress` for a grid that cannot be packed. The columns of a set are the items of its mirror image.
BATT_DEVICE_NOINLINE Value compressed_rows(Vm& vm, Value grid) {
  u32 h = len(vm, grid), rows = 0;
  if (stopped(vm)) return none();
  Addr at = alloc<Value>(vm, h);
  if (stopped(vm)) return none();
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, grid, i);
    if (!is_container(row)) return raise(vm, TYPE_ERROR);
    if (!is_uniform_line(vm, row)) mem<Value>(vm, at, rows++) = row;
    if (stopped(vm)) return none();
  }
#ifndef __CUDACC__
  if (h && rows) {
    Scratch scratch(vm);
    u32 w = length(item(vm, grid, 0));
    Addr marks = scratch.alloc<u8>(w);
    if (stopped(vm)) return none();
    if (mark_varied_columns(vm, grid, w, marks)) {
      for (u32 r = 0; r < rows && !stopped(vm); r++) {
        Value row = marked_bytes_of(vm, mem<Value>(vm, at, r), marks);
        mem<Value>(vm, at, r) = row;
      }
      return stopped(vm) ? none() : packed(vm, Value{TUPLE, rows, at});
    }
  }
#endif
  Value columns = op_dmirror(vm, &grid);
  if (stopped(vm)) return none();
  u32 n = length(columns);
  Scratch scratch(vm);
  Addr marks = scratch.alloc<u8>(n);
  for (u32 j = 0; j < n && !stopped(vm); j++) {
    bool uniform = is_uniform_line(vm, item(vm, columns, j));
    mem<u8>(vm, marks, j) = uniform;
  }
  for (u32 r = 0; r < rows && !stopped(vm); r++) {
    Value row = unmarked_items(vm, mem<Value>(vm, at, r), marks, n);
    mem<Value>(vm, at, r) = row;
  }
  if (stopped(vm) || rows == 0) return empty_tuple();
  return packed(vm, Value{TUPLE, rows, at});
}

BATT_OP Value op_compress(Vm& vm, const Value* a) {
  Value g;
  return as_grid(vm, a[0], g) ? compressed_grid(vm, g) : compressed_rows(vm, a[0]);
}

}  // namespace batt
