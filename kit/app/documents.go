package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/store"
)

func documentAddCommand() Command {
	return Command{
		Name:    "documents add",
		Args:    "MANIFEST",
		Summary: "Trust the GraphQL documents of a manifest.",
		About: `The manifest is what the tools of a front end write when they build it: Relay's compiler
and graphql-codegen an object of texts by id, Apollo's tools
{"operations": [{"id": …, "body": …}]}. Clients then send an id in the place of a query, as
documentId or as extensions.persistedQuery. sha256: before an id is no part of it.
With ENTWINE_GRAPHQL_DOCUMENTS=trusted nothing else is run.

All of its documents are added, or none if one is not valid. Adding one again changes
nothing.`,
		Run: func(ctx context.Context, p *Process, args []string) error {
			all, err := p.manifest(args)
			if err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				n, err := (&documents.Registry{DB: db}).Add(ctx, all)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "%d added, %d known before\n", n, len(all)-n)
				return err
			})
		},
	}
}

// manifest reads the manifest that the only argument names, whose documents
// have to be valid.
func (p *Process) manifest(args []string) (all []documents.Document, err error) {
	if err := Wants(args, "MANIFEST"); err != nil {
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
	schema := p.service.GraphQL()
	var wrong []error
	for _, d := range all {
		if err := check(schema, d.Text); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: document %s: %s", args[0], d.Key, strings.TrimSpace(err.Error())))
		}
	}
	return all, errors.Join(wrong...)
}

// check returns what is wrong with a document: what makes it invalid, whatever
// is asked of it.
func check(schema *ast.Schema, document string) error {
	if _, errs := gqlparser.LoadQueryWithRules(schema, document, rules.NewDefaultRules()); len(errs) > 0 {
		return errs
	}
	return nil
}

func documentListCommand() Command {
	return Command{
		Name:    "documents list",
		Summary: "List the trusted GraphQL documents.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, p.listDocuments)
		},
	}
}

func (p *Process) listDocuments(ctx context.Context, db *store.DB) error {
	all, err := (&documents.Registry{DB: db}).List(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
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

func documentRemoveCommand() Command {
	return Command{
		Name:    "documents remove",
		Args:    "ID…",
		Summary: "Trust GraphQL documents no longer, once the processes have restarted.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			if len(args) == 0 {
				return Usagef("which documents? %s documents list shows their ids", p.service.Name)
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				n, err := (&documents.Registry{DB: db}).Remove(ctx, args)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "%d removed\n", n)
				return err
			})
		},
	}
}
