// The C interface of the native engine, which batt.runtime.native loads with ctypes. Nothing else is exported.
#include <new>

#include "freeze.h"
#include "json.h"
#include "sorting.h"

#if defined(_WIN32)
#define BATT_API extern "C" __declspec(dllexport)
#else
#define BATT_API extern "C" __attribute__((visibility("default")))
#endif

using namespace batt;

template <class Write> static u64 frozen(u8* to, u64 room, u64 base, Write write) {
  try {
    Freezer freezer(base);
    write(freezer);
    if (freezer.bytes.size() <= room) std::copy(freezer.bytes.begin(), freezer.bytes.end(), to);
    return freezer.bytes.size();
  } catch (const std::bad_alloc&) { return 0; }
}

BATT_API u32 batt_abi() { return INTERFACE; }
BATT_API u32 batt_table_digest() { return TABLE_DIGEST; }
BATT_API const char* batt_flaw(u32 flaw) { return flaw_text(flaw); }

// Check and load bytecode. Null if it is malformed; `flaw` and `where` then say what is wrong, and at which word.
BATT_API LoadedProgram* batt_program_load(const u32* words, u64 count, const u8* pool, u64 pool_bytes, u32* flaw,
                                          u64* where) {
  try {
    auto made = std::make_unique<LoadedProgram>();
    Loader loader(*made, words, count, pool, pool_bytes);
    bool good = loader.load();
    *flaw = loader.flaw;
    *where = loader.where;
    return good ? made.release() : nullptr;
  } catch (const std::bad_alloc&) {
    *flaw = NO_MEMORY;
    *where = 0;
    return nullptr;
  }
}
BATT_API void batt_program_free(LoadedProgram* program) { delete program; }
BATT_API u64 batt_program_slices(const LoadedProgram* program) { return program->slices.size(); }

// Write the wire forms of rectangles that Python's marshal wrote, one after the other; that of anything else is empty.
// `to` has as much room as `data` has bytes.
BATT_API void batt_pack_rectangles(const u8* data, const u64* ends, u64 count, u8* to, u64* to_ends) {
  u64 from = 0, used = 0;
  for (u64 k = 0; k < count; k++) {
    used += pack_rectangle(data + from, ends[k] - from, to + used);
    to_ends[k] = used;
    from = ends[k];
  }
}

// Load values, whose bytes end at `ends`, and the samples and assignments (i64[][MAX_PARAMETERS]) that refer to them.
// Null if a value is malformed.
BATT_API LoadedBatch* batt_batch_load(const u8* bytes, const u64* ends, u64 values, const SampleRow* samples,
                                      u64 sample_count, const i64* assignments, u64 assignment_count) {
  try {
    auto made = std::make_unique<LoadedBatch>();
    u64 from = 0;
    for (u64 k = 0; k < values; k++) {
      if (ends[k] < from) return nullptr;
      WireReader reader{bytes + from, ends[k] - from};
      Value value = reader.read_into(made->store);
      if (reader.bad || reader.at != reader.size) return nullptr;
      made->values.push_back(value);
      from = ends[k];
    }
    for (u64 k = 0; k < sample_count; k++) {
      for (i64 at : {samples[k].demonstrations, samples[k].input, samples[k].expected})
        if (at < -1 || at >= static_cast<i64>(values)) return nullptr;
      if (samples[k].assignment < -1 || samples[k].assignment >= static_cast<i64>(assignment_count)) return nullptr;
      made->samples.push_back(samples[k]);
    }
    for (u64 k = 0; k < assignment_count * MAX_PARAMETERS; k++) {
      if (assignments[k] < -1 || assignments[k] >= static_cast<i64>(values)) return nullptr;
      made->parameters.push_back(assignments[k] < 0 ? none() : made->values[static_cast<u64>(assignments[k])]);
    }
    return made.release();
  } catch (const std::bad_alloc&) { return nullptr; }
}
BATT_API void batt_batch_free(LoadedBatch* batch) { delete batch; }

