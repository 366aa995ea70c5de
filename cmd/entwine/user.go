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
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func userCreateCommand() command {
	in, role := account.Registration{}, string(viewer.User)
	return command{
		name:    "user create",
		args:    "EMAIL NAME",
		summary: "Make a user who can sign in.",
		about:   "Without --password a random one is printed.",
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&role, "role", role, "the `role`: "+allRoles()+".")
			fs.StringVar(&in.Password, "password", "", "the `password`.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "EMAIL", "NAME"); err != nil {
				return err
			}
			in.Email, in.Name = args[0], args[1]
			return p.createUser(ctx, in, viewer.Role(role))
		},
	}
}

func (p *process) createUser(ctx context.Context, in account.Registration, role viewer.Role) error {
	return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		random := in.Password == ""
		if random {
			in.Password = account.RandomPassword()
		}
		who, err := p.registrar(db).Create(ctx, in, role)
		if err != nil {
			return explain(err)
		}
		fmt.Fprintf(p.stdout, "user %d  %s  %s\n", who.ID, who.Email, who.Role)
		if random {
			fmt.Fprintf(p.stdout, "password  %s\n", in.Password)
		}
		return nil
	})
}

func userListCommand() command {
	return command{
		name:    "user list",
		summary: "List the users, the newest first.",
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			return p.withDatabase(ctx, p.listUsers)
		},
	}
}

// listMost is how many rows a list shows. For more there are the APIs.
const listMost = 100

func (p *process) listUsers(ctx context.Context, db *store.DB) error {
	all, err := orm.Client(db).User.Query().Order(ent.Desc(user.FieldID)).Limit(listMost).All(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tEMAIL\tNAME\tROLE\tACTIVE")
	for _, u := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%v\n", u.ID, u.Email, u.Name, u.Role, u.IsActive)
	}
	return w.Flush()
}

func userRoleCommand() command {
	return command{
		name:    "user set-role",
		args:    "EMAIL ROLE",
		summary: "Give a user another role.",
		about:   "The roles are " + allRoles() + ".",
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "EMAIL", "ROLE"); err != nil {
				return err
			}
			role := user.Role(args[1])
			if err := user.RoleValidator(role); err != nil {
				return usagef("%q is not a role: %s", args[1], allRoles())
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				who, err := findUser(ctx, db, args[0])
				if err != nil {
					return err
				}
				return orm.Client(db).User.UpdateOne(who).SetRole(role).Exec(ctx)
			})
		},
	}
}

// findUser returns the user with the e-mail address.
func findUser(ctx context.Context, db *store.DB, email string) (*ent.User, error) {
	who, err := orm.Client(db).User.Query().Where(user.EmailFold(fold.String(email))).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fmt.Errorf("there is no user with the address %s", email)
	}
	return who, err
}

func allRoles() string {
	var names []string
	for _, r := range viewer.Roles() {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}
