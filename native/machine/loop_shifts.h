// `mapply` of `shift` over a set of places: many copies of one patch, united. The copies are made as bits, a row of 64
// places at a time, so that most work does not depend on the number of cells.
#pragma once
#include "../ops/shapes.h"

namespace batt {

// The bits of a patch, row by row, in one layer for each colour.
struct PatchBits {
  Box box;
  u32 least_colour = 0, layers = 1;
  u64 words_per_row = 0;
  Addr at = 0;

  BATT_INLINE u64 height() const { return static_cast<u64>(box.bottom - box.top + 1); }
  BATT_INLINE u64 words() const { return layers * height() * words_per_row; }
  BATT_INLINE bool open(Vm& vm, Scratch& scratch) {
    words_per_row = static_cast<u64>(box.right - box.left) / 64 + 1;
    at = scratch.alloc<u64>(words());
    if (stopped(vm)) return false;
    for_all(vm, words(), [&](u64 k) { mem<u64>(vm, at, k) = 0; });
    return true;
  }
  BATT_INLINE void set(Vm& vm, u32 layer, u32 place) {
    u64 column = static_cast<u64>(key_j(place) - box.left);
    u64 word = (layer * height() + static_cast<u64>(key_i(place) - box.top)) * words_per_row + column / 64;
    mem<u64>(vm, at, word) |= 1ull << (column % 64);
  }
  // Write the keys of all places, ascending. Return how many there are.
  template <class Key> BATT_INLINE u64 write(Vm& vm, Addr to) const {
    u64 count = 0, word = 0;
    for (u32 layer = 0; layer < layers; layer++)
      for (u64 row = 0; row < height(); row++)
        for (u64 k = 0; k < words_per_row; k++) {
          u64 bits = mem<u64>(vm, at, word++);
          u64 base = place_key(box.top + static_cast<i64>(row), box.left + static_cast<i64>(64 * k));
          if (sizeof(Key) == 8) base |= static_cast<u64>(least_colour + layer) << 32;
          for (; bits; bits &= bits - 1) mem<Key>(vm, to, count++) = static_cast<Key>(base + lowest_bit(bits));
        }
    return count;
  }
};

// Find the layers of a patch, one for each colour; false if they are too many.
BATT_INLINE bool find_layers(const Vm& vm, Value patch, PatchBits& bits) {
  constexpr u32 MOST = 16;
  if (patch.tag == PLACES) return true;
  // Cells ascend by colour.
  bits.least_colour = static_cast<u32>(mem<u64>(vm, patch.bits, 0) >> 32);
  u32 range = static_cast<u32>(mem<u64>(vm, patch.bits, patch.n - 1) >> 32) - bits.least_colour;
  bits.layers = range + 1;
  return range < MOST;
}

// Add a copy of `from`, moved down and to the right by these numbers of places.
BATT_INLINE void add_copy(Vm& vm, const PatchBits& from, const PatchBits& to, u64 down, u64 across) {
  u64 skipped = across / 64, by = across % 64, read = 0;
  for (u32 layer = 0; layer < from.layers; layer++)
    for (u64 row = 0; row < from.height(); row++) {
      u64 word = (layer * to.height() + row + down) * to.words_per_row + skipped;
      for (u64 k = 0; k < from.words_per_row; k++, word++) {
        u64 bits = mem<u64>(vm, from.at, read++);
        if (!bits) continue;
        mem<u64>(vm, to.at, word) |= bits << by;
        if (by && bits >> (64 - by)) mem<u64>(vm, to.at, word + 1) |= bits >> (64 - by);
      }
    }
}

// Unite the copies of a patch at all offsets. The steps are those of the calls. False, and nothing done, if this would
// not be faster, or if a place does not fit 16 bits.
BATT_DEVICE_NOINLINE bool shift_all(Vm& vm, Value offsets, Value patch, Value& made) {
  constexpr u64 LEAST = 64;  // cells in all copies
  if (offsets.tag != PLACES || (patch.tag != PLACES && patch.tag != CELLS)) return false;
  u64 cells = static_cast<u64>(offsets.n) * patch.n;
  PatchBits from, to;
  Box moved;
  if (cells < LEAST || patch.n > vm.max_items || !find_layers(vm, patch, from) || !packed_box(vm, patch, from.box) ||
      !packed_box(vm, offsets, moved))
    return false;
  to.box = Box{from.box.top + moved.top, from.box.left + moved.left, from.box.bottom + moved.bottom,
               from.box.right + moved.right};
  if (!fits16(to.box.top) || !fits16(to.box.left) || !fits16(to.box.bottom) || !fits16(to.box.right)) return false;
  to.least_colour = from.least_colour;
  to.layers = from.layers;
  u64 row = static_cast<u64>(from.box.right - from.box.left) / 64 + 1;
  u64 row_made = static_cast<u64>(to.box.right - to.box.left) / 64 + 1;
  if (from.layers * from.height() * row > patch.n || to.layers * to.height() * row_made > cells / 2) return false;
  if (!charge(vm, product_of(offsets.n, 3 + 2 * static_cast<i64>(patch.n)))) return true;
  Scratch scratch(vm);
  if (!from.open(vm, scratch) || !to.open(vm, scratch)) return true;
  for (u32 k = 0; k < patch.n; k++) {
    u32 layer = patch.tag == CELLS ? static_cast<u32>(mem<u64>(vm, patch.bits, k) >> 32) - from.least_colour : 0;
    from.set(vm, layer, place_at(vm, patch, k));
  }
  for (u32 k = 0; k < offsets.n; k++) {
    u32 offset = mem<u32>(vm, offsets.bits, k);
    if (!work(vm, from.words() / 8 + 1)) return true;
    add_copy(vm, from, to, static_cast<u64>(key_i(offset) - moved.top), static_cast<u64>(key_j(offset) - moved.left));
  }
  u64 most = smaller(cells, 64 * to.words());
  Addr keys = patch.tag == PLACES ? alloc<u32>(vm, most) : alloc<u64>(vm, most);
  if (stopped(vm)) return true;
  if (patch.tag == PLACES) made = places_ascending(vm, keys, to.write<u32>(vm, keys));
  else made = cells_ascending(vm, keys, to.write<u64>(vm, keys));
  return true;
}

}  // namespace batt
