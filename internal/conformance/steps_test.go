package conformance_test

import (
	"testing"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// moment is when the row with the number was made.
func moment(n int) time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Second)
}

// stepsOf is how many steps SQLite's virtual machine takes for a statement,
// which database/sql can't ask. https://sqlite.org/c3ref/c_stmtstatus_counter.html
func stepsOf(t *testing.T, file, text string, args []any) int64 {
	t.Helper()
	tls := libc.NewTLS()
	defer tls.Close()
	// One place in C's memory for what is returned by reference.
	place := libc.Xmalloc(tls, 8)
	defer libc.Xfree(tls, place)
	refer := func() uintptr { return libc.AtomicLoadPUintptr(place) }
	check := func(code int32) {
		t.Helper()
		if code != sqlite3.SQLITE_OK {
			t.Fatalf("%s: SQLite's code %d", text, code)
		}
	}
	name := inC(t, file)
	defer libc.Xfree(tls, name)
	check(sqlite3.Xsqlite3_open_v2(tls, name, place, sqlite3.SQLITE_OPEN_READWRITE, 0))
	db := refer()
	defer sqlite3.Xsqlite3_close_v2(tls, db)
	query := inC(t, text)
	defer libc.Xfree(tls, query)
	check(sqlite3.Xsqlite3_prepare_v2(tls, db, query, -1, place, 0))
	statement := refer()
	defer sqlite3.Xsqlite3_finalize(tls, statement)
	for i, arg := range args {
		check(bind(t, tls, statement, int32(i+1), arg))
	}
	code := sqlite3.Xsqlite3_step(tls, statement)
	for code == sqlite3.SQLITE_ROW {
		code = sqlite3.Xsqlite3_step(tls, statement)
	}
	if code != sqlite3.SQLITE_DONE {
		t.Fatalf("%s: SQLite's code %d", text, code)
	}
	return int64(sqlite3.Xsqlite3_stmt_status(tls, statement, sqlite3.SQLITE_STMTSTATUS_VM_STEP, 0))
}

// bind gives a parameter its value. SQLite copies texts.
func bind(t *testing.T, tls *libc.TLS, statement uintptr, at int32, arg any) int32 {
	t.Helper()
	switch v := arg.(type) {
	case int64:
		return sqlite3.Xsqlite3_bind_int64(tls, statement, at, v)
	case time.Time:
		return bind(t, tls, statement, at, v.UTC().Format("2006-01-02 15:04:05.000000-07:00"))
	case string:
		c := inC(t, v)
		defer libc.Xfree(tls, c)
		return sqlite3.Xsqlite3_bind_text(tls, statement, at, c, int32(len(v)), sqlite3.SQLITE_TRANSIENT)
	}
	t.Fatalf("no way to bind a %T", arg)
	return 0
}

// inC is the text in C's memory.
func inC(t *testing.T, text string) uintptr {
	t.Helper()
	p, err := libc.CString(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
