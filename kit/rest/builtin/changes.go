package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/params"
)

// followed are the entities whose changes programs follow.
func followed(all []*entity.Entity) []*entity.Entity {
	return slices.DeleteFunc(slices.Clone(all), func(e *entity.Entity) bool { return !e.Changes })
}

// change is events.RowChange on the wire.
type change struct {
	Entity string          `json:"entity"`
	Type   events.Kind     `json:"type"`
	ID     any             `json:"id"`
	At     time.Time       `json:"at"`
	Row    json.RawMessage `json:"row"`
}

// changeColumns are those of a change as CSV.
var changeColumns = []string{"entity", "type", "id", "at", "row"}

// listChanges answers with what became of an entity's rows: GET /changes.
func (a *API) listChanges(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	q, err := a.feedOf(ctx, x.Request.URL.Query())
	if err != nil {
		return err
	}
	if err := handler.Charge(ctx, q.limit); err != nil {
		return err
	}
	rows := func(ctx context.Context, ids []gid.ID) ([]json.RawMessage, error) {
		text, _, err := a.Door.Reader.Nodes(ctx, nil, q.rows, ids)
		if err != nil {
			return nil, err
		}
		var all []json.RawMessage
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("read what was written of %s: %w", q.entity.Path, err)
		}
		for i, row := range all {
			if string(row) == "null" {
				all[i] = nil
			}
		}
		return all, nil
	}
	news, err := a.news(ctx, q, rows)
	if err != nil {
		return err
	}
	items := make([]change, len(news.Changes))
	for i, c := range news.Changes {
		items[i] = change{q.entity.Path, c.Kind, x.Version.IDs.Show(q.entity.Name, c.ID), c.At.UTC(), c.Row}
	}
	var next []string
	if news.Token != "" {
		next = []string{"since", news.Token}
	}
	return x.AnswerItems(w, handler.Items{
		Items: items, Noun: "changes", Count: len(items), Columns: changeColumns, Next: next,
		Members: []handler.Member{{Name: "token", Value: news.Token}, {Name: "has_more", Value: news.More}},
	})
}

// news are the changes since the token, or those of one row: not found where the caller
// could never read it.
func (a *API) news(ctx context.Context, q feedQuery, rows events.Rows) (events.News, error) {
	if q.id == (gid.ID{}) {
		return a.Feed.Since(ctx, q.entity, q.since, q.limit, rows)
	}
	there := false
	news, err := a.Feed.Of(ctx, q.entity, q.id, q.limit, func(ctx context.Context, ids []gid.ID) ([]json.RawMessage, error) {
		all, err := rows(ctx, ids)
		there = err == nil && all[0] != nil
		return all, err
	})
	if err == nil && !there && len(news.Changes) == 0 {
		err = read.NotFound(q.entity)
	}
	return news, err
}

// feedQuery has the parsed parameters of a feed.
type feedQuery struct {
	entity *entity.Entity
	id     gid.ID // of the only row, zero for all
	since  string
	limit  int
	rows   *read.Selection
}

func (a *API) feedOf(ctx context.Context, values url.Values) (q feedQuery, err error) {
	x := handler.From(ctx)
	q.since, q.limit = values.Get("since"), read.MaxLimit
	var bad []problem.Detail
	if values.Has("limit") {
		n, err := strconv.Atoi(values.Get("limit"))
		if err != nil && !errors.Is(err, strconv.ErrRange) || n < 1 {
			bad = append(bad, problem.Invalidf("limit", values.Get("limit"), "must be an integer of at least 1"))
		}
		q.limit = min(max(n, 1), read.MaxLimit)
	}
	names := make([]string, len(a.Followed))
	for i, e := range a.Followed {
		if names[i] = e.Path; e.Path == values.Get("entity") {
			q.entity = e
		}
	}
	if q.entity == nil {
		bad = append(bad, problem.Invalidf("entity", values.Get("entity"), "must be one of %s", strings.Join(names, ", ")))
		return q, problem.Inputs(bad...)
	}
	if values.Has("id") {
		if q.id, err = q.entity.IDs().Unmarshal(values.Get("id")); err != nil {
			bad = append(bad, problem.Invalidf("id", values.Get("id"), "%v", err))
		}
		if values.Has("since") {
			bad = append(bad, problem.Invalidf("since", q.since, "cannot be given with id, whose changes are listed from the newest"))
		}
	}
	shown := url.Values{}
	if values.Has("fields") {
		shown["fields"] = values["fields"]
	}
	p, err := params.Parse(ctx, q.entity, shown, params.Options{Plain: true, Base: x.Base, Names: x.Version.Names})
	if err != nil && len(bad) == 0 {
		return q, err
	}
	if err := problem.Inputs(bad...); err != nil {
		return q, err
	}
	q.rows = p.Selection
	return q, nil
}
