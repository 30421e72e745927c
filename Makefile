# `run` and `test` make their own environment in .venv. They need Python 3.10 or newer and a C++17 compiler (g++ or clang);
# without a compiler `run` uses the reference engine, and `BATT_PURE=1 make test` leaves out what needs the native one.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CMAKE ?= cmake
MINUTES ?= 30

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
NATIVE := CMakeLists.txt $(shell find native -type f)
SOURCES := $(filter %.h %.cpp %.cu, $(NATIVE))

# Commands that tests start import the sources; without bytecode, each of them compiles all of these again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check format native sanitize aarch64 bench docs page-pictures site statistics opcodes clean

run: $(VENV)/installed
	$(BIN)/batt run
	@echo "batt is installed as $(BIN)/batt; to call it by its name alone: . $(BIN)/activate"

# A file's tests stay in one process, so that what they share is made once.
test: $(VENV)/tested-with check
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/tested-with
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(SOURCES)
	$(BIN)/mypy

# The one style of Python and of native code.
format: $(VENV)/tested-with
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(SOURCES)

# The library alone; what the compiler says is shown where it fails.
native: $(BIN)/python
	BATT_PURE=0 $(INSTALL) --editable .
	touch $(VENV)/installed

# The fuzzers on a library that finds memory errors and undefined behaviour. Python itself is not built for that, so the
# sanitizer is loaded before it and leaks are not looked for.
sanitize: $(VENV)/installed
	$(CMAKE) -S . -B build/sanitize -DBATT_SANITIZE=ON -DCMAKE_CXX_COMPILER=$(CXX)
	$(CMAKE) --build build/sanitize
	for mode in "" --sharing --words; do \
	    LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	        ASAN_OPTIONS=detect_leaks=0 BATT_NATIVE_LIBRARY=build/sanitize/libbatt_native.so \
	        $(BIN)/batt check --fuzz $$mode --minutes $(MINUTES) || exit; \
	done

# Recorded evaluations by clang, by both compilers with checks, and for aarch64 under an emulator, all compared with g++'s. Needs
# apt-get install clang g++-aarch64-linux-gnu qemu-user; what is missing is left out with a message.
aarch64: $(VENV)/tested-with
	$(BIN)/python -m pytest --slow -rs tests/test_portability.py

# A short standard set, at most two minutes; `batt bench` alone measures all of it, benchmarks/compile.py compiling.
bench: $(VENV)/tested-with
	$(BIN)/batt bench prototype 'sizes/50 samples' --limit 2000 --costliest 5
	$(BIN)/batt bench re-arc --limit 2000 --guard 2 --engines plain,cpu:1:no-share,cpu:1,cpu --costliest 5
	$(BIN)/batt bench first-132 --limit 50000 --costliest 5

docs: $(VENV)/tested-with
	$(BIN)/python docs/make.py

# The pictures of the page of a run on its own page. Needs Chromium: apt-get install chromium.
page-pictures: $(VENV)/tested-with
	$(BIN)/python docs/making/page_pictures.py

# The pages as a site in build/site. A link that leads nowhere is an error. No network is needed.
site: $(VENV)/tested-with
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --config-file docs/site/mkdocs.yml
	@echo "written to build/site; to read it: $(BIN)/python -m http.server --directory build/site"

# How the built-in deck uses the language, which a search reads by batt.deck_statistics().
statistics: $(VENV)/installed
	$(BIN)/batt stats --json src/batt/decks/statistics.json

# The numbers of ops and instructions, and the interface, for native code.
opcodes: $(VENV)/installed
	$(BIN)/python -c "from pathlib import Path; from batt.bytecode import abi, opcodes; \
	    Path('native/generated/abi.h').write_text(abi.header(), 'utf-8'); \
	    Path('native/generated/opcodes.h').write_text(opcodes.header(), 'utf-8')"

clean:
	rm -rf $(VENV) build

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Bytecode is written for the sources, as pip does for what it copies: without it, each command compiles them again.
$(VENV)/installed: pyproject.toml $(NATIVE) | $(BIN)/python
	$(INSTALL) --editable .
	$(BIN)/python -m compileall -q src/batt
	touch $@

# Tests need the library, so here a build that fails is an error, unless BATT_PURE=1 asks for plain Python. The verifiers
# of re-arc are read from reasoning-gym by path, so its many dependencies are not needed.
$(VENV)/tested-with: pyproject.toml $(NATIVE) | $(BIN)/python
	BATT_PURE=$${BATT_PURE:-0} $(INSTALL) --editable '.[test]'
	$(INSTALL) --no-deps 'reasoning-gym==0.1.25'
	$(BIN)/python -m compileall -q src/batt
	touch $(VENV)/installed $@
