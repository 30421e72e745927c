from __future__ import annotations

from hashlib import sha256

from batt.page.assets import FOLDER, SCRIPTS, STYLES, asset

THIRD_PARTY = FOLDER / "third_party"


def test_files_of_others_are_what_their_hashes_say():
    listed = dict(reversed(line.split()) for line in (THIRD_PARTY / "SHA256SUMS").read_text().splitlines())
    assert listed == {
        path.name: sha256(path.read_bytes()).hexdigest() for path in THIRD_PARTY.iterdir() if path.name in listed
    }
    assert {path.name for path in THIRD_PARTY.iterdir()} - {"SHA256SUMS"} == {*listed}


def test_every_file_of_others_comes_with_a_licence():
    assert "MIT License" in (THIRD_PARTY / "LICENSE-uPlot").read_text()


def test_no_script_ends_the_element_that_holds_it():
    assert not [name for name in (*SCRIPTS, *STYLES) if "</script" in asset(name) or "</style" in asset(name)]


def test_no_script_of_the_page_writes_html():
    own = [name for name in SCRIPTS if not name.startswith("third_party")]
    assert not [name for name in own if "innerHTML" in asset(name) or "insertAdjacentHTML" in asset(name)]
