// Pattern search: where an object occurs in a grid, and its period. ops/search.py.
#pragma once
#include "shapes.h"

namespace batt {

BATT_INLINE i64 cost_occurrences(Vm& vm, const Value* a) {
  return sum_of(1, product_of(items(vm, a[0]), 1 + items(vm, a[1])));
}

BATT_DEVICE_NOINLINE i64 period_cost(Vm& vm, Value obj, u32 axis) {
  i64 height, width;
  extent(vm, obj, height, width);
  return sum_of(1, product_of(items(vm, obj), sum_of(1, axis ? width : height)));
}
BATT_INLINE i64 cost_hperiod(Vm& vm, const Value* a) { return period_cost(vm, a[0], 1); }
BATT_INLINE i64 cost_vperiod(Vm& vm, const Value* a) { return period_cost(vm, a[0], 0); }

// The values of a grid, row after row: bytes of a packed grid, else Values in scratch memory.
struct Line {
  Addr at;
  u64 n;
  bool bytes;
};

BATT_DEVICE_NOINLINE Line line_of(Scratch& scratch, Value grid) {
  Vm& vm = scratch.vm;
  Value packed;
  if (as_grid(vm, grid, packed)) return Line{packed.bits, static_cast<u64>(grid_h(packed)) * grid_w(packed), true};
  Line line{0, 0, false};
  u32 h = length(grid);
  for (u32 i = 0; i < h && !stopped(vm); i++) line.n += len(vm, item(vm, grid, i));
  if (stopped(vm)) return line;
  line.at = scratch.alloc<Value>(line.n);
  u64 done = 0;
  for (u32 i = 0; i < h && !stopped(vm); i++) {
    Value row = item(vm, grid, i);
    put_items(vm, row, line.at, done);
    done += length(row);
  }
  return line;
}

// One bit for each position in the line, 64 in a word, the lowest bit first.
BATT_INLINE u64 words_for(u64 bits) { return (bits + 63) / 64; }

// Set the bits of positions that have the colour.
BATT_DEVICE_NOINLINE void mark_colour(Vm& vm, const Line& line, Value colour, Addr where) {
  bool possible = !line.bytes || is_byte(colour);
  u8 byte = static_cast<u8>(colour.bits);
  for (u64 start = 0, word = 0; start < line.n; start += 64, word++) {
    u64 bits = 0, end = possible ? smaller(line.n, start + 64) : start;
    for (u64 k = start; k < end; k++) {
      bool same = line.bytes ? mem<u8>(vm, line.at, k) == byte : equal(vm, mem<Value>(vm, line.at, k), colour);
      bits |= static_cast<u64>(same) << (k - start);
    }
    mem<u64>(vm, where, word) = bits;
    if (stopped(vm)) return;
  }
}

// Set the bits of possible starts: i * width + j for each i < rows, j < columns.
BATT_DEVICE_NOINLINE void mark_starts(Vm& vm, Addr found, u64 words, u64 rows, u64 columns, u64 width) {
  for (u64 k = 0; k < words; k++) mem<u64>(vm, found, k) = 0;
  for (u64 i = 0; i < rows; i++)
    for (u64 from = i * width, end = from + columns; from < end;) {
      u64 count = smaller(end - from, 64 - from % 64);
      mem<u64>(vm, found, from / 64) |= ~0ull >> (64 - count) << from % 64;
      from += count;
    }
}

// found &= where >> shift. Return whether a bit is left.
BATT_DEVICE_NOINLINE bool keep_matches(Vm& vm, Addr found, u64 words, Addr where, u64 where_words, u64 shift) {
  u64 skip = shift / 64, low = shift % 64, left_over = 0;
  for (u64 k = 0; k < words; k++) {
    u64 at = k + skip, bits = at < where_words ? mem<u64>(vm, where, at) >> low : 0;
    if (low && at + 1 < where_words) bits |= mem<u64>(vm, where, at + 1) << (64 - low);
    left_over |= mem<u64>(vm, found, k) &= bits;
  }
  return left_over != 0;
}

// Get colour, row and column of a cell.
BATT_INLINE void take_cell(Vm& vm, Value cell, Value& colour, i64& i, i64& j) {
  Value place = item(vm, cell, 1);
  colour = item(vm, cell, 0);
  i = int_of(item(vm, place, 0));
  j = int_of(item(vm, place, 1));
}

// Keep the starts from which every cell of the pattern, whose box begins at (top, left), finds its colour. Return
// whether there are any. All starts and cells lie within rows of `width`.
BATT_DEVICE_NOINLINE bool match_cells(Scratch& scratch, const Line& line, u64 width, Value pattern, const Box& box,
                                      Addr found, u64 words) {
  Vm& vm = scratch.vm;
  u64 where_words = words_for(line.n);
  Addr where = scratch.alloc<u64>(where_words);
  if (stopped(vm)) return false;
  Value marked = none();
  for (u32 k = 0, n = length(pattern); k < n; k++) {
    Value colour;
    i64 i, j;
    take_cell(vm, item(vm, pattern, k), colour, i, j);
    // Cells ascend by colour, so one bitmap at a time is enough.
    if (k == 0 || !equal(vm, colour, marked)) mark_colour(vm, line, colour, where);
    marked = colour;
    if (!work(vm, words / 8 + 1)) return false;
    u64 shift = static_cast<u64>(i - box.top) * width + static_cast<u64>(j - box.left);
    if (!keep_matches(vm, found, words, where, where_words, shift)) return false;
  }
  return !stopped(vm);
}

// Make the places of the bits that are set, row-major, at most n.
BATT_DEVICE_NOINLINE Value places_of_bits(Vm& vm, Addr found, u64 words, u64 n, u64 width, bool keyed) {
  Addr at = keyed ? alloc<u32>(vm, n) : alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  u64 made = 0;
  for (u64 word = 0; word < words; word++) {
    u64 place = word * 64;
    for (u64 bits = mem<u64>(vm, found, word); bits; bits >>= 1, place++) {
      if (!(bits & 1)) continue;
      u64 i = place / width, j = place % width;
      if (keyed) mem<u32>(vm, at, made++) = place_key(static_cast<i64>(i), static_cast<i64>(j));
      else mem<Value>(vm, at, made++) = pair_of(static_cast<i32>(i), static_cast<i32>(j));
    }
  }
  return keyed ? places_ascending(vm, at, made) : set_ascending(vm, at, made);
}

BATT_INLINE bool are_keyed(i64 rows, i64 columns) { return fits16(rows - 1) && fits16(columns - 1); }

// Make all places (i, j) with i < rows and j < columns.
BATT_DEVICE_NOINLINE Value all_places(Vm& vm, i64 rows, i64 columns) {
  bool keyed = are_keyed(rows, columns);
  u64 n = static_cast<u64>(rows) * static_cast<u64>(columns), made = 0;
  Addr at = keyed ? alloc<u32>(vm, n) : alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (i64 i = 0; i < rows; i++)
    for (i64 j = 0; j < columns; j++, made++) {
      if (keyed) mem<u32>(vm, at, made) = place_key(i, j);
      else mem<Value>(vm, at, made) = pair_of(static_cast<i32>(i), static_cast<i32>(j));
    }
  return keyed ? places_ascending(vm, at, made) : set_ascending(vm, at, made);
}

// The box from (0, 0) to the last row and column of a normalized pattern.
BATT_DEVICE_NOINLINE Box reach_of(Vm& vm, Value pattern) {
  Box box;
  if (packed_box(vm, pattern, box)) return box;
  box = Box{0, 0, 0, 0};
  for (u32 k = 0, n = length(pattern); k < n; k++) {
    Value colour;
    i64 i, j;
    take_cell(vm, item(vm, pattern, k), colour, i, j);
    box.bottom = larger(box.bottom, i);
    box.right = larger(box.right, j);
  }
  return box;
}

BATT_DEVICE_NOINLINE Value pattern_starts(Vm& vm, Value grid, u64 width, Value pattern, const Box& box, i64 rows,
                                          i64 columns) {
  Scratch scratch(vm);
  Line line = line_of(scratch, grid);
  if (stopped(vm)) return none();
  if (rows <= 0 || columns <= 0) return empty_set();
  u64 h = static_cast<u64>(rows), w = static_cast<u64>(columns), words = words_for((h - 1) * width + w);
  Addr found = scratch.alloc<u64>(words);
  if (stopped(vm)) return none();
  mark_starts(vm, found, words, h, w, width);
  if (!match_cells(scratch, line, width, pattern, box, found, words)) return stopped(vm) ? none() : empty_set();
  return places_of_bits(vm, found, words, h * w, width, are_keyed(rows, columns));
}

// Get height and width of a pattern as `shape_of` does; false if the machine stopped.
BATT_DEVICE_NOINLINE bool shape_of_pattern(Vm& vm, Value obj, i64& height, i64& width) {
  Box box;
  if (packed_box(vm, obj, box)) {
    height = box.bottom - box.top + 1;
    width = box.right - box.left + 1;
    return true;
  }
  Value h = height_of(vm, obj), w = stopped(vm) ? none() : width_of(vm, obj);
  height = int_of(h);
  width = int_of(w);
  return !stopped(vm);
}

BATT_OP Value op_occurrences(Vm& vm, const Value* a) {
  Value grid = a[0], obj = a[1];
  // Keys need not be normalized: their box says where they begin.
  Value pattern = obj.tag == PLACES || obj.tag == CELLS ? obj : normalized(vm, obj);
  if (stopped(vm)) return none();
  i64 height = len(vm, grid), pattern_height, pattern_width;
  Value head = at_index(vm, grid, 0);
  if (stopped(vm)) return none();
  i64 width = len(vm, head);
  if (stopped(vm) || !shape_of_pattern(vm, obj, pattern_height, pattern_width)) return none();
  i64 rows = height - pattern_height + 1, columns = width - pattern_width + 1;
  if (rows <= 0 || columns <= 0) return empty_set();
  if (length(pattern) == 0) return all_places(vm, rows, columns);
  bool cells = is_object(vm, pattern);
  if (stopped(vm) || !cells) return raise(vm, TYPE_ERROR);
  // A tuple of cells has the shape of a grid, so its cells may reach beyond that shape.
  Box box = reach_of(vm, pattern);
  rows = smaller(rows, height - (box.bottom - box.top));
  columns = smaller(columns, width - (box.right - box.left));
  return pattern_starts(vm, grid, static_cast<u64>(width), pattern, box, rows, columns);
}

// Whether every cell from line `from` on has a cell of its colour p lines before. Keys minus p ascend as the keys do.
BATT_DEVICE_NOINLINE bool keys_repeat(Vm& vm, Value obj, u32 axis, u32 from, u32 p) {
  u32 low = axis ? 0 : 16;
  u64 back = static_cast<u64>(p) << low;
  for (u32 k = 0, at = 0; k < obj.n; k++) {
    u64 key = mem<u64>(vm, obj.bits, k);
    if ((key >> low & 0xffffu) < from) continue;
    while (mem<u64>(vm, obj.bits, at) < key - back) at++;
    if (mem<u64>(vm, obj.bits, at) != key - back) return false;
  }
  return true;
}

BATT_DEVICE_NOINLINE Value packed_period(Vm& vm, Value obj, u32 axis) {
  i64 least = 0, greatest = 0;
  packed_span(vm, obj, axis, least, greatest);
  // Indices have no colour, but those of a single row or column are never read.
  if (obj.tag == PLACES) return greatest > least ? raise(vm, TYPE_ERROR) : integer(1);
  u32 first = static_cast<u32>(least + 0x8000), last = static_cast<u32>(greatest - least), p = 1;
  while (p <= last && !keys_repeat(vm, obj, axis, first + p, p)) p++;
  return integer(p);
}

// The same for a normalized SET of CELL.
BATT_DEVICE_NOINLINE bool cell_values_repeat(Vm& vm, Value pattern, u32 axis, i64 p) {
  for (u32 k = 0, at = 0; k < pattern.n; k++) {
    Value each = mem<Value>(vm, pattern.bits, k);
    i64 i = pair_i(each), j = pair_j(each);
    if ((axis ? j : i) < p) continue;
    Value before = cell_of(cell_colour(each), static_cast<i32>(axis ? i : i - p), static_cast<i32>(axis ? j - p : j));
    while (quick_order(vm, mem<Value>(vm, pattern.bits, at), before) < 0) at++;
    if (quick_order(vm, mem<Value>(vm, pattern.bits, at), before) != 0) return false;
  }
  return true;
}

// The same for a normalized set of cells (colour, (i, j)) whose ints or colours have no keys.
BATT_DEVICE_NOINLINE bool cells_repeat(Vm& vm, Value pattern, u32 axis, i64 p) {
  if (pattern.tag == SET && all_tagged(vm, pattern, CELL)) return cell_values_repeat(vm, pattern, axis, p);
  Addr mark = vm.region[vm.side].top;
  for (u32 k = 0, n = length(pattern); k < n; k++) {
    Value each = item(vm, pattern, k);
    if (int_of(item(vm, item(vm, each, 1), axis)) < p) continue;
    Value before = moved_item(vm, each, true, axis ? 0 : -p, axis ? -p : 0);
    bool found = !stopped(vm) && contains(vm, pattern, before);
    vm.region[vm.side].top = mark;
    if (stopped(vm) || !found) return false;
  }
  return true;
}

BATT_DEVICE_NOINLINE Value value_period(Vm& vm, Value pattern, u32 axis) {
  u32 n = length(pattern);
  bool cells = is_object(vm, pattern);
  Scratch scratch(vm);
  Addr lines = scratch.alloc<i64>(n);
  if (stopped(vm)) return none();
  bool tagged = all_tagged(vm, pattern, cells ? CELL : PAIR);
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, pattern, k), place = cells && !tagged ? item(vm, each, 1) : each;
    mem<i64>(vm, lines, k) = tagged ? (axis ? pair_j(each) : pair_i(each)) : int_of(item(vm, place, axis));
  }
  sort<i64>(vm, lines, n, NaturalOrder());
  if (stopped(vm)) return none();
  i64 last = mem<i64>(vm, lines, n - 1);
  if (!cells) return last > 0 ? raise(vm, TYPE_ERROR) : integer(1);
  // The last line is not empty, so the line p before it must exist.
  for (u32 k = n - 1; k-- > 0;) {
    if (mem<i64>(vm, lines, k) == mem<i64>(vm, lines, k + 1)) continue;
    i64 p = last - mem<i64>(vm, lines, k);
    bool found = cells_repeat(vm, pattern, axis, p);
    if (stopped(vm)) return none();
    if (found) return integer(p);
  }
  return integer(plus(vm, last, 1));
}

BATT_INLINE Value period_of(Vm& vm, Value obj, u32 axis) {
  if (obj.tag == PLACES || obj.tag == CELLS) return packed_period(vm, obj, axis);
  Value pattern = normalized(vm, obj);
  if (stopped(vm)) return none();
  if (length(pattern) == 0) return integer(0);
  if (pattern.tag == PLACES || pattern.tag == CELLS) return packed_period(vm, pattern, axis);
  return value_period(vm, pattern, axis);
}
BATT_OP Value op_hperiod(Vm& vm, const Value* a) { return period_of(vm, a[0], 1); }
BATT_OP Value op_vperiod(Vm& vm, const Value* a) { return period_of(vm, a[0], 0); }

}  // namespace batt
