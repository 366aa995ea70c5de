// Package trial applies migrations to copies of a database, as production has it, and
// reports what happens: locks and times, rows that become others, and which of the
// requests that were recorded fail, asked of the program before and of the new one.
//
// The database itself is only read. Each step has a copy of its own:
//
//	before      the program before is asked everything: what fails here fails anyway
//	meanwhile   it is asked again and again while the migrations are applied, and beside
//	            the new program once they are, where several processes may serve a database
//	afterwards  the migrations are applied to a copy at rest, whose rows are compared, and
//	            the program before, which was started before them, is asked everything
//	new         the new program is asked everything
//
// Programs do no background work (ENTWINE_REHEARSAL), so that no mail and no webhook leaves.
package trial

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/entwine-go/entwine/kit/internal/recording"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// Trial describes a trial.
type Trial struct {
	// Migrations has the folders postgres and sqlite, of the new program.
	Migrations fs.FS
	// Old and New are the files of the programs. They may be empty without Requests.
	Old, New string
	// Requests are asked in their order.
	Requests []recording.Request
	// Clients is how many ask at a time while the migrations are applied.
	Clients int
	// Rows is how many rows of a table are compared at most, and Samples how many of them
	// are shown.
	Rows, Samples int
	// Say hears what goes on. It is not nil.
	Say func(line string)
}

// ErrNothing says that the database has had all migrations.
var ErrNothing = errors.New("the copy has had all migrations: there is nothing to try")

// Run tries the migrations that the database of the source lacks.
func (t *Trial) Run(ctx context.Context, s Source) (*Report, error) {
	r := &Report{Asked: t.Requests, Dialect: s.dialect()}
	pending, err := t.pending(ctx, s)
	if err != nil {
		return nil, err
	}
	r.Pending = pending
	for _, step := range []struct {
		says string
		with bool // without requests there is nothing to do
		run  func(context.Context, *copied, *Report) error
	}{
		{"asks the program before", true, t.before},
		{"applies the migrations while requests are answered", false, t.meanwhile},
		{"applies the migrations to a copy at rest, and compares the rows", false, func(ctx context.Context, c *copied, r *Report) error { return t.afterwards(ctx, s, c, r) }},
		{"asks the new program", true, t.anew},
	} {
		if step.with && len(t.Requests) == 0 || r.Err != nil && step.with {
			continue
		}
		t.Say(step.says)
		if err := t.step(ctx, s, r, step.run); err != nil {
			return nil, fmt.Errorf("%s: %w", step.says, err)
		}
	}
	return r, nil
}

// step makes a copy, and removes it in the end.
func (t *Trial) step(ctx context.Context, s Source, r *Report, run func(context.Context, *copied, *Report) error) (err error) {
	c, err := s.fork(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	return run(ctx, c, r)
}

// pending are the migrations that the database lacks.
func (t *Trial) pending(ctx context.Context, s Source) ([]string, error) {
	db, err := store.Open(ctx, store.Config{URL: s.base(), StatementTimeout: -1})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	has, err := migration.Status(ctx, db, t.Migrations)
	if err == nil {
		err = has.Check()
	}
	switch {
	case err != nil:
		return nil, err
	case len(has.Applied) == 0:
		return nil, errors.New("the copy has had no migration of this service: is it one of another database?")
	case len(has.Pending) == 0:
		return nil, ErrNothing
	}
	return has.Pending, nil
}

// before asks the program before of a copy that stays as it was.
func (t *Trial) before(ctx context.Context, c *copied, r *Report) error {
	return t.served(ctx, c, t.Old, func(a *asker) error {
		r.Before = a.all(ctx, t.Requests)
		return ctx.Err()
	})
}

// meanwhile applies the migrations below the load of the program before, and then asks
// both programs at once.
func (t *Trial) meanwhile(ctx context.Context, c *copied, r *Report) error {
	if len(t.Requests) == 0 {
		return t.apply(ctx, c, r)
	}
	return t.served(ctx, c, t.Old, func(old *asker) error {
		stop := old.again(ctx, t.Requests, t.Clients)
		err := t.apply(ctx, c, r)
		if err != nil || r.Err != nil || r.Dialect.Embedded() { // where one process serves
			r.Meanwhile = stop()
			return err
		}
		err = t.served(ctx, c, t.New, func(beside *asker) error {
			r.Beside = beside.all(ctx, t.Requests)
			return ctx.Err()
		})
		r.Meanwhile = stop()
		return err
	})
}

// afterwards applies them to a copy at rest, on which the program before goes on.
func (t *Trial) afterwards(ctx context.Context, s Source, c *copied, r *Report) error {
	quiet := func() error {
		if err := t.quietly(ctx, c, r); err != nil {
			return err
		}
		var err error
		r.Tables, err = t.compare(ctx, s, c)
		return err
	}
	if len(t.Requests) == 0 {
		return quiet()
	}
	return t.served(ctx, c, t.Old, func(old *asker) error {
		if err := quiet(); err != nil {
			return err
		}
		r.Afterwards = old.all(ctx, t.Requests)
		return ctx.Err()
	})
}

// anew asks the new program.
func (t *Trial) anew(ctx context.Context, c *copied, r *Report) error {
	if err := t.quietly(ctx, c, r); err != nil || r.Err != nil {
		return err
	}
	return t.served(ctx, c, t.New, func(a *asker) error {
		r.New = a.all(ctx, t.Requests)
		return ctx.Err()
	})
}

// quietly applies the migrations where nothing else is done. The report has the
// requests that they refuse.
func (t *Trial) quietly(ctx context.Context, c *copied, r *Report) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	err = migration.Up(ctx, db, t.Migrations)
	if err != nil && ctx.Err() == nil {
		r.Err = err
		return nil
	}
	return err
}
