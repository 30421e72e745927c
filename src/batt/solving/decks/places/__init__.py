"""Where cells lie: what is around them, how far the next figure is, their place within a figure, a panel or the grid.

Each is a grid of the input's size, as in `cells`: a `source_…` holds colours, a `mark_…` small numbers.
"""

from .sources import *
from .distances import *
from .surroundings import *
from .within_figures import *
from .panels import *
