# The one entry point: `make` lists what there is. CI calls these targets and nothing else.

SWIFT ?= swift
# Warnings are errors in every target here, so that no target builds again what another one built.
export QUIRE_STRICT ?= 1
# One test at a time: some block a thread for a moment, and a machine with two cores has only two
# to run tasks on.
tests := --disable-xctest --no-parallel
# Items are filled in two ways and parsed by two parsers that have to give the same; the tests of mapping run with both.
other_ways := QUIRE_DIRECT_STORES=off QUIRE_PARSER=portable
FUZZ_SECONDS ?= 60
SEED_SECONDS ?= 60
MUTATION ?=
SUITES ?=
SIMDJSON ?=
PREFIX ?= /usr/local
DESTDIR ?=
# Options for every debug build.
export BUILD_OPTIONS ?=
build_tests := $(SWIFT) build --build-tests $(BUILD_OPTIONS)
# With Swift's libraries inside the command starts in half the time and needs no toolchain.
static := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
# Relocations take a tenth of the time to start, unless they are packed, which glibc 2.36 can read. Nothing looks up the
# command's 8,000 symbols by name, which are 3 % of its size.
packed := $(if $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '$$2 >= 2.36'), \
  -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs)
release_command := $(SWIFT) build -c release --product quire --scratch-path .build/install $(static) $(packed)
benchmarks := $(SWIFT) build -c release $(static) && .build/release/Benchmarks

sources := $(wildcard Sources Tests Examples Benchmarks/Sources Benchmarks/Package.swift Fuzz Package.swift)

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-seeds test-faults test-races test-thread test-address test-release \
  test-simdjson test-ui test-minimal test-install check-apple generality install bench counts scale churn fuzz \
  mutations conformance docs pictures format lint surface check deps

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) \
	  | awk -F'|' '{ printf "make %-13s %s\n", $$1, $$2 }'

demo: deps ## show a list that changes while it is read; in a pipe, what happens to it step by step
	$(SWIFT) run quire demo

test: deps ## build with warnings as errors and run every test
	$(build_tests)
	SWIFT="$(SWIFT)" scripts/test $(tests)

test-all: test test-seeds test-faults test-thread test-address test-release ## test, then again with fresh seeds, sanitizers and optimised

test-seeds: deps ## run random tests with fresh seeds, SEED_SECONDS=60; QUIRE_SEED=n repeats one
	$(build_tests)
	scripts/test-seeds $(SEED_SECONDS)

test-faults: deps ## read servers with every fault, every way to stop and every saying, in every kind of paging
	$(build_tests)
	QUIRE_THOROUGH=1 $(SWIFT) test --skip-build $(tests) --filter "FaultMatrixTests|SaidMatrixTests|SaidCrawlTests"

test-races: deps ## run the suites named …RaceTests under the thread sanitizer
	scripts/test-races

test-thread: deps
	TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/tsan-suppressions QUIRE_SANITIZED=1 QUIRE_TSAN=1 \
	  $(SWIFT) test $(tests) --scratch-path .build/thread --sanitize thread

# URLSession loses a few bytes of each address inside the toolchain, which leak checking would
# report as ours.
test-address: deps
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/lsan-suppressions QUIRE_SANITIZED=1 \
	  $(SWIFT) test $(tests) --scratch-path .build/address --sanitize address \
	  -Xswiftc -use-ld=lld --skip URLSession
	$(other_ways) QUIRE_SANITIZED=1 $(SWIFT) test --skip-build $(tests) \
	  --scratch-path .build/address --sanitize address --filter ItemMappingTests

test-release: deps
	$(SWIFT) test $(tests) -c release -Xswiftc -enable-testing --scratch-path .build/release-tests

test-ui: deps ## compile QuireUI against stand-ins for UIKit and SwiftUI, and try it
	$(SWIFT) test --package-path Tests/QuireUI --scratch-path .build/ui $(BUILD_OPTIONS) $(tests)

test-minimal: deps ## test without traits, with the headers of their libraries hidden, and a program that uses Quire so
	scripts/test-minimal

check-apple: deps ## type-check for the lowest iOS and macOS, against stand-ins for Apple's SDKs
	@scripts/check-apple

test-simdjson: deps ## test mapping with the simdjson.h and simdjson.cpp of a folder, SIMDJSON=path
	@scripts/test-simdjson "$(SIMDJSON)"

test-install: PREFIX := /usr
test-install: DESTDIR := $(CURDIR)/.build/installed
test-install: install ## install the command into a folder, and try it
	cd / && $(DESTDIR)$(PREFIX)/bin/quire demo </dev/null >/dev/null

generality: deps ## print how many conventions of Fixtures/paging are read with no options, also of those held out
	$(build_tests)
	QUIRE_GENERALITY=1 $(SWIFT) test --skip-build $(tests) --filter GeneralityTests

install: deps ## install the command quire for everybody, PREFIX=/usr/local
	$(release_command)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/quire
	install -s .build/install/release/quire $(DESTDIR)$(PREFIX)/bin/quire
	cp -R Fixtures/books $(DESTDIR)$(PREFIX)/share/quire/
	install -D -m 644 docs/quire.1 $(DESTDIR)$(PREFIX)/share/man/man1/quire.1
	$(DESTDIR)$(PREFIX)/bin/quire completions bash \
	  | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/bash-completion/completions/quire
	$(DESTDIR)$(PREFIX)/bin/quire completions zsh \
	  | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_quire
	$(DESTDIR)$(PREFIX)/bin/quire completions fish \
	  | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/quire.fish

bench: deps ## compare with the best alternatives, in one run; ROUNDS=n for more of them
	$(release_command)
	cd Benchmarks && $(benchmarks)

counts: deps ## count instructions and allocations of fixed work, with valgrind; WRITE=1 keeps the counts
	@command -v valgrind >/dev/null || { echo "make counts needs valgrind; on Debian: apt-get install valgrind" >&2; exit 1; }
	cd Benchmarks && $(benchmarks) counts $(if $(WRITE),--write)

scale: deps ## measure how costs grow with pages, rows, walks and bytes
	$(release_command)
	cd Benchmarks && $(benchmarks) scale

churn: deps ## show what clients lose of lists that change while they are read; SEEDS=n, MARKDOWN=1
	cd Benchmarks && $(benchmarks) churn $(if $(MARKDOWN),--markdown)

fuzz: deps ## throw random input at the parsers, FUZZ_SECONDS=60 for each of them
	scripts/fuzz $(FUZZ_SECONDS)

mutations: deps ## break the sources by each of Tests/Mutations and see a test fail, MUTATION=name for one
	@scripts/mutations $(MUTATION)

conformance: deps ## run public test suites from a folder, SUITES=path
	@scripts/conformance "$(SUITES)"

docs: deps ## build the documentation into docs/site; a broken link is an error
	scripts/docs

pictures: deps ## redraw the README's pictures; needs tmux and python3
	scripts/pictures

format: ## format every Swift file
	$(SWIFT) format -i -r -p $(sources)

lint: deps ## check format, imports, folders, dead state, C for musl, and that mutations still apply
	$(SWIFT) format lint --strict -r -p $(sources)
	scripts/lint-imports
	scripts/lint-state
	@if [ -d /usr/include/$$(uname -m)-linux-musl ]; then scripts/check-musl; else echo "C was not checked for musl, which needs musl-dev"; fi
	scripts/mutations --check
	$(build_tests) --explicit-target-dependency-import-check error

surface: ## count the public types and declarations of `import Quire`
	@scripts/surface

check: ## run what CI runs
	.ci/run

deps: ## install missing system packages; does nothing when they are there
	@scripts/deps
