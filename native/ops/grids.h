// Build grids and measure pieces: ops/grids.py.
#pragma once
#include "shapes.h"
#include "shapes_colours.h"

namespace batt {

constexpr u32 MAX_PLACED_SIDE = 0x8000;  // of a grid whose places all have keys
BATT_INLINE bool has_placed_sides(u32 h, u32 w) { return h <= MAX_PLACED_SIDE && w <= MAX_PLACED_SIDE; }

BATT_INLINE i64 cost_canvas(Vm& vm, const Value* a) {
  if (!is_tuple(a[1]) || length(a[1]) < 2) return 1;
  return sum_of(1, product_of(whole(item(vm, a[1], 0)), larger<i64>(1, whole(item(vm, a[1], 1)))));
}

// Make h rows of w values that are not bytes: one row, shared.
BATT_DEVICE_NOINLINE Value repeated_rows(Vm& vm, Value value, u64 h, u64 w) {
  Addr at = alloc<Value>(vm, h);
  if (stopped(vm)) return none();
  Addr cells = alloc<Value>(vm, w);
  if (stopped(vm)) return none();
  for (u64 j = 0; j < w; j++) mem<Value>(vm, cells, j) = value;
  Value row = tuple_at(vm, cells, static_cast<u32>(w));
  for (u64 i = 0; i < h; i++) mem<Value>(vm, at, i) = row;
  return Value{TUPLE, static_cast<u32>(h), at};
}

BATT_OP Value op_canvas(Vm& vm, const Value* a) {
  Value rows = at_index(vm, a[1], 0);
  if (stopped(vm) || !expect_int(vm, rows)) return none();
  if (int_of(rows) <= 0) return empty_tuple();
  Value columns = at_index(vm, a[1], 1);
  if (stopped(vm) || !expect_int(vm, columns)) return none();
  i64 h = int_of(rows), w = whole(columns);
  if (product_of(h, larger<i64>(1, w)) > vm.max_items) return stop_with(vm, OVER_BUDGET);
  if (w != 0 && !is_byte(a[0])) return repeated_rows(vm, a[0], static_cast<u64>(h), static_cast<u64>(w));
  Value made = new_grid(vm, static_cast<u64>(h), static_cast<u64>(w));
  if (stopped(vm) || w == 0) return made;
  Addr at = grid_cells(vm, made);
  u64 n = static_cast<u64>(h) * static_cast<u64>(w);
  fill_bytes(vm, at, n, static_cast<u8>(a[0].bits));
  return made;
}

// Make the set of all places of a grid of h rows and w columns.
BATT_DEVICE_NOINLINE Value all_places(Vm& vm, u32 h, u32 w) {
  u64 n = static_cast<u64>(h) * w;
  bool keyed = has_placed_sides(h, w);
  Addr at = keyed ? alloc<u32>(vm, n) : alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 i = 0; i < h; i++) {
    u64 first = static_cast<u64>(i) * w;
    if (keyed) for_all(vm, w, [&](u64 j) { mem<u32>(vm, at, first + j) = place_key(i, static_cast<i64>(j)); });
    else
      for_all(vm, w, [&](u64 j) { mem<Value>(vm, at, first + j) = pair_of(static_cast<i32>(i), static_cast<i32>(j)); });
  }
  return keyed ? places_ascending(vm, at, n) : set_ascending(vm, at, n);
}

BATT_OP Value op_asindices(Vm& vm, const Value* a) {
  u32 h = len(vm, a[0]);
  if (stopped(vm) || h == 0) return empty_set();
  Value head = at_index(vm, a[0], 0);
  if (stopped(vm)) return none();
  u32 w = len(vm, head);
  if (stopped(vm) || w == 0) return empty_set();
  i64 count = static_cast<i64>(h) * w;
  if (count > vm.max_items || count > vm.steps_left) return stop_with(vm, OVER_BUDGET);
  return all_places(vm, h, w);
}

