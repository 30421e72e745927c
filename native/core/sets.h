// Make sets: sort, remove repeats, pack. Every function that returns a set ends here.
#pragma once
#include "bitmap.h"
#include "sort.h"

namespace batt {

// Remove elements that equal the one before them; return how many remain.
template <class T> BATT_INLINE u64 without_repeats(Vm& vm, Addr at, u64 n) {
  u64 kept = n ? 1 : 0;
  for (u64 k = 1; k < n; k++)
    if (mem<T>(vm, at, k) != mem<T>(vm, at, kept - 1)) mem<T>(vm, at, kept++) = mem<T>(vm, at, k);
  return kept;
}

template <class T> BATT_INLINE bool is_ascending(Vm& vm, Addr at, u64 n) {
  bool ascends = true;
  for (u64 k = 1 + lane(vm); k < n && ascends; k += lanes(vm)) ascends = mem<T>(vm, at, k) > mem<T>(vm, at, k - 1);
  return all_lanes(vm, ascends);
}

// Make the set of n keys at `at`, the last allocation on the side of results. The keys ascend and are distinct.
BATT_INLINE Value places_ascending(Vm& vm, Addr at, u64 n) {
  shrink<u32>(vm, at, n);
  return n ? Value{PLACES, static_cast<u32>(n), at} : empty_set();
}
BATT_INLINE Value cells_ascending(Vm& vm, Addr at, u64 n) {
  shrink<u64>(vm, at, n);
  return n ? Value{CELLS, static_cast<u32>(n), at} : empty_set();
}
// The same for keys in any order, with repeats.
BATT_DEVICE_NOINLINE Value places_at(Vm& vm, Addr at, u64 n) {
  if (is_ascending<u32>(vm, at, n)) return places_ascending(vm, at, n);
  if (n >= Bitmap::LEAST && place_bitmap(vm, at, n)) return places_ascending(vm, at, n);
  if (!stopped(vm)) sort_keys<u32>(vm, at, n);
  return stopped(vm) ? none() : places_ascending(vm, at, without_repeats<u32>(vm, at, n));
}
BATT_DEVICE_NOINLINE Value cells_at(Vm& vm, Addr at, u64 n) {
  if (is_ascending<u64>(vm, at, n)) return cells_ascending(vm, at, n);
  if (n >= Bitmap::LEAST && cell_bitmap(vm, at, n)) return cells_ascending(vm, at, n);
  if (!stopped(vm)) sort_keys<u64>(vm, at, n);
  return stopped(vm) ? none() : cells_ascending(vm, at, without_repeats<u64>(vm, at, n));
}

// Overwrite n values with their keys; false if one has none. Key k lies at or before value k.
template <class Key, class Has, class KeyOf> BATT_INLINE bool pack_as(Vm& vm, Addr at, u64 n, Has has_key,
                                                                      KeyOf key_of) {
  bool good = true;
  for (u64 k = lane(vm); k < n && good; k += lanes(vm)) good = has_key(mem<Value>(vm, at, k));
  if (!all_lanes(vm, good)) return false;
  for (u64 start = 0; start < n; start += lanes(vm)) {
    u64 k = start + lane(vm);
    Key key = k < n ? key_of(mem<Value>(vm, at, k)) : 0;
    sync_lanes(vm);
    if (k < n) mem<Key>(vm, at, k) = key;
    sync_lanes(vm);
  }
  return true;
}

// Overwrite n values with their keys. Return 1 for places, 2 for cells, 0 if one of them has no key.
BATT_DEVICE_NOINLINE int pack_keys(Vm& vm, Addr at, u64 n) {
  Value head = mem<Value>(vm, at, 0);
  auto has_place = [](Value v) { return has_place_key(v); };
  auto has_cell = [](Value v) { return has_cell_key(v); };
  if (has_place(head)) return pack_as<u32>(vm, at, n, has_place, [](Value v) { return place_key_of(v); }) ? 1 : 0;
  if (has_cell(head)) return pack_as<u64>(vm, at, n, has_cell, [](Value v) { return cell_key_of(v); }) ? 2 : 0;
  return 0;
}

// Make the set of n values at `at`, the last allocation on the side of results. The values ascend and are distinct.
BATT_DEVICE_NOINLINE Value set_ascending(Vm& vm, Addr at, u64 n) {
  if (n == 0) {
    shrink<Value>(vm, at, 0);
    return empty_set();
  }
  int packed = pack_keys(vm, at, n);
  if (packed == 1) return places_ascending(vm, at, n);
  if (packed == 2) return cells_ascending(vm, at, n);
  shrink<Value>(vm, at, n);
  return Value{SET, static_cast<u32>(n), at};
}

// The same for values in any order, with repeats.
BATT_DEVICE_NOINLINE Value set_at(Vm& vm, Addr at, u64 n) {
  if (n == 0) {
    shrink<Value>(vm, at, 0);
    return empty_set();
  }
  int packed = pack_keys(vm, at, n);
  if (packed == 1) return places_at(vm, at, n);
  if (packed == 2) return cells_at(vm, at, n);
  u64 kept = n == 1 ? 1 : sort_values(vm, at, n);
  if (stopped(vm)) return none();
  shrink<Value>(vm, at, kept);
  return Value{SET, static_cast<u32>(kept), at};
}

// Write the items of a container from element `from` of `at` on.
BATT_INLINE void put_items(Vm& vm, Value container, Addr at, u64 from) {
#ifndef __CUDACC__
  if (container.tag == TUPLE || container.tag == SET) {
    copy_bytes(vm, at + sizeof(Value) * from, container.bits, sizeof(Value) * container.n);
    return;
  }
#endif
  for_all(vm, length(container),
          [&](u64 k) { mem<Value>(vm, at, from + k) = item(vm, container, static_cast<u32>(k)); });
}

// A container as a tuple; a tuple stays as it is.
BATT_DEVICE_NOINLINE Value as_tuple(Vm& vm, Value container) {
  if (is_tuple(container)) return container;
  u32 n = length(container);
  if (container.tag == SET) {
    if (n == 0) return empty_tuple();
    bool plain = false;  // bytes and pairs: to be packed
    for (u32 k = 0; k < n && !plain; k++) plain = !is_int(mem<Value>(vm, container.bits, k));
    if (plain && n != 2) return Value{TUPLE, n, container.bits};
  }
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  put_items(vm, container, at, 0);
  return tuple_at(vm, at, n);
}

// Make the set of the keys at n positions of PLACES or CELLS.
template <class Key> BATT_INLINE Value keys_picked(Vm& vm, Value set, Addr positions, u32 n) {
  Addr at = alloc<Key>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<Key>(vm, at, k) = mem<Key>(vm, set.bits, mem<u32>(vm, positions, k)); });
  return Value{set.tag, n, at};
}

