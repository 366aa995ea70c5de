package crud

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/write"
)

// Bulk is an operation on many rows.
type Bulk struct {
	// Each gives every item its own outcome: 207. Else it is all or nothing.
	Each bool
	// Maximum is how many items a request has at most, and Member what their list
	// is called in the body.
	Maximum int
	Member  string
}

// result is the outcome of one item of many, in the form that is shown.
type result struct {
	Status int             `json:"status"`
	Data   json.RawMessage `json:"data,omitempty"`
	Error  any             `json:"error,omitempty"`
	// id is that of a row that was made, and failure what went wrong.
	id      gid.ID
	failure *problem.Error
}

// kept is a result in the form that is kept for an Idempotency-Key: the row is read again.
type kept struct {
	Status int        `json:"status"`
	ID     gid.ID     `json:"id,omitzero"`
	Error  *keptError `json:"error,omitempty"`
}

// keptError is a problem in the form that is kept.
type keptError struct {
	Kind    string           `json:"kind"` // its name: see [problem.Kind.Answer]
	Message string           `json:"message"`
	Subject string           `json:"subject,omitempty"`
	Details []problem.Detail `json:"details,omitempty"`
}

func (e *keptError) problem() *problem.Error {
	p := &problem.Error{Message: e.Message, Subject: e.Subject, Details: e.Details}
	for _, kind := range problem.Kinds() {
		if kind.Answer().Name == e.Kind {
			p.Kind = kind
		}
	}
	return p
}

// unconditional refuses conditions on the version of one row (RFC 9110 section 13.1),
// which would have to hold before anything is done.
func unconditional(x *handler.Exchange) error {
	for _, name := range []string{"If-Match", "If-Unmodified-Since"} {
		if x.Request.Header.Get(name) != "" {
			return problem.New(problem.Invalid, "%s is about one row, and this request about many: no such header is allowed", name)
		}
	}
	return nil
}

// shapeOfMany is how the rows are shown that the request writes. It refuses conditions
// on the version of one row, and parameters other than fields and, of an action, the ids.
func shapeOfMany(ctx context.Context, o *Operation) (*read.Selection, error) {
	x := handler.From(ctx)
	if err := unconditional(x); err != nil {
		return nil, err
	}
	opt := params.Options{Written: true, Base: x.Base, Names: x.Version.Names}
	if o.Op == ActMany {
		opt.Elsewhere = []string{o.Bulk.Member}
	}
	p, err := params.Parse(ctx, o.Resource.Entity, x.Request.URL.Query(), opt)
	if err != nil {
		return nil, err
	}
	return p.Selection, nil
}

// createMany makes many rows.
func (a *API) createMany(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		shape, err := shapeOfMany(ctx, o)
		if err != nil {
			return err
		}
		list, err := o.Bulk.list(x.Body)
		if err != nil {
			return err
		}
		items, bad := a.items(x, o, list)
		call := write.Call{Entity: e, Input: write.Input{API: handler.From(ctx).Version.Inputs}}
		if o.Bulk.Each {
			return a.createEach(ctx, w, shape, call, items, bad)
		}
		if len(bad) > 0 {
			return together(bad)
		}
		var body []byte
		call.ReadAll = func(ctx context.Context, outcomes []write.Outcome) error {
			ids := make([]gid.ID, len(outcomes))
			for i, one := range outcomes {
				ids[i] = one.Row.ID
			}
			if x.Outcome.Body, err = json.Marshal(ids); err != nil {
				return err
			}
			body, err = a.counted(ctx, shape, ids)
			return err
		}
		if _, err = a.Engine.CreateMany(ctx, call, items, false); err != nil {
			return err
		}
		return x.Answer(w, handler.Answer{Status: http.StatusCreated, Body: body})
	}
}

