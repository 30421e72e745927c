"""Values of the language: the ordered set, functions with a printed form, kinds, and a value's fingerprint."""

from batt.types.digest import encode, fingerprint
from batt.types.functions import Function, Made, form
from batt.types.kinds import Kind
from batt.types.sets import OrderedSet, ascending, canonical_key, ordered, unordered
from batt.types.words import Word

__all__ = [
    "Function",
    "Kind",
    "Made",
    "OrderedSet",
    "Word",
    "ascending",
    "canonical_key",
    "encode",
    "fingerprint",
    "form",
    "ordered",
    "unordered",
]
