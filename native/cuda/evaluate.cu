// The GPU engine's kernel: blocks of threads take groups of evaluations from a queue until it is empty, one evaluation for each thread.
// A group runs one slice, on samples of similar size: its threads go the same way, and fetch the same code. What a launch is too small
// for, in steps, time or memory, is left to the caller. The whole machine is the CPU's; only the columns of loops are the host's alone.
#include "../machine/score.h"

using namespace batt;

constexpr u8 LEFT_OVER = 5;  // the status of an evaluation that met a limit of the launch and not of its budget
constexpr u32 NO_EVALUATION = 0xffffffffu;
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
  u32* next;            // the queue: the first evaluation that no block has taken
  u8* memory;           // of all threads that are under way at once: values, then both sides of an arena
  u64 lane_bytes;       // of which each has so many
  u8* frames;           // Frame[threads][frame_room]
  u64 frame_room, value_room;
  u64 count;
  i64 steps;            // that an evaluation may take in this launch
  i64 ticks;            // … and how long by the clock of its processor
  Budget budget;
};
static_assert(sizeof(Launch) == 160, "the host writes it");

BATT_FN Region region_at(Addr from, u64 bytes) { return Region{from, from, from + bytes}; }

__device__ void prepare(Machine& m, const Launch& launch) {
  u64 thread = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x, values = sizeof(Value) * launch.value_room;
  u64 half = (launch.lane_bytes - values) / 2 / ALIGN * ALIGN;
  m.program = launch.program;
  m.frames = reinterpret_cast<Addr>(launch.frames) + thread * launch.frame_room * sizeof(Frame);
  m.values = reinterpret_cast<Addr>(launch.memory) + thread * launch.lane_bytes;
  m.frame_room = static_cast<u32>(launch.frame_room);
  m.value_room = static_cast<u32>(launch.value_room);
  m.vm.region[0] = region_at(m.values + values, half);
  m.vm.region[1] = region_at(m.values + values + half, half);
  m.vm.helper_names = launch.helper_names;
}

__device__ Result evaluate(Machine& m, const Launch& launch, u32 number) {
  const DeviceSample& sample = launch.samples[launch.numbers[number]];
  m.inputs[0] = sample.demonstrations;
  m.inputs[1] = sample.input;
  for (u32 k = 0; k < 2; k++) cut_back(m.vm.region[k], m.vm.region[k].base);
  Budget budget = launch.budget;
  begin_budget(m.vm, budget);
  i64 given = smaller(launch.steps, budget.steps), began = clock64();
  m.vm.steps_left = given;
  m.vm.deadline = began + launch.ticks;
  Value made = execute(m, launch.routines[number]);
  // Some kernels see ahead that their steps will not do: nothing tells then which limit it was.
  bool ran_out = m.vm.status == STOPPED || (m.vm.status == OVER_BUDGET && given < budget.steps);
  if (!stopped(m.vm) && is_heavy(m.vm, made, budget.max_items)) stop_with(m.vm, OVER_BUDGET);
  m.vm.steps_left += budget.steps - given;
  Result result = score(m.vm, made, sample.expected, sample.is_known != 0, budget);
  if (ran_out || m.vm.status == STOPPED) result.status = LEFT_OVER;
  result.time_ns = static_cast<u32>(smaller<i64>(clock64() - began, 0xffffffffll));  // in ticks
  return result;
}

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
    if (number < launch.count && launch.numbers[number] != NO_EVALUATION) launch.results[number] = evaluate(m, launch, number);
  }
}
