"""Whole-grid actions that no function of a single figure is. Each takes the grid."""

from .stamps import *
from .bounces import *
from .folds import *
from .orders import *
