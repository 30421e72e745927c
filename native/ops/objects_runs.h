// Find the connected components of a grid by runs: adjacent cells of a row that are equal.
#pragma once
#include "../core/sets.h"

namespace batt {

// The cells of a grid as classes: equal values have equal classes, and classes ascend as the values do. The cells of a
// packed grid are classes themselves (C is u8); other values are ranked (C is u32).
template <class C> struct Classes {
  Addr at;  // C[h * w]
  u32 h, w;
  u32 limit;  // all classes are less than this
};

// Where a run begins: the key of its first place in a packed grid, where neighbours in a row have consecutive keys;
// else its row.
BATT_INLINE u32 spot_of(const Classes<u8>&, u32 i, u32 j) { return place_key(i, j); }
BATT_INLINE u32 spot_of(const Classes<u32>&, u32 i, u32) { return i; }

// A maximal run of cells of one row and one class.
struct alignas(16) Run {
  u32 spot;      // by `spot_of`
  u32 from, to;  // columns; `to` is excluded
  u32 c;         // the class
};

// The runs of a grid, in scratch memory.
struct Runs {
  Addr at;       // Run[count], row-major; a run at column 0 begins a row
  Addr cells;    // u32[classes]: the number of cells of each class
  Addr numbers;  // u32[classes]: the number of runs of each class
  u32 count, classes;
};

// Append a run.
template <class C> BATT_INLINE void add_run(Vm& vm, const Classes<C>& grid, Addr row, u32 i, u32 from, u32 to,
                                            Runs& made) {
  u32 c = mem<C>(vm, row, from);
  for (; made.classes <= c; made.classes++)
    mem<u32>(vm, made.cells, made.classes) = mem<u32>(vm, made.numbers, made.classes) = 0;
  mem<u32>(vm, made.cells, c) += to - from;
  mem<u32>(vm, made.numbers, c)++;
  mem<Run>(vm, made.at, made.count++) = Run{spot_of(grid, i, from), from, to, c};
}

// The starts of the runs of a row as bits, and one more bit for its end; 0 if that is not known quickly.
template <class C> BATT_INLINE u64 starts_of_runs(const Vm&, Addr, u32, u64) { return 0; }
template <> BATT_INLINE u64 starts_of_runs<u8>(const Vm& vm, Addr row, u32 w, u64 readable) {
  return w < 64 ? changes(vm, row, w, readable) | 1 | 1ull << w : 0;
}

// Find the runs of a grid; false if the machine stopped.
template <class C> BATT_DEVICE_NOINLINE bool find_runs(Scratch& scratch, const Classes<C>& grid, Runs& made) {
  Vm& vm = scratch.vm;
  made = Runs{0, scratch.alloc<u32>(grid.limit), scratch.alloc<u32>(grid.limit), 0, 0};
  made.at = scratch.alloc<Run>(static_cast<u64>(grid.h) * grid.w);
  if (stopped(vm)) return false;
  for (u32 i = 0; i < grid.h; i++) {
    Addr row = grid.at + static_cast<u64>(i) * grid.w * sizeof(C);
    u64 starts = starts_of_runs<C>(vm, row, grid.w, static_cast<u64>(grid.h - i) * grid.w);
    for (u32 from = 0, to = 0; from < grid.w; from = to) {
      if (starts) {
        starts &= starts - 1;
        to = lowest_bit(starts);
      } else {
        for (to = from + 1; to < grid.w && mem<C>(vm, row, to) == mem<C>(vm, row, from);) to++;
      }
      add_run(vm, grid, row, i, from, to, made);
    }
  }
  return true;
}

// The class with most cells, the least one of a tie.
BATT_INLINE u32 most_frequent(Vm& vm, const Runs& runs) {
  u32 most = 0;
  for (u32 c = 1; c < runs.classes; c++)
    if (mem<u32>(vm, runs.cells, c) > mem<u32>(vm, runs.cells, most)) most = c;
  return most;
}

// The objects of a grid. All runs of an object have the same root, its first run.
struct Components {
  Addr root;  // u32[runs]
  Addr size;  // u32[runs]: at a root, the number of cells of its object
  u32 cells;  // cells that belong to an object
  u32 objects;
};

BATT_INLINE u32 root_of(Vm& vm, Addr root, u32 run) {
  u32 up;
  while ((up = mem<u32>(vm, root, run)) != run) {
    u32 next = mem<u32>(vm, root, up);
    mem<u32>(vm, root, run) = next;
    run = next;
  }
  return run;
}

// Unite the object of `a` with the object whose root is `b`. Return their root.
BATT_INLINE u32 unite(Vm& vm, Addr root, u32 a, u32 b) {
  a = root_of(vm, root, a);
  if (b < a) exchange(a, b);
  mem<u32>(vm, root, b) = a;
  return a;
}

// Unite runs that touch; with a `reach` of 1 also at corners, and if `univalued` only runs of one class.
BATT_DEVICE_NOINLINE void unite_runs(Vm& vm, const Runs& runs, u32 ignored, bool univalued, u32 reach, Addr root) {
  u32 above = 0, row = 0;  // the first run of the row above that may touch the next runs; the first run of this row
  for (u32 k = 0; k < runs.count; k++) {
    Run run = mem<Run>(vm, runs.at, k);
    if (run.from == 0) {
      above = row;
      row = k;
    }
    mem<u32>(vm, root, k) = k;
    if (run.c == ignored) continue;
    u32 own = k;  // the root of this run
    if (!univalued && run.from && mem<Run>(vm, runs.at, k - 1).c != ignored) own = unite(vm, root, k - 1, own);
    while (above < row && mem<Run>(vm, runs.at, above).to + reach <= run.from) above++;
    for (u32 q = above; q < row; q++) {
      Run other = mem<Run>(vm, runs.at, q);
      if (other.from >= run.to + reach) break;
      if (other.c == run.c || (!univalued && other.c != ignored)) own = unite(vm, root, q, own);
    }
  }
}

// Find the objects of a grid, without cells of the class `ignored`. False if the machine stopped.
BATT_DEVICE_NOINLINE bool find_components(Scratch& scratch, const Runs& runs, u32 ignored, bool univalued,
                                          bool diagonal, Components& made) {
  Vm& vm = scratch.vm;
  made = Components{scratch.alloc<u32>(runs.count), scratch.alloc<u32>(runs.count), 0, 0};
  if (stopped(vm)) return false;
  unite_runs(vm, runs, ignored, univalued, diagonal ? 1 : 0, made.root);
  for (u32 k = 0; k < runs.count; k++) {
    Run run = mem<Run>(vm, runs.at, k);
    mem<u32>(vm, made.size, k) = 0;
    if (run.c == ignored) continue;
    u32 root = mem<u32>(vm, made.root, mem<u32>(vm, made.root, k));  // earlier runs point to their roots already
    mem<u32>(vm, made.root, k) = root;
    mem<u32>(vm, made.size, root) += run.to - run.from;
    made.cells += run.to - run.from;
    made.objects += root == k;
  }
  return true;
}

// Write the numbers of all runs but those of the class `ignored`, by class and then row-major. Return how many.
BATT_DEVICE_NOINLINE u32 order_runs(Vm& vm, const Runs& runs, u32 ignored, Addr order) {
  u32 kept = 0;
  for (u32 c = 0; c < runs.classes; c++) {
    u32 here = c == ignored ? 0 : mem<u32>(vm, runs.numbers, c);
    mem<u32>(vm, runs.numbers, c) = kept;
    kept += here;
  }
  for (u32 k = 0; k < runs.count; k++) {
    u32 c = mem<Run>(vm, runs.at, k).c;
    if (c != ignored) mem<u32>(vm, order, mem<u32>(vm, runs.numbers, c)++) = k;
  }
  return kept;
}

// Write the cells object by object. `make(vm, run, k)` gives the T of cell k of a run, to write at `to`; `sets` gets a
// value {tag, size, address} for each object. Cells are visited in ascending order, so the cells of each object ascend,
// and objects come in the order of their first cells. No two share a cell, so that is the canonical order of the sets.
template <class T, class Make>
BATT_DEVICE_NOINLINE void gather_components(Scratch& scratch, const Runs& runs, u32 ignored, const Components& found,
                                            Make make, Addr to, Tag tag, Addr sets) {
  Vm& vm = scratch.vm;
  constexpr u32 UNSEEN = ~0u;
  Addr order = scratch.alloc<u32>(runs.count), next = scratch.alloc<u32>(runs.count);
  if (stopped(vm)) return;
  u32 seen = 0, given = 0, kept = order_runs(vm, runs, ignored, order);
  for (u32 k = 0; k < runs.count; k++) mem<u32>(vm, next, k) = UNSEEN;
  for (u32 k = 0; k < kept; k++) {
    u32 number = mem<u32>(vm, order, k), root = mem<u32>(vm, found.root, number), at = mem<u32>(vm, next, root);
    Run run = mem<Run>(vm, runs.at, number);
    if (at == UNSEEN) {
      u32 size = mem<u32>(vm, found.size, root);
      at = given;
      given += size;
      mem<Value>(vm, sets, seen++) = Value{tag, size, to + at * sizeof(T)};
    }
    u32 end = at + run.to - run.from;
    mem<u32>(vm, next, root) = end;
    for (u32 q = 0; at < end; at++, q++) {
      T each = make(vm, run, q);
      if (stopped(vm)) return;
      mem<T>(vm, to, at) = each;
    }
  }
}

}  // namespace batt
