"""Solvers of the built-in deck that get fewer than 90 % of the generated samples right, each with the number of 50."""

RATES: dict[str, int] = {
    "11852cab": 12,
    "469497ad": 41,
    "484b58aa": 42,
    "681b3aeb": 43,
    "6855a6e4": 44,
    "7e0986d6": 42,
    "a64e4611": 41,
    "d8c310e9": 43,
    "ddf7fa4f": 40,
}
