package read

import (
	"context"

	"github.com/entwine-go/entwine/kit/gid"
)

// Row is a row of [Reader.Rows].
type Row struct {
	ID gid.ID
	// Views are the row as each of the views writes it, nil where a member that may
	// not be null is.
	Views []View
}

// View is a row as one of the views writes it.
type View struct {
	JSON []byte
	// Errors are fields that could not be shown, with their paths below the row.
	Errors []PathError
}

// Window is the rows of a query, and how many there are where that was asked for, else -1.
type Window struct {
	Rows  []Row
	Total int64
	// AtLeast: there may be more than Total (see [Page.Most]).
	AtLeast bool
}

// Rows reads the rows of the query, each by itself: as each of the views writes it,
// which are parts of the selection ([Selection.Slice]), or the selection itself.
func (r *Reader) Rows(ctx context.Context, s *Selection, q Query, views ...*Selection) (Window, error) {
	if views == nil {
		views = []*Selection{s}
	}
	p, err := r.reading(ctx, q.Deleted).page(ctx, s, &q)
	if err != nil {
		return Window{Total: -1}, err
	}
	rows := make([]Row, p.n)
	for i := range rows {
		rows[i] = Row{ID: p.set.id(p.row(i)), Views: make([]View, len(views))}
		for j, view := range views {
			var w writer
			text, whole := w.object(nil, p.set, p.row(i), view)
			if !whole {
				text = nil
			}
			rows[i].Views[j] = View{JSON: text, Errors: w.errors}
		}
	}
	return Window{rows, p.total, p.atLeast}, nil
}
