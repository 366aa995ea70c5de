package main

import (
	"context"
	"database/sql"
	"strings"

	_ "modernc.org/sqlite"
)

// readers is how many connections read beside the one that writes.
const readers = 4

// sqlite is one writer and several readers of a file.
type sqlite struct {
	write                  *sql.DB
	read                   map[*statement]*sql.Stmt
	addComment, addedEvent *sql.Stmt
}

const sqliteOptions = "?_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_txlock=immediate&_timezone=UTC&_time_format=sqlite"

func openSQLite(ctx context.Context, url string) (database, *sql.DB, error) {
	file := "file:" + strings.TrimPrefix(url, "sqlite://") + sqliteOptions
	write, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, nil, err
	}
	write.SetMaxOpenConns(1)
	read, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, nil, err
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	s := &sqlite{write: write, read: map[*statement]*sql.Stmt{}}
	for _, text := range []*statement{&oneUser, &usersOf, &postsPage, &feed, &products} {
		written := text.sqlite
		if written == "" {
			written = text.postgres
		}
		if s.read[text], err = read.PrepareContext(ctx, written); err != nil {
			return nil, nil, err
		}
	}
	if s.addComment, err = write.PrepareContext(ctx, commentText); err != nil {
		return nil, nil, err
	}
	s.addedEvent, err = write.PrepareContext(ctx, eventOfComment)
	return s, write, err
}

type sqlRows struct{ *sql.Rows }

func (r sqlRows) done() { _ = r.Close() }

func (s *sqlite) query(ctx context.Context, text *statement, args ...any) (rows, error) {
	found, err := s.read[text].QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	return sqlRows{found}, nil
}

// comment is one autocommitted statement, or a transaction of two.
func (s *sqlite) comment(ctx context.Context, c *comment, event bool) (id int64, err error) {
	if !event {
		err := s.addComment.QueryRowContext(ctx, c.text, c.post, c.author, c.at).Scan(&id)
		return id, err
	}
	err = inTx(ctx, s.write, func(tx *sql.Tx) error {
		if err := tx.StmtContext(ctx, s.addComment).QueryRowContext(ctx, c.text, c.post, c.author, c.at).Scan(&id); err != nil {
			return err
		}
		_, err := tx.StmtContext(ctx, s.addedEvent).ExecContext(ctx, id, c.post, c.at)
		return err
	})
	return id, err
}

// inTx runs statements in a transaction of their own.
func inTx(ctx context.Context, db *sql.DB, run func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := run(tx); err != nil {
		return err
	}
	return tx.Commit()
}
