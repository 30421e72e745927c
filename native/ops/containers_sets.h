// Container ops on packed forms: merge sets as sorted arrays, test membership, keep tuples packed.
#pragma once
#include "../core/sets.h"

namespace batt {

// Convert a tuple of two small ints to a PAIR; any other value stays as it is.
BATT_INLINE Value compact_pair(const Vm& vm, Value v) {
  if (v.tag == ROW && v.n == 2) return pair_of(mem<u8>(vm, v.bits, 0), mem<u8>(vm, v.bits, 1));
  if (v.tag != TUPLE || v.n != 2) return v;
  Value a = mem<Value>(vm, v.bits, 0), b = mem<Value>(vm, v.bits, 1);
  if (!is_int(a) || !is_int(b) || !fits32(int_of(a)) || !fits32(int_of(b))) return v;
  return pair_of(static_cast<i32>(int_of(a)), static_cast<i32>(int_of(b)));
}

// Convert places to PAIRs and cells to CELLs, so that sets of them can be packed; any other value stays as it is.
BATT_INLINE Value compact(const Vm& vm, Value v) {
  if (v.tag != ROW && v.tag != TUPLE) return v;
  v = compact_pair(vm, v);
  if (v.tag != TUPLE || v.n != 2) return v;
  Value a = mem<Value>(vm, v.bits, 0), b = compact_pair(vm, mem<Value>(vm, v.bits, 1));
  if (!is_int(a) || !fits32(int_of(a)) || b.tag != PAIR) return v;
  return cell_of(static_cast<i32>(int_of(a)), pair_i(b), pair_j(b));
}

#ifndef __CUDACC__
// The first item of a TUPLE, or of a pair of pairs of bytes; None of any other value.
inline Value head_of_tuple(const Vm& vm, Value v) {
  if (v.tag == TUPLE && v.n) return compact_pair(vm, mem<Value>(vm, v.bits));
  if (v.tag == GRID && grid_w(v) == 2) return pair_of(mem<u8>(vm, v.bits, 0), mem<u8>(vm, v.bits, 1));
  return none();
}
// Whether two such items are ints or pairs that differ: then they decide which of their tuples comes first.
inline bool heads_differ(Value a, Value b) {
  return a.tag == b.tag && (a.tag == INT || a.tag == PAIR) && a.bits != b.bits;
}
#endif

// The bytes that occurred, one bit for each.
struct Bytes {
  u64 word[4];
  BATT_INLINE bool has(u8 byte) const { return word[byte >> 6] >> (byte & 63u) & 1u; }
  BATT_INLINE void add(u8 byte) { word[byte >> 6] |= 1ull << (byte & 63u); }
};

BATT_DEVICE_NOINLINE Value set_of_bytes(Vm& vm, Value row) {
  Bytes seen{{0, 0, 0, 0}};
  u64 count = 0;
  for (u32 k = 0; k < row.n; k++) {
    u8 byte = mem<u8>(vm, row.bits, k);
    count += !seen.has(byte);
    seen.add(byte);
  }
  Addr at = alloc<Value>(vm, count);
  if (stopped(vm)) return none();
  u64 done = 0;
  for (u32 byte = 0; done < count; byte++)
    if (seen.has(static_cast<u8>(byte))) mem<Value>(vm, at, done++) = integer(byte);
  return Value{SET, static_cast<u32>(count), at};
}

// A container as a set; a set stays as it is.
BATT_DEVICE_NOINLINE Value as_set(Vm& vm, Value container) {
  if (is_set(container)) return container;
  u32 n = length(container);
  if (n == 0) return empty_set();
  if (container.tag == ROW) return set_of_bytes(vm, container);
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) mem<Value>(vm, at, k) = compact(vm, item(vm, container, k));
  return set_at(vm, at, n);
}

BATT_INLINE Value set_of_one(Vm& vm, Value v) {
  Addr at = alloc<Value>(vm, 1);
  if (stopped(vm)) return none();
  mem<Value>(vm, at) = compact(vm, v);
  return set_ascending(vm, at, 1);
}

// Element k of a set as T: the key of a packed set, or the item of any set.
template <class T> BATT_INLINE T element(const Vm& vm, Value set, u32 k) { return mem<T>(vm, set.bits, k); }
template <> BATT_INLINE Value element<Value>(const Vm& vm, Value set, u32 k) {
#ifndef __CUDACC__
  if (set.tag == SET) return mem<Value>(vm, set.bits, k);
#endif
  return item(vm, set, k);
}

template <class T> BATT_INLINE int order_between(Vm&, T a, T b) { return a < b ? -1 : a > b; }
BATT_HOT_INLINE int order_between(Vm& vm, Value a, Value b) {
#ifndef __CUDACC__
  if (a.tag == CELLS && b.tag == CELLS && mem<u64>(vm, a.bits) != mem<u64>(vm, b.bits))
    return mem<u64>(vm, a.bits) < mem<u64>(vm, b.bits) ? -1 : 1;
  if (a.tag == PLACES && b.tag == PLACES && mem<u32>(vm, a.bits) != mem<u32>(vm, b.bits))
    return mem<u32>(vm, a.bits) < mem<u32>(vm, b.bits) ? -1 : 1;
  if (a.tag == b.tag && (a.tag == TUPLE || a.tag == SET)) {
    u32 k = 0, end = smaller(a.n, b.n);
    int found = order_of_plain_values(vm, a, b, k, end);
    if (found || k == end) return found ? found : sign_of(a.n, b.n);
  }
#endif
  return compare(vm, a, b);
}

