package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/persisted"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
)

// kind is the kind of a client's message, in both protocols.
type kind uint8

const (
	kindInit kind = iota + 1
	kindPing
	kindPong
	kindSubscribe
	kindComplete
	kindTerminate
)

// message is a client's message.
type message struct {
	kind    kind
	id      string          // of kindSubscribe and kindComplete
	payload json.RawMessage // a JSON object, or nil
	params  graphql.RawParams
	// wrong is the reason why package strictjson refuses the payload of kindSubscribe: of that
	// operation alone, since a client with others did not write the text that it sends.
	wrong error
}

// parse reads a message, as the names of the dialect's types have it. Its
// error says what is wrong with it, for its sender.
func parse(text []byte, types map[string]kind) (message, error) {
	var raw struct {
		Type    json.RawMessage `json:"type"`
		ID      json.RawMessage `json:"id"`
		Payload json.RawMessage `json:"payload"`
	}
	err := json.Unmarshal(text, &raw)
	wrong := strictjson.Check(text)
	if wrong != nil && (err != nil || strictjson.Check(bytes.Replace(text, raw.Payload, []byte("null"), 1)) != nil) {
		return message{}, wrong
	}
	if err != nil || !isObject(text) {
		return message{}, errors.New("it is no object")
	}
	name, ok := asText(raw.Type)
	if !ok {
		return message{}, errors.New("type is no string")
	}
	m := message{kind: types[name]}
	if m.kind == 0 {
		return message{}, fmt.Errorf("type %.30q is unknown", name)
	}
	if m.kind == kindSubscribe || m.kind == kindComplete {
		if m.id, ok = asText(raw.ID); !ok || m.id == "" {
			return message{}, errors.New("id is no string with something in it")
		}
	}
	switch {
	case m.kind == kindComplete || m.kind == kindTerminate:
		return m, nil
	case wrong != nil && m.kind != kindSubscribe:
		return message{}, wrong
	case wrong != nil:
		m.wrong = fmt.Errorf("payload: %w", strictjson.Check(raw.Payload))
		return m, nil //nolint:nilerr // the operation is refused, and no other
	}
	if len(raw.Payload) > 0 && string(raw.Payload) != "null" {
		if !isObject(raw.Payload) {
			return message{}, errors.New("payload is no object")
		}
		m.payload = raw.Payload
	}
	if m.kind == kindSubscribe {
		return m, m.request()
	}
	return m, nil
}

// request reads the payload as an operation.
func (m *message) request() error {
	if m.payload == nil {
		return errors.New("payload is missing")
	}
	var raw struct {
		Query         json.RawMessage `json:"query"`
		OperationName json.RawMessage `json:"operationName"`
		Variables     json.RawMessage `json:"variables"`
		Extensions    json.RawMessage `json:"extensions"`
		// One of these may stand for the query, as over HTTP.
		DocumentID json.RawMessage `json:"documentId"`
		DocID      json.RawMessage `json:"doc_id"`
		ID         json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(m.payload, &raw); err != nil {
		return errors.New("payload is no object")
	}
	var ids []string
	for _, id := range []json.RawMessage{raw.DocumentID, raw.DocID, raw.ID} {
		if text, ok := asText(id); ok {
			ids = append(ids, text)
		}
	}
	var ok bool
	if m.params.Query, ok = asText(raw.Query); !ok && absent(raw.Extensions) && len(ids) == 0 {
		return errors.New("payload.query is no string")
	}
	if m.params.OperationName, ok = asText(raw.OperationName); !ok && !absent(raw.OperationName) {
		return errors.New("payload.operationName is no string")
	}
	var err error
	if m.params.Variables, err = given(raw.Variables); err != nil {
		return errors.New("payload.variables is no object")
	}
	if !absent(raw.Extensions) && json.Unmarshal(raw.Extensions, &m.params.Extensions) != nil {
		return errors.New("payload.extensions is no object")
	}
	persisted.Name(&m.params, ids...)
	return nil
}

// given are the variables, of which there may be none.
func given(text json.RawMessage) (map[string]any, error) {
	if absent(text) {
		return nil, nil
	}
	return variables.Checked(text)
}

func absent(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

func isObject(text []byte) bool {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{'
}

// asText returns a JSON string's text, false for anything else.
func asText(text json.RawMessage) (string, bool) {
	if len(text) == 0 || text[0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(text, &s) == nil
}
