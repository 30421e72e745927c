// Find objects in a grid: ops/objects.py.
#pragma once
#include "containers_sets.h"
#include "grids.h"
#include "objects_bits.h"
#include "objects_cells.h"
#include "objects_mixed.h"
#include "objects_runs.h"

namespace batt {

// Places of grids with sides up to this have keys.
constexpr u32 KEYED_SIDE = 0x8000;

#ifndef __CUDACC__
// View a tuple of rows of bytes that follow each other in memory as a packed grid, to read it; false if they do not.
inline bool view_rows(const Vm& vm, Value v, Value& grid) {
  if (v.tag != TUPLE || v.n == 0 || v.n > MAX_SIDE) return false;
  Value head = mem<Value>(vm, v.bits, 0);
  if (head.tag != ROW || head.n == 0 || head.n > MAX_SIDE) return false;
  bool good = true;
  for (u32 i = 1; i < v.n && good; i++) {
    Value row = mem<Value>(vm, v.bits, i);
    good = row.tag == ROW && row.n == head.n && row.bits == head.bits + static_cast<u64>(i) * head.n;
  }
  grid = grid_at(head.bits, v.n, head.n);
  return good;
}
#endif

// Convert v to a packed grid whose cells all have keys, to read it; false if there is none, or if the machine stopped.
BATT_INLINE bool as_keyed_grid(Vm& vm, Value v, Value& grid) {
#ifndef __CUDACC__
  if (view_rows(vm, v, grid)) return grid_h(grid) <= KEYED_SIDE && grid_w(grid) <= KEYED_SIDE;
#endif
  return as_grid(vm, v, grid) && grid_h(grid) <= KEYED_SIDE && grid_w(grid) <= KEYED_SIDE;
}

BATT_INLINE Classes<u8> byte_classes(Value grid) { return Classes<u8>{grid.bits, grid_h(grid), grid_w(grid), BYTES}; }

// Make the set of n ascending sets that lie in scratch memory.
BATT_INLINE Value set_of_sets_from(Vm& vm, Addr from, u32 n) {
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) mem<Value>(vm, at, k) = mem<Value>(vm, from, k);
  return set_of_sets(at, n);
}

// Make the set of n ascending values that lie in scratch memory.
BATT_INLINE Value set_ascending_from(Vm& vm, Addr from, u32 n) {
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) mem<Value>(vm, at, k) = mem<Value>(vm, from, k);
  return set_ascending(vm, at, n);
}

// Make (v, (i, j)) for any v.
BATT_INLINE Value cell_with(Vm& vm, Value v, u32 i, u32 j) {
  if (is_int(v) && fits32(int_of(v)) && fits32(i) && fits32(j))
    return cell_of(static_cast<i32>(int_of(v)), static_cast<i32>(i), static_cast<i32>(j));
  Value place = int_pair(vm, i, j);
  return stopped(vm) ? none() : tuple_of(vm, v, place);
}

struct KeyOfCell {
  BATT_INLINE u64 operator()(Vm&, const Run& run, u32 k) const {
    return cell_key(static_cast<i32>(run.c), run.spot + k);
  }
};

#ifndef __CUDACC__
// The same for ranks of ints that follow each other: `more` is what the key of an int exceeds that of its rank by.
struct KeyOfRank {
  u64 more;
  BATT_INLINE u64 operator()(Vm& vm, const Run& run, u32 k) const { return KeyOfCell()(vm, run, k) + more; }
};
#endif

#ifndef __CUDACC__
// Count the colours of a packed grid: its classes end with the greatest one. Return the most frequent one, the least
// one of a tie.
inline u32 count_classes(Scratch& scratch, Value grid, Classes<u8>& classes, Addr& times) {
  Vm& vm = scratch.vm;
  times = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return 0;
  classes = byte_classes(grid);
  classes.limit = count_bytes(vm, grid, times);
  u32 most = 0;
  for (u32 c = 1; c < classes.limit; c++)
    if (mem<u32>(vm, times, c) > mem<u32>(vm, times, most)) most = c;
  return most;
}

// Find objects of any colours in a packed grid.
inline Value mixed_objects(Scratch& scratch, const Classes<u8>& grid, Addr times, u32 ignored, bool diagonal,
                           u64 more) {
  Vm& vm = scratch.vm;
  Runs runs;
  Components found;
  if (!find_drawn_components(scratch, grid, ignored, diagonal, runs, found)) return none();
  Addr keys = alloc<u64>(vm, found.cells + 1), sets = alloc<Value>(vm, found.objects);
  if (stopped(vm)) return none();
  gather_mixed(scratch, grid, runs, ignored, found, times, KeyCodes{more}, keys, sets);
  return stopped(vm) ? none() : set_of_sets(sets, found.objects);
}

