"""Variants of solvers that take a colour, a mirror or a rotation from the demonstrations instead of a constant."""

from batt.variants.inferring import Change, Variant, Variants, infer_variants
from batt.variants.report import VariantFigures, figures, report
from batt.variants.templates import Parameter, ParameterKind, Template, make_template, read_template

__all__ = [
    "Change",
    "Parameter",
    "ParameterKind",
    "Template",
    "Variant",
    "VariantFigures",
    "Variants",
    "figures",
    "infer_variants",
    "make_template",
    "read_template",
    "report",
]
