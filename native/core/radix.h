// Sort many keys, or many values that need no memory of their own, byte by byte: in linear time.
#pragma once
#include "lanes.h"

namespace batt {

constexpr u64 RADIX_LEAST = 256;  // with fewer elements, comparing them is as fast

// The bytes of a number, the lowest first.
struct NumberBytes {
  template <class T> BATT_INLINE u32 operator()(const T& x, u32 k) const {
    return static_cast<u32>(x >> (8 * k)) & 0xffu;
  }
};

// The bytes of INT, PAIR and CELL, biased so that their order is that of the values.
struct ValueBytes {
  u64 bias;
  BATT_INLINE explicit ValueBytes(u32 tag) : bias(value_bias(tag)) {}
  BATT_INLINE u32 operator()(const Value& v, u32 k) const {
    u64 word = k < 8 ? (v.bits ^ bias) >> (8 * k) : (v.n ^ 1u << 31) >> (8 * (k - 8));
    return static_cast<u32>(word) & 0xffu;
  }
};

// Sort n elements in place by those of their bytes whose bit is set in `differing`, the lowest byte first; the sort is
// stable.
template <class T, class Bytes> BATT_DEVICE_NOINLINE void radix_sort(Vm& vm, Addr at, u64 n, u32 differing,
                                                                     Bytes byte_of) {
  Scratch scratch(vm);
  Addr starts = scratch.alloc<u32>(256), from = at, to = scratch.alloc<T>(n);
  if (stopped(vm)) return;
  for (u32 byte = 0; differing >> byte && work(vm, n / 4); byte++) {
    if (!(differing >> byte & 1u)) continue;
    for (u32 k = 0; k < 256; k++) mem<u32>(vm, starts, k) = 0;
    for (u64 k = 0; k < n; k++) mem<u32>(vm, starts, byte_of(mem<T>(vm, from, k), byte))++;
    for (u32 k = 0, start = 0; k < 256; k++) {
      u32 here = mem<u32>(vm, starts, k);
      mem<u32>(vm, starts, k) = start;
      start += here;
    }
    for (u64 k = 0; k < n; k++) {
      T each = mem<T>(vm, from, k);
      u32 place = mem<u32>(vm, starts, byte_of(each, byte))++;
      mem<T>(vm, to, place) = each;
    }
    exchange(from, to);
  }
  if (from != at) for_all(vm, n, [&](u64 k) { mem<T>(vm, at, k) = mem<T>(vm, from, k); });
}

// Bit k is set if byte k of a word is not 0.
BATT_INLINE u32 bytes_set(u64 word) {
  u32 found = 0;
  for (u32 k = 0; k < 8; k++) found |= static_cast<u32>((word >> (8 * k) & 0xffu) != 0) << k;
  return found;
}

// Sort n keys in place, of which there are at least RADIX_LEAST.
template <class Key> BATT_INLINE void radix_sort_keys(Vm& vm, Addr at, u64 n) {
  Key head = mem<Key>(vm, at, 0), differing = 0;
  for (u64 k = 1; k < n; k++) differing |= mem<Key>(vm, at, k) ^ head;
  radix_sort<Key>(vm, at, n, bytes_set(differing), NumberBytes());
}

// The tag that n values have in common if that is INT, PAIR or CELL, else NONE. `value_at` gives value k.
template <class ValueAt> BATT_INLINE u32 common_tag(u64 n, ValueAt value_at, u32& differing) {
  Value head = value_at(0);
  if (head.tag != INT && head.tag != PAIR && head.tag != CELL) return NONE;
  u64 bits = 0;
  u32 more = 0;
  for (u64 k = 1; k < n; k++) {
    Value v = value_at(k);
    if (v.tag != head.tag) return NONE;
    bits |= v.bits ^ head.bits;
    more |= v.n ^ head.n;
  }
  differing = bytes_set(bits) | (head.tag == CELL ? bytes_set(more) << 8 : 0u);
  return head.tag;
}

}  // namespace batt
