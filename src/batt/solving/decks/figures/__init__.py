"""Figures of a grid: how it is cut into them, what is measured of each, and how each may be edited.

A segment takes the grid. In all others S is the set of figures and I the grid, and the result is a function of a
figure: a `measure_…` gives a number, a `colour_…` a colour or NO_COLOUR, a `patch_…` places, an `edit_…` an object.
"""

from .segments import *
from .readings import *
from .measures import *
from .colours import *
from .colours_in_turn import *
from .patch_boxes import *
from .patch_rays import *
from .patch_checks import *
from .patch_colours import *
from .patch_corners import *
from .edit_turned import *
from .edit_moved import *
from .edit_by_another import *
from .edit_repeated import *
from .edit_placed import *
from .edit_by_extent import *
from .crops import *
from .arrangements import *