// Whether the objects of a packed grid are found cell by cell: it is large, and they are of any colours or its runs are
// short.
inline bool is_of_cells(Vm& vm, Value grid, bool univalued) {
  if (HAS_WIDE_BYTES && grid_h(grid) <= BIT_SIDE && grid_w(grid) <= BIT_SIDE) return false;
  return !univalued || has_short_runs(vm, byte_classes(grid));
}

// Find the objects of such a grid. `more` is added to all keys.
inline Value objects_of_cells(Vm& vm, Value grid, bool univalued, bool diagonal, bool without_background, u64 more) {
  Scratch scratch(vm);
  Classes<u8> classes;
  Addr times;
  u32 background = count_classes(scratch, grid, classes, times), ignored = without_background ? background : ~0u;
  if (stopped(vm)) return none();
  Addr sets;
  if (univalued) {
    u32 objects = cell_components<u64>(scratch, classes, ignored, diagonal, KeyOfRank{more}, CELLS, sets);
    return stopped(vm) ? none() : set_of_sets(sets, objects);
  }
  if (without_background) return mixed_objects(scratch, classes, times, ignored, diagonal, more);
  // All cells are one object.
  sets = alloc<Value>(vm, 1);
  Value cells = stopped(vm) ? none() : all_cells(vm, grid);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < cells.n && more; k++) mem<u64>(vm, cells.bits, k) += more;
  mem<Value>(vm, sets, 0) = cells;
  return set_of_sets(sets, 1);
}
#endif

BATT_DEVICE_NOINLINE Value packed_objects(Vm& vm, Value grid, bool univalued, bool diagonal, bool without_background) {
  if (HAS_WIDE_BYTES && grid_h(grid) <= BIT_SIDE && grid_w(grid) <= BIT_SIDE)
    return bit_objects(vm, grid, univalued, diagonal, without_background);
#ifndef __CUDACC__
  if (is_of_cells(vm, grid, univalued)) return objects_of_cells(vm, grid, univalued, diagonal, without_background, 0);
#endif
  Scratch scratch(vm);
  Runs runs;
  if (!find_runs(scratch, byte_classes(grid), runs)) return none();
  u32 ignored = without_background ? most_frequent(vm, runs) : runs.classes;
  Components found;
  if (!find_components(scratch, runs, ignored, univalued, diagonal, found)) return none();
  Addr keys = alloc<u64>(vm, found.cells), sets = alloc<Value>(vm, found.objects);
  if (stopped(vm)) return none();
  gather_components<u64>(scratch, runs, ignored, found, KeyOfCell(), keys, CELLS, sets);
  return set_of_sets(sets, found.objects);
}

// Classify the first w bytes of each row; `values` has the value of each class. `ignored_class` is the class of
// `ignored` if that is a byte.
BATT_DEVICE_NOINLINE Classes<u32> byte_row_classes(Scratch& scratch, Value grid, u32 w, Value ignored,
                                                   u32& ignored_class, Addr& values) {
  Vm& vm = scratch.vm;
  u32 h = length(grid);
  Classes<u32> made{scratch.alloc<u32>(static_cast<u64>(h) * w), h, w, BYTES};
  values = scratch.alloc<Value>(BYTES);
  ignored_class = is_byte(ignored) ? static_cast<u32>(ignored.bits) : ~0u;
  if (stopped(vm)) return made;
  for_all(vm, BYTES, [&](u64 c) { mem<Value>(vm, values, c) = integer(static_cast<i64>(c)); });
#ifndef __CUDACC__
  made.limit = 0;
#endif
  for (u32 i = 0; i < h; i++) {
    Addr from = item(vm, grid, i).bits, to = made.at + sizeof(u32) * i * static_cast<u64>(w);
    for_all(vm, w, [&](u64 j) { mem<u32>(vm, to, j) = mem<u8>(vm, from, j); });
#ifndef __CUDACC__
    for (u32 j = 0; j < w; j++) made.limit = larger(made.limit, mem<u8>(vm, from, j) + 1u);
#endif
  }
  return made;
}

// The distinct ints among few, found by a hash table and numbered in the order in which they come.
struct FewInts {
  static constexpr u32 MOST = 256, SLOTS = 1024;
  Addr numbers, ints;  // u16[SLOTS]: a number and 1, or 0; i64[MOST]
  u32 count = 0;

