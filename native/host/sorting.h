// The results of a block of evaluations: copied in another order, and sorted into finished and unfinished ones.
#pragma once
#include <cstring>

#include "worker.h"

namespace batt {

// A record of batt.runtime.records, which has no gaps.
constexpr u64 RECORD_BYTES = 19;

inline void write_record(u8* to, const Result& result) {
  u16 height = static_cast<u16>(result.shape >> 16), width = static_cast<u16>(result.shape & 0xffff);
  to[0] = result.status;
  to[1] = result.error;
  to[2] = result.equal;
  std::memcpy(to + 3, &result.hash, 8);
  std::memcpy(to + 11, &result.differing, 4);
  std::memcpy(to + 15, &height, 2);
  std::memcpy(to + 17, &width, 2);
}

// Write what is finished, in order. A status with its bit in `deferred` is not finished; nor is one beyond all bits.
// Return how many are finished. If all are, their columns are as given, and are not written.
inline u64 sort_results(const Result* results, u64 count, u32 deferred, const BlockColumns& from,
                        const SortedResults& to) {
  u64 kept = 0, others = 0;
  for (u64 k = 0; k < count; k++) {
    const Result& result = results[k];
    if (result.status >= 32 || (deferred >> result.status & 1)) {
      to.unfinished[others++] = static_cast<i64>(k);
      continue;
    }
    write_record(to.records + kept * RECORD_BYTES, result);
    to.steps[kept] = static_cast<i64>(result.steps);
    to.times[kept++] = result.time_ns;
  }
  for (u64 k = 0, at = 0, next = 0; others && k < count; k++) {
    if (next < others && to.unfinished[next] == static_cast<i64>(k)) {
      next++;
      continue;
    }
    to.numbers[at] = from.numbers[k];
    to.solvers[at] = from.solvers[k];
    to.samples[at++] = from.samples[k];
  }
  return kept;
}

}  // namespace batt
