# make demo   trains a network on real digits; needs python3 and make, nothing else
# make test   all set-up, then the tests and the examples in docstrings, without torch
# make help   the rest

VENV ?= .venv
SHARED ?= ../shared
JOBS ?= 2
FOUND := $(shell PYTHON='$(PYTHON)' scripts/find-python.sh)
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install -qq --disable-pip-version-check
# A stamp for each layer of what is installed: set-up happens once, and again when pyproject.toml changes.
BASE := $(VENV)/.stamp-base
EXAMPLES := $(VENV)/.stamp-examples
TEST := $(VENV)/.stamp-test
LINT := $(VENV)/.stamp-lint
PARITY := $(VENV)/.stamp-parity

.DEFAULT_GOAL := help
.PHONY: help demo test lint parity format seeds cases conformance bench wheel clean

help:
	@echo "make demo         train a small network on real handwritten digits, with a progress bar"
	@echo "make test         the tests, and the examples in docstrings"
	@echo "make lint         ruff and mypy --strict"
	@echo "make format       what ruff can mend of the above"
	@echo "make parity       the tests that compare with torch 2.13.0 (which this installs)"
	@echo "make seeds        $(SHARED)/seeds: scripts whose output is compared with PyTorch's"
	@echo "make cases        $(SHARED)/cases: cases from public bug reports"
	@echo "make conformance  $(SHARED)/conformance: PyTorch's operator database, against the floor in conformance-floor.json"
	@echo "make bench        the benchmarks against torch, and the figures in README.md"
	@echo "make wheel        build/dist/*.whl"
	@echo "make clean        remove $(VENV) and build"

demo: $(EXAMPLES)
	@$(PY) examples/digits.py

test: $(TEST)
	$(PY) -m pytest -q -n $(JOBS) --ignore=tests/parity

lint: $(LINT)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

parity: $(PARITY)
	OMP_NUM_THREADS=1 $(PY) -m pytest -q -n $(JOBS) tests/parity

seeds: $(BASE)
	$(PY) $(SHARED)/seeds/check.py

cases: $(PARITY)
	$(PY) -m pytest -q -c $(SHARED)/cases/pytest.ini -p no:cacheprovider $(SHARED)/cases

conformance: $(PARITY)
	OMP_NUM_THREADS=1 $(PY) scripts/conformance.py --shared $(SHARED) --jobs $(JOBS)

bench: $(PARITY)
	$(PY) benchmarks/report.py --measure

format: $(LINT)
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

wheel: $(BASE)
	$(PY) -m pip wheel --quiet --no-deps --wheel-dir build/dist .

clean:
	rm -rf $(VENV) build

# The pip that comes with Python 3.11 does not know dependency groups (--group): it is brought up to date first.
$(BASE): pyproject.toml
	@test -n "$(FOUND)" || { PYTHON='$(PYTHON)' scripts/find-python.sh --explain; exit 1; }
	@test -x $(PY) || { echo "making $(VENV) with $(FOUND)"; $(FOUND) -m venv $(VENV); }
	@echo "installing wengert and NumPy into $(VENV)"
	@$(PIP) --upgrade "pip>=25.1"
	@$(PIP) --editable .
	@touch $@

$(EXAMPLES): $(BASE)
	@echo "installing what the examples need (scikit-learn, tqdm)"
	@$(PIP) --editable ".[examples]"
	@touch $@

$(TEST): $(BASE)
	@echo "installing what the tests need"
	@$(PIP) --group test
	@touch $@

$(LINT): $(TEST)
	@echo "installing ruff and mypy"
	@$(PIP) --group lint
	@touch $@

$(PARITY): $(TEST)
	@echo "installing torch 2.13.0 to compare with"
	@$(PIP) torch==2.13.0
	@$(PIP) --group parity
	@touch $@
