package account

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Directory is the users as an operator sees them: no policy stands before it.
type Directory struct {
	// DB is the service's database.
	DB *store.DB
	// Users are the service's.
	Users *Table
}

var (
	anyByAddress = statement.Of(`SELECT ` + userColumns + ` FROM users WHERE email_fold = $1 ORDER BY deleted_at IS NOT NULL, id DESC LIMIT 1`)
	newestUsers  = statement.Of(`SELECT ` + userColumns + ` FROM users WHERE deleted_at IS NULL ORDER BY id DESC LIMIT $1`)
)

// Find returns the user with the e-mail address, nil where there is none: also
// one who is deleted, if that is asked for.
func (d *Directory) Find(ctx context.Context, email string, deleted bool) (*User, error) {
	by := userByAddress
	if deleted {
		by = anyByAddress
	}
	return findUser(ctx, d.DB, by, fold.String(email))
}

// ByID returns the user with the id, nil where there is none.
func (d *Directory) ByID(ctx context.Context, id int64) (*User, error) {
	return findUser(ctx, d.DB, userByID, id)
}

// Newest lists the users, the newest first.
func (d *Directory) Newest(ctx context.Context, most int) (all []User, err error) {
	err = newestUsers.Query(ctx, d.DB, func(rows *sql.Rows) error {
		var u User
		if err := rows.Scan(u.columns()...); err != nil {
			return err
		}
		all = append(all, u)
		return nil
	}, most)
	if err != nil {
		return nil, fmt.Errorf("list users: %w", err)
	}
	return all, nil
}

// SetRole gives a user another role.
func (d *Directory) SetRole(ctx context.Context, id int64, role viewer.Role) error {
	_, err := d.Users.set(ctx, id, "role", string(role))
	return store.Problem(err)
}

// SetActive lets a user sign in, or keeps them from it, which ends their
// sign-ins.
func (d *Directory) SetActive(ctx context.Context, id int64, active bool) error {
	_, err := d.Users.set(ctx, id, "is_active", active)
	return store.Problem(err)
}
