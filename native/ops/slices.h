// Parts of tuples and grids for mirrors.h and scaling.h: Python's slices, equal cuts of all rows, transposed rows.
#pragma once
#include "../core/sets.h"

namespace batt {

// A slice as written, `[from:to:step]` with step >= 1, or `[::-1]`.
struct Slice {
  i64 from, to, step;
  bool backwards;
};
BATT_INLINE Slice slice(i64 from, i64 to, i64 step = 1) { return Slice{from, to, step, false}; }
BATT_INLINE Slice whole_slice() { return slice(0, INT64_MOST); }
BATT_INLINE Slice backward_slice() { return Slice{0, 0, 1, true}; }

// The items of a tuple that a slice takes: `count` of them from `first` on, `step` apart.
struct Cut {
  i64 first, step;
  u32 count;
};

BATT_INLINE i64 slice_bound(i64 at, i64 n) { return at < 0 ? larger(at + n, 0LL) : smaller(at, n); }

BATT_INLINE Cut cut_of(Slice s, u32 n) {
  if (s.backwards) return Cut{static_cast<i64>(n) - 1, -1, n};
  i64 from = slice_bound(s.from, n), to = slice_bound(s.to, n);
  if (from >= to) return Cut{0, 1, 0};
  u32 count = static_cast<u32>((to - from - 1) / s.step + 1);
  return Cut{from, count == 1 ? 1 : s.step, count};  // a step beyond the end is never taken
}

// Make a grid of h by w whose cell (r, c) is byte start + r * down + c * across of the cells at an address.
BATT_DEVICE_NOINLINE Value walked(Vm& vm, Addr source, i64 start, u32 h, u32 w, i64 down, i64 across) {
  Value made = new_grid(vm, h, w);
  if (stopped(vm) || h == 0 || w == 0) return made;
  Addr to = grid_cells(vm, made);
  u64 k = 0;
  for (u32 r = 0; r < h; r++, k += w) {
    i64 from = start + r * down;
    if (across == 1) copy_bytes(vm, to + k, source + static_cast<u64>(from), w);
    else
      for_all(vm, w, [&](u64 c) {
        mem<u8>(vm, to, k + c) = mem<u8>(vm, source, static_cast<u64>(from + static_cast<i64>(c) * across));
      });
  }
  return made;
}

// Whether a tuple holds only rows of bytes, all of one length: a grid that is too large for the packed form.
BATT_DEVICE_NOINLINE bool are_equal_rows(const Vm& vm, Value rows) {
  if (rows.tag != TUPLE || rows.n == 0) return false;
  u32 w = mem<Value>(vm, rows.bits, 0).n;
  bool good = w != 0;
  for (u32 k = lane(vm); k < rows.n && good; k += lanes(vm)) {
    Value row = mem<Value>(vm, rows.bits, k);
    good = row.tag == ROW && row.n == w;
  }
  return all_lanes(vm, good);
}

// Convert a tuple to a packed grid, if it can be one.
BATT_INLINE Value packed(Vm& vm, Value v) {
  Value grid;
  return as_grid(vm, v, grid) ? grid : v;
}

// Take the items of a cut. Adjacent items of a row or grid are shared, not copied.
BATT_DEVICE_NOINLINE Value taken(Vm& vm, Value v, Cut cut) {
  if (cut.count == 0) return empty_tuple();
  if (cut.step == 1 && cut.count == length(v)) return v;
  u64 first = static_cast<u64>(cut.first);
  if (v.tag == GRID) {
    u32 w = grid_w(v);
    if (cut.step == 1 || cut.count == 1) return grid_at(v.bits + first * w, cut.count, w);
    return walked(vm, v.bits, cut.first * w, cut.count, w, cut.step * w, 1);
  }
  if (v.tag == ROW) {
    if (cut.step == 1 || cut.count == 1) return row_at(v.bits + first, cut.count);
    Addr to = alloc<u8>(vm, cut.count);
    if (stopped(vm)) return none();
    i64 from = cut.first;
    for (u32 k = 0; k < cut.count; k++, from += cut.step)
      mem<u8>(vm, to, k) = mem<u8>(vm, v.bits, static_cast<u64>(from));
    return row_at(to, cut.count);
  }
  // A tuple that begins with no byte and is no pair cannot be packed.
  if (v.tag == TUPLE && cut.step == 1 && cut.count != 2 && !is_byte(mem<Value>(vm, v.bits, first)))
    return Value{TUPLE, cut.count, v.bits + first * sizeof(Value)};
  Addr at = alloc<Value>(vm, cut.count);
  if (stopped(vm)) return none();
  for_all(vm, cut.count, [&](u64 k) {
    mem<Value>(vm, at, k) = item(vm, v, static_cast<u32>(cut.first + static_cast<i64>(k) * cut.step));
  });
  return tuple_at(vm, at, cut.count);
}

// `v[s]`; a TypeError for anything but tuples.
BATT_INLINE Value sliced(Vm& vm, Value v, Slice s) {
  if (!is_tuple(v)) return raise(vm, TYPE_ERROR);
  return packed(vm, taken(vm, v, cut_of(s, length(v))));
}

// Cut equal rows in both directions; `down` has at least one row.
BATT_DEVICE_NOINLINE Value cut_equal_rows(Vm& vm, Value rows, Cut down, Cut across) {
  Value made = new_grid(vm, down.count, across.count);
  if (stopped(vm) || across.count == 0) return made;
  Addr to = grid_cells(vm, made);
  for (u32 k = 0; k < down.count; k++, to += across.count) {
    Addr from =
        mem<Value>(vm, rows.bits, static_cast<u64>(down.first + k * down.step)).bits + static_cast<u64>(across.first);
    if (across.step == 1) copy_bytes(vm, to, from, across.count);
    else
      for (u32 j = 0; j < across.count; j++) mem<u8>(vm, to, j) = mem<u8>(vm, from + static_cast<u64>(j * across.step));
  }
  return made;
}

// `tuple([row[columns] for row in grid[rows]])` for any value.
BATT_DEVICE_NOINLINE Value cut_rows(Vm& vm, Value grid, Slice rows, Slice columns) {
  if (!is_tuple(grid)) return raise(vm, TYPE_ERROR);
  Cut down = cut_of(rows, length(grid));
  if (down.count == 0) return empty_tuple();
  if (are_equal_rows(vm, grid)) return cut_equal_rows(vm, grid, down, cut_of(columns, item(vm, grid, 0).n));
  Addr at = alloc<Value>(vm, down.count);
  if (stopped(vm)) return none();
  u32 width = 0;  // of the row before
  Cut across = cut_of(columns, width);
  for (u32 k = 0; k < down.count; k++) {
    Value row = item(vm, grid, static_cast<u32>(down.first + k * down.step));
    if (!is_tuple(row)) return raise(vm, TYPE_ERROR);
    if (length(row) != width) {
      width = length(row);
      across = cut_of(columns, width);
    }
    Value part = taken(vm, row, across);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, k) = part;
  }
  return packed(vm, Value{TUPLE, down.count, at});
}

