// Count and change colours: ops/colours.py.
#pragma once
#include "shapes.h"
#include "shapes_colours.h"

namespace batt {

BATT_OP Value op_mostcolor(Vm& vm, const Value* a) { return background(vm, a[0]); }

struct LeastFrequent {
  u64 count = 0;
  Value colour = none();
  BATT_INLINE void see(Vm&, Value next, u64 times) {
    if (!count || times < count) {
      count = times;
      colour = next;
    }
  }
  BATT_INLINE void see_counts(Vm& vm, Addr table, u32 limit) {
    u64 least = ~0ull;  // (count - 1) << 8 | colour; the count of a missing colour wraps to a huge number
    for (u32 c = 0; c < limit; c++) least = smaller(least, static_cast<u64>(mem<u32>(vm, table, c) - 1u) << 8 | c);
    see(vm, integer(least & (BYTES - 1)), (least >> 8) + 1);
  }
};
BATT_OP Value op_leastcolor(Vm& vm, const Value* a) {
  LeastFrequent found;
  see_colours(vm, a[0], found);
  return stopped(vm) ? none() : found.count ? found.colour : raise(vm, VALUE_ERROR);
}

// Colours are appended one by one: nothing else is allocated meanwhile.
struct ColourList {
  Addr at = 0;
  u32 count = 0;
  BATT_INLINE void see(Vm& vm, Value next, u64) {
    Addr room = alloc<Value>(vm, 1);
    if (stopped(vm)) return;
    if (!count) at = room;
    mem<Value>(vm, at, count++) = next;
  }
  BATT_INLINE void see_counts(Vm& vm, Addr table, u32 limit) {
    at = alloc<Value>(vm, limit);
    if (stopped(vm)) return;
    for (u32 c = 0; c < limit; c++) {
      mem<Value>(vm, at, count) = integer(c);
      count += mem<u32>(vm, table, c) != 0;
    }
    shrink<Value>(vm, at, count);
  }
};
BATT_OP Value op_palette(Vm& vm, const Value* a) {
  ColourList found;
  see_colours(vm, a[0], found);
  return stopped(vm) ? none() : found.count ? set_ascending(vm, found.at, found.count) : empty_set();
}

struct ColourNumber {
  u32 count = 0;
  BATT_INLINE void see(Vm&, Value, u64) { count++; }
  BATT_INLINE void see_counts(Vm& vm, Addr table, u32 limit) {
    for (u32 c = 0; c < limit; c++) count += mem<u32>(vm, table, c) != 0;
  }
};
BATT_OP Value op_numcolors(Vm& vm, const Value* a) {
  ColourNumber found;
  see_colours(vm, a[0], found);
  return integer(found.count);
}

// Count the keys of a packed set whose first component is `head`.
template <class Key> BATT_INLINE u32 keys_with_head(Vm& vm, Value keys, i64 head) {
  u32 found = 0;
  for (u32 k = 0; k < keys.n; k++) found += key_head(mem<Key>(vm, keys.bits, k)) == head;
  return found;
}

// Count the items of a tuple that equal the value.
BATT_DEVICE_NOINLINE u32 times_in(Vm& vm, Value row, Value value) {
  u32 n = length(row), found = 0;
  if (row.tag == ROW) {
    if (!is_byte(value)) return 0;
    for (u32 k = 0; k < n; k++) found += mem<u8>(vm, row.bits, k) == value.bits;
    return found;
  }
  if (row.tag == TUPLE && is_int(value)) {
    for (u32 k = 0; k < n; k++) {
      Value each = mem<Value>(vm, row.bits, k);
      found += each.tag == INT && each.bits == value.bits;
    }
    return found;
  }
  for (u32 k = 0; k < n && !stopped(vm); k++) found += equal(vm, item(vm, row, k), value);
  return found;
}

BATT_OP Value op_colorcount(Vm& vm, const Value* a) {
  Value element = a[0], value = a[1];
  if (element.tag == GRID) return integer(times_in(vm, row_at(element.bits, grid_h(element) * grid_w(element)), value));
  if (element.tag == CELLS && is_int(value)) return integer(keys_with_head<u64>(vm, element, int_of(value)));
  if (element.tag == PLACES && is_int(value)) return integer(keys_with_head<u32>(vm, element, int_of(value)));
  if (!is_container(element)) return raise(vm, TYPE_ERROR);
  u32 n = length(element);
  i64 found = 0;
  if (element.tag == SET && is_int(value) && all_tagged(vm, element, CELL)) {
    for (u32 k = 0; k < n; k++) found += cell_colour(mem<Value>(vm, element.bits, k)) == int_of(value);
    return integer(found);
  }
  Value colour, rest;
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value each = item(vm, element, k);
    if (is_tuple(element)) {
      if (!is_tuple(each)) return raise(vm, ATTRIBUTE_ERROR);  // only tuples have `count`
      if (work(vm, length(each))) found += times_in(vm, each, value);
    } else if (unpack(vm, each, colour, rest)) {
      found += equal(vm, colour, value);
    }
  }
  return integer(found);
}

BATT_OP Value op_color(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  if (length(a[0]) == 0) return raise(vm, STOP_ITERATION);
  return at_index(vm, item(vm, a[0], 0), 0);
}

// A change of values: `from` becomes `to`; if `exchanged`, `to` also becomes `from`.
struct Change {
  Value from, to;
  bool exchanged;
  BATT_INLINE Value of(Vm& vm, Value v) const {
    if (equal(vm, v, from)) return to;
    return exchanged && equal(vm, v, to) ? from : v;
  }
};