// Turn the counts of colours below `limit` into the number of cells before each colour's first one, for a counting sort
// of cells that are taken by ascending place. Return the number of all cells.
BATT_DEVICE_NOINLINE u32 counts_to_starts(Vm& vm, Addr table, u32 limit) {
  u32 total = 0;
  for (u32 colour = 0; colour < limit; colour++) {
    u32 times = mem<u32>(vm, table, colour);
    mem<u32>(vm, table, colour) = total;
    total += times;
  }
  return total;
}
BATT_INLINE void put_cell(Vm& vm, Addr cells, Addr starts, u32 colour, u32 place) {
  mem<u64>(vm, cells, mem<u32>(vm, starts, colour)++) = cell_key(static_cast<i32>(colour), place);
}

// Make the set of all cells of a packed grid whose places have keys.
BATT_DEVICE_NOINLINE Value all_cells(Vm& vm, Value grid) {
  u32 h = grid_h(grid), w = grid_w(grid), k = 0;
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES);
  Addr at = alloc<u64>(vm, static_cast<u64>(h) * w);
  if (stopped(vm)) return none();
  counts_to_starts(vm, table, count_bytes(vm, grid, table));
  for (u32 i = 0; i < h; i++) {
    u32 place = place_key(i, 0);
    for (u32 j = 0; j < w; j++) put_cell(vm, at, table, mem<u8>(vm, grid.bits, k++), place++);
  }
  return cells_ascending(vm, at, k);
}

// The number of values in all rows of a grid; raises a TypeError if the grid or a row cannot be iterated.
BATT_INLINE u64 value_total(Vm& vm, Value grid) {
  u32 h = len(vm, grid);
  u64 total = 0;
  for (u32 i = 0; i < h && !stopped(vm); i++) total += len(vm, item(vm, grid, i));
  work(vm, total);
  return total;
}

BATT_DEVICE_NOINLINE Value asobject_of_values(Vm& vm, Value grid) {
  u64 total = value_total(vm, grid), done = 0;
  if (stopped(vm)) return none();
  if (holds_byte_rows(vm, grid)) {
    Addr at = alloc<Value>(vm, total);
    if (!stopped(vm)) put_byte_cells(vm, grid, at);
    return stopped(vm) ? none() : set_ascending(vm, at, total);
  }
#ifndef __CUDACC__
  Addr cells = alloc<Value>(vm, total);
  if (!stopped(vm) && put_near_cells(vm, grid, cells)) return set_ascending(vm, cells, total);
  if (stopped(vm)) return none();
  shrink<Value>(vm, cells, 0);
#endif
  Scratch scratch(vm);
  Addr list = scratch.alloc<Value>(total);
  u32 h = length(grid);
  for (u32 i = 0; i < h && !stopped(vm); i++) {
    Value row = item(vm, grid, i);
    u32 w = length(row);
    for (u32 j = 0; j < w && !stopped(vm); j++) {
      Value cell = tuple_of(vm, item(vm, row, j), pair_of(static_cast<i32>(i), static_cast<i32>(j)));
      if (!stopped(vm)) mem<Value>(vm, list, done++) = cell;
    }
  }
  return stopped(vm) ? none() : set_from(vm, list, done);
}

BATT_OP Value op_asobject(Vm& vm, const Value* a) {
  Value grid;
  if (as_grid(vm, a[0], grid) && has_placed_sides(grid_h(grid), grid_w(grid))) return all_cells(vm, grid);
  return stopped(vm) ? none() : asobject_of_values(vm, a[0]);
}

BATT_OP Value op_height(Vm& vm, const Value* a) { return height_of(vm, a[0]); }
BATT_OP Value op_width(Vm& vm, const Value* a) { return width_of(vm, a[0]); }

// Get height and width of a piece; false if the machine stopped.
BATT_DEVICE_NOINLINE bool sides_of(Vm& vm, Value piece, i64& h, i64& w) {
  Box box;
  if (set_box(vm, piece, box)) {
    h = box.bottom - box.top + 1;
    w = box.right - box.left + 1;
    return true;
  }
  h = int_of(height_of(vm, piece));
  if (stopped(vm)) return false;
  w = int_of(width_of(vm, piece));
  return !stopped(vm);
}

