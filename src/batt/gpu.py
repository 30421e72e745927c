"""`batt.compat` under the name that the legacy API uses for GPU functions."""

from batt.compat import *  # noqa: F403
from batt.compat import __all__ as __all__
