package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mattn/go-isatty"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/store"
)

// adminPasswordFile is where the first admin's password is, in the data
// directory, where it was made up and no terminal was there to show it.
const adminPasswordFile = "admin-password"

// firstAdmin makes an admin where there is no user. A password that is made up
// is shown on a terminal; what else standard output is, others may collect and
// keep, so then it is written to a file that only its owner reads.
func (p *Process) firstAdmin(ctx context.Context, db *store.DB) error {
	registrar := p.registrar(db)
	in := account.Registration{Name: "Admin", Email: p.Config.Account.AdminEmail, Password: p.Config.Account.AdminPassword}
	if in.Password != "" {
		_, err := registrar.FirstAdmin(ctx, in)
		return err
	}
	if empty, err := registrar.Empty(ctx); !empty || err != nil {
		return err
	}
	in.Password = account.RandomPassword()
	if IsTerminal(p.Stdout) {
		made, err := registrar.FirstAdmin(ctx, in)
		if made {
			fmt.Fprintf(p.Stdout, "The first admin is %s, password %s: this is shown only now.\n", in.Email, in.Password)
		}
		return err
	}
	return p.firstAdminInFile(ctx, registrar, in)
}

// firstAdminInFile makes the admin once the password is on the disk: there is
// never an admin whose password is nowhere.
func (p *Process) firstAdminInFile(ctx context.Context, registrar *account.Registrar, in account.Registration) error {
	file, err := p.DataFile(adminPasswordFile)
	if err != nil {
		return fmt.Errorf("keep the password: %w: set ENTWINE_ADMIN_PASSWORD, or ENTWINE_DATA_DIR to a folder that can be written", err)
	}
	draft, err := os.CreateTemp(filepath.Dir(file), ".admin-password-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keep the password: %w: set ENTWINE_ADMIN_PASSWORD, or ENTWINE_DATA_DIR to a folder that can be written", err)
	}
	defer os.Remove(draft.Name()) // unless it has its name
	_, err = fmt.Fprintln(draft, in.Password)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return fmt.Errorf("keep the password: %w", err)
	}
	if made, err := registrar.FirstAdmin(ctx, in); !made || err != nil {
		return err
	}
	if err := os.Rename(draft.Name(), file); err != nil {
		return err
	}
	p.Log.WarnContext(ctx, "the first admin was made: sign in, and remove the file with the password", "email", in.Email, "file", file)
	return nil
}

// IsTerminal reports whether w is a terminal, where a person reads what is written.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) // the null device is none
}
