package clients_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// Apollo Client 4 puts together what is deferred, in the format that its
// handler asks for.
func TestApolloTakesPartsInBothFormats(t *testing.T) {
	t.Parallel()
	script := filepath.Join(nodetest.Folder(t, "testdata/apollo"), "client.mjs")
	s := trial.Start(t, "ENTWINE_ACCESS_TOKEN_TIME=2h")
	auth := s.SignUp(t)
	token := strings.TrimPrefix(auth[1], "Bearer ")
	for _, title := range []string{"One", "Two"} {
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"`+title+`","content":"…","published":true}`, auth...).Want(t, 201)
	}
	for _, handler := range []string{"Defer20220824Handler", "GraphQL17Alpha9Handler"} {
		t.Run(handler, func(t *testing.T) {
			t.Parallel()
			l := listen(t, script, handler, s.URL, token,
				`{ me { name posts { title ... @defer(label: "later") { likesCount author { role } } } } ... @defer { post(id: 2) { title } } }`)
			l.wants(t, `{"data":{"me":{"name":"Ada Lovelace","posts":[{"title":"Two"},{"title":"One"}]}},"dataState":"streaming","loading":true}`)
			l.wants(t, `{"data":{"me":{"name":"Ada Lovelace","posts":[{"title":"Two"},{"title":"One"}]},"post":{"title":"Two"}},"dataState":"streaming","loading":true}`)
			l.wants(t, `{"data":{"me":{"name":"Ada Lovelace","posts":[`+
				`{"author":{"role":"user"},"likesCount":0,"title":"Two"},{"author":{"role":"user"},"likesCount":0,"title":"One"}]},"post":{"title":"Two"}},"dataState":"complete","loading":false}`)
		})
		t.Run(handler+" of what fails", func(t *testing.T) {
			t.Parallel()
			l := listen(t, script, handler, s.URL, token, `{ me { name ... @defer { salary } } }`)
			l.wants(t, `{"data":{"me":{"name":"Ada Lovelace"}},"dataState":"streaming","loading":true}`)
			l.wants(t, `{"data":{"me":{"name":"Ada Lovelace","salary":null}},"dataState":"complete","error":"you are not allowed to do this","loading":false}`)
		})
	}
	t.Run("an error", func(t *testing.T) {
		t.Parallel()
		listen(t, script, "errors", s.URL, token, `{ user(id: 99) { name } }`).wants(t, `{"code":"NOT_FOUND","graphql":true,"message":"user not found"}`)
	})
	t.Run("a subscription", func(t *testing.T) {
		t.Parallel()
		l := listen(t, script, "subscription", s.URL, token, `subscription { userStatusChanged(userId: 99) { id } }`)
		l.wants(t, `{"error":"CombinedGraphQLErrors: user not found"}`)
	})
}

// A front end that graphql-codegen's client preset types is trusted with the
// manifest that it writes, and with nothing else.
func TestAFrontEndOfGraphQLCodegenIsTrusted(t *testing.T) {
	t.Parallel()
	front := nodetest.Folder(t, "testdata/codegen")
	writeSchema(t, front)
	nodetest.Run(t, front, "graphql-codegen", "--config", "codegen.yml")
	nodetest.Run(t, front, "tsc", "--project", ".")

	s := trial.Start(t, "ENTWINE_GRAPHQL_DOCUMENTS=trusted")
	added := trial.MustRun(t, s.Dir, "documents", "add", filepath.Join(front, "src/gql/persisted-documents.json"))
	if !strings.HasPrefix(added, "3 added, 0 known before") {
		t.Errorf("added: %s", added)
	}
	auth := s.SignUp(t)
	if said := nodetest.Run(t, front, "node", "out/client.mjs", s.URL, strings.TrimPrefix(auth[1], "Bearer ")); said != "ok\n" {
		t.Errorf("it says %s", said)
	}
	s.Ask(t, "POST", "/graphql", `{"query":"{ __typename }"}`).Want(t, 200, `"code":"FORBIDDEN"`)
	s.Ask(t, "GET", "/graphiql", "").Want(t, 404)
}

// writeSchema writes the schema as entwine prints it into the folder.
func writeSchema(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "schema.graphql"), []byte(trial.MustRun(t, dir, "schema", "graphql")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A program in Go that genqlient types reads and writes. Its modules are in a go.mod of
// its own, for it is no part of entwine.
func TestAProgramOfGenqlient(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/genqlient")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("mod", "download"); err != nil {
		storetest.Missing(t, "modules", fmt.Errorf("%w: %s", err, out))
	}
	writeSchema(t, dir)
	if out, err := run("tool", "genqlient", "genqlient.yaml"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := trial.Start(t)
	auth := s.SignUp(t)
	out, err := run("run", ".", s.URL, strings.TrimPrefix(auth[1], "Bearer "))
	if err != nil || !strings.Contains(out, "is not a global id") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Documents are run if graphql-js calls them valid, and refused if it does not: one for
// each root field, and some that are wrong.
func TestDocumentsAreJudgedAsGraphQLJSDoes(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/audit")
	writeSchema(t, dir)
	documents := judged()
	if len(documents) < 125 {
		t.Fatalf("%d documents, want 125", len(documents))
	}
	text, err := json.Marshal(documents)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "documents.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(nodetest.Run(t, dir, "node", "validate.mjs", "schema.graphql", "documents.json")), "\n")
	if len(lines) != len(documents) {
		t.Fatalf("%d of %d documents are judged:\n%s", len(lines), len(documents), strings.Join(lines, "\n"))
	}
	s := trial.Start(t, "ENTWINE_RATE_LIMIT=off")
	valid := 0
	for i, document := range documents {
		var theirs []string
		if err := json.Unmarshal([]byte(lines[i]), &theirs); err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		body, err := json.Marshal(map[string]string{"query": document})
		if err != nil {
			t.Fatal(err)
		}
		answer := s.Ask(t, "POST", "/graphql", string(body))
		refused := strings.Contains(answer.Text, `"GRAPHQL_VALIDATION_FAILED"`) || strings.Contains(answer.Text, `"GRAPHQL_PARSE_FAILED"`)
		if strings.Contains(answer.Text, "subscriptions need a connection that stays open") {
			refused = false
		}
		if refused != (len(theirs) > 0) {
			t.Errorf("%s\ngraphql-js: %q\nentwine: %s", document, theirs, answer.Text)
		}
		if !refused {
			valid++
		}
	}
	if valid < 90 || len(documents)-valid < 40 {
		t.Errorf("%d of %d documents are valid", valid, len(documents))
	}
}
