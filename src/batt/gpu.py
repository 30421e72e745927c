"""The legacy API under its second name: everything of `batt.compat`."""

from batt.compat import *  # noqa: F403
from batt.compat import __all__ as __all__
