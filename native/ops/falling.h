// Gravity: ops/falling.py.
#pragma once
#include "directions.h"

namespace batt {

BATT_INLINE i64 cost_fall(Vm& vm, const Value* a) {
  u32 n = length(a[2]);
  i64 steps = sum_of(1, product_of(items(vm, a[0]), 1 + static_cast<i64>(n)));
  for (u32 k = 0; k < n; k++) steps = sum_of(steps, items(vm, item(vm, a[2], k)));
  return steps;
}

// Objects on a grid, in scratch memory.
struct Falling {
  Value grid;
  Addr owners;    // u32[cells]: the number of the object of a cell and 1, or 0
  Addr colours;   // u8[cells]: its colour there
  Addr most;      // u32[objects]: how far it can move, as far as that is known
  u32 cells = 0;  // that belong to an object
};

// An object cannot move farther than `gap` and what the object ahead moves.
struct alignas(16) Behind {
  u32 owner, ahead, gap;
};

// Note which object has which cell; false if one is not plain.
BATT_DEVICE_NOINLINE bool take_cells(Vm& vm, Value objs, Falling& f) {
  i64 h = grid_h(f.grid), w = grid_w(f.grid), i, j;
  u8 colour;
  for (u32 number = 0; number < length(objs); number++) {
    Value obj = item(vm, objs, number);
    if (!is_set(obj)) raise(vm, TYPE_ERROR);
    for (u32 k = 0; k < length(obj) && !stopped(vm); k++) {
      if (!plain_cell(vm, item(vm, obj, k), colour, i, j)) break;
      if (i < 0 || i >= h || j < 0 || j >= w) continue;
      u64 at = static_cast<u64>(i * w + j);
      if (mem<u32>(vm, f.owners, at)) continue;
      mem<u32>(vm, f.owners, at) = number + 1;
      mem<u8>(vm, f.colours, at) = colour;
      f.cells++;
    }
    if (stopped(vm)) return false;
  }
  return true;
}

// Find how far each cell can move, and write what lies between objects, those ahead first. Return how many there are.
BATT_DEVICE_NOINLINE u64 find_behind(Vm& vm, const Falling& f, i32 down, i32 right, u8 ground, Addr behind) {
  u32 h = grid_h(f.grid), w = grid_w(f.grid);
  u64 n = static_cast<u64>(h) * w, count = 0;
  i64 step = static_cast<i64>(down) * w + right;
  for (u64 k = 0; k < n; k++) {
    u64 at = step > 0 ? n - 1 - k : k;
    u32 owner = mem<u32>(vm, f.owners, at);
    if (owner == 0) continue;
    u32 room = steps_to_border(h, w, static_cast<u32>(at / w), static_cast<u32>(at % w), down, right), gap = 0;
    u64 next = at + static_cast<u64>(step);
    for (; gap < room; gap++, next += static_cast<u64>(step))
      if (mem<u32>(vm, f.owners, next) || mem<u8>(vm, f.grid.bits, next) != ground) break;
    u32 other = gap < room ? mem<u32>(vm, f.owners, next) : 0;
    if (other == 0) mem<u32>(vm, f.most, owner - 1) = smaller(mem<u32>(vm, f.most, owner - 1), gap);
    else if (other != owner) mem<Behind>(vm, behind, count++) = Behind{owner - 1, other - 1, gap};
  }
  return count;
}

BATT_INLINE void settle(Vm& vm, Addr most, Addr behind, u64 count) {
  constexpr u32 UNKNOWN = ~0u;
  for (bool changes = true; changes;) {
    changes = false;
    for (u64 k = 0; k < count; k++) {
      Behind each = mem<Behind>(vm, behind, k);
      u32 ahead = mem<u32>(vm, most, each.ahead);
      if (ahead == UNKNOWN || ahead + each.gap >= mem<u32>(vm, most, each.owner)) continue;
      mem<u32>(vm, most, each.owner) = ahead + each.gap;
      changes = true;
    }
  }
}

BATT_OP Value op_fall(Vm& vm, const Value* a) {
  Falling f;
  if (!plain_grid(vm, a[0], f.grid) || !plain_colour(vm, a[1])) return none();
  if (!is_container(a[2])) return raise(vm, TYPE_ERROR);
  u32 w = grid_w(f.grid);
  u64 n = static_cast<u64>(grid_h(f.grid)) * w;
  u8 ground = static_cast<u8>(a[1].bits);
  i64 down, right;
  Scratch scratch(vm);
  f.owners = scratch.alloc<u32>(n);
  f.colours = scratch.alloc<u8>(n);
  f.most = scratch.alloc<u32>(length(a[2]));
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<u32>(vm, f.owners, k) = 0; });
  for_all(vm, length(a[2]), [&](u64 k) { mem<u32>(vm, f.most, k) = ~0u; });
  if (!take_cells(vm, a[2], f) || !plain_direction(vm, a[3], down, right)) return none();
  Addr behind = scratch.alloc<Behind>(f.cells), made = alloc<u8>(vm, n);
  if (stopped(vm)) return none();
  u64 count = find_behind(vm, f, static_cast<i32>(down), static_cast<i32>(right), ground, behind);
  settle(vm, f.most, behind, count);
  for_all(vm, n,
          [&](u64 k) { mem<u8>(vm, made, k) = mem<u32>(vm, f.owners, k) ? ground : mem<u8>(vm, f.grid.bits, k); });
  i64 step = down * w + right;
  for_all(vm, n, [&](u64 k) {
    u32 owner = mem<u32>(vm, f.owners, k);
    if (owner) {
      i64 by = step * mem<u32>(vm, f.most, owner - 1);
      mem<u8>(vm, made, k + static_cast<u64>(by)) = mem<u8>(vm, f.colours, k);
    }
  });
  return grid_at(made, grid_h(f.grid), w);
}

}  // namespace batt
