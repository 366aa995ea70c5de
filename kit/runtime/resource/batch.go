package resource

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/schema"
)

// Batch is an operation that judges the items of its body one by one, so that
// each has a status of its own.
type Batch struct {
	// Member is the only member of the body, the list.
	Member string
	// Operation is the one that makes a single item: its rules are each item's.
	Operation string
	// Schema is the component of the document that describes an item.
	Schema string
	// Decode decodes an item as the generated server does.
	Decode func(*jx.Decoder) error
}

// setAside takes the items out of a body that cannot be decoded, so that each
// has a status of its own like one that breaks a rule (doc/api/bulk.md). The
// handler gets an empty item in the place of each, and finds what is wrong with
// it in the exchange. A body that is no list of items is left as it is, and
// refused as a whole.
func (b Batch) setAside(r *http.Request, x *door.Exchange, schemas *schema.Validator) error {
	var members map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(x.Body, &members) != nil || len(members) != 1 || json.Unmarshal(members[b.Member], &items) != nil || len(items) > schema.MaxItems {
		return nil //nolint:nilerr // the body is refused as a whole
	}
	for i, item := range items {
		if b.Decode(jx.DecodeBytes(item)) == nil {
			continue
		}
		err := schemas.Item(b.Operation, b.Schema, item)
		if problem.As(err) == nil {
			return err
		}
		if x.Malformed == nil {
			x.Malformed = map[int]error{}
		}
		x.Malformed[i], items[i] = err, json.RawMessage("{}")
	}
	if x.Malformed == nil {
		return nil
	}
	body, err := json.Marshal(map[string]any{b.Member: items})
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}
