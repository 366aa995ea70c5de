package builtin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/search"
)

// everything is the type of a search in all that the caller can read.
const everything = "all"

// searchLimit is the size of a page that asks for none.
const searchLimit = 20

// item is search.Hit on the wire.
type item struct {
	Type    string  `json:"type"`
	ID      any     `json:"id"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
	Score   float64 `json:"score"`
	URL     string  `json:"url"`
}

// columns are those of an item as CSV.
var columns = []string{"type", "id", "title", "snippet", "score", "url"}

// search answers with what has the words, hits of every entity: GET /search.
func (a *API) search(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	request, page, err := a.asked(x.Request.URL.Query())
	if err != nil {
		return err
	}
	if err := handler.Charge(ctx, read.TextCost+read.TotalCost); err != nil {
		return err
	}
	result, err := a.Searcher.Search(ctx, request)
	if err != nil {
		return err
	}
	items := make([]item, len(result.Hits))
	for i, h := range result.Hits {
		path := x.Base + "/" + h.Entity.Path + "/" + x.Version.IDs.Segment(h.Entity.Name, h.ID)
		items[i] = item{h.Entity.Path, x.Version.IDs.Show(h.Entity.Name, h.ID), h.Title, h.Snippet, h.Score, path}
	}
	counts := map[string]int{}
	for _, c := range result.Counts {
		counts[c.Entity.Path] = c.Count
	}
	return x.AnswerPage(w, handler.Page{
		Items: items, Noun: "hits", Count: len(items), Number: page, Size: request.Limit, Total: int64(result.Total),
		Columns: columns,
		Members: []handler.Member{{Name: "counts", Value: counts}, {Name: read.TotalExact, Value: !result.LowerBound}},
	})
}

// asked returns the parsed parameters, and the number of the page.
func (a *API) asked(values url.Values) (r search.Request, page int, err error) {
	var bad []problem.Detail
	number := func(name string, otherwise int) int {
		if !values.Has(name) {
			return otherwise
		}
		n, err := strconv.Atoi(values.Get(name))
		if err != nil && !errors.Is(err, strconv.ErrRange) { // then n is the largest there is
			bad = append(bad, problem.Invalidf(name, values.Get(name), "must be an integer"))
			return otherwise
		}
		return n
	}
	r.Limit = min(number("limit", searchLimit), read.MaxLimit)
	page = number("page", 1)
	if r.Query, err = search.Parse(values.Get("q")); err != nil {
		bad = append(bad, problem.Invalidf("q", values.Get("q"), "%v", err))
	}
	if r.Entities, err = a.searched(values); err != nil {
		bad = append(bad, problem.Invalidf("type", values.Get("type"), "%v", err))
	}
	if page-1 > read.MaxOffset/r.Limit {
		bad = append(bad, problem.Invalidf("page", values.Get("page"), "reaches beyond item %d", read.MaxOffset))
	}
	r.Offset = (page - 1) * r.Limit
	return r, page, problem.Inputs(bad...)
}

// searched are the entities of the type that is asked for, none for all.
func (a *API) searched(values url.Values) ([]*entity.Entity, error) {
	kind := values.Get("type")
	if kind == everything || !values.Has("type") {
		return nil, nil
	}
	names := []string{everything}
	for _, e := range a.Searcher.Entities {
		names = append(names, e.Path)
	}
	i := slices.Index(names, kind)
	if i < 0 {
		return nil, fmt.Errorf("must be one of %s", strings.Join(names, ", "))
	}
	return a.Searcher.Entities[i-1 : i], nil
}
