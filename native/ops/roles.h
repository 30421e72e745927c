// Read the demonstrations: roles of colours, the size of the output, what all outputs share: ops/roles.py.
#pragma once
#include "shapes_colours.h"
#include "strict.h"

namespace batt {

BATT_INLINE i64 cost_backcolor(Vm& vm, const Value* a) { return demonstrations_cost(vm, a[0]); }
BATT_INLINE i64 cost_newcolors(Vm& vm, const Value* a) { return demonstrations_cost(vm, a[0]); }
BATT_INLINE i64 cost_lostcolors(Vm& vm, const Value* a) { return demonstrations_cost(vm, a[0]); }
BATT_INLINE i64 cost_keptcolors(Vm& vm, const Value* a) { return demonstrations_cost(vm, a[0]); }
BATT_INLINE i64 cost_commoncells(Vm& vm, const Value* a) { return demonstrations_cost(vm, a[0]); }
BATT_INLINE i64 cost_outsize(Vm& vm, const Value* a) { return sum_of(demonstrations_cost(vm, a[0]), items(vm, a[1])); }

BATT_INLINE u64 cells_in(Value grid) { return static_cast<u64>(grid_h(grid)) * grid_w(grid); }

BATT_OP Value op_backcolor(Vm& vm, const Value* a) {
  Scratch scratch(vm);
  Demonstrations shown;
  if (!plain_demonstrations(scratch, a[0], shown)) return none();
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return none();
  u32 limit = 0;
  for (u32 k = 0; k < shown.n; k++) {
    Value grid = shown.input(vm, k);
    for (u64 q = 0; q < cells_in(grid); q++) count_byte(vm, table, limit, mem<u8>(vm, grid.bits, q));
  }
  return integer(most_frequent_byte(vm, table, limit));
}

// Sets of colours: which of 256 are in all inputs, in any input, in all outputs, in any output.
enum Seen : u8 { IN_ALL = 1, IN_ANY = 2, OUT_ALL = 4, OUT_ANY = 8, SEEN_NOW = 16 };

BATT_INLINE void see_colours(Vm& vm, Value grid, Addr table, u8 all, u8 any, bool is_first) {
  for (u64 q = 0; q < cells_in(grid); q++) {
    u8& colour = mem<u8>(vm, table, mem<u8>(vm, grid.bits, q));
    colour = static_cast<u8>(colour | any | SEEN_NOW);
  }
  for_all(vm, BYTES, [&](u64 c) {
    u8 flags = mem<u8>(vm, table, c);
    bool is_in_all = (flags & SEEN_NOW) && (is_first || (flags & all));
    mem<u8>(vm, table, c) = static_cast<u8>((flags & ~(all | SEEN_NOW)) | (is_in_all ? all : 0));
  });
}

// The colours that have all flags of `wanted` and none of `unwanted`.
BATT_DEVICE_NOINLINE Value colours_seen(Vm& vm, Value v, u32 wanted, u32 unwanted) {
  Scratch scratch(vm);
  Demonstrations shown;
  if (!plain_demonstrations(scratch, v, shown)) return none();
  Addr table = scratch.alloc<u8>(BYTES);
  if (stopped(vm)) return none();
  fill_bytes(vm, table, BYTES, 0);
  for (u32 k = 0; k < shown.n; k++) {
    see_colours(vm, shown.input(vm, k), table, IN_ALL, IN_ANY, k == 0);
    see_colours(vm, shown.output(vm, k), table, OUT_ALL, OUT_ANY, k == 0);
  }
  Addr at = alloc<Value>(vm, BYTES);
  if (stopped(vm)) return none();
  u32 found = 0;
  for (u32 c = 0; c < BYTES; c++) {
    u8 flags = mem<u8>(vm, table, c);
    if ((flags & wanted) == wanted && !(flags & unwanted)) mem<Value>(vm, at, found++) = integer(c);
  }
  return set_ascending(vm, at, found);
}
BATT_OP Value op_newcolors(Vm& vm, const Value* a) { return colours_seen(vm, a[0], OUT_ALL, IN_ANY); }
BATT_OP Value op_lostcolors(Vm& vm, const Value* a) { return colours_seen(vm, a[0], IN_ALL, OUT_ANY); }
BATT_OP Value op_keptcolors(Vm& vm, const Value* a) { return colours_seen(vm, a[0], IN_ALL | OUT_ALL, 0); }

struct Size {
  i64 rows, columns;
};
BATT_INLINE Size size_of(Value grid) { return Size{grid_h(grid), grid_w(grid)}; }
BATT_INLINE bool same_size(Size a, Size b) { return a.rows == b.rows && a.columns == b.columns; }

// By which ints the rows and columns of all inputs are multiplied to make the outputs; or of all outputs, if they are
// divided. False if there are none.
BATT_DEVICE_NOINLINE bool find_factors(const Vm& vm, const Demonstrations& shown, bool is_divided, Size& factors) {
  for (u32 k = 0; k < shown.n; k++) {
    Size small = size_of(shown.input(vm, k)), large = size_of(shown.output(vm, k));
    if (is_divided) exchange(small, large);
    if (k == 0) factors = Size{large.rows / small.rows, large.columns / small.columns};
    if (!same_size(large, Size{small.rows * factors.rows, small.columns * factors.columns})) return false;
  }
  return true;
}

// The size of the smallest box around the cells that are not of the most frequent colour; 0 rows if there are none.
BATT_DEVICE_NOINLINE Size box_size(Vm& vm, Value grid, Addr table) {
  u32 limit = count_bytes(vm, grid, table);
  u8 backdrop = static_cast<u8>(most_frequent_byte(vm, table, limit));
  u32 top = grid_h(grid), bottom = 0, left = grid_w(grid), right = 0;
  for (u32 i = 0; i < grid_h(grid); i++)
    for (u32 j = 0; j < grid_w(grid); j++) {
      if (mem<u8>(vm, grid.bits, static_cast<u64>(i) * grid_w(grid) + j) == backdrop) continue;
      top = smaller(top, i);
      bottom = i + 1;
      left = smaller(left, j);
      right = larger(right, j + 1);
    }
  return bottom ? Size{bottom - top, right - left} : Size{0, 0};
}

// The size of the output for a grid by the first rule that holds; 0 rows if none does.
BATT_DEVICE_NOINLINE Size predicted_size(Vm& vm, const Demonstrations& shown, Value grid, Addr table) {
  Size given = size_of(grid), first = size_of(shown.output(vm, 0)), factors{0, 0};
  bool is_same = true, is_constant = true;
  for (u32 k = 0; k < shown.n; k++) {
    Size output = size_of(shown.output(vm, k));
    is_same = is_same && same_size(size_of(shown.input(vm, k)), output);
    is_constant = is_constant && same_size(first, output);
  }
  if (is_same) return given;
  if (is_constant) return first;
  if (find_factors(vm, shown, false, factors)) return Size{given.rows * factors.rows, given.columns * factors.columns};
  if (find_factors(vm, shown, true, factors) && given.rows % factors.rows == 0 && given.columns % factors.columns == 0)
    return Size{given.rows / factors.rows, given.columns / factors.columns};
  for (u32 k = 0; k < shown.n; k++)
    if (!same_size(box_size(vm, shown.input(vm, k), table), size_of(shown.output(vm, k)))) return Size{0, 0};
  return box_size(vm, grid, table);
}

BATT_OP Value op_outsize(Vm& vm, const Value* a) {
  Scratch scratch(vm);
  Demonstrations shown;
  Value grid;
  if (!plain_demonstrations(scratch, a[0], shown) || !plain_grid(vm, a[1], grid)) return none();
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return none();
  Size found = predicted_size(vm, shown, grid, table);
  return found.rows ? int_pair(vm, found.rows, found.columns) : raise(vm, VALUE_ERROR);
}

BATT_OP Value op_commoncells(Vm& vm, const Value* a) {
  Scratch scratch(vm);
  Demonstrations shown;
  if (!plain_demonstrations(scratch, a[0], shown) || !plain_colour(vm, a[1])) return none();
  Value first = shown.output(vm, 0);
  for (u32 k = 1; k < shown.n; k++)
    if (shown.output(vm, k).n != first.n) return raise(vm, VALUE_ERROR);
  Value made = new_grid(vm, grid_h(first), grid_w(first));
  if (stopped(vm)) return none();
  for_all(vm, cells_in(first), [&](u64 q) {
    u8 colour = mem<u8>(vm, first.bits, q);
    bool is_shared = true;
    for (u32 k = 1; k < shown.n; k++) is_shared = is_shared && mem<u8>(vm, shown.output(vm, k).bits, q) == colour;
    mem<u8>(vm, made.bits, q) = is_shared ? colour : static_cast<u8>(a[1].bits);
  });
  return made;
}

}  // namespace batt
