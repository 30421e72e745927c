// Read the directions that new words take: ops/directions.py.
#pragma once
#include "strict.h"

namespace batt {

// Up to eight distinct directions in order. The code of (i, j) is 3 * (i + 1) + j + 1.
struct Directions {
  u64 codes = 0;  // four bits each
  u32 seen = 0, n = 0;
  BATT_INLINE void add(i64 i, i64 j) {
    u32 code = static_cast<u32>(3 * (i + 1) + j + 1);
    if (seen >> code & 1) return;
    seen |= 1u << code;
    codes |= static_cast<u64>(code) << (4 * n++);
  }
  BATT_INLINE i32 down(u32 k) const { return static_cast<i32>(codes >> (4 * k) & 15) / 3 - 1; }
  BATT_INLINE i32 right(u32 k) const { return static_cast<i32>(codes >> (4 * k) & 15) % 3 - 1; }
};

// Get a single direction; other pairs than those of -1, 0 and 1 and (0, 0) are a ValueError.
BATT_INLINE bool plain_direction(Vm& vm, Value v, i64& i, i64& j) {
  if (!plain_pair(vm, v, i, j)) return false;
  if ((i == 0 && j == 0) || i < -1 || i > 1 || j < -1 || j > 1) raise(vm, VALUE_ERROR);
  return !stopped(vm);
}

BATT_DEVICE_NOINLINE bool plain_directions(Vm& vm, Value v, Directions& made) {
  i64 i, j;
  if (!is_container(v)) raise(vm, TYPE_ERROR);
  if (stopped(vm)) return false;
  u32 n = length(v);
  if (is_tuple(v) && n == 2 && is_int(item(vm, v, 0)) && is_int(item(vm, v, 1))) {
    if (plain_direction(vm, v, i, j)) made.add(i, j);
    return !stopped(vm);
  }
  // Two passes: an item that is no pair is found before a pair that is no direction.
  for (u32 k = 0; k < n; k++)
    if (!plain_pair(vm, item(vm, v, k), i, j)) return false;
  for (u32 k = 0; k < n; k++) {
    if (!plain_direction(vm, item(vm, v, k), i, j)) return false;
    made.add(i, j);
  }
  return true;
}

// The number of steps from (i, j) to the border of a grid of h rows and w columns.
BATT_INLINE u32 steps_to_border(u32 h, u32 w, u32 i, u32 j, i32 down, i32 right) {
  u32 rows = down > 0 ? h - 1 - i : down < 0 ? i : ~0u, columns = right > 0 ? w - 1 - j : right < 0 ? j : ~0u;
  return smaller(rows, columns);
}

// The number of bytes `ground` from position `at` of a grid on, `step` apart and at most `most`, without the first.
BATT_INLINE u32 ground_ahead(const Vm& vm, Addr cells, u64 at, i64 step, u32 most, u8 ground) {
  u32 n = 0;
  while (n < most && mem<u8>(vm, cells, at += static_cast<u64>(step)) == ground) n++;
  return n;
}

}  // namespace batt
