package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

func tokenCommand() app.Command {
	var lifetime time.Duration
	return app.Command{
		Name:    "token",
		Args:    "EMAIL",
		Summary: "Print an access token of a user, without their password.",
		About:   "For operators and tests. It is signed with the keys that serve uses, so it needs the same settings. It ends with the user's other sign-ins, as by a new password.",
		Flags: func(fs *flag.FlagSet) {
			fs.DurationVar(&lifetime, "expires-in", 0, "the `time` after which it expires. Without it, ENTWINE_ACCESS_TOKEN_TIME.")
		},
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args, "EMAIL"); err != nil {
				return err
			}
			issuer, err := process{p}.issuer()
			if err != nil {
				return err
			}
			if lifetime == 0 {
				lifetime = issuer.Lifetime
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				who, err := findUser(ctx, db, args[0])
				if err != nil {
					return err
				}
				token, err := (&account.Gatekeeper{DB: db, Issuer: issuer}).Pass(ctx, known(who), lifetime)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.Stdout, token.Text)
				return err
			})
		},
	}
}
