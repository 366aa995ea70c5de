package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loadModel reads the schemas of this module.
func loadModel(t *testing.T) (root string, m *Model) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := loadGraph(root)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = newModel(graph); err != nil {
		t.Fatal(err)
	}
	return root, m
}

// rootWith is a tree that holds nothing but the hand-written operations.
func rootWith(t *testing.T, operations string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "rest"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, handWritten), []byte(operations), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

const publish = `
      operationId: publishPost
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
	_, m := loadModel(t)
	for _, c := range []struct{ name, source, want string }{
		{"an operation is added", "paths:\n  /posts/{id}/hand:\n    post:" + publish, ""},
		{"a generated operation is there twice", "paths:\n  /posts:\n    post:" + publish, "POST /posts: is generated already"},
		{"an operationId is there twice", "paths:\n  /posts/{id}/hand:\n    post:" + strings.Replace(publish, "publishPost", "listPosts", 1), `operationId "listPosts" is there twice`},
		{"a path has four levels", "paths:\n  /users/{id}/posts/{post_id}/comments/{comment_id}/likes:\n    post:" + publish, "has 4 levels"},
		{"a summary is missing", "paths:\n  /posts/{id}/hand:\n    post:" + strings.Replace(publish, "summary", "x-summary", 1), "summary is missing"},
		{"a member is there twice", "paths:\n  /a:\n    get: {}\n  /a:\n    get: {}\n", `line 4: "/a" is there twice`},
		{"a component is generated", "components:\n  schemas:\n    Post: {type: string}\n", "components.schemas.Post: is generated already"},
		{"a section is unknown", "webhooks: {}\n", `"webhooks"`},
	} {
		r, err := newREST(rootWith(t, c.source), m)
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

func TestDemandsWhatTheSchemaLeavesToHandWrittenCode(t *testing.T) {
	_, m := loadModel(t)
	for _, e := range m.Entities {
		if e.Name == "Post" {
			e.Operations = e.Operations[:1]
			e.ByHand = append(e.ByHand, "create")
		}
	}
	_, err := newREST(rootWith(t, ""), m)
	if err == nil || !strings.Contains(err.Error(), "must have POST /posts") || !strings.Contains(err.Error(), "schema/post.go") {
		t.Errorf("newREST: %v", err)
	}
}

func TestEveryOperationIsComplete(t *testing.T) {
	root, m := loadModel(t)
	r, err := newREST(root, m)
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
