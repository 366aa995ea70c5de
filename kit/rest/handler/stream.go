package handler

import (
	"context"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/web"
)

// stream answers with all rows of a list, limit=all: batch by batch, each a statement
// of its own that ends before it is written, so that a client that reads slowly holds
// neither a transaction nor a connection of the database. It may take longer than a
// request: it ends with the rows, or when the client takes nothing for too long (see
// web.Stall). Each batch is charged by its rows; one that the caller's rate has no
// room for waits until there is some. Before each the caller's rights are looked at
// again: the list ends when they end.
func (d *Door) stream(ctx context.Context, w http.ResponseWriter, r *Resource, p *params.Params) error {
	x := From(ctx)
	reserved, err := reserve(ctx, p.Query.Page.Limit)
	if err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	body, info, err := d.batch(ctx, b.bytes[:0], r, p)
	if err != nil {
		return err // nothing is written yet
	}
	reserved.SettleCost(ctx, info.Count)
	web.CompressParts(w)
	h := w.Header()
	h.Set("Content-Type", negotiate.ContentType(x.Media))
	h["Cache-Control"] = private
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(x.Path()) + negotiate.Extension(x.Media)}))
	w.WriteHeader(http.StatusOK)
	if x.Request.Method == http.MethodHead {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // which has the time of a request
	columns, media := p.Selection.Columns(), x.Media
	var text []byte
	for {
		text = negotiate.Append(text[:0], media, body, columns)
		if _, err := w.Write(text); err != nil {
			panic(http.ErrAbortHandler) // the client is gone
		}
		_ = http.NewResponseController(w).Flush() // what a compressor has kept
		if !info.HasNext {
			return nil
		}
		if media == negotiate.CSV {
			media = negotiate.BareCSV // the header row is written
		}
		p.Query.Page.After = info.End
		if reserved, err = wait(ctx, p.Query.Page.Limit); err == nil {
			err = d.still(ctx)
		}
		if err == nil {
			body, info, err = d.batch(ctx, body[:0], r, p)
		}
		if err == nil {
			reserved.SettleCost(ctx, info.Count)
		}
		if err != nil { // an answer that ends early must not look like a whole one
			slog.ErrorContext(ctx, "list cut off", "operation", x.Operation, "err", err)
			panic(http.ErrAbortHandler)
		}
	}
}

// batch appends the list that is next, in its envelope.
func (d *Door) batch(ctx context.Context, dst []byte, r *Resource, p *params.Params) ([]byte, read.Info, error) {
	dst, list := From(ctx).Version.BeginList(dst, r.Entity)
	dst, info, err := d.Reader.Page(ctx, dst, p.Selection, p.Query)
	if err != nil {
		return dst, info, err
	}
	return append(list.End(dst, info.Count), '}'), info, nil
}

// wait charges for more rows, once the caller's rate has room for them.
func wait(ctx context.Context, rows int) (ratelimit.Reserved, error) {
	for {
		reserved, err := ratelimit.Charge(ctx, rows/ratelimit.Cost)
		p := problem.As(err)
		if p == nil || p.Kind != problem.RateLimited {
			return reserved, err
		}
		t := time.NewTimer(max(p.RetryAfter, time.Second))
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return reserved, ctx.Err()
		}
	}
}
