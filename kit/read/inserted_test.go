package read_test

import (
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
)

// insertBook is the rest of the INSERT of a book, if the condition holds.
func insertBook(id int64, condition string) func(policy.Writer) bool {
	return func(w policy.Writer) bool {
		w.WriteString(` ("id", "title", "title_fold", "lent", "public", "created_at", "owner_id", "tags") SELECT `)
		w.Arg(id)
		for _, value := range []any{"New", "new", false, true, time.Date(2026, 3, 9, 1, 2, 3, 456000, time.UTC), int64(7), `["a"]`} {
			w.WriteString(", ")
			w.Arg(value)
		}
		w.WriteString(" WHERE " + condition)
		return true
	}
}

func TestInsertedRowsAreReadByTheStatementThatMakesThem(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		ctx, log := as(t, owner)
		s := read.Whole(book, owner)
		made, info, err := r.Inserted(ctx, nil, s, insertBook(77, "1=1"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(log.Statements()); n != 1 {
			t.Errorf("%d statements: %q", n, log.Statements())
		}
		read, readInfo, err := r.One(ctx, nil, s, read.ByID(book, gid.Int(77)), false)
		if err != nil || string(made) != string(read) {
			t.Errorf("inserted %s, read %s (%v)", made, read, err)
		}
		if info.ID != gid.Int(77) || info.Count != 1 || info.Version != readInfo.Version || !info.Updated.Equal(readInfo.Updated) {
			t.Errorf("info %+v, read %+v", info, readInfo)
		}
		left, info, err := r.Inserted(ctx, nil, s, insertBook(78, "1=0"))
		if err != nil || info.Count != 0 || len(left) != 0 {
			t.Errorf("a row that is not admitted: %s, %+v, %v", left, info, err)
		}
	})
}
