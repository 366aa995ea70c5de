package rest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/go-faster/jx"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// setAside takes the items out of a body of many users that no user can be
// read from, so that each has a status of its own like one that breaks a rule
// (doc/api/bulk.md). The handler gets an empty item in the place of
// each, and finds what is wrong with it in the exchange. A body that is no
// list of users is left as it is, and refused as a whole.
func (s *schemas) setAside(r *http.Request, x *door.Exchange) error {
	var members map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(x.Body, &members) != nil || len(members) != 1 || json.Unmarshal(members["users"], &items) != nil || len(items) > mostItems {
		return nil
	}
	for i, item := range items {
		if new(server.UserCreate).Decode(jx.DecodeBytes(item)) == nil {
			continue
		}
		err := s.item("/components/schemas/UserCreate", item)
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
	body, err := json.Marshal(map[string]any{"users": items})
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// item says what is wrong with one item of a body, all at once.
func (s *schemas) item(pointer string, text []byte) error {
	s.load()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	details, err := s.check(pointer, instance, nil)
	if err != nil {
		return err
	}
	if len(details) == 0 {
		return problem.New(problem.Invalid, "the item is not what is expected here")
	}
	return problem.Inputs(append(details, weakPassword("createUser", instance)...)...)
}
