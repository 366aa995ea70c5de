package account

import (
	"context"
	"database/sql"
	"encoding/json"
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

// activeText finds the users who can sign in, with the tenant that the SQL expression
// says.
func activeText(tenant string) statement.Statement {
	return statement.Of(`SELECT users.id, users.role, ` + tenant + ` FROM list($1) AS l(id bigint)
		JOIN users ON users.id = l.id WHERE ` + activeUser)
}

var activeOfOne = activeText("0")

// Active returns those of the users with the ids who can sign in, by their ids, with
// their roles and tenants.
func (d *Directory) Active(ctx context.Context, ids []int64) (map[int64]viewer.Viewer, error) {
	type key struct {
		ID int64 `json:"id"`
	}
	keys := make([]key, len(ids))
	for i, id := range ids {
		keys[i].ID = id
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	text := activeOfOne
	if t := d.Users.tenants(); t != nil {
		text = t.active
	}
	active := make(map[int64]viewer.Viewer, len(ids))
	err = text.Query(ctx, d.DB, func(rows *sql.Rows) error {
		var who viewer.Viewer
		if err := rows.Scan(&who.UserID, &who.Role, &who.Tenant); err != nil {
			return err
		}
		active[who.UserID] = who
		return nil
	}, string(list))
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find %d users: %w", len(ids), err))
	}
	return active, nil
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
