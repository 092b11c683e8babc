# Everything a developer runs; `make help` lists it.
PYTHON ?= python3
BIN := .venv/bin
LUDUS := .venv/.ludus
INSTALLED := .venv/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# A file stays in one process; tests/durations.json has the files that begin.
PYTEST = $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help setup system check quick test nightly demo docs bench clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(INSTALLED) ## a virtual environment in .venv with Ludus, all extras and the tools

# Where PYTHONDONTWRITEBYTECODE is set, every process of the tests would otherwise compile all modules that it imports.
$(INSTALLED): $(LUDUS)
	$(PIP) -e ".[all,docs,dev]"
	@$(BIN)/python -m compileall -qq -j 0 .venv/lib src
	@touch $@

# Modules are compiled when they are first imported: that halves the time until the demo starts.
$(LUDUS): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Ludus needs Python 3.11 or later: write make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)."; exit 1; }
	@echo "Installing Ludus into .venv, which takes up to a minute."
	$(PYTHON) -m venv .venv
	$(PIP) --no-compile -e ".[charts]"
	@touch $@

# What the tests use and Python packages do not bring: a PostgreSQL server, a browser for the report, chess engines, a shell.
system: ## Debian packages for the tests, where they are missing
	@command -v apt-get > /dev/null || exit 0; \
	missing=$$(for name in postgresql chromium stockfish gnuchess fish; do \
		dpkg-query -W -f '$${Status}' $$name 2> /dev/null | grep -q 'ok installed' || echo $$name; done); \
	[ -z "$$missing" ] || { sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -qq -y --no-install-recommends $$missing; }

check: setup ## style, format, types and plain English
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_plain_english.py

quick: setup ## the tests without processes, servers and databases, in under two minutes
	$(PYTEST) -m 'not slow and not nightly'

test: system check ## style, types, and all tests but the nightly ones
	$(PYTEST)

nightly: system setup ## the full products of agents, games and formats, and clean installs
	$(PYTEST) -m nightly

demo: $(LUDUS) ## a short game move by move, then a small tournament and its report
	$(BIN)/ludus play tic-tac-toe mcts:simulations=500 random --show
	@mkdir -p build && rm -f build/demo.db*
	$(BIN)/ludus run examples/demo.toml --store build/demo.db
	$(BIN)/ludus results 1 --html build/demo.html --store build/demo.db
	@echo "Open build/demo.html in a browser: the same results with charts."

docs: setup ## the documentation as a site, in build/docs
	$(BIN)/python docs/tree.py
	$(BIN)/python docs/reference.py
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env docs build/docs

bench: setup ## every speed claim, measured beside its peer
	$(BIN)/python benchmarks/run.py

clean: ## remove the virtual environment and everything built
	rm -rf .venv build dist src/*.egg-info .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
