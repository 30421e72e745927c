"""The legacy API: the names of batt's first design, each a thin layer over the engines. See docs/compat.md."""

from batt.compat import decks, grids
from batt.compat.decks import *  # noqa: F403
from batt.compat.grids import *  # noqa: F403

__all__: list[str] = []
__all__ += decks.__all__
__all__ += grids.__all__
