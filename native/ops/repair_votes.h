// Fill masked cells as similar places of the grid are: `inpaint` of ops/repair.py.
#pragma once
#include "shapes_colours.h"
#include "strict.h"

namespace batt {

BATT_DEVICE_NOINLINE i64 masked_cells(Vm& vm, Value grid, i64 mask) {
  i64 found = 0;
  u32 h = is_tuple(grid) ? length(grid) : 0;
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, grid, i);
    u32 w = is_tuple(row) ? length(row) : 0;
    for (u32 j = 0; j < w; j++) {
      Value each = item(vm, row, j);
      found += is_int(each) && int_of(each) == mask;
    }
  }
  return found;
}

BATT_INLINE i64 cost_inpaint(Vm& vm, const Value* a) {
  i64 masked = is_int(a[1]) ? masked_cells(vm, a[0], int_of(a[1])) : 0;
  return sum_of(1, product_of(items(vm, a[0]), 1 + masked));
}

BATT_INLINE u32 count_bits(u64 x) {
#ifdef __CUDACC__
  return static_cast<u32>(__popcll(x));
#else
  return static_cast<u32>(__builtin_popcountll(x));
#endif
}

// A grid that is being filled, in scratch memory. Cell (i, j) has the position (i + 1) * stride + j + 1, so that all
// cells have eight neighbours. Bitmaps have a bit for each position, with words of 0 before and after them.
struct Inpainting {
  static constexpr u8 NO_COLOUR = 255;  // there are at most 255 colours besides the mask
  Vm& vm;
  u32 stride, positions;
  u32 words, margin;        // words of a bitmap, and words of 0 on each side
  u32 colours = 0;          // of the grid, without the mask
  Addr numbers, colour_of;  // u8[256]: the number of each colour, and back
  Addr cells;               // u8[positions]: the number of each cell's colour
  Addr known;               // u8[positions]: how many neighbours of a masked cell have a colour
  Addr maps;                // bitmaps, by the number of a colour
  Addr waiting;             // bitmaps, by number of known neighbours, of masked cells
  Addr votes;               // u32[colours]

  BATT_INLINE Inpainting(Scratch& scratch, Value grid, u8 mask) : vm(scratch.vm) {
    stride = grid_w(grid) + 1;
    positions = (grid_h(grid) + 2) * stride + 1;
    words = positions / 64 + 1;
    margin = stride / 64 + 2;
    numbers = scratch.alloc<u8>(BYTES);
    colour_of = scratch.alloc<u8>(BYTES);
    cells = scratch.alloc<u8>(positions);
    known = scratch.alloc<u8>(positions);
    if (stopped(vm)) return;
    fill_bytes(vm, numbers, BYTES, NO_COLOUR);
    fill_bytes(vm, cells, positions, NO_COLOUR);
    fill_bytes(vm, known, positions, 0);
    number_colours(grid, mask);
    votes = scratch.alloc<u32>(colours);
    maps = scratch.alloc<u64>(static_cast<u64>(colours) * (words + 2 * margin));
    waiting = scratch.alloc<u64>(static_cast<u64>(9) * words);
    if (stopped(vm)) return;
    for_all(vm, static_cast<u64>(colours) * (words + 2 * margin), [&](u64 k) { mem<u64>(vm, maps, k) = 0; });
    for_all(vm, static_cast<u64>(9) * words, [&](u64 k) { mem<u64>(vm, waiting, k) = 0; });
    set_bits(grid);
  }

  BATT_INLINE u32 place(u32 i, u32 j) const { return (i + 1) * stride + j + 1; }
  // Neighbour k of 8, row by row.
  BATT_INLINE u32 neighbour(u32 at, u32 k) const {
    u32 q = k < 4 ? k : k + 1;
    return at + q / 3 * stride + q % 3 - stride - 1;
  }
  BATT_INLINE u64& map_word(u32 number, u64 word) const {
    return mem<u64>(vm, maps, static_cast<u64>(number) * (words + 2 * margin) + margin + word);
  }
  BATT_INLINE u64& waiting_word(u32 count, u32 at) const {
    return mem<u64>(vm, waiting, static_cast<u64>(count) * words + at / 64);
  }

  // Number the colours in ascending order.
  BATT_INLINE void number_colours(Value grid, u8 mask) {
    u64 n = static_cast<u64>(grid_h(grid)) * grid_w(grid);
    for (u64 k = 0; k < n; k++) mem<u8>(vm, numbers, mem<u8>(vm, grid.bits, k)) = 0;
    for (u32 c = 0; c < BYTES; c++) {
      if (mem<u8>(vm, numbers, c) == NO_COLOUR) continue;
      if (c == mask) {
        mem<u8>(vm, numbers, c) = NO_COLOUR;
        continue;
      }
      mem<u8>(vm, colour_of, colours) = static_cast<u8>(c);
      mem<u8>(vm, numbers, c) = static_cast<u8>(colours++);
    }
  }

