package main

import (
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"
)

// user is one row, in the order of userColumns.
type user struct {
	id, followers, following, version int64
	name, email, role                 string
	age                               pgtype.Int8
	active                            bool
	created, updated, deleted         pgtype.Timestamptz
}

func (u *user) into() []any {
	return []any{&u.id, &u.name, &u.email, &u.role, &u.age, &u.active, &u.followers, &u.following, &u.created, &u.updated, &u.version, &u.deleted}
}

func (u *user) append(b []byte) []byte {
	b = appendInt(b, `{"id":`, u.id)
	b = appendString(b, `,"name":`, u.name)
	b = appendString(b, `,"email":`, u.email)
	b = appendString(b, `,"role":`, u.role)
	b = appendNullInt(b, `,"age":`, u.age)
	b = strconv.AppendBool(append(b, `,"is_active":`...), u.active)
	b = appendInt(b, `,"followers_count":`, u.followers)
	b = appendInt(b, `,"following_count":`, u.following)
	b = appendTime(b, `,"created_at":`, u.created)
	b = appendTime(b, `,"updated_at":`, u.updated)
	b = appendInt(b, `,"version":`, u.version)
	b = appendTime(b, `,"deleted_at":`, u.deleted)
	return append(b, '}')
}

func (s *server) getUser(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	found, err := s.db.query(r.Context(), &oneUser, id)
	if err != nil {
		fail(w, err)
		return
	}
	defer found.done()
	if !found.Next() {
		http.NotFound(w, r)
		return
	}
	var u user
	if err := found.Scan(u.into()...); err != nil {
		fail(w, err)
		return
	}
	b := u.append(append(make([]byte, 0, 1024), `{"status":"success","data":`...))
	send(w, http.StatusOK, append(b[:len(b)-1], `,"actions":[],"viewer_can_update":false,"viewer_can_delete":false}}`...)) // what a stranger can do to one
}

func (s *server) listUsers(w http.ResponseWriter, r *http.Request) {
	found, err := s.db.query(r.Context(), &usersOf, r.URL.Query().Get("role"))
	if err != nil {
		fail(w, err)
		return
	}
	defer found.done()
	var (
		u     user
		total int64
	)
	into := append(u.into(), &total)
	b := append(make([]byte, 0, 8<<10), `{"status":"success","data":[`...)
	for n := 0; found.Next(); n++ {
		if err := found.Scan(into...); err != nil {
			fail(w, err)
			return
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = u.append(b)
	}
	if err := found.Err(); err != nil {
		fail(w, err)
		return
	}
	b = appendInt(b, `],"pagination":{"page":1,"limit":20,"total":`, total)
	send(w, http.StatusOK, append(b, `}}`...))
}