  BATT_INLINE explicit FewInts(Scratch& scratch) : numbers(scratch.alloc<u16>(SLOTS)), ints(scratch.alloc<i64>(MOST)) {
    if (stopped(scratch.vm)) return;
    for (u32 k = 0; k < SLOTS; k++) mem<u16>(scratch.vm, numbers, k) = 0;
  }
  // The number of an int, or MOST if there are too many.
  BATT_INLINE u32 number_of(Vm& vm, i64 x) {
    u32 slot = static_cast<u32>(static_cast<u64>(x) * 0x9e3779b97f4a7c15ull >> 54);
    for (; u32 found = mem<u16>(vm, numbers, slot); slot = (slot + 1) % SLOTS)
      if (mem<i64>(vm, ints, found - 1) == x) return found - 1;
    if (count == MOST) return MOST;
    mem<i64>(vm, ints, count++) = x;
    mem<u16>(vm, numbers, slot) = static_cast<u16>(count);
    return count - 1;
  }
};

// Classify the first w values of each row if they are ints, few of them distinct; false, and nothing kept, otherwise.
BATT_DEVICE_NOINLINE bool rank_few_ints(Scratch& scratch, Value grid, Value ignored, Classes<u32>& made,
                                        u32& ignored_class, Addr values) {
  Vm& vm = scratch.vm;
  FewInts few(scratch);
  if (stopped(vm)) return false;
  for (u32 i = 0; i < made.h; i++) {
    Value row = item(vm, grid, i);
    Addr to = made.at + sizeof(u32) * i * static_cast<u64>(made.w);
    for (u32 j = 0; j < made.w; j++) {
      Value v = row.tag == TUPLE ? mem<Value>(vm, row.bits, j) : item(vm, row, j);
      u32 number = is_int(v) ? few.number_of(vm, int_of(v)) : FewInts::MOST;
      if (number == FewInts::MOST) return false;
      mem<u32>(vm, to, j) = number;
    }
  }
  // From numbers to ranks.
  Addr sorted = scratch.alloc<i64>(few.count), rank = scratch.alloc<u32>(few.count);
  if (stopped(vm)) return false;
  for (u32 k = 0; k < few.count; k++) mem<i64>(vm, sorted, k) = mem<i64>(vm, few.ints, k);
  sort<i64>(vm, sorted, few.count, NaturalOrder());
  made.limit = few.count;
  ignored_class = ~0u;
  for (u32 c = 0; c < few.count; c++) {
    i64 x = mem<i64>(vm, sorted, c);
    mem<Value>(vm, values, c) = integer(x);
    mem<u32>(vm, rank, few.number_of(vm, x)) = c;
    if (is_int(ignored) && int_of(ignored) == x) ignored_class = c;
  }
  for_all(vm, static_cast<u64>(made.h) * made.w,
          [&](u64 k) { mem<u32>(vm, made.at, k) = mem<u32>(vm, rank, mem<u32>(vm, made.at, k)); });
  return true;
}

// Classify the first w values of each row; `values` has the value of each class. `ignored_class` becomes the class of
// values equal to `ignored`.
BATT_DEVICE_NOINLINE Classes<u32> rank_values(Scratch& scratch, Value grid, u32 w, Value ignored, u32& ignored_class,
                                              Addr& values) {
  Vm& vm = scratch.vm;
  if (holds_byte_rows(vm, grid)) return byte_row_classes(scratch, grid, w, ignored, ignored_class, values);
  u32 h = length(grid);
  u64 n = static_cast<u64>(h) * w;
  Classes<u32> made{scratch.alloc<u32>(n), h, w, 0};
  values = scratch.alloc<Value>(n);
  if (stopped(vm) || rank_few_ints(scratch, grid, ignored, made, ignored_class, values)) return made;
  Addr order = scratch.alloc<Prefixed>(n);
  if (stopped(vm)) return made;
  auto value_at = [&](u64 k) { return item(vm, item(vm, grid, static_cast<u32>(k / w)), static_cast<u32>(k % w)); };
  order_values(vm, order, n, value_at);
  ignored_class = ~0u;
  for (u64 k = 0; k < n && !stopped(vm); k++) {
    u64 at = mem<Prefixed>(vm, order, k).at;
    Value v = value_at(at);
    if (k == 0 || !equal(vm, v, mem<Value>(vm, values, made.limit - 1))) {
      if (equal(vm, v, ignored)) ignored_class = made.limit;
      mem<Value>(vm, values, made.limit++) = v;
    }
    mem<u32>(vm, made.at, at) = made.limit - 1;
  }
  return made;
}

struct CellOfSpot {
  Addr values;
  BATT_INLINE Value operator()(Vm& vm, const Run& run, u32 k) const {
    return cell_with(vm, mem<Value>(vm, values, run.c), run.spot, run.from + k);
  }
};

