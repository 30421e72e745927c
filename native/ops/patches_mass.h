// The op `centerofmass` of ops/patches.py.
#pragma once
#include "shapes.h"

namespace batt {

// The sum of one component of the places, divided by n and rounded down.
BATT_DEVICE_NOINLINE Value mean_of(Vm& vm, Value spots, u32 component, u32 n) {
  i64 sum = 0;
  u32 m = length(spots);
  for (u32 k = 0; k < m; k++) {
    Value each = item(vm, item(vm, spots, k), component);
    if (!expect_int(vm, each)) return none();
    sum = plus(vm, sum, int_of(each));
  }
  return stopped(vm) ? none() : integer(floor_div(vm, sum, n));
}

#ifndef __CUDACC__
// Whether CELLS are many, of several colours, and too sparse for a bitmap of their bounding box, so that finding places
// that they share would take a sort.
inline bool is_spread(const Vm& vm, Value cells) {
  u32 n = cells.n;
  if (n < RADIX_LEAST || mem<u64>(vm, cells.bits, 0) >> 32 == mem<u64>(vm, cells.bits, n - 1) >> 32) return false;
  return !is_dense(box_of_keys<u64>(vm, cells.bits, n), n);
}

// Sum the rows and the columns of the places of CELLS, each place once; false if the machine stopped. Each place has a
// bit by its hash, and only those that share one are sorted.
inline bool sum_spread_places(Vm& vm, Value cells, i64& rows, i64& columns) {
  constexpr u32 BITS_EACH = 16;
  u32 log = 6;
  while (1ull << log < static_cast<u64>(BITS_EACH) * cells.n) log++;
  Scratch scratch(vm);
  u64 bytes = (1ull << log) / 8;
  Addr once = scratch.alloc<u8>(bytes), twice = scratch.alloc<u8>(bytes), found = scratch.alloc<u32>(cells.n);
  if (stopped(vm) || !work(vm, cells.n / 2)) return false;
  fill_bytes(vm, once, bytes, 0);
  fill_bytes(vm, twice, bytes, 0);
  auto place_of = [&](u32 k) { return key_place(mem<u64>(vm, cells.bits, k)); };
  auto bit_of = [&](u32 place) { return place * 0x9e3779b97f4a7c15ull >> (64 - log); };
  rows = columns = 0;
  for (u32 k = 0; k < cells.n; k++) {
    u32 place = place_of(k);
    u64 bit = bit_of(place);
    u8 mask = static_cast<u8>(1u << bit % 8);
    u8& seen = mem<u8>(vm, once, bit / 8);
    mem<u8>(vm, twice, bit / 8) |= seen & mask;
    seen |= mask;
    rows += key_i(place);
    columns += key_j(place);
  }
  u64 count = 0;
  for (u32 k = 0; k < cells.n; k++) {
    u32 place = place_of(k);
    u64 bit = bit_of(place);
    mem<u32>(vm, found, count) = place;
    count += mem<u8>(vm, twice, bit / 8) >> bit % 8 & 1u;
  }
  if (count) sort_keys<u32>(vm, found, count);
  for (u64 k = 1; k < count; k++) {
    u32 place = mem<u32>(vm, found, k);
    if (place != mem<u32>(vm, found, k - 1)) continue;
    rows -= key_i(place);
    columns -= key_j(place);
  }
  return !stopped(vm);
}
#endif

// Cells of several colours can share a place: each place is added once, and the sum is divided by the number of cells.
BATT_OP Value op_centerofmass(Vm& vm, const Value* a) {
#ifndef __CUDACC__
  if (a[0].tag == CELLS && is_spread(vm, a[0])) {
    i64 rows, columns;
    if (!sum_spread_places(vm, a[0], rows, columns)) return none();
    return int_pair(vm, floor_div(vm, rows, a[0].n), floor_div(vm, columns, a[0].n));
  }
#endif
  Value spots = places(vm, a[0]);
  if (stopped(vm)) return none();
  u32 n = length(a[0]);
  if (spots.tag == PLACES) {
    i64 rows = 0, columns = 0;
    for (u32 k = 0; k < spots.n; k++) {
      u32 key = mem<u32>(vm, spots.bits, k);
      rows += key_i(key);
      columns += key_j(key);
    }
    return int_pair(vm, floor_div(vm, rows, n), floor_div(vm, columns, n));
  }
  if (length(spots) && all_tagged(vm, spots, PAIR)) {
    i64 rows = 0, columns = 0;  // of fewer than 2**32 places within 32 bits
    for (u32 k = 0; k < spots.n; k++) {
      Value each = mem<Value>(vm, spots.bits, k);
      rows += pair_i(each);
      columns += pair_j(each);
    }
    return int_pair(vm, floor_div(vm, rows, n), floor_div(vm, columns, n));
  }
  u32 count = component_count(vm, spots);
  Addr at = alloc<Value>(vm, count);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < count; k++) {
    mem<Value>(vm, at, k) = mean_of(vm, spots, k, n);
    if (stopped(vm)) return none();
  }
  return tuple_at(vm, at, count);
}

}  // namespace batt
