package develop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// ErrForward says that a database is not taken back.
var ErrForward = errors.New("migrations go forward only, but for the steps of weave dev that have no name yet: " +
	"write another migration that takes back what this one did, or restore a copy of the database")

// lacking are the tables and columns of the database that the copy does not have.
func lacking(ctx context.Context, db *store.DB, c *kept) (names []string, err error) {
	conn, err := db.Session(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	a := &attached{Conn: conn, copy: c}
	if err := a.attach(ctx); err != nil {
		return nil, err
	}
	tables, err := a.tables(ctx)
	for _, table := range tables {
		now, nowErr := a.columns(ctx, "main", table)
		was, wasErr := a.columns(ctx, "kept", table)
		if err = errors.Join(err, nowErr, wasErr); len(was) == 0 {
			names = append(names, table)
			continue
		}
		for name := range now {
			if was[name].name == "" {
				names = append(names, table+"."+name)
			}
		}
	}
	slices.Sort(names)
	_, detachErr := conn.ExecContext(ctx, "DETACH DATABASE kept")
	return names, errors.Join(err, detachErr)
}

// Down has the database be what it was before the last step. Its later state is
// kept.
func (l *Loop) Down(ctx context.Context) (err error) {
	if err := l.configure(); err != nil {
		return fmt.Errorf("%w (%w)", ErrForward, err)
	}
	lock, err := hold(l.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	k := l.keeper()
	all, err := k.all()
	if err != nil {
		return err
	}
	last := slices.IndexFunc(all, func(c *kept) bool { return !c.Undone })
	var now *kept
	err = l.with(ctx, func(db *store.DB) error {
		developed, err := migration.Developed(ctx, db)
		if err != nil {
			return err
		}
		if developed == "" {
			return fmt.Errorf("%s is where its migrations lead: %w", l.file, ErrForward)
		}
		if last < 0 {
			return fmt.Errorf("no copy of %s from before the last step is kept: it was too large for one, or empty", l.file)
		}
		if now, err = k.copy(ctx, db, &kept{Undone: true}); err != nil {
			return err
		}
		now.Lost, err = lacking(ctx, db, all[last])
		return errors.Join(err, now.write())
	})
	if err != nil {
		return err
	}
	if err := k.putBack(all[last]); err != nil {
		return err
	}
	fmt.Fprintf(l.Stdout, "%s is as before the last step. Its later state is kept in %s\n"+
		"weave dev takes that step again unless schema/ is taken back, too\n", l.file, now.file)
	return nil
}
