// Which colours an element has and how often: colours_of, count_colours and background of ops/shapes.py.
#pragma once
#include "../core/sets.h"

namespace batt {

constexpr u32 BYTES = 256;  // colours of a packed grid

// The first component of what a key stands for: the colour of a cell, the row of a place.
BATT_FN i64 key_head(u64 key) { return key_colour(key); }
BATT_FN i64 key_head(u32 key) { return key_i(key); }

// Count a byte in a table of which only the first `limit` entries are set yet.
BATT_FN void count_byte(Vm& vm, Addr table, u32& limit, u32 byte) {
  while (limit <= byte) mem<u32>(vm, table, limit++) = 0;
  mem<u32>(vm, table, byte)++;
}

// Count the bytes of a packed grid; the colours that it has are below the number returned.
BATT_FN u32 count_bytes(Vm& vm, Value grid, Addr table) {
  u32 limit = 0, n = grid_h(grid) * grid_w(grid);
  for (u32 k = 0; k < n; k++) count_byte(vm, table, limit, mem<u8>(vm, grid.bits, k));
  return limit;
}

// How many colours `colours_of` gives, repeats included. Raises where it does.
BATT_FN u64 colour_total(Vm& vm, Value element) {
  if (!is_container(element)) { raise(vm, TYPE_ERROR); return 0; }
  u32 n = length(element);
  u64 total = 0;
  Value colour, rest;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, element, k);
    if (is_tuple(element)) total += len(vm, each);
    else if (unpack(vm, each, colour, rest)) total++;
    if (stopped(vm)) return 0;
  }
  work(vm, total);
  return total;
}

// Those colours, put at an address with room for them; the element is one that `colour_total` accepts.
BATT_FN void put_colours(Vm& vm, Value element, Addr at) {
  u32 n = length(element);
  u64 done = 0;
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, element, k);
    if (is_tuple(element)) {
      put_items(vm, each, at, done);
      done += length(each);
    } else {
      mem<Value>(vm, at, done++) = item(vm, each, 0);
    }
  }
}

template <class Sink> BATT_FN void grid_colours(Vm& vm, Value grid, Sink& sink) {
  Scratch scratch(vm);
  Addr table = scratch.alloc<u32>(BYTES);
  if (stopped(vm)) return;
  u32 limit = count_bytes(vm, grid, table);
  for (u32 colour = 0; colour < limit; colour++) {
    u32 times = mem<u32>(vm, table, colour);
    if (times) sink.see(vm, integer(colour), times);
  }
}

template <class Key, class Sink> BATT_FN void key_colours(Vm& vm, Addr at, u32 n, Sink& sink) {
  i64 head = key_head(mem<Key>(vm, at, 0));
  u32 start = 0;
  if (head != key_head(mem<Key>(vm, at, n - 1))) {  // keys ascend by colour: else it is one run
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

template <class Sink> BATT_FN void value_colours(Vm& vm, Value element, Sink& sink) {
  u64 n = colour_total(vm, element);
  if (stopped(vm)) return;
  Scratch scratch(vm);
  Addr at = scratch.alloc<Value>(n);
  if (stopped(vm)) return;
  put_colours(vm, element, at);
  sort<Value>(vm, at, n, CanonicalOrder());
  for (u64 start = 0, k = 1; start < n && !stopped(vm); start = k++) {
    Value colour = mem<Value>(vm, at, start);
    while (k < n && equal(vm, colour, mem<Value>(vm, at, k)) && !stopped(vm)) k++;
    if (!stopped(vm)) sink.see(vm, colour, k - start);
  }
}

// Tell `sink.see(vm, colour, times)` of each colour, ascending. Raises as `colours_of` does. The sink may stop the
// machine and may allocate results: nothing else does while it sees colours.
template <class Sink> BATT_FN void see_colours(Vm& vm, Value element, Sink& sink) {
  Value grid;
  if (element.tag == CELLS) key_colours<u64>(vm, element.bits, element.n, sink);
  else if (element.tag == PLACES) key_colours<u32>(vm, element.bits, element.n, sink);
  else if (as_grid(vm, element, grid)) grid_colours(vm, grid, sink);
  else if (!stopped(vm)) value_colours(vm, element, sink);
}

struct MostFrequent {
  u64 count = 0;
  Value colour = none();
  BATT_FN void see(Vm&, Value next, u64 times) { if (times > count) { count = times; colour = next; } }
};

// What `mostcolor` gives: the most frequent colour, the lowest of those tied; ValueError where there is none.
BATT_FN Value background(Vm& vm, Value element) {
  MostFrequent found;
  see_colours(vm, element, found);
  return stopped(vm) ? none() : found.count ? found.colour : raise(vm, VALUE_ERROR);
}

}  // namespace batt
