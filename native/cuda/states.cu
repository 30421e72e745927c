// The kernel of states: one op for candidates of many tasks, a row for each sample of each candidate.
//
// BATT_COLUMN_OP is the number of the op, whose kernel alone is compiled. A row is deferred if it needs more time or
// memory than the launch gives, if native code does not support it, or if its value holds a function.
#include "rows.cuh"

#include "../core/kinds.h"

// The task that a row belongs to.
__device__ const StateSegment& segment_of(const StatesLaunch& launch, u64 row) {
  u64 low = 0, high = launch.segment_count;
  BATT_NO_UNROLL
  while (high - low > 1) {
    u64 middle = (low + high) / 2;
    if (launch.segments[middle].first_row <= row) low = middle;
    else high = middle;
  }
  return launch.segments[low];
}

// The bytes of a value with all its parts, as `saved` copies them; DEFERRED_BYTES if it is a function or has one among
// its parts. The machine stops if it is nested too deeply.
constexpr u64 DEFERRED_BYTES = ~0ull;
BATT_DEVICE_NOINLINE u64 kept_bytes(Vm& vm, Value v) {
  if (v.tag == FN) return DEFERRED_BYTES;
  u64 bytes = padded(flat_bytes(v));
  if (!has_parts(v)) return bytes;
  Stack<Copied> todo(vm);
  if (!todo.push(Copied{v.bits, flat_bytes(v) / sizeof(Value)})) return DEFERRED_BYTES;
  while (todo.count) {
    Copied array = todo.top();
    todo.pop();
    for (u64 k = 0; k < array.count; k++) {
      Value part = mem<Value>(vm, array.at, k);
      if (part.tag == FN) return DEFERRED_BYTES;
      u64 size = flat_bytes(part);
      bytes += padded(size);
      if (has_parts(part) && !todo.push(Copied{part.bits, size / sizeof(Value)})) return DEFERRED_BYTES;
    }
  }
  return bytes;
}

// Call the op for a row. `made` is its value, if it has one, in the form in which sets of states keep it.
template <u32 OP>
__device__ StateRow call_state_row(OneOp<OP>& caller, const StatesLaunch& launch, u64 row, Value& made) {
  Value a[MAX_ARITY];
  u32 arity = OP == ANY_OP ? OP_ARITY[launch.op] : OneOp<OP>::arity;
  const StateSegment& task = segment_of(launch, row);
  u32 at = static_cast<u32>(row) - task.first_row;
  const u32* from = launch.arguments + static_cast<u64>(task.first_candidate + at / task.samples) * arity;
  u32 sample = at % task.samples;
  BATT_NO_UNROLL
  for (u32 k = 0; k < arity; k++) a[k] = launch.table[from[k] + sample];
  Vm& vm = caller.vm;
  begin(vm, launch);
  made = caller.call(launch, a);
  limit_weight(vm, made, launch.budget.max_items);
  StateRow told{};
  told.hash = stopped(vm) ? 0 : fingerprint(vm, made);
  i64 left = vm.status == OVER_BUDGET ? 0 : larger<i64>(vm.steps_left, 0);
  told.steps = static_cast<u64>(launch.budget.steps - left);
  if (!stopped(vm)) {
    if (made.tag == TUPLE) as_grid(vm, made, made);
    u64 bytes = stopped(vm) ? DEFERRED_BYTES : kept_bytes(vm, made);
    if (bytes == DEFERRED_BYTES) told.status = ENDED_LAUNCH_LIMIT;
    else {
      told.bytes = static_cast<u32>(bytes);
      told.kind = kind_of(made);
    }
    return told;
  }
  told.status = outcome_of(vm.status);
  if (told.status == ENDED_TIMED_OUT) told.status = ENDED_LAUNCH_LIMIT;
  if (vm.status == RAISED) told.error = static_cast<u8>(vm.error);
  if (vm.status == UNSUPPORTED) told.cause = static_cast<u8>(vm.cause);
  return told;
}

template <u32 OP> __device__ void call_state_rows(const StatesLaunch& launch) {
  OneOp<OP> caller;
  caller.prepare_for(launch);
  for (;;) {
    u64 first = take_rows(launch.taken);
    if (first >= launch.count) return;
    u64 row = first + warp_lane();
    bool is_mine = row < launch.count && (!launch.is_again || launch.rows[row].status == ENDED_SKIPPED);
    Value made = none();
    StateRow told{};
    if (is_mine) told = call_state_row<OP>(caller, launch, row, made);
    __syncwarp();
    u64 at = take_bytes(launch.stored, told.bytes);
    if (told.bytes) {
      if (at + told.bytes <= launch.store_bytes)
        made = saved(caller.vm, made, reinterpret_cast<Addr>(launch.store) + at, 0);
      else told.status = ENDED_SKIPPED;
    }
    if (is_mine) {
      launch.rows[row] = told;
      launch.values[row] = made;
      if (told.status >= ENDED_UNSUPPORTED && told.status != ENDED_SKIPPED) atomicAdd(launch.taken + 1, 1ull);
    }
    __syncwarp();
  }
}

#ifdef BATT_COLUMN_OP
extern "C" __global__ void __launch_bounds__(128) batt_states(StatesLaunch launch) {
  call_state_rows<BATT_COLUMN_OP>(launch);
}
#endif
