// The colours of an element and how often they occur: colours_of, count_colours and background of ops/shapes.py.
#pragma once
#include "../core/sets.h"

namespace batt {

constexpr u32 BYTES = 256;  // colours of a packed grid

// The first component of a key's value: the colour of a cell, the row of a place.
BATT_INLINE i64 key_head(u64 key) { return key_colour(key); }
BATT_INLINE i64 key_head(u32 key) { return key_i(key); }

// Count a byte in a table; only its first `limit` entries are initialized.
BATT_INLINE void count_byte(Vm& vm, Addr table, u32& limit, u32 byte) {
  while (limit <= byte) mem<u32>(vm, table, limit++) = 0;
  mem<u32>(vm, table, byte)++;
}

// Count the bytes of a packed grid. Return a number above all its colours.
BATT_INLINE u32 count_bytes(Vm& vm, Value grid, Addr table) {
  u32 limit = 0, n = grid_h(grid) * grid_w(grid), from = 0;
#ifdef BATT_WIDE_BYTES
  // Ten colours at once: counters in memory are slower where neighbours are equal.
  if (n >= 16) {
    limit = from = 10;
    if (count_five(vm, grid.bits, n, 0, table) + count_five(vm, grid.bits, n, 5, table + 5 * sizeof(u32)) == n)
      return limit;
  }
#endif
  for (u32 k = 0; k < n; k++) {
    u8 byte = mem<u8>(vm, grid.bits, k);
    if (byte >= from) count_byte(vm, table, limit, byte);
  }
  return limit;
}

// Whether masks of sixteen bytes find the places of a byte quickly, and a multiplication divides exactly by the width.
BATT_INLINE bool has_quick_places(Value grid) {
  return HAS_WIDE_BYTES && static_cast<u64>(grid_h(grid)) * grid_w(grid) < 1u << 24;
}

// Write the keys of the places of such a grid that hold a byte, added to `first`, the key of place (0, 0). Return the
// number of keys written so far.
template <class Key> BATT_INLINE u32 put_places_of(Vm& vm, Value grid, u8 byte, Key first, Addr to, u32 done) {
  u32 w = grid_w(grid), n = grid_h(grid) * w;
  u64 rows = (1ull << 40) / w + 1;
  for (u32 start = 0; start < n; start += 64) {
    u64 bits = 0;
    for (u32 k = 0; k < 64 && start + k < n; k += 16)
      bits |= static_cast<u64>(same_bytes(vm, grid.bits, n, start + k, byte) & 0xffffu) << k;
    if (n - start < 64) bits &= (1ull << (n - start)) - 1;
    for (; bits; bits &= bits - 1) {
      u32 k = start + lowest_bit(bits);
      mem<Key>(vm, to, done++) = first + k + static_cast<u32>(k * rows >> 40) * (0x10000u - w);
    }
  }
  return done;
}

// The position of the highest count, the first one of a tie. Loops over colours have no branches, since none could be
// predicted.
BATT_INLINE u32 most_frequent_byte(const Vm& vm, Addr table, u32 limit) {
  u64 most = 0;
  for (u32 c = 0; c < limit; c++) most = larger(most, static_cast<u64>(mem<u32>(vm, table, c)) << 8 | (BYTES - 1 - c));
  return static_cast<u32>(BYTES - 1 - (most & (BYTES - 1)));
}

// Set that count to 0, and return it.
BATT_INLINE u32 drop_most_frequent(Vm& vm, Addr table, u32 limit) {
  u32 most = most_frequent_byte(vm, table, limit), times = mem<u32>(vm, table, most);
  mem<u32>(vm, table, most) = 0;
  return times;
}

// Write the positions of all counts that are not 0, ascending, at an address with room for one more. Return how many.
BATT_INLINE u32 put_counted(Vm& vm, Addr table, u32 limit, Addr to) {
  u32 found = 0;
  for (u32 c = 0; c < limit; c++) {
    mem<u32>(vm, to, found) = c;
    found += mem<u32>(vm, table, c) != 0;
  }
  return found;
}

// Whether all items of a tuple are rows of bytes, as in a grid that is too large for the packed form.
BATT_DEVICE_NOINLINE bool holds_byte_rows(Vm& vm, Value v) {
  bool good = is_tuple(v);
  u32 n = good ? length(v) : 0;
  for (u32 k = lane(vm); k < n && good; k += lanes(vm)) good = item(vm, v, k).tag == ROW;
  return all_lanes(vm, good);
}

#ifndef __CUDACC__
// Find the columns whose values are not all equal, of a tuple of rows of w bytes each: write a byte that is not 0 for
// each of them, and 0 for the others. False if a row is something else.
inline bool mark_varied_columns(Vm& vm, Value rows, u32 w, Addr marks) {
  if (!holds_byte_rows(vm, rows) || w == 0) return false;
  Value head = item(vm, rows, 0);
  fill_bytes(vm, marks, w, 0);
  for (u32 i = 0, h = length(rows); i < h; i++) {
    Value row = item(vm, rows, i);
    if (row.n != w) return false;
    for (u32 j = 0; j < w; j++)
      mem<u8>(vm, marks, j) =
          static_cast<u8>(mem<u8>(vm, marks, j) | (mem<u8>(vm, row.bits, j) ^ mem<u8>(vm, head.bits, j)));
  }
  return true;
}
#endif

// Write a cell for each byte of such rows, with its two positions, ascending.
BATT_DEVICE_NOINLINE void put_byte_cells(Vm& vm, Value rows, Addr at) {
  Scratch scratch(vm);
  Addr next = scratch.alloc<u32>(BYTES);  // by colour: the position of its next cell
  if (stopped(vm)) return;
  for (u32 c = 0; c < BYTES; c++) mem<u32>(vm, next, c) = 0;
  u32 h = length(rows);
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, rows, i);
    for (u32 j = 0; j < row.n; j++) mem<u32>(vm, next, mem<u8>(vm, row.bits, j))++;
  }
  for (u32 c = 0, start = 0; c < BYTES; c++) {
    u32 here = mem<u32>(vm, next, c);
    mem<u32>(vm, next, c) = start;
    start += here;
  }
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, rows, i);
    for (u32 j = 0; j < row.n; j++) {
      u8 colour = mem<u8>(vm, row.bits, j);
      u32 place = mem<u32>(vm, next, colour)++;
      mem<Value>(vm, at, place) = cell_of(colour, static_cast<i32>(i), static_cast<i32>(j));
    }
  }
}

