// Package response encodes responses: whole ones, and those that come in parts
// where something is deferred, in the format that the client asks for. Of
// deferSpec=20220824 and of incrementalSpec=v0.2 they are:
//
//	{"data":{…},"hasNext":true}
//	{"incremental":[{"data":{…},"path":["notes",0,"author"],"label":"later"}],"hasNext":false}
//
//	{"data":{…},"pending":[{"id":"0","path":["notes",0,"author"],"label":"later"}],"hasNext":true}
//	{"incremental":[{"data":{…},"id":"0"}],"completed":[{"id":"0"}],"hasNext":false}
package response

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/limits"
)

// around is about how long what stands around the data is: its name, and the costs.
const around = 192

// Encode returns a response as JSON. Its data is JSON already, and null where
// there is none.
func Encode(ctx context.Context, r *graphql.Response) []byte { return Append(ctx, nil, r) }

// Append is [Encode] at the end of what there is.
func Append(ctx context.Context, body []byte, r *graphql.Response) []byte {
	if _, later := r.Extensions[incrementalName]; later {
		return append(body, encodeLater(ctx, Parts(r), r)...)
	}
	body = slices.Grow(body, len(r.Data)+around)
	body = append(body, `{"data":`...)
	if r.Data == nil {
		body = append(body, "null"...)
	}
	body = append(body, r.Data...)
	if len(r.Errors) > 0 {
		body = appendErrors(append(body, ','), r.Errors)
	}
	if spent, ok := r.Extensions[limits.CostName].(limits.Spent); ok {
		body = spent.Append(ctx, append(body, ','))
	}
	if HasNext(r) {
		body = append(body, `,"hasNext":true`...)
	}
	return append(body, '}')
}

// AppendErrors appends a response that has errors alone.
func AppendErrors(body []byte, errors gqlerror.List) []byte {
	return append(appendErrors(append(body, '{'), errors), '}')
}

func appendErrors(body []byte, errors gqlerror.List) []byte {
	text, err := json.Marshal(errors)
	if err != nil {
		text = []byte(`[{"message":"internal error"}]`) // an extension that is no JSON
	}
	return append(append(body, `"errors":`...), text...)
}
