# Two commands do everything: `make run` and `make test`. Each sets up what it needs.

CARGO ?= cargo
TENGEN = target/release/tengen

.PHONY: run test lint protocol bench build fuzz rust help

run: build ## build Tengen and start it
	@$(TENGEN)

build: rust ## build the release binary
	@$(CARGO) build --release --quiet

test: rust ## everything that must hold: format, lints, tests, docs
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then $(CARGO) test --workspace --doc --quiet && $(CARGO) nextest run --workspace --no-fail-fast; \
	else $(CARGO) test --workspace --no-fail-fast; fi

lint: rust ## format and lint
	$(CARGO) fmt --all
	$(CARGO) clippy --workspace --all-targets -- -D warnings

protocol: rust ## write the page's message types anew, after a change to the server's
	@TENGEN_WRITE_PROTOCOL=1 $(CARGO) test --quiet -p tengen-server typescript

bench: build ## all speeds, with their peers; BENCH=go9 for one
	@$(TENGEN) bench $(BENCH)

fuzz: rust ## fuzz every parser for a minute each (needs a nightly toolchain); SECONDS=600 for longer
	@./fuzz/run $(or $(SECONDS),60)

rust:
	@command -v $(CARGO) >/dev/null || { echo "Tengen needs Rust 1.95 or newer: install it with rustup" >&2; exit 1; }

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
