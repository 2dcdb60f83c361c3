# make demo: read a sample photo. make test: the tests, but for slow ones. make test-all: all. make app: the page. make docs: the manual, in out/docs.
# make check: every gate.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
SAMPLE := datasets/samples/makiaveli_1.jpg

.PHONY: demo test test-all coverage app docs lint audit check clean

# The stamps make a second run install nothing; they are older than the files that say what to install.
$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.light: $(VENV)/.venv pyproject.toml constraints.txt
	@echo "installing into $(VENV), which takes a few minutes ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.full: $(VENV)/.venv pyproject.toml constraints.txt
	@echo "installing into $(VENV), which takes several minutes ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,train]'
	touch $@ $(VENV)/.light

$(VENV)/.docs: $(VENV)/.venv pyproject.toml constraints.txt
	@echo "installing into $(VENV), which takes a few minutes ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch $@ $(VENV)/.light

demo: $(VENV)/.light
	$(BIN)/python -m vision.detect $(SAMPLE) --out out/demo.jpg

# Two workers a core would only wait for each other; a game's tests share one, which compiles its kernels once.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup

test: $(VENV)/.full
	$(PYTEST) -m 'not slow'

test-all: $(VENV)/.full
	$(PYTEST)

# No gate: to watch each line takes up to three times as long.
coverage: $(VENV)/.full
	$(PYTEST) --cov --cov-report=term --cov-report=html:out/coverage

app: $(VENV)/.light
	$(BIN)/python -m webapp

# Fails on a broken link or a docstring that cannot be read.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

lint: $(VENV)/.full
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

audit: $(VENV)/.full
	$(BIN)/interrogate --quiet plumbing solver drawing vision datasets models webapp
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml plumbing solver drawing vision datasets models webapp
	$(BIN)/python -m tests.bench.vulnerabilities

check: lint audit docs test-all

clean:
	rm -rf $(VENV) out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find solver -name '*.nb?' -delete
