"""Statistics of how the programs of a deck use the language, counted from the programs as they are written."""

from batt.statistics.counting import count_statistics
from batt.statistics.kept import deck_statistics, json_text
from batt.statistics.model import DeckStatistics
from batt.statistics.producers import Producer, ProducerKind

__all__ = ["DeckStatistics", "Producer", "ProducerKind", "count_statistics", "deck_statistics", "json_text"]
