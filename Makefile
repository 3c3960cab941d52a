# make demo | test | lint | check | pictures | bench | clean; everything lives in .venv, nothing is needed beforehand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint check format pictures bench clean

demo: $(VENV)/demo.installed
	$(BIN)/isocost demo --output out/demo --force

test: $(VENV)/dev.installed
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(VENV)/dev.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check: lint test

format: $(VENV)/dev.installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: $(VENV)/demo.installed
	$(BIN)/python examples/first_look.py --out docs/pictures/first_look.png --force
	$(BIN)/python examples/which_cost_matrices.py --out docs/pictures --force
	$(BIN)/python examples/pictures.py --out docs/pictures --force

bench: $(VENV)/bench.installed
	for name in imports value theory smoothness bounds pav audit coverage recalibrate objectives export frames train_worlds train; do $(BIN)/python -m benchmarks.$$name || exit 1; done

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "isocost needs Python 3.11 or newer"'
	$(PYTHON) -m venv $(VENV) || { echo "python3 -m venv failed: on Debian, apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

$(VENV)/demo.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[cli]'
	touch $@

$(VENV)/dev.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet torch==2.13.0  # first and by itself, so that a build for processors alone is found
	$(BIN)/python -m pip install --quiet --editable '.[cli,learn,onnx,torch]' --group test --group lint
	touch $@

$(VENV)/bench.installed: pyproject.toml $(VENV)/dev.installed
	$(BIN)/python -m pip install --quiet --group bench
	touch $@
