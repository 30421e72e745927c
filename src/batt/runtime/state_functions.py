"""The functions of the native library for states and columns, and the types of their arguments."""

from __future__ import annotations

from ctypes import c_int64, c_uint32, c_uint64, c_void_p
from typing import Any

STATE_PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "batt_states_new": (c_void_p, (c_uint32, c_uint64)),
    "batt_states_free": (None, (c_void_p,)),
    "batt_states_count": (None, (c_void_p, c_void_p)),
    "batt_states_add": (c_int64, (c_void_p, c_void_p, c_void_p, c_uint32)),
    "batt_states_apply": (
        c_int64,
        (
            *(c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_uint64),
            *(c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p),
        ),
    ),
    "batt_states_merge": (
        c_uint32,
        (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_uint64, c_void_p),
    ),
    "batt_calls_read": (
        c_uint32,
        (c_void_p, c_uint64, c_void_p, c_uint64, c_uint64, c_uint64, c_void_p, c_void_p),
    ),
    "batt_batch_check": (
        c_uint32,
        (c_void_p, c_uint64, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_uint32),
    ),
    "batt_batch_apply": (
        c_int64,
        (
            *(c_void_p, c_uint64, c_void_p, c_void_p, c_void_p),
            *(c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
        ),
    ),
    "batt_batch_lay_out": (
        None,
        (
            *(c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p),
            *(c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
        ),
    ),
    "batt_batch_wanted": (
        c_uint32,
        (c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    ),
    "batt_batch_wanted_rows": (None, (c_void_p, c_uint64, c_void_p)),
    "batt_batch_bring": (c_uint32, (c_void_p, c_uint64, c_void_p)),
    "batt_states_want": (c_uint32, (c_void_p, c_void_p, c_uint64)),
    "batt_batch_merge": (
        c_int64,
        (
            *(c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p),
            *(c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
        ),
    ),
    "batt_batch_place": (None, (c_void_p, c_uint64, c_uint64)),
    "batt_states_elsewhere": (None, (c_void_p, c_void_p)),
    "batt_states_freeze": (
        c_uint64,
        (c_void_p, c_uint64, c_uint64, c_void_p, c_void_p, c_uint64, c_void_p),
    ),
    "batt_states_places": (None, (c_void_p, c_void_p, c_uint64, c_void_p)),
    "batt_states_restore": (c_uint32, (c_void_p, c_void_p, c_void_p, c_void_p)),
    "batt_evaluated_new": (c_void_p, ()),
    "batt_evaluated_free": (None, (c_void_p,)),
    "batt_states_describe": (None, (c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p)),
    "batt_states_grids": (
        c_uint64,
        (c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_uint64),
    ),
    "batt_states_wires": (c_uint64, (c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_uint64)),
    "batt_column_new": (c_void_p, (c_uint64, c_uint32)),
    "batt_column_wires": (c_void_p, (c_void_p, c_void_p, c_uint64)),
    "batt_column_ints": (c_void_p, (c_void_p, c_uint64)),
    "batt_column_grids": (c_void_p, (c_void_p, c_uint64, c_void_p, c_void_p, c_uint64)),
    "batt_column_free": (None, (c_void_p,)),
    "batt_column_call": (
        c_int64,
        (
            *(c_void_p, c_uint32, c_void_p, c_uint32, c_void_p),
            *(c_uint64, c_uint64, c_void_p, c_void_p, c_void_p),
        ),
    ),
    "batt_column_read_grids": (c_uint64, (c_void_p, c_void_p, c_void_p, c_void_p, c_uint64)),
    "batt_features_new": (
        c_void_p,
        (c_void_p, c_void_p, c_uint64, c_uint64, c_uint32, c_uint64, c_void_p, c_void_p),
    ),
    "batt_features_free": (None, (c_void_p,)),
    "batt_features_count": (None, (c_void_p, c_void_p)),
    "batt_features_read": (None, (c_void_p, c_void_p, c_uint64, c_uint64, c_void_p, c_void_p, c_void_p)),
    "batt_column_read_wires": (c_uint64, (c_void_p, c_void_p, c_void_p, c_uint64)),
    "batt_column_freeze": (c_uint64, (c_void_p, c_uint64, c_void_p, c_void_p)),
    "batt_column_values": (c_void_p, (c_void_p,)),
    "batt_column_has_value": (c_void_p, (c_void_p,)),
    "batt_column_put": (c_uint32, (c_void_p, c_void_p, c_void_p, c_uint64)),
}
