package store_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/entwine-go/entwine/kit/store"
)

// opened is a database in memory with a table of accounts.
func opened(ctx context.Context) (*store.DB, error) {
	db, err := store.Open(ctx, store.Config{URL: "sqlite::memory:"})
	if err == nil {
		_, err = db.ExecContext(ctx, `CREATE TABLE accounts (name TEXT PRIMARY KEY, cents INTEGER NOT NULL CHECK (cents >= 0))`)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, `INSERT INTO accounts VALUES ('ada', 500), ('bob', 0)`)
	}
	return db, err
}

func cents(ctx context.Context, db *store.DB, name string) (n int64) {
	rows, err := db.QueryContext(ctx, `SELECT cents FROM accounts WHERE name = ?`, name)
	if err != nil {
		return -1
	}
	defer rows.Close()
	for rows.Next() {
		err = rows.Scan(&n)
	}
	if err = errors.Join(err, rows.Err()); err != nil {
		return -1
	}
	return n
}

// Statements with the context of a transaction take effect together, or not at all. A part
// that may fail gets a transaction of its own within the other: a savepoint.
func ExampleDB_InTx() {
	ctx := context.Background()
	db, err := opened(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	move := func(ctx context.Context, cents int64) error {
		return db.InTx(ctx, func(ctx context.Context) error {
			if _, err := db.ExecContext(ctx, `UPDATE accounts SET cents = cents + ? WHERE name = 'bob'`, cents); err != nil {
				return err
			}
			_, err := db.ExecContext(ctx, `UPDATE accounts SET cents = cents - ? WHERE name = 'ada'`, cents)
			return err
		})
	}
	err = db.InTx(ctx, func(ctx context.Context) error {
		if err := move(ctx, 300); err != nil {
			return err
		}
		if err := move(ctx, 300); store.IsCheck(err) { // the second time there is too little: that alone is undone
			fmt.Println("ada has too little")
			return nil
		}
		return err
	})
	fmt.Println(err, cents(ctx, db, "ada"), cents(ctx, db, "bob"))
	// Output:
	// ada has too little
	// <nil> 200 300
}

// An effect that must not follow a rollback waits for the commit.
func ExampleAfterCommit() {
	ctx := context.Background()
	db, err := opened(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	give := func(cents int64) error {
		return db.InTx(ctx, func(ctx context.Context) error {
			store.AfterCommit(ctx, func(context.Context) { fmt.Println("bob was given", cents) })
			_, err := db.ExecContext(ctx, `UPDATE accounts SET cents = cents + ? WHERE name = 'bob'`, cents)
			return err
		})
	}
	fmt.Println(give(20))
	fmt.Println(store.IsCheck(give(-50)))
	// Output:
	// bob was given 20
	// <nil>
	// true
}