// Whether a SET or TUPLE holds only values of one tag.
BATT_INLINE bool all_of_tag(const Vm& vm, Value v, u32 tag) {
  bool good = true;
  for (u32 k = lane(vm); k < v.n && good; k += lanes(vm)) good = mem<Value>(vm, v.bits, k).tag == tag;
  return all_lanes(vm, good);
}

// The number of colours that `colours_of` gives, with repeats. Raises what it raises.
BATT_DEVICE_NOINLINE u64 colour_total(Vm& vm, Value element) {
  if (!is_container(element)) {
    raise(vm, TYPE_ERROR);
    return 0;
  }
  u32 n = length(element);
  u64 total = 0;
  Value colour, rest;
  if (element.tag == SET && all_of_tag(vm, element, CELL)) {
    work(vm, n);
    return n;
  }
  for (u32 k = 0; k < n; k++) {
#ifndef __CUDACC__
    if (element.tag == TUPLE && mem<Value>(vm, element.bits, k).tag == PAIR) {
      total += 2;
      continue;
    }
#endif
    Value each = item(vm, element, k);
    if (is_tuple(element)) total += len(vm, each);
    else if (unpack(vm, each, colour, rest)) total++;
    if (stopped(vm)) return 0;
  }
  work(vm, total);
  return total;
}

// Write those colours; `colour_total` accepted the element.
BATT_DEVICE_NOINLINE void put_colours(Vm& vm, Value element, Addr at) {
  u32 n = length(element);
  u64 done = 0;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, element, k);
