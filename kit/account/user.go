package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// User has the columns of a user that this package reads.
type User struct {
	ID    int64       // the primary key
	Name  string      // shown to others
	Email string      // where mail goes to
	Role  viewer.Role // what policies judge by
	// Active reports whether they can sign in: they are neither deactivated nor
	// deleted.
	Active bool
}

// userColumns are those of a [User], in the order of its columns.
const userColumns = `users.id, users.name, users.email, users.role, users.is_active AND users.deleted_at IS NULL`

// activeUser admits users who can sign in.
const activeUser = `users.is_active AND users.deleted_at IS NULL`

func (u *User) columns() []any { return []any{&u.ID, &u.Name, &u.Email, &u.Role, &u.Active} }

var (
	userByAddress = statement.Of(`SELECT ` + userColumns + ` FROM users WHERE email_fold = $1 AND deleted_at IS NULL`)
	userByID      = statement.Of(`SELECT ` + userColumns + ` FROM users WHERE id = $1 AND deleted_at IS NULL`)
)

// findUser returns the user that the statement finds for the value, nil where
// it finds none.
func findUser(ctx context.Context, db *store.DB, by statement.Statement, value any) (*User, error) {
	u := new(User)
	found, err := by.Row(ctx, db, u.columns(), value)
	if err != nil {
		return nil, fmt.Errorf("find user: %w", err)
	}
	if !found {
		return nil, nil
	}
	return u, nil
}

var holdText = statement.Of(`SELECT email FROM users WHERE id = $1 FOR UPDATE`)

// hold returns the address of a user, which no other transaction changes until the
// context's transaction ends. It is empty where there is no such user.
func hold(ctx context.Context, db *store.DB, id int64) (email string, err error) {
	if _, err := holdText.Row(ctx, db, []any{&email}, id); err != nil {
		return "", fmt.Errorf("hold address of user %d: %w", id, err)
	}
	return email, nil
}
