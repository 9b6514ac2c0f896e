# Two commands do everything: `make run` and `make test`. Each sets up what it needs.

CARGO ?= cargo
TENGEN = target/release/tengen

.PHONY: run test test-web web lint protocol bench build fuzz rust help

run: build ## build Tengen and start it
	@$(TENGEN)

build: rust web ## build the pages and the release binary
	@$(CARGO) build --release

# The pages are part of the program. Without Node the program is built without them, and says so in the browser.
web: ## build the pages
	@if [ ! -f web/package.json ]; then :; \
	elif command -v npm >/dev/null; then cd web && npm ci --no-audit --no-fund --loglevel=error && npm run build; \
	else echo "Node is missing: Tengen is built without its pages (install Node 20 or newer for them)" >&2; fi

test: rust ## everything that must hold: format, lints, tests, docs
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then $(CARGO) test --workspace --doc --quiet && $(CARGO) nextest run --workspace --no-fail-fast; \
	else $(CARGO) test --workspace --no-fail-fast; fi
	@$(MAKE) --no-print-directory test-web

test-web: ## types and tests of the pages, in a real browser
	@if [ ! -f web/package.json ]; then echo "there are no pages to test"; exit 0; fi; \
	command -v npm >/dev/null || { echo "the pages' tests need Node 20 or newer" >&2; exit 1; }; \
	if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
		then apt-get update -qq && apt-get install -y -qq chromium; \
		else echo "the pages' tests need Chromium: apt-get install chromium" >&2; exit 1; fi; fi; \
	cd web && npm ci --no-audit --no-fund --loglevel=error && npm run build && npm test

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
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile
