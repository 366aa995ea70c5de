# What one does with entwine. make help lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

GO ?= go
# With -trimpath a package is compiled once wherever its source lies: the programs and projects that tests compile in
# folders of their own, the copies of make verify, and this tree have it from one cache.
export GOFLAGS := $(shell $(GO) env GOFLAGS 2>/dev/null) -trimpath
# Flags for go test: make test FLAGS=-race PKG=./kit/web
FLAGS ?=
PKG ?= ./...
# The race detector watches this module's code, not the C code of SQLite that was translated to Go: that has locks of
# its own, and instrumented takes two thirds of the time of tests. Its driver is watched.
UNWATCHED := $(foreach package,sqlite/lib libc/... memory,-gcflags=modernc.org/$(package)=-race=false)
# What make fuzz begins with, how much it asks of each database, and how long each parser is tried.
SEED ?= $(shell date +%s)
REQUESTS ?= 500000
FUZZTIME ?= 20s
# Which benchmarks make bench runs, and what it does with the figures.
BENCH ?= .
BENCHED = $(sort $(dir $(shell grep -rl '^func Benchmark' --include='*_test.go' .)))
COMPARE_WITH := | $(GO) run ./internal/bench/compare -baseline internal/bench/baseline.txt
COMPARED := $(if $(BASELINE),$(COMPARE_WITH) -write,$(if $(COMPARE),$(COMPARE_WITH)))
HUGO := CGO_ENABLED=0 $(GO) run github.com/gohugoio/hugo@v0.165.0
LINT := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# compile builds programs into bin/. Every five seconds it says which package is compiled.
define compile
@said=$$(mktemp); { $(GO) build -v -o bin/ $(1) 2>$$said && echo 0 >$$said.end || echo $$? >$$said.end; } & \
for ((n = 1; ; n++)); do \
	sleep 0.2; [ ! -s $$said.end ] || break; [ $$((n % 25)) = 0 ] || continue; last=$$(tail -n 1 $$said); \
	case $$last in '') last='finds out what is to be compiled' ;; *' '*) ;; *) last="compiles $$last, the package $$(grep -c . $$said)" ;; esac; \
	echo "$$SECONDS s: $$last. The first time takes minutes, later some seconds"; \
done; \
end=$$(<$$said.end); grep -vE '^[A-Za-z0-9._~/-]+$$' $$said >&2 || true; rm $$said $$said.end; exit $$end
endef

.PHONY: help
help: ## this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: run
run: ## the service on :8080, over a SQLite file in ./data
	$(call compile,./cmd/entwine)
	bin/entwine serve

.PHONY: dev
dev: ## the same with debug logs, and after each save generated, migrated and built anew
	$(call compile,./cmd/weave ./kit/app)
	bin/weave dev

.PHONY: build
build: ## VERSION=v1.2.3: the program as it is released, bin/entwine: static, without symbols
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.version=$(VERSION) -X main.revision='"$$(git describe --always --abbrev=40 --exclude '*' --dirty=-changed 2>/dev/null)" -o bin/entwine ./cmd/entwine

.PHONY: test
test: ## all tests that this machine can run, with their usual times, and a list of what it could not
	@.ci/scratch $(if $(filter ./...,$(PKG)),6) bash -euo pipefail -c '"$$@" | $(GO) run ./kit/kittest/testreport $(if $(USUAL),-write kit/kittest/testreport/usual.txt)' \
		test $(GO) test -timeout 30m -json -ldflags=-w $(FLAGS) $(if $(filter -race,$(FLAGS)),$(UNWATCHED)) $(PKG)

