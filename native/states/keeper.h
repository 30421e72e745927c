// Memory that keeps values after the evaluation that made them. Host only.
#pragma once
#include "../host/worker.h"

namespace batt {

// Keeps copies of values, each with all its parts, in chunks that do not move.
class Keeper {
 public:
  u64 bytes = 0;  // of all copies

  Value keep(Value v) {
    Value made = copy(v);
    if (has_parts(made)) todo.push_back(Copied{made.bits, flat_bytes(made) / sizeof(Value)});
    while (!todo.empty()) {
      Copied array = todo.back();
      todo.pop_back();
      for (u64 k = 0; k < array.count; k++) {
        Value& part = reinterpret_cast<Value*>(array.at)[k];
        part = copy(part);
        if (has_parts(part)) todo.push_back(Copied{part.bits, flat_bytes(part) / sizeof(Value)});
      }
    }
    return made;
  }

  // Forget all copies, but keep the first chunk for the next ones.
  void clear() {
    if (chunks.size() > 1) chunks.resize(1);
    end = chunks.empty() ? 0 : first_of(chunks[0]) + CHUNK;
    top = chunks.empty() ? 0 : first_of(chunks[0]);
    bytes = 0;
  }

 private:
  static constexpr u64 CHUNK = 1 << 18;
  std::vector<std::unique_ptr<u8[]>> chunks;
  std::vector<Copied> todo;
  Addr top = 0, end = 0;

  static Addr first_of(const std::unique_ptr<u8[]>& chunk) {
    return (reinterpret_cast<Addr>(chunk.get()) + ALIGN - 1) & ~(ALIGN - 1);
  }

  Value copy(Value v) {
    u64 size = flat_bytes(v), room = (size + ALIGN - 1) & ~(ALIGN - 1);
    if (!size) return v;
    if (room > end - top) grow(room);
    std::memcpy(reinterpret_cast<void*>(top), reinterpret_cast<const void*>(v.bits), size);
    v.bits = top;
    top += room;
    bytes += room;
    return v;
  }

  void grow(u64 room) {
    u64 size = larger(room, CHUNK);
    // Kernels read whole words, also behind the last value.
    chunks.emplace_back(new u8[size + 2 * ALIGN]());
    top = first_of(chunks.back());
    end = top + size;
  }
};

}  // namespace batt
