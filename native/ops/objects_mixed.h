// Find the connected components of a large grid whose objects have any colours. For hosts: a device follows the runs of
// each colour.
#pragma once
#include "../core/sort.h"
#include "objects_runs.h"
#include "shapes_colours.h"

#ifndef __CUDACC__
namespace batt {

// Bit q is set if cell `from` + q of a grid is of the class `ignored`, for n <= 64 cells.
template <class C> BATT_INLINE u64 ignored_bits(const Vm& vm, const Classes<C>& grid, u64 from, u32 n, u32 ignored) {
  u64 bits = 0;
  if constexpr (sizeof(C) == 1) {
    u64 size = static_cast<u64>(grid.h) * grid.w;
    if (ignored > 0xff) return 0;
    for (u32 q = 0; q < n; q += 16)
      bits |= static_cast<u64>(same_bytes(vm, grid.at, size, from + q, static_cast<u8>(ignored)) & 0xffffu) << q;
  } else {
    for (u32 q = 0; q < n; q++) bits |= static_cast<u64>(mem<C>(vm, grid.at, from + q) == ignored) << q;
  }
  return n < 64 ? bits & ((1ull << n) - 1) : bits;
}

// The same for the cells of narrow rows, from bits of all cells.
struct IgnoredRows {
  Addr words = 0;  // u64[]
  static constexpr u32 NARROW = 63;

