// The whole machine on a GPU, one thread for each evaluation, in the plainest layout: what tests/gpu/test_tracer.py runs. Addresses are the
// device's own; an evaluation that its arena is too small for ends with ARENA_FULL, and the caller runs it again with more.
#include "../machine/run.h"

using namespace batt;

struct Traced {
  u32 status, error, cause, shape;
  u64 hash;
  i64 steps;
};

constexpr u32 TRACER_FRAMES = 64, TRACER_VALUES = 1024;

extern "C" __global__ void trace(Program program, const u32* routines, const Value* inputs, u32 count, u8* arena, u64 arena_bytes, i64 steps, i64 max_items,
                                 const u32* stop, Traced* traced) {
  u32 lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= count) return;
  Addr at = reinterpret_cast<Addr>(arena) + lane * (arena_bytes + sizeof(Frame) * TRACER_FRAMES + sizeof(Value) * TRACER_VALUES);
  Machine m{};
  m.program = program;
  m.frames = at;
  m.values = m.frames + sizeof(Frame) * TRACER_FRAMES;
  m.frame_room = TRACER_FRAMES;
  m.value_room = TRACER_VALUES;
  Addr region = m.values + sizeof(Value) * TRACER_VALUES;
  m.vm.region[0] = Region{region, region, region + arena_bytes / 2};
  m.vm.region[1] = Region{region + arena_bytes / 2, region + arena_bytes / 2, region + arena_bytes};
  m.vm.steps_left = steps;
  m.vm.max_items = max_items;
  m.vm.work_left = 1LL << 40;
  m.vm.stop = stop;
  m.vm.deadline = INT64_MOST;
  m.inputs[1] = inputs[lane];
  Value made = execute(m, routines[lane]);
  if (!stopped(m.vm) && is_heavy(m.vm, made, max_items)) stop_with(m.vm, OVER_BUDGET);
  Traced out{m.vm.status, m.vm.error, m.vm.cause, 0, 0, steps - m.vm.steps_left};
  if (!stopped(m.vm)) {
    out.hash = fingerprint(m.vm, made);
    out.shape = shape_word(m.vm, made);
  }
  traced[lane] = out;
}
