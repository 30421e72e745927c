// The GPU engine's kernel, in two forms of one source. Lanes: each thread runs an evaluation of its own; a block takes a group of them, of one
// slice and on samples of similar size, and goes on to the next instruction when all have done one, so that they fetch the same code.
// Together (BATT_TOGETHER): the lanes of a warp run one evaluation, for those that take long. What a launch is too small for, in steps,
// time or memory, is left to the caller. The whole machine is the CPU's.
#include "../machine/score.h"

using namespace batt;

constexpr u8 LEFT_OVER = 5;  // the status of an evaluation that met a limit of the launch and not of its budget
static_assert(sizeof(Frame) == 144, "batt.runtime.cuda.launch takes memory for them");

// A sample with its values at hand: DeviceSample of host/freeze.h.
struct DeviceSample {
  Value demonstrations, input, expected;
  i64 task;
  u64 is_known;
};

// LAUNCH_TYPE of batt.runtime.cuda.launch.
struct Launch {
  Program program;
  Addr helper_names;
  const DeviceSample* samples;
  const u32* routines;  // by evaluation: what it runs
  const u32* numbers;   // by evaluation: its sample, or none
  Result* results;      // by evaluation
  u32* next;            // the queue: the first evaluation that nobody has taken
  u8* memory;           // of all evaluations that are under way at once: values, then both sides of an arena
  u64 lane_bytes;       // of which each has so many
  u8* frames;           // Frame[evaluations under way][frame_room]
  u64 frame_room, value_room;
  u64 count;
  i64 steps;            // that an evaluation may take in this launch
  i64 ticks;            // … and how long by the clock of its processor
  Budget budget;
  u8* outputs;          // grids that evaluations came to, as they stand on the wire; 0 where nobody asks for them
  u64 output_room;
  u64* output_used;
  u64* output_ends;     // by evaluation: where its output begins << 24 | its bytes
};
static_assert(sizeof(Launch) == 192, "the host writes it");

BATT_FN Region region_at(Addr from, u64 bytes) { return Region{from, from, from + bytes}; }

__device__ void prepare(Machine& m, const Launch& launch) {
  u64 place = (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) / LANES, values = sizeof(Value) * launch.value_room;
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

__device__ void begin(Machine& m, const Launch& launch, u32 number) {
  const DeviceSample& sample = launch.samples[launch.numbers[number]];
  m.inputs[0] = sample.demonstrations;
  m.inputs[1] = sample.input;
  for (u32 k = 0; k < 2; k++) cut_back(m.vm.region[k], m.vm.region[k].base);
  begin_budget(m.vm, launch.budget);
  m.vm.steps_left = smaller(launch.steps, launch.budget.steps);
  m.vm.deadline = now() + launch.ticks;
  begin_routine(m, launch.routines[number]);
}

// Put a grid of small ints where outputs go; false for any other value, and where there is no room.
__device__ bool put_output(Machine& m, const Launch& launch, u32 number, Value made) {
  constexpr u32 WIRE_TUPLE = 242, WIRE_SMALL = 240;  // of batt.bytecode.wire
  if (made.tag != GRID) return false;
  u32 h = grid_h(made), w = grid_w(made);
  u64 pitch = 5 + static_cast<u64>(w), bytes = 5 + h * pitch, at = 0;
  for (u64 k = 0; k < static_cast<u64>(h) * w; k++) if (mem<u8>(m.vm, made.bits, k) >= WIRE_SMALL) return false;
  if (bytes >= 1u << 24) return false;
  if (lane() == 0) at = atomicAdd(launch.output_used, bytes);
  at = from_lane(at, 0);
  if (at + bytes > launch.output_room) return false;
  auto put_head = [](u8* to, u32 n) {
    to[0] = WIRE_TUPLE;
    for (u32 k = 0; k < 4; k++) to[1 + k] = static_cast<u8>(n >> (8 * k));
  };
  u8* to = launch.outputs + at;
  put_head(to, h);
  for_all(h, [&](u64 i) {
    u8* row = to + 5 + i * pitch;
    put_head(row, w);
    for (u32 j = 0; j < w; j++) row[5 + j] = mem<u8>(m.vm, made.bits, i * w + j);
  });
  launch.output_ends[number] = at << 24 | bytes;
  return true;
}

__device__ Result result_of(Machine& m, const Launch& launch, u32 number) {
  const DeviceSample& sample = launch.samples[launch.numbers[number]];
  Budget budget = launch.budget;
  i64 given = smaller(launch.steps, budget.steps), took = now() - (m.vm.deadline - launch.ticks);
  Value made = stopped(m.vm) ? none() : m.value;
  // Some kernels see ahead that their steps will not do: nothing tells then which limit it was.
  bool ran_out = m.vm.status == STOPPED || (m.vm.status == OVER_BUDGET && given < budget.steps);
  if (!stopped(m.vm) && is_heavy(m.vm, made, budget.max_items)) stop_with(m.vm, OVER_BUDGET);
  m.vm.steps_left += budget.steps - given;
  Result result = score(m.vm, made, sample.expected, sample.is_known != 0, budget);
  if (ran_out || m.vm.status == STOPPED) result.status = LEFT_OVER;
  if (launch.outputs && result.status == ENDED_OK && !put_output(m, launch, number, made)) {
    result.status = ENDED_UNSUPPORTED;
    result.cause = OTHER_OUTPUT;
  }
  result.time_ns = static_cast<u32>(smaller<i64>(took, 0xffffffffll));  // in ticks
  return result;
}

#ifdef BATT_TOGETHER
constexpr u32 WARPS = 8;  // of a block

extern "C" __global__ void __launch_bounds__(WARPS * LANES, 2) batt_evaluate(Launch launch) {
  // One machine for all lanes of a warp: what they write is the same.
  __shared__ alignas(16) u8 machines[WARPS][sizeof(Machine)];
  Machine& m = *reinterpret_cast<Machine*>(machines[threadIdx.x / LANES]);
  m = Machine{};
  prepare(m, launch);
  meet();
  for (;;) {
    u32 number = 0;
    if (lane() == 0) number = atomicAdd(launch.next, 1u);
    number = from_lane(number, 0);
    if (number >= launch.count) return;
    begin(m, launch, number);
    while (go_ahead(m)) {}
    Result result = result_of(m, launch, number);
    if (lane() == 0) launch.results[number] = result;
    meet();
  }
}
#else
constexpr u32 NO_EVALUATION = 0xffffffffu;  // a row that fills up a group

extern "C" __global__ void batt_evaluate(Launch launch) {
  __shared__ u32 first;
  Machine m{};
  prepare(m, launch);
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(launch.next, blockDim.x);
    __syncthreads();
    if (first >= launch.count) return;
    u32 number = first + threadIdx.x;
    bool is_mine = number < launch.count && launch.numbers[number] != NO_EVALUATION, goes_on = is_mine;
    if (is_mine) begin(m, launch, number);
    while (__syncthreads_or(goes_on)) if (goes_on) goes_on = run_one(m);
    if (is_mine) launch.results[number] = result_of(m, launch, number);
  }
}
#endif