// Write a program or a batch as bytes for the address `base`, if there is `room`. Return the number of bytes.
BATT_API u64 batt_program_freeze(const LoadedProgram* program, u64 base, u8* to, u64 room, FrozenProgram* parts,
                                 u32* slices) {
  return frozen(to, room, base, [&](Freezer& freezer) {
    *parts = freeze(freezer, *program, base);
    if (slices) std::copy(program->slices.begin(), program->slices.end(), slices);
  });
}
BATT_API u64 batt_batch_freeze(const LoadedBatch* batch, u64 base, u8* to, u64 room) {
  return frozen(to, room, base, [&](Freezer& freezer) { freeze(freezer, *batch, base); });
}

BATT_API Worker* batt_worker_new(const WorkerMemory* memory) {
  std::unique_ptr<Worker> made(new (std::nothrow) Worker);
  return made && made->reserve(*memory) ? made.release() : nullptr;
}
// Count calls in the worker's next runs: Tally[ops] and Tally[code words], or null for none.
BATT_API void batt_worker_profile(Worker* worker, Tally* by_op, Tally* by_word) { worker->profile(by_op, by_word); }
// The clock of tallies, for the caller to measure its unit.
BATT_API u64 batt_ticks() { return ticks(); }
BATT_API void batt_worker_free(Worker* worker) { delete worker; }

// Run evaluations: slice k on sample k. Return how many are done: fewer than n if `stop` was set, outputs have no room,
// or a number is out of range.
BATT_API u64 batt_run(Worker* worker, const LoadedProgram* program, const LoadedBatch* batch, const u32* slices,
                      const u32* samples, u64 n, const Budget* budget, Result* results, Outputs* outputs,
                      const volatile u32* stop, volatile u64* done) {
  for (u64 k = 0; k < n; k++)
    if (slices[k] >= program->slices.size() || samples[k] >= batch->samples.size()) return 0;
  return worker->run(*program, *batch, slices, samples, n, *budget, results, outputs, stop, done);
}

// Run a block: the program at solvers[k], whose slice is in `slice_of`, on sample k. Sort the results of what is done,
// as `batt_sort_results` does. Return how many are done, as `batt_run` does, and in `finished` how many of these are.
BATT_API u64 batt_run_block(Worker* worker, const LoadedProgram* program, const LoadedBatch* batch, const i64* slice_of,
                            u64 programs, const i64* solvers, const i64* samples, u64 n, const Budget* budget,
                            Result* results, Outputs* outputs, const volatile u32* stop, volatile u64* done,
                            u32 deferred, u8* records, i64* steps, u32* times, i64* kept, i64* unfinished,
                            u64* finished) {
  *finished = 0;
  try {
    if (!worker->take(*program, *batch, slice_of, programs, solvers, samples, n)) return 0;
  } catch (const std::bad_alloc&) { return 0; }
  u64 count = worker->run_taken(*program, *batch, *budget, results, outputs, stop, done);
  *finished = sort_results(results, nullptr, count, deferred, records, steps, times, kept, unfinished);
  return count;
}

// Write values, whose bytes lie from `starts` to `ends`, as JSON texts that end at `text_ends`. A value that is
// deferred to the caller has no text. False if there is not enough memory.
BATT_API u32 batt_json(const u8* data, const u64* starts, const u64* ends, u64 count, u8* to, u64 room,
                       u64* text_ends) {
  try {
    JsonWriter writer{to, room};
    for (u64 k = 0; k < count; k++) {
      writer.write(data + starts[k], ends[k] - starts[k]);
      text_ends[k] = writer.used;
    }
    return 1;
  } catch (const std::bad_alloc&) { return 0; }
}

// Copy the results at these rows.
BATT_API void batt_take_results(const Result* results, const i64* rows, u64 count, Result* to) {
  for (u64 k = 0; k < count; k++) to[k] = results[rows[k]];
}

// Sort results, those at `rows` if it is not null, into finished and unfinished evaluations; return the number of the
// former.
BATT_API u64 batt_sort_results(const Result* results, const i64* rows, u64 count, u32 deferred, u8* records, i64* steps,
                               u32* times, i64* kept, i64* unfinished) {
  return sort_results(results, rows, count, deferred, records, steps, times, kept, unfinished);
}

// Copy `count` records to `records`, each to its number.
BATT_API void batt_put_records(u8* records, const i64* numbers, const u8* made, u64 count) {
  put_records(records, numbers, made, count);
}

#include "../states/api.h"
