"""Relations between figures, and what may be done with a figure and another one that it is related to.

In all of them S is the set of figures and I the grid. A relation is a function from a figure to the figures
that it is related to. A `near_…` and a `join_…` are functions of a figure and such a function, C: the first give places, the
others objects, for all related figures together.
"""

from .related import *
from .near import *
from .join import *