#ifndef __CUDACC__
    if (each.tag == PAIR && is_tuple(element)) {
      mem<Value>(vm, at, done++) = integer(pair_i(each));
      mem<Value>(vm, at, done++) = integer(pair_j(each));
      continue;
    }
#endif
    if (is_tuple(element)) {
      put_items(vm, each, at, done);
      done += length(each);
    } else {
      mem<Value>(vm, at, done++) = item(vm, each, 0);
    }
  }
}

template <class Sink> BATT_DEVICE_NOINLINE void grid_colours(Vm& vm, Value grid, Sink& sink) {
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return;
  sink.see_counts(vm, table, count_bytes(vm, grid, table));
}

template <class Key, class Sink> BATT_DEVICE_NOINLINE void key_colours(Vm& vm, Addr at, u32 n, Sink& sink) {
  i64 head = key_head(mem<Key>(vm, at, 0));
  u32 start = 0;
  if (head != key_head(mem<Key>(vm, at, n - 1))) {  // keys ascend by colour: otherwise it is one run
    for (u32 k = 1; k < n; k++) {
      i64 next = key_head(mem<Key>(vm, at, k));
      if (next == head) continue;
      sink.see(vm, integer(head), k - start);
      head = next;
      start = k;
    }
  }
  sink.see(vm, integer(head), n - start);
}

// Report the colours of rows of bytes, of which there is at least one.
template <class Sink> BATT_DEVICE_NOINLINE void row_colours(Vm& vm, Value rows, Sink& sink) {
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return;
  u32 limit = 0, h = length(rows);
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, rows, i);
    for (u32 k = 0; k < row.n; k++) count_byte(vm, table, limit, mem<u8>(vm, row.bits, k));
  }
  sink.see_counts(vm, table, limit);
}

#ifndef __CUDACC__
// Counts of ints that are near to each other: then nothing need be sorted.
struct NearInts {
  i64 least = 0;
  u64 size = 0;
  Addr times = 0;  // u32[size], from `least` on
  BATT_INLINE u32& count(const Vm& vm, i64 x) const { return mem<u32>(vm, times, static_cast<u64>(x - least)); }
  BATT_INLINE i64 number(u64 k) const { return least + static_cast<i64>(k); }

  // Call f with each int of a tuple of rows, or with the colour of each cell of a SET of CELL.
  template <class F> static void for_colours(const Vm& vm, Value element, F f) {
    u32 n = length(element);
    for (u32 k = 0; k < n; k++) {
      if (element.tag == SET) {
        f(cell_colour(mem<Value>(vm, element.bits, k)));
        continue;
      }
      Value row = element.tag == TUPLE ? mem<Value>(vm, element.bits, k) : item(vm, element, k);
      if (row.tag == PAIR) {
        f(pair_i(row));
        f(pair_j(row));
      } else if (row.tag == TUPLE)
        for (u32 j = 0; j < row.n; j++) f(int_of(mem<Value>(vm, row.bits, j)));
      else
        for (u32 j = 0, w = length(row); j < w; j++) f(int_of(item(vm, row, j)));
    }
  }

  // Find the least and the greatest colour; false if one is no int.
  static bool bounds(const Vm& vm, Value element, i64& least, i64& greatest, u64& total) {
    bool cells = element.tag == SET;
    for (u32 k = 0, n = length(element); k < n; k++) {
      Value row = cells || element.tag == TUPLE ? mem<Value>(vm, element.bits, k) : item(vm, element, k);
      if (row.tag == PAIR && !cells) {
        total += 2;
        least = smaller<i64>(least, smaller(pair_i(row), pair_j(row)));
        greatest = larger<i64>(greatest, larger(pair_i(row), pair_j(row)));
        continue;
      }
      if (row.tag == TUPLE && !cells) {  // the usual rows
        u32 no_ints = 0;
        for (u32 j = 0; j < row.n; j++) {
          Value v = mem<Value>(vm, row.bits, j);
          no_ints |= v.tag ^ INT;
          least = smaller(least, int_of(v));
          greatest = larger(greatest, int_of(v));
        }
        if (no_ints) return false;
        total += row.n;
        continue;
      }
      if (cells ? row.tag != CELL : !is_tuple(row) || row.tag == CELL || row.tag == GRID) return false;
      u32 w = cells ? 1 : length(row), others = 0;
      total += w;
      for (u32 j = 0; j < w; j++) {
        Value v = cells ? integer(cell_colour(row)) : row.tag == TUPLE ? mem<Value>(vm, row.bits, j) : item(vm, row, j);
        others |= v.tag ^ INT;
        least = smaller(least, int_of(v));
        greatest = larger(greatest, int_of(v));
      }
      if (others) return false;
    }
    return true;
  }

