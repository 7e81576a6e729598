# make demo: a first look. make test: the tests, from nothing. make help: all targets.
# Environments and builds are in .venv and build; both can be deleted at any time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := pyproject.toml CMakeLists.txt $(shell find engine src -type f ! -name '*.pyc' ! -name '*.so' 2>/dev/null)
NATIVE_SOURCES := $(shell find engine tests/fuzz -name '*.h' -o -name '*.cc' 2>/dev/null)
FUZZ_SECONDS ?= 60
# Number of test processes. The tests of one file stay in one process.
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations=20 --durations-min=5
# Effort of the random searches in `make verify`; `make test` uses the default of tests/effort.py.
VERIFY_EFFORT ?= 3

SANITIZED := build/sanitized
MEASURED := build/coverage
# tests of native code
SANITIZED_TESTS := $(wildcard tests/applications/test_loop.py tests/applications/test_techniques.py tests/description tests/fuzz/test_run_directories.py \
  tests/engine tests/plugins tests/schedulers tests/simulation tests/traces tests/users tests/workload)
# Not under sanitizers: tests that start Python without them, long logs, and files of Python alone or of code that is
# compiled while the tests run.
NOT_SANITIZED := not machines_zone and not heavy_modules and not real_log and not curie and not accasims_schedule
NOT_SANITIZED_FILES := tests/schedulers/test_native.py tests/schedulers/test_specs.py tests/plugins/test_surface.py \
  tests/description/test_comparison.py tests/description/test_real_logs.py tests/workload/test_oracle_inputs.py \
  tests/traces/sacct tests/traces/test_csv_reader.py tests/traces/test_parquet_reader.py tests/traces/test_batsim_reader.py

# The requirements of a group in pyproject.toml: $(call requirements,project.optional-dependencies.test)
requirements = $(BIN)/python -c 'import functools, tomllib; print("\n".join(functools.reduce(dict.get, "$(1)".split("."), tomllib.load(open("pyproject.toml", "rb")))))'

.PHONY: help demo test native verify searches lint format sanitize fuzz coverage bench changelog clean

help:
	@echo 'make demo      install into .venv, run `thinktime demo`, print where results and figures are'
	@echo 'make test      install with the test tools and run the native tests and tests/'
	@echo 'make native    run the native tests of the engine (engine/*/*_test.cc) under sanitizers'
	@echo 'make verify    run verification/ (theory, peers, papers), longer random searches, sanitizers and fuzzing'
	@echo 'make lint      ruff, mypy and clang-format'
	@echo 'make format    format Python and C++ files'
	@echo 'make sanitize  run the tests of the engine under AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make fuzz      fuzz the log scanner for FUZZ_SECONDS (60)'
	@echo 'make coverage  measure which lines of Python and C++ the tests run'
	@echo 'make bench     measure the speed here and compare it with the goals'
	@echo 'make changelog move the fragments of changelog.d into CHANGELOG.md, for a release'
	@echo 'make clean     remove .venv, build and demo'
	@echo 'Use another Python with PYTHON=python3.12 make …'

demo: $(VENV)/installed
	@$(BIN)/thinktime demo --out demo --overwrite

test: native $(VENV)/installed $(VENV)/tools-test
	@$(PYTEST) tests

native: $(SANITIZED)/configured
	$(call build,sanitized,engine_tests)
	@$(SANITIZED)/cmake/engine_tests

verify: searches sanitize fuzz

searches: $(VENV)/installed $(VENV)/tools-test $(VENV)/tools-build $(VENV)/tools-lint
	@$(PYTEST) verification
	@THINKTIME_EFFORT=$(VERIFY_EFFORT) $(PYTEST) -m search tests

lint: $(VENV)/tools-lint $(VENV)/installed
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/python changelog.d/build.py --check
	@$(BIN)/pre-commit validate-config
	@$(BIN)/clang-format --dry-run -Werror $(NATIVE_SOURCES)
	@$(BIN)/mypy --python-executable $(BIN)/python
	@$(BIN)/mypy --python-executable $(BIN)/python conftest.py tests verification
	@$(BIN)/mypy --python-executable $(BIN)/python --config-file= --strict tests/mypy_user.py  # as in a project of a user

format: $(VENV)/tools-lint
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format
	@$(BIN)/clang-format -i $(NATIVE_SOURCES)

sanitize: $(VENV)/tools-test $(SANITIZED)/built
	@echo "running $(SANITIZED_TESTS) on the sanitized engine"
	@LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc THINKTIME_EFFORT=0.05 PYTHONPATH=$(abspath $(SANITIZED))/package \
	  $(BIN)/python -m pytest -n $(JOBS) --dist loadfile -p no:cacheprovider -q -k '$(NOT_SANITIZED)' \
	  $(addprefix --ignore=,$(NOT_SANITIZED_FILES)) $(SANITIZED_TESTS)

fuzz:
	@tests/fuzz/run $(FUZZ_SECONDS)

