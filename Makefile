# make demo: a first look. make test: the whole suite, from nothing. make help: the rest.
# Environments and builds live in .venv and build; both can be deleted at any time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := pyproject.toml CMakeLists.txt $(shell find engine src -type f ! -name '*.pyc' ! -name '*.so' 2>/dev/null)
FUZZ_SECONDS ?= 60
# tests at once; a file of tests stays in one process, the long ones of verification/ come first
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
SANITIZED := build/sanitized
# the tests that drive native code; those that are not there are left out
SANITIZED_TESTS := $(wildcard tests/applications/test_loop.py tests/applications/test_techniques.py tests/description tests/fuzz/test_run_directories.py \
  tests/engine tests/plugins tests/schedulers tests/simulation tests/traces tests/users tests/workload)

# tests that start Python with an environment of their own, where the sanitizers cannot be loaded first; long logs; and
# files of functions that are compiled while the tests run, which no sanitizer sees, or of Python alone
NOT_SANITIZED := not machines_zone and not heavy_modules and not real_log and not curie and not accasims_schedule
NOT_SANITIZED_FILES := tests/schedulers/test_native.py tests/schedulers/test_specs.py tests/plugins/test_surface.py \
  tests/description/test_comparison.py tests/description/test_real_logs.py tests/workload/test_oracle_inputs.py

.PHONY: help demo test lint sanitize fuzz bench clean

help:
	@echo 'make demo      install into .venv, run `thinktime demo`, say where results and pictures are'
	@echo 'make test      install with the test tools and run tests/ and verification/'
	@echo 'make lint      ruff and mypy'
	@echo 'make sanitize  the engine under AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make fuzz      fuzz the log scanner for FUZZ_SECONDS (60)'
	@echo 'make bench     how fast the engine is here, against its goals'
	@echo 'make clean     remove .venv, build and demo'
	@echo 'PYTHON=python3.12 make … takes another Python'

demo: $(VENV)/installed
	@$(BIN)/thinktime demo --out demo --overwrite

test: $(VENV)/installed $(VENV)/tools-test
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations=20 --durations-min=5

lint: $(VENV)/tools-lint $(VENV)/installed
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy --python-executable $(BIN)/python

sanitize: $(VENV)/tools-test $(SANITIZED)/built
	@echo "running $(SANITIZED_TESTS) on the sanitized engine"
	@LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc THINKTIME_EFFORT=0.05 PYTHONPATH=$(abspath $(SANITIZED))/package \
	  $(BIN)/python -m pytest -n $(JOBS) --dist loadfile -p no:cacheprovider -q -k '$(NOT_SANITIZED)' \
	  $(addprefix --ignore=,$(NOT_SANITIZED_FILES)) $(SANITIZED_TESTS)

fuzz:
	@if [ -x tests/fuzz/run ]; then tests/fuzz/run $(FUZZ_SECONDS); else echo 'there is no tests/fuzz/run'; fi

bench: $(VENV)/installed
	@$(BIN)/thinktime bench

clean:
	@rm -rf $(VENV) build demo

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else \
	  "thinktime needs Python 3.11 or newer, but $(PYTHON) is " + sys.version.split()[0] + \
	  ": name another one with PYTHON=python3.12 make …")'
	@$(PYTHON) -m venv $(VENV) || { echo 'the environment .venv cannot be made: install the venv module' \
	  '(python3-venv) of $(PYTHON)'; exit 1; }
	@touch $@

$(VENV)/installed: $(VENV)/created $(SOURCES)
	@echo 'installing thinktime into $(VENV)'
	@$(PIP) install .
	@touch $@

# The tools are read from pyproject.toml, so that versions stand in one place.
$(VENV)/tools-%: $(VENV)/created pyproject.toml
	@echo 'installing the tools for $* into $(VENV)'
	@$(BIN)/python -c 'import tomllib; print("\n".join(tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$*"]))' > $@.txt
	@$(PIP) install --requirement $@.txt
	@touch $@

# A copy of the package beside a sanitized engine; the installed one stays as it is.
$(SANITIZED)/built: $(VENV)/installed $(SOURCES)
	@echo 'building the sanitized engine'
	@$(BIN)/python -c 'import tomllib; print("\n".join(tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"]))' > $(VENV)/tools-build.txt
	@$(PIP) install --requirement $(VENV)/tools-build.txt cmake ninja && mkdir -p $(SANITIZED)
	@$(BIN)/cmake -S . -B $(SANITIZED)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DCMAKE_BUILD_TYPE=None -DTHINKTIME_SANITIZE=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python > $(SANITIZED)/cmake.log \
	  || { cat $(SANITIZED)/cmake.log; exit 1; }
	@$(BIN)/cmake --build $(SANITIZED)/cmake > $(SANITIZED)/build.log || { cat $(SANITIZED)/build.log; exit 1; }
	@rm -rf $(SANITIZED)/package && mkdir -p $(SANITIZED)/package
	@cp -r src/thinktime src/thinktime_* $(SANITIZED)/package/ && rm -f $(SANITIZED)/package/thinktime/_engine*.so
	@cp $(SANITIZED)/cmake/_engine*.so $(SANITIZED)/package/thinktime/
	@touch $@
