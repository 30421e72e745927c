"""Values that are kept on disk: made once for a content, and made again where a file cannot be trusted."""

from __future__ import annotations

import io
import os
import pickle
import stat
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

import batt
from batt import kept as keeping
from batt.files import write_text
from batt.front import Deck
from batt.kept import MOST_FILES, is_kept, is_large, kept
from batt.own.loading import ops_of
from batt.types import OrderedSet
from handmade import MIRROR, RAISES, SAME, source

CONTENT = b"x" * keeping.LARGE_BYTES


@dataclass
class Counted:
    """Makes a set, and counts how often."""

    times: int = 0

    def __call__(self) -> OrderedSet[int]:
        self.times += 1
        return OrderedSet([3, 1, 2])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where values are kept, empty."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / keeping.FOLDER


def get(make: Callable[[], OrderedSet[int]], *content: bytes) -> OrderedSet[int]:
    return kept(OrderedSet, ("types",), content or (CONTENT,), make)


def damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"\0")


def with_sum(data: bytes) -> bytes:
    return sha256(data).digest() + data


class Planted:
    """Calls something when it is unpickled that would write the file `planted`."""

    def __init__(self, call: Callable[..., object] = open, *args: object) -> None:
        self.call = call
        self.args = args or ("planted", "w")

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.call, self.args


def test_a_value_is_made_once_and_its_file_is_the_users_alone(folder: Path):
    make = Counted()
    assert get(make) == get(make) == OrderedSet([1, 2, 3])
    assert make.times == 1
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_another_content_has_another_key(folder: Path):
    make = Counted()
    contents = [(CONTENT,), (CONTENT + b"y",), (CONTENT, b"y"), (b"y", CONTENT)]
    for content in contents:
        get(make, *content)
    assert make.times == len(list(folder.iterdir())) == len(contents)


def test_other_code_has_another_key(folder: Path, monkeypatch: pytest.MonkeyPatch):
    make = Counted()
    get(make)
    monkeypatch.setattr(keeping, "_code", lambda names: b"other code")
    get(make)
    assert make.times == 2


def test_the_code_is_that_of_the_named_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("kept.py", "private.py", "source.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "front").mkdir()
    (tmp_path / "front" / "deck.py").write_text("a = 1")
    monkeypatch.setattr(keeping, "__file__", str(tmp_path / "kept.py"))
    digest = keeping._code.__wrapped__
    before = digest(("front", "source")), digest(("source",))
    (tmp_path / "front" / "deck.py").write_text("a = 2")
    after = digest(("front", "source")), digest(("source",))
    assert before[0] != after[0]
    assert before[1] == after[1]


@pytest.mark.parametrize(
    "spoil",
    [
        damage,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(with_sum(b"no pickle")),
        lambda path: path.write_bytes(with_sum(pickle.dumps((1, 2)))),
        lambda path: path.write_bytes(with_sum(pickle.dumps(Planted()))),
        lambda path: path.write_bytes(with_sum(pickle.dumps(Planted(write_text, Path("planted"), "text")))),
        lambda path: path.write_bytes(with_sum(pickle.dumps(Planted(ops_of, "", "open('planted', 'w')")))),
        lambda path: path.write_bytes(with_sum(b"\x80\x04cbatt.front.deck\nwrite_text\n.")),
        lambda path: path.write_bytes(with_sum(b"\x80\x04cbatt.front.deck\nPath\n.")),
        lambda path: path.chmod(0o666),
        lambda path: path.parent.chmod(0o777),
    ],
    ids=[
        "damaged",
        "empty",
        "no pickle",
        "another kind",
        "planted",
        "a function of batt",
        "code of own ops",
        "a function that a module imports",
        "a class that a module imports",
        "others write to it",
        "others write to its folder",
    ],
)
def test_a_file_that_cannot_be_trusted_is_not_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None]
):
    monkeypatch.chdir(tmp_path)
    make = Counted()
    get(make)
    (path,) = folder.iterdir()
    spoil(path)
    assert get(make) == OrderedSet([1, 2, 3])
    assert make.times == 2
    assert not (tmp_path / "planted").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("given", ["the file", "the folder"])
def test_what_belongs_to_another_user_is_not_used(folder: Path, given: str):
    make = Counted()
    get(make)
    (path,) = folder.iterdir()
    os.chown(path if given == "the file" else folder, 12345, 12345)
    assert get(make) == OrderedSet([1, 2, 3])
    assert make.times == 2


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "file" / "below"))
    make = Counted()
    assert get(make) == get(make)
    assert make.times == 2


