"""Variants of solvers that take a colour, a mirror or a rotation from the demonstrations instead of a constant."""

from batt.variants.inferring import Change, Variant, Variants, infer_variants
from batt.variants.report import VariantFigures, figures, report

__all__ = ["Change", "Variant", "VariantFigures", "Variants", "figures", "infer_variants", "report"]
