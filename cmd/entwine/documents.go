package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/kit/runtime/documents"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

func documentAddCommand() command {
	return command{
		name:    "documents add",
		args:    "MANIFEST",
		summary: "Trust the GraphQL documents of a manifest.",
		about: `The manifest is what the tools of a front end write when they build it: Relay's compiler
and graphql-codegen an object of texts by id, Apollo's tools
{"operations": [{"id": …, "body": …}]}. Clients then send an id in the place of a query, as
documentId or as extensions.persistedQuery. sha256: before an id is no part of it.
With ENTWINE_GRAPHQL_DOCUMENTS=trusted nothing else is run.

All of its documents are added, or none if one is not valid. Adding one again changes
nothing.`,
		run: func(ctx context.Context, p *process, args []string) error {
			all, err := manifest(args)
			if err != nil {
				return err
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				n, err := (&documents.Registry{DB: db}).Add(ctx, all)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.stdout, "%d added, %d known before\n", n, len(all)-n)
				return err
			})
		},
	}
}

// manifest reads the manifest that the only argument names, whose documents
// have to be valid.
func manifest(args []string) (all []documents.Document, err error) {
	if err := wants(args, "MANIFEST"); err != nil {
		return nil, err
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if all, err = documents.ParseManifest(f); err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	var wrong []error
	for _, d := range all {
		if err := gql.Check(d.Text); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: document %s: %s", args[0], d.Key, strings.TrimSpace(err.Error())))
		}
	}
	return all, errors.Join(wrong...)
}

func documentListCommand() command {
	return command{
		name:    "documents list",
		summary: "List the trusted GraphQL documents.",
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			return p.withDatabase(ctx, p.listDocuments)
		},
	}
}

func (p *process) listDocuments(ctx context.Context, db *store.DB) error {
	all, err := (&documents.Registry{DB: db}).List(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tDOCUMENT")
	for _, d := range all {
		text := strings.Join(strings.Fields(d.Text), " ")
		if len(text) > 100 {
			text = strings.ToValidUTF8(text[:100], "") + "…"
		}
		fmt.Fprintf(w, "%s\t%s\n", d.Key, text)
	}
	return w.Flush()
}

func documentRemoveCommand() command {
	return command{
		name:    "documents remove",
		args:    "ID…",
		summary: "Trust GraphQL documents no longer, once the processes have restarted.",
		run: func(ctx context.Context, p *process, args []string) error {
			if len(args) == 0 {
				return usagef("which documents? entwine documents list shows their ids")
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				n, err := (&documents.Registry{DB: db}).Remove(ctx, args)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.stdout, "%d removed\n", n)
				return err
			})
		},
	}
}
