// The GPU kernel's source as a host's library: a block of one thread whose warps have one lane, so that tests run it without a GPU.
#include "host_device.h"
#ifdef TOGETHER
#define BATT_WARPS 1
#endif
#include "../native/cuda/evaluate.cu"

extern "C" __attribute__((visibility("default"))) void evaluate(const Launch* launch) { batt_evaluate(*launch); }
#ifdef TOGETHER
extern "C" __attribute__((visibility("default"))) void stage(const Launch* launch) { batt_stage(*launch); }
#endif
