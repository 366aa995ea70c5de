package find

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/search"
)

// writer writes what a search has found. The rows are read where they
// are shown: one statement for each entity, and those of its relations.
type writer struct {
	*searching
	ctx    context.Context
	reader *read.Reader
	found  *search.Result
	info   read.Info
}

func (w *writer) write(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	for i := range w.parts {
		part := &w.parts[i]
		dst = w.key(dst, i, part.Alias)
		var err error
		switch part.Name {
		case "__typename":
			dst = strconv.AppendQuote(dst, result+"Connection")
		case "totalCount":
			dst = strconv.AppendInt(dst, int64(w.found.Total), 10)
		case "totalCountExact":
			dst = strconv.AppendBool(dst, !w.found.LowerBound)
		case "counts":
			dst = w.counts(dst, part)
		case "pageInfo":
			dst = w.pageInfo(dst, part)
		case "nodes":
			var rows []json.RawMessage
			if rows, err = w.read(part, part.Alias); err == nil {
				dst = append(dst, '[')
				for j, row := range rows {
					if j > 0 {
						dst = append(dst, ',')
					}
					dst = append(dst, row...)
				}
				dst = append(dst, ']')
			}
		case "edges":
			dst, err = w.edges(dst, part)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// key begins the member, and counts it.
func (w *writer) key(dst []byte, i int, alias string) []byte {
	w.info.Members++
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(strconv.AppendQuote(dst, alias), ':')
}

// read reads the rows of the hits, in their order: null for one that is gone.
// Errors are at the hit's place in the list, and below it at the names.
func (w *writer) read(of *part, list string, names ...any) ([]json.RawMessage, error) {
	places := map[*entity.Entity][]int{}
	ids := map[*entity.Entity][]gid.ID{}
	for i, hit := range w.found.Hits {
		places[hit.Entity] = append(places[hit.Entity], i)
		ids[hit.Entity] = append(ids[hit.Entity], hit.ID)
	}
	all := make([]json.RawMessage, len(w.found.Hits))
	for e, some := range ids {
		text, info, err := w.reader.Nodes(w.ctx, nil, of.rows[e], some)
		if err != nil {
			return nil, err
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(text, &rows); err != nil {
			return nil, fmt.Errorf("read %s that were found: %w", e.Path, err)
		}
		for i, row := range rows {
			all[places[e][i]] = row
		}
		w.info.Members += info.Members
		for _, failed := range info.Errors {
			path := append([]any{list, places[e][failed.Path[0].(int)]}, names...)
			w.info.Errors = append(w.info.Errors, read.PathError{Path: append(path, failed.Path[1:]...), Err: failed.Err})
		}
	}
	return all, nil
}

func (w *writer) edges(dst []byte, edges *part) ([]byte, error) {
	rows := make([][]json.RawMessage, len(edges.parts))
	for i := range edges.parts {
		if part := &edges.parts[i]; part.rows != nil {
			var err error
			if rows[i], err = w.read(part, edges.Alias, part.Alias); err != nil {
				return nil, err
			}
		}
	}
	dst = append(dst, '[')
	for place, hit := range w.found.Hits {
		if place > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for i, part := range edges.parts {
			dst = w.key(dst, i, part.Alias)
			switch part.Name {
			case "__typename":
				dst = strconv.AppendQuote(dst, result+"Edge")
			case "cursor":
				dst = w.cursor(dst, place)
			case "node":
				dst = append(dst, rows[i][place]...)
			case "score":
				dst = strconv.AppendFloat(dst, hit.Score, 'f', -1, 64)
			case "title":
				dst = appendJSON(dst, hit.Title)
			case "snippet":
				dst = appendJSON(dst, hit.Snippet)
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']'), nil
}

func (w *writer) counts(dst []byte, of *part) []byte {
	dst = append(dst, '[')
	for i, count := range w.found.Counts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for j, f := range w.Collect(of.Selections, []string{"SearchCount"}) {
			dst = w.key(dst, j, f.Alias)
			switch f.Name {
			case "__typename":
				dst = append(dst, `"SearchCount"`...)
			case "type":
				dst = strconv.AppendQuote(dst, typeOf(count.Entity))
			case "count":
				dst = strconv.AppendInt(dst, int64(count.Count), 10)
			case "exact":
				dst = strconv.AppendBool(dst, !count.LowerBound)
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func (w *writer) pageInfo(dst []byte, of *part) []byte {
	n := len(w.found.Hits)
	dst = append(dst, '{')
	for i, f := range w.Collect(of.Selections, []string{"PageInfo"}) {
		dst = w.key(dst, i, f.Alias)
		switch {
		case f.Name == "__typename":
			dst = append(dst, `"PageInfo"`...)
		case f.Name == "hasNextPage":
			dst = strconv.AppendBool(dst, w.request.Offset+w.request.Limit < w.found.Total)
		case f.Name == "hasPreviousPage":
			dst = strconv.AppendBool(dst, w.request.Offset > 0)
		case n == 0:
			dst = append(dst, "null"...)
		case f.Name == "startCursor":
			dst = w.cursor(dst, 0)
		case f.Name == "endCursor":
			dst = w.cursor(dst, n-1)
		}
	}
	return append(dst, '}')
}

func (w *writer) cursor(dst []byte, place int) []byte {
	return strconv.AppendQuote(dst, search.Cursor(w.request.Offset+place+1, w.digest))
}

// appendJSON appends a text as JSON.
func appendJSON(dst []byte, text string) []byte {
	encoded, _ := json.Marshal(text) // a text can be encoded
	return append(dst, encoded...)
}
