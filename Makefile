# Two commands do everything: `make run` and `make test`. Each sets up what it needs.

CARGO ?= cargo
CHROMIUM ?= chromium
TENGEN = target/release/tengen

.PHONY: run test test-web lint protocol bench build web hostile fuzz rust node browser help

run: build ## build Tengen and start it
	@$(TENGEN)

build: rust web ## build the release binary, with the web app inside, and the example pages of docs/explain
	@$(CARGO) build --release --quiet
	@$(TENGEN) explain --tree "((3 12 8) (2 4 6) (14 5 2))" --algorithm alphabeta --out docs/explain/alphabeta-course-tree.html >/dev/null
	@$(TENGEN) explain tictactoe --algorithm mcts --visits 60 --position "X.O/.O./..X" --out docs/explain/mcts-tictactoe.html >/dev/null
	@$(TENGEN) explain pig --algorithm expectiminimax --depth 2 --position "80 90 15 first" --out docs/explain/expectiminimax-pig.html >/dev/null

web: web/dist/index.html ## build the web app, if something of it has changed

# Made anew only when a source is newer than what was built.
web/dist/index.html: web/node_modules/.package-lock.json web/index.html web/vite.config.ts web/tsconfig.json $(shell find web/src web/public -type f 2>/dev/null)
	@cd web && npm run --silent build

# `npm ci` refuses a lock file that leaves out the packages of other platforms; `npm install` does not,
# but would add this machine's to it: a clone that was only built is to stay clean.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json | node
	@cd web && npm install --silent --no-save --no-audit --no-fund

test: rust web ## everything that must hold: format, lints, tests, docs, the web app in a browser
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then $(CARGO) test --workspace --doc --quiet && $(CARGO) nextest run --workspace --no-fail-fast; \
	else $(CARGO) test --workspace --no-fail-fast; fi
	@$(MAKE) --no-print-directory test-web

# Against the program that the tests above have built.
test-web: rust web browser ## the web app in a real browser
	@$(CARGO) build --quiet
	@cd web && TENGEN=../target/debug/tengen CHROMIUM=$$(command -v $(CHROMIUM)) npm test

lint: rust ## format and lint
	$(CARGO) fmt --all
	$(CARGO) clippy --workspace --all-targets -- -D warnings

protocol: rust ## write the page's message types anew, after a change to the server's
	@TENGEN_WRITE_PROTOCOL=1 $(CARGO) test --quiet -p tengen-server typescript

bench: build ## all speeds, with their peers; BENCH=go9 for one
	@$(TENGEN) bench $(BENCH)

hostile: build ## attack a public server as strangers would, some minutes, and print the figures it holds
	@TENGEN=$(abspath $(TENGEN)) $(CARGO) test --quiet -p tengen --test hostile -- --ignored --nocapture

fuzz: rust ## fuzz every parser for a minute each (needs a nightly toolchain); SECONDS=600 for longer
	@./fuzz/run $(or $(SECONDS),60)

rust:
	@command -v $(CARGO) >/dev/null || { echo "Tengen needs Rust 1.95 or newer: install it with rustup" >&2; exit 1; }

node:
	@command -v npm >/dev/null || { echo "the web app needs Node 20 or newer with npm" >&2; exit 1; }

browser:
	@command -v $(CHROMIUM) >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update -qq && apt-get install -y -qq chromium >/dev/null; \
	else echo "the browser tests need Chromium: apt install chromium, or name it in CHROMIUM" >&2; exit 1; fi

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile
