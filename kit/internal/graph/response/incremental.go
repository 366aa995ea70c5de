package response

import (
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/limits"
)

// incrementalName is the key of the parts in a later response.
const incrementalName = "incremental"

// Part is a part of a response that comes later.
type Part struct {
	Data   json.RawMessage `json:"data"`
	Errors gqlerror.List   `json:"errors,omitempty"`
	Path   ast.Path        `json:"path"`
	Label  string          `json:"label,omitempty"`
}

// Place is where a part comes later.
type Place struct {
	Path  ast.Path
	Label string
}

// placesName is the key of the places in a response.
const placesName = "places"

// SetPlaces notes in a response where parts are still to come.
func SetPlaces(r *graphql.Response, places []Place) {
	if len(places) > 0 {
		r.Extensions[placesName] = places
	}
}

// encodeLater writes a later response.
func encodeLater(ctx context.Context, parts []Part, r *graphql.Response) []byte {
	text, err := json.Marshal(parts)
	if err != nil {
		text = []byte("[]") // an extension that is no JSON
	}
	var body []byte
	if len(parts) > 0 {
		body = append(append([]byte(`{"incremental":`), text...), ',')
	} else {
		body = []byte{'{'}
	}
	if HasNext(r) {
		return append(body, `"hasNext":true}`...)
	}
	if spent, ok := r.Extensions[limits.CostName].(limits.Spent); ok {
		body = append(spent.Append(ctx, body), ',')
	}
	return append(body, `"hasNext":false}`...)
}

// Later returns a later response, of these parts.
func Later(parts []Part, spent limits.Spent, more bool) *graphql.Response {
	return &graphql.Response{HasNext: &more, Extensions: map[string]any{incrementalName: parts, limits.CostName: spent}}
}

// Parts are those of a later response.
func Parts(r *graphql.Response) []Part {
	parts, _ := r.Extensions[incrementalName].([]Part)
	return parts
}

// HasNext reports whether another response follows.
func HasNext(r *graphql.Response) bool { return r != nil && r.HasNext != nil && *r.HasNext }