BATT_OP Value op_shape(Vm& vm, const Value* a) {
  i64 h, w;
  return sides_of(vm, a[0], h, w) ? int_pair(vm, h, w) : none();
}
BATT_OP Value op_portrait(Vm& vm, const Value* a) {
  i64 h, w;
  return sides_of(vm, a[0], h, w) ? boolean(h > w) : none();
}

BATT_OP Value op_square(Vm& vm, const Value* a) {
  if (is_tuple(a[0])) {
    Value head = at_index(vm, a[0], 0);
    if (stopped(vm)) return none();
    return boolean(length(a[0]) == len(vm, head));
  }
  i64 h, w;
  if (!sides_of(vm, a[0], h, w)) return none();
  return boolean(h == w && h <= 0xffff && h * w == length(a[0]));  // a larger one has more places than any set
}

// Whether 0 <= v < end; raises a TypeError if v is not an int.
BATT_INLINE bool within(Vm& vm, Value v, u32 end) { return expect_int(vm, v) && v.bits < end; }

// `len(grid), len(grid[0])`
BATT_INLINE bool rows_and_columns(Vm& vm, Value grid, u32& rows, u32& columns) {
  rows = len(vm, grid);
  if (stopped(vm)) return false;
  Value head = at_index(vm, grid, 0);
  if (stopped(vm)) return false;
  columns = len(vm, head);
  return !stopped(vm);
}

BATT_OP Value op_index(Vm& vm, const Value* a) {
  Value grid = a[0], i, j;
  u32 rows, columns;
  if (!unpack(vm, a[1], i, j) || !rows_and_columns(vm, grid, rows, columns)) return none();
  if (!within(vm, i, rows) || !within(vm, j, columns)) return none();
  if (!is_tuple(a[1])) return raise(vm, TYPE_ERROR);  // Python's `loc[0]` of a set
  Value row = item(vm, grid, static_cast<u32>(int_of(i)));
  return at_index(vm, row, static_cast<u32>(int_of(j)));
}

// Get the colour of a packed grid at a place; false outside.
BATT_INLINE bool colour_at(const Vm& vm, Value grid, u32 place, u32& colour) {
  u32 i = static_cast<u32>(key_i(place)), j = static_cast<u32>(key_j(place));
  if (i >= grid_h(grid) || j >= grid_w(grid)) return false;
  colour = mem<u8>(vm, grid.bits, static_cast<u64>(i) * grid_w(grid) + j);
  return true;
}

// Make the cells of a packed grid at PLACES.
BATT_DEVICE_NOINLINE Value cells_at_places(Vm& vm, Value spots, Value grid) {
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return none();
  u32 n = spots.n, limit = 0, colour;
  for (u32 k = 0; k < n; k++)
    if (colour_at(vm, grid, mem<u32>(vm, spots.bits, k), colour)) count_byte(vm, table, limit, colour);
  u32 total = counts_to_starts(vm, table, limit);
  Addr at = alloc<u64>(vm, total);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    u32 place = mem<u32>(vm, spots.bits, k);
    if (colour_at(vm, grid, place, colour)) put_cell(vm, at, table, colour, place);
  }
  return cells_ascending(vm, at, total);
}

