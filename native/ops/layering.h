// Put grids and objects over one another: ops/layering.py.
#pragma once
#include "strict.h"

namespace batt {

BATT_INLINE bool have_one_size(Value a, Value b) { return a.n == b.n; }  // for packed grids

// The address of the cell at a place, or 0 outside the grid.
BATT_INLINE Addr cell_at(Value grid, i64 i, i64 j) {
  u64 row = static_cast<u64>(i), column = static_cast<u64>(j);  // huge if they are negative
  return row < grid_h(grid) && column < grid_w(grid) ? grid.bits + row * grid_w(grid) + column : 0;
}

BATT_OP Value op_choosecells(Vm& vm, const Value* a) {
  Value ours, others, mask = a[0];
  if (!plain_grid(vm, a[1], ours) || !plain_grid(vm, a[2], others)) return none();
  bool is_grid = is_tuple(mask);
  if (is_grid ? !plain_grid(vm, a[0], mask) : !plain_places(vm, mask)) return none();
  if (!have_one_size(ours, others) || (is_grid && !have_one_size(ours, mask))) return raise(vm, VALUE_ERROR);
  Value made = copied_grid(vm, others);
  if (stopped(vm)) return none();
  if (is_grid) {
    for_all(vm, static_cast<u64>(grid_h(made)) * grid_w(made), [&](u64 k) {
      if (mem<u8>(vm, mask.bits, k)) mem<u8>(vm, made.bits, k) = mem<u8>(vm, ours.bits, k);
    });
    return made;
  }
  for_all(vm, length(mask), [&](u64 k) {
    Value place = item(vm, mask, static_cast<u32>(k));
    Addr to = cell_at(made, int_of(item(vm, place, 0)), int_of(item(vm, place, 1)));
    if (to) mem<u8>(vm, to) = mem<u8>(vm, ours.bits, to - made.bits);
  });
  return made;
}

BATT_INLINE i64 cost_paintorder(Vm& vm, const Value* a) {
  u32 n = length(a[1]);
  i64 steps = sum_of(1, sum_of(items(vm, a[0]), n));
  for (u32 k = 0; k < n; k++) steps = sum_of(steps, items(vm, item(vm, a[1], k)));
  return steps;
}

BATT_OP Value op_paintorder(Vm& vm, const Value* a) {
  Value grid;
  if (!plain_grid(vm, a[0], grid)) return none();
  if (!is_container(a[1])) return raise(vm, TYPE_ERROR);
  u32 n = length(a[1]);
  for (u32 k = 0; k < n; k++)
    if (!plain_object(vm, item(vm, a[1], k))) return none();
  Value made = copied_grid(vm, grid);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    Value object = item(vm, a[1], k);
    for (u32 q = 0; q < length(object); q++) {
      u8 colour;
      i64 i, j;
      if (!plain_cell(vm, item(vm, object, q), colour, i, j)) return none();
      Addr to = cell_at(made, i, j);
      if (to) mem<u8>(vm, to) = colour;
    }
  }
  return made;
}

}  // namespace batt