  template <class C> bool open(Scratch& scratch, const Classes<C>& grid, u32 ignored) {
    Vm& vm = scratch.vm;
    u64 n = static_cast<u64>(grid.h) * grid.w;
    words = scratch.alloc<u64>(n / 64 + 2);
    if (stopped(vm)) return false;
    for (u64 k = 0; k < n; k += 64)
      mem<u64>(vm, words, k / 64) = ignored_bits(vm, grid, k, static_cast<u32>(smaller<u64>(64, n - k)), ignored);
    mem<u64>(vm, words, n / 64 + 1) = 0;
    return true;
  }
  // The cells of a row that are not ignored.
  u64 drawn(const Vm& vm, u64 from, u32 w) const {
    u32 shift = static_cast<u32>(from % 64);
    u64 bits = mem<u64>(vm, words, from / 64) >> shift;
    if (shift) bits |= mem<u64>(vm, words, from / 64 + 1) << (64 - shift);
    return ~bits & ((1ull << w) - 1);
  }
};

// Where the first run of bits ends.
BATT_INLINE u32 end_of_run(u64 bits) {
  u32 from = lowest_bit(bits);
  return from + lowest_bit(~(bits >> from));
}
// Whether all bits are one run; there is at least one.
BATT_INLINE bool is_one_run(u64 bits) { return !(bits & (bits + (bits & (0 - bits)))); }

// Call f(from, to) for each run of cells of row i that are not of the class `ignored`.
template <class C, class F>
BATT_HOT_INLINE void for_drawn_runs(const Vm& vm, const Classes<C>& grid, const IgnoredRows& narrow, u32 ignored, u32 i,
                                    F f) {
  u64 row = static_cast<u64>(i) * grid.w, before = 1;
  if (grid.w <= IgnoredRows::NARROW) {
    for (u64 drawn = narrow.drawn(vm, row, grid.w); drawn;) {
      u32 from = lowest_bit(drawn), to = end_of_run(drawn);
      drawn = drawn >> to << to;
      f(from, to);
    }
    return;
  }
  u32 from = grid.w;  // less than that within a run
  for (u32 start = 0; start < grid.w; start += 64) {
    u32 n = smaller(64u, grid.w - start);
    u64 bits = ignored_bits(vm, grid, row + start, n, ignored), changed = bits ^ (bits << 1 | before);
    if (n < 64) changed &= (1ull << n) - 1;
    before = bits >> (n - 1);
    for (; changed; changed &= changed - 1) {
      u32 at = start + lowest_bit(changed);
      if (from < grid.w) f(from, at);
      from = from < grid.w ? grid.w : at;
    }
  }
  if (from < grid.w) f(from, grid.w);
}

// Find the runs of cells that belong to objects of any colours, and their objects; false if the machine stopped.
template <class C> BATT_INLINE bool find_drawn_components(Scratch& scratch, const Classes<C>& grid, u32 ignored,
                                                          bool diagonal, Runs& runs, Components& found) {
  Vm& vm = scratch.vm;
  u64 most = static_cast<u64>(grid.h) * (grid.w / 2 + 1);
  runs = Runs{scratch.alloc<Run>(most), 0, 0, 0, 0};
  found = Components{scratch.alloc<u32>(most), scratch.alloc<u32>(most), 0, 0};
  IgnoredRows narrow;
  if (stopped(vm) || (grid.w <= IgnoredRows::NARROW && !narrow.open(scratch, grid, ignored))) return false;
  u32 reach = diagonal, row = 0, above = 0;  // the first run of this row; the first one above that may touch the next
  for (u32 i = 0; i < grid.h; i++) {
    above = row;
    row = runs.count;
    // Mostly a narrow row has one run, as does the one above.
    u64 drawn =
        grid.w <= IgnoredRows::NARROW && row - above == 1 ? narrow.drawn(vm, static_cast<u64>(i) * grid.w, grid.w) : 0;
    if (drawn && is_one_run(drawn)) {
      u32 from = lowest_bit(drawn), to = end_of_run(drawn), own = runs.count++;
      Run other = mem<Run>(vm, runs.at, above);
      bool touches = from < other.to + reach && other.from < to + reach;
      mem<Run>(vm, runs.at, own) = Run{spot_of(grid, i, from), from, to, 0};
      mem<u32>(vm, found.root, own) = touches ? mem<u32>(vm, found.root, above) : own;
      continue;
    }
    for_drawn_runs(vm, grid, narrow, ignored, i, [&](u32 from, u32 to) {
      u32 own = runs.count++;
      mem<Run>(vm, runs.at, own) = Run{spot_of(grid, i, from), from, to, 0};
      mem<u32>(vm, found.root, own) = own;
      while (above < row && mem<Run>(vm, runs.at, above).to + reach <= from) above++;
      for (u32 q = above; q < row && mem<Run>(vm, runs.at, q).from < to + reach; q++)
        own = unite(vm, found.root, q, own);
    });
  }
  u32 last = 0, size = 0;  // the object of the run before, and its cells so far
  for (u32 k = 0; k < runs.count; k++) {
    Run run = mem<Run>(vm, runs.at, k);
    u32 root = mem<u32>(vm, found.root, mem<u32>(vm, found.root, k));  // earlier runs point to their roots already
    mem<u32>(vm, found.root, k) = root;
    if (root != last) {
      mem<u32>(vm, found.size, last) = size;
      size = root == k ? 0 : mem<u32>(vm, found.size, root);
      last = root;
    }
    size += run.to - run.from;
    found.cells += run.to - run.from;
    found.objects += root == k;
  }
  if (runs.count) mem<u32>(vm, found.size, last) = size;
  return true;
}

// The codes of cells, whose order is that of the cells: by class, then by place. Those of a packed grid are their keys.
struct KeyCodes {
  u64 more;  // added to each
  BATT_INLINE u64 operator()(const Run& run, u32 q, u32 c) const {
    return cell_key(static_cast<i32>(c), run.spot + q) + more;
  }
};
struct RankCodes {
  static constexpr u32 CLASS_SHIFT = 40;
  u32 bits;  // of a column
  BATT_INLINE u64 operator()(const Run& run, u32 q, u32 c) const {
    return static_cast<u64>(c) << CLASS_SHIFT | static_cast<u64>(run.spot) << bits | (run.from + q);
  }
};

BATT_INLINE u32 row_of(const Classes<u8>&, const Run& run) { return static_cast<u32>(key_i(run.spot)); }
BATT_INLINE u32 row_of(const Classes<u32>&, const Run& run) { return run.spot; }

// Call f(class, q) for each cell q of a run.
template <class C, class F> BATT_INLINE void for_cells(Vm& vm, const Classes<C>& grid, const Run& run, F f) {
  u64 from = static_cast<u64>(row_of(grid, run)) * grid.w + run.from;
  for (u32 q = 0; q < run.to - run.from; q++) f(static_cast<u32>(mem<C>(vm, grid.at, from + q)), q);
}

// Neighbouring runs of one object, `from` … `to` - 1, in the rows `top` … `bottom`. `is_dense` is whether most cells of
// these rows belong to them, and none to other objects.
struct RunGroup {
  u32 root, from, to, top, bottom;
  bool is_dense;
};

// Call f with each group of runs.
template <class C, class F>
BATT_HOT_INLINE void for_groups(const Vm& vm, const Classes<C>& grid, const Runs& runs, const Components& found, F f) {
  constexpr u64 LEAST = 64;
  RunGroup group{0, 0, 0, 0, 0, false};
  u32 before = ~0u;  // the last row of the group before
  for (; group.from < runs.count; group.from = group.to, before = group.bottom) {
    u32 cells = 0;
    group.root = mem<u32>(vm, found.root, group.from);
    for (group.to = group.from; group.to < runs.count && mem<u32>(vm, found.root, group.to) == group.root; group.to++) {
      const Run& run = mem<Run>(vm, runs.at, group.to);
      cells += run.to - run.from;
    }
    group.top = row_of(grid, mem<Run>(vm, runs.at, group.from));
    group.bottom = row_of(grid, mem<Run>(vm, runs.at, group.to - 1));
    u32 after = group.to < runs.count ? row_of(grid, mem<Run>(vm, runs.at, group.to)) : ~0u;
    u64 all = (group.bottom - group.top + 1ull) * grid.w;
    group.is_dense = all >= LEAST && cells >= all / 4 * 3 && group.top != before && group.bottom != after;
    f(group);
  }
}

// Add to counters how many cells of each class the rows of a group have, without the class `ignored`.
inline void count_rows(Vm& vm, const Classes<u8>& grid, const RunGroup& group, u32 ignored, Addr table, Addr counters) {
  u64 k = static_cast<u64>(group.top) * grid.w, end = (group.bottom + 1ull) * grid.w;
  while (k < end) {
    u32 n = static_cast<u32>(smaller<u64>(end - k, MAX_SIDE)),
        limit = count_bytes(vm, grid_at(grid.at + k, 1, n), table);
    for (u32 c = 0; c < smaller(limit, grid.limit); c++)
      if (c != ignored) mem<u32>(vm, counters, c) += mem<u32>(vm, table, c);
    k += n;
  }
}
inline void count_rows(Vm& vm, const Classes<u32>& grid, const RunGroup& group, u32 ignored, Addr, Addr counters) {
  u64 k = static_cast<u64>(group.top) * grid.w, end = (group.bottom + 1ull) * grid.w;
  for (; k < end; k++)
    if (u32 c = mem<u32>(vm, grid.at, k); c != ignored) mem<u32>(vm, counters, c)++;
}

// Sort n sets by their first codes.
inline void sort_by_first(Scratch& scratch, Addr sets, u32 n) {
  Vm& vm = scratch.vm;
  if (n < 2) return;
  Addr order = scratch.alloc<Prefixed>(n), unsorted = scratch.alloc<Value>(n);
  if (stopped(vm)) return;
  for (u32 k = 0; k < n; k++) {
    Value set = mem<Value>(vm, sets, k);
    mem<Value>(vm, unsorted, k) = set;
    mem<Prefixed>(vm, order, k) = Prefixed{mem<u64>(vm, set.bits), k};
  }
  sort_prefixes(vm, order, n);
  for (u32 k = 0; k < n; k++) mem<Value>(vm, sets, k) = mem<Value>(vm, unsorted, mem<Prefixed>(vm, order, k).at);
}

// Write the codes of all cells object by object to `codes`, u64[found.cells + 1], and a set of them for each object to
// `sets`, in canonical order. The runs are those of `find_drawn_components`. For a large object, the cells of each
// class are counted, so that each cell is written to its place; the cells of others are sorted. `times` is
// u32[classes], how many cells of each class the grid has, or 0 if that is not known.
template <class C, class CodeOf>
inline void gather_mixed(Scratch& scratch, const Classes<C>& grid, const Runs& runs, u32 ignored,
                         const Components& found, Addr times, CodeOf code_of, Addr codes, Addr sets) {
  Vm& vm = scratch.vm;
  // At the first run of an object: the position of its next cell, or the position of its counters.
  Addr next = scratch.alloc<u32>(runs.count), table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return;
  auto is_large = [&](u32 size) { return size / 2 >= grid.limit; };
  u32 seen = 0, given = 0, counted = 0;
  for (u32 k = 0; k < runs.count; k++) {
    if (mem<u32>(vm, found.root, k) != k) continue;
    u32 size = mem<u32>(vm, found.size, k);
    mem<u32>(vm, next, k) = is_large(size) ? counted : given;
    counted += is_large(size) ? grid.limit : 0;
    mem<Value>(vm, sets, seen++) = Value{CELLS, size, codes + given * sizeof(u64)};
    given += size;
  }
  Addr counters = scratch.alloc<u32>(counted);
  if (stopped(vm) || !work(vm, found.cells / 8)) return;
  // A single large object has all cells that others do not have, which are few.
  bool is_single = times && counted == grid.limit;
  for (u32 k = 0; k < counted; k++) mem<u32>(vm, counters, k) = is_single && k != ignored ? mem<u32>(vm, times, k) : 0;
  bool is_counting = counted && !(is_single && seen == 1);
  auto count = [&](const RunGroup& group) {
    if (is_large(mem<u32>(vm, found.size, group.root)) == is_single) return;
    Addr own = is_single ? counters : counters + mem<u32>(vm, next, group.root) * sizeof(u32);
    if (group.is_dense && !is_single) {
      count_rows(vm, grid, group, ignored, table, own);
      return;
    }
    u32 more = is_single ? ~0u : 1;
    for (u32 k = group.from; k < group.to; k++)
      for_cells(vm, grid, mem<Run>(vm, runs.at, k), [&](u32 c, u32) { mem<u32>(vm, own, c) += more; });
  };
  if (is_counting) for_groups(vm, grid, runs, found, count);
  for (u32 k = 0, row = 0; k < seen; k++) {
    Value set = mem<Value>(vm, sets, k);
    if (!is_large(set.n)) continue;
    u32 at = static_cast<u32>((set.bits - codes) / sizeof(u64));
    if (ignored < grid.limit) mem<u32>(vm, counters, row + ignored) = 0;
    for (u32 end = row + grid.limit; row < end; row++) {
      u32 here = mem<u32>(vm, counters, row);
      mem<u32>(vm, counters, row) = at;
      at += here;
    }
    // Codes of other cells are written behind all.
    if (ignored < grid.limit) mem<u32>(vm, counters, row - grid.limit + ignored) = found.cells;
  }
  auto write = [&](const RunGroup& group) {
    bool large = is_large(mem<u32>(vm, found.size, group.root));
    Addr own = large ? counters + mem<u32>(vm, next, group.root) * sizeof(u32) : next + group.root * sizeof(u32);
    if (large && group.is_dense) {
      // All cells of the rows, without a branch on any of them.
      for (u32 i = group.top; i <= group.bottom; i++) {
        Run row{spot_of(grid, i, 0), 0, grid.w, 0};
        for_cells(vm, grid, row, [&](u32 c, u32 q) {
          u32 at = mem<u32>(vm, own, c);
          mem<u64>(vm, codes, at) = code_of(row, q, c);
          mem<u32>(vm, own, c) = at + (c != ignored);
        });
      }
      return;
    }
    for (u32 k = group.from; k < group.to; k++) {
      Run run = mem<Run>(vm, runs.at, k);
      for_cells(vm, grid, run, [&](u32 c, u32 q) {
        u32 at = mem<u32>(vm, own, large ? c : 0)++;
        mem<u64>(vm, codes, at) = code_of(run, q, c);
      });
    }
  };
  for_groups(vm, grid, runs, found, write);
  for (u32 k = 0; k < seen && !stopped(vm); k++) {
    Value set = mem<Value>(vm, sets, k);
    if (!is_large(set.n) && set.n > 1) sort_keys<u64>(vm, set.bits, set.n);
  }
  if (!stopped(vm)) sort_by_first(scratch, sets, seen);
}

}  // namespace batt
#endif
