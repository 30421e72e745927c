"""A batt of 4 solvers, as `batt card` lays it out; written by hand, to hold every part of the form."""

from batt.dsl import DOWN, F, FIVE, T, argmax, first, last, move, objects, rot90, size, subgrid, switch
from batt.generated import Grid, Samples, batt_function, equal

K1 = ((1, 2), (3, 4))


def biggest(things):
    return argmax(things, size)


@batt_function
def batt(
    task_id: str, S: Samples, I: Grid, C: Grid | None = None, log_path: str | None = None
) -> tuple[list, list]:
    """Run all of them on one sample: (outputs, scores)."""
    o, s = [], []

    t1 = objects(I, T, F, T)
    t2 = biggest(t1)
    t3 = subgrid(t2, I)
    o.append((3, t3 != I, "be94b721", t3))
    s.append((3, "be94b721", "equal", equal(t3, C)))

    t4 = first(t1)  # nothing reads it, but it may fail
    t5 = switch(I, FIVE, 8)
    o.append((5, t5 != I, "d511f180", t5))

    _ = t5, t1, t1
    o.append((2, t2 != I, "verify_order", t2))

    t6 = last(S)
    t7 = rot90(I)
    o.append((7, t7 != I, "ed36ccf7", t7))

    return o, s