BATT_INLINE bool has_byte(Vm& vm, Value grid, Value v) {
  return is_byte(v) && times_in(vm, row_at(grid.bits, grid_h(grid) * grid_w(grid)), v) != 0;
}

BATT_DEVICE_NOINLINE Value changed_bytes(Vm& vm, Value grid, const Change& change) {
  Value made = new_grid(vm, grid_h(grid), grid_w(grid));
  if (stopped(vm)) return none();
  u32 n = grid_h(grid) * grid_w(grid);
  u8 from = static_cast<u8>(change.from.bits), to = static_cast<u8>(change.to.bits);
  u8 back = change.exchanged ? from : to;  // what `to` becomes
  for (u32 k = 0; k < n; k++) {
    u8 v = mem<u8>(vm, grid.bits, k);
    mem<u8>(vm, made.bits, k) = v == from ? to : v == to ? back : v;
  }
  return made;
}

BATT_INLINE Value changed_row(Vm& vm, Value row, const Change& change) {
  u32 n = length(row);
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm) || !work(vm, n)) return none();
  for (u32 k = 0; k < n && !stopped(vm); k++) mem<Value>(vm, at, k) = change.of(vm, item(vm, row, k));
  return stopped(vm) ? none() : tuple_at(vm, at, n);
}

// Change the values of a grid. The grid and its rows may be sets, which become tuples.
BATT_DEVICE_NOINLINE Value changed(Vm& vm, Value grid, const Change& change) {
  Value packed;
  if (as_grid(vm, grid, packed)) {
    if (is_byte(change.from) && is_byte(change.to)) return changed_bytes(vm, packed, change);
    if (!has_byte(vm, packed, change.from) && !(change.exchanged && has_byte(vm, packed, change.to))) return packed;
  }
  if (stopped(vm)) return none();
  if (!is_container(grid)) return raise(vm, TYPE_ERROR);
  u32 n = length(grid);
  if (n == 0) return empty_tuple();
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    Value row = item(vm, grid, k);
    if (!is_container(row)) return raise(vm, TYPE_ERROR);
    Value made = changed_row(vm, row, change);
    if (stopped(vm)) return none();
    mem<Value>(vm, at, k) = made;
  }
  Value result = Value{TUPLE, n, at};
  return as_grid(vm, result, packed) ? packed : result;
}

BATT_OP Value op_replace(Vm& vm, const Value* a) { return changed(vm, a[0], Change{a[1], a[2], false}); }
BATT_OP Value op_switch(Vm& vm, const Value* a) { return changed(vm, a[0], Change{a[1], a[2], true}); }

// Make cells of one colour at the places of a packed patch.
BATT_DEVICE_NOINLINE Value recoloured_keys(Vm& vm, Value patch, i32 colour) {
  u32 n = patch.n;
  Addr at = alloc<u64>(vm, n);
  if (stopped(vm)) return none();
  if (patch.tag == PLACES) {
    for_all(vm, n, [&](u64 k) { mem<u64>(vm, at, k) = cell_key(colour, mem<u32>(vm, patch.bits, k)); });
    return cells_ascending(vm, at, n);
  }
  for_all(vm, n, [&](u64 k) { mem<u64>(vm, at, k) = cell_key(colour, key_place(mem<u64>(vm, patch.bits, k))); });
  // A patch of one colour: its places ascend and are distinct.
  bool one = key_colour(mem<u64>(vm, patch.bits, 0)) == key_colour(mem<u64>(vm, patch.bits, n - 1));
  return one ? cells_ascending(vm, at, n) : cells_at(vm, at, n);
}

// The same for a SET of places, or of cells of one colour, which ascend by places.
BATT_DEVICE_NOINLINE Value recoloured_values(Vm& vm, Value patch, i32 colour) {
  Addr at = alloc<Value>(vm, patch.n);
  if (stopped(vm)) return none();
  for_all(vm, patch.n, [&](u64 k) {
    Value each = mem<Value>(vm, patch.bits, k);
    mem<Value>(vm, at, k) = cell_of(colour, pair_i(each), pair_j(each));
  });
  return set_ascending(vm, at, patch.n);
}

// Convert a row of two bytes to the equal pair, so that a cell with it is packed.
BATT_INLINE Value as_pair(const Vm& vm, Value v) {
  return v.tag == ROW && v.n == 2 ? pair_of(mem<u8>(vm, v.bits, 0), mem<u8>(vm, v.bits, 1)) : v;
}

BATT_OP Value op_recolor(Vm& vm, const Value* a) {
  Value colour = a[0], patch = patch_of_tuple(vm, a[1]);
  if (stopped(vm)) return none();
  if ((patch.tag == PLACES || patch.tag == CELLS) && is_int(colour) && fits32(int_of(colour)))
    return recoloured_keys(vm, patch, static_cast<i32>(int_of(colour)));
  if (is_int(colour) && fits32(int_of(colour)) && patch.tag == SET && patch.n &&
      (all_tagged(vm, patch, PAIR) || (all_tagged(vm, patch, CELL) && has_one_colour(vm, patch))))
    return recoloured_values(vm, patch, static_cast<i32>(int_of(colour)));
  Value spots = places(vm, patch);
  if (stopped(vm)) return none();
  u32 n = length(spots);
  Scratch scratch(vm);
  Addr list = scratch.alloc<Value>(n);
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    Value cell = tuple_of(vm, colour, as_pair(vm, item(vm, spots, k)));
    if (!stopped(vm)) mem<Value>(vm, list, k) = cell;
  }
  return stopped(vm) ? none() : set_from(vm, list, n);
}

}  // namespace batt
