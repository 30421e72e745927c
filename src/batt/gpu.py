"""`batt.compat` by the name under which the founding documents have what runs on GPUs."""

from batt.compat import *  # noqa: F403
from batt.compat import __all__ as __all__
