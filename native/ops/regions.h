// Regions of a grid: ops/regions.py.
#pragma once
#include "directions.h"
#include "place_list.h"

namespace batt {

// A table with an entry for each cell of a grid, and a frame of entries around it, so that every cell has neighbours.
template <class T> struct Framed {
  Addr at = 0;
  u64 stride = 0, n = 0;
  BATT_INLINE bool open(Scratch& scratch, u64 h, u64 w, T entry) {
    stride = w + 1;
    n = (h + 2) * stride + 1;
    at = scratch.alloc<T>(n);
    if (stopped(scratch.vm)) return false;
    for_all(scratch.vm, n, [&](u64 k) { mem<T>(scratch.vm, at, k) = entry; });
    return true;
  }
  BATT_INLINE u64 place(u64 i, u64 j) const { return (i + 1) * stride + j + 1; }
  BATT_INLINE u64 neighbour(u64 from, i32 down, i32 right) const {
    return from + static_cast<u64>(static_cast<i64>(stride) * down + right);
  }
  BATT_INLINE T& operator()(const Vm& vm, u64 k) const { return mem<T>(vm, at, k); }
};

BATT_OP Value op_spread(Vm& vm, const Value* a) {
  Value grid;
  Directions ways;
  if (!plain_grid(vm, a[0], grid) || !plain_directions(vm, a[3], ways) || !plain_colour(vm, a[1]) ||
      !expect_int(vm, a[2]))
    return none();
  constexpr u32 OPEN = 0, CLOSED = ~0u, FIRST = 1;  // else the step in which a cell was reached << 8 | its colour
  u32 h = grid_h(grid), w = grid_w(grid);
  u64 count = 0;
  if (static_cast<u64>(h) * w >> 24) return unsupported(vm, LONG_WORK);  // a step may not fit an entry
  Scratch scratch(vm);
  Framed<u32> reached;
  if (!reached.open(scratch, h, w, CLOSED)) return none();
  Addr queue = scratch.alloc<u32>(static_cast<u64>(h) * w), made = alloc<u8>(vm, static_cast<u64>(h) * w);
  if (stopped(vm)) return none();
  for (u32 i = 0; i < h; i++)
    for (u32 j = 0; j < w; j++) {
      u8 colour = mem<u8>(vm, grid.bits, static_cast<u64>(i) * w + j);
      u64 at = reached.place(i, j);
      bool is_source = colour != a[1].bits && colour != int_of(a[2]);
      reached(vm, at) = is_source ? FIRST << 8 | colour : colour == a[1].bits ? OPEN : CLOSED;
      if (is_source) mem<u32>(vm, queue, count++) = static_cast<u32>(at);
    }
  for (u64 head = 0; head < count; head++) {
    u32 from = mem<u32>(vm, queue, head), entry = reached(vm, from) + 256;
    for (u32 k = 0; k < ways.n; k++) {
      u64 to = reached.neighbour(from, ways.down(k), ways.right(k));
      u32 before = reached(vm, to);
      if (before == OPEN) mem<u32>(vm, queue, count++) = static_cast<u32>(to);
      // A cell of an earlier step has a lesser entry, so only colours of the same step compete.
      if (before == OPEN || (before != CLOSED && entry < before)) reached(vm, to) = entry;
    }
  }
  for (u32 i = 0; i < h; i++) {
    u64 first = static_cast<u64>(i) * w;
    for_all(vm, w, [&](u64 j) {
      u32 entry = reached(vm, reached.place(i, j));
      bool is_new = entry != OPEN && entry != CLOSED;
      mem<u8>(vm, made, first + j) = is_new ? static_cast<u8>(entry) : mem<u8>(vm, grid.bits, first + j);
    });
  }
  return grid_at(made, h, w);
}

enum Placed : u8 { OTHER_CELLS, INNER_CELLS, OUTER_CELLS };

// Turn the inner cells of a table of h rows and w columns that a path joins to its border to outer cells. False if the
// machine stopped.
BATT_DEVICE_NOINLINE bool reach_from_border(Scratch& scratch, const Framed<u8>& cells, u64 h, u64 w, bool diagonal) {
  Vm& vm = scratch.vm;
  Addr queue = scratch.alloc<u64>(h * w);
  if (stopped(vm)) return false;
  u64 count = 0;
  auto reach = [&](u64 at) {
    if (cells(vm, at) != INNER_CELLS) return;
    cells(vm, at) = OUTER_CELLS;
    mem<u64>(vm, queue, count++) = at;
  };
  for (u64 i = 0; i < h; i++) {
    u64 step = i == 0 || i == h - 1 ? 1 : larger<u64>(1, w - 1);
    for (u64 j = 0; j < w; j += step) reach(cells.place(i, j));
  }
  for (u64 head = 0; head < count; head++) {
    u64 at = mem<u64>(vm, queue, head);
    for (i32 down = -1; down <= 1; down++)
      for (i32 right = -1; right <= 1; right++)
        if (diagonal || down == 0 || right == 0) reach(cells.neighbour(at, down, right));
  }
  return true;
}

// Make the set of the places of a region; the first cell of the table is at (box.top, box.left).
BATT_DEVICE_NOINLINE Value places_of_region(Vm& vm, const Framed<u8>& cells, const Box& box, Placed region) {
  u64 h = static_cast<u64>(box.bottom - box.top) + 1, w = static_cast<u64>(box.right - box.left) + 1, found = 0;
  for (u64 k = 0; k < cells.n; k++) found += cells(vm, k) == region;
  if (too_many(vm, static_cast<i64>(found))) return none();
  PlaceList list(vm, found, box);
  for (u64 i = 0; i < h && !stopped(vm); i++)
    for (u64 j = 0; j < w; j++)
      if (cells(vm, cells.place(i, j)) == region)
        list.add(box.top + static_cast<i64>(i), box.left + static_cast<i64>(j));
  return list.made();
}

BATT_DEVICE_NOINLINE Value region_of_colour(Vm& vm, const Value* a, Placed region) {
  Value grid;
  if (!plain_grid(vm, a[0], grid) || !plain_colour(vm, a[1]) || !expect_int(vm, a[2])) return none();
  u32 h = grid_h(grid), w = grid_w(grid);
  Scratch scratch(vm);
  Framed<u8> cells;
  if (!cells.open(scratch, h, w, OTHER_CELLS)) return none();
  for (u32 i = 0; i < h; i++)
    for_all(vm, w, [&](u64 j) {
      if (mem<u8>(vm, grid.bits, static_cast<u64>(i) * w + j) == a[1].bits) cells(vm, cells.place(i, j)) = INNER_CELLS;
    });
  if (!reach_from_border(scratch, cells, h, w, int_of(a[2]) != 0)) return none();
  return places_of_region(vm, cells, Box{0, 0, static_cast<i64>(h) - 1, static_cast<i64>(w) - 1}, region);
}
BATT_OP Value op_outside(Vm& vm, const Value* a) { return region_of_colour(vm, a, OUTER_CELLS); }
BATT_OP Value op_inside(Vm& vm, const Value* a) { return region_of_colour(vm, a, INNER_CELLS); }

BATT_INLINE i64 cost_holes(Vm& vm, const Value* a) {
  i64 height, width;
  extent(vm, a[0], height, width);
  return sum_of(1 + items(vm, a[0]), product_of(height, width));
}

// Get a place, or the place of a cell.
BATT_INLINE bool place_of_plain(Vm& vm, Value v, bool is_cell, i64& i, i64& j) {
  u8 colour;
  return is_cell ? plain_cell(vm, v, colour, i, j) : plain_pair(vm, v, i, j);
}

// Get the bounding box of a set of plain places or plain cells that is not empty; false if the machine stopped.
BATT_DEVICE_NOINLINE bool box_of_plain(Vm& vm, Value patch, bool is_cell, Box& box) {
  for (u32 k = 0; k < length(patch); k++) {
    i64 i, j;
    if (!place_of_plain(vm, item(vm, patch, k), is_cell, i, j)) return false;
    if (k == 0) box = Box{i, j, i, j};
    box = Box{smaller(box.top, i), smaller(box.left, j), larger(box.bottom, i), larger(box.right, j)};
  }
  return true;
}

BATT_OP Value op_holes(Vm& vm, const Value* a) {
  if (!is_set(a[0])) return raise(vm, TYPE_ERROR);
  u32 n = length(a[0]);
  Box box{0, 0, 0, 0};
  bool is_cell = false;
  if (n) {
    Value head = item(vm, a[0], 0);
    is_cell = is_tuple(head) && length(head) == 2 && is_tuple(item(vm, head, 1));
  }
  if (!box_of_plain(vm, a[0], is_cell, box) || !expect_int(vm, a[1])) return none();
  if (n == 0) return empty_set();
  u64 h = static_cast<u64>(box.bottom - box.top) + 1, w = static_cast<u64>(box.right - box.left) + 1;
  Scratch scratch(vm);
  Framed<u8> cells;
  if (!cells.open(scratch, h, w, OTHER_CELLS)) return none();
  for (u64 i = 0; i < h; i++) for_all(vm, w, [&](u64 j) { cells(vm, cells.place(i, j)) = INNER_CELLS; });
  for (u32 k = 0; k < n; k++) {
    i64 i = 0, j = 0;
    place_of_plain(vm, item(vm, a[0], k), is_cell, i, j);
    cells(vm, cells.place(static_cast<u64>(i - box.top), static_cast<u64>(j - box.left))) = OTHER_CELLS;
  }
  if (!reach_from_border(scratch, cells, h, w, int_of(a[1]) != 0)) return none();
  return places_of_region(vm, cells, box, INNER_CELLS);
}

}  // namespace batt
