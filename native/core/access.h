// Read values of every form, and make tuples. Kernels that do not handle packed forms need nothing else.
#pragma once
#include "bytes.h"

namespace batt {

// The number of items of a tuple or set; 0 for any other value.
BATT_DEVICE_NOINLINE u32 length(Value v) {
  switch (v.tag) {
    case PAIR:
    case CELL: return 2;
    case GRID: return grid_h(v);
    case ROW:
    case TUPLE:
    case PLACES:
    case CELLS:
    case SET: return v.n;
    default: return 0;
  }
}

// Item k of a tuple, or of a set in canonical order; k < length(v).
BATT_DEVICE_NOINLINE Value item(const Vm& vm, Value v, u32 k) {
  switch (v.tag) {
    case PAIR: return integer(k ? pair_j(v) : pair_i(v));
    case CELL: return k ? pair_of(pair_i(v), pair_j(v)) : integer(cell_colour(v));
    case ROW: return integer(mem<u8>(vm, v.bits, k));
    case GRID: return row_at(v.bits + static_cast<u64>(k) * grid_w(v), grid_w(v));
    case PLACES: return place_value(mem<u32>(vm, v.bits, k));
    case CELLS: return cell_value(mem<u64>(vm, v.bits, k));
    case TUPLE:
    case SET: return mem<Value>(vm, v.bits, k);
    default: return none();
  }
}

// Fetch the parts of a value that is read a few rounds after value k of n; they may lie anywhere.
BATT_INLINE void prefetch_ahead(const Vm& vm, Addr values, u64 k, u64 n) {
  constexpr u64 AHEAD = 12;
  if (k + AHEAD < n) {
    const Value& later = mem<Value>(vm, values, k + AHEAD);
    if (later.tag >= ROW) prefetch(later.bits);
  }
}

// The size of a value as step costs count it: `items` of batt.ops.meter.
BATT_INLINE i64 items_of_tuple(const Vm& vm, Value v) {
  if (!v.n) return 0;
  Value head = mem<Value>(vm, v.bits, 0);
  return is_tuple(head) ? static_cast<i64>(v.n) * larger(1u, length(head)) : v.n;
}
BATT_ALWAYS_INLINE i64 items(const Vm& vm, Value v) {
  constexpr u32 COUNTED = 1u << ROW | 1u << PLACES | 1u << CELLS | 1u << SET;  // forms with n items
  if (v.tag == GRID) return static_cast<i64>(grid_h(v)) * grid_w(v);
  if (v.tag == TUPLE) return items_of_tuple(vm, v);
  return COUNTED >> v.tag & 1u ? v.n : v.tag == PAIR || v.tag == CELL ? 2 : 0;
}

// `cells` of batt.ops.meter: the rows plus the values in all rows.
BATT_DEVICE_NOINLINE i64 cells(const Vm& vm, Value v) {
  if (!is_tuple(v)) return items(vm, v);
  if (v.tag == GRID) return static_cast<i64>(grid_h(v)) * (1 + static_cast<i64>(grid_w(v)));
  i64 total = length(v);
  if (v.tag == TUPLE)
    for (u32 k = 0; k < v.n; k++) total += length(mem<Value>(vm, v.bits, k));
  if (v.tag == CELL) total += 2;
  return total;
}

// `whole` of batt.ops.meter: an int above 0 as it is, 0 for anything else.
BATT_INLINE i64 whole(Value v) { return is_int(v) && int_of(v) > 0 ? int_of(v) : 0; }

// Python's `bool(v)`.
BATT_INLINE bool truth(Value v) {
  if (v.tag == INT) return v.bits != 0;
  if (v.tag == NONE) return false;
  return v.tag == FN || length(v) != 0;
}

// Make the tuple (a, b), as a PAIR or CELL if it can be one.
BATT_DEVICE_NOINLINE Value tuple_of(Vm& vm, Value a, Value b) {
  if (is_int(a) && fits32(int_of(a))) {
    if (is_int(b) && fits32(int_of(b))) return pair_of(static_cast<i32>(int_of(a)), static_cast<i32>(int_of(b)));
    if (b.tag == PAIR) return cell_of(static_cast<i32>(int_of(a)), pair_i(b), pair_j(b));
  }
  Addr at = alloc<Value>(vm, 2);
  if (stopped(vm)) return none();
  mem<Value>(vm, at, 0) = a;
  mem<Value>(vm, at, 1) = b;
  return Value{TUPLE, 2, at};
}

BATT_INLINE Value int_pair(Vm& vm, i64 i, i64 j) { return tuple_of(vm, integer(i), integer(j)); }

// Make a tuple of the n values at `at`, on the side of results. The caller wrote them and does not use them again. Use
// the packed form for two ints, for a colour with a place, and for bytes.
BATT_DEVICE_NOINLINE Value tuple_at(Vm& vm, Addr at, u32 n) {
  if (n == 0) {
    shrink<Value>(vm, at, 0);
    return empty_tuple();
  }
  if (n == 2) {
    Value a = mem<Value>(vm, at, 0), b = mem<Value>(vm, at, 1);
    if (is_int(a) && fits32(int_of(a)) && ((is_int(b) && fits32(int_of(b))) || b.tag == PAIR)) {
      shrink<Value>(vm, at, 0);
      return tuple_of(vm, a, b);
    }
  }
  for (u32 k = 0; k < n; k++)
    if (!is_byte(mem<Value>(vm, at, k))) return Value{TUPLE, n, at};
  // Bytes overwrite the values they come from: byte k lies at or before value k.
  for (u32 k = 0; k < n; k++) {
    u8 byte = static_cast<u8>(mem<Value>(vm, at, k).bits);
    mem<u8>(vm, at, k) = byte;
  }
  shrink<u8>(vm, at, n);
  return row_at(at, n);
}

// Python's `v[k]` for k >= 0. Sets and values that are not containers raise a TypeError.
BATT_INLINE Value at_index(Vm& vm, Value v, u32 k) {
  if (!is_tuple(v)) return raise(vm, TYPE_ERROR);
  if (k >= length(v)) return raise(vm, INDEX_ERROR);
  return item(vm, v, k);
}

// Python's `len(v)`. Values without a length raise a TypeError.
BATT_INLINE u32 len(Vm& vm, Value v) {
  if (!is_container(v)) {
    raise(vm, TYPE_ERROR);
    return 0;
  }
  return length(v);
}

// Python's `a, b = v`: a TypeError if v cannot be iterated, a ValueError if it does not have two items.
BATT_INLINE bool unpack(Vm& vm, Value v, Value& a, Value& b) {
  if (!is_container(v)) {
    raise(vm, TYPE_ERROR);
    return false;
  }
  if (length(v) != 2) {
    raise(vm, VALUE_ERROR);
    return false;
  }
  a = item(vm, v, 0);
  b = item(vm, v, 1);
  return true;
}

// Whether v is an int; raises a TypeError otherwise.
BATT_INLINE bool expect_int(Vm& vm, Value v) {
  if (is_int(v)) return true;
  raise(vm, TYPE_ERROR);
  return false;
}

// Arithmetic on 64-bit ints. Wider results are deferred to the reference engine.
BATT_INLINE i64 plus(Vm& vm, i64 a, i64 b) {
  if ((b > 0 && a > INT64_MOST - b) || (b < 0 && a < INT64_LEAST - b)) {
    unsupported(vm, WIDE_INT);
    return 0;
  }
  return a + b;
}
BATT_INLINE i64 minus(Vm& vm, i64 a, i64 b) {
  if ((b < 0 && a > INT64_MOST + b) || (b > 0 && a < INT64_LEAST + b)) {
    unsupported(vm, WIDE_INT);
    return 0;
  }
  return a - b;
}
BATT_DEVICE_NOINLINE i64 times(Vm& vm, i64 a, i64 b) {
  if (a == 0 || b == 0) return 0;
  if (a == INT64_LEAST || b == INT64_LEAST) {
    if (a == 1 || b == 1) return INT64_LEAST;
    unsupported(vm, WIDE_INT);
    return 0;
  }
  i64 most = INT64_MOST / (b < 0 ? -b : b);
  if (a > most || a < -most) {
    // -2**63 fits, but is deferred as well.
    unsupported(vm, WIDE_INT);
    return 0;
  }
  return a * b;
}
// Python's `a // b`, which rounds down; b is not 0.
BATT_INLINE i64 floor_div(Vm& vm, i64 a, i64 b) {
  if (a == INT64_LEAST && b == -1) {
    unsupported(vm, WIDE_INT);
    return 0;
  }
  i64 q = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

#ifndef __CUDACC__
// Convert the first n items of a tuple to a packed grid of two columns if they are pairs of bytes; false otherwise.
inline bool pairs_as_grid(Vm& vm, Value v, u32 n, Value& grid) {
  constexpr u64 BYTE_PAIR = 0xff000000ffull;
  for (u32 k = 0; k < n; k++) {
    const Value& each = mem<Value>(vm, v.bits, k);
    if (each.tag != PAIR || (each.bits & ~BYTE_PAIR)) return false;
  }
  Addr at = alloc<u8>(vm, 2ull * n);
  if (stopped(vm)) return false;
  for (u32 k = 0; k < n; k++) {
    u64 bits = mem<Value>(vm, v.bits, k).bits;
    mem<u8>(vm, at, 2ull * k) = static_cast<u8>(bits >> 32);
    mem<u8>(vm, at, 2ull * k + 1) = static_cast<u8>(bits);
  }
  grid = grid_at(at, n, 2);
  return true;
}
#endif

// Convert v to a packed grid on the side of results; a packed grid stays as it is. False if rows are empty, differ in
// length, or hold anything but bytes.
BATT_DEVICE_NOINLINE bool as_grid(Vm& vm, Value v, Value& grid) {
  if (v.tag == GRID) {
    grid = v;
    return true;
  }
  u32 h = is_tuple(v) ? length(v) : 0;
  if (h == 0 || h > MAX_SIDE || v.tag == ROW || v.tag == PAIR || v.tag == CELL) return false;
  Value head = item(vm, v, 0);
  u32 w = is_tuple(head) ? length(head) : 0;
  if (w == 0 || w > MAX_SIDE) return false;
#ifndef __CUDACC__
  if (v.tag == TUPLE && head.tag == PAIR) {
    bool made = pairs_as_grid(vm, v, h, grid);
    if (made || stopped(vm)) return made;
  }
#endif
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, v, i);
    if (!is_tuple(row) || length(row) != w) return false;
    if (row.tag != ROW)
      for (u32 j = 0; j < w; j++)
        if (!is_byte(item(vm, row, j))) return false;
  }
  Addr at = alloc<u8>(vm, static_cast<u64>(h) * w);
  if (stopped(vm)) return false;
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, v, i);
    Addr to = at + static_cast<u64>(i) * w;
    if (row.tag == ROW) copy_bytes(vm, to, row.bits, w);
    else
      for (u32 j = 0; j < w; j++) mem<u8>(vm, to, j) = static_cast<u8>(item(vm, row, j).bits);
  }
  grid = grid_at(at, h, w);
  return true;
}

