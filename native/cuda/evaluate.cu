// The kernel of the GPU engine, in forms of one source. By default each thread runs one evaluation. With BATT_WARPS
// each warp runs one, for evaluations that take longer; its value is the number of warps in a block.
//
// A block takes several evaluations at a time: of one slice if there are enough, on samples of similar size. They
// advance in step, one instruction at a time, so that all fetch the same code: instruction fetch is the bottleneck. An
// evaluation that needs more steps, time or memory than the launch gives is deferred. The machine is the same as on the
// CPU.
#include "../machine/stage.h"

using namespace batt;

BATT_INLINE Region region_at(Addr from, u64 bytes) { return Region{from, from, from + bytes}; }

__device__ void prepare(Machine& m, const Launch& launch) {
  u64 place = (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) / LANES,
      values = sizeof(Value) * launch.value_room;
  u64 half = (launch.lane_bytes - values) / 2 / ALIGN * ALIGN;
  m.program = launch.program;
  m.frames = reinterpret_cast<Addr>(launch.frames) + place * launch.frame_room * sizeof(Frame);
  m.values = reinterpret_cast<Addr>(launch.memory) + place * launch.lane_bytes;
  m.frame_room = static_cast<u32>(launch.frame_room);
  m.value_room = static_cast<u32>(launch.value_room);
  m.vm.region[0] = region_at(m.values + values, half);
  m.vm.region[1] = region_at(m.values + values + half, half);
  m.vm.helper_names = launch.helper_names;
}

__device__ const DeviceSample& sample_at(const Launch& launch, u32 place) {
  return launch.samples[launch.stage_entries ? launch.stage_samples[place] : place];
}

// Set the sample of the next evaluation: its inputs, and the addresses of its staged values.
__device__ void bind(Machine& m, const Launch& launch, u32 place) {
  const DeviceSample& sample = sample_at(launch, place);
  m.inputs[0] = sample.demonstrations;
  m.inputs[1] = sample.input;
  m.parameters = sample.parameters;
  m.stage_values = reinterpret_cast<Addr>(launch.stages) + place * launch.stage_bytes;
  m.stage = m.stage_values + sizeof(Value) * launch.stage_entries;
}

__device__ void begin(Machine& m, const Launch& launch, u32 number) {
  bind(m, launch, launch.numbers[number]);
  BATT_NO_UNROLL
  for (u32 k = 0; k < 2; k++) cut_back(m.vm.region[k], m.vm.region[k].base);
  begin_budget(m.vm, launch.budget);
  m.vm.steps_left = smaller(launch.steps, launch.budget.steps);
  m.steps_reserved = launch.budget.steps - m.vm.steps_left;
  m.vm.deadline = now(m.vm) + launch.ticks;
  begin_routine(m, launch.routines[number]);
}

// Write a grid of small ints to the outputs. False for any other value, for one that is too large, and if there is no
// room.
__device__ bool put_output(Machine& m, const Launch& launch, u32 number, Value made) {
  constexpr u32 WIRE_TUPLE = 242, WIRE_SMALL = 240, MAX_NODES = 200000;  // see batt.bytecode.wire and batt.types.plain
  if (made.tag != GRID) return false;
  u32 h = grid_h(made), w = grid_w(made);
  u64 pitch = 5 + static_cast<u64>(w), bytes = 5 + h * pitch, at = 0;
  if (1 + h * (1 + static_cast<u64>(w)) > MAX_NODES) return false;
  for (u64 k = 0; k < static_cast<u64>(h) * w; k++)
    if (mem<u8>(m.vm, made.bits, k) >= WIRE_SMALL) return false;
  if (bytes >= 1u << 24) return false;
  if (lane(m.vm) == 0) at = atomicAdd(launch.output_used, bytes);
  at = from_lane(m.vm, at, 0);
  if (at + bytes > launch.output_room) return false;
  auto put_head = [](u8* to, u32 n) {
    to[0] = WIRE_TUPLE;
    BATT_NO_UNROLL
    for (u32 k = 0; k < 4; k++) to[1 + k] = static_cast<u8>(n >> (8 * k));
  };
  u8* to = launch.outputs + at;
  put_head(to, h);
  for_all(m.vm, h, [&](u64 i) {
    u8* row = to + 5 + i * pitch;
    put_head(row, w);
    for (u32 j = 0; j < w; j++) row[5 + j] = mem<u8>(m.vm, made.bits, i * w + j);
  });
  launch.output_ends[number] = at << 24 | bytes;
  return true;
}