.PHONY: fresh
fresh: ## the same as on a machine that never ran Go: with an empty HOME, and empty caches of modules and of what was compiled
	@nothing=$$(mktemp -d); trap 'rm -rf "$$nothing"' EXIT; \
	env HOME="$$nothing" XDG_CACHE_HOME= XDG_CONFIG_HOME= GOENV="$$($(GO) env GOENV)" GOFLAGS="$$($(GO) env GOFLAGS) -modcacherw" \
		GOPATH="$$nothing/go" GOMODCACHE="$$nothing/modules" GOCACHE="$$nothing/build" \
		NPM_CONFIG_USERCONFIG="$${NPM_CONFIG_USERCONFIG:-$$HOME/.npmrc}" NPM_CONFIG_CACHE="$$nothing/npm" \
		$(MAKE) --no-print-directory test

.PHONY: faults
faults: ## the long form of the fault tests: 10,000 jobs, 100 faults, each combination; 20 restarts below 100,000 POSTs, also behind nginx and HAProxy; 20 failovers each of PostgreSQL below Patroni, with synchronous standbys and without, and of Redis; 100,000 writes that are read over replicas; 10,000 events; 2,000 subscribers; 1,000 contested orders, 10,000 in the ledger; 100,000 transactions below live lists; 3,000 writes into a list that two browsers share; 10 kills of every kind of migration; 200 of uploads, variants, removals and moves of files; 10,000 tries to reach files of others; 500 writers killed below a backup that follows them; a migration of 10,000,000 rows below 100 clients; 10,500 sequences of writes of three releases; ten changes of a schema; 100,000 writes by every door
	$(GO) test ./internal/trial/restarts -run '^(TestRollingRestarts|TestRollingRestartsBehindAProxy|TestEventRun|TestACrowd)$$' -timeout 30m -count 1 -v -args -restarts 20 -requests 150000 -events 10000 -subscribers 100 -crowd 2000
	$(GO) test ./internal/trial/failover -run '^TestFailovers$$' -timeout 90m -count 1 -v -args -failovers 20
	$(GO) test ./internal/trial/failover -run '^TestReplicas$$' -timeout 120m -count 1 -v -args -pairs 100000 -replica-delay 5s
	$(GO) test ./internal/trial/orders -run '^TestOneOrderAtATime$$' -timeout 90m -count 1 -v -args -orders 1000
	$(GO) test ./internal/checkout -run '^TestTheLedgerAddsUp$$' -timeout 60m -count 1 -v -args -ledger 10000
	$(GO) test ./rest -run '^TestLiveListsAreTheirQueries$$' -timeout 180m -count 1 -v -args -live-steps 100000
	$(GO) test ./internal/trial/clients -run '^TestASharedListInTwoBrowsers$$' -timeout 60m -count 1 -v -args -todo-writes 30
	$(GO) test ./kit/internal/wal -run '^TestFollower$$' -timeout 60m -count 1 -v -args -wal-rounds 500
	$(GO) test ./kit/codegen/database -run '^TestKilledMigrations$$' -timeout 60m -count 1 -v -args -kills 10
	for change in all_at_once amounts_are_compared a_full-text_search; do \
		$(GO) test ./kit/codegen/database -run '^TestProgramsWorkMeanwhile$$/^'$$change'$$' -timeout 180m -count 1 -v -args -load-rows 10000000 -load-clients 50 -load-think 500ms || exit 1; \
	done
	$(GO) test ./kit/codegen/database -run '^TestThreeReleases$$' -timeout 180m -count 1 -args -sequences 10000 -sequences-postgres 500
	$(GO) test ./kit/codegen -run '^TestTenChangesOfADay$$' -timeout 60m -count 1 -v -args -day
	$(GO) test ./cmd/weave -run '^TestEveryDoorWritesTheSame$$' -timeout 180m -count 1 -v -args -doors-writes 100000
	$(GO) test ./worker -run '^TestFaults$$' -timeout 90m -count 1 -v -args -jobs 10000 -faults 100
	$(GO) test ./internal/conformance/files -run '^TestFilesAndRowsBelongTogetherAfterKills$$' -timeout 60m -count 1 -v -args -kills 200
	$(GO) test ./rest -run '^TestNoFileOfAnotherIsReached$$' -timeout 60m -count 1 -v -args -file-tries 10000