# COVERED: the tests to run, for example COVERED=tests/engine
COVERED ?= tests
coverage: $(VENV)/tools-test $(VENV)/tools-coverage $(MEASURED)/built
	@find $(MEASURED)/cmake -name '*.gcda' -delete
	-@COVERAGE_FILE=$(abspath $(MEASURED))/.coverage PYTHONPATH=$(abspath $(MEASURED))/package \
	  $(BIN)/python -m pytest -n $(JOBS) --dist loadfile -p no:cacheprovider -q --cov=$(MEASURED)/package --cov-report=html:$(MEASURED)/python --cov-report=term:skip-covered $(COVERED)
	@$(BIN)/gcovr --root . --filter engine/ --exclude-throw-branches --gcov-ignore-parse-errors=all \
	  --merge-mode-functions=separate --html-details $(MEASURED)/engine.html --txt-summary $(MEASURED)/cmake
	@echo 'line by line: $(MEASURED)/python/index.html and $(MEASURED)/engine.html'

bench: $(VENV)/installed
	@$(BIN)/thinktime bench

changelog:
	@$(PYTHON) changelog.d/build.py --release

clean:
	@rm -rf $(VENV) build demo

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else \
	  "thinktime needs Python 3.11 or newer, but $(PYTHON) is " + sys.version.split()[0] + \
	  ": choose another one with PYTHON=python3.12 make …")'
	@$(PYTHON) -m venv $(VENV) || { echo 'cannot create the environment .venv: install the venv module' \
	  '(python3-venv) of $(PYTHON)'; exit 1; }
	@touch $@

$(VENV)/installed: $(VENV)/created $(SOURCES)
	@echo 'installing thinktime into $(VENV)'
	@$(PIP) install .
	@touch $@

$(VENV)/tools-%: $(VENV)/created pyproject.toml
	@echo 'installing the tools for $* into $(VENV)'
	@$(call requirements,project.optional-dependencies.$*) > $@.txt
	@$(PIP) install --requirement $@.txt
	@touch $@

$(VENV)/tools-build: $(VENV)/created pyproject.toml
	@$(call requirements,build-system.requires) > $@.txt
	@$(PIP) install --requirement $@.txt cmake ninja
	@touch $@

# The folder with doctest/doctest.h: the system's, or that of Debian's package, downloaded without installing it.
$(SANITIZED)/doctest:
	@mkdir -p $(SANITIZED)
	@if [ -f /usr/include/doctest/doctest.h ]; then echo /usr/include > $@; else \
	  cd $(SANITIZED) && apt-get -q=2 download doctest-dev 2>/dev/null && dpkg -x doctest-dev_*.deb debian && \
	  echo $(abspath $(SANITIZED))/debian/usr/include > doctest || \
	  { echo 'native tests need the header doctest/doctest.h: install doctest (Debian: doctest-dev)'; exit 1; }; fi

# Configure a build of the engine in build/NAME/cmake: $(call configure,NAME,OPTIONS)
define configure
	@mkdir -p build/$(1)
	@$(BIN)/cmake -S . -B build/$(1)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DCMAKE_BUILD_TYPE=None -DPython_EXECUTABLE=$(abspath $(BIN))/python $(2) > build/$(1)/cmake.log \
	  || { cat build/$(1)/cmake.log; exit 1; }
	@touch build/$(1)/configured
endef

# Build a target of it: $(call build,NAME,TARGET)
define build
	@echo 'building $(2) in build/$(1)'
	@$(BIN)/cmake --build build/$(1)/cmake --target $(2) > build/$(1)/build.log || { cat build/$(1)/build.log; exit 1; }
endef

# Build the engine and put it into a copy of the package, build/NAME/package; the installed package does not change.
define engine_copy
	$(call build,$(1),_engine)
	@rm -rf build/$(1)/package && mkdir -p build/$(1)/package
	@cp -r src/thinktime src/thinktime_* build/$(1)/package/ && rm -f build/$(1)/package/thinktime/_engine*.so
	@cp build/$(1)/cmake/_engine*.so build/$(1)/package/thinktime/
	@touch build/$(1)/built
endef

$(SANITIZED)/configured: $(VENV)/tools-build $(SANITIZED)/doctest CMakeLists.txt
	$(call configure,sanitized,-DTHINKTIME_SANITIZE=ON -DTHINKTIME_NATIVE_TESTS=ON -DDOCTEST_INCLUDE="$$(cat $(SANITIZED)/doctest)")

$(SANITIZED)/built: $(SANITIZED)/configured $(VENV)/installed $(SOURCES)
	$(call engine_copy,sanitized)

$(MEASURED)/configured: $(VENV)/tools-build CMakeLists.txt
	$(call configure,coverage,-DTHINKTIME_COVERAGE=ON)

$(MEASURED)/built: $(MEASURED)/configured $(VENV)/installed $(SOURCES)
	$(call engine_copy,coverage)
