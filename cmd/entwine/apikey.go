package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/apikey"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func keyCreateCommand() app.Command {
	permissions := string(viewer.Read)
	var lifetime time.Duration
	return app.Command{
		Name:    "apikey create",
		Args:    "CLIENT",
		Summary: "Make an API key for a program and print it, once.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&permissions, "permissions", permissions, "`what` it may do: read, write or read,write.")
			fs.DurationVar(&lifetime, "expires-in", 0, "the `time` after which it expires, as in 720h. Never without it.")
		},
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args, "CLIENT"); err != nil {
				return err
			}
			in := account.NewAPIKey{ClientName: args[0]}
			for name := range strings.SplitSeq(permissions, ",") {
				in.Permissions = append(in.Permissions, strings.TrimSpace(name))
			}
			if lifetime > 0 {
				end := time.Now().Add(lifetime)
				in.ExpiresAt = &end
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				text, _, err := writes.Keyring(db).Create(ctx, in)
				if err != nil {
					return explain(err)
				}
				_, err = fmt.Fprintln(p.Stdout, text)
				return err
			})
		},
	}
}

func keyListCommand() app.Command {
	return app.Command{
		Name:    "apikey list",
		Summary: "List the API keys, the newest first.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, process{p}.listKeys)
		},
	}
}

func (p process) listKeys(ctx context.Context, db *store.DB) error {
	all, err := orm.Client(db).APIKey.Query().Order(ent.Desc(apikey.FieldID)).Limit(listMost).All(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKEY\tCLIENT\tPERMISSIONS\tLAST USED\tSTATE")
	for _, k := range all {
		fmt.Fprintf(w, "%d\t%s…\t%s\t%s\t%s\t%s\n", k.ID, k.Prefix, k.ClientName, strings.Join(k.Permissions, ","), when(k.LastUsedAt), keyState(k))
	}
	return w.Flush()
}

func keyState(k *ent.APIKey) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case k.ExpiresAt != nil && k.ExpiresAt.Before(time.Now()):
		return "expired"
	}
	return "works"
}

// when is a time as lists show it.
func when(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.DateTime)
}

func keyRotateCommand() app.Command {
	return app.Command{
		Name:    "apikey rotate",
		Args:    "ID",
		Summary: "Replace an API key by another and print it, once. The old one stops working within two seconds.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			id, err := keyID(args)
			if err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				rotated, err := act(ctx, db, writes.Activities{Keyring: writes.Keyring(db)}, rows.APIKey, int64(id), "rotate")
				if err != nil {
					return named(id, err)
				}
				_, err = fmt.Fprintln(p.Stdout, rotated.Once["key"])
				return err
			})
		},
	}
}

func keyRevokeCommand() app.Command {
	return app.Command{
		Name:    "apikey revoke",
		Args:    "ID",
		Summary: "End an API key: it stops working within two seconds.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			id, err := keyID(args)
			if err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				_, err := act(ctx, db, writes.Activities{Keyring: writes.Keyring(db)}, rows.APIKey, int64(id), "revoke")
				return named(id, err)
			})
		},
	}
}

// named says of a key that is not there which one it is.
func named(id typedid.APIKeyID, err error) error {
	if problem.KindOf(err) == problem.NotFound {
		return fmt.Errorf("there is no API key %d: entwine apikey list shows them", id)
	}
	return err
}

// keyID returns the key that the only argument names.
func keyID(args []string) (typedid.APIKeyID, error) {
	if err := app.Wants(args, "ID"); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || id < 1 {
		return 0, app.Usagef("%q is not the id of a key: entwine apikey list shows them", args[0])
	}
	return typedid.APIKeyID(id), nil
}
