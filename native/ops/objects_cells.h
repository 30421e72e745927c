// Find the connected components of a large grid whose runs are short. For hosts: a device follows runs alone.
#pragma once
#include "objects_runs.h"

#ifndef __CUDACC__
namespace batt {

// Choose without a branch: in a grid of random cells, half of the branches would be predicted wrongly.
BATT_INLINE u32 chosen(bool first, u32 a, u32 b) { return b ^ ((a ^ b) & (0u - static_cast<u32>(first))); }

// The type of a class that has one more value, for cells of the frame.
template <class C> struct FramedClass {
  using Type = u32;
};
template <> struct FramedClass<u8> {
  using Type = u16;
};

// A grid's classes with a frame on the left and above, so that each cell has neighbours. The frame of a row is also the
// right neighbour of the row above.
template <class C> struct LabelledCells {
  using Class = typename FramedClass<C>::Type;
  static constexpr Class EDGE = static_cast<Class>(~0u);
  static constexpr u64 MOST = 1ull << 31;
  Addr classes;  // Class[(h + 1) * stride]
  Addr labels;   // u32[]: the position of a cell of the same object, at or before this one
  Addr sizes;    // u32[]: at the first cell of an object, its size
  u32 h, w, stride;

  BATT_INLINE u64 size() const { return (h + 1ull) * stride; }
  BATT_INLINE u32 first(u32 i) const { return (i + 1) * stride + 1; }
  BATT_INLINE u32 class_at(const Vm& vm, u32 k) const { return mem<Class>(vm, classes, k); }

  BATT_INLINE bool open(Scratch& scratch, const Classes<C>& grid) {
    Vm& vm = scratch.vm;
    h = grid.h;
    w = grid.w;
    stride = w + 1;
    classes = scratch.alloc<Class>(size());
    labels = scratch.alloc<u32>(size());
    sizes = scratch.alloc<u32>(size());
    if (stopped(vm)) return false;
    fill_bytes(vm, sizes, size() * sizeof(u32), 0);
    for (u32 k = 0; k <= stride; k++) put_edge(vm, k);
    for (u32 i = 0; i < h; i++) {
      Addr row = grid.at + static_cast<u64>(i) * w * sizeof(C);
      u32 at = first(i);
      put_edge(vm, at - 1);
      for (u32 j = 0; j < w; j++) mem<Class>(vm, classes, at + j) = mem<C>(vm, row, j);
    }
    return true;
  }

  // Label all cells. A cell takes the label of a neighbour of its class; two are united where that is not yet known
  // from their own neighbours.
  template <bool DIAGONAL> BATT_INLINE void label(Vm& vm) const {
    auto label_at = [&](u32 k) -> u32& { return mem<u32>(vm, labels, k); };
    for (u32 i = 0; i < h; i++) {
      u32 k = first(i), before = 0;
      for (u32 end = k + w; k < end; k++) {
        Class c = mem<Class>(vm, classes, k);
        auto is_same = [&](u32 at) { return mem<Class>(vm, classes, at) == c; };
        bool left = is_same(k - 1), up = is_same(k - stride), up_left = is_same(k - stride - 1);
        // The label of the left neighbour comes last: it is the only one that this round waits for.
        u32 found = k;
        if constexpr (DIAGONAL) {
          bool up_right = is_same(k - stride + 1);
          found = chosen(up_right, label_at(k - stride + 1), found);
          found = chosen(up_left, label_at(k - stride - 1), found);
          found = chosen(up, label_at(k - stride), found);
          found = chosen(left, before, found);
          label_at(k) = found;
          if (up_right & !up & (left | up_left)) { found = unite(vm, labels, k - stride + 1, root_of(vm, labels, k)); }
        } else {
          found = chosen(up, label_at(k - stride), found);
          found = chosen(left, before, found);
          label_at(k) = found;
          if (up & left & !up_left) { found = unite(vm, labels, k - stride, root_of(vm, labels, k)); }
        }
        before = found;
      }
    }
  }

 private:
  BATT_INLINE void put_edge(Vm& vm, u32 k) const {
    mem<Class>(vm, classes, k) = EDGE;
    mem<u32>(vm, labels, k) = 0;
  }
};

// Two numbers of a class in one word, of cells and of objects: first how many there are, then the next ones to write.
BATT_INLINE u64 class_numbers(u32 cells, u32 objects) { return static_cast<u64>(objects) << 32 | cells; }
BATT_INLINE u32 cells_in(u64 numbers) { return static_cast<u32>(numbers); }
BATT_INLINE u32 objects_in(u64 numbers) { return static_cast<u32>(numbers >> 32); }

// Point each label to the first cell of its object, count the cells of each object, and write the first cells, row by
// row. Return how many there are.
template <class C> BATT_INLINE u32 find_firsts(Vm& vm, const LabelledCells<C>& grid, Addr firsts) {
  u32 count = 0;
  for (u32 i = 0; i < grid.h; i++) {
    u32 k = grid.first(i);
    for (u32 end = k + grid.w; k < end; k++) {
      // Earlier labels point to first cells already.
      u32 root = mem<u32>(vm, grid.labels, mem<u32>(vm, grid.labels, k));
      mem<u32>(vm, grid.labels, k) = root;
      mem<u32>(vm, grid.sizes, root)++;
      mem<u32>(vm, firsts, count) = k;
      count += root == k;
    }
  }
  return count;
}

// Write a value {tag, size, address} for each object, by class and then by first cells, as `gather_components` does.
// The size of an object becomes the position of its next cell.
template <class T, class C>
BATT_INLINE void place_objects(Vm& vm, const LabelledCells<C>& grid, u32 ignored, Addr firsts, u32 count, Addr numbers,
                               Addr to, Tag tag, Addr sets) {
  for (u32 q = 0; q < count; q++) {
    u32 first = mem<u32>(vm, firsts, q), c = grid.class_at(vm, first);
    if (c == ignored) continue;
    u32& size = mem<u32>(vm, grid.sizes, first);
    u64 next = mem<u64>(vm, numbers, c);
    u32 at = cells_in(next);
    mem<Value>(vm, sets, objects_in(next)) = Value{tag, size, to + at * sizeof(T)};
    mem<u64>(vm, numbers, c) = next + class_numbers(size, 1);
    size = at;
  }
}

// Write all cells to the places of their objects.
template <class T, class C, class Make>
BATT_INLINE void put_cells_of_objects(Vm& vm, const Classes<C>& of, const LabelledCells<C>& grid, u32 ignored,
                                      Make make, Addr to) {
  for (u32 i = 0; i < grid.h; i++) {
    u32 first = grid.first(i);
    for (u32 j = 0; j < grid.w; j++) {
      u32 k = first + j, c = grid.class_at(vm, k);
      if (c == ignored) continue;
      T made = make(vm, Run{spot_of(of, i, j), j, j + 1, c}, 0);
      if (sizeof(T) == sizeof(Value) && stopped(vm)) return;
      u32 at = mem<u32>(vm, grid.sizes, mem<u32>(vm, grid.labels, k))++;
      mem<T>(vm, to, at) = made;
    }
  }
}

// The objects of one class each, as cells made by `make`; `sets` gets a value {tag, size, address} for each. Return how
// many there are, or 0 if the machine stopped.
template <class T, class C, class Make>
inline u32 cell_components(Scratch& scratch, const Classes<C>& grid, u32 ignored, bool diagonal, Make make, Tag tag,
                           Addr& sets) {
  Vm& vm = scratch.vm;
  LabelledCells<C> framed;
  Addr numbers = scratch.alloc<u64>(grid.limit), firsts = scratch.alloc<u32>(static_cast<u64>(grid.h) * grid.w + 1);
  if (stopped(vm) || !framed.open(scratch, grid)) return 0;
  for (u32 c = 0; c < grid.limit; c++) mem<u64>(vm, numbers, c) = 0;
  if (diagonal) framed.template label<true>(vm);
  else framed.template label<false>(vm);
  if (!work(vm, framed.size() / 8)) return 0;
  u32 count = find_firsts(vm, framed, firsts);
  for (u32 q = 0; q < count; q++) {
    u32 first = mem<u32>(vm, firsts, q);
    mem<u64>(vm, numbers, framed.class_at(vm, first)) += class_numbers(mem<u32>(vm, framed.sizes, first), 1);
  }
  u32 cells = 0, objects = 0;
  for (u32 c = 0; c < grid.limit; c++) {
    u64 here = c == ignored ? 0 : mem<u64>(vm, numbers, c);
    mem<u64>(vm, numbers, c) = class_numbers(cells, objects);
    cells += cells_in(here);
    objects += objects_in(here);
  }
  Addr to = alloc<T>(vm, cells);
  sets = alloc<Value>(vm, objects);
  if (stopped(vm)) return 0;
  place_objects<T>(vm, framed, ignored, firsts, count, numbers, to, tag, sets);
  put_cells_of_objects<T>(vm, grid, framed, ignored, make, to);
  return stopped(vm) ? 0 : objects;
}

// Whether following the runs of a grid takes longer than following its cells.
template <class C> BATT_INLINE bool has_short_runs(Vm& vm, const Classes<C>& grid) {
  constexpr u64 LONG = 5;
  u64 n = static_cast<u64>(grid.h) * grid.w, alike = 0;
  if (n + grid.h + grid.w >= LabelledCells<C>::MOST) return false;
  if constexpr (sizeof(C) == 1) alike = alike_bytes(vm, grid.at, grid.at + 1, n - 1);
  else
    for (u64 k = 1; k < n; k++) alike += mem<C>(vm, grid.at, k) == mem<C>(vm, grid.at, k - 1);
  return (n - alike) * LONG > n;
}

}  // namespace batt
#endif
