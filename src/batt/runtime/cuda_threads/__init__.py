"""The cuda_threads tier: a GPU with one evaluation in each thread."""

from batt.runtime.cuda_threads.tier import CudaThreadsTier

__all__ = ["CudaThreadsTier"]
