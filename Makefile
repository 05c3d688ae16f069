# Two commands do everything on a fresh Debian or Ubuntu with git, make and Python 3.11 or newer:
#   make run     make test
# PYTHON=/path/to/python3 chooses the Python for a new .venv; PYTEST_ARGS="-k gemm" is handed to pytest.

PYTEST_ARGS ?=
# Every core of a small machine; on a large one more than four workers start Qt more often than they save time.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); \
	if [ $$n -lt 2 ]; then n=2; elif [ $$n -gt 4 ]; then n=4; fi; echo $$n)
BIN := .venv/bin
# pytest's exit code 5 means that no test carries the mark.
ALLOW_NONE := || [ $$? -eq 5 ]

.DEFAULT_GOAL := help
.PHONY: help run test check lint types imports tests test-slow bench wheel format clean distclean setup-run setup-test

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run ## Start the studio with the example study (headless, into out/, where there is no screen)
	@sh scripts/run.sh

test: check ## Set everything up, then run all checks and the tests

check: lint types imports tests ## Lint, types, import contracts and tests: what CI runs

lint: setup-test ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .

types: setup-test ## mypy: strict for core, plugins and built-in plugins
	$(BIN)/mypy

imports: setup-test ## import-linter: the layers
	$(BIN)/lint-imports --no-logo --cache-dir .import_linter_cache

tests: setup-test ## The normal tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(PYTEST_ARGS)

test-slow: setup-test ## The tests that take minutes
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m slow --timeout 1800 $(PYTEST_ARGS) $(ALLOW_NONE)

bench: setup-test ## Print start-up, evaluation and drawing times, with their ratios
	$(BIN)/python -m pytest tests/benchmarks -m benchmark -p no:randomly --capture=no --timeout 900 $(PYTEST_ARGS) $(ALLOW_NONE)

wheel: setup-test ## Build the wheel into dist/
	$(BIN)/python -m build --wheel --no-isolation --outdir dist

format: setup-test ## Format the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove what builds, tests and checks leave behind
	rm -rf build dist out .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -path ./.venv -prune -o -name __pycache__ -type d -print | xargs rm -rf

distclean: clean ## The same, and the virtual environment
	rm -rf .venv

setup-run:
	@sh scripts/setup.sh run

setup-test:
	@sh scripts/setup.sh test
