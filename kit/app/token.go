package app

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/store"
)

func tokenCommand() Command {
	var lifetime time.Duration
	return Command{
		Name:    "token",
		Args:    "EMAIL",
		Summary: "Print an access token of a user, without their password.",
		About:   "For operators and tests. It is signed with the keys that serve uses, so it needs the same settings. It ends with the user's other sign-ins, as by a new password.",
		Flags: func(fs *flag.FlagSet) {
			fs.DurationVar(&lifetime, "expires-in", 0, "the `time` after which it expires. Without it, ENTWINE_ACCESS_TOKEN_TIME.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "EMAIL"); err != nil {
				return err
			}
			issuer, err := p.issuer()
			if err != nil {
				return err
			}
			if lifetime == 0 {
				lifetime = issuer.Lifetime
			}
			return p.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *account.User) error {
				token, err := (&account.Gatekeeper{DB: db, Issuer: issuer}).Pass(ctx, who, lifetime)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.Stdout, token.Text)
				return err
			})
		},
	}
}
