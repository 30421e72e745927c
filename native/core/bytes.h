// Read, set, compare and count the bytes of an array, eight or sixteen at a time.
#pragma once
#include "lanes.h"

namespace batt {

// Bytes k … k + 7 of an array, the first one in the lowest bits. Only a host may read words that are not aligned.
BATT_INLINE u64 eight_bytes(const Vm& vm, Addr at, u64 k) {
#if !defined(__CUDACC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  u64 word;
  __builtin_memcpy(&word, &mem<u8>(vm, at, k), sizeof word);
  return word;
#elif defined(__CUDACC__)
  // Reading whole words stays within the array: allocations are multiples of 16 bytes.
  Addr from = at + k;
  u32 shift = 8 * static_cast<u32>(from % 8);
  u64 low = mem<u64>(vm, from / 8 * 8);
  return shift ? low >> shift | mem<u64>(vm, from / 8 * 8, 1) << (64 - shift) : low;
#else
  u64 word = 0;
  for (u32 q = 0; q < 8; q++) word |= static_cast<u64>(mem<u8>(vm, at, k + q)) << (8 * q);
  return word;
#endif
}

// The same for an array that has only `left` more bytes; missing bytes are 0.
BATT_INLINE u64 last_bytes(const Vm& vm, Addr at, u64 k, u64 left) {
  if (left >= 8) return eight_bytes(vm, at, k);
  u64 word = 0;
  for (u32 q = 0; q < left; q++) word |= static_cast<u64>(mem<u8>(vm, at, k + q)) << (8 * q);
  return word;
}

// Copy n bytes that do not overlap, with one lane. A device copies words only where both ends are aligned, which rows
// of grids are not.
BATT_INLINE void copy_in_lane(const Vm& vm, Addr to, Addr from, u64 n) {
#ifdef __CUDACC__
  u64 words = (to | from) % 4 == 0 ? n / 4 : 0;
  for (u64 k = 0; k < words; k++) mem<u32>(vm, to, k) = mem<u32>(vm, from, k);
  for (u64 k = 4 * words; k < n; k++) mem<u8>(vm, to, k) = mem<u8>(vm, from, k);
#else
  if (n) __builtin_memcpy(&mem<u8>(vm, to), &mem<u8>(vm, from), n);
#endif
}

// Copy n bytes that do not overlap, with all lanes.
BATT_INLINE void copy_bytes(const Vm& vm, Addr to, Addr from, u64 n) {
#ifdef __CUDACC__
  u64 words = (to | from) % 4 == 0 ? n / 4 : 0;
  for_all(vm, words, [&](u64 k) { mem<u32>(vm, to, k) = mem<u32>(vm, from, k); });
  for (u64 k = 4 * words + lane(vm); k < n; k += lanes(vm)) mem<u8>(vm, to, k) = mem<u8>(vm, from, k);
  sync_lanes(vm);
#else
  copy_in_lane(vm, to, from, n);
#endif
}

// Set n bytes to `byte`, with all lanes.
BATT_INLINE void fill_bytes(const Vm& vm, Addr at, u64 n, u8 byte) {
#ifdef __CUDACC__
  for_all(vm, n, [&](u64 k) { mem<u8>(vm, at, k) = byte; });
#else
  if (n) __builtin_memset(&mem<u8>(vm, at), byte, n);
#endif
}

// A 1 in each byte of x that is not 0.
BATT_INLINE u64 marked_bytes(u64 x) {
  constexpr u64 LOW = 0x7f7f7f7f7f7f7f7full, ONES = 0x0101010101010101ull;
  return (((x & LOW) + LOW) | x) >> 7 & ONES;
}
BATT_INLINE u32 nonzero_bytes(u64 x) { return static_cast<u32>(marked_bytes(x) * 0x0101010101010101ull >> 56); }

// Bit k for each byte k of x that is not 0.
BATT_INLINE u32 byte_mask(u64 x) { return static_cast<u32>(marked_bytes(x) * 0x0102040810204080ull >> 56); }

// Count the equal bytes of two arrays of n bytes.
BATT_INLINE u64 alike_bytes(const Vm& vm, Addr a, Addr b, u64 n) {
  u64 k = 0, alike = 0;
  for (; k + 8 <= n; k += 8) alike += 8 - nonzero_bytes(eight_bytes(vm, a, k) ^ eight_bytes(vm, b, k));
  for (; k < n; k++) alike += mem<u8>(vm, a, k) == mem<u8>(vm, b, k);
  return alike;
}

// Sixteen bytes at once, if the compiler and the machine have such registers; a device reads single bytes.
#if defined(__SSE2__) && defined(__GNUC__) && !defined(__CUDACC__)
#define BATT_WIDE_BYTES
constexpr bool HAS_WIDE_BYTES = true;
using WideBytes = u8 __attribute__((vector_size(16)));
using WideSigned = char __attribute__((vector_size(16)));
BATT_INLINE WideBytes wide_bytes(const Vm& vm, Addr at, u64 k) {
  WideBytes made;
  __builtin_memcpy(&made, &mem<u8>(vm, at, k), sizeof made);
  return made;
}
// 0xff for each byte that is equal in both.
BATT_INLINE WideBytes wide_same(WideBytes a, WideBytes b) { return reinterpret_cast<WideBytes>(a == b); }
BATT_INLINE u32 wide_mask(WideBytes marked) {
  return static_cast<u32>(__builtin_ia32_pmovmskb128(reinterpret_cast<WideSigned>(marked)));
}
BATT_INLINE u64 wide_sum(WideBytes counts) {
  auto halves = __builtin_ia32_psadbw128(reinterpret_cast<WideSigned>(counts), WideSigned{});
  return static_cast<u64>(halves[0] + halves[1]);
}

// Count the bytes `first` … `first` + 4 among n >= 16 bytes. Write the five counts and return their sum.
BATT_INLINE u32 count_five(const Vm& vm, Addr at, u32 n, u8 first, Addr counts) {
  constexpr WideBytes NUMBERS{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  constexpr u32 MOST = 16 * 254;  // bytes until a count may overflow
  WideBytes same[5], found[5];
  // The last sixteen bytes, without those already counted.
  WideBytes last = wide_bytes(vm, at, n - 16),
            late = reinterpret_cast<WideBytes>(NUMBERS >= WideBytes{} + static_cast<u8>(16 - n % 16));
  for (u32 c = 0; c < 5; c++) {
    same[c] = WideBytes{} + static_cast<u8>(first + c);
    found[c] = wide_same(last, same[c]) & late & 1;
    mem<u32>(vm, counts, c) = 0;
  }
  u32 total = 0, k = 0, full = n - n % 16;
  do {
    for (u32 end = smaller(full, k + MOST); k < end; k += 16) {
      WideBytes some = wide_bytes(vm, at, k);
      for (u32 c = 0; c < 5; c++) found[c] -= wide_same(some, same[c]);
    }
    for (u32 c = 0; c < 5; c++) {
      u32 times = static_cast<u32>(wide_sum(found[c]));
      mem<u32>(vm, counts, c) += times;
      total += times;
      found[c] = WideBytes{};
    }
  } while (k < full);
  return total;
}
#else
constexpr bool HAS_WIDE_BYTES = false;
#endif

// Bit q is set if byte k + q of the array equals `byte`, for 16 bytes. Bits beyond the array's n bytes mean nothing.
BATT_INLINE u32 same_bytes(const Vm& vm, Addr at, u64 n, u64 k, u8 byte) {
#ifdef BATT_WIDE_BYTES
  if (n >= 16) {
    u64 from = smaller(k, n - 16);
    return wide_mask(wide_same(wide_bytes(vm, at, from), WideBytes{} + byte)) >> (k - from);
  }
#endif
  u64 all = byte * 0x0101010101010101ull;
  u32 differ = byte_mask(last_bytes(vm, at, k, n - k) ^ all);
  if (k + 8 < n) differ |= byte_mask(last_bytes(vm, at, k + 8, n - k - 8) ^ all) << 8;
  return ~differ;
}

// Bit q is set if byte k + q differs in the two arrays, for 16 bytes. Bits beyond their n bytes mean nothing.
BATT_INLINE u32 different_bytes(const Vm& vm, Addr a, Addr b, u64 n, u64 k) {
#ifdef BATT_WIDE_BYTES
  if (n >= 16) {
    u64 from = smaller(k, n - 16);
    return ~wide_mask(wide_same(wide_bytes(vm, a, from), wide_bytes(vm, b, from))) >> (k - from);
  }
#endif
  u32 differ = byte_mask(last_bytes(vm, a, k, n - k) ^ last_bytes(vm, b, k, n - k));
  if (k + 8 < n) differ |= byte_mask(last_bytes(vm, a, k + 8, n - k - 8) ^ last_bytes(vm, b, k + 8, n - k - 8)) << 8;
  return differ;
}

// The same for at most 63 bytes from byte `from` on, of arrays of `size` bytes.
BATT_INLINE u64 difference_bits(const Vm& vm, Addr a, Addr b, u64 size, u64 from, u32 n) {
  u64 bits = 0;
  for (u32 k = 0; k < n; k += 16) bits |= static_cast<u64>(different_bytes(vm, a, b, size, from + k) & 0xffffu) << k;
  return bits & ((1ull << n) - 1);
}

// Bit k is set if byte k differs from the byte before it, for n <= 64 bytes. `readable` bytes may be read.
BATT_INLINE u64 changes(const Vm& vm, Addr at, u32 n, u64 readable) {
  u64 mask = 0, before = mem<u8>(vm, at, 0);
  for (u32 k = 0; k < n; k += 8) {
    u64 word = last_bytes(vm, at, k, readable - k);
    mask |= static_cast<u64>(byte_mask(word ^ (word << 8 | before))) << k;
    before = word >> 56;
  }
  return n < 64 ? mask & ((1ull << n) - 1) : mask;
}

}  // namespace batt
