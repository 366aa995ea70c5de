package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// The audit of the people who wrote down GraphQL over HTTP finds nothing: each
// MUST, SHOULD and MAY is kept.
func TestGraphQLOverHTTPIsKept(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/audit")
	s := trial.Start(t)
	audits := 0
	for line := range strings.Lines(nodetest.Run(t, dir, "node", "audit.mjs", s.URL+"/graphql")) {
		var audit struct{ ID, Name, Status, Reason string }
		if err := json.Unmarshal([]byte(line), &audit); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if audits++; audit.Status != "ok" {
			t.Errorf("%s %s: %s: %s", audit.ID, audit.Name, audit.Status, audit.Reason)
		}
	}
	if audits < 60 {
		t.Errorf("%d audits, want them all", audits)
	}
}

// Relay's compiler takes the schema as entwine prints it, compiles fragments,
// pagination, refetching, @defer, mutations and subscriptions, and writes a manifest;
// a service that trusts it, and nothing else, runs what it has, with files, too.
func TestARelayFrontEndIsTrusted(t *testing.T) {
	t.Parallel()
	front := nodetest.Folder(t, "testdata/relay")
	if err := os.WriteFile(filepath.Join(front, "schema.graphql"), []byte(trial.MustRun(t, front, "schema", "graphql")), 0o600); err != nil {
		t.Fatal(err)
	}
	nodetest.Run(t, front, "relay-compiler")
	manifest := filepath.Join(front, "persisted.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	documents := map[string]string{}
	if err := json.Unmarshal(text, &documents); err != nil {
		t.Fatal(err)
	}

	s := trial.Start(t, "ENTWINE_GRAPHQL_DOCUMENTS=trusted")
	add := trial.MustRun(t, s.Dir, "documents", "add", manifest)
	if !strings.HasPrefix(add, "8 added, 0 known before") || !strings.HasPrefix(trial.MustRun(t, s.Dir, "documents", "add", manifest), "0 added, 8 known") {
		t.Errorf("added: %s", add)
	}
	auth := s.SignUp(t)
	s.Ask(t, "POST", "/api/v1/posts", `{"title":"Hello","content":"The first one.","published":true}`, auth...).Want(t, 201)
	s.Ask(t, "POST", "/graphql", `{"query":"{ posts { id } }"}`, auth...).Want(t, 200, `"code":"FORBIDDEN"`)
	for id, document := range documents {
		switch {
		case strings.Contains(document, "mutation PostListCommentMutation"):
			s.Ask(t, "POST", "/graphql", `{"doc_id":"`+id+`","variables":{"post":"1","text":"Well said."}}`, auth...).Want(t, 200, `"text":"Well said."`)
		case strings.Contains(document, "query PostListQuery"):
			s.Ask(t, "POST", "/graphql", `{"documentId":"`+id+`","variables":{"count":5}}`, auth...).
				Want(t, 200, `"title":"Hello"`, `"__typename":"Post"`, `"hasNextPage":false`)
		}
	}
	nodetest.Run(t, front, "esbuild", "upload.mts", "--bundle", "--platform=node", "--format=esm", "--outfile=upload.mjs", `--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`)
	if out := nodetest.Run(t, front, "node", "upload.mjs", s.URL, strings.TrimPrefix(auth[1], "Bearer ")); !strings.HasPrefix(out, "/api/files/") {
		t.Errorf("a mutation with a file is answered %s", out)
	}
}
