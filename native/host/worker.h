// A worker: the memory of a machine, which runs one evaluation after another. Host only; a worker serves one thread.
#pragma once
#include <chrono>

#include "image.h"

namespace batt {

struct LoadedBatch {
  std::vector<Value> values;
  std::vector<SampleRow> samples;
  std::vector<Value> parameters = std::vector<Value>(MAX_PARAMETERS, none());  // of no assignment, then of each
  Store store;

  u64 first_parameter(const SampleRow& row) const { return static_cast<u64>(row.assignment + 1) * MAX_PARAMETERS; }
};

constexpr u32 FRAMES = 6000;  // for 900 calls of function values and the loops between them
constexpr u32 VALUES = 1u << 17;

class Worker {
  using Clock = std::chrono::steady_clock;
  friend class Caller;

 public:
  bool reserve(const WorkerMemory& given) {
    memory = given;
    return side[0].reserve(memory.arena_bytes / 2) && side[1].reserve(memory.arena_bytes / 2) &&
           frames.reserve(sizeof(Frame) * FRAMES) && values.reserve(sizeof(Value) * VALUES);
  }

  // Count calls, steps and ticks into these arrays, by op and by the first word of an instruction; null to stop.
  void profile(Tally* by_op, Tally* by_word) {
    op_tallies = reinterpret_cast<Addr>(by_op);
    code_tallies = reinterpret_cast<Addr>(by_word);
  }

  // Take evaluations given by the positions of programs and samples: `slice_of` has the slice of each program. False if
  // a number is out of range.
  bool take(const LoadedProgram& program, const LoadedBatch& batch, const i64* slice_of, u64 programs,
            const i64* solvers, const i64* samples, u64 n) {
    taken.resize(n);
    taken_rows.resize(n);
    for (u64 k = 0; k < n; k++) {
      u64 solver = static_cast<u64>(solvers[k]), row = static_cast<u64>(samples[k]);
      if (solver >= programs || row >= batch.samples.size()) return false;
      u64 slice = static_cast<u64>(slice_of[solver]);
      if (slice >= program.slices.size()) return false;
      taken[k] = static_cast<u32>(slice);
      taken_rows[k] = static_cast<u32>(row);
    }
    return true;
  }

  // Run the evaluations that were taken, as below.
  u64 run_taken(const LoadedProgram& program, const LoadedBatch& batch, const Budget& given, Result* results,
                Outputs* outputs, const volatile u32* stop, volatile u64* done) {
    return run(program, batch, taken.data(), taken_rows.data(), taken.size(), given, results, outputs, stop, done);
  }

  // Run evaluations in order; samples of one task should be adjacent. Return how many are done. `stop` is a `Stop`,
  // which another thread may set.
  u64 run(const LoadedProgram& program, const LoadedBatch& batch, const u32* slices, const u32* samples, u64 n,
          const Budget& given, Result* results, Outputs* outputs, const volatile u32* stop, volatile u64* done) {
    begin(program, given, stop);
    Clock::time_point began = Clock::now();
    u64 first_tick = clock_ticks(), k = 0;
    took.resize(n);
    for (; k < n; k++) {
      *done = k;
      // The first one runs even if others are idle by now.
      if (*stop == STOP_AT_ONCE || (*stop && k)) break;
      const SampleRow& row = batch.samples[samples[k]];
      bind(batch, row, samples[k]);
      if (!one(batch, row, program.slices[slices[k]], results[k], outputs, k)) break;
    }
    *done = k;
    set_times(results, k, clock_ticks() - first_tick, Clock::now() - began);
    return k;
  }

 private:
  Block side[2], frames, values;
  WorkerMemory memory{};
  Machine m{};
  Addr op_tallies = 0, code_tallies = 0;
  const LoadedProgram* p = nullptr;
  Budget budget{};
  std::vector<u32> taken, taken_rows;  // slices and samples of the evaluations that were taken
  std::vector<u64> took;               // by evaluation of a run, in ticks
  OutputWriter writer;
  std::vector<Staged> staged;
  std::vector<Value> staged_values;
  Addr marks[4][2] = {};  // tops of both sides: after the constants, the task's values, the sample's, the assignment's
  i64 task = -1, input = -1;
  u64 sample = ~0ull;

  void begin(const LoadedProgram& program, const Budget& given, const volatile u32* stop) {
    p = &program;
    budget = given;
    m.vm = Vm{};
    m.vm.region[0] = side[0].region();
    m.vm.region[1] = side[1].region();
    m.vm.helper_names = reinterpret_cast<Addr>(program.names.data());
    m.vm.stop = stop;
#ifdef BATT_SPLIT_LOOPS
    m.vm.is_warp = true;
#endif
    m.program = program.program();
    m.vm.op_tallies = op_tallies;
    m.code_tallies = code_tallies;
    Region frame_region = frames.region(), value_region = values.region();
    unpoison(frame_region.base, sizeof(Frame) * FRAMES);
    unpoison(value_region.base, sizeof(Value) * VALUES);
    m.frames = frame_region.base;
    m.values = value_region.base;
    m.frame_room = FRAMES;
    m.value_room = VALUES;
    staged.assign(program.stage.size(), Staged{});
    staged_values.assign(program.stage.size(), none());
    m.stage = reinterpret_cast<Addr>(staged.data());
    m.stage_values = reinterpret_cast<Addr>(staged_values.data());
    m.stage_rows = reinterpret_cast<Addr>(program.stage.data());
    for (Value& each : m.inputs) each = none();
    m.parameters = 0;
    task = input = -1;
    sample = ~0ull;
    fill(0);
    mark(0);
  }

