// Hand values over as packed grids and as wire bytes. Host only.
#pragma once
#include "keeper.h"

namespace batt {

// Write the cells of grids one after the other, with the height, width and start of each; a value that is no packed
// grid has the height and width 0. Return the number of bytes; nothing is written without room for them.
inline u64 write_grids(const Value* values, u64 count, u16* sides, u64* starts, u8* to, u64 room) {
  u64 used = 0;
  for (u64 k = 0; k < count; k++) {
    bool is_grid = values[k].tag == GRID;
    sides[2 * k] = static_cast<u16>(is_grid ? grid_h(values[k]) : 0);
    sides[2 * k + 1] = static_cast<u16>(is_grid ? grid_w(values[k]) : 0);
    starts[k] = used;
    if (!is_grid) continue;
    u64 bytes = flat_bytes(values[k]);
    if (bytes <= room && used <= room - bytes)
      std::memcpy(to + used, reinterpret_cast<const void*>(values[k].bits), bytes);
    used += bytes;
  }
  return used;
}

// Write values as wire bytes one after the other, with the end of each; a function that is too large has none. Return
// the number of bytes; only what has room is written.
inline u64 write_wires(const Value* values, u64 count, u64* ends, u8* to, u64 room) {
  OutputWriter writer;
  Vm vm{};
  u64 used = 0;
  for (u64 k = 0; k < count; k++) {
    if (writer.write(vm, values[k])) {
      if (writer.bytes.size() <= room && used <= room - writer.bytes.size())
        std::memcpy(to + used, writer.bytes.data(), writer.bytes.size());
      used += writer.bytes.size();
    }
    ends[k] = used;
  }
  return used;
}

}  // namespace batt
