// Sort the keys of places and cells with a bitmap of their bounding box: in linear time, and without repeats.
#pragma once
#include "lanes.h"

namespace batt {

// One bit for each place of a small box, row by row; one layer for each colour.
struct Bitmap {
  static constexpr u64 LEAST = 24;  // with fewer keys sorting is as fast
  i32 top = 0x7fff, left = 0x7fff, bottom = -0x8000, right = -0x8000;
  u32 words_per_row = 0;
  Addr at = 0;

  BATT_INLINE void widen(u32 place) {
    i32 i = key_i(place), j = key_j(place);
    top = smaller(top, i);
    bottom = larger(bottom, i);
    left = smaller(left, j);
    right = larger(right, j);
  }
  BATT_INLINE u64 rows() const { return static_cast<u64>(bottom - top + 1); }
  // Allocate and clear `layers` bitmaps; false if they are too large for n keys.
  BATT_INLINE bool open(Scratch& scratch, u64 n, u32 layers) {
    words_per_row = static_cast<u32>(right - left) / 64 + 1;
    u64 words = rows() * words_per_row * layers;
    if (words > n / 2 + 64) return false;
    at = scratch.alloc<u64>(words);
    if (stopped(scratch.vm)) return false;
    for_all(scratch.vm, words, [&](u64 k) { mem<u64>(scratch.vm, at, k) = 0; });
    return true;
  }
  // Set the bits of n keys; T tells whether they have colours. Neighbours often lie in one word, which is written once.
  template <class T> BATT_INLINE void set_all(Vm& vm, Addr keys, u64 n, u32 least_colour) {
    u64 word = 0, bits = 0;
    for (u64 k = 0; k < n; k++) {
      T key = mem<T>(vm, keys, k);
      u64 layer = sizeof(T) == 8 ? static_cast<u32>(static_cast<u64>(key) >> 32) - least_colour : 0;
      u32 place = static_cast<u32>(key), column = static_cast<u32>(key_j(place) - left);
      u64 here = (layer * rows() + static_cast<u64>(key_i(place) - top)) * words_per_row + column / 64;
      if (here != word) {
        mem<u64>(vm, at, word) |= bits;
        word = here;
        bits = 0;
      }
      bits |= 1ull << (column % 64);
    }
    mem<u64>(vm, at, word) |= bits;
  }
  // Write the keys of a layer's places at `to`, ascending, from number `count` on. `colour` is their upper half if T
  // has one. Return the new count.
  template <class T> BATT_INLINE u64 write(Vm& vm, u32 layer, u64 colour, Addr to, u64 count) const {
    for (u64 row = 0; row < rows(); row++)
      for (u32 k = 0; k < words_per_row; k++) {
        u64 bits = mem<u64>(vm, at, (layer * rows() + row) * words_per_row + k);
        u32 base = place_key(top + static_cast<i64>(row), left + static_cast<i64>(64 * k));
        while (bits) {
          mem<T>(vm, to, count++) = static_cast<T>(colour | (base + lowest_bit(bits)));
          bits &= bits - 1;
        }
      }
    return count;
  }
};

BATT_DEVICE_NOINLINE bool place_bitmap(Vm& vm, Addr at, u64& n) {
  Scratch scratch(vm);
  Bitmap map;
  for (u64 k = 0; k < n; k++) map.widen(mem<u32>(vm, at, k));
  if (!map.open(scratch, n, 1)) return false;
  map.set_all<u32>(vm, at, n, 0);
  n = map.write<u32>(vm, 0, 0, at, 0);
  return true;
}

BATT_DEVICE_NOINLINE bool cell_bitmap(Vm& vm, Addr at, u64& n) {
  Scratch scratch(vm);
  Bitmap map;
  u32 least = 0xffffffffu, most = 0;
  for (u64 k = 0; k < n; k++) {
    u64 key = mem<u64>(vm, at, k);
    u32 colour = static_cast<u32>(key >> 32);
    least = smaller(least, colour);
    most = larger(most, colour);
    map.widen(key_place(key));
  }
  if (most - least >= 16 || !map.open(scratch, n, most - least + 1)) return false;
  map.set_all<u64>(vm, at, n, least);
  u64 count = 0;
  for (u32 colour = least; colour - least <= most - least; colour++)
    count = map.write<u64>(vm, colour - least, static_cast<u64>(colour) << 32, at, count);
  n = count;
  return true;
}

}  // namespace batt
