"""The batt of sequential_batt.py for many samples at once; written by hand, to hold every part of the form."""

from batt.dsl import F, FIVE, T, argmax, size
from batt.lazy import batch_call, batch_first, batch_function, batch_last, batch_objects, batch_rot90, batch_subgrid, batch_switch


def biggest(things):
    return argmax(things, size)


@batch_function
def batt_batch(task_ids, Ss, Is, Cs=None, log_paths=None):
    """Run all of them on many samples: one (outputs, scores) for each."""
    o, s = [], []

    t1s = batch_objects(Is, T, F, T)
    t2s = batch_call(biggest, t1s)
    t3s = batch_subgrid(t2s, Is)
    o.append((3, "be94b721", t3s))
    s.append((3, "be94b721", "equal", batch_equal(t3s, Cs)))

    t4s = batch_first(t1s)
    t5s = batch_switch(Is, FIVE, 8)
    o.append((5, t5s != Is, "d511f180", t5s))

    _ = t5s, t1s, t1s
    o.append((2, "verify_order", t2s))

    t6s = batch_last(Ss)
    t7s = batch_rot90(Is)
    o.append((7, "ed36ccf7", t7s))

    return o, s