#ifndef __CUDACC__
// Find objects of any values. False if there are too many classes; `objects` is then not set.
inline bool mixed_value_objects(Scratch& scratch, const Classes<u32>& grid, u32 ignored, bool diagonal, Addr values,
                                Addr& sets, u32& objects) {
  Vm& vm = scratch.vm;
  RankCodes code_of{1};
  while (grid.w >> code_of.bits) code_of.bits++;
  if (grid.limit >> (64 - RankCodes::CLASS_SHIFT) ||
      static_cast<u64>(grid.h) >> (RankCodes::CLASS_SHIFT - code_of.bits))
    return false;
  Runs runs;
  Components found;
  if (!find_drawn_components(scratch, grid, ignored, diagonal, runs, found)) return true;
  objects = found.objects;
  Addr codes = scratch.alloc<u64>(found.cells + 1), cells = alloc<Value>(vm, found.cells);
  sets = alloc<Value>(vm, objects);
  if (stopped(vm)) return true;
  gather_mixed(scratch, grid, runs, ignored, found, 0, code_of, codes, sets);
  CellOfSpot make{values};
  u64 columns = (1ull << code_of.bits) - 1, rows = (1ull << (RankCodes::CLASS_SHIFT - code_of.bits)) - 1;
  for (u32 k = 0; k < found.cells && !stopped(vm); k++) {
    u64 code = mem<u64>(vm, codes, k);
    u32 i = static_cast<u32>(code >> code_of.bits & rows), j = static_cast<u32>(code & columns);
    Value cell = make(vm, Run{i, j, j + 1, static_cast<u32>(code >> RankCodes::CLASS_SHIFT)}, 0);
    mem<Value>(vm, cells, k) = cell;
  }
  for (u32 k = 0; k < objects && !stopped(vm); k++) {
    Value& set = mem<Value>(vm, sets, k);
    set = Value{SET, set.n, cells + (set.bits - codes) / sizeof(u64) * sizeof(Value)};
  }
  return true;
}
#endif

// Find the objects of classes; false if the machine stopped.
BATT_DEVICE_NOINLINE bool objects_of_classes(Scratch& scratch, const Classes<u32>& classes, u32 ignored, bool univalued,
                                             bool diagonal, Addr values, Addr& sets, u32& objects) {
  Vm& vm = scratch.vm;
#ifndef __CUDACC__
  if (univalued && has_short_runs(vm, classes)) {
    objects = cell_components<Value>(scratch, classes, ignored, diagonal, CellOfSpot{values}, SET, sets);
    return !stopped(vm);
  }
  if (!univalued && mixed_value_objects(scratch, classes, ignored, diagonal, values, sets, objects))
    return !stopped(vm);
#endif
  Runs runs;
  Components found;
  if (!find_runs(scratch, classes, runs) || !find_components(scratch, runs, ignored, univalued, diagonal, found))
    return false;
  objects = found.objects;
  Addr cells = alloc<Value>(vm, found.cells);
  sets = alloc<Value>(vm, objects);
  if (stopped(vm)) return false;
  gather_components<Value>(scratch, runs, ignored, found, CellOfSpot{values}, cells, SET, sets);
  return !stopped(vm);
}

BATT_DEVICE_NOINLINE Value value_objects(Vm& vm, Value grid, u32 w, Value ignored, bool univalued, bool diagonal) {
  Scratch scratch(vm);
  Addr values, sets;
  u32 ignored_class, objects = 0;
  Classes<u32> classes = rank_values(scratch, grid, w, ignored, ignored_class, values);
  if (stopped(vm) || !objects_of_classes(scratch, classes, ignored_class, univalued, diagonal, values, sets, objects))
    return none();
  // Keys overwrite the cells that they stand for.
  for (u32 k = 0; k < objects; k++)
    if (pack_keys(vm, mem<Value>(vm, sets, k).bits, mem<Value>(vm, sets, k).n)) mem<Value>(vm, sets, k).tag = CELLS;
  return set_of_sets(sets, objects);
}

#ifndef __CUDACC__
// Find the sets of cells of a grid of wide ints as `find` does for the packed grid of their ranks; false if it cannot
// be ranked. `find_more(ranks, more)` adds `more` to all keys, and says whether it is for these ranks.
template <class Find, class FindMore>
bool found_by_ranks(Vm& vm, Value v, Find find, FindMore find_more, Value& sets) {
  Scratch scratch(vm);
  RankedGrid ranked;
  if (!rank_grid(scratch, v, KEYED_SIDE, ranked)) return false;
  if (!ranked.ints && find_more(ranked.ranks, static_cast<u64>(ranked.least) << 32, sets)) return true;
  sets = find(ranked.ranks);
  if (stopped(vm) || sets.n == 0) return true;
  // The keys of all sets are one array.
  Addr keys = mem<Value>(vm, sets.bits).bits;
  u64 n = 0;
  for (u32 k = 0; k < sets.n; k++) {
    Value set = mem<Value>(vm, sets.bits, k);
    keys = smaller(keys, set.bits);
    n += set.n;
  }
  unrank_cells(vm, keys, n, ranked);
  return true;
}
#endif

