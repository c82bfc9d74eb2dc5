# Every command a person or a machine needs; `make` alone lists them. Works with GNU make 3.81 and a POSIX shell.
# Each command first brings the environment it needs up to date (.venv); when nothing changed that takes a moment.

SHELL := /bin/sh
BIN := .venv/bin
SETUP := @sh scripts/python.sh scripts/environment.py
QUESTION ?= Is a retrieved passage ever cut to make it fit?
# Handed to the shell through the environment, where quotes and dollars in it are text and nothing else.
override QUESTION := $(value QUESTION)
export QUESTION
STORE := .demo/knowledge.db
FUZZ_SECONDS ?= 600
SERVICE_REQUESTS ?= 2500
SERVICE ?=
# Sizes and rounds of `make bench-retrieval` and `make bench-stores`: BENCH="--chunks 5000 --sections put ask".
BENCH ?=
# A folder with corpus.jsonl and queries.jsonl, for `make bench-stores`.
COLLECTION ?=
# Files of `make bench-extraction`; without it, `realdocs` in the folder that SYMFONIC_CORPORA names.
FILES ?=
# `make wheel-test ALL=--all` runs the tests on the wheel with the lowest Python too, and `make stores ALL=--all` suites that
# take minutes on engines whose every change takes long.
ALL ?=
# A worker for each core; one that has nothing left takes tests from another.
WORKERS ?= auto
PYTEST := -m pytest -q -n $(WORKERS) --dist worksteal
# COVERAGE=1 measures the run of `make test`; `make coverage` judges that run as long as nothing below is newer than it.
COVERAGE ?=
MEASURED := src tests docs examples scripts benchmarks fuzz assets *.md *.toml constraints.txt Makefile
CEILINGS := --limit 3 --max-fragment-chars 1000 --max-total-chars 1600
# What only `make stores` runs, and measures.
S := src/symfonic/adapters/knowledge/stores
SERVED := $(S)/*pgvector*,$(S)/*qdrant*,$(S)/*chroma*,$(S)/*lancedb*,$(S)/_rowstore*
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Some images forbid to keep what was compiled. Then every worker compiles all tests, in each step again, and every
# program that a test starts compiles the sources.
override PYTHONDONTWRITEBYTECODE :=
export PYTHONDONTWRITEBYTECODE

# Steps share build folders and environments, and two cores are soon busy.
.NOTPARALLEL:
.PHONY: help demo test check corpora sdk stores bench bench-extraction bench-retrieval bench-service bench-stores fuzz fuzz-service local-answer lint format types layers \
        coverage bare wheel-test coexistence mutate signatures constraints setup-run setup-test setup-dev setup-bench setup-sdk \
        setup-stores setup-fuzz setup-local setup-browser browser screenshots \
        clean distclean

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup-run:
	$(SETUP) run

setup-test:
	$(SETUP) test

setup-dev:
	$(SETUP) dev

setup-bench:
	$(SETUP) bench

setup-sdk:
	$(SETUP) sdk

setup-stores:
	$(SETUP) stores

setup-local:
	$(SETUP) local

setup-browser:
	$(SETUP) browser

setup-fuzz:
	$(SETUP) fuzz

demo: setup-run ## Ingest this project's documentation, ask it a question, show the prompt and what was left out
	@rm -rf .demo && mkdir .demo
	@echo '$$ symfonic-knowledge ingest docs --store $(STORE)'
	@$(BIN)/symfonic-knowledge ingest docs --store $(STORE)
	@echo
	@printf '$$ symfonic-knowledge prompt "%s" $(CEILINGS) --store $(STORE)\n' "$$QUESTION"
	@$(BIN)/symfonic-knowledge prompt "$$QUESTION" $(CEILINGS) --store $(STORE) || [ $$? -eq 3 ]
	@echo && echo
	@printf '$$ symfonic-knowledge explain "%s" $(CEILINGS) --store $(STORE)\n' "$$QUESTION"
	@$(BIN)/symfonic-knowledge explain "$$QUESTION" $(CEILINGS) --store $(STORE) || [ $$? -eq 3 ]
	@echo
	@echo 'Ask your own: make demo QUESTION="..."'

test: setup-test ## Run the tests on the source tree (COVERAGE=1 measures them for `make coverage`)
ifeq ($(COVERAGE),)
	$(BIN)/python $(PYTEST)
else
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run $(PYTEST)
	@$(BIN)/coverage combine -q
endif

check: lint layers types bare coverage wheel-test coexistence sdk stores browser ## Everything CI checks
	@echo 'All checks passed.'

corpora: setup-test ## Run the tests that need the external corpora (SYMFONIC_CORPORA=FOLDER)
	$(BIN)/python $(PYTEST) --corpora -m corpora

sdk: setup-sdk ## Hold what others' libraries get from us, and answer us, against them: providers of models, frameworks
	.venv-sdk/bin/python $(PYTEST) --sdk -m sdk tests/adapters tests/docs

stores: setup-stores ## Hold other stores to what they promise; PostgreSQL is started for it, and ended (COVERAGE of them: 95 %)
	@mkdir -p build
	COVERAGE_FILE=build/coverage-stores .venv-stores/bin/coverage run $(PYTEST) --stores -m 'stores$(if $(ALL),, and not lengthy)' tests/adapters tests/composition tests/frontends/knowledge/test_cli_servers.py tests/docs $(if $(SYMFONIC_CORPORA),--corpora tests/corpora)
	@COVERAGE_FILE=build/coverage-stores .venv-stores/bin/coverage combine -q
	COVERAGE_FILE=build/coverage-stores .venv-stores/bin/coverage report --include='$(SERVED)' --fail-under=95

browser: setup-browser ## Drive the pages of the inspector in Chromium (Debian: apt-get install chromium)
	.venv-browser/bin/python $(PYTEST) --browser -m browser tests/browser

screenshots: setup-browser ## Take the pictures of the inspector anew
	.venv-browser/bin/python scripts/screenshots.py

bench-service: setup-test ## Have 64 clients ask the service for a minute, leave it alone, and end it under load (SERVICE="--seconds 5")
	$(BIN)/python benchmarks/service.py $(SERVICE)

bench-stores: setup-stores ## Measure PostgreSQL beside the embedded store; with COLLECTION=FOLDER whether all stores rank alike
	.venv-stores/bin/python benchmarks/$(if $(COLLECTION),store_agreement.py $(COLLECTION),stores.py) $(BENCH)

bench: setup-bench ## Measure selection, filters, reuse of prefixes and extraction beside peers, and questions to 20,000 passages
	.venv-bench/bin/python benchmarks/run.py
	.venv-bench/bin/python benchmarks/extraction/run.py --optional $(FILES)
	@echo 'Retrieval end to end beside peers (26 GB of environments, an hour): make bench-retrieval'

bench-extraction: setup-bench ## Measure files to text beside loaders of LangChain and LlamaIndex (SYMFONIC_CORPORA=FOLDER or FILES=FOLDER)
	.venv-bench/bin/python benchmarks/extraction/run.py $(FILES)

bench-retrieval: setup-bench ## Measure retrieval end to end beside four peers, each in an environment of its own (26 GB)
	.venv-bench/bin/python benchmarks/retrieval/run.py $(BENCH)

local-answer: setup-local ## Answer a question about the example handbook with a small model on this machine, and check the answer
	@rm -rf .demo && mkdir .demo
	.venv-local/bin/python scripts/local_answer.py .demo

fuzz: setup-fuzz ## Search for inputs on which a filter differs from its plain machine (FUZZ_SECONDS=600)
	.venv-fuzz/bin/python fuzz/run.py $(FUZZ_SECONDS)

fuzz-service: setup-dev ## Ask the service by its own description, rightly and wrongly (SERVICE_REQUESTS=2500)
	SYMFONIC_EXAMPLES=$(SERVICE_REQUESTS) $(BIN)/python -m pytest -q -p no:xdist tests/frontends/knowledge/http/test_description.py

lint: setup-dev ## Style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: setup-dev ## Rewrite the code in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

layers: setup-dev ## Dependency directions between rings and modules
	$(BIN)/lint-imports

types: setup-dev ## mypy strict everywhere, pyright strict on the capabilities
	$(BIN)/pyright & pyright=$$!; $(BIN)/mypy; mypy=$$?; wait $$pyright && exit $$mypy # each has a core

bare: setup-run ## The boundary with nothing installed
	$(BIN)/python -I -S scripts/bare.py src

coverage: setup-test ## Tests with branch coverage: 100 % on the capabilities, 95 % elsewhere
	@[ -f .coverage ] && [ -z "$$(find $(MEASURED) -name __pycache__ -prune -o -newer .coverage -print)" ] \
	    || $(MAKE) --no-print-directory test COVERAGE=1
	$(BIN)/coverage report --include='src/symfonic/capabilities/*' --fail-under=100
	$(BIN)/coverage report --omit='src/symfonic/capabilities/*,$(SERVED)' --fail-under=95

wheel-test: setup-dev ## Build the wheel, try it with Python 3.11 and run the tests on it with the newest (ALL=--all: both)
	$(BIN)/python scripts/wheel.py test $(ALL)

coexistence: setup-dev ## Install the wheel beside symfonic-core and test that both work
	$(BIN)/python scripts/wheel.py coexistence

mutate: ## Change one module in small ways and see whether the tests notice (MODULE=contracts, or all)
	@sh scripts/python.sh scripts/mutation.py $(MODULE)

signatures: setup-dev ## Write the signatures in the reference anew from the code
	$(BIN)/python scripts/signatures.py

constraints: ## Resolve everything anew and rewrite constraints.txt
	sh scripts/python.sh scripts/constraints.py

clean: ## Remove what builds, tests and the demo leave behind
	rm -rf build dist htmlcov .demo .coverage .coverage.* .hypothesis .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find src tests scripts examples -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## The same, and every environment
	rm -rf .venv .venv-*
