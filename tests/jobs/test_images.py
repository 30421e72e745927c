"""Images that are kept on disk: made once for programs and form, and made again where a file cannot be used."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import batt
from batt import compiler
from batt import kept as keeping
from batt.bytecode.image import Encoded
from batt.ir import Helper, Program
from batt.jobs import export, images
from batt.jobs import prepare as preparing
from batt.jobs.images import ImageFile, has_image, keeps_image
from batt.jobs.prepare import prepare
from batt.jobs.settling import COMPILE_FROM, KEPT_RUNS, settle
from batt.runtime.options import Options
from handmade import MIRROR, evaluations_of, source
from native_library import needs_library

pytestmark = needs_library

DIRECT = Options(engine="cpu", workers=1, compiled=False)
COMPILED = replace(DIRECT, compiled=True, share=False)
STAGED = replace(DIRECT, compiled=True, share=True)
HELPED = ("x = compose(turned, hmirror)", "O = x(I)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where images are kept, empty. Images are not verified, as outside the tests."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiler, "VERIFY", False)
    monkeypatch.setattr(images, "LEAST_STEPS", 50)
    return tmp_path / "cache" / keeping.FOLDER


@pytest.fixture
def programs(folder: Path, tmp_path: Path) -> Mapping[str, Program]:
    """The programs of a deck that is large enough to be kept; one has a helper as a value."""
    helper = "def turned(grid):\n    return rot90(grid)\n"
    solvers = [source(f"solve_{number}", *MIRROR, "# " + "x" * 500) for number in range(100)]
    path = tmp_path / "deck.py"
    path.write_text("\n\n".join([helper, *solvers, source("solve_helped", *HELPED)]))
    return batt.load_deck(path).programs


def kept_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("imagefile-*"))


class Counted:
    """Counts how often an image is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        real = preparing.encode_programs

        def watched(*args: Any, **others: Any) -> Encoded:
            self.times += 1
            return real(*args, **others)

        monkeypatch.setattr(preparing, "encode_programs", watched)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """How often an image was made."""
    return Counted(monkeypatch)


@pytest.mark.parametrize("options", [DIRECT, COMPILED, STAGED], ids=["direct", "compiled", "staged"])
def test_an_image_is_made_once_and_is_the_same(
    folder: Path, programs: Mapping[str, Program], made: Counted, options: Options
):
    plain = prepare(programs, options)
    jobs = [prepare(programs, options, keep=True) for _ in range(3)]
    assert made.times == 2
    assert len(kept_files(folder)) == 1
    for job in jobs:
        assert (job.image, job.refused, job.programs) == (plain.image, plain.refused, plain.programs)
        assert job.slice_of.tolist() == plain.slice_of.tolist()


def test_each_form_has_a_file_of_its_own(folder: Path, programs: Mapping[str, Program]):
    for options in (DIRECT, COMPILED, STAGED, STAGED):
        prepare(programs, options, keep=True)
    assert len(kept_files(folder)) == 3


def test_other_programs_names_or_orders_have_other_files(folder: Path, programs: Mapping[str, Program], made: Counted):
    last = next(reversed(programs))
    others = [
        programs,
        {name: each for name, each in programs.items() if name != last},
        {("solve_other" if name == last else name): each for name, each in programs.items()},
        dict(reversed(programs.items())),
        {**programs, "solve_0": programs[last]},
    ]
    for each in others:
        prepare(each, DIRECT, keep=True)
    assert made.times == len(kept_files(folder)) == len(others)


def test_other_code_has_another_file(folder: Path, programs: Mapping[str, Program], monkeypatch: pytest.MonkeyPatch):
    prepare(programs, DIRECT, keep=True)
    monkeypatch.setattr(keeping, "_code", lambda names: b"other code")
    assert not has_image(programs, DIRECT)


def test_nothing_is_kept_of_programs_that_no_kept_deck_has(folder: Path, programs: Mapping[str, Program]):
    some = dict(programs)
    some["solve_0"] = Program(("I",), 1, some["solve_0"].steps, some["solve_0"].result)
    assert keeps_image(programs, DIRECT)
    assert not keeps_image(some, DIRECT)
    prepare(some, DIRECT, keep=True)
    prepare(programs, DIRECT)
    prepare(programs, replace(DIRECT, verify=True), keep=True)
    assert not kept_files(folder)


def test_few_steps_are_encoded_each_time(
    folder: Path, programs: Mapping[str, Program], monkeypatch: pytest.MonkeyPatch
):
    steps = sum(len(each.steps) for each in programs.values())
    for least, keeps in ((steps, True), (steps + 1, False)):
        monkeypatch.setattr(images, "LEAST_STEPS", least)
        assert keeps_image(programs, DIRECT) is keeps


