// Write a set of places in ascending order, for ops that compute their places.
#pragma once
#include "shapes.h"

namespace batt {

// Whether a set of `count` items is too large; then the machine is stopped. The caller of an op would stop it later,
// but there may be no room to make the set.
BATT_INLINE bool too_many(Vm& vm, i64 count) {
  if (count > vm.max_items) stop_with(vm, OVER_BUDGET);
  return stopped(vm);
}

// A list of at most `room` places of a box: keys if every corner of the box has one, else pairs. Add places in
// ascending order, each once, and allocate nothing meanwhile.
struct PlaceList {
  Scratch scratch;
  bool packed;
  bool is_inline;  // pairs need no memory of their own, so they are written directly to the set
  Addr at;
  u64 count;

  BATT_INLINE PlaceList(Vm& vm, u64 room, const Box& within)
      : scratch(vm), packed(false), is_inline(false), at(0), count(0) {
    packed = fits16(within.top) && fits16(within.left) && fits16(within.bottom) && fits16(within.right);
    is_inline = fits32(within.top) && fits32(within.left) && fits32(within.bottom) && fits32(within.right);
    at = packed ? alloc<u32>(vm, room) : is_inline ? alloc<Value>(vm, room) : scratch.alloc<Value>(room);
  }

  // Add `length` places: (i, j), (i, j + 1), …
  BATT_INLINE void add_run(i64 i, i64 j, u64 length) {
    Vm& vm = scratch.vm;
    if (stopped(vm)) return;
    if (packed) {
      u32 key = place_key(i, j);
      BATT_NO_UNROLL
      for (u64 k = 0; k < length; k++) mem<u32>(vm, at, count + k) = key + static_cast<u32>(k);
    } else if (is_inline) {
      for_all(vm, length, [&](u64 k) {
        mem<Value>(vm, at, count + k) = pair_of(static_cast<i32>(i), static_cast<i32>(j + static_cast<i64>(k)));
      });
    } else {
      BATT_NO_UNROLL
      for (u64 k = 0; k < length; k++) mem<Value>(vm, at, count + k) = int_pair(vm, i, j + static_cast<i64>(k));
    }
    count += length;
  }
  BATT_INLINE void add(i64 i, i64 j) { add_run(i, j, 1); }

  // The set of the places added.
  BATT_INLINE Value made() {
    Vm& vm = scratch.vm;
    if (stopped(vm)) return none();
    if (packed) return places_ascending(vm, at, count);
    if (is_inline) return set_ascending(vm, at, count);
    Addr to = alloc<Value>(vm, count);
    if (stopped(vm)) return none();
    for (u64 k = 0; k < count; k++) mem<Value>(vm, to, k) = mem<Value>(vm, at, k);
    return set_ascending(vm, to, count);
  }
};

}  // namespace batt
