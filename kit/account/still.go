package account

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

const (
	// asked is how many sign-ins one statement asks for.
	asked = 1000
	// askTime bounds that statement.
	askTime = 5 * time.Second
)

// signIn is a question whether a sign-in goes on, and its answer.
type signIn struct {
	ctx context.Context
	sid string
	id  int64 // of its user

	who *viewer.Viewer // nil where it does not
	err error
}

// signInsText finds those that go on, with the tenant that the SQL expression says.
func signInsText(tenant string) statement.Statement {
	of := func(table string) string {
		return `SELECT l.sid, users.id, users.role, ` + tenant + ` FROM list($1) AS l(sid text, id bigint)
			JOIN ` + table + ` AS s ON s.sid = l.sid AND s.user_id = l.id JOIN users ON users.id = s.user_id
			WHERE s.revoked_at IS NULL AND s.expires_at > $2 AND ` + activeUser
	}
	return statement.Of(of("refresh_families") + ` UNION ALL ` + of("sessions"))
}

var signInsOfOne = signInsText("0")

// signedIn returns the user as the database knows them now, nil where they, or the
// sign-in with the name, can't be used any more. Questions that arrive while the
// database answers share one statement: an event for thousands of connections has all
// their viewers proven at once.
func (v *Verifier) signedIn(ctx context.Context, sid string, id int64) (*viewer.Viewer, error) {
	q := &signIn{ctx: ctx, sid: sid, id: id}
	v.signIns.Do(q)
	return q.who, q.err
}

// askFor answers the questions.
func (v *Verifier) askFor(questions []*signIn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(questions[0].ctx), askTime)
	defer cancel()
	type key struct {
		Sid string `json:"sid"`
		ID  int64  `json:"id"`
	}
	of := make(map[key][]*signIn, len(questions))
	list := make([]key, 0, len(questions))
	for _, q := range questions {
		k := key{q.sid, q.id}
		if of[k] == nil {
			list = append(list, k)
		}
		of[k] = append(of[k], q)
	}
	text := signInsOfOne
	if v.tenants != nil {
		text = v.tenants.signIns
	}
	body, err := json.Marshal(list)
	if err == nil {
		err = text.Query(ctx, v.db, func(rows *sql.Rows) error {
			who := new(viewer.Viewer)
			if err := rows.Scan(&who.SessionID, &who.UserID, &who.Role, &who.Tenant); err != nil {
				return err
			}
			for _, q := range of[key{who.SessionID, who.UserID}] {
				own := *who
				q.who = &own
			}
			return nil
		}, string(body), v.issuer.now())
	}
	if err == nil {
		return
	}
	err = store.Problem(fmt.Errorf("find %d sign-ins: %w", len(list), err))
	for _, q := range questions {
		q.who, q.err = nil, err
	}
}

var userNow = statement.Of(`SELECT users.role FROM users WHERE users.id = $1 AND ` + activeUser)

// Caller returns the user, or the API key, with the id as the database knows them now,
// nil where they may not sign in any more: for jobs, which outlive the sign-in of who
// has asked for them.
func (v *Verifier) Caller(ctx context.Context, userID, keyID int64) (*viewer.Viewer, error) {
	if keyID != 0 {
		key, err := findKey(ctx, v.db, keyByID, keyID)
		if key == nil || err != nil || key.expires != nil && !v.issuer.now().Before(*key.expires) {
			return nil, err
		}
		return v.program(ctx, key)
	}
	who := &viewer.Viewer{UserID: userID}
	found, err := userNow.Row(ctx, v.db, []any{&who.Role}, userID)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find user %d: %w", userID, err))
	}
	if !found {
		return nil, nil
	}
	return who, v.tenants.tell(ctx, who)
}
