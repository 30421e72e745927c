// Draw patches onto grids: ops/drawing.py. Places outside the grid are ignored.
#pragma once
#include "../core/sets.h"
#include "shapes.h"
#include "shapes_colours.h"

namespace batt {

// A grid to draw on, in scratch memory: a tuple of tuples of values, and the width of its first row.
struct Canvas {
  Value rows;
  u32 width;
};

BATT_DEVICE_NOINLINE bool open_canvas(Vm& vm, Scratch& scratch, Value grid, Canvas& canvas) {
  u32 height = len(vm, grid);
  Value head = at_index(vm, grid, 0);
  canvas.width = len(vm, head);
  if (stopped(vm)) return false;
  u64 total = 0;
#ifdef __CUDACC__
  for (u32 i = 0; i < height; i++) total += len(vm, item(vm, grid, i));
#else
  bool is_flat = grid.tag == TUPLE && head.tag == TUPLE;  // whether all values lie in one array
  for (u32 i = 0; i < height; i++) {
    Value row = item(vm, grid, i);
    is_flat &= row.tag == TUPLE && row.bits == head.bits + sizeof(Value) * total;
    total += len(vm, row);
  }
#endif
  if (stopped(vm) || !work(vm, total / 8)) return false;
  Addr rows = scratch.alloc<Value>(height), at = scratch.alloc<Value>(total);
  if (stopped(vm)) return false;
#ifndef __CUDACC__
  if (is_flat) {
    copy_bytes(vm, at, head.bits, sizeof(Value) * total);
    for (u32 i = 0; i < height; i++) {
      u32 n = mem<Value>(vm, grid.bits, i).n;
      mem<Value>(vm, rows, i) = Value{TUPLE, n, at};
      at += n * sizeof(Value);
    }
    canvas.rows = Value{TUPLE, height, rows};
    return true;
  }
#endif
  for (u32 i = 0; i < height; i++) {
    Value row = item(vm, grid, i);
    put_items(vm, row, at, 0);
    mem<Value>(vm, rows, i) = Value{TUPLE, length(row), at};
    at += length(row) * sizeof(Value);
  }
  canvas.rows = Value{TUPLE, height, rows};
  return true;
}

#ifndef __CUDACC__
// Copy all rows of a canvas to the side of results at once; false, and nothing done, if one of them may be a pair or is
// empty. Rows of bytes are packed.
inline bool copy_rows(Vm& vm, const Canvas& canvas) {
  u64 total = 0;
  for (u32 i = 0; i < canvas.rows.n; i++) {
    u32 n = mem<Value>(vm, canvas.rows.bits, i).n;
    if (n == 0 || n == 2) return false;
    total += n;
  }
  Addr at = alloc<Value>(vm, total);
  if (stopped(vm)) return false;
  copy_bytes(vm, at, mem<Value>(vm, canvas.rows.bits, 0).bits, sizeof(Value) * total);  // they follow each other
  for (u32 i = 0; i < canvas.rows.n; i++) {
    Value& row = mem<Value>(vm, canvas.rows.bits, i);
    u32 n = row.n, k = 0;
    while (k < n && is_byte(mem<Value>(vm, at, k))) k++;
    row = k == n ? row_at(at, n) : Value{TUPLE, n, at};
    // Byte k lies at or before value k.
    for (u32 q = 0; q < n && k == n; q++) {
      u8 byte = static_cast<u8>(mem<Value>(vm, at, q).bits);
      mem<u8>(vm, at, q) = byte;
    }
    at += n * sizeof(Value);
  }
  return true;
}
#endif

// Convert a canvas to a grid, packed if possible.
BATT_DEVICE_NOINLINE Value shown(Vm& vm, const Canvas& canvas) {
  Value grid;
  if (as_grid(vm, canvas.rows, grid)) return grid;
  if (stopped(vm)) return none();
  u32 height = canvas.rows.n;
  bool copied = false;
#ifndef __CUDACC__
  copied = height && copy_rows(vm, canvas);
  if (stopped(vm)) return none();
#endif
  for (u32 i = 0; i < height && !copied; i++) {
    Value& row = mem<Value>(vm, canvas.rows.bits, i);
    if (row.n == 2) {  // mostly a pair, which needs no memory
      row = tuple_of(vm, mem<Value>(vm, row.bits, 0), mem<Value>(vm, row.bits, 1));
      if (stopped(vm)) return none();
      continue;
    }
    Addr at = alloc<Value>(vm, row.n);
    if (stopped(vm)) return none();
    put_items(vm, row, at, 0);
    row = tuple_at(vm, at, row.n);
  }
  Addr at = alloc<Value>(vm, height);
  if (stopped(vm)) return none();
  put_items(vm, canvas.rows, at, 0);
  return tuple_at(vm, at, height);
}

// Whether a place takes a new value: always, or only if it still has the backdrop's value.
struct Over {
  BATT_INLINE bool operator()(Vm&, Value) const { return true; }
  BATT_INLINE bool operator()(u8) const { return true; }
};
struct Under {
  Value backdrop;
  BATT_INLINE bool operator()(Vm& vm, Value shows) const { return equal(vm, shows, backdrop); }
  BATT_INLINE bool operator()(u8 shows) const { return shows == backdrop.bits; }  // a byte of a packed grid
};

// Whether 0 <= x < end; raises a TypeError if x is not an int.
BATT_INLINE bool is_within(Vm& vm, Value x, u32 end) { return expect_int(vm, x) && int_of(x) >= 0 && int_of(x) < end; }

template <class Rule> BATT_INLINE void put_value(Vm& vm, const Canvas& canvas, Value place, Value value, Rule takes) {
  u64 row_number, column;  // huge if they are negative
  if (place.tag == PAIR) {
    row_number = static_cast<u64>(static_cast<i64>(pair_i(place)));
    column = static_cast<u64>(static_cast<i64>(pair_j(place)));
    if (row_number >= canvas.rows.n || column >= canvas.width) return;
  } else {
    Value i, j;
    if (!unpack(vm, place, i, j) || !is_within(vm, i, canvas.rows.n) || !is_within(vm, j, canvas.width)) return;
    row_number = i.bits;
    column = j.bits;
  }
  Value row = mem<Value>(vm, canvas.rows.bits, row_number);
  if (column >= row.n) {
    raise(vm, INDEX_ERROR);
    return;
  }
  Value& spot = mem<Value>(vm, row.bits, column);
  if (takes(vm, spot) && !stopped(vm)) spot = value;
}

template <class Rule> BATT_INLINE void put_places(Vm& vm, const Canvas& canvas, Value spots, Value value, Rule takes) {
  u32 n = len(vm, spots);
  for (u32 k = 0; k < n && !stopped(vm); k++) put_value(vm, canvas, item(vm, spots, k), value, takes);
}

template <class Rule> BATT_INLINE void put_cells(Vm& vm, const Canvas& canvas, Value obj, Rule takes) {
  u32 n = len(vm, obj);
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value value, place;
    if (unpack(vm, item(vm, obj, k), value, place)) put_value(vm, canvas, place, value, takes);
  }
}

