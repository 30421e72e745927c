// The distinct states of a task: values over all its samples, each under a handle with the shortest way to make it.
// Host only.
#pragma once
#include "keeper.h"

namespace batt {

// What made a state: an op (its number), a slice of a program (its number | SLICE), or the caller (GIVEN). A state that
// is given has length 0; any other is longer than its arguments, so no state is made of itself.
constexpr u32 SLICE = 1u << 31, GIVEN = 0xffffffffu;
constexpr u32 NO_STATE = 0xffffffffu;
constexpr u32 MOST_ARGUMENTS = 6;  // of an op; or S, I and the parameters of a program
static_assert(MAX_ARITY <= MOST_ARGUMENTS, "an op has all its arguments");
constexpr i64 NO_ROOM = -2;  // the handle of a value for which there is no memory

// The shortest known way to make a state; `length` counts the steps of what it is made of, too.
struct Derivation {
  u32 callee, length;
  u32 arguments[MOST_ARGUMENTS];  // handles
};
static_assert(sizeof(Derivation) == 32, "Python counts on it");

enum StateKind : u8 {
  ANY_STATE,
  INT_STATE,
  PAIR_STATE,
  CELL_STATE,
  GRID_STATE,
  TUPLE_STATE,
  INDICES_STATE,
  OBJECT_STATE,
  OBJECTS_STATE,
  SET_STATE,
  FUNCTION_STATE
};

inline u8 kind_of_set(Value v) {
  const Value* items = reinterpret_cast<const Value*>(v.bits);
  u8 found = SET_STATE;
  for (u32 k = 0; k < v.n; k++) {
    u8 each = items[k].tag == PAIR    ? INDICES_STATE
              : items[k].tag == CELL  ? OBJECT_STATE
              : items[k].tag == CELLS ? OBJECTS_STATE
                                      : SET_STATE;
    if (k && each != found) return SET_STATE;
    found = each;
  }
  return found;
}

inline u8 kind_of(Value v) {
  switch (v.tag) {
    case INT: return INT_STATE;
    case PAIR: return PAIR_STATE;
    case CELL: return CELL_STATE;
    case ROW: return v.n == 2 ? PAIR_STATE : TUPLE_STATE;
    case GRID: return GRID_STATE;
    case TUPLE: return TUPLE_STATE;
    case PLACES: return INDICES_STATE;
    case CELLS: return OBJECT_STATE;
    case SET: return kind_of_set(v);
    case FN: return FUNCTION_STATE;
    default: return ANY_STATE;
  }
}

// The kind of values together. An empty set may be of any kind of set.
inline u8 kind_of(const Value* values, u32 n) {
  u8 found = kind_of(values[0]);
  for (u32 k = 1; k < n; k++) {
    u8 each = kind_of(values[k]);
    if (each == found || (each == SET_STATE && found >= INDICES_STATE && found <= SET_STATE && !values[k].n)) continue;
    bool was_empty = found == SET_STATE && each >= INDICES_STATE && each <= SET_STATE;
    for (u32 j = 0; j < k; j++) was_empty &= values[j].tag == SET && !values[j].n;
    if (was_empty) found = each;
    else if (found >= INDICES_STATE && found <= SET_STATE && each >= INDICES_STATE && each <= SET_STATE)
      found = SET_STATE;
    else return ANY_STATE;
  }
  return found;
}

class StateSet {
 public:
  StateSet(u32 sample_count, u64 most_bytes) : samples(sample_count), limit(most_bytes) { slots.assign(1024, 0); }

  const u32 samples;
  u64 refused = 0;            // values for which there was no room
  std::vector<Value> values;  // by handle, then by sample
  std::vector<u64> hashes;    // likewise
  std::vector<Derivation> derivations;
  std::vector<u8> kinds;

  u64 size() const { return derivations.size(); }
  // Memory in use, with room in tables for states to come.
  u64 bytes() const { return keeper.bytes + derivations.capacity() * per_state() + slots.size() * sizeof(u32); }
  const Value* value(u32 handle) const { return values.data() + static_cast<u64>(handle) * samples; }

