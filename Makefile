# `make demo` and `make test` are all a new machine needs: each builds .venv first if it is missing or stale.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
CHECKS_READY := $(VENV)/.deploy-checks-ready

.PHONY: setup demo run test chaos soak bench bench-peers calibrate quality configuration lint check-deploy format lock clean
.DEFAULT_GOAL := setup

setup: $(READY)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)

# What is imported is compiled then, which for most modules is never: compiling all of them takes longer than the rest.
$(READY): requirements.lock pyproject.toml | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

demo: $(READY)
	@$(BIN)/eval-worker demo

run: $(READY)
	@$(BIN)/eval-worker run --embedded --judge-model offline

# All tests, in four processes since they wait more than they work. PYTEST= chooses a part, in one process unless it says
# so itself: make test PYTEST=tests/stream, make test PYTEST="-n 8".
PYTEST ?= -n 4 --dist worksteal
test: $(READY)
	@$(BIN)/python -m pytest $(PYTEST)

# Events judged while workers, server and model fail, and the ledger of it. SEED= repeats a run.
chaos: $(READY)
	@$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES)) \
		$(if $(EVENTS),--events $(EVENTS)) $(if $(WORKERS),--workers $(WORKERS)) \
		$(if $(FAULTS_PER_MINUTE),--faults-per-minute $(FAULTS_PER_MINUTE)) $(if $(ONLY),--only "$(ONLY)")

# A worker's memory over many events and under a large backlog, and how long the scripts hold up the server.
soak: $(READY)
	@$(BIN)/python -m tests.bounds.soak $(if $(EVENTS),--events $(EVENTS)) $(if $(WAITING),--waiting $(WAITING))

# How fast and how frugal a worker is, beside what the machine and the libraries allow (docs/performance.md). ONLY="drain
# judged" chooses, SECONDS= and REPEAT= say how long and how often, PAGE= is the page whose tables are written anew.
bench: $(READY)
	@$(BIN)/python -m benchmarks $(ONLY) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(REPEAT),--repeat $(REPEAT)) \
		$(if $(OUT),--json $(OUT)) $(if $(PAGE),--markdown $(PAGE))

# The same work by other frameworks, in virtual environments under .eval-worker/peers.
bench-peers:
	@$(MAKE) --no-print-directory bench ONLY=peers

# DATA= is a folder of labelled answers (docs/quality.md); JUDGES= chooses, all of them by default.
calibrate: $(READY)
	@$(BIN)/python -m benchmarks.calibration $(DATA) $(JUDGES)

# How good the judging is on labelled answers (docs/quality.md): a JSON document on stdout unless OUT= names a file, the
# tables on stderr, and in PAGE= if one is named. RESULTS= keeps what was judged, MODEL= is offline by default.
quality: $(READY)
	@$(BIN)/eval-worker quality $(DATA) --judge-model $(or $(MODEL),offline) $(if $(OUT),--output $(OUT)) \
		$(if $(PAGE),--markdown $(PAGE)) $(if $(RESULTS),--results $(RESULTS))

# docs/configuration.md, from the settings' source; a test says when it is not current.
configuration: $(READY)
	@$(BIN)/python -m tests.documentation.configuration_reference

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright

# What is deployed, each kind of file by its own tool (docs/deploy.md). CHECK="compose links" chooses.
check-deploy: $(CHECKS_READY)
	@$(BIN)/python -m tests.deploy.checks $(CHECK)

$(CHECKS_READY): deploy/locks/checks.lock $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r $<
	@touch $@

format: $(READY)
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

# Locks are for every supported Python and platform, by name, version and hash, without index addresses. The first is of
# all that users and developers install; the others pin the same versions, for the image, its wheel and check-deploy.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-emit-package eval-worker --no-annotate --custom-compile-command 'make lock'
LOCK_ALIKE = $(LOCK) --constraint requirements.lock

lock: | $(BIN)/python
	@$(BIN)/python -m pip install --quiet uv
	@$(LOCK) --all-extras --output-file requirements.lock pyproject.toml
	@$(LOCK_ALIKE) --extra api --extra mcp --extra tracing --output-file deploy/locks/image.lock pyproject.toml
	@$(LOCK_ALIKE) --group build --output-file deploy/locks/build.lock
	@$(LOCK_ALIKE) --group deploy-checks --output-file deploy/locks/checks.lock

clean:
	@rm -rf $(VENV) .eval-worker .pytest_cache .ruff_cache build dist
