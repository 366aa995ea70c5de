package handler

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/read"
)

// showed notes that the exchange is answered with a row.
func (x *Exchange) showed(e *entity.Entity, id gid.ID) {
	x.Outcome.Row = idempotency.Row{Entity: e.Name, ID: id}
}

// Again answers a repetition with the row that the first request was answered
// with, as the viewer may see it now. A row that they can't see is not found.
//
// With found a row that was made is answered with 200, not 201 once more.
//
// The outcome may have the body of the first answer, for a viewer who sees by the
// same rights what they saw then. Where the row has changed since, that body is
// answered without validators, which would be of another content.
func (d *Door) Again(ctx context.Context, w http.ResponseWriter, r *Resource, o idempotency.Outcome, found bool) error {
	p, err := d.shape(ctx, r)
	if err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	info, err := d.item(ctx, b, r.Entity, p, read.ByID(r.Entity, o.Row.ID))
	if err != nil {
		return err
	}
	x := From(ctx)
	a := Answer{Status: o.Status, Body: b.bytes, Version: info.Version, Modified: info.Updated}
	if len(o.Body) > 0 && !bytes.Equal(o.Body, b.bytes) {
		a = Answer{Status: o.Status, Body: o.Body}
	}
	switch {
	case o.Status == http.StatusCreated && r.Located:
		segment, err := d.segment(ctx, r.Entity, o.Row.ID)
		if err != nil {
			return err
		}
		a.Location = x.Base + "/" + r.Path + "/" + segment
	case o.Status == http.StatusAccepted:
		w.Header().Set("Retry-After", "1")
	}
	if found && o.Status == http.StatusCreated {
		a.Status = http.StatusOK
	}
	return x.Answer(w, a)
}

// segment is the text of a row's id in its path.
func (d *Door) segment(ctx context.Context, e *entity.Entity, id gid.ID) (string, error) {
	if e.Key == nil {
		return From(ctx).Version.IDs.Segment(e.Name, id), nil
	}
	s := read.Select(e)
	s.Field(e.Key.REST, e.Key)
	text, _, err := d.Reader.One(ctx, nil, s, read.ByID(e, id), false)
	if err != nil {
		return "", err
	}
	var shown map[string]string
	if err := json.Unmarshal(text, &shown); err != nil {
		return "", fmt.Errorf("read the path of %s %v: %w", e.Singular, id, err)
	}
	return url.PathEscape(shown[e.Key.REST]), nil
}