def rewrite(path: Path, change: Callable[[ImageFile], object]) -> None:
    """Replace the image of a file, with a sum that holds."""
    data = pickle.dumps(change(pickle.loads(path.read_bytes()[keeping.SUM_BYTES :])))
    path.write_bytes(sha256(data).digest() + data)


def with_word(found: ImageFile, at: int, word: int) -> ImageFile:
    words = found.words[: 4 * at] + word.to_bytes(4, "little") + found.words[4 * at + 4 :]
    return replace(found, words=words)


def shorter(found: ImageFile) -> ImageFile:
    return replace(found, slices=found.slices[1:])


CHANGES: dict[str, Callable[[ImageFile], object]] = {
    "the magic": partial(with_word, at=0, word=7),
    "another table": partial(with_word, at=2, word=7),
    "more routines": partial(with_word, at=6, word=1 << 19),
    "words missing": lambda found: replace(found, words=found.words[:-4]),
    "no words": lambda found: replace(found, words=b""),
    "an address for words": lambda found: replace(found, words=4096),
    "no pool": lambda found: replace(found, pool=b""),
    "a slice less": shorter,
    "slices in another order": lambda found: replace(found, slices=found.slices[::-1]),
    "a program refused that has a slice": lambda found: replace(found, refused={found.slices[0]: "why"}),
    "a reason that is no text": lambda found: replace(found, slices=found.slices[1:], refused={found.slices[0]: 1}),
    "no helpers": lambda found: replace(found, helpers={}),
    "another helper": lambda found: replace(
        found, helpers={key: Helper("other", each.program) for key, each in found.helpers.items()}
    ),
    "a helper that is none": lambda found: replace(found, helpers=dict.fromkeys(found.helpers, 1)),
    "no image": lambda found: (1, 2, 3),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_image_that_is_not_sound_is_made_again(
    folder: Path, programs: Mapping[str, Program], made: Counted, name: str
):
    whole = prepare(programs, DIRECT, keep=True)
    assert whole.image.helpers
    (path,) = kept_files(folder)
    rewrite(path, CHANGES[name])
    again = prepare(programs, DIRECT, keep=True)
    assert made.times == 2
    assert again.image == whole.image
    assert again.slice_of.tolist() == whole.slice_of.tolist()
    assert prepare(programs, DIRECT, keep=True).image == whole.image
    assert made.times == 2


def test_every_changed_word_is_refused_or_gives_an_image_that_native_code_accepts(
    folder: Path, programs: Mapping[str, Program]
):
    made = ImageFile.of(compiler.encode_programs(programs))
    assert made.is_sound(programs)
    verdicts = [
        with_word(made, at, word).is_sound(programs)
        for at in range(0, len(made.words) // 4, 3)
        for word in (0xFFFFFFFF, 1 << 27)
    ]
    assert verdicts.count(False) > len(verdicts) // 2


def test_a_run_compiles_where_that_pays_over_several_runs_or_was_done_before(
    folder: Path, programs: Mapping[str, Program]
):
    open_ = replace(DIRECT, compiled=None, share=None)

    def compiles(samples: int) -> bool | None:
        return settle(programs, evaluations_of(len(programs), samples), open_)[0].compiled

    enough = -(-COMPILE_FROM // KEPT_RUNS)
    assert not compiles(enough - 1)
    assert compiles(enough)
    prepare(programs, STAGED, keep=True)
    assert compiles(1)
    assert settle(programs, evaluations_of(len(programs), 1), replace(open_, compiled=False))[0].compiled is False


def test_results_are_the_same_with_a_kept_image(
    folder: Path, tmp_path: Path, programs: Mapping[str, Program], made: Counted
):
    path, tasks = tmp_path / "deck.py", batt.load_tasks("arc1-training")[:3]
    runs = [
        batt.evaluate(path, tasks, engine="cpu", workers=1, outputs=True, compiled=form)
        for form in (True, True, False, False)
    ]
    assert made.times == 2
    exports = [tmp_path / f"{number}.jsonl" for number in range(len(runs))]
    for each, target in zip(runs, exports, strict=True):
        export(each, target, outputs=True)
    assert len({target.read_bytes() for target in exports}) == 1
    assert "turned" in repr(runs[1].values()[-1])


def test_the_code_of_an_image_is_that_of_all_that_makes_one():
    root = Path(images.__file__).parents[1]
    for name in images.MADE_BY:
        assert (root / name).is_dir() or (root / name).with_suffix(".py").is_file(), name