// The same, packed if the grid is.
BATT_INLINE Value cut_grid(Vm& vm, Value grid, Slice rows, Slice columns) {
  Value g;
  if (!as_grid(vm, grid, g)) return cut_rows(vm, grid, rows, columns);
  u32 w = grid_w(g);
  Cut down = cut_of(rows, grid_h(g)), across = cut_of(columns, w);
  if (across.count == w && across.step == 1) return taken(vm, g, down);
  return walked(vm, g.bits, down.first * w + across.first, down.count, across.count, down.step * w, across.step);
}

// The length of the shortest item of a tuple, 0 if it is empty; a TypeError if an item cannot be iterated.
BATT_INLINE u32 shortest(Vm& vm, Value rows) {
  u32 n = length(rows), least = n ? 0xffffffffu : 0;
  for (u32 k = 0; k < n; k++) least = smaller(least, len(vm, item(vm, rows, k)));
  return least;
}

BATT_DEVICE_NOINLINE Value zipped_equal_rows(Vm& vm, Value rows, bool backwards) {
  u32 n = rows.n, m = mem<Value>(vm, rows.bits, 0).n;
  Value made = new_grid(vm, m, n);
  if (stopped(vm)) return none();
  Addr to = grid_cells(vm, made);
  for (u32 k = 0; k < n; k++) {
    Addr row = mem<Value>(vm, rows.bits, backwards ? n - 1 - k : k).bits;
    for_all(vm, m, [&](u64 j) { mem<u8>(vm, to, j * n + k) = mem<u8>(vm, row, j); });
  }
  return made;
}

// `tuple(zip(*rows))`, or `tuple(zip(*rows[::-1]))` if `backwards`.
BATT_DEVICE_NOINLINE Value zipped(Vm& vm, Value rows, bool backwards) {
  if (are_equal_rows(vm, rows)) return zipped_equal_rows(vm, rows, backwards);
  u32 n = length(rows), m = shortest(vm, rows);
  if (stopped(vm)) return none();
  if (m == 0) return empty_tuple();
  Addr at = alloc<Value>(vm, m);
  if (stopped(vm)) return none();
  for (u32 j = 0; j < m; j++) {
    Addr column = alloc<Value>(vm, n);
    if (stopped(vm)) return none();
    for_all(vm, n, [&](u64 k) {
      mem<Value>(vm, column, k) = item(vm, item(vm, rows, static_cast<u32>(backwards ? n - 1 - k : k)), j);
    });
    Value made = tuple_at(vm, column, n);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, j) = made;
  }
  return packed(vm, Value{TUPLE, m, at});
}

}  // namespace batt
