// Sort keys by their numbers and values in canonical order.
#pragma once
#include "compare.h"
#include "radix.h"

namespace batt {

struct NaturalOrder {
  template <class T> BATT_INLINE bool operator()(Vm&, const T& a, const T& b) const { return a < b; }
};
struct CanonicalOrder {
  BATT_INLINE bool operator()(Vm& vm, const Value& a, const Value& b) const { return compare(vm, a, b) < 0; }
};

// Sort n elements in place; the sort is stable. `less(vm, a, b)` may stop the machine.
template <class T, class Less> BATT_DEVICE_NOINLINE void sort(Vm& vm, Addr at, u64 n, Less less) {
  u64 run = 1;
  while (run < n && !less(vm, mem<T>(vm, at, run), mem<T>(vm, at, run - 1))) {
    if (stopped(vm)) return;
    run++;
  }
  if (run >= n) return;
  constexpr u64 SHORT = 12;
  for (u64 start = 0; start < n; start += SHORT) {
    u64 end = smaller(n, start + SHORT);
    for (u64 k = start + 1; k < end; k++) {
      T moving = mem<T>(vm, at, k);
      u64 to = k;
      while (to > start && less(vm, moving, mem<T>(vm, at, to - 1))) {
        mem<T>(vm, at, to) = mem<T>(vm, at, to - 1);
        to--;
      }
      mem<T>(vm, at, to) = moving;
      if (stopped(vm)) return;
    }
  }
  if (n <= SHORT) return;
  Scratch scratch(vm);
  Addr from = at, to = scratch.alloc<T>(n);
  if (stopped(vm)) return;
  for (u64 width = SHORT; width < n; width *= 2) {
    for (u64 start = 0; start < n; start += 2 * width) {
      u64 middle = smaller(n, start + width), end = smaller(n, start + 2 * width);
      u64 i = start, j = middle;
      for (u64 k = start; k < end; k++) {
        bool right = j < end && (i >= middle || less(vm, mem<T>(vm, from, j), mem<T>(vm, from, i)));
        mem<T>(vm, to, k) = right ? mem<T>(vm, from, j++) : mem<T>(vm, from, i++);
      }
      if (!work(vm, end - start)) break;
    }
    exchange(from, to);
    if (stopped(vm)) break;
  }
  if (from != at) for_all(vm, n, [&](u64 k) { mem<T>(vm, at, k) = mem<T>(vm, from, k); });
}

// Sort n keys in place.
template <class Key> BATT_INLINE void sort_keys(Vm& vm, Addr at, u64 n) {
  if (n < RADIX_LEAST) sort<Key>(vm, at, n, NaturalOrder());
  else radix_sort_keys<Key>(vm, at, n);
}

// Sort n values in canonical order; the sort is stable.
BATT_DEVICE_NOINLINE void sort_in_order(Vm& vm, Addr at, u64 n) {
  u32 differing = 0, tag = NONE;
  if (n >= RADIX_LEAST) tag = common_tag(n, [&](u64 k) { return mem<Value>(vm, at, k); }, differing);
  if (tag == NONE) sort<Value>(vm, at, n, CanonicalOrder());
  else radix_sort<Value>(vm, at, n, differing, ValueBytes(tag));
}

// The first 64 bits of a code whose order is the canonical order: three bits for the kind of each value, then an int in
// a few bits, or the items of a container and three zeros. Most comparisons of a sort need no more. An int beyond its
// bits is written as the least or the greatest number, its length and its bits. A function, or a container three levels
// deep, ends the code, so that later bits never decide.
struct Prefix {
  static constexpr u32 END = 0, KIND_BITS = 3, INT_BITS = 10, LENGTH_BITS = 6, DEEPEST = 3;
  u64 code = 0;
  u32 left = 64;

