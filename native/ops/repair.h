// Fill the masked cells of a grid from the rest of it: ops/repair.py.
#pragma once
#include "repair_votes.h"

namespace batt {

// The rows of a tuple and the items of one, for costs.
BATT_INLINE void sides_for_cost(Vm& vm, Value grid, i64& rows, i64& columns) {
  rows = is_tuple(grid) ? length(grid) : 0;
  columns = items(vm, grid) / larger<i64>(1, rows);
}

BATT_INLINE i64 cost_retile(Vm& vm, const Value* a) {
  i64 rows, columns;
  sides_for_cost(vm, a[0], rows, columns);
  return sum_of(1, product_of(items(vm, a[0]), 1 + rows + columns));
}

// Copy a row to the pattern, or lay it over what the pattern has. Return whether they differ in a cell that neither
// masks.
BATT_INLINE bool lay_row(Vm& vm, Addr pattern, Addr row, u64 w, u8 mask) {
  u32 differ = 0;
  for (u64 j = 0; j < w; j++) {
    u8 has = mem<u8>(vm, pattern, j), next = mem<u8>(vm, row, j);
    bool is_open = has == mask;
    differ |= static_cast<u32>(!is_open & (next != mask) & (has != next));
    mem<u8>(vm, pattern, j) = is_open ? next : has;
  }
  return differ != 0;
}

// The least number of rows after which the h rows of w bytes at `cells` repeat.
BATT_DEVICE_NOINLINE u64 period_of_rows(Vm& vm, Addr cells, u64 h, u64 w, u8 mask) {
  Scratch scratch(vm);
  Addr pattern = scratch.alloc<u8>(h * w);
  if (stopped(vm)) return h;
  for (u64 period = 1; period < h; period++) {
    copy_bytes(vm, pattern, cells, period * w);
    u64 i = period, line = 0;
    for (; i < h; i++, line = line + 1 == period ? 0 : line + 1)
      if (lay_row(vm, pattern + line * w, cells + i * w, w, mask)) break;
    if (i == h) return period;
  }
  return h;
}

BATT_DEVICE_NOINLINE u64 period_of_columns(Vm& vm, Value grid, u8 mask) {
  u64 h = grid_h(grid), w = grid_w(grid);
  Scratch scratch(vm);
  Addr turned = scratch.alloc<u8>(h * w);
  if (stopped(vm)) return w;
  for_all(vm, h * w, [&](u64 k) { mem<u8>(vm, turned, k) = mem<u8>(vm, grid.bits, k % h * w + k / h); });
  return period_of_rows(vm, turned, w, h, mask);
}

BATT_OP Value op_retile(Vm& vm, const Value* a) {
  Value grid;
  i64 down, right;
  if (!plain_grid(vm, a[0], grid) || !plain_colour(vm, a[1]) || !plain_pair(vm, a[2], down, right)) return none();
  u64 h = grid_h(grid), w = grid_w(grid);
  u8 mask = static_cast<u8>(a[1].bits);
  u64 tall = down ? period_of_rows(vm, grid.bits, h, w, mask) : h;
  u64 wide = right ? period_of_columns(vm, grid, mask) : w;
  Scratch scratch(vm);
  Addr pattern = scratch.alloc<u8>(tall * wide), made = alloc<u8>(vm, h * w);
  if (stopped(vm)) return none();
  fill_bytes(vm, pattern, tall * wide, mask);
  for (u64 i = 0; i < h; i++)
    for (u64 j = 0; j < w; j += wide)
      lay_row(vm, pattern + i % tall * wide, grid.bits + i * w + j, smaller(wide, w - j), mask);
  for (u64 i = 0; i < h; i++) {
    u64 row = i * w, line = i % tall * wide;
    for_all(vm, w, [&](u64 j) {
      u8 shows = mem<u8>(vm, grid.bits, row + j);
      mem<u8>(vm, made, row + j) = shows == mask ? mem<u8>(vm, pattern, line + j % wide) : shows;
    });
  }
  return grid_at(made, grid_h(grid), grid_w(grid));
}

BATT_INLINE i64 cost_mend(Vm& vm, const Value* a) {
  i64 rows, columns;
  sides_for_cost(vm, a[0], rows, columns);
  bool turns = is_tuple(a[2]) && length(a[2]) == 2;
  for (u32 k = 0; k < 2 && turns; k++) turns = is_int(item(vm, a[2], k)) && int_of(item(vm, a[2], k)) == 0;
  return sum_of(1, product_of(items(vm, a[0]), 1 + (turns ? product_of(rows, columns) : rows + columns)));
}

// A symmetry of a grid: the cells that have an image, and its position, `base` + `by_row` * i + `by_column` * j.
struct Symmetry {
  i64 top, left, bottom, right;
  i64 base, by_row, by_column;
  BATT_INLINE i64 images() const { return top > bottom || left > right ? 0 : (bottom - top + 1) * (right - left + 1); }
};

// The symmetry of grids of h rows and w columns about an axis. `a` is the sum of the rows of a cell and its image, and
// `b` that of their columns; about a diagonal, `a` is the row of the image of (0, 0), plus w - 1 if the axis falls.
BATT_DEVICE_NOINLINE Symmetry symmetry_of(i64 h, i64 w, i64 down, i64 right, i64 a, i64 b) {
  Symmetry s{0, 0, h - 1, w - 1, 0, w, 1};
  if (down && right) {
    i64 sign = down == right ? 1 : -1, at = down == right ? a - (w - 1) : a;
    // (i, j) -> (at + sign * j, sign * (i - at))
    s = Symmetry{sign > 0 ? larger(0LL, at) : larger(0LL, at - w + 1),
                 sign > 0 ? larger(0LL, -at) : larger(0LL, at - h + 1),
                 smaller(h - 1, sign > 0 ? at + w - 1 : at),
                 smaller(w - 1, sign > 0 ? h - 1 - at : at),
                 at * w - sign * at,
                 sign,
                 sign * w};
    return s;
  }
  if (!down) {
    s.top = larger(0LL, a - h + 1);
    s.bottom = smaller(h - 1, a);
    s.base += a * w;
    s.by_row = -w;
  }
  if (!right) {
    s.left = larger(0LL, b - w + 1);
    s.right = smaller(w - 1, b);
    s.base += b;
    s.by_column = -1;
  }
  return s;
}

// Whether no cell has an unequal image, masked ones aside.
BATT_INLINE bool holds(const Vm& vm, Addr cells, i64 w, const Symmetry& s, u8 mask) {
  for (i64 i = s.top; i <= s.bottom; i++)
    for (i64 j = s.left; j <= s.right; j++) {
      u8 shows = mem<u8>(vm, cells, static_cast<u64>(i * w + j));
      u8 image = mem<u8>(vm, cells, static_cast<u64>(s.base + s.by_row * i + s.by_column * j));
      if (shows != image && shows != mask && image != mask) return false;
    }
  return true;
}

// Write a key for each axis with images for at least half of the cells: cells without an image, then `a` and `b`.
// Return how many there are.
BATT_DEVICE_NOINLINE u64 find_axes(Vm& vm, i64 h, i64 w, i64 down, i64 right, Addr keys) {
  i64 as = down && right ? h + w - 1 : down ? 1 : 2 * h - 1, bs = right ? 1 : 2 * w - 1;
  u64 count = 0;
  for (i64 a = 0; a < as; a++)
    for (i64 b = 0; b < bs; b++) {
      i64 images = symmetry_of(h, w, down, right, a, b).images();
      if (2 * images < h * w) continue;
      mem<u64>(vm, keys, count++) =
          static_cast<u64>(h * w - images) << 34 | static_cast<u64>(a) << 17 | static_cast<u64>(b);
    }
  return count;
}

BATT_OP Value op_mend(Vm& vm, const Value* a) {
  Value grid;
  i64 down, right;
  if (!plain_grid(vm, a[0], grid) || !plain_colour(vm, a[1]) || !plain_pair(vm, a[2], down, right)) return none();
  if (down < -1 || down > 1 || right < -1 || right > 1) return raise(vm, VALUE_ERROR);
  i64 h = grid_h(grid), w = grid_w(grid);
  if (h * w >> 29) return unsupported(vm, LONG_WORK);  // a key has no room for more
  u8 mask = static_cast<u8>(a[1].bits);
  Scratch scratch(vm);
  u64 axes = static_cast<u64>(down || right ? 2 * (h + w) : 4 * h * w), n = static_cast<u64>(h * w);
  Addr keys = scratch.alloc<u64>(axes);
  if (stopped(vm)) return none();
  u64 count = find_axes(vm, h, w, down, right, keys);
  sort_keys<u64>(vm, keys, count);
  constexpr u64 SUM = (1 << 17) - 1;
  for (u64 k = 0; k < count && !stopped(vm); k++) {
    u64 key = mem<u64>(vm, keys, k);
    Symmetry s = symmetry_of(h, w, down, right, static_cast<i64>(key >> 17 & SUM), static_cast<i64>(key & SUM));
    if (!work(vm, 1) || !holds(vm, grid.bits, w, s, mask)) continue;
    Addr made = alloc<u8>(vm, n);
    if (stopped(vm)) return none();
    copy_bytes(vm, made, grid.bits, n);
    for (i64 i = s.top; i <= s.bottom; i++)
      for (i64 j = s.left; j <= s.right; j++) {
        u64 at = static_cast<u64>(i * w + j);
        if (mem<u8>(vm, grid.bits, at) != mask) continue;
        mem<u8>(vm, made, at) = mem<u8>(vm, grid.bits, static_cast<u64>(s.base + s.by_row * i + s.by_column * j));
      }
    return grid_at(made, grid_h(grid), grid_w(grid));
  }
  return stopped(vm) ? none() : grid;
}

}  // namespace batt
