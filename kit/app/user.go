package app

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// accountCommands are those of a service that has accounts.
func (s *Service) accountCommands() []Command {
	if s.Accounts == nil {
		return nil
	}
	var tenants []Command
	if t := s.Accounts.Users.Rules.Tenancy; t != nil && t.Viewers {
		tenants = []Command{userTenantCommand()}
	}
	return append(tenants, []Command{
		s.userCreateCommand(), userListCommand(), s.userRoleCommand(),
		userPasswordCommand(), userDeactivateCommand(), userActivateCommand(), userDeleteCommand(),
		keyCreateCommand(), keyListCommand(), keyRotateCommand(), keyRevokeCommand(),
		tokenCommand(),
	}...)
}

// roles are the roles of the service's users. Users who sign up get the first.
func (s *Service) roles() []string { return s.Accounts.Users.Entity.Field("role").Values }

func (s *Service) userCreateCommand() Command {
	in, role := account.Registration{}, s.roles()[0]
	return Command{
		Name:    "user create",
		Args:    "EMAIL NAME",
		Summary: "Make a user who can sign in.",
		About:   "Without --password a random one is printed.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&role, "role", role, "the `role`: "+strings.Join(s.roles(), ", ")+".")
			fs.StringVar(&in.Password, "password", "", "the `password`.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "EMAIL", "NAME"); err != nil {
				return err
			}
			in.Email, in.Name = args[0], args[1]
			return p.createUser(ctx, in, viewer.Role(role))
		},
	}
}

func (p *Process) createUser(ctx context.Context, in account.Registration, role viewer.Role) error {
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		random := in.Password == ""
		if random {
			in.Password = account.RandomPassword()
		}
		who, err := p.registrar(db).Create(ctx, in, role)
		if err != nil {
			return explained(err)
		}
		fmt.Fprintf(p.Stdout, "user %d  %s  %s\n", who.ID, who.Email, who.Role)
		if random {
			fmt.Fprintf(p.Stdout, "password  %s\n", in.Password)
		}
		return nil
	})
}

func userListCommand() Command {
	return Command{
		Name:    "user list",
		Summary: "List the users, the newest first.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, p.listUsers)
		},
	}
}

// listMost is how many rows a list shows. For more there are the APIs.
const listMost = 100

func (p *Process) listUsers(ctx context.Context, db *store.DB) error {
	all, err := p.directory(db).Newest(ctx, listMost)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tEMAIL\tNAME\tROLE\tACTIVE")
	for _, u := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%v\n", u.ID, u.Email, u.Name, u.Role, u.Active)
	}
	return w.Flush()
}

func (s *Service) userRoleCommand() Command {
	allowed := strings.Join(s.roles(), ", ")
	return Command{
		Name:    "user set-role",
		Args:    "EMAIL ROLE",
		Summary: "Give a user another role.",
		About:   "The roles are " + allowed + ".",
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "EMAIL", "ROLE"); err != nil {
				return err
			}
			if !slices.Contains(s.roles(), args[1]) {
				return Usagef("%q is not a role: %s", args[1], allowed)
			}
			return p.withUser(ctx, args[:1], false, func(ctx context.Context, db *store.DB, who *account.User) error {
				return p.directory(db).SetRole(ctx, who.ID, viewer.Role(args[1]))
			})
		},
	}
}

func userTenantCommand() Command {
	return Command{
		Name:    "user set-tenant",
		Args:    "EMAIL ID",
		Summary: "Set the tenant of a user without one.",
		About:   "It is for good: the rows of a user belong to the tenant.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "EMAIL", "ID"); err != nil {
				return err
			}
			tenant, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || tenant < 1 {
				return Usagef("%q is no id", args[1])
			}
			return p.withUser(ctx, args[:1], false, func(ctx context.Context, db *store.DB, who *account.User) error {
				return p.directory(db).SetTenant(ctx, who.ID, tenant)
			})
		},
	}
}

func userPasswordCommand() Command {
	password := ""
	return Command{
		Name:    "user set-password",
		Args:    "EMAIL",
		Summary: "Give a user another password.",
		About:   "It ends all their sign-ins. Without --password a random one is printed.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&password, "password", "", "the `password`.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *account.User) error {
				return p.setPassword(ctx, db, who, password)
			})
		},
	}
}

func (p *Process) setPassword(ctx context.Context, db *store.DB, who *account.User, password string) error {
	random := password == ""
	if random {
		password = account.RandomPassword()
	}
	c, err := p.accountsOf(db)
	if err != nil {
		return err
	}
	if err := account.New(c).Resetter.Replace(ctx, who, password); err != nil {
		return explained(err)
	}
	if random {
		fmt.Fprintf(p.Stdout, "password  %s\n", password)
	}
	return nil
}

func userDeactivateCommand() Command {
	return Command{
		Name:    "user deactivate",
		Args:    "EMAIL",
		Summary: "Keep a user from signing in.",
		About:   "It ends all their sign-ins. The last active admin stays.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *account.User) error {
				return p.activate(ctx, db, who, "deactivate", false)
			})
		},
	}
}

func userActivateCommand() Command {
	return Command{
		Name:    "user activate",
		Args:    "EMAIL",
		Summary: "Let a user sign in again.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withUser(ctx, args, false, func(ctx context.Context, db *store.DB, who *account.User) error {
				return p.activate(ctx, db, who, "activate", true)
			})
		},
	}
}

// activate does to a user what the action with the verb does, where the service
// declares one that needs no method.
func (p *Process) activate(ctx context.Context, db *store.DB, who *account.User, verb string, active bool) error {
	users := p.service.Accounts.Users
	if action := users.Action(verb); action != nil && action.Run == nil {
		_, err := p.service.Engine(db).Act(ctx, write.Call{Entity: users, ID: gid.Int(who.ID)}, action)
		return err
	}
	return p.directory(db).SetActive(ctx, who.ID, active)
}

func userDeleteCommand() Command {
	hard := false
	return Command{
		Name:    "user delete",
		Args:    "EMAIL",
		Summary: "Delete a user and their rows.",
		About: `A deleted user can be restored, and keeps the e-mail address. With --hard the row
goes for good, with what the schema says goes with it. The last active admin stays.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&hard, "hard", false, "remove the user for good, deleted before or not.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withUser(ctx, args, hard, func(ctx context.Context, db *store.DB, who *account.User) error {
				return p.service.Engine(db).Delete(ctx, write.Call{Entity: p.service.Accounts.Users, ID: gid.Int(who.ID)}, hard)
			})
		},
	}
}

func (p *Process) directory(db *store.DB) *account.Directory {
	return &account.Directory{DB: db, Users: p.users(db)}
}

// withUser calls do with the database and the user whose address is the only
// argument: also with one who is deleted, if that is asked for.
func (p *Process) withUser(ctx context.Context, args []string, deleted bool, do func(context.Context, *store.DB, *account.User) error) error {
	if err := Wants(args, "EMAIL"); err != nil {
		return err
	}
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		if deleted {
			ctx = policy.IncludeDeleted(ctx)
		}
		who, err := p.directory(db).Find(ctx, args[0], deleted)
		if err != nil {
			return err
		}
		if who == nil {
			return fmt.Errorf("there is no user with the address %s", args[0])
		}
		return do(ctx, db, who)
	})
}