BATT_DEVICE_NOINLINE Value toobject_of_values(Vm& vm, Value spots, Value grid, u32 rows, u32 columns) {
  u32 n = length(spots);
  u64 done = 0;
  Scratch scratch(vm);
  Addr list = scratch.alloc<Value>(n);
  Value i, j;
  for (u32 k = 0; k < n && !stopped(vm); k++) {
#ifndef __CUDACC__
    if (spots.tag == PLACES && grid.tag == TUPLE) {  // of a row of values that has this column
      u32 place = mem<u32>(vm, spots.bits, k), top = static_cast<u32>(key_i(place)),
          left = static_cast<u32>(key_j(place));
      if (top >= rows || left >= columns) continue;  // negative ones are huge
      Value row = mem<Value>(vm, grid.bits, top);
      Value shows = row.tag == TUPLE && left < row.n ? mem<Value>(vm, row.bits, left) : none();
      if (is_int(shows) && fits32(int_of(shows))) {
        mem<Value>(vm, list, done++) = cell_of(static_cast<i32>(int_of(shows)), key_i(place), key_j(place));
        continue;
      }
    }
#endif
    if (!unpack(vm, item(vm, spots, k), i, j) || !within(vm, i, rows) || !within(vm, j, columns)) continue;
    Value row = item(vm, grid, static_cast<u32>(int_of(i)));
    Value colour = at_index(vm, row, static_cast<u32>(int_of(j)));
    if (stopped(vm)) break;
    Value cell = tuple_of(vm, colour, pair_of(static_cast<i32>(int_of(i)), static_cast<i32>(int_of(j))));
    if (!stopped(vm)) mem<Value>(vm, list, done++) = cell;
  }
  return stopped(vm) ? none() : set_from(vm, list, done);
}

BATT_OP Value op_toobject(Vm& vm, const Value* a) {
  u32 rows, columns;
  if (!rows_and_columns(vm, a[1], rows, columns)) return none();
  Value spots = places(vm, a[0]), grid;
  if (stopped(vm)) return none();
  if (spots.tag == PLACES && as_grid(vm, a[1], grid)) return cells_at_places(vm, spots, grid);
  return stopped(vm) ? none() : toobject_of_values(vm, spots, a[1], rows, columns);
}

// Find the places of a packed grid that hold a byte. Every key is written, and only counted if the place holds the
// byte.
BATT_DEVICE_NOINLINE Value places_of_byte(Vm& vm, Value grid, u8 byte) {
  u32 h = grid_h(grid), w = grid_w(grid), k = 0, found = 0;
  Addr at = alloc<u32>(vm, static_cast<u64>(h) * w);
  if (stopped(vm)) return none();
  if (has_quick_places(grid))
    return places_ascending(vm, at, put_places_of<u32>(vm, grid, byte, place_key(0, 0), at, 0));
  for (u32 i = 0; i < h; i++) {
    u32 key = place_key(i, 0);
    for (u32 j = 0; j < w; j++) {
      mem<u32>(vm, at, found) = key++;
      found += mem<u8>(vm, grid.bits, k++) == byte;
    }
  }
  return places_ascending(vm, at, found);
}

BATT_DEVICE_NOINLINE Value ofcolor_of_values(Vm& vm, Value grid, Value value) {
  u64 total = value_total(vm, grid), found = 0;
  if (stopped(vm)) return none();
  Addr at = alloc<Value>(vm, total);
  u32 h = length(grid);
  for (u32 i = 0; i < h && !stopped(vm); i++) {
    Value row = item(vm, grid, i);
    u32 w = length(row);
    if (row.tag == ROW) {
      for (u32 j = 0; j < w; j++)
        if (is_byte(value) && mem<u8>(vm, row.bits, j) == value.bits)
          mem<Value>(vm, at, found++) = pair_of(static_cast<i32>(i), static_cast<i32>(j));
      continue;
    }
    for (u32 j = 0; j < w && !stopped(vm); j++)
      if (equal(vm, item(vm, row, j), value) && !stopped(vm))
        mem<Value>(vm, at, found++) = pair_of(static_cast<i32>(i), static_cast<i32>(j));
  }
  return stopped(vm) ? none() : set_ascending(vm, at, found);
}

BATT_OP Value op_ofcolor(Vm& vm, const Value* a) {
  Value grid;
  if (as_grid(vm, a[0], grid) && has_placed_sides(grid_h(grid), grid_w(grid)))
    return is_byte(a[1]) ? places_of_byte(vm, grid, static_cast<u8>(a[1].bits)) : empty_set();
  return stopped(vm) ? none() : ofcolor_of_values(vm, a[0], a[1]);
}

}  // namespace batt