// counted is the answer with rows that were made: null for those that are there
// no more.
func (a *API) counted(ctx context.Context, shape *read.Selection, ids []gid.ID) ([]byte, error) {
	body, list := handler.From(ctx).Version.BeginMade(nil, shape.Entity)
	body, _, err := a.Door.Reader.Nodes(ctx, body, shape, ids)
	return append(list.End(body, len(ids)), '}'), err
}

// createEach makes each row for itself.
func (a *API) createEach(ctx context.Context, w http.ResponseWriter, shape *read.Selection, call write.Call, items []write.Input, bad map[int]error) error {
	return a.each(ctx, w, shape, http.StatusCreated, len(items), bad, func(readAll func(context.Context, []write.Outcome) error) error {
		call.ReadAll = readAll
		_, err := a.Engine.CreateMany(ctx, call, items, true)
		return err
	})
}

// each answers with what became of each item: of the bad ones, which are refused alone, and of the
// n others, whose outcomes do passes on before its transaction ends.
func (a *API) each(ctx context.Context, w http.ResponseWriter, shape *read.Selection, done, n int, bad map[int]error, do func(readAll func(context.Context, []write.Outcome) error) error) error {
	x := handler.From(ctx)
	results := make([]result, n+len(bad))
	var good []int // where the items stand in the request
	for i := range results {
		if bad[i] == nil {
			good = append(good, i)
		} else {
			results[i] = a.result(ctx, 0, gid.ID{}, bad[i])
		}
	}
	err := do(func(ctx context.Context, outcomes []write.Outcome) error {
		for i, one := range outcomes {
			results[good[i]] = a.result(ctx, done, one.Row.ID, one.Err)
		}
		all := make([]kept, len(results))
		for i, r := range results {
			all[i] = kept{Status: r.Status, ID: r.id}
			if p := r.failure; p != nil {
				all[i].Error = &keptError{p.Kind.Answer().Name, p.Message, p.Subject, p.Details}
			}
		}
		var err error
		if x.Outcome.Body, err = json.Marshal(all); err != nil {
			return err
		}
		return a.show(ctx, shape, results)
	})
	return answerResults(ctx, w, results, err)
}

// list is the list in the body, which has no other member.
func (b *Bulk) list(body []byte) ([]any, error) {
	object := map[string]any{}
	if len(body) > 0 {
		var err error
		if object, err = members(body); err != nil {
			return nil, err
		}
	}
	var details []problem.Detail
	for name := range object {
		if name != b.Member {
			details = append(details, problem.Invalidf(name, nil, "is unknown; allowed: %s", b.Member))
		}
	}
	slices.SortFunc(details, func(a, b problem.Detail) int { return strings.Compare(a.Field, b.Field) })
	value, named := object[b.Member]
	list, isList := value.([]any)
	switch {
	case !named:
		details = append(details, problem.Invalidf(b.Member, nil, "is required"))
	case value == nil:
		details = append(details, problem.Invalidf(b.Member, nil, "must not be null"))
	case !isList:
		details = append(details, problem.Detail{Field: b.Member, Message: "must be an array, not " + kindOf(value)})
	default:
		if bad := write.Most(b.Member, len(list), b.Maximum); bad != nil {
			details = append(details, *bad)
		}
	}
	return list, problem.Inputs(details...)
}

// items are those of a list, and what is wrong with those that are no objects,
// by their place.
func (a *API) items(x *handler.Exchange, o *Operation, list []any) (items []write.Input, bad map[int]error) {
	bad = map[int]error{}
	for i, one := range list {
		in := write.Input{API: x.Version.Inputs}
		place := "body"
		if !o.Bulk.Each {
			in.At = fmt.Sprintf("%s[%d].", o.Bulk.Member, i)
			place = strings.TrimSuffix(in.At, ".")
		}
		var isObject bool
		if in.Members, isObject = one.(map[string]any); !isObject {
			bad[i] = problem.Inputs(problem.Detail{Field: place, Message: "must be an object, not " + kindOf(one)})
			continue
		}
		items = append(items, in)
	}
	return items, bad
}