// The packed case: places and cells have keys, and the grid is a copy of bytes.

// Copy a grid as a packed grid to draw a patch on; without copying if there is nothing to draw. False if it cannot be
// packed, or if the machine stopped.
BATT_DEVICE_NOINLINE bool packed_canvas(Vm& vm, Value grid, Value patch, Value& canvas) {
  if (grid.tag != GRID || length(patch) == 0) return as_grid(vm, grid, canvas);
  u64 n = static_cast<u64>(grid_h(grid)) * grid_w(grid);
  Addr at = alloc<u8>(vm, n);
  if (stopped(vm)) return false;
  copy_bytes(vm, at, grid.bits, n);
  canvas = grid_at(at, grid_h(grid), grid_w(grid));
  return true;
}

// Whether all places of a patch are known to be pairs of ints: it is packed, or holds places or cells as values.
BATT_INLINE bool is_packed_patch(const Vm& vm, Value v) {
  if (v.tag == PLACES || v.tag == CELLS || (is_container(v) && !length(v))) return true;
  return all_tagged(vm, v, PAIR) || all_tagged(vm, v, CELL);
}

// Whether all colours of an object are bytes; keys ascend by colour first.
BATT_DEVICE_NOINLINE bool is_packed_object(const Vm& vm, Value v) {
  if ((v.tag == TUPLE || v.tag == SET) && v.n) {
    if (!all_tagged(vm, v, CELL)) return false;
    for (u32 k = 0; k < v.n; k++)
      if (mem<Value>(vm, v.bits, k).n >= BYTES) return false;
    return true;
  }
  if (v.tag != CELLS) return is_container(v) && !length(v);
  return key_colour(mem<u64>(vm, v.bits, 0)) >= 0 && key_colour(mem<u64>(vm, v.bits, v.n - 1)) < 256;
}

