// Check the arguments of the new words, which take only plain values: ops/strict.py.
#pragma once
#include "scaling_cuts.h"

namespace batt {

// Each of these raises a TypeError and returns false if the value is not plain.
BATT_INLINE bool plain_grid(Vm& vm, Value v, Value& grid) {
  if (as_grid(vm, v, grid)) return true;
  if (!stopped(vm)) raise(vm, TYPE_ERROR);
  return false;
}

BATT_INLINE bool plain_colour(Vm& vm, Value v) {
  if (is_byte(v)) return true;
  raise(vm, TYPE_ERROR);
  return false;
}

BATT_DEVICE_NOINLINE bool plain_pair(Vm& vm, Value v, i64& i, i64& j) {
  if (is_tuple(v) && length(v) == 2) {
    Value x = item(vm, v, 0), y = item(vm, v, 1);
    if (is_int(x) && is_int(y)) {
      i = int_of(x);
      j = int_of(y);
      return true;
    }
  }
  raise(vm, TYPE_ERROR);
  return false;
}

// A size below 1 is a ValueError.
BATT_INLINE bool plain_size(Vm& vm, Value v, i64& rows, i64& columns) {
  if (!plain_pair(vm, v, rows, columns)) return false;
  if (rows < 1 || columns < 1) raise(vm, VALUE_ERROR);
  return !stopped(vm);
}

// Whether v is a set of plain places.
BATT_DEVICE_NOINLINE bool plain_places(Vm& vm, Value v) {
  if (v.tag == PLACES || (is_set(v) && length(v) == 0)) return true;
  if (v.tag != SET) raise(vm, TYPE_ERROR);
  i64 i, j;
  for (u32 k = 0; k < length(v) && !stopped(vm); k++) plain_pair(vm, item(vm, v, k), i, j);
  return !stopped(vm);
}

// A cell of a colour at a place.
BATT_DEVICE_NOINLINE bool plain_cell(Vm& vm, Value v, u8& colour, i64& i, i64& j) {
  if (!is_tuple(v) || length(v) != 2 || !is_byte(item(vm, v, 0))) {
    raise(vm, TYPE_ERROR);
    return false;
  }
  colour = static_cast<u8>(item(vm, v, 0).bits);
  return plain_pair(vm, item(vm, v, 1), i, j);
}

// Whether v is a set of plain cells.
BATT_DEVICE_NOINLINE bool plain_object(Vm& vm, Value v) {
  if (!is_set(v)) raise(vm, TYPE_ERROR);
  u8 colour;
  i64 i, j;
  for (u32 k = 0; k < length(v) && !stopped(vm); k++) plain_cell(vm, item(vm, v, k), colour, i, j);
  return !stopped(vm);
}

// A copy of a packed grid to draw on.
BATT_INLINE Value copied_grid(Vm& vm, Value grid) {
  u64 n = static_cast<u64>(grid_h(grid)) * grid_w(grid);
  Addr at = alloc<u8>(vm, n);
  if (stopped(vm)) return none();
  copy_bytes(vm, at, grid.bits, n);
  return grid_at(at, grid_h(grid), grid_w(grid));
}

// Demonstrations as n pairs of packed grids, input before output, in scratch memory.
struct Demonstrations {
  u32 n;
  Addr grids;  // Value[2 * n]
  BATT_INLINE Value input(const Vm& vm, u32 k) const { return mem<Value>(vm, grids, 2 * k); }
  BATT_INLINE Value output(const Vm& vm, u32 k) const { return mem<Value>(vm, grids, 2 * k + 1); }
};

// No demonstration at all is a ValueError.
BATT_DEVICE_NOINLINE bool plain_demonstrations(Scratch& scratch, Value v, Demonstrations& shown) {
  Vm& vm = scratch.vm;
  if (!is_tuple(v)) raise(vm, TYPE_ERROR);
  if (stopped(vm)) return false;
  shown.n = length(v);
  shown.grids = scratch.alloc<Value>(2 * static_cast<u64>(shown.n));
  for (u32 k = 0; k < shown.n && !stopped(vm); k++) {
    Value pair = item(vm, v, k), input, output;
    if (!is_tuple(pair) || length(pair) != 2) raise(vm, TYPE_ERROR);
    if (stopped(vm) || !plain_grid(vm, item(vm, pair, 0), input) || !plain_grid(vm, item(vm, pair, 1), output))
      return false;
    mem<Value>(vm, shown.grids, 2 * k) = input;
    mem<Value>(vm, shown.grids, 2 * k + 1) = output;
  }
  if (!stopped(vm) && shown.n == 0) raise(vm, VALUE_ERROR);
  return !stopped(vm);
}

// 1 + the cells of all demonstrations.
BATT_DEVICE_NOINLINE i64 demonstrations_cost(Vm& vm, Value v) {
  i64 steps = 1;
  u32 n = is_tuple(v) ? length(v) : 0;
  for (u32 k = 0; k < n; k++) {
    Value pair = item(vm, v, k);
    if (is_tuple(pair) && length(pair) == 2)
      steps = sum_of(steps, sum_of(items(vm, item(vm, pair, 0)), items(vm, item(vm, pair, 1))));
  }
  return steps;
}

}  // namespace batt
