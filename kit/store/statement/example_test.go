package statement_test

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Statements are constants of the package that runs them, written once for both
// databases.
var (
	lend = statement.Of(`INSERT INTO loans (book, due_at) VALUES ($1, later($2))`)
	late = statement.Of(`SELECT book FROM loans WHERE due_at < now() ORDER BY book FOR UPDATE SKIP LOCKED`)
	find = statement.Of(`SELECT since(due_at) < 0 FROM loans WHERE book = $1`)
)

func Example() {
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{URL: "sqlite::memory:"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `CREATE TABLE loans (book TEXT PRIMARY KEY, due_at DATETIME NOT NULL)`); err != nil {
		fmt.Println(err)
		return
	}
	for book, seconds := range map[string]float64{"Engines": 3600, "Numbers": -1} {
		if _, err := lend.Exec(ctx, db, book, seconds); err != nil {
			fmt.Println(err)
		}
	}
	err = late.Query(ctx, db, func(rows *sql.Rows) error {
		var book string
		err := rows.Scan(&book)
		fmt.Println(book, "is late")
		return err
	})
	fmt.Println(err)

	var inTime bool
	found, err := find.Row(ctx, db, []any{&inTime}, "Engines")
	fmt.Println(found, inTime, err)
	// Output:
	// Numbers is late
	// <nil>
	// true true <nil>
}
