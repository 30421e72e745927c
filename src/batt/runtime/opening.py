"""Open the tiers of a run. GPUs, workers of a cluster and the reference tier are imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from batt.runtime.context import Context
from batt.runtime.cpu import CpuTier
from batt.runtime.tier import CPU, REFERENCE, Tier, TierName

if TYPE_CHECKING:
    from batt.runtime.cluster.choice import ClusterChoice
    from batt.runtime.cluster.tier import Workers
    from batt.runtime.cuda.opening import Cards

SWITCH_S = 0.0002
"""How long a thread keeps the interpreter lock while devices are opened: a 25th of the default."""


def new_cards(context: Context) -> Cards:
    """Return the GPUs of a run, which are not open yet."""
    from batt.runtime.cuda.opening import Cards

    return Cards(context)


def cluster_tier(context: Context, workers: Workers, is_reference: bool) -> Tier:
    """Return the tier of the workers of a cluster."""
    from batt.runtime.cluster.tier import ClusterTier

    return ClusterTier(context, workers, is_reference)


def cluster_workers(choice: ClusterChoice | None) -> AbstractContextManager[Workers | None]:
    """Return the connection to the workers of the cluster that is chosen, or None."""
    if choice is None:
        return nullcontext()
    from batt.runtime.cluster.link import linked

    return linked(choice)


def reference_tier(context: Context) -> Tier:
    """Return the reference tier."""
    from batt.runtime.reference.tier import ReferenceTier

    return ReferenceTier(context)


TIERS: Mapping[TierName, Callable[[Context], Tier]] = {CPU: CpuTier, REFERENCE: reference_tier}
"""The tiers that open at once; those of a GPU join when it is open."""


@contextmanager
def soon_switching(is_wanted: bool) -> Iterator[None]:
    """Switch between threads sooner if `is_wanted`: a thread that opens a device needs the interpreter lock often."""
    usual_s = sys.getswitchinterval()
    if is_wanted:
        sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)
