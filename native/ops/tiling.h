// Fill a size with copies of a grid, or scale a grid to a size: ops/tiling.py.
#pragma once
#include "shapes_colours.h"
#include "strict.h"

namespace batt {

BATT_DEVICE_NOINLINE i64 size_cost(Vm& vm, const Value* a) {
  i64 area = 0;
  if (is_tuple(a[1]) && length(a[1]) == 2) area = product_of(whole(item(vm, a[1], 0)), whole(item(vm, a[1], 1)));
  return sum_of(1, sum_of(items(vm, a[0]), area));
}
BATT_INLINE i64 cost_tile(Vm& vm, const Value* a) { return size_cost(vm, a); }
BATT_INLINE i64 cost_mirrortile(Vm& vm, const Value* a) { return size_cost(vm, a); }
BATT_INLINE i64 cost_resize(Vm& vm, const Value* a) { return size_cost(vm, a); }
BATT_INLINE i64 cost_resizemost(Vm& vm, const Value* a) {
  i64 rows = is_tuple(a[0]) ? length(a[0]) : 0, columns = rows ? items(vm, a[0]) / rows : 0;
  if (is_tuple(a[1]) && length(a[1]) == 2) {
    rows = sum_of(rows, whole(item(vm, a[1], 0)));
    columns = sum_of(columns, whole(item(vm, a[1], 1)));
  }
  return sum_of(1, product_of(rows, columns));
}

// The line of a grid at a distance from its first copy, or -1 in a gap.
BATT_INLINE i64 line_at(i64 distance, i64 size, i64 gap, bool is_mirrored) {
  i64 period = size + gap, copy = distance / period, line = distance % period;
  if (line < 0) {
    line += period;
    copy--;
  }
  if (line >= size) return -1;
  return is_mirrored && copy % 2 ? size - 1 - line : line;
}

BATT_DEVICE_NOINLINE Value tiled(Vm& vm, const Value* a, bool is_mirrored) {
  Value grid;
  i64 h, w, top, left;
  if (!plain_grid(vm, a[0], grid) || !plain_size(vm, a[1], h, w) || !plain_pair(vm, a[2], top, left)) return none();
  if (!expect_int(vm, a[3])) return none();
  i64 gap = int_of(a[3]);
  if (gap < 0) return raise(vm, VALUE_ERROR);
  constexpr i64 FAR = 1LL << 62;  // sums of two such ints do not overflow
  if (top <= -FAR || top >= FAR || left <= -FAR || left >= FAR || gap >= FAR) return unsupported(vm, WIDE_INT);
  if (!is_admitted(vm, h, w)) return none();
  Value made = new_grid(vm, static_cast<u64>(h), static_cast<u64>(w));
  if (stopped(vm)) return none();
  Addr to = grid_cells(vm, made);
  u64 width = static_cast<u64>(w);
  for (i64 i = 0; i < h; i++) {
    i64 row = line_at(i - top, grid_h(grid), gap, is_mirrored);
    for_all(vm, width, [&](u64 j) {
      i64 column = row < 0 ? -1 : line_at(static_cast<i64>(j) - left, grid_w(grid), gap, is_mirrored);
      u64 from = static_cast<u64>(row) * grid_w(grid) + static_cast<u64>(column);
      mem<u8>(vm, to, static_cast<u64>(i) * width + j) = column < 0 ? 0 : mem<u8>(vm, grid.bits, from);
    });
  }
  return made;
}
BATT_OP Value op_tile(Vm& vm, const Value* a) { return tiled(vm, a, false); }
BATT_OP Value op_mirrortile(Vm& vm, const Value* a) { return tiled(vm, a, true); }

BATT_OP Value op_resize(Vm& vm, const Value* a) {
  Value grid;
  i64 rows, columns;
  if (!plain_grid(vm, a[0], grid) || !plain_size(vm, a[1], rows, columns) || !is_admitted(vm, rows, columns))
    return none();
  u64 h = static_cast<u64>(rows), w = static_cast<u64>(columns);
  Value made = new_grid(vm, h, w);
  if (stopped(vm)) return none();
  Addr to = grid_cells(vm, made);
  for (u64 i = 0; i < h; i++) {
    Addr from = grid.bits + i * grid_h(grid) / h * grid_w(grid);
    for_all(vm, w, [&](u64 j) { mem<u8>(vm, to, i * w + j) = mem<u8>(vm, from, j * grid_w(grid) / w); });
  }
  return made;
}

// A block of a grid: rows top … bottom - 1, columns left … right - 1; at least one cell.
struct CellBlock {
  u64 top, bottom, left, right;
};

// The most frequent colour but `ignored` of a block, the lowest of those tied; `ignored` if there is no other. `table`
// has room for a count of each colour.
BATT_INLINE u8 most_in_block(Vm& vm, Value grid, CellBlock block, u32 ignored, Addr table) {
  u32 limit = 0;
  for (u64 i = block.top; i < block.bottom; i++)
    for (u64 j = block.left; j < block.right; j++) {
      u8 cell = mem<u8>(vm, grid.bits, i * grid_w(grid) + j);
      if (cell != ignored) count_byte(vm, table, limit, cell);
    }
  return static_cast<u8>(limit ? most_frequent_byte(vm, table, limit) : ignored);
}

// Make a grid of h rows and w columns, the cell at (i, j) from the block that `block_at(i, j)` returns. BYTES ignores
// no colour.
template <class BlockAt>
BATT_INLINE Value most_of_blocks(Vm& vm, Value grid, u64 h, u64 w, u32 ignored, BlockAt block_at) {
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return none();
  Value made = new_grid(vm, h, w);
  if (stopped(vm)) return none();
  Addr to = grid_cells(vm, made);
  for (u64 i = 0; i < h; i++)
    for (u64 j = 0; j < w; j++) mem<u8>(vm, to, i * w + j) = most_in_block(vm, grid, block_at(i, j), ignored, table);
  return made;
}

BATT_OP Value op_resizemost(Vm& vm, const Value* a) {
  Value grid;
  i64 rows, columns;
  if (!plain_grid(vm, a[0], grid) || !plain_size(vm, a[1], rows, columns) || !plain_colour(vm, a[2]) ||
      !is_admitted(vm, rows, columns))
    return none();
  u64 h = static_cast<u64>(rows), w = static_cast<u64>(columns), m = grid_h(grid), n = grid_w(grid);
  return most_of_blocks(vm, grid, h, w, static_cast<u32>(a[2].bits), [&](u64 i, u64 j) {
    return CellBlock{i * m / h, ((i + 1) * m + h - 1) / h, j * n / w, ((j + 1) * n + w - 1) / w};
  });
}

BATT_OP Value op_shrink(Vm& vm, const Value* a) {
  Value grid;
  if (!plain_grid(vm, a[0], grid) || !expect_int(vm, a[1])) return none();
  if (int_of(a[1]) < 1) return raise(vm, VALUE_ERROR);
  u64 m = grid_h(grid), n = grid_w(grid), by = smaller<u64>(static_cast<u64>(int_of(a[1])), MAX_SIDE);
  return most_of_blocks(vm, grid, (m + by - 1) / by, (n + by - 1) / by, BYTES, [&](u64 i, u64 j) {
    return CellBlock{i * by, smaller(m, (i + 1) * by), j * by, smaller(n, (j + 1) * by)};
  });
}

}  // namespace batt
