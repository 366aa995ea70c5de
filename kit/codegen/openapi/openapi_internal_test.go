package openapi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// treeWith is a tree that holds nothing but the hand-written operations.
func treeWith(t *testing.T, operations string) *source.Tree {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "rest"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "rest", "operations.yaml"), []byte(operations), 0o600); err != nil {
		t.Fatal(err)
	}
	return &source.Tree{Root: root}
}

const publish = `
      operationId: hailPost
      summary: Publish a post
      description: Lets everyone read it.
      tags: [Posts]
      responses:
        '200':
          description: The post.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/PostResponse'}
`

func TestOperationsByHand(t *testing.T) {
	m := codegentest.Model(t)
	for _, c := range []struct{ name, source, want string }{
		{"an operation is added", "paths:\n  /posts/{id}/hand:\n    post:" + publish, ""},
		{"a generated operation is there twice", "paths:\n  /posts:\n    post:" + publish, "POST /posts: is generated already"},
		{"an operationId is there twice", "paths:\n  /posts/{id}/hand:\n    post:" + strings.Replace(publish, "hailPost", "listPosts", 1), `operationId "listPosts" is there twice`},
		{"a path has four levels", "paths:\n  /users/{id}/posts/{post_id}/comments/{comment_id}/likes:\n    post:" + publish, "has 4 levels"},
		{"a summary is missing", "paths:\n  /posts/{id}/hand:\n    post:" + strings.Replace(publish, "summary", "x-summary", 1), "summary is missing"},
		{"a member is there twice", "paths:\n  /a:\n    get: {}\n  /a:\n    get: {}\n", `line 4: "/a" is there twice`},
		{"a component is generated", "components:\n  schemas:\n    Post: {type: string}\n", "components.schemas.Post: is generated already"},
		{"a section is unknown", "webhooks: {}\n", `"webhooks"`},
	} {
		r, err := newContract(treeWith(t, c.source), m)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if err != nil {
			continue
		}
		op := r.document.at("paths", "/posts/{id}/hand", "post")
		for _, status := range []string{"400", "401", "403", "404", "500"} {
			if op.at("responses", status) == nil {
				t.Errorf("%s: %s is not among the responses", c.name, status)
			}
		}
	}
}

// Without accounts callers have tokens of another issuer, and nothing else.
func TestADocumentWithoutAccounts(t *testing.T) {
	m := codegentest.Model(t)
	for _, node := range m.Graph.Nodes {
		delete(node.Annotations, expose.Requires{}.Name())
	}
	r, err := newContract(treeWith(t, "paths: {}"), m)
	if err != nil {
		t.Fatal(err)
	}
	published, _ := r.published()
	schemes := published.at("components", "securitySchemes")
	if len(schemes.members) != 1 || schemes.at("bearerAuth").text("scheme") != "bearer" {
		t.Errorf("the schemes are %v", schemes)
	}
	if security, _ := published.get("security").([]any); len(security) != 2 || len(asNode(security[0]).members) != 0 || asNode(security[1]).get("bearerAuth") == nil {
		t.Errorf("callers may have %v", published.get("security"))
	}
	if published.at("paths", "/auth/login") != nil || published.at("paths", "/search", "get") == nil {
		t.Error("signing in needs accounts, and search needs none")
	}
}

