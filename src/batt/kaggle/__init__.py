"""Pack all that a notebook without network needs to run batt: wheels, kernels, a deck and the notebook itself."""

from batt.kaggle.packing import Pack, make_pack

__all__ = ["Pack", "make_pack"]
