package rest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/search"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// everything is the type of a search in all that the caller can read.
const everything = "all"

// searchLimit is the size of a page that asks for none.
const searchLimit = 20

// searchItem is search.Hit on the wire.
type searchItem struct {
	Type    string  `json:"type"`
	ID      any     `json:"id"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
	Score   float64 `json:"score"`
	URL     string  `json:"url"`
}

// Search answers with what has the words: GET /search. It is by hand, because
// what it answers with are hits of every entity, which are rows of none.
func (o *operations) Search(ctx context.Context, params server.SearchParams, w http.ResponseWriter) error {
	if err := door.From(ctx).OnlyQuery("q", "type", "page", "limit"); err != nil {
		return err
	}
	r := search.Request{Limit: min(params.Limit.Or(searchLimit), reading.MaxLimit)}
	page := params.Page.Or(1)
	var bad []problem.Detail
	var err error
	if r.Query, err = search.Parse(params.Q); err != nil {
		bad = append(bad, problem.Invalidf("q", params.Q, "%v", err))
	}
	kind := string(params.Type.Or(everything))
	if r.Entities, err = o.searched(kind); err != nil {
		bad = append(bad, problem.Invalidf("type", kind, "%v", err))
	}
	if page < 1 || page-1 > reading.MaxOffset/r.Limit {
		bad = append(bad, problem.Invalidf("page", page, "reaches beyond item %d", reading.MaxOffset))
	}
	if err := problem.Inputs(bad...); err != nil {
		return err
	}
	if err := door.Charge(ctx, reading.TextCost+reading.TotalCost); err != nil {
		return err
	}
	r.Offset = (page - 1) * r.Limit
	result, err := o.finder.Search(ctx, r)
	if err != nil {
		return err
	}
	x := door.From(ctx)
	items := make([]searchItem, len(result.Hits))
	for i, h := range result.Hits {
		items[i] = searchItem{h.Entity.Path, x.Version.IDs.Show(h.Entity.Name, h.ID), h.Title, h.Snippet, h.Score, x.Base + "/" + h.Entity.Path + "/" + x.Version.IDs.Segment(h.Entity.Name, h.ID)}
	}
	counts := map[string]int{}
	for _, c := range result.Counts {
		counts[c.Entity.Path] = c.Count
	}
	return x.AnswerPage(w, door.Page{
		Items: items, Noun: "hits", Count: len(items), Number: page, Size: r.Limit, Total: int64(result.Total),
		Columns: []string{"type", "id", "title", "snippet", "score", "url"},
		Members: []door.Member{{Name: "counts", Value: counts}, {Name: "total_is_lower_bound", Value: result.LowerBound}},
	})
}

// searched are the entities of a type, none for all.
func (o *operations) searched(kind string) ([]*reading.Entity, error) {
	if kind == everything {
		return nil, nil
	}
	names := []string{everything}
	for _, e := range o.finder.Entities {
		names = append(names, e.Path)
	}
	i := slices.Index(names, kind)
	if i < 0 {
		return nil, fmt.Errorf("must be one of %s", strings.Join(names, ", "))
	}
	return o.finder.Entities[i-1 : i], nil
}