// together is all that is wrong, by the place in the list.
func together(bad map[int]error) error {
	var details []problem.Detail
	for i := range bad {
		details = append(details, problem.As(bad[i]).Details...)
	}
	slices.SortFunc(details, func(a, b problem.Detail) int { return strings.Compare(a.Field, b.Field) })
	return problem.Inputs(details...)
}

// updateMany changes many rows, each for itself: an item is the row's id, and what changes of it.
func (a *API) updateMany(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		shape, err := shapeOfMany(ctx, o)
		if err != nil {
			return err
		}
		list, err := o.Bulk.list(x.Body)
		if err != nil {
			return err
		}
		inputs, bad := a.items(x, o, list)
		items := make([]write.Item, len(inputs))
		for i, in := range inputs {
			items[i] = write.Item{ID: in.Members["id"], At: "id", Input: in, Expect: expected(e, in.Members)}
			delete(in.Members, "id")
		}
		call := write.Call{Entity: e}
		return a.each(ctx, w, shape, http.StatusOK, len(items), bad, func(readAll func(context.Context, []write.Outcome) error) error {
			call.ReadAll = readAll
			_, err := a.Engine.UpdateMany(ctx, call, items)
			return err
		})
	}
}

// expected takes the version out of the members, at which the row is expected to be.
func expected(e *write.Entity, members map[string]any) (x write.Expect) {
	if n, is := members["version"].(json.Number); is && e.Versioned {
		if version, err := n.Float64(); err == nil && version == math.Trunc(version) && math.Abs(version) <= 1<<53 { // 1.0 is whole, as in ids
			x.Versions = []int64{int64(version)}
			delete(members, "version")
		}
	}
	return x
}

// actMany carries out an action for many rows, each for itself.
func (a *API) actMany(o *Operation) handler.Handler {
	e := a.written(o)
	action := o.action(e)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		shape, err := shapeOfMany(ctx, o)
		if err != nil {
			return err
		}
		items, err := a.named(x, o, e)
		if err != nil {
			return err
		}
		call := write.Call{Entity: e}
		return a.each(ctx, w, shape, http.StatusOK, len(items), nil, func(readAll func(context.Context, []write.Outcome) error) error {
			call.ReadAll = readAll
			_, err := a.Engine.ActMany(ctx, call, action, items)
			return err
		})
	}
}

// deleteMany deletes many rows, each for itself.
func (a *API) deleteMany(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		if err := unconditional(x); err != nil {
			return err
		}
		hard, err := hard(x, e.SoftDelete, o.Bulk.Member)
		if err != nil {
			return err
		}
		items, err := a.named(x, o, e)
		if err != nil {
			return err
		}
		outcomes, err := a.Engine.DeleteMany(ctx, write.Call{Entity: e}, items, hard)
		results := make([]result, len(outcomes))
		for i, one := range outcomes {
			results[i] = a.result(ctx, http.StatusNoContent, gid.ID{}, one.Err)
		}
		return answerResults(ctx, w, results, err)
	}
}

// named are the rows whose ids the request has.
func (a *API) named(x *handler.Exchange, o *Operation, e *write.Entity) ([]write.Item, error) {
	ids, err := a.ids(x, o, e)
	items := make([]write.Item, len(ids))
	for i, id := range ids {
		items[i] = write.Item{ID: id, At: fmt.Sprintf("%s[%d]", o.Bulk.Member, i), Input: write.Input{API: x.Version.Inputs}}
	}
	return items, err
}

