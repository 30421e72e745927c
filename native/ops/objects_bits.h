// Find the objects of a packed grid with one bit for each cell. Fast if sixteen bytes can be read at once.
#pragma once
#include "shapes_colours.h"

namespace batt {

BATT_INLINE Value set_of_sets(Addr at, u32 n) { return n ? Value{SET, n, at} : empty_set(); }

// The greatest side of such grids: a row is a word with bit j for column j and a spare bit, and a word has a bit for
// each row.
constexpr u32 BIT_SIDE = 63;

// A bitmap of cells, row by row, in scratch memory.
struct BitRows {
  Addr at;  // u64[h + 2]: row i is word i + 1; the rows above and below are empty
  BATT_INLINE u64& row(const Vm& vm, u32 i) const { return mem<u64>(vm, at, i + 1); }
};

BATT_INLINE BitRows new_bit_rows(Scratch& scratch, u32 h) {
  BitRows made{scratch.alloc<u64>(h + 2)};
  if (!stopped(scratch.vm))
    for (u32 k = 0; k < h + 2; k++) mem<u64>(scratch.vm, made.at, k) = 0;
  return made;
}

// Mark the cells of a colour. Return bit i for each row i that has some.
BATT_INLINE u64 mark_cells(Vm& vm, Value grid, u8 colour, BitRows rows) {
  u32 h = grid_h(grid), w = grid_w(grid), n = h * w;
  u64 all = (1ull << w) - 1, used = 0;
  for (u32 i = 0; i < h; i++) {
    u64 bits = same_bytes(vm, grid.bits, n, i * w, colour);
    for (u32 j = 16; j < w; j += 16)
      bits = (bits & ((1ull << j) - 1)) | static_cast<u64>(same_bytes(vm, grid.bits, n, i * w + j, colour)) << j;
    rows.row(vm, i) = bits &= all;
    used |= static_cast<u64>(bits != 0) << i;
  }
  return used;
}

// All runs of a row that contain one of `bits`, which are cells of that row.
BATT_INLINE u64 whole_runs(u64 row, u64 bits) {
  u64 made = bits | (row & ~(row + bits));  // up to the end of each run: carries pass through the rest of it
  u64 free = row & ~made;
  if (!(made >> 1 & free)) return made;
  for (u32 far = 1; far < 64; far *= 2) {
    made |= made >> far & row;
    row &= row >> far;
  }
  return made;
}

// The cells and the extent of an object.
struct BitObject {
  BitRows rows;
  u32 top, bottom;
};

// Move an object from the cells that are `left`, starting with a run in row i. The object had no cells before.
BATT_INLINE void take_object(Vm& vm, BitRows left, u32 i, u64 run, u32 reach, BitObject& made) {
  u64 fresh = 1ull << i;  // rows with new cells
  made.rows.row(vm, i) = run;
  left.row(vm, i) ^= run;
  made.top = made.bottom = i;
  while (fresh) {
    u32 k = lowest_bit(fresh);
    fresh &= fresh - 1;
    u64 near = made.rows.row(vm, k);
    if (reach) near |= near << 1 | near >> 1;
    for (u32 side = k - 1; side != k + 3; side += 2) {  // row k - 1, perhaps the one above all, and row k + 1
      u64 row = left.row(vm, side), met = row & near;
      if (!met) continue;
      met = whole_runs(row, met);
      left.row(vm, side) = row ^ met;
      made.rows.row(vm, side) |= met;
      fresh |= 1ull << side;
      made.top = smaller(made.top, side);
      made.bottom = larger(made.bottom, side);
    }
  }
}

// Write the keys of a row's cells in one colour; return the next position.
BATT_INLINE u32 put_keys(Vm& vm, u64 bits, u32 colour, u32 i, Addr keys, u32 at) {
  u64 first = cell_key(static_cast<i32>(colour), place_key(i, 0));
  for (; bits; bits &= bits - 1) mem<u64>(vm, keys, at++) = first + lowest_bit(bits);
  return at;
}

// The state of a search for objects, and its output.
struct BitObjects {
  Value grid;
  Addr kinds;  // u32[colours]: the colours of cells that belong to objects, ascending
  u32 colours;
  u32 reach;  // 1 if cells also touch at corners
  Addr keys, sets;
  u32 cells, count;
};

// Make an object of the cells from number `start` on.
BATT_INLINE void end_object(Vm& vm, u32 start, BitObjects& made) {
  mem<Value>(vm, made.sets, made.count++) = Value{CELLS, made.cells - start, made.keys + start * sizeof(u64)};
}

// Find objects of one colour each. Cells are visited in ascending order, so objects come in the canonical order of
// their sets.
BATT_DEVICE_NOINLINE void bit_objects_of_colours(Scratch& scratch, BitObjects& made) {
  Vm& vm = scratch.vm;
  u32 h = grid_h(made.grid);
  BitRows left = new_bit_rows(scratch, h);
  BitObject each{new_bit_rows(scratch, h), 0, 0};
  if (stopped(vm)) return;
  for (u32 kind = 0; kind < made.colours; kind++) {
    u32 colour = mem<u32>(vm, made.kinds, kind);
    u64 used = mark_cells(vm, made.grid, static_cast<u8>(colour), left);
    while (used) {
      u32 i = lowest_bit(used), start = made.cells;
      u64 row = left.row(vm, i);
      take_object(vm, left, i, row & ~(row + (row & (0 - row))), made.reach, each);
      for (u32 k = i; k <= each.bottom; k++) {
        u64& bits = each.rows.row(vm, k);
        made.cells = put_keys(vm, bits, colour, k, made.keys, made.cells);
        bits = 0;
        used ^= static_cast<u64>(!left.row(vm, k)) << k;
      }
      end_object(vm, start, made);
    }
  }
}

// The cells of a colour, and the rows that have some.
struct Layer {
  BitRows rows;
  u64 used;
  u64 colour, unused;
};

// Make a layer for each colour, in scratch memory; `left` gets all their cells.
BATT_INLINE Addr bit_layers(Scratch& scratch, const BitObjects& made, BitRows left) {
  Vm& vm = scratch.vm;
  u32 h = grid_h(made.grid);
  Addr layers = scratch.alloc<Layer>(made.colours), rows = scratch.alloc<u64>((h + 2) * made.colours);
  for (u32 kind = 0; kind < made.colours && !stopped(vm); kind++) {
    Layer layer{BitRows{rows + kind * (h + 2) * sizeof(u64)}, 0, mem<u32>(vm, made.kinds, kind), 0};
    layer.used = mark_cells(vm, made.grid, static_cast<u8>(layer.colour), layer.rows);
    for (u32 i = 0; i < h; i++) left.row(vm, i) |= layer.rows.row(vm, i);
    mem<Layer>(vm, layers, kind) = layer;
  }
  return layers;
}

// Write an object's cells from layer `kind` on, and clear it for the next one.
BATT_INLINE void put_object(Vm& vm, const BitObject& object, Addr layers, u32 kind, BitObjects& made) {
  u32 start = made.cells;
  u64 rows = (2ull << object.bottom) - (1ull << object.top);
  for (; kind < made.colours; kind++) {
    Layer layer = mem<Layer>(vm, layers, kind);
    for (u64 used = layer.used & rows; used; used &= used - 1) {
      u32 k = lowest_bit(used);
      made.cells = put_keys(vm, object.rows.row(vm, k) & layer.rows.row(vm, k), static_cast<u32>(layer.colour), k,
                            made.keys, made.cells);
    }
  }
  for (u32 k = object.top; k <= object.bottom; k++) object.rows.row(vm, k) = 0;
  end_object(vm, start, made);
}

// Find objects of any colours, by their least cells, the least colour first.
BATT_DEVICE_NOINLINE void bit_objects_of_cells(Scratch& scratch, BitObjects& made) {
  Vm& vm = scratch.vm;
  u32 h = grid_h(made.grid);
  BitRows left = new_bit_rows(scratch, h);
  BitObject each{new_bit_rows(scratch, h), 0, 0};
  if (stopped(vm)) return;
  Addr layers = bit_layers(scratch, made, left);
  if (stopped(vm)) return;
  for (u32 kind = 0; kind < made.colours; kind++) {
    Layer layer = mem<Layer>(vm, layers, kind);
    for (u64 used = layer.used; used; used &= used - 1) {
      u32 i = lowest_bit(used);
      while (u64 seeds = left.row(vm, i) & layer.rows.row(vm, i)) {
        take_object(vm, left, i, whole_runs(left.row(vm, i), seeds & (0 - seeds)), made.reach, each);
        put_object(vm, each, layers, kind, made);
      }
    }
  }
}

// Find the objects of a packed grid with sides up to BIT_SIDE.
BATT_DEVICE_NOINLINE Value bit_objects(Vm& vm, Value grid, bool univalued, bool diagonal, bool without_background) {
  Scratch scratch(vm);
  u32 n = grid_h(grid) * grid_w(grid);
  Addr times = scratch.alloc<u32>(BYTES);
  BitObjects made{grid, scratch.alloc<u32>(BYTES + 1), 0, diagonal ? 1u : 0u, 0, 0, 0, 0};
  if (stopped(vm)) return none();
  u32 limit = count_bytes(vm, grid, times);
  if (without_background) n -= drop_most_frequent(vm, times, limit);
  made.colours = put_counted(vm, times, limit, made.kinds);
  made.keys = alloc<u64>(vm, n);
  made.sets = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  if (univalued || made.colours <= 1) bit_objects_of_colours(scratch, made);
  else bit_objects_of_cells(scratch, made);
  if (stopped(vm)) return none();
  shrink<Value>(vm, made.sets, made.count);
  return set_of_sets(made.sets, made.count);
}

// Make one set of cells for each colour of a packed grid that `has_quick_places`.
BATT_DEVICE_NOINLINE Value partition_by_colours(Vm& vm, Value grid, bool without_background) {
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES), kinds = scratch.alloc<u32>(BYTES + 1);
  if (stopped(vm)) return none();
  u32 n = grid_h(grid) * grid_w(grid), limit = count_bytes(vm, grid, table);
  if (without_background) n -= drop_most_frequent(vm, table, limit);
  u32 objects = put_counted(vm, table, limit, kinds), done = 0;
  Addr sets = alloc<Value>(vm, objects), keys = alloc<u64>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < objects; k++) {
    u32 c = mem<u32>(vm, kinds, k);
    mem<Value>(vm, sets, k) = Value{CELLS, mem<u32>(vm, table, c), keys + done * sizeof(u64)};
    done = put_places_of<u64>(vm, grid, static_cast<u8>(c), cell_key(static_cast<i32>(c), place_key(0, 0)), keys, done);
  }
  return set_of_sets(sets, objects);
}

}  // namespace batt
