// The GPU kernels of states as a host's library: a warp of one thread, so that tests run them without a GPU.
#define BATT_WARP_THREADS 1
#define __shfl_sync(mask, mine, which) (mine)
#define __shfl_up_sync(mask, mine, step) (mine)
#define __syncwarp() ((void)0)
#include "host_device.h"
#include "../native/cuda/column.cu"
#include "../native/cuda/states.cu"

#define BATT_CALL_KERNEL(number) case number: call_state_rows<number>(*launch); return;
#define BATT_CALL_LOOP(number)
extern "C" __attribute__((visibility("default"))) void states(const StatesLaunch* launch) {
  switch (launch->op) {
#define X(name, number, arity, cost, kind) BATT_CALL_##kind(number)
    BATT_OPS(X)
#undef X
    default: call_state_rows<ANY_OP>(*launch);
  }
}
extern "C" __attribute__((visibility("default"))) void pack(const ColumnLaunch* launch) { pack_rows(*launch); }