// Allocate a packed grid; the caller writes its cells. Sides of 0 give what Python gives: () or ((), …).
BATT_DEVICE_NOINLINE Value new_grid(Vm& vm, u64 h, u64 w) {
  if (h == 0) return empty_tuple();
  if (w == 0) {
    Addr at = alloc<Value>(vm, h);
    if (stopped(vm)) return none();
    for (u64 i = 0; i < h; i++) mem<Value>(vm, at, i) = empty_tuple();
    return Value{TUPLE, static_cast<u32>(h), at};
  }
  Addr at = alloc<u8>(vm, h * w);
  if (stopped(vm)) return none();
  if (h <= MAX_SIDE && w <= MAX_SIDE) return grid_at(at, static_cast<u32>(h), static_cast<u32>(w));
  // Too large for the packed form: make a tuple of rows over the same cells.
  Addr rows = alloc<Value>(vm, h);
  if (stopped(vm)) return none();
  for_all(vm, h, [&](u64 i) { mem<Value>(vm, rows, i) = row_at(at + i * w, static_cast<u32>(w)); });
  return Value{TUPLE, static_cast<u32>(h), rows};
}
// The address of the cells of a grid from `new_grid`.
BATT_INLINE Addr grid_cells(const Vm& vm, Value grid) {
  return grid.tag == GRID ? grid.bits : mem<Value>(vm, grid.bits, 0).bits;
}

}  // namespace batt