func TestAClientThatNoServiceWantsIsRemoved(t *testing.T) {
	tree := treeWith(t, "paths: {}")
	r, err := newContract(tree, codegentest.Model(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, none := range []bool{false, true} {
		if err := r.writeClient(tree.Folder("rest/oas"), none); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(tree.Path("rest/oas/*.go"))
		if err != nil || (len(files) == 0) != none {
			t.Errorf("NoClient is %v: %d files, %v", none, len(files), err)
		}
	}
}

const ofHand = `
tags:
  - {name: Accounts, description: Signing in.}
paths:
  /gate/enter:
    post:
      operationId: enter
      summary: Sign in
      description: Answers with tokens.
      tags: [Accounts]
      parameters:
        - {name: mode, in: query, schema: {type: string, enum: [bearer, cookie]}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Entry'}
      responses:
        '200':
          description: The tokens.
          headers:
            Set-Cookie: {schema: {type: array, items: {type: string}}}
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Tokens'}
  /posts/{id}/hand:
    post:` + publish + `
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
        - {$ref: '#/components/parameters/PostFields'}
        - {name: loud, in: query, schema: {type: boolean}}
components:
  schemas:
    Entry:
      type: object
      additionalProperties: false
      required: [email, password]
      properties:
        email: {type: string, format: email}
        password: {type: string, format: password, writeOnly: true}
    Tokens:
      type: object
      required: [status, accessToken]
      properties:
        status: {type: string, const: success}
        accessToken: {type: string}
`

func TestOgenTakesWhatIsByHand(t *testing.T) {
	m := codegentest.Model(t)
	r, err := newContract(treeWith(t, ofHand), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.newClient(); err != nil {
		t.Errorf("client: %v", err)
	}
	g, err := r.newServer()
	if err != nil {
		t.Fatalf("server: %v", err)
	}
	for _, op := range g.Operations() {
		switch op.Name {
		case "Enter": // typed
			if op.HasRawResponse() || op.Request == nil || len(op.Params) != 1 {
				t.Errorf("login: %+v", op)
			}
		case "HailPost": // answers with an entity
			if !op.HasRawResponse() || len(op.Params) != 2 {
				t.Errorf("hailPost takes %d parameters", len(op.Params))
			}
		}
	}
	for _, row := range r.table() {
		if row.ID == "login" && (row.Parsed || strings.Join(row.Query, ",") != "mode") || row.ID == "hailPost" && !row.Parsed {
			t.Errorf("table: %+v", row)
		}
	}
}

// Operations are served at the paths of before, too, but where another one is now.
func TestOperationsAreAtThePathsOfBefore(t *testing.T) {
	r, err := newContract(codegentest.Tree(t), codegentest.Model(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"get", "patch"} {
		r.document.at("paths", "/posts/{id}", method).set(oldPaths, []model.OldPath{{Path: "/articles/{id}"}, {Path: "/users/{id}"}, {Path: "/users/{id}/post"}})
	}
	g, err := r.newServer()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]string{}
	for _, op := range g.Operations() {
		if op.OperationGroup == otherGroup && (!op.HasRawResponse() || op.Request != nil) {
			t.Errorf("%s is typed: %+v", op.Name, op)
		}
		at[op.Spec.HTTPMethod+" "+op.Spec.Path.String()] = op.Spec.OperationID
	}
	for path, want := range map[string]string{
		"get /posts/{id}": "readPost", "get /articles/{id}": "readPostWas1", "patch /articles/{id}": "patchPostWas1",
		"get /users/{id}": "readUser", "get /users/{id}/post": "readPostWas3", "delete /articles/{id}": "",
	} {
		if at[path] != want {
			t.Errorf("%s: %q, want %q", path, at[path], want)
		}
	}
}

func TestDemandsWhatTheSchemaLeavesToHandWrittenCode(t *testing.T) {
	m := codegentest.Model(t)
	post := codegentest.Entity(t, m, "Post")
	post.Operations = post.Operations[:1]
	post.ByHand = append(post.ByHand, "create")
	_, err := newContract(treeWith(t, ""), m)
	if err == nil || !strings.Contains(err.Error(), "must have POST /posts") || !strings.Contains(err.Error(), "schema/post.go") {
		t.Errorf("newContract: %v", err)
	}
}

func TestEveryOperationIsComplete(t *testing.T) {
	m := codegentest.Model(t)
	r, err := newContract(codegentest.Tree(t), m)
	if err != nil {
		t.Fatal(err)
	}
	paths := r.document.at("paths")
	eachOperation(paths, func(path, method string, op *node) {
		at := method + " " + path
		for _, name := range []string{"operationId", "summary", "description"} {
			if op.text(name) == "" {
				t.Errorf("%s: no %s", at, name)
			}
		}
		if op.at("responses", "400") == nil || op.at("responses", "500") == nil {
			t.Errorf("%s: error responses are missing", at)
		}
		if method == "get" && paths.at(path, "head") == nil {
			t.Errorf("%s: no HEAD", at)
		}
		walk(op, func(n *node) {
			if schema, ok := n.get("schema").(*node); ok && schema.text("$ref") != "" && n.get("example") == nil && n.get("in") == nil {
				t.Errorf("%s: %s has no example", at, schema.text("$ref"))
			}
		})
	})
}

func TestLevels(t *testing.T) {
	for path, want := range map[string]int{
		"/users": 1, "/users/{id}": 1, "/users/{id}/posts/{post_id}": 2, "/auth/2fa/setup": 3, "/cart/items/{id}": 2, "/a/{id}/b/{id}/c/{id}/d": 4,
	} {
		if got := levels(path); got != want {
			t.Errorf("levels(%s) = %d, want %d", path, got, want)
		}
	}
}

func TestExamplesAreBelowTheVersionOfTheDocument(t *testing.T) {
	document := obj("href", "/api/v1/posts/1", "other", "/api/v10", "all", arr("/api/v1/jobs?page=1"), "field", []map[string]any{{"href": "/api/v1/posts/1/publish", "name": "publish"}})
	based(document, "/api/v2")
	text, err := encode(document)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); strings.Contains(got, "/api/v1/") || strings.Count(got, `"/api/v2/`) != 3 || !strings.Contains(got, `"/api/v10"`) {
		t.Errorf("they are %s", got)
	}
}
