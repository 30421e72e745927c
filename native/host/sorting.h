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

// Write the records, steps and times of what is finished, in order, and the positions of both kinds. A status with its
// bit in `deferred` is not finished, nor is one beyond all bits. With `rows`, the result of evaluation k lies at
// rows[k]. Return how many are finished.
inline u64 sort_results(const Result* results, const i64* rows, u64 count, u32 deferred, u8* records, i64* steps,
                        u32* times, i64* kept, i64* unfinished) {
  u64 finished = 0, others = 0;
  for (u64 k = 0; k < count; k++) {
    const Result& result = results[rows ? static_cast<u64>(rows[k]) : k];
    if (result.status >= 32 || (deferred >> result.status & 1)) {
      unfinished[others++] = static_cast<i64>(k);
      continue;
    }
    write_record(records + finished * RECORD_BYTES, result);
    steps[finished] = static_cast<i64>(result.steps);
    times[finished] = result.time_ns;
    kept[finished++] = static_cast<i64>(k);
  }
  return finished;
}

// Copy each record to its number. The numbers of a block are spread over memory, so what is needed soon is asked for
// ahead.
inline void put_records(u8* records, const i64* numbers, const u8* made, u64 count) {
  constexpr u64 AHEAD = 16;
  for (u64 k = 0; k < count; k++) {
    if (k + AHEAD < count) __builtin_prefetch(records + static_cast<u64>(numbers[k + AHEAD]) * RECORD_BYTES, 1);
    std::memcpy(records + static_cast<u64>(numbers[k]) * RECORD_BYTES, made + k * RECORD_BYTES, RECORD_BYTES);
  }
}

}  // namespace batt
