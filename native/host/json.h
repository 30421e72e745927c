// Write wire values as JSON text, as batt.jobs.texts does. Host only.
#pragma once
#include "wire.h"

namespace batt {

// Writes the texts of values, one after the other.
struct JsonWriter {
  u8* to;
  u64 room;
  u64 used = 0;
  struct Open {
    u64 missing;
    bool is_set;
  };
  std::vector<Open> open{};

  // Write the text of one value. False, and nothing written, if it holds a function or a very large int, is malformed,
  // or has no room.
  bool write(const u8* data, u64 size) {
    u64 start = used, at = 0;
    if (!size) return put("null");
    open.clear();
    while (at < size) {
      u32 tag = data[at++];
      u64 bytes = tag == WIRE_WIDE ? 8 : tag == WIRE_TUPLE || tag == WIRE_SET ? 4 : 0, number = 0;
      if (size - at < bytes) break;
      for (u64 k = 0; k < bytes; k++) number |= static_cast<u64>(data[at + k]) << (8 * k);
      at += bytes;
      if (!value(tag, number)) break;
      if ((tag == WIRE_TUPLE || tag == WIRE_SET) && number) continue;
      if (!closed()) break;
      if (open.empty()) {
        if (at == size) return true;
        break;
      }
    }
    used = start;
    return false;
  }

 private:
  bool value(u32 tag, u64 number) {
    if (tag < WIRE_SMALL) return put_int(tag, false);
    if (tag == WIRE_WIDE) return put_int(number, number >> 63);
    if (tag == WIRE_NONE) return put("null");
    if (tag == WIRE_LARGER) return put("{\"larger than\":") && put_int(MAX_NODES, false) && put("}");
    if (tag == WIRE_DEEPER) return put("{\"deeper than\":") && put_int(MAX_DEPTH, false) && put("}");
    if (tag != WIRE_TUPLE && tag != WIRE_SET) return false;
    bool is_set = tag == WIRE_SET;
    if (!put(is_set ? "{\"set\":[" : "[")) return false;
    if (!number) return put(is_set ? "]}" : "]");
    open.push_back(Open{number, is_set});
    return true;
  }

  // Write what follows a value: a comma, or the ends of all containers whose last part it is.
  bool closed() {
    while (!open.empty()) {
      if (--open.back().missing) return put(",");
      bool is_set = open.back().is_set;
      open.pop_back();
      if (!put(is_set ? "]}" : "]")) return false;
    }
    return true;
  }

  bool put(const char* text) {
    for (; *text; text++) {
      if (used == room) return false;
      to[used++] = static_cast<u8>(*text);
    }
    return true;
  }
  bool put_int(u64 number, bool is_negative) {
    u8 digits[20];
    u32 n = 0;
    u64 rest = is_negative ? 0 - number : number;
    do digits[n++] = static_cast<u8>('0' + rest % 10);
    while (rest /= 10);
    if (room - used < n + is_negative) return false;
    if (is_negative) to[used++] = '-';
    while (n) to[used++] = digits[--n];
    return true;
  }
};

}  // namespace batt
