package handler

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/web"
)

// Streams serves event streams: those of both APIs, which share the limits of callers.
type Streams interface {
	// ServeFeed serves what open begins. Where it can't begin, nothing is written and
	// the error says why.
	ServeFeed(w http.ResponseWriter, r *http.Request, open func(context.Context) (Feed, error)) error
}

// Feed has the events of an event stream.
type Feed interface {
	// Next waits for the next event and returns its text.
	Next(ctx context.Context) ([]byte, error)
	// End is the text at the end of a stream whose caller's credentials are no good any
	// more.
	End(ctx context.Context, err error) []byte
	// Close ends the feed.
	Close()
}

// follow answers with a list as an event stream: its page, and then what becomes of
// that (doc/clients/live.md). A client that comes back says in Last-Event-ID, as
// EventSource does, which rows it has.
func (d *Door) follow(ctx context.Context, w http.ResponseWriter, r *Resource, opt params.Options) error {
	x := From(ctx)
	if d.Lists == nil || d.Streams == nil || !r.Live {
		return problem.New(problem.NotAcceptable, "this list can't be followed")
	}
	p, err := followed(ctx, r, opt)
	if err != nil {
		return err
	}
	if err := Charge(ctx, p.Scans()); err != nil {
		return err
	}
	if x.Request.Method == http.MethodHead {
		w.Header().Set("Content-Type", negotiate.Events+"; charset=utf-8")
		return nil
	}
	since := x.Request.Header.Get("Last-Event-ID")
	stream, done := web.Stream(x.Request.Context(), w)
	defer done()
	request := x.Request.WithContext(stream)
	x = x.kept()
	f := &feed{Exchange: x, entity: r.Name, counted: p.Query.Page.Total}
	return d.Streams.ServeFeed(w, request, func(ctx context.Context) (Feed, error) {
		f.follower, err = d.Lists.Open(ctx, func(ctx context.Context) (live.Source, error) {
			ctx = With(ctx, x)
			if err := (Guard{Entity: r.Entity}).Check(ctx); err != nil {
				return live.Source{}, err
			}
			p, err := followed(ctx, r, opt)
			if err != nil {
				return live.Source{}, err
			}
			asked := x.Base + x.Path() + "?" + x.Request.URL.Query().Encode()
			source := live.Source{Key: asked, Form: asked, Counted: p.Query.Page.Total, Read: func(ctx context.Context, r *read.Reader) (read.Window, error) {
				return r.Rows(ctx, p.Selection, p.Query)
			}}
			if !p.Query.Deleted {
				source.Entity, source.Where = r.Entity, p.Query.Where
			}
			return source, nil
		}, since)
		return f, err
	})
}

// followed reads the parameters of a list that is followed: its first page.
func followed(ctx context.Context, r *Resource, opt params.Options) (*params.Params, error) {
	values := From(ctx).Request.URL.Query()
	var details []problem.Detail
	for _, name := range []string{"page", "cursor", "after", "after_id"} {
		if word := From(ctx).Version.Word(name); values.Has(word) && (name != "page" || !counted(values)) {
			details = append(details, problem.Invalidf(word, values.Get(word), "is not for %s: a list is followed from its beginning", negotiate.Events))
		}
	}
	if err := problem.Inputs(details...); err != nil {
		return nil, err
	}
	p, err := params.Parse(ctx, r.Entity, values, opt)
	if err != nil {
		return nil, err
	}
	p.Query.Page.Total, p.Query.Page.Cursors, p.Query.Page.NoPeek = counted(values), false, true
	return p, nil
}

// counted reports whether the total is asked for: pages by number have one, and the
// first is where a list is followed.
func counted(values url.Values) bool { return values.Get("page") == "1" }

// feed is a live list as an event stream.
type feed struct {
	*Exchange
	entity   string
	counted  bool
	follower *live.Follower
}

// Close implements [Feed].
func (f *feed) Close() { f.follower.Close() }

// End implements [Feed]: the caller's credentials are no good any more.
func (f *feed) End(_ context.Context, err error) []byte {
	if err == nil {
		return nil
	}
	return []byte("event: end\ndata: {\"code\":" + strconv.Quote(problem.KindOf(err).Answer().REST) + "}\n\n")
}

// Next implements [Feed].
func (f *feed) Next(ctx context.Context) ([]byte, error) {
	u, err := f.follower.Next(ctx)
	if err != nil {
		return nil, err
	}
	return f.text(append(make([]byte, 0, 512), "id: "+u.Position+"\n"...), &u), nil
}

// text appends an update as an event.
func (f *feed) text(b []byte, u *live.Update) []byte {
	name, list := "steps", "steps"
	if u.Reset {
		name, list = "page", "rows"
	}
	b = append(b, "event: "+name+"\ndata: {"...)
	if f.counted {
		b = strconv.AppendInt(append(b, `"total":`...), u.Total.Rows, 10)
		if u.Total.AtLeast {
			b = append(b, `,"`+f.Version.Word("total_exact")+`":false`...)
		}
		b = append(b, ',')
	}
	b = append(b, `"`+list+`":[`...)
	for i := range u.Steps {
		if i > 0 {
			b = append(b, ',')
		}
		if u.Reset {
			b = append(b, u.Steps[i].Row.Views[0].JSON...)
		} else {
			b = f.step(b, &u.Steps[i])
		}
	}
	return append(b, "]}\n\n"...)
}

// step appends what becomes of a row.
func (f *feed) step(b []byte, s *live.Step) []byte {
	b = append(b, `{"kind":"`+string(s.Kind)+`","id":`...)
	b = appendID(b, f.Version.IDs.Show(f.entity, s.ID))
	b = strconv.AppendInt(append(b, `,"index":`...), int64(s.Index), 10)
	switch s.Kind {
	case live.Move:
		b = strconv.AppendInt(append(b, `,"from":`...), int64(s.From), 10)
	case live.Change:
		if s.Was != nil {
			if fields, ok := negotiate.Differing(nil, s.Was.Views[0].JSON, s.Row.Views[0].JSON); ok {
				return append(append(append(b, `,"fields":`...), fields...), '}')
			}
		}
		b = append(append(b, `,"row":`...), s.Row.Views[0].JSON...)
	case live.Enter:
		b = append(append(b, `,"row":`...), s.Row.Views[0].JSON...)
	case live.Leave:
	}
	return append(b, '}')
}

// appendID appends an id as JSON.
func appendID(b []byte, id any) []byte {
	if n, ok := id.(int64); ok {
		return strconv.AppendInt(b, n, 10)
	}
	text, _ := encoded(id)
	return append(b, bytes.TrimSpace(text)...)
}
