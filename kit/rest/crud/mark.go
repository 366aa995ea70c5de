package crud

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/write"
)

// of is the mark that the operation makes or takes back.
func (o *Operation) of(e *write.Entity) *write.Mark {
	i := slices.IndexFunc(e.Marks, func(m *write.Mark) bool { return m.Verb == o.Verb })
	if i < 0 {
		panic(fmt.Sprintf("%s has no mark %q", e.Name, o.Verb))
	}
	return e.Marks[i]
}

// mark marks a row, and answers with what it has come to: 201 the first time, and
// each time where marks add up, else 200.
func (a *API) mark(o *Operation) handler.Handler {
	e := a.written(o)
	m := o.of(e)
	return func(ctx context.Context, w http.ResponseWriter) error {
		call, err := a.call(ctx, o, e)
		if err != nil {
			return err
		}
		marked, err := a.Engine.Mark(ctx, call, m)
		if err != nil {
			return err
		}
		x := handler.From(ctx)
		body := []byte(`{"status":"success"`)
		if m.Said != "" {
			body = append(strconv.AppendQuote(append(body, ','), m.Said), ":true"...)
		}
		body = append(strconv.AppendQuote(append(body, ','), m.Count.REST), ':')
		body = strconv.AppendInt(body, marked.Count, 10)
		if m.URL {
			path := x.Base + "/" + e.Path + "/" + x.Version.IDs.Segment(e.Name, call.ID)
			body = strconv.AppendQuote(append(body, `,"url":`...), path)
		}
		status := http.StatusOK
		if marked.Row.Made {
			status = http.StatusCreated
		}
		return x.Plain(w, status, append(body, '}'))
	}
}

// unmark takes a mark back: 204 also where there was none.
func (a *API) unmark(o *Operation) handler.Handler {
	e := a.written(o)
	m := o.of(e)
	return func(ctx context.Context, w http.ResponseWriter) error {
		call, err := a.call(ctx, o, e)
		if err != nil {
			return err
		}
		if err := a.Engine.Unmark(ctx, call, m); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}
