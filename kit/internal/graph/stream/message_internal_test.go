package stream

import (
	"encoding/json"
	"testing"
)

// Every message of a client is parsed or refused, with the same result each time.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"type":"connection_init","payload":{"token":"x"}}`, `{"type":"ping"}`, `{"type":"pong","payload":null}`,
		`{"id":"1","type":"subscribe","payload":{"query":"{a}","operationName":"b","variables":{"c":[1,{"d":null}]},"extensions":{}}}`,
		`{"id":"1","type":"subscribe","payload":{"documentId":"sha256:a"}}`, `{"id":"1","type":"start","payload":{"doc_id":7}}`,
		`{"id":"1","type":"complete"}`, `{"id":1,"type":"start"}`, ` [] `, `"x"`, "{\"type\":\"\x00\"}", `{"type":"ping","payload":[]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, d := range dialects {
			m, err := parse(text, d.types)
			if err != nil {
				if e := invalid(err); len(e.reason) > maxReason {
					t.Errorf("the reason is too long for a frame: %q", e.reason)
				}
				continue
			}
			if !json.Valid(text) || m.kind == 0 {
				t.Errorf("%s understood %q", name, text)
			}
			if needed := m.kind == kindSubscribe || m.kind == kindComplete; needed && m.id == "" {
				t.Errorf("%s understood %q without an id", name, text)
			}
			for _, said := range [][]byte{d.result(m.id, []byte("{}")), d.completed(m.id), pong(m.payload)} {
				if !json.Valid(said) {
					t.Errorf("%s answers %q with %q", name, text, said)
				}
			}
		}
	})
}
