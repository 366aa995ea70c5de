package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/pgserver"
)

// supplierSchema is an entity with fields of every kind, an enum, an edge to
// one and an edge to many, and a field that only admins see. Nothing else in
// the tree knows of it.
const supplierSchema = `package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Supplier is who delivers products.
type Supplier struct{ ent.Schema }

// Fields of the Supplier.
func (Supplier) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("name"), 2, 60).
			Comment("The name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search)),
		field.Text("terms").Default("").
			Comment("The terms of delivery.").
			Annotations(expose.By(expose.Search)),
		field.Enum("grade").Values("gold", "silver", "bronze").Default("bronze").
			Comment("How good they are.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Bool("certified").Default(false).
			Comment("Whether they are certified.").
			Annotations(expose.By(expose.Filter)),
		expose.Range(field.Int("employees"), 1, 1_000_000).Optional().Nillable().
			Comment("How many work there.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Float("score").Optional().Nillable().
			Comment("What buyers think of them.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Time("founded_at").Optional().Nillable().
			Comment("When they were founded.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		expose.AtLeast(field.Int64("minimum_order"), 0).Default(0).
			Comment("The smallest order they take.").
			Annotations(expose.Money("currency")),
		expose.Currency(field.String("currency")).Default("USD").
			Comment("The currency they are paid in."),
		expose.Items(field.Strings("labels"), 10, 30).Default([]string{}).
			Comment("Words to find them by.").
			Annotations(expose.By(expose.Filter)),
		expose.AtLeast(field.Float("margin"), 0).Optional().Nillable().
			Comment("What is earned with them. Only admins see it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.VisibleTo(viewer.Admin), expose.WritableBy(viewer.Admin)),
		field.Int64("manager_id").Immutable().
			Comment("The user who looks after them.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin)),
		field.Int64("parent_id").Optional().Nillable().
			Comment("The supplier they belong to, null for none.").
			Annotations(expose.By(expose.Filter)),
	}
}

// Mixin of the Supplier.
func (Supplier) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Supplier.
func (Supplier) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("manager", User.Type).Field("manager_id").Unique().Required().Immutable().
			Comment("The user who looks after them.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Through()),
		edge.To("branches", Supplier.Type).
			Comment("The suppliers that belong to them.").
			Annotations(entsql.OnDelete(entsql.SetNull), expose.Nested(expose.List)),
		edge.From("parent", Supplier.Type).Ref("branches").Field("parent_id").Unique().
			Comment("The supplier they belong to.").
			Annotations(expose.FilterEdge()),
	}
}

// Indexes of the Supplier.
func (Supplier) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("manager_id"),
		index.Fields("parent_id", "created_at", "id"),
	}
}

// Policy of the Supplier.
func (Supplier) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		Read:       known,
		Verbs: policy.Verbs{
			policy.Create:      policy.Any(policy.Owner("manager_id"), admin),
			policy.Update:      policy.Any(policy.Owner("manager_id"), admin),
			policy.Delete:      policy.Any(policy.Owner("manager_id"), admin),
			policy.Remove:      admin,
			policy.Restore:     admin,
			policy.ReadDeleted: admin,
		},
	}
}

// Annotations of the Supplier.
func (Supplier) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("Who delivers products."),
		expose.Resource{Path: "suppliers", Operations: expose.CRUD(), Search: []string{"name", "terms"}},
	}
}
`

// A new entity costs one file: it is written into a copy of the tree,
// everything is generated, both databases are migrated, and both APIs of the
// running program serve it.
func TestANewEntityCostsOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the whole program anew")
	}
	root := copyTree(t)
	if err := os.WriteFile(filepath.Join(root, "schema/supplier.go"), []byte(supplierSchema), 0o644); err != nil {
		t.Fatal(err)
	}
	shell(t, root, nil, "go", "run", "./kit/codegen")
	shell(t, root, nil, "go", "run", "./cmd/entwine", "migrate", "diff", "add_supplier")
	for _, dialect := range []string{"postgres", "sqlite"} {
		if files, _ := filepath.Glob(filepath.Join(root, "migrate", dialect, "*_add_supplier.sql")); len(files) != 1 {
			t.Fatalf("%s: migrations %v, want one", dialect, files)
		}
	}
	binary := filepath.Join(root, "entwine")
	shell(t, root, nil, "go", "build", "-o", binary, "./cmd/entwine")
	t.Run("sqlite", func(t *testing.T) {
		driveSupplier(t, binary, "sqlite://"+filepath.Join(t.TempDir(), "entwine.db"))
	})
	t.Run("postgres", func(t *testing.T) {
		server, err := pgserver.Shared(t.Context())
		if err != nil {
			t.Skipf("NOT TESTED on PostgreSQL: %v", err)
		}
		url, drop, err := pgserver.Scratch(t.Context(), server)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = drop() })
		driveSupplier(t, binary, url)
	})
}

// copyTree copies what git knows and does not ignore.
func copyTree(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("NOT TESTED: the tree is no git checkout: %v", err)
	}
	root := t.TempDir()
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func shell(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, log.String())
	}
	return strings.TrimSpace(string(out))
}

// driven is a running entwine and who calls it.
type driven struct {
	t     *testing.T
	url   string
	token string
}