  // Count the colours; false, and nothing kept, if they are not all ints, or if they are too far apart.
  bool open(Scratch& scratch, Value element) {
    Vm& vm = scratch.vm;
    if ((!is_tuple(element) && element.tag != SET) || length(element) == 0) return false;
    i64 greatest = INT64_LEAST;
    u64 total = 0;
    least = INT64_MOST;
    if (!bounds(vm, element, least, greatest, total)) return false;
    size = static_cast<u64>(greatest) - static_cast<u64>(least) + 1;
    if (total == 0 || size == 0 || size > 2 * total + 2048) return false;
    times = scratch.alloc<u32>(size);
    if (stopped(vm)) return false;
    __builtin_memset(&mem<u32>(vm, times), 0, size * sizeof(u32));
    for_colours(vm, element, [&](i64 x) { count(vm, x)++; });
    return true;
  }
  BATT_INLINE bool fit32() const { return fits32(least) && fits32(number(size - 1)); }
};

// Report the colours of a grid of ints, or of a SET of cells, that are near; false, and nothing reported, if they are
// not.
template <class Sink> bool near_colours(Vm& vm, Value element, Sink& sink) {
  Scratch scratch(vm);
  NearInts near;
  if (!near.open(scratch, element)) return false;
  for (u64 k = 0; k < near.size && !stopped(vm); k++)
    if (u32 times = mem<u32>(vm, near.times, k)) sink.see(vm, integer(near.number(k)), times);
  return true;
}

// Report n ints as colours, ascending.
template <class Sink> void report_ints(Scratch& scratch, Addr ints, u64 n, u32 differing, Sink& sink) {
  Vm& vm = scratch.vm;
  Addr keys = scratch.alloc<u64>(n);
  if (stopped(vm)) return;
  u64 bias = value_bias(INT);
  for (u64 k = 0; k < n; k++) mem<u64>(vm, keys, k) = mem<Value>(vm, ints, k).bits ^ bias;
  radix_sort<u64>(vm, keys, n, differing, NumberBytes());
  for (u64 start = 0, k = 1; start < n && !stopped(vm); start = k++) {
    u64 key = mem<u64>(vm, keys, start);
    while (k < n && mem<u64>(vm, keys, k) == key) k++;
    sink.see(vm, integer(static_cast<i64>(key ^ bias)), k - start);
  }
}

// Write a cell for each value of a tuple of rows, with its two positions, ascending; false, and nothing kept, if the
// values are not all near ints of 32 bits.
inline bool put_near_cells(Vm& vm, Value rows, Addr at) {
  Scratch scratch(vm);
  NearInts near;
  if (!is_tuple(rows) || !near.open(scratch, rows) || !near.fit32()) return false;
  for (u64 k = 0, start = 0; k < near.size; k++) {
    u32& next = mem<u32>(vm, near.times, k);
    u32 here = next;
    next = static_cast<u32>(start);
    start += here;
  }
  for (u32 i = 0, h = length(rows); i < h; i++) {
    Value row = item(vm, rows, i);
    for (u32 j = 0, n = length(row); j < n; j++) {
      i64 x = int_of(row.tag == TUPLE ? mem<Value>(vm, row.bits, j) : item(vm, row, j));
      mem<Value>(vm, at, near.count(vm, x)++) = cell_of(static_cast<i32>(x), static_cast<i32>(i), static_cast<i32>(j));
    }
  }
  return true;
}

