package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
	"github.com/entwine-go/entwine/kit/viewer"
)

func userCreateCommand() app.Command {
	in, role := account.Registration{}, string(viewer.User)
	return app.Command{
		Name:    "user create",
		Args:    "EMAIL NAME",
		Summary: "Make a user who can sign in.",
		About:   "Without --password a random one is printed.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&role, "role", role, "the `role`: "+allRoles()+".")
			fs.StringVar(&in.Password, "password", "", "the `password`.")
		},
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args, "EMAIL", "NAME"); err != nil {
				return err
			}
			in.Email, in.Name = args[0], args[1]
			return process{p}.createUser(ctx, in, viewer.Role(role))
		},
	}
}

func (p process) createUser(ctx context.Context, in account.Registration, role viewer.Role) error {
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		random := in.Password == ""
		if random {
			in.Password = account.RandomPassword()
		}
		who, err := p.registrar(db).Create(ctx, in, role)
		if err != nil {
			return explain(err)
		}
		fmt.Fprintf(p.Stdout, "user %d  %s  %s\n", who.ID, who.Email, who.Role)
		if random {
			fmt.Fprintf(p.Stdout, "password  %s\n", in.Password)
		}
		return nil
	})
}

func userListCommand() app.Command {
	return app.Command{
		Name:    "user list",
		Summary: "List the users, the newest first.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, process{p}.listUsers)
		},
	}
}

// listMost is how many rows a list shows. For more there are the APIs.
const listMost = 100

func (p process) listUsers(ctx context.Context, db *store.DB) error {
	all, err := orm.Client(db).User.Query().Order(ent.Desc(user.FieldID)).Limit(listMost).All(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tEMAIL\tNAME\tROLE\tACTIVE")
	for _, u := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%v\n", u.ID, u.Email, u.Name, u.Role, u.IsActive)
	}
	return w.Flush()
}

func userRoleCommand() app.Command {
	return app.Command{
		Name:    "user set-role",
		Args:    "EMAIL ROLE",
		Summary: "Give a user another role.",
		About:   "The roles are " + allRoles() + ".",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args, "EMAIL", "ROLE"); err != nil {
				return err
			}
			role := user.Role(args[1])
			if err := user.RoleValidator(role); err != nil {
				return app.Usagef("%q is not a role: %s", args[1], allRoles())
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				who, err := findUser(ctx, db, args[0])
				if err != nil {
					return err
				}
				return orm.Client(db).User.UpdateOne(who).SetRole(role).Exec(ctx)
			})
		},
	}
}

func userPasswordCommand() app.Command {
	password := ""
	return app.Command{
		Name:    "user set-password",
		Args:    "EMAIL",
		Summary: "Give a user another password.",
		About:   "It ends all their sign-ins. Without --password a random one is printed.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&password, "password", "", "the `password`.")
		},
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			return process{p}.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *ent.User) error {
				return process{p}.setPassword(ctx, db, who, password)
			})
		},
	}
}

func (p process) setPassword(ctx context.Context, db *store.DB, who *ent.User, password string) error {
	random := password == ""
	if random {
		password = account.RandomPassword()
	}
	a, err := p.authenticator(db)
	if err != nil {
		return err
	}
	r := &account.Resetter{DB: db, Passwords: a.Passwords, Throttle: a.Throttle, Gate: a.Gate}
	if err := r.Replace(ctx, known(who), password); err != nil {
		return explain(err)
	}
	if random {
		fmt.Fprintf(p.Stdout, "password  %s\n", password)
	}
	return nil
}

func userDeactivateCommand() app.Command {
	return app.Command{
		Name:    "user deactivate",
		Args:    "EMAIL",
		Summary: "Keep a user from signing in.",
		About:   "It ends all their sign-ins. The last active admin stays.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			return process{p}.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *ent.User) error {
				_, err := act(ctx, db, writes.Activities{}, rows.User, int64(who.ID), "deactivate")
				return err
			})
		},
	}
}

func userActivateCommand() app.Command {
	return app.Command{
		Name:    "user activate",
		Args:    "EMAIL",
		Summary: "Let a user sign in again.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			return process{p}.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *ent.User) error {
				_, err := act(ctx, db, writes.Activities{}, rows.User, int64(who.ID), "activate")
				return err
			})
		},
	}
}

func userDeleteCommand() app.Command {
	hard := false
	return app.Command{
		Name:    "user delete",
		Args:    "EMAIL",
		Summary: "Delete a user, and what they wrote.",
		About: `A deleted user can be restored, and keeps the e-mail address. With --hard the row
goes for good; orders, payments and invoices stay. The last active admin stays.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&hard, "hard", false, "remove the user for good, deleted before or not.")
		},
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			return process{p}.withUser(ctx, args, hard, func(ctx context.Context, db *store.DB, who *ent.User) error {
				return rows.Engine(db).Delete(ctx, writing.Call{Entity: rows.User, ID: int64(who.ID)}, hard)
			})
		},
	}
}

// withUser calls do with the database and the user whose address is the only
// argument: also with one who is deleted, if that is asked for.
func (p process) withUser(ctx context.Context, args []string, deleted bool, do func(context.Context, *store.DB, *ent.User) error) error {
	if err := app.Wants(args, "EMAIL"); err != nil {
		return err
	}
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		if deleted {
			ctx = policy.IncludeDeleted(ctx)
		}
		who, err := findUser(ctx, db, args[0])
		if err != nil {
			return err
		}
		return do(ctx, db, who)
	})
}

// findUser returns the user with the e-mail address.
func findUser(ctx context.Context, db *store.DB, email string) (*ent.User, error) {
	who, err := orm.Client(db).User.Query().Where(user.EmailFold(fold.String(email))).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fmt.Errorf("there is no user with the address %s", email)
	}
	return who, err
}

// known is what accounts know of the user.
func known(who *ent.User) *account.User {
	return &account.User{ID: int64(who.ID), Name: who.Name, Email: who.Email, Role: viewer.Role(who.Role), Active: who.IsActive}
}

func allRoles() string {
	var names []string
	for _, r := range viewer.Roles() {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}