// The items that a merge of two sets keeps: only on the left, in both, only on the right. Bit number: 1 + the order of
// an item on the left and one on the right.
constexpr u32 KEEP_LEFT = 1, KEEP_SHARED = 2, KEEP_RIGHT = 4, KEEP_ALL = 7;

// The position of the first element of a packed set that is not less than a key.
template <class T> BATT_INLINE u32 first_from(const Vm& vm, Value set, T key) {
  u32 low = 0, high = set.n;
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    if (mem<T>(vm, set.bits, middle) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
template <> BATT_INLINE u32 first_from<Value>(const Vm&, Value, Value) { return 0; }

// Write the items of a packed set that are in another one, or those that are not; each lane searches for its own items.
template <class T, u32 KEEP> BATT_INLINE u64 filter_into(Vm& vm, Value a, Value b, Addr at) {
  u64 done = 0;
  for (u32 start = 0; start < a.n; start += lanes(vm)) {
    u32 k = start + lane(vm);
    T key = k < a.n ? mem<T>(vm, a.bits, k) : 0;
    u32 near = k < a.n ? first_from<T>(vm, b, key) : 0;
    bool shared = k < a.n && near < b.n && mem<T>(vm, b.bits, near) == key;
    u32 kept = ballot(vm, k < a.n && shared == (KEEP == KEEP_SHARED));
    if (kept >> lane(vm) & 1u) mem<T>(vm, at, done + lanes_before(vm, kept)) = key;
    done += bit_count(kept);
  }
  sync_lanes(vm);
  return done;
}

#ifndef __CUDACC__
// The same as `merge_into` for two sets of values: an item is read once, when the one before it on its side is done.
template <u32 KEEP> inline u64 merge_values(Vm& vm, Value a, Value b, Addr at) {
  u64 done = 0;
  u32 i = 0, j = 0;
  Value x = mem<Value>(vm, a.bits, 0), y = mem<Value>(vm, b.bits, 0);
  for (;;) {
    int order = order_between(vm, x, y);
    if (order <= 0) {
      if (KEEP >> (order + 1) & 1u) mem<Value>(vm, at, done++) = x;
      if (++i < a.n) x = mem<Value>(vm, a.bits, i);
      prefetch_ahead(vm, a.bits, i, a.n);
    } else if (KEEP & KEEP_RIGHT) {
      mem<Value>(vm, at, done++) = y;
    }
    if (order >= 0) {
      if (++j < b.n) y = mem<Value>(vm, b.bits, j);
      prefetch_ahead(vm, b.bits, j, b.n);
    }
    if (i == a.n || j == b.n) break;
  }
  if (KEEP & KEEP_LEFT)
    for (; i < a.n; i++) mem<Value>(vm, at, done++) = mem<Value>(vm, a.bits, i);
  if (KEEP & KEEP_RIGHT)
    for (; j < b.n; j++) mem<Value>(vm, at, done++) = mem<Value>(vm, b.bits, j);
  return done;
}
#endif

// Merge two sets into `at`, which has room for all; return how many items were kept.
template <class T, u32 KEEP> BATT_DEVICE_NOINLINE u64 merge_into(Vm& vm, Value a, Value b, Addr at) {
  u32 m = length(a), n = length(b), i = 0, j = 0;
  u64 done = 0;
  if constexpr (LANES > 1 && KEEP != KEEP_ALL && sizeof(T) < sizeof(Value))
    if (lanes(vm) > 1) return filter_into<T, KEEP>(vm, a, b, at);
  // Skip items on the right that come before all of the left, unless they are kept.
  if (!(KEEP & KEEP_RIGHT)) j = first_from<T>(vm, b, element<T>(vm, a, 0));
  if (KEEP == KEEP_SHARED && j < n) i = first_from<T>(vm, a, element<T>(vm, b, j));
  while (i < m && j < n) {
    T x = element<T>(vm, a, i), y = element<T>(vm, b, j);
    int order = order_between(vm, x, y);
    // Always written, because there is room for one more until a side ends; counted only if it is kept.
    mem<T>(vm, at, done) = order > 0 ? y : x;
    done += KEEP >> (order + 1) & 1u;
    i += order <= 0;
    j += order >= 0;
    if constexpr (sizeof(T) == sizeof(Value)) {
      if (order <= 0 && a.tag == SET) prefetch_ahead(vm, a.bits, i, m);
      if (order >= 0 && b.tag == SET) prefetch_ahead(vm, b.bits, j, n);
    }
  }
  if (KEEP & KEEP_LEFT)
    for (; i < m; i++) mem<T>(vm, at, done++) = element<T>(vm, a, i);
  if (KEEP & KEEP_RIGHT)
    for (; j < n; j++) mem<T>(vm, at, done++) = element<T>(vm, b, j);
  return done;
}

BATT_DEVICE_NOINLINE bool holds(Vm& vm, Value container, Value v);

#ifndef __CUDACC__
// The items of a small set that a large one holds, or those that it does not hold.
inline Value filtered_set(Vm& vm, Value small, Value large, bool shared) {
  Scratch scratch(vm);
  u32 n = length(small), kept = 0;
  Addr positions = scratch.alloc<u32>(n);
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    mem<u32>(vm, positions, kept) = k;
    kept += holds(vm, large, item(vm, small, k)) == shared;
  }
  return stopped(vm) ? none() : items_at(vm, small, positions, kept);
}
#endif

template <u32 KEEP> BATT_DEVICE_NOINLINE Value merge_sets(Vm& vm, Value a, Value b) {
  u32 m = length(a), n = length(b);
  if (m == 0) return KEEP & KEEP_RIGHT ? b : empty_set();
  if (n == 0) return KEEP & KEEP_LEFT ? a : empty_set();
#ifndef __CUDACC__
  // A search takes a few comparisons for each item of the small set, a merge one for each item of both.
  constexpr u32 SEARCH = 32;
  if (!(KEEP & KEEP_RIGHT) && m < n / SEARCH) return filtered_set(vm, a, b, KEEP == KEEP_SHARED);
  if (KEEP == KEEP_SHARED && n < m / SEARCH) return filtered_set(vm, b, a, true);
#endif
  u64 room = KEEP == KEEP_ALL ? static_cast<u64>(m) + n : KEEP == KEEP_LEFT ? m : smaller(m, n);
  bool alike = a.tag == b.tag;
  if (alike && a.tag == PLACES) {
    Addr at = alloc<u32>(vm, room);
    return stopped(vm) ? none() : places_ascending(vm, at, merge_into<u32, KEEP>(vm, a, b, at));
  }
  if (alike && a.tag == CELLS) {
    Addr at = alloc<u64>(vm, room);
    return stopped(vm) ? none() : cells_ascending(vm, at, merge_into<u64, KEEP>(vm, a, b, at));
  }
  Addr at = alloc<Value>(vm, room);
  if (stopped(vm)) return none();
#ifndef __CUDACC__
  if (alike) {
    u64 kept = merge_values<KEEP>(vm, a, b, at);
    return stopped(vm) ? none() : set_ascending(vm, at, kept);
  }
#endif
  u64 kept = merge_into<Value, KEEP>(vm, a, b, at);
  return stopped(vm) ? none() : set_ascending(vm, at, kept);
}

template <class T> BATT_INLINE bool has_key(const Vm& vm, Value set, T key) {
  u32 at = first_from<T>(vm, set, key);
  return at < set.n && mem<T>(vm, set.bits, at) == key;
}

// `v in container`, by key if the container is packed.
BATT_DEVICE_NOINLINE bool holds(Vm& vm, Value container, Value v) {
  if (container.tag == PLACES) {
    Value place = compact(vm, v);
    return has_place_key(place) && has_key<u32>(vm, container, place_key_of(place));
  }
  if (container.tag == CELLS) {
    Value cell = compact(vm, v);
    return has_cell_key(cell) && has_key<u64>(vm, container, cell_key_of(cell));
  }
  if (container.tag == ROW) {
    if (!is_byte(v)) return false;
    u8 byte = static_cast<u8>(v.bits);
    for (u32 k = 0; k < container.n; k++)
      if (mem<u8>(vm, container.bits, k) == byte) return true;
    return false;
  }
  return contains(vm, container, v);
}

// Convert a tuple of rows of equal length to a packed grid; any other value stays as it is.
BATT_INLINE Value rows_as_grid(Vm& vm, Value v) {
  Value grid;
  if (v.tag != TUPLE || v.n == 0 || mem<Value>(vm, v.bits, 0).tag != ROW) return v;
  return as_grid(vm, v, grid) ? grid : v;
}

// Make a tuple of the n bytes at an address: a row, or a pair.
BATT_INLINE Value bytes_as_tuple(const Vm& vm, Addr at, u32 n) {
  return n == 2 ? pair_of(mem<u8>(vm, at, 0), mem<u8>(vm, at, 1)) : n ? row_at(at, n) : empty_tuple();
}

// Like `items_at`, but rows and grids stay packed. `positions` is u32[n].
BATT_DEVICE_NOINLINE Value kept_items(Vm& vm, Value container, Addr positions, u32 n) {
  bool packed = container.tag == ROW || container.tag == GRID;
  if (!packed || n == 0 || n == length(container)) return items_at(vm, container, positions, n);
  u64 width = container.tag == GRID ? grid_w(container) : 1;
  Addr at = alloc<u8>(vm, n * width);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++)
    copy_bytes(vm, at + k * width, container.bits + mem<u32>(vm, positions, k) * width, width);
  return container.tag == GRID ? grid_at(at, n, grid_w(container)) : bytes_as_tuple(vm, at, n);
}

}  // namespace batt