BATT_OP Value op_objects(Vm& vm, const Value* a) {
  bool univalued = truth(a[1]), diagonal = truth(a[2]), without_background = truth(a[3]);
  Value grid, ignored = none();  // None is no colour, and cells of it belong to no object
  if (as_keyed_grid(vm, a[0], grid)) return packed_objects(vm, grid, univalued, diagonal, without_background);
  if (stopped(vm)) return none();
#ifndef __CUDACC__
  auto find = [&](Value ranks) { return packed_objects(vm, ranks, univalued, diagonal, without_background); };
  auto find_more = [&](Value ranks, u64 more, Value& sets) {
    if (!is_of_cells(vm, ranks, univalued)) return false;
    sets = objects_of_cells(vm, ranks, univalued, diagonal, without_background, more);
    return true;
  };
  if (found_by_ranks(vm, a[0], find, find_more, grid) || stopped(vm)) return stopped(vm) ? none() : grid;
#endif
  if (without_background) ignored = background(vm, a[0]);
  if (stopped(vm)) return none();
  Value head = at_index(vm, a[0], 0);
  if (stopped(vm)) return none();
  u32 w = len(vm, head), h = length(a[0]);
  if (stopped(vm)) return none();
  if (w == 0) return empty_set();
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, a[0], i);
    if (!is_tuple(row)) return raise(vm, TYPE_ERROR);
    if (length(row) < w) return raise(vm, INDEX_ERROR);
  }
  return value_objects(vm, a[0], w, ignored, univalued, diagonal);
}

// Make one set of cells for each colour of a packed grid.
BATT_DEVICE_NOINLINE Value packed_partition(Vm& vm, Value grid, bool without_background) {
  if (has_quick_places(grid)) return partition_by_colours(vm, grid, without_background);
  Scratch scratch(vm);
  Runs runs;
  if (!find_runs(scratch, byte_classes(grid), runs)) return none();
  u32 ignored = without_background ? most_frequent(vm, runs) : runs.classes;
  u32 kept = 0, objects = 0;
  for (u32 c = 0; c < runs.classes; c++)
    if (u32 here = c == ignored ? 0 : mem<u32>(vm, runs.cells, c)) {
      kept += here;
      objects++;
    }
  Addr sets = alloc<Value>(vm, objects), keys = alloc<u64>(vm, kept),
       next = runs.numbers;  // the position of the next cell of a class
  if (stopped(vm)) return none();
  u32 seen = 0, given = 0;
  for (u32 c = 0; c < runs.classes; c++) {
    u32 here = c == ignored ? 0 : mem<u32>(vm, runs.cells, c);
    mem<u32>(vm, next, c) = given;
    if (here) mem<Value>(vm, sets, seen++) = Value{CELLS, here, keys + given * sizeof(u64)};
    given += here;
  }
  for (u32 k = 0; k < runs.count; k++) {
    Run run = mem<Run>(vm, runs.at, k);
    if (run.c == ignored) continue;
    u64 key = cell_key(static_cast<i32>(run.c), run.spot);
    u32 at = mem<u32>(vm, next, run.c), end = mem<u32>(vm, next, run.c) = at + run.to - run.from;
    while (at < end) mem<u64>(vm, keys, at++) = key++;
  }
  return set_of_sets(sets, objects);
}

// Write a cell for each value of a container's items, with its two positions, ascending. Return how many.
BATT_DEVICE_NOINLINE u64 all_cells(Scratch& scratch, Value rows, Addr& at) {
  Vm& vm = scratch.vm;
  u64 n = 0, done = 0;
  for (u32 i = 0; i < length(rows); i++) n += length(item(vm, rows, i));
  at = scratch.alloc<Value>(n);
  if (!stopped(vm) && holds_byte_rows(vm, rows)) {
    put_byte_cells(vm, rows, at);
    return n;
  }
#ifndef __CUDACC__
  if (!stopped(vm) && put_near_cells(vm, rows, at)) return n;
#endif
  for (u32 i = 0; i < length(rows) && !stopped(vm); i++) {
    Value row = item(vm, rows, i);
    for (u32 j = 0; j < length(row) && !stopped(vm); j++) {
      Value each = cell_with(vm, item(vm, row, j), i, j);
      if (!stopped(vm)) mem<Value>(vm, at, done++) = each;
    }
  }
  if (!stopped(vm)) sort_in_order(vm, at, n);
  return n;
}

