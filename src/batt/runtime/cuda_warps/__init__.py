"""The cuda_warps tier: a GPU with one evaluation in each warp."""

from batt.runtime.cuda_warps.tier import CudaWarpsTier

__all__ = ["CudaWarpsTier"]