// Make a container of the items at n ascending positions, of the same kind and form. `positions` is u32[n].
BATT_DEVICE_NOINLINE Value items_at(Vm& vm, Value container, Addr positions, u32 n) {
  if (n == length(container)) return container;
  bool set = is_set(container);
  if (n == 0) return set ? empty_set() : empty_tuple();
  if (container.tag == PLACES) return keys_picked<u32>(vm, container, positions, n);
  if (container.tag == CELLS) return keys_picked<u64>(vm, container, positions, n);
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<Value>(vm, at, k) = item(vm, container, mem<u32>(vm, positions, k)); });
  return set ? set_ascending(vm, at, n) : tuple_at(vm, at, n);
}

// Concatenate the items of all parts to a tuple: `joined` of batt.ops.containers.
BATT_DEVICE_NOINLINE Value joined(Vm& vm, Value parts) {
  u32 n = length(parts);
  i64 count = 0;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, parts, k);
    if (!is_container(each)) return raise(vm, TYPE_ERROR);
    count += length(each);
  }
  if (count > vm.max_items || count > vm.steps_left) return stop_with(vm, OVER_BUDGET);
  Addr at = alloc<Value>(vm, static_cast<u64>(count));
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, parts, k);
    put_items(vm, each, at, done);
    done += length(each);
  }
  return tuple_at(vm, at, static_cast<u32>(done));
}

// Concatenate the keys of all parts, `count` in all. Each part is PLACES, or CELLS, or empty.
template <class Key> BATT_DEVICE_NOINLINE Addr keys_of_parts(Vm& vm, Value parts, u64 count) {
  Addr at = alloc<Key>(vm, count);
  if (stopped(vm)) return 0;
  u64 done = 0;
  for (u32 k = 0; k < length(parts); k++) {
    Value each = item(vm, parts, k);
    u32 m = length(each);
    copy_bytes(vm, at + sizeof(Key) * done, each.bits, sizeof(Key) * m);
    done += m;
  }
  return at;
}

// Unite the items of all parts to a set: `united` of batt.ops.containers.
BATT_DEVICE_NOINLINE Value united(Vm& vm, Value parts) {
  u32 n = length(parts);
  u64 count = 0;
  bool places = true, cells = true;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, parts, k);
    if (!is_container(each)) return raise(vm, TYPE_ERROR);
    u32 m = length(each);
    count += m;
    places = places && (m == 0 || each.tag == PLACES);
    cells = cells && (m == 0 || each.tag == CELLS);
    if (!work(vm, m / 8 + 1)) return none();
  }
  if (count && (places || cells)) {
    Addr at = places ? keys_of_parts<u32>(vm, parts, count) : keys_of_parts<u64>(vm, parts, count);
    if (stopped(vm)) return none();
    return places ? places_at(vm, at, count) : cells_at(vm, at, count);
  }
  Addr at = alloc<Value>(vm, count);
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, parts, k);
    put_items(vm, each, at, done);
    done += length(each);
  }
  return set_at(vm, at, done);
}

}  // namespace batt
