# A batt without any `try`: what a person wrote by hand after the same pattern.
from dsl import *
from constants import *

SEA = 8


def grow(grid):
    return upscale(grid, TWO)


def batt(task_id, S, I, C, log_path=None):
    o, s = [], []
    t1 = grow(I)
    o.append((1, t1 != I, 'c59eb873', t1))
    s.append((1, 'c59eb873', 'equal', equality(t1, C)))
    t2 = switch(I, FIVE, SEA)
    o.append((2, t2 != I, 'd511f180', t2))
    return o, s
