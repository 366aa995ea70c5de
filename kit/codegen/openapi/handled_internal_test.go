package openapi

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
)

const ofHandlers = `
paths:
  /import:
    post:
      operationId: importPosts
      x-handler: true
      x-callers: [users]
      tags: [Posts]
      summary: Import posts
      description: Takes a file with a post in each line.
      requestBody:
        content:
          text/plain: {schema: {type: string}}
      responses:
        '204': {description: They are there.}
`

// Operations of a project's own handlers are in the document of every version, with their
// paths unchanged, and in no code that is generated for the operations of REST.
func TestOperationsOfHandlers(t *testing.T) {
	m := codegentest.Model(t)
	r, err := newContract(treeWith(t, ofHandlers), m)
	if err != nil {
		t.Fatal(err)
	}
	published, _ := r.published()
	op := published.at("paths", "/import", "post")
	servers, _ := op.get("servers").([]any)
	if len(servers) != 1 || asNode(servers[0]).text("url") != "/" || op.text("operationId") != "importPosts" {
		t.Fatalf("the document has %v", op)
	}
	for status, there := range map[string]bool{"204": true, "401": true, "413": true, "431": true, "409": false, "410": false} {
		if (op.at("responses", status) != nil) != there {
			t.Errorf("%s among its responses: want %v", status, there)
		}
	}
	security, _ := op.get("security").([]any)
	for _, credential := range security {
		if c := asNode(credential); len(c.members) != 1 || c.get("apiKey") != nil {
			t.Errorf("it takes %v, and is for users", c.members)
		}
	}
	if len(security) == 0 || op.get(handled) != nil || op.get("parameters") != nil {
		t.Errorf("the document has %v", op)
	}
	for _, row := range r.table() {
		if row.ID == "importPosts" {
			t.Error("it is in the table of operations of REST")
		}
	}
	if r.serverDocument().at("paths", "/import") != nil || r.clientDocument().at("paths", "/import") != nil {
		t.Error("code is made of it")
	}
	if rows := r.handledRows(); len(rows) != 1 || rows[0] != (handledRow{"importPosts", "/import"}) {
		t.Errorf("handlers are asked for %v", rows)
	}
	data, err := encode(published)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseYAML(data)
	if err != nil {
		t.Fatal(err)
	}
	if dropHandled(again); again.at("paths", "/import") != nil || again.at("paths", "/posts", "get") == nil {
		t.Error("a client of the published document has it, or has nothing")
	}
	for want, change := range map[string][2]string{
		`operationId "listPosts" is there twice`: {"importPosts", "listPosts"},
		"not at #/components/schemas/Post":       {"schema: {type: string}", "schema: {$ref: '#/components/schemas/Post'}"},
		"its handler answers HEAD":               {"post:\n", "head:\n"},
		"a parameter of its path is one word":    {"/import:", "/import/{by_name}:"},
		"summary is missing":                     {"summary:", "x-summary:"},
	} {
		if _, err := newContract(treeWith(t, strings.Replace(ofHandlers, change[0], change[1], 1)), m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
