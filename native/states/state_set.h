// The distinct states of a task: values over all its samples, each under a handle with the shortest way to make it.
// Host only.
#pragma once
#include "../core/kinds.h"
#include "keeper.h"

namespace batt {

// What made a state: an op (its number), a slice of a program (its number | SLICE), or the caller (GIVEN). A state that
// is given has length 0, or without a name NAMELESS, so that any program that makes it takes its place; any other is
// longer than its arguments, so no state is made of itself.
constexpr u32 SLICE = 1u << 31, GIVEN = 0xffffffffu;
constexpr u32 NAMELESS = 1u << 24;
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

// The kind of `n` values together, of which `kind_at` gives the kind of each. An empty set may be of any kind of set.
template <class KindAt> u8 common_kind(u32 n, KindAt kind_at) {
  auto is_set = [](u8 kind) { return kind >= INDICES_STATE && kind <= SET_STATE; };
  u8 first = kind_at(0), found = first & static_cast<u8>(~EMPTY_SET);
  bool are_empty = first & EMPTY_SET;
  for (u32 k = 1; k < n; k++) {
    u8 each = kind_at(k), kind = each & static_cast<u8>(~EMPTY_SET);
    bool is_empty = each & EMPTY_SET;
    if (kind != found && !(is_empty && is_set(found))) {
      if (!is_set(found) || !is_set(kind)) return ANY_STATE;
      found = are_empty ? kind : static_cast<u8>(SET_STATE);
    }
    are_empty &= is_empty;
  }
  return found;
}

// Where the values of a state are on a GPU: a row of its table, or one of these. AWAY marks values that are only there.
constexpr u32 AWAY = 1u << 31, NO_PLACE = AWAY - 1, PENDING = AWAY - 2;

class StateSet {
 public:
  StateSet(u32 sample_count, u64 most_bytes) : samples(sample_count), limit(most_bytes) { slots.assign(1024, 0); }

  const u32 samples;
  u64 refused = 0;            // values for which there was no room
  std::vector<Value> values;  // by handle, then by sample
  std::vector<u64> hashes;    // likewise
  std::vector<Derivation> derivations;
  std::vector<u8> kinds;
  std::vector<u32> places;  // on a GPU
  u64 away_count = 0;       // states whose values are only on a GPU
  u64 away_bytes = 0;       // of their values
  u64 unplaced = 0;         // states whose values are not on a GPU
  std::vector<u32> wanted;  // states whose values are needed here

  u64 size() const { return derivations.size(); }
  // Memory in use, with room in tables for states to come.
  u64 bytes() const {
    return keeper.bytes + away_bytes + derivations.capacity() * per_state() + slots.size() * sizeof(u32);
  }
  const Value* value(u32 handle) const { return values.data() + static_cast<u64>(handle) * samples; }
  bool is_away(u32 handle) const { return places[handle] & AWAY; }

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
    u64 needed = 0;
    for (u32 k = 0; k < samples; k++) needed += bytes_of(all[k]);
    if (!make_room(needed)) return NO_STATE;
    for (u32 k = 0; k < samples; k++) values.push_back(keeper.keep(all[k]));
    unplaced++;
    return finish(all_hashes, key, made_by, common_kind(samples, [all](u32 k) { return kind_of(all[k]); }), NO_PLACE);
  }

  // The same for values of this kind that are on a GPU, where `place` numbers them once that is known.
  u32 add_away(u64 value_bytes, u8 kind, const u64* all_hashes, u64 key, const Derivation& made_by) {
    if (!make_room(value_bytes)) return NO_STATE;
    values.resize(values.size() + samples, none());
    away_count++;
    away_bytes += value_bytes;
    return finish(all_hashes, key, made_by, kind, AWAY | PENDING);
  }

  // Keep the values of a state that was away. Its parts may lie anywhere.
  void bring(u32 handle, const Value* all) {
    if (!is_away(handle)) return;
    for (u32 k = 0; k < samples; k++) {
      away_bytes -= bytes_of(all[k]);
      values[static_cast<u64>(handle) * samples + k] = keeper.keep(all[k]);
    }
    away_count--;
    places[handle] &= ~AWAY;
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

  // Make room for one more state with values of these bytes. False if the limit does not allow it.
  bool make_room(u64 value_bytes) {
    u64 more = size() == derivations.capacity() ? larger<u64>(LEAST_MORE, size() / 4) : 0;
    bool is_full = 2 * (size() + 1) > slots.size();
    u64 needed = value_bytes + more * per_state() + (is_full ? slots.size() * sizeof(u32) : 0);
    if (bytes() + needed > limit || size() >= NO_STATE - 1) {
      refused++;
      return false;
    }
    if (more) reserve(size() + more);
    if (is_full) grow();
    return true;
  }

  u32 finish(const u64* all_hashes, u64 key, const Derivation& made_by, u8 kind, u32 place) {
    u32 handle = static_cast<u32>(size());
    hashes.insert(hashes.end(), all_hashes, all_hashes + samples);
    derivations.push_back(made_by);
    kinds.push_back(kind);
    places.push_back(place);
    put(key, handle);
    return handle;
  }

  // Make room in all tables. Twice the room, as vectors take by themselves, could be far above the limit.
  void reserve(u64 states) {
    values.reserve(states * samples);
    hashes.reserve(states * samples);
    kinds.reserve(states);
    places.reserve(states);
    derivations.reserve(states);
  }

  u64 per_state() const { return samples * (sizeof(Value) + sizeof(u64)) + sizeof(Derivation) + sizeof(u32) + 1; }

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