template <class Rule> BATT_INLINE void put_byte(Vm& vm, Value grid, i64 i, i64 j, u8 value, Rule takes) {
  u64 row = static_cast<u64>(i), column = static_cast<u64>(j);  // huge if they are negative
  if (row >= grid_h(grid) || column >= grid_w(grid)) return;
  u8& spot = mem<u8>(vm, grid.bits, row * grid_w(grid) + column);
  if (takes(spot)) spot = value;
}

template <class Rule> BATT_DEVICE_NOINLINE void fill_packed(Vm& vm, Value grid, Value patch, u8 value, Rule takes) {
  u32 n = length(patch);
  if (patch.tag == TUPLE || patch.tag == SET) {
    for_all(vm, n, [&](u64 k) {
      Value each = mem<Value>(vm, patch.bits, k);
      put_byte(vm, grid, pair_i(each), pair_j(each), value, takes);
    });
  } else if (patch.tag == PLACES) {
    for_all(vm, n, [&](u64 k) {
      u32 key = mem<u32>(vm, patch.bits, k);
      put_byte(vm, grid, key_i(key), key_j(key), value, takes);
    });
  } else {
    for_all(vm, n, [&](u64 k) {
      u32 key = key_place(mem<u64>(vm, patch.bits, k));
      put_byte(vm, grid, key_i(key), key_j(key), value, takes);
    });
  }
}

template <class Rule> BATT_DEVICE_NOINLINE void paint_packed(Vm& vm, Value grid, Value obj, i64 di, i64 dj,
                                                             Rule takes) {
  u32 n = length(obj);
  if (obj.tag == TUPLE || obj.tag == SET) {
    for (u32 k = 0; k < n; k++) {
      Value each = mem<Value>(vm, obj.bits, k);
      put_byte(vm, grid, pair_i(each) + di, pair_j(each) + dj, static_cast<u8>(each.n), takes);
    }
    return;
  }
  for (u32 k = 0; k < n; k++) {
    u64 cell = mem<u64>(vm, obj.bits, k);
    u32 key = key_place(cell);
    put_byte(vm, grid, key_i(key) + di, key_j(key) + dj, static_cast<u8>(key_colour(cell)), takes);
  }
}

#ifndef __CUDACC__
// A patch as pairs in scratch memory if it is a tuple of pairs of bytes, which is a packed grid of two columns; any
// other value stays as it is.
inline Value paired_patch(Scratch& scratch, Value patch) {
  Vm& vm = scratch.vm;
  if (patch.tag != GRID || grid_w(patch) != 2) return patch;
  u32 n = grid_h(patch);
  Addr at = scratch.alloc<Value>(n);
  if (stopped(vm)) return patch;
  for (u32 k = 0; k < n; k++)
    mem<Value>(vm, at, k) = pair_of(mem<u8>(vm, patch.bits, 2ull * k), mem<u8>(vm, patch.bits, 2ull * k + 1));
  return Value{TUPLE, n, at};
}

