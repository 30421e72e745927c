"""The interface of native code: what the header says, and that NumPy and ctypes agree with it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from batt.bytecode.abi import (
    BUDGET,
    DEVICE_SAMPLE,
    FUNCTIONS,
    LAUNCH,
    OUTPUTS,
    RESULT,
    STRUCTS,
    Cause,
    Ended,
    Struct,
    header,
    interface,
)
from batt.runtime import Status
from batt.runtime.outcome import ERROR_KINDS

NATIVE = Path(__file__).parents[2] / "native"


def test_the_header_of_the_native_code_is_up_to_date():
    assert (NATIVE / "generated" / "abi.h").read_text("utf-8") == header(), "make opcodes"


def test_statuses_are_numbered_once():
    assert {each.name: each.value for each in Status}.items() <= {each.name: each.value for each in Ended}.items()
    assert len({*Ended}) == len(Ended.__members__)
    text = " ".join(header().split())
    assert "ENDED_UNSUPPORTED = 4, ENDED_LAUNCH_LIMIT = 5, ENDED_SKIPPED = 254, ENDED_NOT_RUN = 255" in text


def test_every_cause_has_a_text_of_its_own():
    assert len({each.text for each in Cause}) == len(Cause)
    assert all(each.text for each in Cause)
    assert Cause(2) is Cause.ARENA_FULL


def test_errors_are_numbered_as_records_number_them():
    names = ["NO_ERROR", "TYPE_ERROR", "VALUE_ERROR", "INDEX_ERROR", "KEY_ERROR", "ATTRIBUTE_ERROR"]
    names += ["STOP_ITERATION", "RUNTIME_ERROR", "RECURSION_ERROR", "ZERO_DIVISION_ERROR"]
    assert len(names) == len(ERROR_KINDS)
    listed = "\n".join([f"  {each} = {at}," for at, each in enumerate(names)])
    assert f"enum Error : u32 {{\n{listed}\n}};" in header()


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda each: each.name)
def test_a_struct_has_no_gaps_so_that_one_size_fixes_every_place(struct: Struct):
    at = 0
    for name, (kind, offset) in {name: struct.dtype.fields[name][:2] for name in struct.dtype.names}.items():
        assert offset == at, name
        assert offset % kind.base.itemsize == 0, name
        at += kind.itemsize
    assert f"static_assert(sizeof({struct.name}) == {at}," in header()


@pytest.mark.parametrize("struct", [each for each in STRUCTS if each is not DEVICE_SAMPLE], ids=lambda each: each.name)
def test_ctypes_and_numpy_agree_on_every_place(struct: Struct):
    made = type(struct.name, (ctypes.Structure,), {"_fields_": struct.ctype_fields})
    assert ctypes.sizeof(made) == struct.dtype.itemsize
    for name in struct.dtype.names or ():
        assert getattr(made, name).offset == struct.dtype.fields[name][1]


def test_sizes_are_those_that_memory_was_laid_out_for():
    assert [each.dtype.itemsize for each in (RESULT, BUDGET, DEVICE_SAMPLE, LAUNCH)] == [56, 32, 80, 240]


def test_fields_of_a_struct_within_a_struct_have_its_name_before_theirs():
    names = [name for name, _ in LAUNCH.fields]
    assert names[:4] == ["program_code", "program_constants", "program_routines", "helper_names"]
    assert {"budget_steps", "budget_max_items", "budget_work"} < set(names)


def test_addresses_are_whole_words():
    assert dict(OUTPUTS.ctype_fields)["data"] is ctypes.c_void_p
    assert OUTPUTS.dtype["data"].str == "<u8"


def test_a_declaration_that_is_none_is_refused():
    with pytest.raises(ValueError, match="no declaration of fields: 'u64'"):
        _ = Struct("Bad", "", ("u64",)).fields


def test_the_interface_changes_with_any_declaration(monkeypatch: pytest.MonkeyPatch):
    before = interface()
    monkeypatch.setattr("batt.bytecode.abi.FUNCTIONS", FUNCTIONS + 1)
    assert interface() != before
    monkeypatch.undo()
    monkeypatch.setattr("batt.bytecode.abi.STRUCTS", STRUCTS[1:])
    assert interface() != before


def test_no_source_declares_a_struct_of_the_interface_again():
    names = [each.name for each in STRUCTS]
    texts = [path.read_text("utf-8") for path in NATIVE.rglob("*.*") if path.parent.name != "generated"]
    assert [name for name in names for text in texts if f"struct {name} {{" in text] == []
