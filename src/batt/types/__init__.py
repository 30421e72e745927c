"""Values of the language: the ordered set, functions with a printed form, kinds, and fingerprints."""

from batt.types.digest import encode, fingerprint
from batt.types.functions import Function, Made, form
from batt.types.kinds import IdentityEnum, Kind
from batt.types.sets import OrderedSet, ascending, canonical_key, ordered, unordered

__all__ = [
    "Function",
    "IdentityEnum",
    "Kind",
    "Made",
    "OrderedSet",
    "ascending",
    "canonical_key",
    "encode",
    "fingerprint",
    "form",
    "ordered",
    "unordered",
]