// Make the set of the cells `start` … `end`, which have one value. In a set only the first components are colours:
// other values have no object. `found` is whether there is one.
BATT_INLINE Value colour_object(Vm& vm, Value element, Addr from, u64 start, u64 end, bool& found) {
  found = is_tuple(element);
  for (u64 k = start; k < end && !found; k++) found = int_of(item(vm, item(vm, mem<Value>(vm, from, k), 1), 1)) == 0;
  return found ? set_ascending_from(vm, from + start * sizeof(Value), static_cast<u32>(end - start)) : none();
}

BATT_DEVICE_NOINLINE Value value_partition(Vm& vm, Value element, bool without_background) {
  colour_total(vm, element);  // for its errors
  if (stopped(vm)) return none();
  Value ignored = without_background ? background(vm, element) : none();
  if (stopped(vm)) return none();
  Scratch scratch(vm);
  Addr at;
  u64 n = all_cells(scratch, element, at);
  if (stopped(vm)) return none();
  Addr sets = scratch.alloc<Value>(n);
  u32 made = 0;
  auto colour_at = [&](u64 k) {
    Value cell = mem<Value>(vm, at, k);
    return cell.tag == CELL ? integer(cell_colour(cell)) : item(vm, cell, 0);
  };
  for (u64 start = 0, k = 1; start < n && !stopped(vm); start = k++) {
    Value colour = colour_at(start);
    if (is_int(colour))  // the usual colours, which fit a CELL
      while (k < n && mem<Value>(vm, at, k).tag == CELL && cell_colour(mem<Value>(vm, at, k)) == int_of(colour)) k++;
    while (k < n && equal(vm, colour, colour_at(k)) && !stopped(vm)) k++;
    if (stopped(vm) || (without_background && equal(vm, colour, ignored))) continue;
    bool found;
    Value each = colour_object(vm, element, at, start, k, found);
    if (found && !stopped(vm)) mem<Value>(vm, sets, made++) = each;
  }
  return stopped(vm) ? none() : set_of_sets_from(vm, sets, made);
}

BATT_INLINE Value partition_of(Vm& vm, Value element, bool without_background) {
  Value grid;
  if (as_keyed_grid(vm, element, grid)) return packed_partition(vm, grid, without_background);
#ifndef __CUDACC__
  auto find = [&](Value ranks) { return packed_partition(vm, ranks, without_background); };
  auto find_more = [](Value, u64, Value&) { return false; };
  if (!stopped(vm) && found_by_ranks(vm, element, find, find_more, grid)) return stopped(vm) ? none() : grid;
#endif
  return stopped(vm) ? none() : value_partition(vm, element, without_background);
}
BATT_OP Value op_partition(Vm& vm, const Value* a) { return partition_of(vm, a[0], false); }
BATT_OP Value op_fgpartition(Vm& vm, const Value* a) { return partition_of(vm, a[0], true); }

// Whether n bytes, `step` apart, are all equal.
BATT_INLINE bool uniform_bytes(Vm& vm, Addr at, u32 n, u32 step) {
  u8 head = mem<u8>(vm, at, 0);
  for (u32 k = 1; k < n; k++)
    if (mem<u8>(vm, at, static_cast<u64>(k) * step) != head) return false;
  return true;
}

// Write the numbers of a packed grid's rows of one colour, then of its columns. Return how many lines there are; `rows`
// of them are rows.
BATT_DEVICE_NOINLINE u32 find_lines(Vm& vm, Value grid, Addr numbers, u32& rows) {
  u32 h = grid_h(grid), w = grid_w(grid), lines = 0;
  u64 n = static_cast<u64>(h) * w, differ = 0;  // bit j is set if column j changes
  bool narrow = w < 64;
  for (u32 i = 0; i < h; i++) {
    u64 at = static_cast<u64>(i) * w;
    bool plain = narrow ? !difference_bits(vm, grid.bits, grid.bits + 1, n - 1, at, w - 1)
                        : uniform_bytes(vm, grid.bits + at, w, 1);
    mem<u32>(vm, numbers, lines) = i;
    lines += plain;
    if (narrow && i + 1 < h) differ |= difference_bits(vm, grid.bits, grid.bits + w, n - w, at, w);
  }
  rows = lines;
  for (u32 j = 0; j < w; j++) {
    bool plain = narrow ? (differ >> j & 1) == 0 : uniform_bytes(vm, grid.bits + j, h, w);
    mem<u32>(vm, numbers, lines) = j;
    lines += plain;
  }
  return lines;
}

