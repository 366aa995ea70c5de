package door

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
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
	return d.create(ctx, w, r, nil, insert)
}

// create is [Door.Create] for a row that the scope, where it is not nil, has
// to admit: one that it does not is not made, and not found.
func (d *Door) create(ctx context.Context, w http.ResponseWriter, r *Resource, scope reading.Filter, insert func(context.Context) (Row, error)) error {
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
		where := reading.ByID(r.Entity, row.ID)
		if scope != nil {
			where = reading.And{where, scope}
		}
		info, err = d.item(ctx, b, r.Entity, p, where)
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

// Update changes the row with change, and answers with what it is then.
func (d *Door) Update(ctx context.Context, w http.ResponseWriter, r *Resource, id int64, change func(context.Context) error) error {
	return d.Act(ctx, w, r, id, policy.Update, change)
}

// Act is [Door.Update] for a change that the policy has a verb of its own for.
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
		if err := d.unchanged(ctx, e, reading.ByID(e, id), verb, nil); err != nil {
			return err
		}
		if err := d.explain(ctx, e, id, verb, change(ctx)); err != nil {
			return err
		}
		return read(ctx)
	}))
}

// Put changes the only row that the scope admits, or makes it, and answers
// with what it is then: 200, or 201 for a new one.
func (d *Door) Put(ctx context.Context, w http.ResponseWriter, r *Resource, scope reading.Filter, put func(context.Context) (created bool, err error)) error {
	p, err := d.shape(ctx, r)
	if err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	var info reading.Info
	x := From(ctx)
	a := Answer{Status: http.StatusOK}
	err = d.DB.InTx(ctx, func(ctx context.Context) error {
		if err := d.unchanged(ctx, r.Entity, scope, policy.Update, errChanged); err != nil {
			return err
		}
		created, err := put(ctx)
		if err != nil {
			return err
		}
		if created {
			a.Status = http.StatusCreated
			a.Location = x.Request.URL.EscapedPath()
		}
		info, err = d.item(ctx, b, r.Entity, p, scope)
		return err
	})
	if errors.Is(err, errUntouched) { // put has found the row, so the viewer can read it
		err = policy.Denied(viewer.From(ctx))
	}
	if err != nil {
		return Failed(r.Entity, err)
	}
	a.Body, a.Version, a.Modified = b.bytes, info.Version, info.Updated
	return x.Answer(w, a)
}

// May returns nil if the viewer may do the verb to a row of the query, and
// the error of a write that touches no row if not: it is asked in the place of
// a write that would change nothing.
func (d *Door) May(ctx context.Context, e *reading.Entity, verb string, q interface {
	WhereP(...func(*sql.Selector))
	Exist(context.Context) (bool, error)
}) error {
	if err := policy.Restrict(q, e.Rules.May(viewer.From(ctx), verb)); err != nil {
		return err
	}
	found, err := q.Exist(ctx)
	if err != nil {
		return err
	}
	if !found {
		return errUntouched
	}
	return nil
}

// Deletion is how a row is deleted. Both functions return how many rows they touched.
type Deletion struct {
	// Hide deletes softly, nil where the entity has no soft delete.
	Hide func(context.Context) (int, error)
	// Remove deletes for good.
	Remove func(context.Context) (int, error)
}

// Delete deletes the row: 204, or 200 with the row as it was where the
// request prefers that.
func (d *Door) Delete(ctx context.Context, w http.ResponseWriter, r *Resource, id int64, del Deletion) error {
	x := From(ctx)
	hard, err := d.hard(ctx, r, del)
	if err != nil {
		return err
	}
	verb, run := policy.Delete, del.Remove
	switch {
	case hard:
		verb = policy.Remove
	case del.Hide != nil:
		run = del.Hide
	}
	b := newBuffer()
	defer b.release()
	wanted := x.prefers("return=representation")
	kept := !hard && del.Hide != nil
	err = d.DB.InTx(ctx, func(ctx context.Context) error {
		if err := d.unchanged(ctx, r.Entity, reading.ByID(r.Entity, id), verb, nil); err != nil {
			return err
		}
		if wanted && !kept {
			if err := d.last(ctx, b, r.Entity, id, hard); err != nil {
				return d.explain(ctx, r.Entity, id, verb, err)
			}
		}
		n, err := run(policy.As(ctx, verb))
		if err = d.explain(ctx, r.Entity, id, verb, Touched(n, err)); err != nil || !wanted || !kept {
			return err
		}
		return d.last(ctx, b, r.Entity, id, true)
	})
	if err != nil {
		return Failed(r.Entity, err)
	}
	if !wanted {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Preference-Applied", "return=representation")
	return x.Answer(w, Answer{Body: b.bytes})
}

// hard reads the only parameter of a DELETE.
func (d *Door) hard(ctx context.Context, r *Resource, del Deletion) (bool, error) {
	values := From(ctx).Request.URL.Query()
	var details []problem.Detail
	for name, value := range values {
		switch {
		case name != "hard" || del.Hide == nil:
			details = append(details, problem.Invalidf(name, value[0], "is not a parameter of this request"))
		case len(value) > 1 || value[0] != "true" && value[0] != "false":
			details = append(details, problem.Invalidf(name, value[0], "must be true or false"))
		}
	}
	if err := problem.Inputs(details...); err != nil {
		return false, err
	}
	if values.Get("hard") != "true" {
		return false, nil
	}
	return true, r.Rules.Check(viewer.From(ctx), policy.Remove)
}

// last writes the envelope of a row that is about to be removed, or was hidden.
func (d *Door) last(ctx context.Context, b *buffer, e *reading.Entity, id int64, deleted bool) error {
	p := &reading.Params{Selection: reading.Whole(e, viewer.From(ctx)), Query: reading.Query{Deleted: deleted}}
	if _, err := d.item(ctx, b, e, p, reading.ByID(e, id)); err != nil {
		return err
	}
	b.bytes = append(b.bytes[:len(b.bytes)-1], `,"message":"`+e.Singular+` deleted"}`...)
	return nil
}

// errUntouched is a write that touched no row.
var errUntouched = problem.New(problem.NotFound, "no row was touched")

// Touched returns err, or an error where a write that should touch a row
// touched none: [Door.Update] and [Door.Delete] find out why.
func Touched(n int, err error) error {
	if err == nil && n == 0 {
		return errUntouched
	}
	return err
}

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