  // The handle of the state with these hashes, one for each sample; NO_STATE if there is none.
  u32 find(const u64* all, u64 key) const {
    u64 mask = slots.size() - 1;
    for (u64 at = key & mask; slots[at]; at = (at + 1) & mask) {
      u32 handle = slots[at] - 1;
      if (!std::memcmp(hashes.data() + static_cast<u64>(handle) * samples, all, samples * sizeof(u64))) return handle;
    }
    return NO_STATE;
  }

  // Add a state that `find` does not find. NO_STATE if there is no room for it.
  u32 add(const Value* all, const u64* all_hashes, u64 key, const Derivation& made_by) {
    u64 more = size() == derivations.capacity() ? larger<u64>(LEAST_MORE, size() / 4) : 0, needed = more * per_state();
    bool is_full = 2 * (size() + 1) > slots.size();
    if (is_full) needed += slots.size() * sizeof(u32);
    for (u32 k = 0; k < samples; k++) needed += bytes_of(all[k]);
    if (bytes() + needed > limit || size() >= NO_STATE - 1) {
      refused++;
      return NO_STATE;
    }
    if (more) reserve(size() + more);
    if (is_full) grow();
    u32 handle = static_cast<u32>(size());
    for (u32 k = 0; k < samples; k++) values.push_back(keeper.keep(all[k]));
    hashes.insert(hashes.end(), all_hashes, all_hashes + samples);
    derivations.push_back(made_by);
    kinds.push_back(kind_of(value(handle), samples));
    put(key, handle);
    return handle;
  }

  // Keep the shorter of two ways to make a state; of equal ones the first.
  void shorten(u32 handle, const Derivation& made_by) {
    if (made_by.length < derivations[handle].length) derivations[handle] = made_by;
  }

  u64 key(const u64* all) const {
    u64 made = samples;
    for (u32 k = 0; k < samples; k++) made = (made ^ (all[k] ^ all[k] >> 29)) * 0x9e3779b97f4a7c15ull;
    return made ^ made >> 32;
  }

 private:
  const u64 limit;
  Keeper keeper;
  std::vector<u32> slots;  // of an open hash table: a handle plus 1, or 0

  static constexpr u64 LEAST_MORE = 8;  // states for which tables grow

  // Make room in all tables. Twice the room, as vectors take by themselves, could be far above the limit.
  void reserve(u64 states) {
    values.reserve(states * samples);
    hashes.reserve(states * samples);
    kinds.reserve(states);
    derivations.reserve(states);
  }

  u64 per_state() const { return samples * (sizeof(Value) + sizeof(u64)) + sizeof(Derivation) + 1; }

  // The bytes of a value and of all its parts, as a keeper counts them.
  static u64 bytes_of(Value v) {
    u64 own = (flat_bytes(v) + ALIGN - 1) & ~(ALIGN - 1);
    if (!has_parts(v)) return own;
    std::vector<Value> todo{v};
    while (!todo.empty()) {
      Value each = todo.back();
      todo.pop_back();
      for (u64 k = 0; k < flat_bytes(each) / sizeof(Value); k++) {
        Value part = reinterpret_cast<const Value*>(each.bits)[k];
        own += (flat_bytes(part) + ALIGN - 1) & ~(ALIGN - 1);
        if (has_parts(part)) todo.push_back(part);
      }
    }
    return own;
  }

  void put(u64 key, u32 handle) {
    u64 mask = slots.size() - 1, at = key & mask;
    while (slots[at]) at = (at + 1) & mask;
    slots[at] = handle + 1;
  }

  void grow() {
    slots.assign(2 * slots.size(), 0);
    for (u32 handle = 0; handle < size(); handle++)
      put(key(hashes.data() + static_cast<u64>(handle) * samples), handle);
  }
};

}  // namespace batt
