// Draw lines of all colours at once: ops/rays.py.
#pragma once
#include "directions.h"

namespace batt {

// Record the rays of one cell. An entry is the distance from the nearest cell << 8 | its colour: the least one shows.
BATT_INLINE void shoot_rays(Vm& vm, Value grid, const Directions& ways, u32 i, u32 j, u8 ground, Addr nearest) {
  u64 start = static_cast<u64>(i) * grid_w(grid) + j;
  u32 colour = mem<u8>(vm, grid.bits, start);
  for (u32 k = 0; k < ways.n; k++) {
    i32 down = ways.down(k), right = ways.right(k);
    i64 step = static_cast<i64>(down) * grid_w(grid) + right;
    u32 most = steps_to_border(grid_h(grid), grid_w(grid), i, j, down, right);
    u64 at = start;
    for (u32 distance = 0; distance < most; distance++) {
      at += static_cast<u64>(step);
      if (mem<u8>(vm, grid.bits, at) != ground) break;
      mem<u32>(vm, nearest, at) = smaller(mem<u32>(vm, nearest, at), distance << 8 | colour);
    }
  }
}

BATT_OP Value op_rays(Vm& vm, const Value* a) {
  Value grid;
  Directions ways;
  if (!plain_grid(vm, a[0], grid) || !plain_directions(vm, a[3], ways) || !plain_colour(vm, a[1]) ||
      !expect_int(vm, a[2]))
    return none();
  constexpr u32 NO_RAY = ~0u;
  u32 h = grid_h(grid), w = grid_w(grid);
  u64 n = static_cast<u64>(h) * w, at = 0;
  u8 ground = static_cast<u8>(a[1].bits);
  Scratch scratch(vm);
  Addr nearest = scratch.alloc<u32>(n), made = alloc<u8>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<u32>(vm, nearest, k) = NO_RAY; });
  for (u32 i = 0; i < h; i++)
    for (u32 j = 0; j < w; j++, at++) {
      u8 colour = mem<u8>(vm, grid.bits, at);
      if (colour != ground && colour != int_of(a[2])) shoot_rays(vm, grid, ways, i, j, ground, nearest);
    }
  for_all(vm, n, [&](u64 k) {
    u32 ray = mem<u32>(vm, nearest, k);
    mem<u8>(vm, made, k) = ray == NO_RAY ? mem<u8>(vm, grid.bits, k) : static_cast<u8>(ray);
  });
  return grid_at(made, h, w);
}

// Join the cells of a grid in one direction.
BATT_INLINE void join_cells(Vm& vm, Value grid, i32 down, i32 right, u8 ground, Addr made) {
  u32 h = grid_h(grid), w = grid_w(grid);
  i64 step = static_cast<i64>(down) * w + right;
  u64 at = 0;
  for (u32 i = 0; i < h; i++)
    for (u32 j = 0; j < w; j++, at++) {
      u8 colour = mem<u8>(vm, grid.bits, at);
      if (colour == ground) continue;
      u32 most = steps_to_border(h, w, i, j, down, right);
      u32 between = ground_ahead(vm, grid.bits, at, step, most, ground);
      if (between == most || mem<u8>(vm, grid.bits, at + static_cast<u64>((between + 1) * step)) != colour) continue;
      for (u32 k = 1; k <= between; k++) mem<u8>(vm, made, at + static_cast<u64>(k * step)) = colour;
    }
}

BATT_OP Value op_joins(Vm& vm, const Value* a) {
  Value grid;
  Directions ways;
  if (!plain_grid(vm, a[0], grid) || !plain_directions(vm, a[2], ways) || !plain_colour(vm, a[1])) return none();
  Value made = copied_grid(vm, grid);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < ways.n; k++)
    join_cells(vm, grid, ways.down(k), ways.right(k), static_cast<u8>(a[1].bits), made.bits);
  return made;
}

}  // namespace batt
