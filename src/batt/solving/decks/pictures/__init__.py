"""Pictures that a search may want: crops of objects that a property picks, and what image tools make of a grid."""

from .crops_one_colour import *
from .crops_one_colour_8 import *
from .crops_all_colours import *
from .crops_all_colours_8 import *
from .crops_with_ground import *
from .crops_each_colour import *
from .crops_drawn_colours import *
from .boxes import *
from .scaled import *
from .halves import *
from .turned import *
from .split import *
from .tiled import *
from .lines import *
from .coloured import *
from .figures import *
from .ordered import *