  BATT_INLINE void put(u64 x, u32 bits) {
    if (bits > left) {
      code |= x >> (bits - left);
      left = 0;
    } else if (left) {
      left -= bits;
      code |= x << left;
    }
  }
  BATT_INLINE void put_kind(Value v) { put(static_cast<u64>(kind_rank(v)) + 1, KIND_BITS); }
  BATT_INLINE void put_int(i64 x, u32 bits = INT_BITS) {
    i64 half = 1LL << (bits - 1);
    bool exact = x > -half && x < half - 1;
    put(1, KIND_BITS);
    put(static_cast<u64>(exact ? x + half : x < 0 ? 0 : 2 * half - 1), bits);
    if (!exact) put_wide_int(x);
  }
  // Of negative ints, the one with more bits comes first.
  BATT_INLINE void put_wide_int(i64 x) {
    u64 size = x < 0 ? 0 - static_cast<u64>(x) : static_cast<u64>(x);
    u32 length = 1;
    while (length < 64 && size >> length) length++;
    put(x < 0 ? 64 - length : length, LENGTH_BITS);
    u64 rest = size & ((1ull << (length - 1)) - 1);
    put(x < 0 ? ((1ull << (length - 1)) - 1) - rest : rest, length - 1);
  }
  template <u32 DEPTH> BATT_INLINE void put_value(Vm& vm, Value v) {
    if (is_int(v)) {
      put_int(int_of(v));
      return;
    }
    put_kind(v);
    if (is_none(v)) return;
    if constexpr (DEPTH < DEEPEST) {
      if (is_container(v)) {
        u32 n = length(v);
        for (u32 k = 0; k < n && left; k++) put_value<DEPTH + 1>(vm, item(vm, v, k));
        put(END, KIND_BITS);
        return;
      }
    }
    left = 0;
  }
};

// The same code for what most sets hold: ints, places and cells whose ints all fit.
struct ShortPrefix {
  bool exact = true;
  BATT_INLINE u64 of_int(i64 x) {
    exact = exact && x > -512 && x < 511;
    return 1ull << Prefix::INT_BITS | static_cast<u64>(x + 512);
  }
  BATT_INLINE u64 of_place(u32 key) { return 2ull << 29 | of_int(key_i(key)) << 16 | of_int(key_j(key)) << 3; }
  BATT_INLINE u64 of_cell(u64 key) {
    return 2ull << 48 | of_int(key_colour(key)) << 35 | of_place(key_place(key)) << 3;
  }
};

// The code of PLACES or CELLS: the kind of a set, the first item and a part of the second. False if Prefix must compute
// it.
BATT_DEVICE_NOINLINE bool packed_prefix(Vm& vm, Value v, u64& code) {
  if (v.tag != PLACES && v.tag != CELLS) return false;
  ShortPrefix made;
  code = 3ull << 61;
  if (v.tag == PLACES) {
    code |= made.of_place(mem<u32>(vm, v.bits, 0)) << 29;
    if (v.n > 1) code |= made.of_place(mem<u32>(vm, v.bits, 1)) >> 3;
  } else {
    code |= made.of_cell(mem<u64>(vm, v.bits, 0)) << 10;
    if (v.n > 1) code |= made.of_cell(mem<u64>(vm, v.bits, 1)) >> 41;
  }
  return made.exact;
}

BATT_INLINE u64 order_prefix(Vm& vm, Value v) {
  Prefix made;
  u64 code;
  if (packed_prefix(vm, v, code)) return code;
  if (is_int(v)) made.put_int(int_of(v), 61);
  else made.put_value<0>(vm, v);
  return made.code;
}

struct Prefixed {
  u64 prefix, at;
};
struct PrefixOrder {
  BATT_INLINE bool operator()(Vm&, const Prefixed& a, const Prefixed& b) const { return a.prefix < b.prefix; }
};

struct PrefixBytes {
  BATT_INLINE u32 operator()(const Prefixed& each, u32 k) const { return NumberBytes()(each.prefix, k); }
};
// Sort n prefixes in place; the sort is stable.
BATT_DEVICE_NOINLINE void sort_prefixes(Vm& vm, Addr at, u64 n) {
  if (n < RADIX_LEAST) {
    sort<Prefixed>(vm, at, n, PrefixOrder());
    return;
  }
  u64 head = mem<Prefixed>(vm, at, 0).prefix, differing = 0;
  for (u64 k = 1; k < n; k++) differing |= mem<Prefixed>(vm, at, k).prefix ^ head;
  radix_sort<Prefixed>(vm, at, n, bytes_set(differing), PrefixBytes());
}

// The position after the last of n prefixes that equals the one at position k.
BATT_INLINE u64 end_of_prefix(Vm& vm, Addr order, u64 k, u64 n) {
  u64 prefix = mem<Prefixed>(vm, order, k).prefix, end = k + 1;
  while (end < n && mem<Prefixed>(vm, order, end).prefix == prefix) end++;
  return end;
}

// Compares numbers by the values that `value_at` gives for them.
template <class ValueAt> struct NumberedOrder {
  ValueAt value_at;
  BATT_INLINE bool operator()(Vm& vm, const Prefixed& a, const Prefixed& b) const {
    return compare(vm, value_at(a.at), value_at(b.at)) < 0;
  }
};

// The number of items with which all n containers begin; 0 if they are not all tuples, or all sets.
template <class ValueAt> BATT_INLINE u32 alike_items(Vm& vm, Addr order, u64 n, ValueAt value_at) {
  Value head = value_at(mem<Prefixed>(vm, order, 0).at);
  u32 alike = length(head);
  for (u64 k = 1; k < n && alike && !stopped(vm); k++) {
    Value v = value_at(mem<Prefixed>(vm, order, k).at);
    u32 shared = is_set(v) == is_set(head) ? smaller(alike, length(v)) : 0, q = 0;
    while (q < shared && equal(vm, item(vm, head, q), item(vm, v, q))) q++;
    alike = q;
  }
  return alike;
}

// The code of a value without its first `alike` items, and without the first `deeper` items of the one after them.
BATT_INLINE u64 later_prefix(Vm& vm, Value v, u32 alike, u32 deeper) {
  Prefix made;
  u32 n = length(v), q = alike;
  if (deeper) {
    Value inner = item(vm, v, q++);
    for (u32 k = deeper; k < length(inner) && made.left; k++) made.put_value<2>(vm, item(vm, inner, k));
    made.put(Prefix::END, Prefix::KIND_BITS);
  }
  for (; q < n && made.left; q++) made.put_value<1>(vm, item(vm, v, q));
  return made.code;
}

// Sort n numbers whose values have the same prefix. Many of them are sorted by what comes after the items with which
// all begin.
template <class ValueAt> BATT_INLINE void sort_alike(Vm& vm, Addr order, u64 n, ValueAt value_at) {
  u32 alike = n < RADIX_LEAST ? 0 : alike_items(vm, order, n, value_at), deeper = 0;
  NumberedOrder<ValueAt> less{value_at};
  if (n >= RADIX_LEAST && !stopped(vm))
    deeper = alike_items(vm, order, n, [&](u64 k) {
      Value v = value_at(k);
      return alike < length(v) ? item(vm, v, alike) : none();
    });
  if (alike == 0 && deeper == 0) {
    sort<Prefixed>(vm, order, n, less);
    return;
  }
  for (u64 k = 0; k < n && !stopped(vm); k++) {
    Prefixed& each = mem<Prefixed>(vm, order, k);
    each.prefix = later_prefix(vm, value_at(each.at), alike, deeper);
  }
  sort_prefixes(vm, order, n);
  for (u64 k = 0, end; k < n && !stopped(vm); k = end) {
    end = end_of_prefix(vm, order, k, n);
    if (end - k > 1) sort<Prefixed>(vm, order + k * sizeof(Prefixed), end - k, less);
  }
}

// Write the numbers 0 … n - 1 to Prefixed[n], in canonical order of the values that `value_at` gives for them. Equal
// values keep their order.
template <class ValueAt> BATT_INLINE void order_values(Vm& vm, Addr order, u64 n, ValueAt value_at) {
  for (u64 k = 0; k < n && !stopped(vm); k++) mem<Prefixed>(vm, order, k) = Prefixed{order_prefix(vm, value_at(k)), k};
  if (!stopped(vm)) sort_prefixes(vm, order, n);
  for (u64 k = 0, end; k < n && !stopped(vm); k = end) {
    end = end_of_prefix(vm, order, k, n);
    if (end - k > 1) sort_alike(vm, order + k * sizeof(Prefixed), end - k, value_at);
  }
}

// Remove repeats that a hash table with short searches finds. Return how many values remain. Loops often give the same
// value many times, and finding that is faster than sorting it.
BATT_DEVICE_NOINLINE u64 drop_repeats(Scratch& scratch, Addr at, Addr order, u64 n) {
  Vm& vm = scratch.vm;
  u64 size = 64;
  while (size < 2 * n) size *= 2;
  Addr table = scratch.alloc<u32>(size);
  if (stopped(vm)) return 0;
  for (u64 k = 0; k < size; k++) mem<u32>(vm, table, k) = 0;
  u64 kept = 0;
  for (u64 k = 0; k < n && !stopped(vm); k++) {
    Value v = mem<Value>(vm, at, k);
    u64 prefix = order_prefix(vm, v), slot = (prefix * 0x9e3779b97f4a7c15ull) >> 20 & (size - 1);
    bool seen = false;
    for (u32 tries = 0; tries < 8 && !seen; tries++, slot = (slot + 1) & (size - 1)) {
      u32 found = mem<u32>(vm, table, slot);
      if (found == 0) {
        mem<u32>(vm, table, slot) = static_cast<u32>(kept + 1);
        break;
      }
      seen = mem<Prefixed>(vm, order, found - 1).prefix == prefix && equal(vm, v, mem<Value>(vm, at, found - 1));
    }
    if (seen) continue;
    mem<Prefixed>(vm, order, kept) = Prefixed{prefix, kept};
    mem<Value>(vm, at, kept++) = v;
  }
  return kept;
}

// The same for few values: each is compared with all before it.
BATT_INLINE u64 drop_few_repeats(Vm& vm, Addr at, Addr order, u64 n) {
  u64 kept = 0;
  for (u64 k = 0; k < n && !stopped(vm); k++) {
    Value v = mem<Value>(vm, at, k);
    u64 prefix = order_prefix(vm, v), q = 0;
    while (q < kept && !(mem<Prefixed>(vm, order, q).prefix == prefix && equal(vm, v, mem<Value>(vm, at, q)))) q++;
    if (q < kept) continue;
    mem<Prefixed>(vm, order, kept) = Prefixed{prefix, kept};
    mem<Value>(vm, at, kept++) = v;
  }
  return kept;
}

// Whether each of n values comes before the next one.
BATT_DEVICE_NOINLINE bool is_in_order(Vm& vm, Addr at, u64 n) {
  u64 k = 1;
  Value before = mem<Value>(vm, at, 0);
  // Ints and pairs are the usual values.
  if (before.tag == INT || before.tag == PAIR) {
    u64 bias = value_bias(before.tag);
    for (; k < n; k++) {
      Value each = mem<Value>(vm, at, k);
      if (each.tag != before.tag) break;
      if ((each.bits ^ bias) <= (before.bits ^ bias)) return false;
      before = each;
    }
  }
  for (; k < n && compare(vm, mem<Value>(vm, at, k - 1), mem<Value>(vm, at, k)) < 0 && !stopped(vm); k++)
    prefetch_ahead(vm, at, k, n);
  return k >= n && !stopped(vm);
}

// Reverse n values if each comes after the next one: what a mirror makes. They are ints, places or cells.
BATT_INLINE bool reverse_descending(Vm& vm, Addr at, u64 n) {
  for (u64 k = 1; k < n; k++)
    if (quick_order(vm, mem<Value>(vm, at, k - 1), mem<Value>(vm, at, k)) <= 0) return false;
  for (u64 k = 0; k < n / 2; k++) exchange(mem<Value>(vm, at, k), mem<Value>(vm, at, n - 1 - k));
  return true;
}

// Sort n values and remove repeats; they are ints or places, or cells of one colour, so that their bits decide.
BATT_DEVICE_NOINLINE u64 sort_by_bits(Vm& vm, Addr at, u64 n, u32 differing) {
  Scratch scratch(vm);
  Addr keys = scratch.alloc<u64>(n);
  if (stopped(vm)) return 0;
  Value head = mem<Value>(vm, at, 0);
  u64 bias = value_bias(head.tag);
  for_all(vm, n, [&](u64 k) { mem<u64>(vm, keys, k) = mem<Value>(vm, at, k).bits ^ bias; });
  radix_sort<u64>(vm, keys, n, differing, NumberBytes());
  u64 kept = 0;
  for (u64 k = 0; k < n && !stopped(vm); k++) {
    u64 key = mem<u64>(vm, keys, k);
    if (k && key == mem<u64>(vm, keys, k - 1)) continue;
    mem<Value>(vm, at, kept++) = Value{head.tag, head.n, key ^ bias};
  }
  return kept;
}

// Sort at least RADIX_LEAST values and remove repeats, if they are ints, places or cells. Return how many remain, or 0
// if they are something else.
BATT_DEVICE_NOINLINE u64 sort_plain_values(Vm& vm, Addr at, u64 n) {
  u32 differing = 0, tag = common_tag(n, [&](u64 k) { return mem<Value>(vm, at, k); }, differing);
  if (tag == NONE) return 0;
  if (reverse_descending(vm, at, n)) return n;
  if (!(differing >> 8)) return sort_by_bits(vm, at, n, differing);
  radix_sort<Value>(vm, at, n, differing, ValueBytes(tag));
  u64 kept = 1;
  for (u64 k = 1; k < n; k++) {
    Value v = mem<Value>(vm, at, k), before = mem<Value>(vm, at, kept - 1);
    if (v.bits != before.bits || v.n != before.n) mem<Value>(vm, at, kept++) = v;
  }
  return kept;
}

// Sort n values in canonical order and remove repeats. Return how many remain.
BATT_DEVICE_NOINLINE u64 sort_values(Vm& vm, Addr at, u64 n) {
  constexpr u64 FEW = 12;
  if (is_in_order(vm, at, n)) return n;
  if (n >= RADIX_LEAST)
    if (u64 kept = sort_plain_values(vm, at, n)) return kept;
  if (stopped(vm)) return 0;
  Scratch scratch(vm);
  Addr order = scratch.alloc<Prefixed>(n), sorted = scratch.alloc<Value>(n);
  if (stopped(vm)) return 0;
  n = n <= FEW ? drop_few_repeats(vm, at, order, n) : drop_repeats(scratch, at, order, n);
  sort_prefixes(vm, order, n);
  if (stopped(vm)) return 0;
  for (u64 k = 0; k < n; k++) mem<Value>(vm, sorted, k) = mem<Value>(vm, at, k);
  auto value_at = [&](u64 k) { return mem<Value>(vm, sorted, k); };
  u64 kept = 0;
  for (u64 k = 0, end; k < n && !stopped(vm); k = end) {
    end = end_of_prefix(vm, order, k, n);
    if (end - k > 1) sort_alike(vm, order + k * sizeof(Prefixed), end - k, value_at);
    for (u64 q = k; q < end && !stopped(vm); q++) {
      Value v = value_at(mem<Prefixed>(vm, order, q).at);
      if (q == k || !equal(vm, v, mem<Value>(vm, at, kept - 1))) mem<Value>(vm, at, kept++) = v;
    }
  }
  return kept;
}

}  // namespace batt
