// Read calls from arrays, and check that their numbers are in range. Host only.
#pragma once
#include "apply.h"

namespace batt {

// Integers of 64 bits, `stride` bytes apart: one for each call, or with the stride 0 one for all.
struct CallColumn {
  const u8* first;
  i64 stride;

  i64 at(u64 k) const {
    i64 found;
    std::memcpy(&found, first + static_cast<i64>(k) * stride, sizeof found);
    return found;
  }
};

// Write the handles of the arguments of some calls, and the callees of those calls if they are `given`; what is below 0
// is missing. False if a number is too large.
inline bool read_calls(const CallColumn* columns, u64 column_count, const CallColumn* given, u64 callee_count, u64 from,
                       u64 count, u32* arguments, u32* called) {
  bool are_good = true;
  for (u64 k = from; k < from + count; k++) {
    u32* row = arguments + k * MOST_ARGUMENTS;
    for (u64 j = 0; j < MOST_ARGUMENTS; j++) {
      i64 handle = j < column_count ? columns[j].at(k) : -1;
      are_good &= handle < static_cast<i64>(NO_STATE);
      row[j] = handle < 0 ? NO_STATE : static_cast<u32>(handle);
    }
    if (!given) continue;
    i64 callee = given->at(k);
    are_good &= callee >= 0 && static_cast<u64>(callee) < callee_count;
    called[k] = static_cast<u32>(callee);
  }
  return are_good;
}

// Whether all callees and arguments exist. The values of arguments are here, unless they `may_be_away`.
inline bool are_good_calls(const StateSet& set, const Calls& calls, u64 callee_count, u64 count, bool may_be_away) {
  for (u64 k = 0; k < callee_count; k++) {
    u32 code = calls.callees[k].code;
    if (code & SLICE ? (code ^ SLICE) >= calls.program.slices.size() : code >= OP_COUNT) return false;
  }
  bool may_miss = !may_be_away && set.away_count;
  for (u64 k = 0; k < count; k++) {
    if (calls.called && calls.called[k] >= callee_count) return false;
    u32 code = calls.callee(k).code, needed = code & SLICE ? 0 : OP_ARITY[code];
    for (u32 j = 0; j < MOST_ARGUMENTS; j++) {
      u32 handle = calls.arguments[k * MOST_ARGUMENTS + j];
      if (handle == NO_STATE ? j < needed : handle >= set.size()) return false;
      if (may_miss && handle != NO_STATE && set.is_away(handle)) return false;
    }
  }
  return true;
}

}  // namespace batt
