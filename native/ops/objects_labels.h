// Connected components of a grid: one pass that labels cells and lists them by class. Knows no values and no results.
#pragma once
#include "../core/sets.h"

namespace batt {

// Cells of a grid as classes: equal values have equal classes, and classes ascend as the values do. Cells of a packed
// grid are classes themselves, C is u8; other values are ranked, C is u32.
template <class C> struct Classes {
  Addr at;  // C[h * w]
  u32 h, w;
  u32 count;    // all classes are below it
  u32 ignored;  // the class of cells that belong to no object, or `count`
};

// How a listed cell is named: a packed grid's by the key of its place, any other's by its position.
BATT_FN u32 spot_of(const Classes<u8>&, u32 i, u32 j) { return place_key(i, j); }
BATT_FN u32 spot_of(const Classes<u32>& grid, u32 i, u32 j) { return i * grid.w + j; }

// All in scratch. Labels count from 1; the root of a label is the least one of its component, so root[l] <= l.
struct Labels {
  Addr ends;    // u32[classes]: where each class ends in `spots`
  Addr spots;   // u64[kept]: label << 32 | spot, by class and then row-major
  Addr root;    // u32[count + 1]
  Addr size;    // u32[count + 1]: cells, of a root those of its whole component
  u32 kept;     // cells that belong to an object
  u32 count;    // labels
  u32 objects;  // components
};

BATT_FN u32 root_of(Vm& vm, Addr root, u32 label) {
  u32 up;
  while ((up = mem<u32>(vm, root, label)) != label) {
    u32 next = mem<u32>(vm, root, up);
    mem<u32>(vm, root, label) = next;
    label = next;
  }
  return label;
}

BATT_FN void unite(Vm& vm, Addr root, u32 a, u32 b) {
  a = root_of(vm, root, a);
  b = root_of(vm, root, b);
  if (a < b) mem<u32>(vm, root, b) = a; else mem<u32>(vm, root, a) = b;
}

// Neighbours seen before a cell, each as mark << 32 | label, 0 where there is none.
struct Neighbours {
  u64 west, northwest, north, northeast;
};

// The label of a cell's component as its neighbours with the same mark tell it, 0 where there are none. Neighbours that
// touch one another are united already.
BATT_FN u32 shared_label(Vm& vm, Addr root, const Neighbours& near, u32 mark, bool diagonal) {
  bool north = near.north >> 32 == mark, west = near.west >> 32 == mark, northwest = near.northwest >> 32 == mark;
  if (!diagonal) {
    if (!north) return west ? static_cast<u32>(near.west) : 0;
    if (west && !northwest) unite(vm, root, static_cast<u32>(near.north), static_cast<u32>(near.west));
    return static_cast<u32>(near.north);
  }
  if (north) return static_cast<u32>(near.north);
  u32 before = west ? static_cast<u32>(near.west) : northwest ? static_cast<u32>(near.northwest) : 0;
  if (near.northeast >> 32 != mark) return before;
  if (before) unite(vm, root, static_cast<u32>(near.northeast), before);
  return static_cast<u32>(near.northeast);
}

// Turn the number of cells of each class into where it starts in the list; the number of cells listed.
BATT_FN u32 start_classes(Vm& vm, Addr counts, u32 classes, u32 ignored) {
  u32 kept = 0;
  for (u32 c = 0; c < classes; c++) {
    u32 here = c == ignored ? 0 : mem<u32>(vm, counts, c);
    mem<u32>(vm, counts, c) = kept;
    kept += here;
  }
  return kept;
}

// Label every cell; `above` is u64[w + 1]: the row before, as Neighbours has it, then a 0.
template <class C>
BATT_FN void label_cells(Vm& vm, const Classes<C>& grid, bool univalued, bool diagonal, Addr above, Labels& made) {
  for (u32 j = 0; j <= grid.w; j++) mem<u64>(vm, above, j) = 0;
  u64 k = 0;
  for (u32 i = 0; i < grid.h; i++) {
    Neighbours near{0, 0, 0, mem<u64>(vm, above, 0)};
    for (u32 j = 0; j < grid.w; j++) {
      near.northwest = near.north;
      near.north = near.northeast;
      near.northeast = mem<u64>(vm, above, j + 1);
      u32 c = mem<C>(vm, grid.at, k++), mark = univalued ? c + 1 : 1;
      u64 here = 0;
      if (c != grid.ignored) {
        u32 label = shared_label(vm, made.root, near, mark, diagonal);
        if (label == 0) {
          label = ++made.count;
          mem<u32>(vm, made.root, label) = label;
          mem<u32>(vm, made.size, label) = 0;
        }
        mem<u32>(vm, made.size, label)++;
        mem<u64>(vm, made.spots, mem<u32>(vm, made.ends, c)++) = static_cast<u64>(label) << 32 | spot_of(grid, i, j);
        here = static_cast<u64>(mark) << 32 | label;
      }
      mem<u64>(vm, above, j) = here;
      near.west = here;
    }
  }
}

// Point every label at its root, and add up the sizes there.
BATT_FN void settle(Vm& vm, Labels& made) {
  for (u32 label = 1; label <= made.count; label++) {
    u32 up = mem<u32>(vm, made.root, label);
    if (up == label) { made.objects++; continue; }
    up = mem<u32>(vm, made.root, up);  // smaller labels are settled already
    mem<u32>(vm, made.root, label) = up;
    mem<u32>(vm, made.size, up) += mem<u32>(vm, made.size, label);
  }
}

// The components of the grid's cells, of one class each if univalued. `counts` has the number of cells of each class
// and is written over. False where the machine stopped.
template <class C>
BATT_FN bool find_components(Scratch& scratch, const Classes<C>& grid, Addr counts, bool univalued, bool diagonal,
                             Labels& made) {
  Vm& vm = scratch.vm;
  made = Labels{counts, 0, 0, 0, start_classes(vm, counts, grid.count, grid.ignored), 0, 0};
  made.spots = scratch.alloc<u64>(made.kept);
  made.root = scratch.alloc<u32>(static_cast<u64>(made.kept) + 1);
  made.size = scratch.alloc<u32>(static_cast<u64>(made.kept) + 1);
  Addr above = scratch.alloc<u64>(static_cast<u64>(grid.w) + 1);
  if (stopped(vm)) return false;
  label_cells(vm, grid, univalued, diagonal, above, made);
  settle(vm, made);
  return true;
}

// Part the listed cells by component. `make(vm, class, spot)` gives the T to write at `to`; `sets` gets a value
// {tag, size, address} for each. Cells are met ascending, so each component's are, and components come in the order of
// their first cells: since no two share a cell, that is the canonical order of the sets.
template <class T, class Make>
BATT_FN void gather_components(Scratch& scratch, const Labels& made, u32 classes, Make make, Addr to, Tag tag,
                               Addr sets) {
  Vm& vm = scratch.vm;
  constexpr u32 UNSEEN = ~0u;
  Addr next = scratch.alloc<u32>(static_cast<u64>(made.count) + 1);
  if (stopped(vm)) return;
  for (u32 label = 1; label <= made.count; label++) mem<u32>(vm, next, label) = UNSEEN;
  u32 seen = 0, given = 0, k = 0;
  for (u32 c = 0; c < classes; c++) {
    for (u32 end = mem<u32>(vm, made.ends, c); k < end; k++) {
      u64 spot = mem<u64>(vm, made.spots, k);
      u32 root = mem<u32>(vm, made.root, static_cast<u32>(spot >> 32)), at = mem<u32>(vm, next, root);
      if (at == UNSEEN) {
        u32 size = mem<u32>(vm, made.size, root);
        at = given;
        given += size;
        mem<Value>(vm, sets, seen++) = Value{tag, size, to + at * sizeof(T)};
      }
      mem<u32>(vm, next, root) = at + 1;
      T each = make(vm, c, static_cast<u32>(spot));
      if (stopped(vm)) return;
      mem<T>(vm, to, at) = each;
    }
  }
}

}  // namespace batt