func driveSupplier(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	admin.token = shell(t, dir, env, binary, "token", "admin@example.com")
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "uma@example.com", "Uma")
	user := &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "uma@example.com")}
	nobody := &driven{t: t, url: admin.url}

	const full = `{"name":"Acme","grade":"gold","certified":true,"employees":12,"score":4.5,"founded_at":"1999-12-31T00:00:00Z",
		"minimum_order":19.99,"labels":["fast","near"],"terms":"net 30"}`
	created := user.rest("POST", "/suppliers", full, 201)
	id := int(created["id"].(float64))
	branch := user.rest("POST", "/suppliers", fmt.Sprintf(`{"name":"Acme North","parent_id":%d}`, id), 201)
	if _, shown := created["margin"]; shown || created["minimum_order"] != 19.99 || created["grade"] != "gold" {
		t.Errorf("created: %v", created)
	}
	admin.rest("PATCH", fmt.Sprintf("/suppliers/%d", id), `{"margin":0.25}`, 200)
	user.rest("PATCH", fmt.Sprintf("/suppliers/%d", id), `{"margin":0.5}`, 403)
	user.rest("POST", "/suppliers", `{"name":"A"}`, 422)
	user.rest("POST", "/suppliers", `{"grade":7}`, 400)
	nobody.rest("POST", "/suppliers", full, 401)
	nobody.rest("GET", "/suppliers", "", 401)
	user.rest("GET", "/suppliers?sort=margin", "", 400)
	for path, want := range map[string]int{
		"/suppliers": 2, "/suppliers?grade=gold": 1, "/suppliers?employees[gte]=10": 1, "/suppliers?labels=near": 1,
		"/suppliers?search=ACME": 2, "/suppliers?sort=-score,name&cursor=": 2, fmt.Sprintf("/suppliers/%d/branches", id): 1,
		fmt.Sprintf("/suppliers?parent=%d", id): 1, "/suppliers?founded_at[lt]=2000-01-01": 1,
		"/search?q=acme&type=suppliers": 2, "/search?q=net+30&type=suppliers": 1, "/search?q=ACME+nor": 1, "/search?q=30+-net": 0,
	} {
		if got := user.list(path); len(got) != want {
			t.Errorf("GET %s: %d items, want %d", path, len(got), want)
		}
	}
	expanded := user.rest("GET", fmt.Sprintf("/suppliers/%v?expand=parent,manager,branches&fields=name", branch["id"]), "", 200)
	if expanded["parent"].(map[string]any)["name"] != "Acme" || expanded["manager"].(map[string]any)["name"] != "Uma" {
		t.Errorf("expanded: %v", expanded)
	}

	data := user.graphql(`mutation { createSupplier(input: {name: "Beta", employees: 3}) { id name manager { name } } }`)
	global := data["createSupplier"].(map[string]any)["id"].(string)
	data = user.graphql(`query($id: ID!) {
		node(id: $id) { ... on Supplier { name parent { name } } }
		suppliersConnection(first: 2, where: {hasParentWith: [{name: "Acme"}]}, orderBy: [{field: NAME, direction: DESC}]) {
			totalCount pageInfo { hasNextPage } edges { cursor node { name branches { name } parent { branchesConnection { totalCount } } } }
		}
	}`, "id", global)
	if data["node"].(map[string]any)["name"] != "Beta" || data["suppliersConnection"].(map[string]any)["totalCount"] != 1.0 {
		t.Errorf("graphql: %v", data)
	}
	data = user.graphql(`{ searchConnection(query: "bet", types: [SUPPLIERS]) { counts { type count } nodes { ... on Supplier { name manager { name } } } } }`)
	if found := data["searchConnection"].(map[string]any)["nodes"].([]any); len(found) != 1 || found[0].(map[string]any)["name"] != "Beta" {
		t.Errorf("search: %v", data)
	}
	nobody.rest("GET", "/search?q=acme&type=suppliers", "", 401)
	data = user.graphql(`mutation($id: ID!) { updateSupplier(id: $id, input: {grade: silver}) { grade } deleteSupplier(id: $id) }`, "id", global)
	if data["deleteSupplier"] != true {
		t.Errorf("graphql: %v", data)
	}
	user.rest("DELETE", fmt.Sprintf("/suppliers/%d", id), "", 204)
	user.rest("DELETE", fmt.Sprintf("/suppliers/%d", id), "", 404)
}

var printedAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve runs entwine until the test ends and returns the address it prints.
func serve(t *testing.T, binary string, env []string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url := printedAddress.FindString(lines.Text()); url != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return url
		}
	}
	t.Fatal("entwine serve printed no address")
	return ""
}

func (d *driven) send(method, path, body string) (int, []byte) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// rest calls REST and returns the item of the answer.
func (d *driven) rest(method, path, body string, want int) map[string]any {
	d.t.Helper()
	status, answer := d.send(method, "/api/v1"+path, body)
	if status != want {
		d.t.Errorf("%s %s: %d, want %d\n%s", method, path, status, want, answer)
	}
	var envelope struct {
		Data map[string]any `json:"data"`
	}
	_ = json.Unmarshal(answer, &envelope)
	return envelope.Data
}

func (d *driven) list(path string) []any {
	d.t.Helper()
	status, answer := d.send("GET", "/api/v1"+path, "")
	var envelope struct {
		Data []any `json:"data"`
	}
	if err := json.Unmarshal(answer, &envelope); err != nil || status != 200 {
		d.t.Errorf("GET %s: %d %v\n%s", path, status, err, answer)
	}
	return envelope.Data
}

// graphql calls GraphQL and returns the data of an answer without errors.
func (d *driven) graphql(query string, variables ...string) map[string]any {
	d.t.Helper()
	values := map[string]string{}
	for i := 0; i < len(variables); i += 2 {
		values[variables[i]] = variables[i+1]
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": values})
	if err != nil {
		d.t.Fatal(err)
	}
	status, answer := d.send("POST", "/graphql", string(body))
	var response struct {
		Data   map[string]any    `json:"data"`
		Errors []json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(answer, &response); err != nil || status != 200 || len(response.Errors) > 0 {
		d.t.Fatalf("%s: %d %v\n%s", query, status, err, answer)
	}
	return response.Data
}