// Write the keys of a packed grid's row (across) or column; return its colour.
BATT_INLINE u8 put_line(Vm& vm, Value grid, bool across, u32 number, u32 n, Addr to) {
  u8 colour = mem<u8>(vm, grid.bits, across ? static_cast<u64>(number) * grid_w(grid) : number);
  u64 key = cell_key(colour, across ? place_key(number, 0) : place_key(0, number));
  u32 step = across ? 1 : 1u << 16;
  for (u32 k = 0; k < n; k++, key += step) mem<u64>(vm, to, k) = key;
  return colour;
}

// Sort n values that are CELLS of one byte each by that colour; the sort is stable.
BATT_DEVICE_NOINLINE void sort_by_colour(Scratch& scratch, Addr sets, u32 n) {
  Vm& vm = scratch.vm;
  Addr next = scratch.alloc<u32>(BYTES), from = scratch.alloc<Value>(n);
  if (stopped(vm)) return;
  auto colour_of = [&](const Value& set) { return static_cast<u32>(key_colour(mem<u64>(vm, set.bits, 0))); };
  for (u32 c = 0; c < BYTES; c++) mem<u32>(vm, next, c) = 0;
  for (u32 k = 0; k < n; k++) {
    Value set = mem<Value>(vm, sets, k);
    mem<Value>(vm, from, k) = set;
    mem<u32>(vm, next, colour_of(set))++;
  }
  for (u32 c = 0, start = 0; c < BYTES; c++) {
    u32 here = mem<u32>(vm, next, c);
    mem<u32>(vm, next, c) = start;
    start += here;
  }
  for (u32 k = 0; k < n; k++) {
    Value set = mem<Value>(vm, from, k);
    u32 place = mem<u32>(vm, next, colour_of(set))++;
    mem<Value>(vm, sets, place) = set;
  }
}

BATT_DEVICE_NOINLINE Value packed_frontiers(Vm& vm, Value grid) {
  Scratch scratch(vm);
  u32 h = grid_h(grid), w = grid_w(grid);
  Addr numbers = scratch.alloc<u32>(static_cast<u64>(h) + w + 1);
  if (stopped(vm)) return none();
  u32 rows, lines = find_lines(vm, grid, numbers, rows), columns = lines - rows;
  Addr to = alloc<u64>(vm, static_cast<u64>(rows) * w + static_cast<u64>(columns) * h), sets = alloc<Value>(vm, lines);
  if (stopped(vm)) return none();
  // Canonical order within one colour: row 0, all columns, the other rows.
  u32 head = rows && mem<u32>(vm, numbers, 0) == 0 ? 1 : 0;
  bool ascending = h > 1 && w > 1;
  u8 before = 0;
  for (u32 k = 0; k < lines; k++) {
    u32 line = k < head ? k : k < head + columns ? k - head + rows : k - columns, n = line < rows ? w : h;
    u8 colour = put_line(vm, grid, line < rows, mem<u32>(vm, numbers, line), n, to);
    mem<Value>(vm, sets, k) = Value{CELLS, n, to};
    to += n * sizeof(u64);
    ascending &= colour >= before;
    before = colour;
  }
  if (h > 1 && w > 1 && !ascending) sort_by_colour(scratch, sets, lines);
  return h > 1 && w > 1 ? set_of_sets(sets, lines) : set_at(vm, sets, lines);
}

#ifndef __CUDACC__
// The same for a packed grid whose places have no keys. Lines whose cells have keys are packed.
inline Value packed_frontiers_of_values(Vm& vm, Value grid) {
  Scratch scratch(vm);
  u32 h = grid_h(grid), w = grid_w(grid);
  Addr numbers = scratch.alloc<u32>(static_cast<u64>(h) + w + 1);
  if (stopped(vm)) return none();
  u32 rows, lines = find_lines(vm, grid, numbers, rows), made = 0;
  u64 cells = static_cast<u64>(rows) * w + static_cast<u64>(lines - rows) * h;
  Addr to = alloc<Value>(vm, cells), sets = alloc<Value>(vm, lines);
  if (stopped(vm)) return none();
  // By colour; within one colour row 0 comes first, then all columns, then the other rows.
  u32 head = rows && mem<u32>(vm, numbers, 0) == 0 ? 1 : 0;
  auto colour_of = [&](u32 k) {
    u64 number = mem<u32>(vm, numbers, k);
    return static_cast<u32>(mem<u8>(vm, grid.bits, k < rows ? number * w : number));
  };
  Bytes used{{0, 0, 0, 0}};
  for (u32 k = 0; k < lines; k++) used.add(static_cast<u8>(colour_of(k)));
  for (u32 c = 0; c < BYTES; c++) {
    if (!used.has(static_cast<u8>(c))) continue;
    for (u32 q = 0; q < lines; q++) {
      u32 k = q < head ? q : q < head + lines - rows ? q - head + rows : q - (lines - rows);
      if (colour_of(k) != c) continue;
      u32 n = k < rows ? w : h, number = mem<u32>(vm, numbers, k);
      for (u32 p = 0; p < n; p++)
        mem<Value>(vm, to, p) = cell_of(static_cast<i32>(c), static_cast<i32>(k < rows ? number : p),
                                        static_cast<i32>(k < rows ? p : number));
      mem<Value>(vm, sets, made++) = Value{pack_keys(vm, to, n) ? CELLS : SET, n, to};
      to += n * sizeof(Value);
    }
  }
  return h > 1 && w > 1 ? set_of_sets(sets, lines) : set_at(vm, sets, lines);
}
#endif

