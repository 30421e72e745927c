# Both targets make their own environment in .venv; nothing else needs to be installed but Python 3.10 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: run test check bench docs clean

run: $(VENV)/installed
	$(BIN)/batt run

test: $(VENV)/tested-with check
	$(BIN)/python -m pytest

check: $(VENV)/tested-with
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/tested-with
	$(BIN)/python benchmarks/reference.py
	$(BIN)/python benchmarks/compile.py

docs: $(VENV)/tested-with
	$(BIN)/python docs/make.py

clean:
	rm -rf $(VENV)

$(VENV)/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# The verifiers of re-arc are read from reasoning-gym by path, so its many dependencies are not needed.
$(VENV)/tested-with: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'reasoning-gym==0.1.25'
	touch $@
