package handler

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/compress"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// errChanged answers a write for a version that is no longer there.
var errChanged = problem.New(problem.PreconditionFailed, "the resource has changed since it was read")

// Expected is the state in which the request expects the row that the filter
// admits: If-Match, or If-Unmodified-Since where there is none, and
// If-None-Match: * for a row that does not exist yet (RFC 9110 section 13.1).
// Deleted rows are looked at where deleted is set.
func (d *Door) Expected(x *Exchange, e *write.Entity, where read.Filter, deleted bool) write.Expect {
	h := x.Request.Header
	expect := write.Expect{Absent: h.Get("If-None-Match") == "*"}
	tags := h["If-Match"]
	since, err := http.ParseTime(h.Get("If-Unmodified-Since"))
	switch {
	case len(tags) > 0 && e.Versioned && !anyTag(tags, func(one string) bool { return one == "*" }):
		expect.Versions = versions(tags)
	case len(tags) > 0 || err == nil:
		expect.Check = func(ctx context.Context) error { return d.unchanged(ctx, e.Entity, where, deleted, tags, since) }
	}
	return expect
}

// versions are those that the tags name. Tags that name none are of no row.
func versions(tags []string) []int64 {
	all := []int64{0} // which no row has
	anyTag(tags, func(one string) bool {
		opaque, strong := strings.CutPrefix(compress.Plain(one), `"`) // a weak tag matches nothing
		opaque, closed := strings.CutSuffix(opaque, `"`)
		number, _, _ := strings.Cut(opaque, ".")
		if version, err := strconv.ParseInt(number, 10, 64); err == nil && strong && closed && strconv.FormatInt(version, 10) == number {
			all = append(all, version)
		}
		return false
	})
	return all
}

// unchanged returns nil unless the row is in another state than one of the
// tags', or has changed since.
func (d *Door) unchanged(ctx context.Context, e *entity.Entity, where read.Filter, deleted bool, tags []string, since time.Time) error {
	b := newBuffer()
	defer b.release()
	s := read.Validators(e)
	if s == nil {
		s = read.WholeAs(e, viewer.From(ctx), From(ctx).Version.Names)
	}
	info, err := d.hidden().item(ctx, b, e, &params.Params{Selection: s, Query: read.Query{Deleted: deleted}}, where)
	switch {
	case problem.KindOf(err) == problem.NotFound:
		return errChanged
	case err != nil:
		return err
	case len(tags) == 0 && (info.Updated.IsZero() || !info.Updated.Truncate(time.Second).After(since)):
		return nil
	case len(tags) > 0 && current(tags, info.Version, b.bytes):
		return nil
	}
	return errChanged
}
