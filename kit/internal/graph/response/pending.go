package response

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
)

// Encoder encodes the responses of one operation, in their order.
type Encoder struct {
	Format deferral.Format

	// ids are those under which parts are announced that have not come yet, the
	// first announced first: parts with the same path and label differ in
	// nothing else.
	ids  map[string][]string
	next int
}

// announced is a part that is to come.
type announced struct {
	ID    string   `json:"id"`
	Path  ast.Path `json:"path"`
	Label string   `json:"label,omitempty"`
}

// arrived is a part that has come.
type arrived struct {
	Data   json.RawMessage `json:"data"`
	Errors gqlerror.List   `json:"errors,omitempty"`
	ID     string          `json:"id"`
}

// completed says that nothing more comes under an id. Errors are those that
// have left nothing of it.
type completed struct {
	ID     string        `json:"id"`
	Errors gqlerror.List `json:"errors,omitempty"`
}

// Encode returns a response as JSON.
func (e *Encoder) Encode(ctx context.Context, r *graphql.Response) []byte {
	if _, later := r.Extensions[incrementalName]; e.Format != deferral.Pending || !later && !HasNext(r) {
		return Encode(ctx, r)
	}
	var out struct {
		Data        json.RawMessage `json:"data,omitempty"`
		Errors      gqlerror.List   `json:"errors,omitempty"`
		Pending     []announced     `json:"pending,omitempty"`
		Incremental []arrived       `json:"incremental,omitempty"`
		Completed   []completed     `json:"completed,omitempty"`
		Extensions  json.RawMessage `json:"extensions,omitempty"`
		HasNext     bool            `json:"hasNext"`
	}
	out.Data, out.Errors, out.HasNext = r.Data, r.Errors, HasNext(r)
	for _, p := range Parts(r) {
		id := e.arrive(Place{p.Path, p.Label})
		if string(p.Data) == "null" {
			out.Completed = append(out.Completed, completed{id, p.Errors})
			continue
		}
		out.Incremental = append(out.Incremental, arrived{p.Data, p.Errors, id})
		out.Completed = append(out.Completed, completed{ID: id})
	}
	places, _ := r.Extensions[placesName].([]Place)
	out.Pending = e.announce(places)
	if spent, ok := r.Extensions[limits.CostName].(limits.Spent); ok && (r.Data != nil || !out.HasNext) {
		out.Extensions = spent.Object(ctx)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return []byte(`{"errors":[{"message":"internal error"}],"hasNext":false}`) // an extension that is no JSON
	}
	return text
}

// announce gives ids to the places that have none.
func (e *Encoder) announce(places []Place) (all []announced) {
	if e.ids == nil {
		e.ids = map[string][]string{}
	}
	seen := map[string]int{}
	for _, p := range places {
		key := p.key()
		if seen[key]++; seen[key] <= len(e.ids[key]) {
			continue
		}
		id := strconv.Itoa(e.next)
		e.next++
		e.ids[key] = append(e.ids[key], id)
		all = append(all, announced{id, p.Path, p.Label})
	}
	return all
}

// arrive takes the id of a part that has come.
func (e *Encoder) arrive(p Place) (id string) {
	key := p.key()
	if ids := e.ids[key]; len(ids) > 0 {
		id, e.ids[key] = ids[0], ids[1:]
	}
	return id
}

func (p Place) key() string { return p.Path.String() + "\n" + p.Label }
