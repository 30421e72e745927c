// Score how like the expected grid a value is, beyond equality; batt.runtime.scores defines the scores.
#pragma once
#include "execute.h"

namespace batt {

constexpr u32 SAME_SHAPE = 1, SAME_COUNTS = 2, HAS_TABLE = 4;
constexpr u32 COLOURS = 10, NO_COLOUR = 15;

struct ColourPairs {
  u32 both[COLOURS][COLOURS];  // by the colours of a value and of the expected grid: the places that both have
  u32 shown[COLOURS], wanted[COLOURS];
};

// The cell of a rectangle of ints in row i, a value of the language; beyond all colours if it is no byte.
BATT_INLINE u64 cell_of(Vm& vm, Value row, u32 j) {
  return row.tag == ROW ? mem<u8>(vm, row.bits, j) : static_cast<u64>(item(vm, row, j).bits);
}

// Count the colours of a value of this shape and of the expected grid. False if a cell is no colour.
BATT_INLINE bool count_colours(Vm& vm, Value v, u32 shape, Value expected, ColourPairs& found) {
  u32 h = shape >> 16, w = shape & 0xffffu, eh = grid_h(expected), ew = grid_w(expected);
  for (u32 i = 0; i < larger(h, eh); i++) {
    Value row = none();
    if (i < h) row = v.tag == GRID ? row_at(v.bits + static_cast<u64>(i) * w, w) : item(vm, v, i);
    Addr other = expected.bits + static_cast<u64>(i) * ew;
    u32 shown = i < h ? w : 0, wanted = i < eh ? ew : 0, shared = smaller(shown, wanted);
    for (u32 j = 0; j < shared; j++) {
      u64 a = cell_of(vm, row, j);
      u32 b = mem<u8>(vm, other, j);
      if (a >= COLOURS || b >= COLOURS) return false;
      found.both[a][b]++;
    }
    for (u32 j = shared; j < shown; j++) {
      u64 a = cell_of(vm, row, j);
      if (a >= COLOURS) return false;
      found.shown[a]++;
    }
    for (u32 j = shared; j < wanted; j++) {
      u32 b = mem<u8>(vm, other, j);
      if (b >= COLOURS) return false;
      found.wanted[b]++;
    }
  }
  for (u32 a = 0; a < COLOURS; a++)
    for (u32 b = 0; b < COLOURS; b++) {
      found.shown[a] += found.both[a][b];
      found.wanted[b] += found.both[a][b];
    }
  return true;
}

// Add the scores of a value of this shape to its result.
BATT_DEVICE_NOINLINE void add_likeness(Vm& vm, Value v, u32 shape, Value expected, Result& result) {
  if (!shape) return;
  if (shape == shape_word(vm, expected)) result.likeness |= SAME_SHAPE;
  ColourPairs found{};
  if (!count_colours(vm, v, shape, expected, found)) return;
  u32 background = 0;
  bool same_counts = true, has_table = result.likeness & SAME_SHAPE;
  for (u32 a = 0; a < COLOURS; a++) {
    if (found.wanted[a] > found.wanted[background]) background = a;
    same_counts = same_counts && found.shown[a] == found.wanted[a];
  }
  u64 table = 0;
  for (u32 a = 0; a < COLOURS; a++) {
    u32 becomes = NO_COLOUR;
    for (u32 b = 0; b < COLOURS; b++) {
      if (!found.both[a][b]) continue;
      has_table = has_table && becomes == NO_COLOUR;
      becomes = b;
    }
    table |= static_cast<u64>(becomes) << (4 * a);
    if (a == background) continue;
    result.right += found.both[a][a];
    result.shown += found.shown[a];
    result.wanted += found.wanted[a];
  }
  if (same_counts) result.likeness |= SAME_COUNTS;
  if (!has_table) return;
  result.likeness |= HAS_TABLE;
  result.table = table;
}

}  // namespace batt
