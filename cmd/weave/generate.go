package main

import (
	"context"

	"github.com/entwine-go/entwine/kit/codegen"
)

func generateCommand() command {
	return command{
		name:    "generate",
		summary: "Make everything that follows from schema/.",
		about: `
It writes what differs in ent/, internal/entity/, gql/generated/, gql/crud/, rest/oas/ and rest/crud/,
and removes what is no longer part of them. A mistake in a schema is told with its file, its field
and what is allowed.`,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			return codegen.Generate(p.root)
		},
	}
}