// A grid of ints as a packed grid of their ranks. There are at most 256 distinct ones, all near and of 32 bits.
struct RankedGrid {
  Value ranks;  // in scratch memory
  Addr ints;    // i32[256]: the int of each rank; 0 if that is the rank and the least int
  i64 least;
};

// What is known of the ints that were read: the bits of their tags that are not those of an int, and their range.
struct IntsRead {
  u32 others = 0;
  i64 least = INT64_MOST, greatest = INT64_LEAST;
};

// Write the lowest bytes of n ints that lie in memory.
BATT_INLINE IntsRead read_run(const Vm& vm, Addr from, u64 n, Addr low, IntsRead found) {
  for (u64 k = 0; k < n; k++) {
    Value v = mem<Value>(vm, from, k);
    found.others |= v.tag ^ INT;
    found.least = smaller(found.least, int_of(v));
    found.greatest = larger(found.greatest, int_of(v));
    mem<u8>(vm, low, k) = static_cast<u8>(v.bits);
  }
  return found;
}

// The same for all rows of a tuple, of which each has w values. `is_flat` is whether they are one array.
inline IntsRead read_rows(const Vm& vm, Value rows, u32 w, bool is_flat, Addr low) {
  IntsRead found;
  if (is_flat) return read_run(vm, mem<Value>(vm, rows.bits).bits, static_cast<u64>(rows.n) * w, low, found);
  for (u32 i = 0; i < rows.n && !found.others; i++, low += w) {
    Value row = mem<Value>(vm, rows.bits, i);
    if (row.tag == TUPLE) {
      found = read_run(vm, row.bits, w, low, found);
      continue;
    }
    for (u32 j = 0; j < w; j++) {
      Value v = item(vm, row, j);
      found.others |= v.tag ^ INT;
      found.least = smaller(found.least, int_of(v));
      found.greatest = larger(found.greatest, int_of(v));
      mem<u8>(vm, low, j) = static_cast<u8>(v.bits);
    }
  }
  return found;
}

// Rank a grid that cannot be packed but has sides of at most `most`; false if it is no such grid.
inline bool rank_grid(Scratch& scratch, Value v, u32 most, RankedGrid& made) {
  Vm& vm = scratch.vm;
  u32 h = v.tag == TUPLE ? v.n : 0;
  Value head = h ? mem<Value>(vm, v.bits, 0) : none();
  u32 w = is_tuple(head) ? length(head) : 0;
  if (w == 0 || h > most || w > most) return false;
  bool is_flat = true;
  for (u32 i = 0; i < h; i++) {
    Value row = mem<Value>(vm, v.bits, i);
    if ((row.tag == TUPLE ? row.n : is_tuple(row) ? length(row) : 0) != w) return false;
    is_flat &= row.tag == TUPLE && row.bits == head.bits + sizeof(Value) * i * static_cast<u64>(w);
  }
  Addr at = scratch.alloc<u8>(static_cast<u64>(h) * w);
  made.ranks = grid_at(at, h, w);
  if (stopped(vm)) return false;
  IntsRead found = read_rows(vm, v, w, is_flat, at);
  if (found.others || !fits32(found.least) || !fits32(found.greatest)) return false;
  made.least = found.least;
  made.ints = 0;
  if (found.greatest - found.least < static_cast<i64>(BYTES)) {
    u8 first = static_cast<u8>(found.least);
    for (u64 k = 0, n = static_cast<u64>(h) * w; k < n; k++)
      mem<u8>(vm, at, k) = static_cast<u8>(mem<u8>(vm, at, k) - first);
    return true;
  }
  NearInts near;
  if (!near.open(scratch, v)) return false;
  made.ints = scratch.alloc<i32>(BYTES);
  if (stopped(vm)) return false;
  u32 ranks = 0;
  for (u64 k = 0; k < near.size; k++) {
    u32& times = mem<u32>(vm, near.times, k);
    if (times == 0) continue;
    if (ranks == BYTES) return false;
    mem<i32>(vm, made.ints, ranks) = static_cast<i32>(near.number(k));
    times = ranks++;
  }
  for (u32 i = 0; i < h; i++) {
    Value row = mem<Value>(vm, v.bits, i);
    Addr to = at + static_cast<u64>(i) * w;
    for (u32 j = 0; j < w; j++) {
      i64 x = int_of(row.tag == TUPLE ? mem<Value>(vm, row.bits, j) : item(vm, row, j));
      mem<u8>(vm, to, j) = static_cast<u8>(near.count(vm, x));
    }
  }
  return true;
}

