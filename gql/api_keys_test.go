package gql_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestKeysOfPrograms(t *testing.T) {
	each(t, func(w *world) {
		w.viewers["warehouse"] = &viewer.Viewer{KeyID: 1, Client: "warehouse", Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		payload := func(mutation string) (key string) {
			a := w.as("ada", `mutation { made: `+mutation+` { key apiKey { id clientName prefix permissions version creator { name } revokedAt } } }`)
			var data struct {
				Made struct {
					Key    string
					APIKey struct {
						ID, ClientName, Prefix string
						Permissions            []string
						Creator                struct{ Name string }
					}
				}
			}
			if err := json.Unmarshal(a.Data, &data); err != nil || len(a.Errors) > 0 {
				w.Fatalf("%s: %s %v", mutation, a.Data, a.Errors)
			}
			if got := data.Made.APIKey; got.ID != id("APIKey", 1) || !strings.HasPrefix(data.Made.Key, got.Prefix+"_") || got.Creator.Name != "Ada" || !slices.Equal(got.Permissions, []string{"read", "write"}) {
				w.Errorf("%s: %s", mutation, a.Data)
			}
			return data.Made.Key
		}
		made := payload(`createAPIKey(input: {clientName: "warehouse", permissions: [read, write], expiresAt: "2999-01-01T00:00:00Z"})`)
		if rotated := payload(`rotateAPIKey(id: 1)`); rotated == made {
			w.Error("the key was not rotated")
		}
		for range 2 {
			w.as("ada", `mutation { revokeAPIKey(id: "`+id("APIKey", 1)+`") { clientName version } }`).wants(w.T, `{"revokeAPIKey":{"clientName":"warehouse","version":3}}`)
		}
		repeated := `mutation { createAPIKey(input: {clientName: "till", permissions: [read]}, idempotencyKey: "till-1") { key apiKey { clientName } } }`
		if a := w.as("ada", repeated); !strings.Contains(string(a.Data), `"key":"ek_`) {
			w.Errorf("the first time: %s %v", a.Data, a.Errors)
		}
		// A secret that is shown once is stored nowhere: doc/api/idempotency.md.
		w.as("ada", repeated).wants(w.T, `{"createAPIKey":{"key":null,"apiKey":{"clientName":"till"}}}`)
		for _, c := range []struct{ who, mutation, want string }{
			{"ada", `rotateAPIKey(id: 1) { key }`, "rotateAPIKey CONFLICT"},
			{"ada", `rotateAPIKey(id: 9) { key }`, "rotateAPIKey NOT_FOUND"},
			{"ada", `revokeAPIKey(id: 9) { id }`, "revokeAPIKey NOT_FOUND"},
			{"ada", `revokeAPIKey(id: "x") { id }`, "revokeAPIKey BAD_USER_INPUT id"},
			{"ada", `createAPIKey(input: {clientName: "", permissions: [], expiresAt: "2020-01-01T00:00:00Z"}) { key }`, "createAPIKey BAD_USER_INPUT input.clientName input.permissions input.expiresAt"},
			{"ada", `createAPIKey(input: {clientName: "x", permissions: [read], expiresAt: "2020-01-01T00:00:00Z"}) { key }`, "createAPIKey BAD_USER_INPUT input.expiresAt"},
			{"bob", `createAPIKey(input: {clientName: "", permissions: []}) { key }`, "createAPIKey FORBIDDEN"},
			{"warehouse", `createAPIKey(input: {clientName: "x", permissions: [read]}) { key }`, "createAPIKey FORBIDDEN"},
			{"warehouse", `rotateAPIKey(id: 1) { key }`, "rotateAPIKey FORBIDDEN"},
			{"mia", `revokeAPIKey(id: 1) { id }`, "revokeAPIKey FORBIDDEN"},
			{"nobody", `rotateAPIKey(id: 1) { key }`, "rotateAPIKey UNAUTHENTICATED"},
		} {
			if got := w.as(c.who, `mutation { `+c.mutation+` }`).codes(); !slices.Equal(got, []string{c.want}) {
				w.Errorf("%s: %s: %q, want %q", c.who, c.mutation, got, c.want)
			}
		}
	})
}
