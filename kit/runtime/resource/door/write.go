package door

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Row is a row that was made.
type Row struct {
	ID int64
	// Key stands for the id in the row's path, where it is not empty.
	Key string
	// Found is set for a row that was there before: the answer is 200.
	Found bool
}

// Create makes a row with insert and answers 201 with it.
func (d *Door) Create(ctx context.Context, w http.ResponseWriter, r *Resource, insert func(context.Context) (Row, error)) error {
	p, err := d.shape(ctx, r)
	if err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	var row Row
	var info reading.Info
	err = d.DB.InTx(ctx, func(ctx context.Context) error {
		if row, err = insert(ctx); err != nil {
			return err
		}
		info, err = d.item(ctx, b, r.Entity, p, reading.ByID(r.Entity, row.ID))
		return err
	})
	if err != nil {
		return Failed(r.Entity, err)
	}
	x := From(ctx)
	x.showed(r.Entity, row.ID)
	x.reveal(b)
	a := Answer{Status: http.StatusCreated, Body: b.bytes, Version: info.Version, Modified: info.Updated}
	if row.Found {
		a.Status = http.StatusOK
	}
	if r.Located && !row.Found {
		a.Location = x.Base + "/" + r.Path + "/" + row.segment()
	}
	return x.Answer(w, a)
}

func (r Row) segment() string {
	if r.Key != "" {
		return url.PathEscape(r.Key)
	}
	return itoa(r.ID)
}

// Act changes the row with change, and answers with what it is then. The verb
// is the policy's.
func (d *Door) Act(ctx context.Context, w http.ResponseWriter, r *Resource, id int64, verb string, change func(context.Context) error) error {
	p, err := d.shape(ctx, r)
	if err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	var info reading.Info
	err = d.run(ctx, r.Entity, id, verb, change, func(ctx context.Context) (err error) {
		info, err = d.item(ctx, b, r.Entity, p, reading.ByID(r.Entity, id))
		return err
	})
	if err != nil {
		return err
	}
	x := From(ctx)
	x.showed(r.Entity, id)
	x.reveal(b)
	return x.Answer(w, Answer{Body: b.bytes, Version: info.Version, Modified: info.Updated})
}

// Done is what became of a change that calls another system.
type Done struct {
	// ID is the row's to answer with.
	ID int64
	// Made is set for a new row, which is answered with 201.
	Made bool
	// Pending is set where it is not decided yet: 202, to be asked again.
	Pending bool
}

// Outside makes or changes a row with do, which calls another system and so
// must not be in a transaction, and answers with what the row is then.
func (d *Door) Outside(ctx context.Context, w http.ResponseWriter, r *Resource, do func(context.Context) (Done, error)) error {
	p, err := d.shape(ctx, r)
	if err != nil {
		return err
	}
	done, err := do(ctx)
	if err != nil {
		return Failed(r.Entity, err)
	}
	b := newBuffer()
	defer b.release()
	info, err := d.item(ctx, b, r.Entity, p, reading.ByID(r.Entity, done.ID))
	if err != nil {
		return err
	}
	x := From(ctx)
	a := Answer{Body: b.bytes, Version: info.Version, Modified: info.Updated}
	if done.Made {
		a.Status, a.Location = http.StatusCreated, x.Base+"/"+r.Path+"/"+itoa(done.ID)
	}
	x.showed(r.Entity, done.ID)
	if done.Pending {
		a.Status = http.StatusAccepted
		w.Header().Set("Retry-After", "1")
	}
	return x.Answer(w, a)
}

// End is [Door.Act] for a change that is answered with 204.
func (d *Door) End(ctx context.Context, e *reading.Entity, id int64, verb string, end func(context.Context) error) error {
	return d.run(ctx, e, id, verb, end, func(context.Context) error { return nil })
}

// run changes the row, if it is the one that the request is for, and reads it
// in the same transaction.
func (d *Door) run(ctx context.Context, e *reading.Entity, id int64, verb string, change, read func(context.Context) error) error {
	return Failed(e, d.DB.InTx(ctx, func(ctx context.Context) error {
		if err := d.unchangedNow(ctx, e, reading.ByID(e, id), verb, nil); err != nil {
			return err
		}
		if err := d.explain(ctx, e, id, verb, change(ctx)); err != nil {
			return err
		}
		return read(ctx)
	}))
}

// errUntouched is a write that touched no row.
var errUntouched = problem.New(problem.NotFound, "no row was touched")

// explain says why a write found no row.
func (d *Door) explain(ctx context.Context, e *reading.Entity, id int64, verb string, err error) error {
	if errors.Is(err, errUntouched) || absent(err) {
		return d.Reader.Why(ctx, e, id, verb)
	}
	return err
}

// absent reports whether Ent found no row to write.
func absent(err error) bool {
	return err != nil && problem.As(err) == nil && problem.KindOf(store.Problem(err)) == problem.NotFound
}
