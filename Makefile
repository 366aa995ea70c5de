.DEFAULT_GOAL := help

.PHONY: help generate
help: ## this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

generate: ## make everything that follows from schema/
	go run ./internal/codegen

.PHONY: migration
migration: ## write what schema/ has changed, for both databases: make migration NAME=add_supplier
	go run ./cmd/entwine migrate diff $(NAME)
