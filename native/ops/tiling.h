// Fill a size with copies of a grid, or scale a grid to a size: ops/tiling.py.
#pragma once
#include "strict.h"

namespace batt {

BATT_DEVICE_NOINLINE i64 size_cost(Vm& vm, const Value* a) {
  i64 area = 0;
  if (is_tuple(a[1]) && length(a[1]) == 2) area = product_of(whole(item(vm, a[1], 0)), whole(item(vm, a[1], 1)));
  return sum_of(1, sum_of(items(vm, a[0]), area));
}
BATT_INLINE i64 cost_tile(Vm& vm, const Value* a) { return size_cost(vm, a); }

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

}  // namespace batt