// Whether a row has values and all are equal; raises a TypeError if it cannot be iterated.
BATT_INLINE bool is_uniform(Vm& vm, Value row) {
  u32 n = len(vm, row);
  if (row.tag == ROW) return uniform_bytes(vm, row.bits, n, 1);
  for (u32 k = 1; k < n && !stopped(vm); k++)
    if (!equal(vm, item(vm, row, 0), item(vm, row, k))) return false;
  return n > 0 && !stopped(vm);
}
BATT_INLINE bool is_uniform_column(Vm& vm, Value grid, u32 j) {
  Value head = item(vm, item(vm, grid, 0), j);
  for (u32 i = 1; i < length(grid) && !stopped(vm); i++)
    if (!equal(vm, head, item(vm, item(vm, grid, i), j))) return false;
  return !stopped(vm);
}

// The set of (grid[i][j], (i, j)) along a row or a column; the values are equal, so the cells ascend.
BATT_DEVICE_NOINLINE Value line_cells(Vm& vm, Value grid, bool across, u32 number, u32 n) {
  Scratch scratch(vm);
  Addr found = scratch.alloc<Value>(n);
  for (u32 k = 0; k < n && !stopped(vm); k++) {
    u32 i = across ? number : k, j = across ? k : number;
    Value row = item(vm, grid, i);
    bool byte = row.tag == ROW && j < row.n;
    Value v = byte ? integer(mem<u8>(vm, row.bits, j)) : at_index(vm, row, j);
    if (stopped(vm)) return none();
    Value each =
        byte ? cell_of(static_cast<i32>(v.bits), static_cast<i32>(i), static_cast<i32>(j)) : cell_with(vm, v, i, j);
    mem<Value>(vm, found, k) = each;
  }
  return stopped(vm) ? none() : set_ascending_from(vm, found, n);
}

BATT_OP Value op_frontiers(Vm& vm, const Value* a) {
  Value grid;
  if (as_keyed_grid(vm, a[0], grid)) return packed_frontiers(vm, grid);
  if (stopped(vm)) return none();
#ifndef __CUDACC__
  if (a[0].tag == GRID) return packed_frontiers_of_values(vm, a[0]);
#endif
  Value head = at_index(vm, a[0], 0);
  if (stopped(vm)) return none();
  u32 h = length(a[0]), w = len(vm, head), shortest = w, rows = 0, made = 0;
  if (stopped(vm)) return none();
  Scratch scratch(vm);
  Addr numbers = scratch.alloc<u32>(static_cast<u64>(h) + w), found = scratch.alloc<Value>(static_cast<u64>(h) + w);
  // All lines are tested before the first object is made: errors come in that order.
  for (u32 i = 0; i < h && !stopped(vm); i++) {
    Value row = item(vm, a[0], i);
    if (is_uniform(vm, row)) mem<u32>(vm, numbers, rows++) = i;
    shortest = smaller(shortest, length(row));
  }
  u32 lines = rows;
#ifndef __CUDACC__
  Addr marks = scratch.alloc<u8>(w);
  bool bytes = !stopped(vm) && mark_varied_columns(vm, a[0], w, marks);
  for (u32 j = 0; j < w && bytes; j++)
    if (!mem<u8>(vm, marks, j)) mem<u32>(vm, numbers, lines++) = j;
  if (bytes) shortest = 0;
#endif
  for (u32 j = 0; j < shortest && !stopped(vm); j++)
    if (is_uniform_column(vm, a[0], j)) mem<u32>(vm, numbers, lines++) = j;
  for (u32 k = 0; k < lines && !stopped(vm); k++) {
    Value each = line_cells(vm, a[0], k < rows, mem<u32>(vm, numbers, k), k < rows ? w : h);
    mem<Value>(vm, found, made++) = each;
  }
  Addr at = alloc<Value>(vm, made);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < made; k++) mem<Value>(vm, at, k) = mem<Value>(vm, found, k);
  return set_at(vm, at, made);
}

}  // namespace batt