.PHONY: engines
engines: ## VERSIONS="14 18" PKG=./kit/read: every test of the kit and of the service that uses PostgreSQL, on each version from 14 to 18, whose programs are fetched from npm
	GO="$(GO)" FLAGS="$(FLAGS)" $(if $(filter-out ./...,$(PKG)),PKG="$(PKG)") internal/engines/run

.PHONY: fuzz
fuzz: ## SEED=7 REQUESTS=500000: what the document and the schema let be asked and worse, by everybody, on both databases; then every parser, FUZZTIME=20s each
	$(GO) test ./internal/trial/fuzz -run '^TestFuzz$$' -timeout 0 -count 1 -v -args -fuzz-seed $(SEED) -fuzz-requests $(REQUESTS)
	@$(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' ./... | while read -r package dir; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(f \*testing.F).*/\1/p' "$$dir"/*_test.go); do \
			echo "$$package $$target"; \
			$(GO) test "$$package" -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME); \
		done; \
	done

.PHONY: generate
generate: console ## make everything that follows from schema/, from that of the application which the kit's tests run on, and the console's bundle
	$(GO) run ./cmd/weave generate
	$(GO) run ./cmd/weave generate --root kit/internal/notes

.PHONY: screenshots
screenshots: ## pictures of every page in bin/screenshots: on a phone, a tablet and a desktop, dark and light; it takes Chromium and Node.js
	$(GO) test ./internal/trial/browser -run '^TestPictures$$' -count 1 -args -pictures "$(CURDIR)/bin/screenshots"
	@echo "look at bin/screenshots"

.PHONY: console
console: ## make the console's bundle, kit/console/dist, of its sources in kit/console/ui
	cd kit/console/build && $(GO) run . ../ui ../dist ../../manifest/schema.json

.PHONY: notes
notes: generate ## the only migration of that application anew, after a change of kit/tables or of its schema: no database of it is kept
	rm -rf kit/internal/notes/migrate/postgres kit/internal/notes/migrate/sqlite kit/internal/notes/migrate/schema.sum
	$(GO) run ./cmd/weave migrate diff notes --root kit/internal/notes

.PHONY: migration
migration: ## NAME=add_supplier: write what changed in schema/ as migrations, and judge them; ALLOW="--drop posts.note --accept field-dropped": what is meant
	@[ -n "$(NAME)" ] || { echo 'say what it does: make migration NAME=add_supplier'; exit 2; }
	$(GO) run ./cmd/weave migrate diff '$(NAME)' $(ALLOW)
	$(GO) run ./cmd/weave migrate lint

.PHONY: verify
verify: ## generate from nothing elsewhere, and fail where it differs from here
	.ci/verify

.PHONY: scale
scale: ## what large tables cost, beside the aims (doc/operations/scale.md): a tenth of the rows, 20 minutes; SIZE=full: 10,000,000 comments; SIZE=small: a hundredth; PART=orders: that alone
	$(GO) test ./internal/bench -run '^TestScale' -timeout 180m -count 1 -v -args -scale $(or $(SIZE),tenth) -part "$(PART)"

.PHONY: site
site: ## doc/ as a static site, bin/site; SERVE=1: on http://localhost:1313, and anew after each change
	$(HUGO) $(if $(SERVE),server) --source doc/site $(if $(SERVE),,--destination ../../bin/site --cleanDestinationDir --minify)

.PHONY: lint
lint: ## go vet, every linter, and who may import whom
	$(GO) vet ./...
	$(LINT) run

.PHONY: bench
bench: ## what things cost; COMPARE=1: and what fell behind internal/bench/baseline.txt; BASELINE=1: write that file; BENCH=Requests/sqlite3/one_user: one of them
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 0 $(FLAGS) $(if $(filter ./...,$(PKG)),$(BENCHED),$(PKG)) $(COMPARED)
