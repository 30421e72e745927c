"""An open engine and the states of tasks: what a search runs on."""

from batt.bytecode.features import FEATURES, FORMS
from batt.states.applied import Applied, StateKind
from batt.states.batch import StatesBatch
from batt.states.columns import OpColumn
from batt.states.device_columns import DeviceColumn
from batt.states.engine import OpenEngine, open_engine
from batt.states.features import Features
from batt.states.native import PackedGrids
from batt.states.programs import ProgramSource, SampleSource
from batt.states.runs import EngineRun
from batt.states.states import States

__all__ = [
    "FEATURES",
    "FORMS",
    "Applied",
    "DeviceColumn",
    "EngineRun",
    "Features",
    "OpColumn",
    "OpenEngine",
    "PackedGrids",
    "ProgramSource",
    "SampleSource",
    "StateKind",
    "States",
    "StatesBatch",
    "open_engine",
]
