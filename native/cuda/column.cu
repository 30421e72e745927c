// The kernels of columns: one op for every row of its arguments, and the packing of values to fetch them.
//
// BATT_COLUMN_OP is the number of the op, whose kernel alone is compiled. A row whose value needs more time or memory
// than the launch gives is deferred.
#include "rows.cuh"

enum Counted : u32 { TAKEN, STORED_BYTES, DEFERRED };

// Read the arguments of a row. The Ended of the first that has no value, and its Error << 8; 0 if all have one.
__device__ u32 read_row(const ColumnLaunch& launch, u32 arity, u64 row, Value* a) {
  const ColumnArgument* from = &launch.first;
  u32 ended = 0;
  BATT_NO_UNROLL
  for (u32 k = 0; k < arity; k++) {
    u64 at = from[k].stride * row;
    a[k] = from[k].values[at];
    if (!ended) ended = from[k].ends[at];
  }
  return ended;
}

// Call the op for a row. `made` is its value, of `bytes` bytes, if it has one.
template <u32 OP>
__device__ Result call_row(OneOp<OP>& caller, const ColumnLaunch& launch, u64 row, Value& made, u64& bytes) {
  Value a[MAX_ARITY];
  u32 arity = OP == ANY_OP ? OP_ARITY[launch.op] : OneOp<OP>::arity, ended = read_row(launch, arity, row, a);
  Result result{};
  result.equal = EQUAL_UNKNOWN;
  if (ended) {
    // A failure of an argument is that of the row; an argument that is not here is deferred with the row.
    bool is_failure = (ended & 0xffu) < ENDED_UNSUPPORTED;
    result.status = static_cast<u8>(is_failure ? ended : ENDED_NOT_RUN);
    result.error = static_cast<u8>(is_failure ? ended >> 8 : 0);
    return result;
  }
  Vm& vm = caller.vm;
  begin(vm, launch);
  made = caller.call(launch, a);
  limit_weight(vm, made, launch.budget.max_items);
  result = unscored(vm, made, launch.budget);
  if (result.status == ENDED_OK) {
    bytes = deep_bytes(vm, made);
    if (stopped(vm)) set_stopped(vm, result);
  }
  if (result.status == ENDED_TIMED_OUT) result.status = ENDED_LAUNCH_LIMIT;
  if (result.status != ENDED_OK) bytes = 0;
  return result;
}

// Keep what became of a row.
__device__ void put_row(const ColumnLaunch& launch, u64 row, const Result& result, Value made) {
  launch.results[row] = result;
  launch.ends[row] = static_cast<u16>(result.status | result.error << 8);
  if (result.status == ENDED_OK) launch.values[row] = made;
  if (result.status < ENDED_UNSUPPORTED || result.status == ENDED_SKIPPED) return;
  launch.deferred[atomicAdd(launch.counts + DEFERRED, 1ull)] = static_cast<u32>(row);
}

template <u32 OP> __device__ void call_rows(const ColumnLaunch& launch) {
  OneOp<OP> caller;
  caller.prepare_for(launch);
  for (;;) {
    u64 first = take_rows(launch.counts + TAKEN);
    if (first >= launch.count) return;
    u64 number = first + warp_lane(), row = launch.from + number;
    bool is_mine = number < launch.count && (!launch.is_again || launch.results[row].status == ENDED_SKIPPED);
    Value made = none();
    u64 bytes = 0;
    Result result{};
    if (is_mine) result = call_row<OP>(caller, launch, row, made, bytes);
    __syncwarp();
    u64 at = take_bytes(launch.counts + STORED_BYTES, bytes);
    if (bytes) {
      if (at + bytes <= launch.store_bytes)
        made = saved(caller.vm, made, reinterpret_cast<Addr>(launch.store) + at, launch.moved);
      else result.status = ENDED_SKIPPED;
    }
    if (is_mine) put_row(launch, row, result, made);
    __syncwarp();
  }
}

#ifdef BATT_COLUMN_OP
extern "C" __global__ void __launch_bounds__(128) batt_column(ColumnLaunch launch) {
  call_rows<BATT_COLUMN_OP>(launch);
}
#endif

// Copy the values of chosen rows to one array, with the addresses that they will have elsewhere. A row without a value
// is a None; without `ends`, all have one. With a store of 0 bytes, only count.
__device__ void pack_row(Vm& vm, const ColumnLaunch& launch, u64 number) {
  Value v = none();
  bool is_mine = number < launch.count;
  if (is_mine) {
    u64 row = launch.rows ? launch.rows[launch.from + number] : launch.from + number;
    const u16* ends = launch.first.ends;
    if (!ends || !ends[launch.first.stride * row]) v = launch.first.values[launch.first.stride * row];
  }
  begin(vm, launch);
  u64 bytes = deep_bytes(vm, v);
  bool is_deep = stopped(vm);
  if (is_deep) bytes = 0;
  __syncwarp();
  u64 at = take_bytes(launch.counts + STORED_BYTES, bytes);
  if (bytes && at + bytes <= launch.store_bytes)
    v = saved(vm, v, reinterpret_cast<Addr>(launch.store) + at, launch.moved);
  if (is_mine) {
    launch.values[number] = v;
    if (is_deep) atomicAdd(launch.counts + DEFERRED, 1ull);
  }
  __syncwarp();
}

__device__ void pack_rows(const ColumnLaunch& launch) {
  Vm vm{};
  prepare(vm, launch, 0);
  for (;;) {
    u64 first = take_rows(launch.counts + TAKEN);
    if (first >= launch.count) return;
    pack_row(vm, launch, first + warp_lane());
  }
}

#ifdef BATT_COLUMN_PACK
extern "C" __global__ void __launch_bounds__(128) batt_pack(ColumnLaunch launch) { pack_rows(launch); }
#endif
