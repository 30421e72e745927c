"""Pictures that a search may want: crops of objects that a property picks, and what image tools make of a grid."""

from .crops import *
from .boxes import *
from .changed import *
from .split import *
from .tiled import *
from .lines import *
from .coloured import *
from .figures import *
from .ordered import *