def test_a_small_deck_is_not_kept(folder: Path, tmp_path: Path):
    path = tmp_path / "deck.py"
    path.write_text(source("solve_same", *SAME))
    assert not any(solver.program.known_digest for solver in batt.load_deck(path))
    assert not folder.exists()
    assert not is_large([b"small"])
    assert is_large([CONTENT[:-1], b"x"])


def test_a_value_that_is_not_sound_is_made_again(folder: Path):
    make = Counted()
    for is_sound in (True, True, False, True):
        assert kept(OrderedSet, ("types",), (CONTENT,), make, lambda value, told=is_sound: told) == OrderedSet(
            [1, 2, 3]
        )
    assert make.times == 2


def test_a_file_that_is_there_can_be_asked_for(folder: Path):
    assert not is_kept(OrderedSet, ("types",), (CONTENT,))
    get(Counted())
    assert is_kept(OrderedSet, ("types",), (CONTENT,))
    assert not is_kept(OrderedSet, ("types",), (CONTENT, b""))
    assert not is_kept(Deck, ("types",), (CONTENT,))


def test_files_together_have_a_most_of_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch):
    make = Counted()
    get(make)
    (first,) = folder.iterdir()
    size = first.stat().st_size
    monkeypatch.setattr(keeping, "MOST_BYTES", 5 * size)
    for number in range(7):
        get(make, str(number).encode())
    assert len(list(folder.iterdir())) == 5
    assert not first.exists()
    monkeypatch.setattr(keeping, "MOST_BYTES", 2 * size)
    get(make, b"too large")
    assert not is_kept(OrderedSet, ("types",), (b"too large",))


def test_the_least_recently_used_files_are_deleted(folder: Path):
    make = Counted()
    get(make)
    (first,) = folder.iterdir()
    for number in range(MOST_FILES):
        os.utime(first, ns=(number, number))
        get(make, CONTENT, str(number).encode())
    assert len(list(folder.iterdir())) == MOST_FILES
    assert not first.exists()


def large_deck(path: Path, *lines: str) -> Path:
    solvers = [source(f"solve_{number}", *(lines or MIRROR)) for number in range(1_500)]
    path.write_text("\n\n".join([*solvers, source("solve_same", *SAME)]))
    return path


def test_a_kept_deck_is_the_deck_and_follows_its_file(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = large_deck(tmp_path / "deck.py")
    first, again = batt.load_deck(path), batt.load_deck(path)
    assert len(list(folder.iterdir())) == 1
    assert first.programs == again.programs
    assert [(each.source, each.place) for each in first] == [(each.source, each.place) for each in again]
    assert again["solve_7"].program.steps[0].callee == first["solve_7"].program.steps[0].callee
    changed = batt.load_deck(large_deck(tmp_path / "deck.py", *RAISES))
    assert changed.programs != first.programs
    assert len(list(folder.iterdir())) == 2


def test_a_damaged_deck_is_read_from_its_file(folder: Path, tmp_path: Path):
    path = large_deck(tmp_path / "deck.py")
    whole = batt.load_deck(path)
    (file,) = folder.iterdir()
    damage(file)
    assert batt.load_deck(path).programs == whole.programs


def test_a_deck_with_mistakes_is_read_each_time(folder: Path, tmp_path: Path):
    path = large_deck(tmp_path / "deck.py", "x = vmiror(I)")
    assert len(batt.load_deck(path, keep_going=True).mistakes) == 1_500
    assert not folder.exists()


def test_a_kept_set_of_tasks_is_the_set(folder: Path):
    from batt.tasks import built_in

    built_in._read.cache_clear()
    first = batt.load_tasks("arc1-training")
    built_in._read.cache_clear()
    again = batt.load_tasks("arc1-training")
    built_in._read.cache_clear()
    assert first is not again
    assert (again, again.name, again.ids) == (first, first.name, first.ids)
    assert [path.name.partition("-")[0] for path in folder.iterdir()] == ["tasks"]


def test_decks_and_tasks_hold_objects_of_batt_alone():
    for value in (batt.load_deck(), batt.load_tasks("arc1-training")[:5]):
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        read = keeping._OfBatt(io.BytesIO(data)).load()
        assert (read.programs == value.programs) if isinstance(value, Deck) else (read == value)
