package develop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/runtime/migration"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// ErrForward says that a database is not taken back.
var ErrForward = errors.New("migrations go forward only, but for the steps of weave dev that have no name yet: " +
	"write another migration that takes back what this one did, or restore a copy of the database")

// Down has the database be what it was before the last step. What it was since
// is kept.
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
		now, err = k.copy(ctx, db, &kept{Undone: true})
		return err
	})
	if err != nil {
		return err
	}
	if err := k.putBack(all[last]); err != nil {
		return err
	}
	fmt.Fprintf(l.Stdout, "%s is what it was before the last step. What it was since is kept in %s\n"+
		"weave dev takes that step again unless schema/ is taken back, too\n", l.file, now.file)
	return nil
}
