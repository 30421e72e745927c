// Cut a grid along separator lines, or leave out lines: ops/panels.py.
#pragma once
#include "shapes_colours.h"
#include "strict.h"

namespace batt {

// A row or a column of a grid: n cells, `step` bytes apart.
struct GridLine {
  Addr at;
  u32 n;
  u64 step;
};
BATT_INLINE GridLine row_of(Value grid, u32 i) {
  return GridLine{grid.bits + static_cast<u64>(i) * grid_w(grid), grid_w(grid), 1};
}
BATT_INLINE GridLine column_of(Value grid, u32 j) { return GridLine{grid.bits + j, grid_h(grid), grid_w(grid)}; }

BATT_INLINE bool has_only(const Vm& vm, GridLine line, u8 colour) {
  for (u32 k = 0; k < line.n; k++)
    if (mem<u8>(vm, line.at, k * line.step) != colour) return false;
  return true;
}
BATT_INLINE bool are_equal(const Vm& vm, GridLine a, GridLine b) {
  for (u32 k = 0; k < a.n; k++)
    if (mem<u8>(vm, a.at, k * a.step) != mem<u8>(vm, b.at, k * b.step)) return false;
  return true;
}

// The colours of n lines that have one colour throughout, else BYTES.
struct LineColours {
  Addr at;  // u16[n]
  u32 n;
};
BATT_INLINE u32 line_colour(const Vm& vm, GridLine line) {
  u8 colour = mem<u8>(vm, line.at);
  return has_only(vm, line, colour) ? colour : BYTES;
}

// Runs of lines that are not separators: how many, and whether all have one length.
struct LineRuns {
  u32 count;
  bool is_even;
};

// Find the end of the run of lines that begins at `from` or after it, and move `from` to its first line. A run that
// begins at n does not exist.
BATT_INLINE u32 next_run(const Vm& vm, LineColours lines, u32 colour, u32& from) {
  while (from < lines.n && mem<u16>(vm, lines.at, from) == colour) from++;
  u32 to = from;
  while (to < lines.n && mem<u16>(vm, lines.at, to) != colour) to++;
  return to;
}

BATT_DEVICE_NOINLINE LineRuns runs_between(const Vm& vm, LineColours lines, u32 colour) {
  LineRuns found{0, true};
  u32 size = 0;
  for (u32 from = 0, to; from < lines.n; from = to) {
    to = next_run(vm, lines, colour, from);
    if (from == lines.n) break;
    if (found.count++ == 0) size = to - from;
    found.is_even = found.is_even && to - from == size;
  }
  return found;
}

// The colour of the separators, or BYTES + 1, which no line has, if there are none.
BATT_DEVICE_NOINLINE u32 separator_colour(const Vm& vm, LineColours rows, LineColours columns, Addr seen) {
  u32 chosen = BYTES + 1;
  i32 best = -1;
  for (u32 c = 0; c < BYTES; c++) {
    if (!mem<u8>(vm, seen, c)) continue;
    LineRuns down = runs_between(vm, rows, c), across = runs_between(vm, columns, c);
    u64 count = static_cast<u64>(down.count) * across.count;
    i32 rank = 4 * (count > 1) + 2 * (down.is_even && across.is_even) + (c != 0);
    if (count == 0 || rank <= best) continue;
    best = rank;
    chosen = c;
  }
  return chosen;
}

BATT_INLINE Value part_of_grid(Vm& vm, Value grid, u32 top, u32 bottom, u32 left, u32 right) {
  u32 w = right - left;
  Value made = new_grid(vm, bottom - top, w);
  if (stopped(vm)) return none();
  for (u32 i = top; i < bottom; i++)
    copy_bytes(vm, made.bits + static_cast<u64>(i - top) * w, grid.bits + static_cast<u64>(i) * grid_w(grid) + left, w);
  return made;
}

// Find the colours of the rows and columns of a grid. Return the colour of the separators.
BATT_DEVICE_NOINLINE u32 find_separators(Scratch& scratch, Value grid, LineColours& rows, LineColours& columns) {
  Vm& vm = scratch.vm;
  rows = LineColours{scratch.alloc<u16>(grid_h(grid)), grid_h(grid)};
  columns = LineColours{scratch.alloc<u16>(grid_w(grid)), grid_w(grid)};
  Addr seen = scratch.alloc<u8>(BYTES + 1);
  if (stopped(vm)) return BYTES;
  fill_bytes(vm, seen, BYTES + 1, 0);
  for (u32 i = 0; i < rows.n; i++) {
    u32 colour = line_colour(vm, row_of(grid, i));
    mem<u16>(vm, rows.at, i) = static_cast<u16>(colour);
    mem<u8>(vm, seen, colour) = 1;
  }
  for (u32 j = 0; j < columns.n; j++) {
    u32 colour = line_colour(vm, column_of(grid, j));
    mem<u16>(vm, columns.at, j) = static_cast<u16>(colour);
    mem<u8>(vm, seen, colour) = 1;
  }
  return separator_colour(vm, rows, columns, seen);
}

// The panels of a grid, row by row; or as rows of panels.
BATT_DEVICE_NOINLINE Value cut_panels(Vm& vm, Value v, bool as_rows) {
  Value grid;
  if (!plain_grid(vm, v, grid)) return none();
  Scratch scratch(vm);
  LineColours rows, columns;
  u32 colour = find_separators(scratch, grid, rows, columns);
  if (stopped(vm)) return none();
  u32 down = runs_between(vm, rows, colour).count, across = runs_between(vm, columns, colour).count;
  Addr at = alloc<Value>(vm, as_rows ? down : static_cast<u64>(down) * across);
  if (stopped(vm)) return none();
  u32 done = 0, done_rows = 0;
  for (u32 top = 0, bottom; done_rows < down; top = bottom) {
    bottom = next_run(vm, rows, colour, top);
    Addr row = as_rows ? alloc<Value>(vm, across) : 0;
    if (stopped(vm)) return none();
    u32 done_columns = 0;
    for (u32 left = 0, right; done_columns < across; left = right) {
      right = next_run(vm, columns, colour, left);
      Value panel = part_of_grid(vm, grid, top, bottom, left, right);
      if (stopped(vm)) return none();
      if (as_rows) mem<Value>(vm, row, done_columns) = panel;
      else mem<Value>(vm, at, done++) = panel;
      done_columns++;
    }
    if (as_rows) mem<Value>(vm, at, done_rows) = Value{TUPLE, across, row};
    done_rows++;
  }
  return Value{TUPLE, as_rows ? down : done, at};
}
BATT_OP Value op_panels(Vm& vm, const Value* a) { return cut_panels(vm, a[0], false); }
BATT_OP Value op_panelrows(Vm& vm, const Value* a) { return cut_panels(vm, a[0], true); }

// The grid of the rows and columns whose byte in `rows` and `columns` is 1.
BATT_DEVICE_NOINLINE Value kept_lines(Vm& vm, Value grid, Addr rows, Addr columns) {
  u32 h = 0, w = 0;
  for (u32 i = 0; i < grid_h(grid); i++) h += mem<u8>(vm, rows, i);
  for (u32 j = 0; j < grid_w(grid); j++) w += mem<u8>(vm, columns, j);
  if (h == 0 || w == 0) return empty_tuple();
  Value made = new_grid(vm, h, w);
  if (stopped(vm)) return none();
  u64 k = 0;
  for (u32 i = 0; i < grid_h(grid); i++) {
    if (!mem<u8>(vm, rows, i)) continue;
    for (u32 j = 0; j < grid_w(grid); j++)
      if (mem<u8>(vm, columns, j))
        mem<u8>(vm, made.bits, k++) = mem<u8>(vm, grid.bits, static_cast<u64>(i) * grid_w(grid) + j);
  }
  return made;
}

BATT_OP Value op_dropblank(Vm& vm, const Value* a) {
  Value grid;
  if (!plain_grid(vm, a[0], grid) || !plain_colour(vm, a[1])) return none();
  u8 blank = static_cast<u8>(a[1].bits);
  Scratch scratch(vm);
  Addr rows = scratch.alloc<u8>(grid_h(grid)), columns = scratch.alloc<u8>(grid_w(grid));
  if (stopped(vm)) return none();
  for (u32 i = 0; i < grid_h(grid); i++) mem<u8>(vm, rows, i) = !has_only(vm, row_of(grid, i), blank);
  for (u32 j = 0; j < grid_w(grid); j++) mem<u8>(vm, columns, j) = !has_only(vm, column_of(grid, j), blank);
  return kept_lines(vm, grid, rows, columns);
}

BATT_OP Value op_mergelines(Vm& vm, const Value* a) {
  Value grid;
  if (!plain_grid(vm, a[0], grid)) return none();
  Scratch scratch(vm);
  Addr rows = scratch.alloc<u8>(grid_h(grid)), columns = scratch.alloc<u8>(grid_w(grid));
  if (stopped(vm)) return none();
  // Rows that are merged do not matter for whether columns are equal.
  for (u32 i = 0; i < grid_h(grid); i++)
    mem<u8>(vm, rows, i) = i == 0 || !are_equal(vm, row_of(grid, i), row_of(grid, i - 1));
  for (u32 j = 0; j < grid_w(grid); j++)
    mem<u8>(vm, columns, j) = j == 0 || !are_equal(vm, column_of(grid, j), column_of(grid, j - 1));
  return kept_lines(vm, grid, rows, columns);
}

}  // namespace batt