// Whether a grid is a tuple of places, thus of two columns, on which `fill_pairs` can draw a value at a patch.
BATT_INLINE bool is_pair_canvas(const Vm& vm, Value grid, Value patch, Value value) {
  return grid.tag == TUPLE && grid.n && is_int(value) && fits32(int_of(value)) && is_packed_patch(vm, patch) &&
         all_tagged(vm, grid, PAIR);
}

// Copy such a grid and draw a value at all places of a patch.
template <class Rule> inline Value fill_pairs(Vm& vm, Value grid, Value patch, Value value, Rule takes) {
  Addr at = alloc<Value>(vm, grid.n);
  if (stopped(vm) || !work(vm, grid.n / 8)) return none();
  put_items(vm, grid, at, 0);
  bool packed = patch.tag == PLACES || patch.tag == CELLS;
  for (u32 k = 0, n = length(patch); k < n; k++) {
    Value place = packed ? place_value(place_at(vm, patch, k)) : mem<Value>(vm, patch.bits, k);
    u64 row = static_cast<u64>(static_cast<i64>(pair_i(place))), column = static_cast<u32>(pair_j(place));
    if (row >= grid.n || column > 1) continue;  // negative ones are huge
    Value& shows = mem<Value>(vm, at, row);
    i32 parts[2] = {pair_i(shows), pair_j(shows)};
    if (takes(vm, integer(parts[column]))) parts[column] = static_cast<i32>(int_of(value));
    shows = pair_of(parts[0], parts[1]);
  }
  Value made;
  if (as_grid(vm, Value{TUPLE, grid.n, at}, made)) return made;
  return stopped(vm) ? none() : tuple_at(vm, at, grid.n);
}
#endif

BATT_OP Value op_fill(Vm& vm, const Value* a) {
  Value grid, patch = a[2];
#ifndef __CUDACC__
  Scratch pairs(vm);
  patch = paired_patch(pairs, patch);
  if (stopped(vm)) return none();
#endif
  if (is_byte(a[1]) && is_packed_patch(vm, patch) && packed_canvas(vm, a[0], patch, grid)) {
    fill_packed(vm, grid, patch, static_cast<u8>(a[1].bits), Over());
    return grid;
  }
#ifndef __CUDACC__
  if (!stopped(vm) && is_pair_canvas(vm, a[0], patch, a[1])) return fill_pairs(vm, a[0], patch, a[1], Over());
#endif
  Scratch scratch(vm);
  Canvas canvas;
  if (stopped(vm) || !open_canvas(vm, scratch, a[0], canvas)) return none();
  Value spots = places(vm, patch);
  if (stopped(vm)) return none();
  put_places(vm, canvas, spots, a[1], Over());
  return stopped(vm) ? none() : shown(vm, canvas);
}

BATT_OP Value op_paint(Vm& vm, const Value* a) {
  Value grid;
  if (is_packed_object(vm, a[1]) && packed_canvas(vm, a[0], a[1], grid)) {
    paint_packed(vm, grid, a[1], 0, 0, Over());
    return grid;
  }
  Scratch scratch(vm);
  Canvas canvas;
  if (stopped(vm) || !open_canvas(vm, scratch, a[0], canvas)) return none();
  put_cells(vm, canvas, a[1], Over());
  return stopped(vm) ? none() : shown(vm, canvas);
}

BATT_OP Value op_underfill(Vm& vm, const Value* a) {
  Value grid, patch = a[2];
#ifndef __CUDACC__
  Scratch pairs(vm);
  patch = paired_patch(pairs, patch);
  if (stopped(vm)) return none();
#endif
  if (is_byte(a[1]) && is_packed_patch(vm, patch) && packed_canvas(vm, a[0], patch, grid)) {
    Value backdrop = background(vm, grid);
    if (stopped(vm)) return none();
    fill_packed(vm, grid, patch, static_cast<u8>(a[1].bits), Under{backdrop});
    return grid;
  }
#ifndef __CUDACC__
  if (!stopped(vm) && is_pair_canvas(vm, a[0], patch, a[1])) {
    Value backdrop = background(vm, a[0]);
    return stopped(vm) ? none() : fill_pairs(vm, a[0], patch, a[1], Under{backdrop});
  }
#endif
  Scratch scratch(vm);
  Canvas canvas;
  if (stopped(vm) || !open_canvas(vm, scratch, a[0], canvas)) return none();
  Value backdrop = background(vm, a[0]);
  if (stopped(vm)) return none();
  Value spots = places(vm, patch);
  if (stopped(vm)) return none();
  put_places(vm, canvas, spots, a[1], Under{backdrop});
  return stopped(vm) ? none() : shown(vm, canvas);
}

