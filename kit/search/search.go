// Package search is full-text search over all entities: it reads a query as people
// type it, has the databases find the rows of every searchable entity, ranks them
// together, and marks the words in snippets.
//
// Package read writes the statements, with the viewer's policy: a hidden row or
// field is neither found, nor counted, nor shown in a snippet. The schema names
// the searchable fields (expose.Resource.Search), and the databases keep the
// indexes.
//
// Common words do not make a search long: of each kind the newest [Most] rows with
// the words are ranked, and the others not even read. Where there are no more,
// which is nearly always, counts are exact; where there are, they say so. The
// slowest queries have words that are each in very many rows and together in few:
// then the database has to compare.
//
// PostgreSQL (tsvector) and SQLite (FTS5) say which rows have the words. How
// good a hit is, is computed here and so is the same on both: see [Query].
package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Most is how many rows of one kind are ranked, and counted.
const Most = 500

// Searcher searches on behalf of the viewer of the context.
type Searcher struct {
	Reader *read.Reader
	// Entities are those that can be searched.
	Entities []*entity.Entity
}

// New returns a searcher of those entities that can be searched.
func New(r *read.Reader, entities []*entity.Entity) *Searcher {
	s := &Searcher{Reader: r}
	for _, e := range entities {
		if len(e.Search) > 0 {
			s.Entities = append(s.Entities, e)
		}
	}
	return s
}

// Request asks for a page of the results.
type Request struct {
	Query *Query
	// Entities are the entities to search. Empty: all of which the viewer can read any
	// row.
	Entities []*entity.Entity
	// The first Offset hits are left out, and at most Limit returned.
	Offset, Limit int
	// Plain leaves snippets and titles out.
	Plain bool
}

// Result has the hits and their counts.
type Result struct {
	// Hits are the best first. Among equals the newest are.
	Hits []Hit
	// Counts are in the order of the entities.
	Counts []Count
	// Total adds the counts up. There may be more where LowerBound is set.
	Total      int
	LowerBound bool
}

// Count is how many rows of an entity were found.
type Count struct {
	Entity *entity.Entity
	Count  int
	// LowerBound is set where there are more than [Most].
	LowerBound bool
}

// Hit is a row that was found.
type Hit struct {
	Entity *entity.Entity
	ID     gid.ID
	// Score is from 0 to 1.
	Score float64
	// Title is a plain text. Snippet is HTML: a part of a text with the words
	// in <mark>.
	Title, Snippet string
	query          *Query // what found it
}

// Search answers the request. A viewer who can read nothing of a requested
// entity is refused.
func (s *Searcher) Search(ctx context.Context, r Request) (*Result, error) {
	entities, err := s.readable(viewer.From(ctx), r.Entities)
	if err != nil {
		return nil, err
	}
	result := &Result{}
	for _, e := range entities {
		hits, more, err := s.find(ctx, e, r.Query)
		if err != nil {
			return nil, err
		}
		result.Hits = append(result.Hits, hits...)
		result.Counts = append(result.Counts, Count{e, len(hits), more})
		result.LowerBound = result.LowerBound || more
	}
	result.Total = len(result.Hits)
	// Rows of an entity are there newest first, and stay so among equals.
	slices.SortStableFunc(result.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	from := min(r.Offset, result.Total)
	result.Hits = result.Hits[from:min(from+r.Limit, result.Total)]
	if r.Plain {
		return result, nil
	}
	return result, s.show(ctx, result)
}

// readable returns the entities that are searched.
func (s *Searcher) readable(v *viewer.Viewer, asked []*entity.Entity) ([]*entity.Entity, error) {
	var entities []*entity.Entity
	var lacking error
	all := asked
	if len(asked) == 0 {
		all = s.Entities
	}
	for _, e := range all {
		rule := e.Rules.Readable(v, false)
		hidden := rule.Never() || !e.Search[0].Visible(v)
		if err := rule.Refusal(v); err != nil {
			lacking = err
		}
		switch {
		case !hidden && !slices.Contains(entities, e):
			entities = append(entities, e)
		case hidden && len(asked) > 0:
			return nil, rule.Denied(v)
		}
	}
	if len(entities) == 0 {
		return nil, lacking
	}
	return entities, nil
}

// find returns the hits in an entity, the newest first, and whether there are
// more. Where nothing is found, words may be misspelt: then similar ones are looked
// for among what the viewer reads.
func (s *Searcher) find(ctx context.Context, e *entity.Entity, q *Query) ([]Hit, bool, error) {
	if q.empty() {
		return nil, false, nil
	}
	rows, err := s.Reader.Matching(ctx, e, q, Most+1)
	if err != nil {
		return nil, false, err
	}
	if len(rows) == 0 {
		also, err := s.respell(ctx, e, q)
		if err != nil {
			return nil, false, err
		}
		if also != nil {
			if rows, err = s.Reader.Matching(ctx, e, also, Most+1); err != nil {
				return nil, false, err
			}
			q = also
		}
	}
	more := len(rows) > Most
	rows = rows[:min(len(rows), Most)]
	hits := make([]Hit, len(rows))
	for i, row := range rows {
		hits[i] = Hit{Entity: e, ID: row.ID, Score: q.score(row), query: q}
	}
	return hits, more, nil
}

// show reads the titles and snippets of the result's hits. One that was
// removed meanwhile is left out.
func (s *Searcher) show(ctx context.Context, result *Result) error {
	ids := map[*entity.Entity][]gid.ID{}
	for _, hit := range result.Hits {
		ids[hit.Entity] = append(ids[hit.Entity], hit.ID)
	}
	texts := map[*entity.Entity]map[gid.ID][]string{}
	for e, some := range ids {
		var err error
		if texts[e], err = s.Reader.Texts(ctx, e, some); err != nil {
			return err
		}
	}
	result.Hits = slices.DeleteFunc(result.Hits, func(h Hit) bool { return texts[h.Entity][h.ID] == nil })
	for i := range result.Hits {
		hit := &result.Hits[i]
		found := texts[hit.Entity][hit.ID]
		hit.Title, hit.Snippet = found[0], hit.query.snippet(found)
	}
	return nil
}
