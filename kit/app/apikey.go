package app

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func keyCreateCommand() Command {
	permissions := string(viewer.Read)
	var lifetime time.Duration
	var version string
	return Command{
		Name:    "apikey create",
		Args:    "CLIENT",
		Summary: "Make an API key for a program and print it, once.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&permissions, "permissions", permissions, "`what` it may do: read, write or read,write.")
			fs.DurationVar(&lifetime, "expires-in", 0, "the `time` after which it expires, as in 720h. Never without it.")
			fs.StringVar(&version, "api-version", "", "the `version` of REST that it is pinned to, as in v2: one that is offered. None without it.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "CLIENT"); err != nil {
				return err
			}
			in := account.NewAPIKey{ClientName: args[0], APIVersion: version}
			for name := range strings.SplitSeq(permissions, ",") {
				in.Permissions = append(in.Permissions, strings.TrimSpace(name))
			}
			if lifetime > 0 {
				end := time.Now().Add(lifetime)
				in.ExpiresAt = &end
			}
			offered, err := p.service.offered(p.Config.API)
			if err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				keys := p.keyring(db)
				keys.Versions = offered.Names()
				text, _, err := keys.Create(ctx, in)
				if err != nil {
					return explained(err)
				}
				_, err = fmt.Fprintln(p.Stdout, text)
				return err
			})
		},
	}
}

func keyListCommand() Command {
	return Command{
		Name:    "apikey list",
		Summary: "List the API keys, the newest first.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, p.listKeys)
		},
	}
}

func (p *Process) listKeys(ctx context.Context, db *store.DB) error {
	all, err := p.keyring(db).Newest(ctx, listMost)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKEY\tCLIENT\tPERMISSIONS\tVERSION\tLAST USED\tSTATE")
	for _, k := range all {
		used, version := "never", "any"
		if k.Version != nil {
			version = *k.Version
		}
		if k.LastUsed != nil {
			used = when(k.LastUsed)
		}
		fmt.Fprintf(w, "%d\t%s…\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Prefix, k.Client, strings.Join(k.Permissions, ","), version, used, keyState(&k))
	}
	return w.Flush()
}

func keyState(k *account.ListedKey) string {
	switch {
	case k.Revoked != nil:
		return "revoked"
	case k.Expires != nil && k.Expires.Before(time.Now()):
		return "expired"
	}
	return "works"
}

func keyRotateCommand() Command {
	return Command{
		Name:    "apikey rotate",
		Args:    "ID",
		Summary: "Replace an API key by another and print it, once. The old one stops working within two seconds.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withKey(ctx, args, func(ctx context.Context, keys *account.Keyring, key *account.ListedKey) error {
				if key.Revoked != nil {
					return fmt.Errorf("the API key %d was revoked", key.ID)
				}
				text, err := keys.Rotate(ctx, key.ID)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.Stdout, text)
				return err
			})
		},
	}
}

func keyRevokeCommand() Command {
	return Command{
		Name:    "apikey revoke",
		Args:    "ID",
		Summary: "End an API key: it stops working within two seconds.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withKey(ctx, args, func(ctx context.Context, keys *account.Keyring, key *account.ListedKey) error {
				return keys.Revoke(ctx, key)
			})
		},
	}
}

// withKey calls do with the key whose id is the only argument.
func (p *Process) withKey(ctx context.Context, args []string, do func(context.Context, *account.Keyring, *account.ListedKey) error) error {
	if err := Wants(args, "ID"); err != nil {
		return err
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || id < 1 {
		return Usagef("%q is not the id of a key: %s apikey list shows them", args[0], p.service.Name)
	}
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		keys := p.keyring(db)
		key, err := keys.Find(ctx, id)
		if err != nil {
			return err
		}
		if key == nil {
			return fmt.Errorf("there is no API key %d: %s apikey list shows them", id, p.service.Name)
		}
		return do(ctx, keys, key)
	})
}