  // A fast clock; the time of a whole run gives its unit.
  static u64 clock_ticks() {
    u64 now = ticks();
    return now ? now : static_cast<u64>(Clock::now().time_since_epoch().count());
  }

  void set_times(Result* results, u64 n, u64 all_ticks, Clock::duration whole) {
    double whole_ns = static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(whole).count());
    double tick_ns = all_ticks ? whole_ns / static_cast<double>(all_ticks) : 0;
    for (u64 k = 0; k < n; k++)
      results[k].time_ns = static_cast<u32>(std::min(static_cast<double>(took[k]) * tick_ns, 4294967295.0));
  }

  void mark(u32 level) {
    for (u32 k = 0; k < 2; k++) marks[level][k] = m.vm.region[k].top;
  }
  void release(u32 level) {
    m.vm.side = 0;
    for (u32 k = 0; k < 2; k++) cut_back(m.vm.region[k], marks[level][k]);
  }

  // Set the sample of the next evaluation: its inputs and its staged values.
  void bind(const LoadedBatch& batch, const SampleRow& row, u64 number) {
    if (number == sample) return;
    auto value = [&batch](i64 at) { return at < 0 ? none() : batch.values[static_cast<u64>(at)]; };
    m.inputs[0] = value(row.demonstrations);
    m.parameters = reinterpret_cast<Addr>(batch.parameters.data() + batch.first_parameter(row));
    if (row.task != task) {
      release(0);
      m.inputs[1] = none();
      fill(1);
      mark(1);
      task = row.task;
      input = -1;
    }
    // Another assignment on the same input keeps the values of the sample.
    if (row.input != input) {
      release(1);
      m.inputs[1] = value(row.input);
      fill(2);
      mark(2);
      input = row.input;
    }
    release(2);
    fill(3);
    mark(3);
    sample = number;
  }

  void fill(u32 level) {
    for (u32 k = 0; k < p->stage.size(); k++)
      if (p->stage[k].level == level)
        compute_entry(m, k, p->stage[k].routine, budget,
                      [this](Value& made, Addr before) { return keep_staged(made, before); });
  }

  // Move a staged value to side 0. False, and nothing moved, if the stage would exceed its bytes or the machine
  // stopped.
  bool keep_staged(Value& made, Addr before) {
    Addr undo = m.vm.region[0].top;
    made = evacuate(m.vm, made, before);
    u64 used = (m.vm.region[0].top - side[0].first()) + (m.vm.region[1].top - side[1].first());
    if (!stopped(m.vm) && used <= memory.stage_bytes) return true;
    cut_back(m.vm.region[0], undo);
    return false;
  }

  // Run one evaluation. False if it is not done: it was stopped from outside, or its output has no room.
  bool one(const LoadedBatch& batch, const SampleRow& row, u32 routine, Result& result, Outputs* outputs, u64 number) {
    release(3);
    begin_budget(m.vm, budget);
    u64 began = clock_ticks();
    Value made = execute(m, routine);
    took[number] = clock_ticks() - began;
    if (!stopped(m.vm) && is_heavy(m.vm, made, budget.max_items)) stop_with(m.vm, OVER_BUDGET);
    Value expected = row.expected < 0 ? none() : batch.values[static_cast<u64>(row.expected)];
    result = score(m.vm, made, expected, row.expected >= 0, budget);
    bool heavy = budget.steps - m.vm.steps_left > memory.trim_steps;
    bool kept = m.vm.status != STOPPED && keep(made, result, outputs, number);
    release(3);
    if (heavy) trim();
    expect_stage_in_use();
    return kept;
  }

  // Sanitizer builds: check that all staged values can be accessed.
  void expect_stage_in_use() const {
#ifdef BATT_POISON
    for (const Value& each : staged_values)
      if (u64 bytes = flat_bytes(each)) {
        expect_in_use(each.bits);
        expect_in_use(each.bits + bytes - 1);
      }
#endif
  }

  // Return memory to the system, but never below the top of a side, where staged values are.
  void trim() {
    for (u32 k = 0; k < 2; k++) side[k].trim(larger(memory.trim_bytes, m.vm.region[k].top - side[k].first()));
  }

  bool keep(Value made, Result& result, Outputs* outputs, u64 number) {
    if (!outputs) return true;
    if (result.status == ENDED_OK && !writer.write(m.vm, made)) {
      result.status = ENDED_UNSUPPORTED;
      result.cause = LONG_FORM;
    }
    if (result.status == ENDED_OK) {
      const std::vector<u8>& bytes = writer.bytes;
      if (bytes.size() > outputs->room - outputs->used) {
        outputs->needed = bytes.size();
        return false;
      }
      std::memcpy(outputs->data + outputs->used, bytes.data(), bytes.size());
      outputs->used += bytes.size();
    }
    outputs->ends[number] = outputs->used;
    return true;
  }
};

}  // namespace batt
