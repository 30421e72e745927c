"""Features of cells, each a grid of the input's size: sources to copy from, and marks to tell cells apart.

A `source_…` holds colours. A `mark_…` holds small numbers. `OUTSIDE` stands for a place that is not in the grid.
"""

from .sources import *
from .beside import *
from .figure_sizes import *
from .figure_forms import *
from .figure_places import *
from .lines import *
from .colour_counts import *
