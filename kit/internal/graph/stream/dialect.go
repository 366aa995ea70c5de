package stream

import (
	"encoding/json"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// dialect is how one of the two WebSocket protocols says things.
type dialect struct {
	// types are the client's.
	types map[string]kind
	// next, complete and pong are the server's.
	next, complete string
	legacy         bool
}

// dialects by their names as sub-protocols.
var dialects = map[string]*dialect{
	"graphql-transport-ws": {
		types: map[string]kind{
			"connection_init": kindInit, "ping": kindPing, "pong": kindPong,
			"subscribe": kindSubscribe, "complete": kindComplete,
		},
		next: "next", complete: "complete",
	},
	"graphql-ws": { // of subscriptions-transport-ws
		types: map[string]kind{
			"connection_init": kindInit, "start": kindSubscribe, "stop": kindComplete,
			"connection_terminate": kindTerminate,
		},
		next: "data", complete: "complete", legacy: true,
	},
}

// subprotocols are those that are spoken, the preferred one first.
var subprotocols = []string{"graphql-transport-ws", "graphql-ws"}

const (
	ack       = `{"type":"connection_ack"}`
	keepAlive = `{"type":"ka"}`
)

// acknowledge says that the connection is open.
func (d *dialect) acknowledge() []string {
	if d.legacy {
		return []string{ack, keepAlive}
	}
	return []string{ack}
}

// result is a response of the operation.
func (d *dialect) result(id string, response []byte) []byte {
	return d.about(d.next, id, response)
}

// refusal are the messages about an operation that can't be run.
func (d *dialect) refusal(id string, errs gqlerror.List) [][]byte {
	text, err := json.Marshal(errs)
	if err != nil {
		text = []byte(`[{"message":"internal error"}]`) // an extension that is no JSON
	}
	if !d.legacy {
		return [][]byte{d.about("error", id, text)}
	}
	response := append(append([]byte(`{"errors":`), text...), '}')
	return [][]byte{d.result(id, response), d.completed(id)}
}

// completed says that an operation has no more responses.
func (d *dialect) completed(id string) []byte { return d.about(d.complete, id, nil) }

func (d *dialect) about(name, id string, payload []byte) []byte {
	text := make([]byte, 0, len(name)+len(id)+len(payload)+40)
	text = append(text, `{"id":`...)
	text = appendText(text, id)
	text = append(text, `,"type":`...)
	text = strconv.AppendQuote(text, name)
	if payload != nil {
		text = append(append(text, `,"payload":`...), payload...)
	}
	return append(text, '}')
}

// pong answers a ping, with what came with it.
func pong(payload json.RawMessage) []byte {
	if payload == nil {
		return []byte(`{"type":"pong"}`)
	}
	return append(append([]byte(`{"type":"pong","payload":`), payload...), '}')
}

func appendText(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		return append(dst, `""`...) // a string can always be written
	}
	return append(dst, quoted...)
}
