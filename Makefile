# make demo: read a sample photo. make test: all tests. make app: the page. make check: every gate.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
SAMPLE := datasets/samples/makiaveli_1.jpg

.PHONY: demo test app lint audit check clean

# The stamps make a second run install nothing; they are older than the files that say what to install.
$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.light: $(VENV)/.venv pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.full: $(VENV)/.venv pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,train]'
	touch $@ $(VENV)/.light

demo: $(VENV)/.light
	$(BIN)/python -m vision.detect $(SAMPLE) --game makiaveli --out out/demo.jpg

test: $(VENV)/.full
	$(BIN)/python -m pytest -n auto

app: $(VENV)/.light
	$(BIN)/python -m webapp

lint: $(VENV)/.full
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

audit: $(VENV)/.full
	$(BIN)/interrogate --quiet solver vision webapp
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml solver vision webapp
	$(BIN)/python -m tests.bench.vulnerabilities

check: lint audit test

clean:
	rm -rf $(VENV) out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find solver -name '*.nb?' -delete
