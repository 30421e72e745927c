"""Keys are those of content: equal for equal programs and samples, and for nothing else."""

from __future__ import annotations

from dataclasses import replace

from batt.cache.keys import SampleKeys, digest, program_keys
from batt.runtime import Limits, Split
from handmade import program, sample

TWO = 2


def test_parts_do_not_run_into_each_other():
    assert len({digest(b"ab", b"c"), digest(b"a", b"bc"), digest(b"abc"), digest(b"abc", b"")}) == 4


def test_a_program_is_its_steps_not_its_names():
    first, second = program("y = vmirror(I)", "x = hmirror(y)"), program("z = vmirror(I)", "x = hmirror(z)")
    others = [
        program("y = hmirror(I)", "x = vmirror(y)"),
        program("y = vmirror(I)", "x = hmirror(I)"),
        program("y = vmirror(I)", "x = hmirror(y)", "z = size(x)"),
        program("y = vmirror(I)", "x = hmirror(y)", params="S, I, C"),
        program("x = upscale(I, 1)"),
        program("x = upscale(I, 2)"),
    ]
    keys = program_keys([first, second, *others], Limits(), b"v")
    assert keys[0] == keys[1]
    assert len({*keys}) == 1 + len(others)


def test_limits_and_the_version_are_part_of_a_programs_key():
    limits = [Limits(), Limits(steps=5), Limits(max_items=5)]
    keys = [program_keys([program("x = vmirror(I)")], each, v)[0] for each in limits for v in (b"v", b"w")]
    assert len({*keys}) == len(keys)
    assert program_keys([program("x = vmirror(I)")], Limits(wall_s=1, memory_bytes=TWO), b"v")[0] == keys[0]


def test_a_sample_is_its_grids_not_its_task():
    first = sample()
    alike = replace(first, task="other", part=Split.TEST, index=3)
    others = [
        sample(grid=((1, 3),)),
        sample(expected=((2, 2),)),
        sample(expected=None),
        sample(grid=((1,), (2,))),
        replace(first, demonstrations=()),
    ]
    keys = SampleKeys.of([first, alike, *others])
    assert keys.first.tolist() == [0, 0, 2, 3, 4, 5, 6]
    assert len({*keys.keys}) == 1 + len(others)
    assert keys[2:4].keys == keys.keys[2:4]


def test_a_sample_that_native_code_does_not_support_has_no_key():
    keys = SampleKeys.of([sample(grid=((2**70,),)), sample()])
    assert keys.keys[0] is None
    assert keys.first.tolist() == [-1, 1]


def test_parameters_are_part_of_a_samples_key():
    given: list[tuple[object, ...]] = [(), (1,), (2,), (1, 2), (None, 1), ((1, 2),)]
    keys = SampleKeys.of([replace(sample(), parameters=values) for values in given]).keys
    assert len({*keys}) == len(given)
    assert SampleKeys.of([replace(sample(), parameters=(1, 2))]).keys == [keys[3]]
