"""The cuda_threads tier: a GPU that runs one evaluation in each of its threads."""

from batt.runtime.cuda_threads.tier import CudaThreadsTier

__all__ = ["CudaThreadsTier"]