BATT_OP Value op_underpaint(Vm& vm, const Value* a) {
  Value grid;
  if (is_packed_object(vm, a[1]) && packed_canvas(vm, a[0], a[1], grid)) {
    Value backdrop = background(vm, grid);
    if (stopped(vm)) return none();
    paint_packed(vm, grid, a[1], 0, 0, Under{backdrop});
    return grid;
  }
  Scratch scratch(vm);
  Canvas canvas;
  if (stopped(vm) || !open_canvas(vm, scratch, a[0], canvas)) return none();
  Value backdrop = background(vm, a[0]);
  if (stopped(vm)) return none();
  put_cells(vm, canvas, a[1], Under{backdrop});
  return stopped(vm) ? none() : shown(vm, canvas);
}

// Draw the background of a packed grid at every place of a packed patch; false as for `packed_canvas`.
BATT_INLINE bool cover_packed(Vm& vm, Value grid, Value patch, Value& covered) {
  if (!packed_canvas(vm, grid, patch, covered)) return false;
  if (length(patch) == 0) return true;
  Value backdrop = background(vm, covered);
  if (stopped(vm)) return false;
  fill_packed(vm, covered, patch, static_cast<u8>(backdrop.bits), Over());
  return true;
}

BATT_INLINE bool cover_canvas(Vm& vm, Scratch& scratch, Value grid, Value patch, Canvas& canvas) {
  Value backdrop = background(vm, grid);
  if (stopped(vm) || !open_canvas(vm, scratch, grid, canvas)) return false;
  Value spots = places(vm, patch);
  if (stopped(vm)) return false;
  put_places(vm, canvas, spots, backdrop, Over());
  return !stopped(vm);
}

BATT_OP Value op_cover(Vm& vm, const Value* a) {
  Value grid, patch = a[1];
#ifndef __CUDACC__
  Scratch pairs(vm);
  patch = paired_patch(pairs, patch);
  if (stopped(vm)) return none();
#endif
  if (is_packed_patch(vm, patch) && cover_packed(vm, a[0], patch, grid)) return grid;
#ifndef __CUDACC__
  if (!stopped(vm) && is_pair_canvas(vm, a[0], patch, integer(0))) {
    Value backdrop = background(vm, a[0]);
    return stopped(vm) ? none() : fill_pairs(vm, a[0], patch, backdrop, Over());
  }
#endif
  Scratch scratch(vm);
  Canvas canvas;
  if (stopped(vm) || !cover_canvas(vm, scratch, a[0], patch, canvas)) return none();
  return shown(vm, canvas);
}

BATT_OP Value op_move(Vm& vm, const Value* a) {
  Value grid;
  bool still = is_container(a[1]) && length(a[1]) == 0;  // the offset of an empty object is not read
  // A moved object is a set, whatever it was before; moving keeps the order of a set.
  if ((still || (a[2].tag == PAIR && (a[1].tag == CELLS || a[1].tag == SET))) && is_packed_object(vm, a[1]) &&
      cover_packed(vm, a[0], a[1], grid)) {
    if (!still) paint_packed(vm, grid, a[1], pair_i(a[2]), pair_j(a[2]), Over());
    return grid;
  }
  Scratch scratch(vm);
  Canvas canvas;
  if (stopped(vm) || !cover_canvas(vm, scratch, a[0], a[1], canvas)) return none();
  Value obj = moved(vm, a[1], a[2]);
  if (stopped(vm)) return none();
  put_cells(vm, canvas, obj, Over());
  return stopped(vm) ? none() : shown(vm, canvas);
}

}  // namespace batt