__device__ Result result_of(Machine& m, const Launch& launch, u32 number) {
  const DeviceSample& sample = sample_at(launch, launch.numbers[number]);
  Budget budget = launch.budget;
  i64 took = now(m.vm) - (m.vm.deadline - launch.ticks);
  Value made = stopped(m.vm) ? none() : m.value;
  // Some kernels stop before they would exceed the budget, so OVER_BUDGET may mean the launch's smaller limit.
  bool ran_out = m.vm.status == STOPPED || (m.vm.status == OVER_BUDGET && m.steps_reserved);
  if (!stopped(m.vm) && is_heavy(m.vm, made, budget.max_items)) stop_with(m.vm, OVER_BUDGET);
  m.vm.steps_left += m.steps_reserved;
  Result result = score(m.vm, made, sample.expected, sample.is_known != 0, budget);
  if (ran_out || m.vm.status == STOPPED) result.status = ENDED_LAUNCH_LIMIT;
  if (launch.outputs && result.status == ENDED_OK && !put_output(m, launch, number, made)) {
    result.status = ENDED_UNSUPPORTED;
    result.cause = OTHER_OUTPUT;
  }
  result.time_ns = static_cast<u32>(smaller<i64>(took, 0xffffffffll));  // in ticks
  return result;
}

constexpr u32 NO_EVALUATION = 0xffffffffu;  // a row that pads a group
#ifdef BATT_WARPS
constexpr u32 BLOCK_EVALUATIONS = BATT_WARPS;  // the most evaluations of a block
#else
constexpr u32 BLOCK_EVALUATIONS = 256;
#endif
constexpr u32 BLOCK_THREADS = BLOCK_EVALUATIONS * LANES;

extern "C" __global__ void __launch_bounds__(BLOCK_THREADS) batt_evaluate(Launch launch) {
  __shared__ u32 first;
#ifdef BATT_WARPS
  // All lanes of a warp write the same values to one machine.
  __shared__ alignas(16) u8 machines[BLOCK_EVALUATIONS][sizeof(Machine)];
  Machine& m = *reinterpret_cast<Machine*>(machines[threadIdx.x / LANES]);
  m = Machine{};
  m.vm.is_warp = true;
#else
  Machine m{};
#endif
  prepare(m, launch);
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(launch.next, blockDim.x / LANES);
    __syncthreads();
    if (first >= launch.count) return;
    u32 number = first + threadIdx.x / LANES;
    bool is_mine = number < launch.count && launch.numbers[number] != NO_EVALUATION, is_running = is_mine;
    if (is_mine) begin(m, launch, number);
    while (__syncthreads_or(is_running))
      if (is_running) is_running = run_one(m);
    if (!is_mine) continue;
    Result result = result_of(m, launch, number);
    if (lane(m.vm) == 0) launch.results[number] = result;
  }
}

#ifdef BATT_WARPS
// Move a value from the memory of a warp, both sides of it, to the stage of a sample. A value that would grow when
// copied is not moved.
__device__ Value keep(Machine& m, Region& stage, Value made) {
  Region first = m.vm.region[0], second = m.vm.region[1];
  Addr from = first.base;
  sync_lanes(m.vm);
  m.vm.region[0] = stage;
  m.vm.region[1] = Region{first.base, second.top, second.end};
  Value kept = evacuate(m.vm, made, from);
  if (from != first.base) unsupported(m.vm, ARENA_FULL);
  if (!stopped(m.vm)) stage = m.vm.region[0];
  sync_lanes(m.vm);
  m.vm.region[0] = first;
  m.vm.region[1] = second;
  sync_lanes(m.vm);
  return kept;
}

// Compute the staged values of each sample: constants and values of the task too, so that no sample waits for another.
// An entry that lacks room or time records that, and evaluations that read it are deferred.
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS) batt_stage(Launch launch) {
  __shared__ alignas(16) u8 machines[BLOCK_EVALUATIONS][sizeof(Machine)];
  Machine& m = *reinterpret_cast<Machine*>(machines[threadIdx.x / LANES]);
  m = Machine{};
  m.vm.is_warp = true;
  prepare(m, launch);
  __syncthreads();
  for (;;) {
    u32 place = 0;
    if (lane(m.vm) == 0) place = atomicAdd(launch.next, 1u);
    place = from_lane(m.vm, place, 0);
    if (place >= launch.count) return;
    bind(m, launch, place);
    m.vm.deadline = now(m.vm) + launch.ticks;
    u64 used = (sizeof(Value) + sizeof(Staged)) * launch.stage_entries;
    used = (used + ALIGN - 1) / ALIGN * ALIGN;
    Region stage = region_at(m.stage_values + used, launch.stage_bytes - used);
    for (u32 k = 0; k < launch.stage_entries; k++) {
      BATT_NO_UNROLL
      for (u32 side = 0; side < 2; side++) cut_back(m.vm.region[side], m.vm.region[side].base);
      compute_entry(m, k, launch.stage_rows[k].routine, launch.budget, [&](Value& made, Addr) {
        made = keep(m, stage, made);
        return !stopped(m.vm);
      });
      sync_lanes(m.vm);
    }
  }
}
#endif
