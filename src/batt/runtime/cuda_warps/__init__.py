"""The cuda_warps tier: a GPU that runs one evaluation in each of its warps."""

from batt.runtime.cuda_warps.tier import CudaWarpsTier

__all__ = ["CudaWarpsTier"]