// ids are those of the body, each of which has its own outcome, or of the
// parameter: a bad one is refused as a whole.
func (a *API) ids(x *handler.Exchange, o *Operation, e *write.Entity) ([]any, error) {
	member := o.Bulk.Member
	text := x.Request.URL.Query().Get(member)
	if (text == "") == (len(x.Body) == 0) {
		return nil, problem.Inputs(problem.Invalidf(member, nil, "are needed either in the body or in the parameter"))
	}
	if text == "" {
		return o.Bulk.list(x.Body)
	}
	var list []any
	var bad []problem.Detail
	in := write.Input{API: x.Version.Inputs}
	for one := range strings.SplitSeq(text, ",") {
		var value any = one
		if _, err := strconv.ParseInt(one, 10, 64); e.IDs().Form == gid.Numbers && (err == nil || errors.Is(err, strconv.ErrRange)) {
			value = json.Number(one)
		}
		if _, err := in.ID(e, fmt.Sprintf("%s[%d]", member, len(list)), value); err != nil {
			bad = append(bad, problem.As(err).Details...)
		}
		list = append(list, value)
	}
	if most := write.Most(member, len(list), o.Bulk.Maximum); most != nil {
		bad = []problem.Detail{*most}
	}
	for i := range bad {
		bad[i].Unprocessable = false // a bad parameter is always 400
	}
	return list, problem.Inputs(bad...)
}

// manyAgain answers a repetition with the rows as they are now.
func (a *API) manyAgain(o *Operation) Again {
	return func(ctx context.Context, w http.ResponseWriter, outcome idempotency.Outcome) error {
		shape, err := shapeOfMany(ctx, o)
		if err != nil {
			return err
		}
		if !o.Bulk.Each {
			var ids []gid.ID
			if err := json.Unmarshal(outcome.Body, &ids); err != nil {
				return idempotency.Forgotten()
			}
			body, err := a.counted(ctx, shape, ids)
			if err != nil {
				return err
			}
			return handler.From(ctx).Answer(w, handler.Answer{Status: outcome.Status, Body: body})
		}
		var all []kept
		d := json.NewDecoder(bytes.NewReader(outcome.Body))
		d.UseNumber() // a value is echoed as it was sent
		if err := d.Decode(&all); err != nil {
			return idempotency.Forgotten()
		}
		results := make([]result, len(all))
		for i, k := range all {
			results[i] = result{Status: k.Status, id: k.ID}
			if e := k.Error; e != nil {
				results[i] = failed(ctx, e.problem())
			}
		}
		return answerResults(ctx, w, results, a.show(ctx, shape, results))
	}
}

// show puts the rows that were made into their results.
func (a *API) show(ctx context.Context, shape *read.Selection, results []result) error {
	var made []gid.ID
	for _, r := range results {
		if !r.id.IsZero() {
			made = append(made, r.id)
		}
	}
	if len(made) == 0 {
		return nil
	}
	rows, _, err := a.Door.Reader.Nodes(ctx, nil, shape, made)
	if err != nil {
		return err
	}
	var shown []json.RawMessage
	if err := json.Unmarshal(rows, &shown); err != nil {
		return err
	}
	for i := range results {
		if !results[i].id.IsZero() {
			results[i].Data, shown = shown[0], shown[1:]
		}
	}
	return nil
}

// result is the result for an item. An error that a client may not read is logged.
func (a *API) result(ctx context.Context, done int, id gid.ID, err error) result {
	if err == nil {
		return result{Status: done, id: id}
	}
	p := problem.As(err)
	if p == nil || p.Kind == problem.Internal {
		a.Log.ErrorContext(ctx, "item failed", "operation", handler.From(ctx).Operation, "err", err)
		p = problem.New(problem.Internal, "an internal error occurred")
	}
	return failed(ctx, p)
}

// failed is the result of an item that failed, as the version has it.
func failed(ctx context.Context, p *problem.Error) result {
	return result{Status: apiversion.Answer(p).Status, Error: handler.From(ctx).Version.Errors.Member(p), failure: p}
}

func answerResults(ctx context.Context, w http.ResponseWriter, results []result, err error) error {
	if err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		Status  string   `json:"status"`
		Results []result `json:"results"`
	}{"success", results})
	if err != nil {
		return err
	}
	return handler.From(ctx).Answer(w, handler.Answer{Status: http.StatusMultiStatus, Body: body, ByHand: true})
}