// Replace the ranks in n keys of new CELLS by the ints that they stand for. The order stays.
inline void unrank_cells(Vm& vm, Addr keys, u64 n, const RankedGrid& grid) {
  if (!grid.ints)
    for (u64 k = 0, more = static_cast<u64>(grid.least) << 32; k < n; k++) mem<u64>(vm, keys, k) += more;
  for (u64 k = 0; k < n && grid.ints; k++) {
    u64& key = mem<u64>(vm, keys, k);
    key = cell_key(mem<i32>(vm, grid.ints, static_cast<u64>(key_colour(key))), key_place(key));
  }
}
#endif

template <class Sink> BATT_DEVICE_NOINLINE void value_colours(Vm& vm, Value element, Sink& sink) {
  u64 n = colour_total(vm, element);
  if (stopped(vm)) return;
  if (n && holds_byte_rows(vm, element)) {
    row_colours(vm, element, sink);
    return;
  }
#ifndef __CUDACC__
  if (n && near_colours(vm, element, sink)) return;
  if (stopped(vm)) return;
#endif
  Scratch scratch(vm);
  Addr at = scratch.alloc<Value>(n);
  if (stopped(vm)) return;
  put_colours(vm, element, at);
#ifndef __CUDACC__
  u32 differing = 0;
  if (n >= RADIX_LEAST && common_tag(n, [&](u64 k) { return mem<Value>(vm, at, k); }, differing) == INT) {
    report_ints(scratch, at, n, differing, sink);
    return;
  }
#endif
  sort_in_order(vm, at, n);
  for (u64 start = 0, k = 1; start < n && !stopped(vm); start = k++) {
    Value colour = mem<Value>(vm, at, start);
    while (k < n && equal(vm, colour, mem<Value>(vm, at, k)) && !stopped(vm)) k++;
    if (!stopped(vm)) sink.see(vm, colour, k - start);
  }
}

// Call `sink.see(vm, colour, times)` for each colour, ascending, or `sink.see_counts(vm, table, limit)` once for a
// packed grid. Raises what `colours_of` raises. The sink may stop the machine and may allocate results; nothing else
// allocates meanwhile.
template <class Sink> BATT_INLINE void see_colours(Vm& vm, Value element, Sink& sink) {
  Value grid;
  if (element.tag == CELLS) key_colours<u64>(vm, element.bits, element.n, sink);
  else if (element.tag == PLACES) key_colours<u32>(vm, element.bits, element.n, sink);
  else if (as_grid(vm, element, grid)) grid_colours(vm, grid, sink);
  else if (!stopped(vm)) value_colours(vm, element, sink);
}

struct MostFrequent {
  u64 count = 0;
  Value colour = none();
  BATT_INLINE void see(Vm&, Value next, u64 times) {
    if (times > count) {
      count = times;
      colour = next;
    }
  }
  BATT_INLINE void see_counts(Vm& vm, Addr table, u32 limit) {
    u32 most = most_frequent_byte(vm, table, limit);
    see(vm, integer(most), mem<u32>(vm, table, most));
  }
};

// `mostcolor`: the most frequent colour, the lowest one of a tie; a ValueError if there is none.
BATT_INLINE Value background(Vm& vm, Value element) {
  MostFrequent found;
  see_colours(vm, element, found);
  return stopped(vm) ? none() : found.count ? found.colour : raise(vm, VALUE_ERROR);
}

}  // namespace batt