  BATT_INLINE void set_bits(Value grid) {
    for (u32 i = 0; i < grid_h(grid); i++)
      for (u32 j = 0; j < grid_w(grid); j++) {
        u8 colour = mem<u8>(vm, grid.bits, static_cast<u64>(i) * grid_w(grid) + j);
        u32 at = place(i, j), number = mem<u8>(vm, numbers, colour);
        mem<u8>(vm, cells, at) = static_cast<u8>(number);
        if (number != NO_COLOUR) map_word(number, at / 64) |= 1ull << at % 64;
      }
    for (u32 i = 0; i < grid_h(grid); i++)
      for (u32 j = 0; j < grid_w(grid); j++) {
        u32 at = place(i, j), count = 0;
        if (mem<u8>(vm, cells, at) != NO_COLOUR) continue;
        for (u32 k = 0; k < 8; k++) count += mem<u8>(vm, cells, neighbour(at, k)) != NO_COLOUR;
        mem<u8>(vm, known, at) = static_cast<u8>(count);
        waiting_word(count, at) |= 1ull << at % 64;
      }
  }

  // Take the waiting cell with most known neighbours, the first one of a tie; 0 if there is none.
  BATT_INLINE u32 take_next() const {
    for (u32 count = 8; count; count--)
      for (u32 word = 0; word < words; word++) {
        u64& bits = waiting_word(count, 64 * word);
        if (!bits) continue;
        u32 at = 64 * word + lowest_bit(bits);
        bits &= bits - 1;
        return at;
      }
    return 0;
  }

  // The bits of a word of places that have the neighbours of a cell.
  BATT_INLINE u64 similar_places(u32 at, u32 word) const {
    u64 found = ~0ull;
    for (u32 k = 0; k < 8 && found; k++) {
      u32 near = neighbour(at, k), number = mem<u8>(vm, cells, near);
      if (number == NO_COLOUR) continue;
      // Bit q of a shifted bitmap is bit q + near - at; the margin keeps that above 0.
      u32 bit = 64 * (word + margin) + near - at;
      u64 base = static_cast<u64>(bit / 64) - margin, shift = bit % 64;
      u64 bits = map_word(number, base) >> shift;
      if (shift) bits |= map_word(number, base + 1) << (64 - shift);
      found &= bits;
    }
    return found;
  }

  // The number of the colour with most votes, the lowest one of a tie; NO_COLOUR without a vote.
  BATT_INLINE u8 vote(u32 at) const {
    for (u32 c = 0; c < colours; c++) mem<u32>(vm, votes, c) = 0;
    for (u32 word = 0; word < words; word++) {
      u64 places = similar_places(at, word);
      for (u32 c = 0; c < colours && places; c++) mem<u32>(vm, votes, c) += count_bits(places & map_word(c, word));
    }
    u32 most = 0;
    u8 found = NO_COLOUR;
    for (u32 c = 0; c < colours; c++)
      if (mem<u32>(vm, votes, c) > most) {
        most = mem<u32>(vm, votes, c);
        found = static_cast<u8>(c);
      }
    return found;
  }

  BATT_INLINE void fill(u32 at, u8 number) const {
    mem<u8>(vm, cells, at) = number;
    for (u32 k = 0; k < 8; k++) {
      u32 near = neighbour(at, k), count = mem<u8>(vm, known, near);
      u64 bit = 1ull << near % 64;
      // A cell that does not wait has got its colour, or never gets one.
      if (mem<u8>(vm, cells, near) != NO_COLOUR || !(waiting_word(count, near) & bit)) continue;
      waiting_word(count, near) &= ~bit;
      waiting_word(count + 1, near) |= bit;
      mem<u8>(vm, known, near) = static_cast<u8>(count + 1);
    }
  }
};

BATT_OP Value op_inpaint(Vm& vm, const Value* a) {
  Value grid;
  if (!plain_grid(vm, a[0], grid) || !plain_colour(vm, a[1])) return none();
  u32 h = grid_h(grid), w = grid_w(grid);
  u8 mask = static_cast<u8>(a[1].bits);
  if (static_cast<u64>(h + 2) * (w + 1) >> 31) return unsupported(vm, LONG_WORK);
  Scratch scratch(vm);
  Inpainting work_on(scratch, grid, mask);
  Addr made = alloc<u8>(vm, static_cast<u64>(h) * w);
  if (stopped(vm)) return none();
  for (u32 at = work_on.take_next(); at; at = work_on.take_next()) {
    if (!work(vm, 1)) return none();
    u8 number = work_on.vote(at);
    if (number != Inpainting::NO_COLOUR) work_on.fill(at, number);
  }
  for (u32 i = 0; i < h; i++)
    for_all(vm, w, [&](u64 j) {
      u8 number = mem<u8>(vm, work_on.cells, work_on.place(i, static_cast<u32>(j)));
      mem<u8>(vm, made, static_cast<u64>(i) * w + j) =
          number == Inpainting::NO_COLOUR ? mask : mem<u8>(vm, work_on.colour_of, number);
    });
  return grid_at(made, h, w);
}

}  // namespace batt
