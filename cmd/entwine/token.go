package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/internal/store"
	"github.com/entwine-go/entwine/internal/viewer"
)

func tokenCommand() command {
	var lifetime time.Duration
	return command{
		name:    "token",
		args:    "EMAIL",
		summary: "Print an access token of a user, without their password.",
		about:   "For operators and tests. It is signed with the keys that serve uses, so it needs the same settings.",
		flags: func(fs *flag.FlagSet) {
			fs.DurationVar(&lifetime, "expires-in", 0, "the `time` after which it expires. Without it, ENTWINE_ACCESS_TOKEN_TIME.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "EMAIL"); err != nil {
				return err
			}
			issuer, err := p.issuer()
			if err != nil {
				return err
			}
			if lifetime > 0 {
				issuer.Lifetime = lifetime
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				who, err := findUser(ctx, db, args[0])
				if err != nil {
					return err
				}
				token, err := issuer.Issue(int64(who.ID), viewer.Role(who.Role), "")
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.stdout, token.Text)
				return err
			})
		},
	}
}
