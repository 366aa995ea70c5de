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
It writes what differs in ent/, internal/entity/, gql/generated/, gql/crud/, rest/oas/, rest/crud/,
and internal/service/, and removes what is no longer part of them. Mistakes in schemas are told all at once, each with its
file and line, its field and what is allowed; then, and where what would be written does not compile,
nothing is changed. --root may be a folder below a module's go.mod, too: a service of several in a
module, whose packages are imported by the path of that folder. PostgreSQL reads the SQL of schemas too, on a server that it starts, or on the one
that ENTWINE_DEV_DATABASE_URL names; without one it says that only SQLite did.`,
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			_, err := codegen.Generation{Notes: p.stderr, Progress: p.stderr}.Run(ctx, p.root)
			return err
		},
	}
}
