package codegen_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// addition is a text that is put after another in a file of the tree.
type addition struct{ file, after, text string }

// newActions are not planned for by the code: a post is pinned and unpinned, which
// sets a column, and an order gets more time, which a method gives it. Each is
// declared in one file, its entity's; pinning brings a column of its own.
var newActions = []addition{
	{"schema/post.go", "func (Post) Fields() []ent.Field {\n\treturn []ent.Field{\n", `		field.Time("pinned_at").Optional().Nillable().
			Comment("When the post was pinned, null while it is not.").
			Annotations(expose.Computed()),
`},
	{"schema/post.go", "\t\t\t\"archive\":          policy.Any(policy.Owner(\"author_id\"), admin),\n", `			"pin":   policy.Any(policy.Owner("author_id"), admin),
			"unpin": policy.Any(policy.Owner("author_id"), admin),
`},
	{"schema/post.go", "\t\t\tActions: []expose.Action{\n", `				{
					Verb: "pin", Done: "pinned", Else: "the post is pinned already",
					Comment: "Keeps a post at the top of its author's.",
					When:    policy.Null("pinned_at"),
					Set:     expose.Set{"pinned_at": expose.Now},
				},
				{
					Verb: "unpin", Done: "unpinned", Else: "the post is not pinned",
					Comment: "Lets a pinned post go.",
					When:    policy.Not(policy.Null("pinned_at")),
					Set:     expose.Set{"pinned_at": nil},
				},
`},
	{"schema/order.go", "\t\t\t\"refund\":      admin,\n", "\t\t\t\"postpone\": policy.Any(policy.Owner(\"user_id\"), admin),\n"},
	{"schema/order.go", "func orderActs() []expose.Action {\n\treturn []expose.Action{\n", `		{
			Verb: "postpone", Done: "postponed", Run: expose.InTx,
			Comment: "Gives a pending order more time before it expires.",
			When:    policy.Is("status", "pending"),
			Input: []ent.Field{
				expose.Range(field.Int64("hours"), 1, 72).Default(24).
					Comment("How many hours, a day without it.").
					Annotations(expose.Was("duration").Until("2020-01-01", "")),
			},
		},
`},
}

// postpone is the method that the second asks for.
const postpone = `package checkout

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// Postpone gives the order more time.
func (o Orders) Postpone(ctx context.Context, id int64, in rows.OrderPostpone) (write.Result, error) {
	later := store.Time(o.now().Add(time.Duration(in.Hours) * time.Hour))
	err := orm.Client(o.DB).Order.UpdateOneID(typedid.OrderID(id)).SetExpiresAt(later).Exec(policy.As(ctx, "postpone"))
	if err != nil {
		return write.Result{}, fmt.Errorf("postpone order %d: %w", id, err)
	}
	return write.Result{}, nil
}
`

// declareActions declares the actions in a copy of the tree.
func declareActions(t *testing.T, root string) {
	t.Helper()
	for _, a := range newActions {
		path := filepath.Join(root, a.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, after, ok := strings.Cut(string(text), a.after)
		if !ok {
			t.Fatalf("%s has no %q", a.file, a.after)
		}
		write(t, path, before+a.after+a.text+after)
	}
}

// writeMethod writes the method that the compiler asks for by its name.
func writeMethod(t *testing.T, root string) {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "./internal/activities")
	build.Dir = root
	if out, err := build.CombinedOutput(); err == nil || !strings.Contains(string(out), "checkout.Orders does not implement rows.OrderMethods (missing method Postpone)") {
		t.Errorf("without the method the build says %v\n%s", err, out)
	}
	write(t, filepath.Join(root, "internal/checkout/postpone.go"), postpone)
}

// The matrix of permissions fails for each operation without verdicts, and
// takes those that are written by hand.
func judgeActions(t *testing.T, root string) {
	t.Helper()
	for _, a := range []addition{
		{"internal/trial/permissions/testdata/rest.txt", "", "POST /posts/{id}/unpin  401  409  403  403  403  403  409  403  403  401  401\n"},
		{"internal/trial/permissions/testdata/graphql.txt", "", "mutation unpinPost  UNAUTH  CONFLICT  FORBIDDEN  FORBIDDEN  FORBIDDEN  FORBIDDEN  CONFLICT  FORBIDDEN  FORBIDDEN  UNAUTH  EXPIRED\n"},
	} {
		path := filepath.Join(root, a.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(text), "\n")
		write(t, path, string(text)+inColumns(header, a.text))
	}
	matrix := exec.CommandContext(t.Context(), "go", "test", "-trimpath", "-vet=off", "-count=1", "-run", "^TestPermissions$/^sqlite$", "./internal/trial/permissions")
	matrix.Dir = root
	out, err := matrix.CombinedOutput()
	if err == nil {
		t.Error("the matrix of permissions takes operations without verdicts")
	}
	for _, missing := range []string{"POST /posts/{id}/pin", "POST /orders/{id}/postpone", "mutation pinPost", "mutation postponeOrder"} {
		if !strings.Contains(string(out), " has no row for "+missing+",") {
			t.Errorf("the matrix of permissions does not ask for the verdicts of %s:\n%s", missing, out)
		}
	}
	for _, written := range []string{"POST /posts/{id}/unpin", "mutation unpinPost"} {
		if strings.Contains(string(out), written) {
			t.Errorf("the matrix of permissions does not take the verdicts of %s:\n%s", written, out)
		}
	}
}

// inColumns writes a row, whose cells two blanks part, below the columns of a
// table.
func inColumns(header, row string) string {
	var b strings.Builder
	cells := strings.Split(strings.TrimSpace(row), "  ")
	width := strings.Index(header, "  anonymous")
	for i, cell := range cells {
		if i > 0 {
			b.WriteString("  ")
			width = 11
		}
		fmt.Fprintf(&b, "%-*s", width, cell)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// driveActions asks both APIs for the actions, in every way that may be refused.
func driveActions(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	admin.token = shell(t, dir, env, binary, "token", "admin@example.com")
	person := func(email, name string) *driven {
		shell(t, dir, env, binary, "user", "create", "--password", "password1", email, name)
		return &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", email)}
	}
	uma, vera, nobody := person("uma@example.com", "Uma"), person("vera@example.com", "Vera"), &driven{t: t, url: admin.url}
	uma.rest("POST", "/posts", `{"title":"T","content":"C","published":true}`, 201)
	uma.rest("POST", "/posts", `{"title":"T","content":"C"}`, 201)
	admin.rest("POST", "/products", `{"name":"Lamp","price":19.99,"stock":9}`, 201)
	uma.rest("POST", "/orders", `{"items":[{"product_id":1,"quantity":1}]}`, 201)
	uma.rest("POST", "/orders", `{"items":[{"product_id":1,"quantity":1}]}`, 201)
	uma.rest("POST", "/orders/2/cancel", "", 200)

	const pin, more = "POST /api/v1/posts/1/pin", "POST /api/v1/orders/1/postpone"
	for _, a := range []struct {
		who  *driven
		line string // method and path, or a field of a mutation
		body string
		// head is a header: If-Match or Idempotency-Key.
		head   [2]string
		status int
		has    string
		again  bool // it is the answer to an earlier request
	}{
		{nobody, pin, "", [2]string{}, 401, "token required", false},
		{vera, pin, "", [2]string{}, 403, "you are not allowed to do this", false},
		{vera, "POST /api/v1/posts/2/pin", "", [2]string{}, 404, "post not found", false},
		{uma, "POST /api/v1/posts/999/pin", "", [2]string{}, 404, "post not found", false},
		{uma, pin, `{"until":"x"}`, [2]string{}, 400, `"field":"until","message":"is unknown: this action takes no input"`, false},
		{uma, pin, `{`, [2]string{}, 400, "the body is not valid JSON", false},
		{uma, pin, "", [2]string{"If-Match", `"9"`}, 412, "the resource has changed since it was read", false},
		{uma, "POST /api/v1/posts/1/unpin", "", [2]string{}, 409, "the post is not pinned; allowed: pin, archive", false},
		{uma, "GET /api/v1/posts/1", "", [2]string{}, 200, `"actions":[{"name":"pin","method":"POST","href":"/api/v1/posts/1/pin"},{"name":"archive"`, false},
		{vera, "GET /api/v1/posts/1", "", [2]string{}, 200, `"actions":[]`, false},
		{uma, pin, "", [2]string{"Idempotency-Key", "a"}, 200, `"version":2`, false},
		{uma, pin, "", [2]string{"Idempotency-Key", "a"}, 200, `"version":2`, true},
		{uma, pin, "", [2]string{}, 409, "the post is pinned already; allowed: unpin, archive", false},
		{uma, "POST /api/v1/posts/1/unpin", "", [2]string{"If-Match", `"2"`}, 200, `"pinned_at":null`, false},
		{nobody, `pinPost(id: 1) { id }`, "", [2]string{}, 401, "UNAUTHENTICATED", false},
		{vera, `pinPost(id: 1) { id }`, "", [2]string{}, 403, "FORBIDDEN", false},
		{vera, `pinPost(id: 2) { id }`, "", [2]string{}, 404, "post not found", false},
		{uma, `pinPost(id: 1, expectedVersion: 9) { id }`, "", [2]string{}, 412, "the resource has changed since it was read", false},
		{uma, `pinPost(id: 1, expectedVersion: 3, idempotencyKey: "b") { version actions { name } }`, "", [2]string{}, 200, `{"version":4,"actions":[{"name":"unpin"},{"name":"archive"}]}`, false},
		{uma, `pinPost(id: 1, expectedVersion: 3, idempotencyKey: "b") { version actions { name } }`, "", [2]string{}, 200, `{"version":4,"actions":[{"name":"unpin"},{"name":"archive"}]}`, true},
		{uma, `pinPost(id: 1) { id }`, "", [2]string{}, 409, "the post is pinned already; allowed: unpin, archive", false},
		{uma, `unpinPost(id: 1) { pinnedAt version }`, "", [2]string{}, 200, `{"pinnedAt":null,"version":5}`, false},

		{nobody, more, "", [2]string{}, 401, "token required", false},
		{vera, more, "", [2]string{}, 404, "order not found", false},
		{uma, more, `{"hours":100}`, [2]string{}, 422, `"field":"hours","message":"must be 1 to 72"`, false},
		{uma, more, `{"hours":"x","days":1}`, [2]string{}, 400, `"message":"is unknown; allowed: hours"`, false},
		{uma, more, `{"hours":1}`, [2]string{"If-Match", `"9"`}, 412, "the resource has changed since it was read", false},
		{uma, "POST /api/v1/orders/2/postpone", "", [2]string{}, 409, "the order is cancelled: it can't be postponed; nothing can be done to it", false},
		{uma, "GET /api/v1/orders/1", "", [2]string{}, 200, `{"name":"postpone","method":"POST","href":"/api/v1/orders/1/postpone"}`, false},
		{uma, more, `{"hours":1}`, [2]string{"Idempotency-Key", "c"}, 200, `"version":2`, false},
		{uma, more, `{"hours":1}`, [2]string{"Idempotency-Key", "c"}, 200, `"version":2`, true},
		{admin, more, "", [2]string{"If-Match", `"2"`}, 200, `"version":3`, false},
		{uma, more, `{"duration":100}`, [2]string{}, 422, `"field":"duration","message":"must be 1 to 72"`, false},
		{uma, more, `{"duration":1,"hours":2}`, [2]string{}, 400, `"field":"duration","message":"cannot be combined with hours"`, false},
		{nobody, `postponeOrder(id: 1) { id }`, "", [2]string{}, 401, "UNAUTHENTICATED", false},
		{vera, `postponeOrder(id: 1) { id }`, "", [2]string{}, 404, "order not found", false},
		{uma, `postponeOrder(id: 1, hours: 100) { id }`, "", [2]string{}, 422, "must be 1 to 72", false},
		{uma, `postponeOrder(id: 1, duration: 100) { id }`, "", [2]string{}, 422, "must be 1 to 72", false},
		{uma, `postponeOrder(id: 1, duration: 1, hours: 2) { id }`, "", [2]string{}, 400, "one of them is allowed", false},
		{uma, `postponeOrder(id: 2) { id }`, "", [2]string{}, 409, "the order is cancelled: it can't be postponed; nothing can be done to it", false},
		{uma, `postponeOrder(id: 1, hours: 2, expectedVersion: 3, idempotencyKey: "d") { version }`, "", [2]string{}, 200, `{"version":4}`, false},
		{uma, `postponeOrder(id: 1, hours: 2, expectedVersion: 3, idempotencyKey: "d") { version }`, "", [2]string{}, 200, `{"version":4}`, true},

		{nobody, "GET /api/v1/openapi", "", [2]string{}, 200, `"/posts/{id}/pin"`, false},
		{uma, `postponeOrder(id: 1, duration: 3) { version }`, "", [2]string{}, 200, `{"version":5}`, false},
		{nobody, "GET /api/v1/openapi", "", [2]string{}, 200, `"operationId":"postponeOrder"`, false},
	} {
		method, path, isREST := strings.Cut(a.line, " /")
		if !isREST {
			method, path, a.body = "POST", "graphql", encoded("mutation { answer: "+a.line+" }")
		}
		resp, answer := a.who.ask(method, "/"+path, a.body, a.head)
		if got := status(resp, answer, isREST); got != a.status || !strings.Contains(answer, a.has) {
			t.Errorf("%s %s %v: %d %s\nwant %d %s", a.line, a.body, a.head, got, answer, a.status, a.has)
		}
		if again := resp.Header.Get("Idempotency-Replayed") == "true"; again != a.again {
			t.Errorf("%s %v: the answer is an earlier one's: %t", a.line, a.head, again)
		}
	}
	const old = `299 - "OrderPostpone.duration is deprecated: use hours"`
	uma.asked("POST", "/api/v1/orders/1/postpone", `{"duration":3}`, 200, `"version":6`, old)
	uma.asked("POST", "/api/v2/orders/1/postpone", `{"duration":3}`, 200, `"version":7`, old)
	uma.asked("POST", "/api/v1/orders/1/postpone", `{"hours":3}`, 200, `"version":8`, "")
	uma.asked("GET", "/api/v1/openapi", "", 200, "- `OrderPostpone.duration`: Deprecated since 2020-01-01: use hours.", "")
	uma.asked("POST", "/graphql", encoded(`{ __type(name: "Mutation") { fields { args(includeDeprecated: true) { name deprecationReason } } } }`), 200,
		`{"name":"duration","deprecationReason":"Deprecated since 2020-01-01: use hours."}`, "")
	known := admin.graphql(`{ __type(name: "Mutation") { fields { name args { name } } } }`)
	text, err := json.Marshal(known)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"args":[{"name":"id"},{"name":"expectedVersion"},{"name":"idempotencyKey"}],"name":"pinPost"}`,
		`{"args":[{"name":"id"},{"name":"hours"},{"name":"duration"},{"name":"expectedVersion"},{"name":"idempotencyKey"}],"name":"postponeOrder"}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("GraphQL's schema has no %s", want)
		}
	}
}

// ask sends a request with at most one header more, and returns the answer
// without white space between members.
func (d *driven) ask(method, path, body string, header [2]string) (*http.Response, string) {
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
	if header[0] != "" {
		r.Header.Set(header[0], header[1])
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
	return resp, strings.ReplaceAll(string(answer), `": "`, `":"`)
}

// status is that of the answer, which GraphQL says in its first error.
func status(resp *http.Response, answer string, isREST bool) int {
	var failed struct {
		Errors []struct{ Extensions struct{ Status int } }
	}
	if isREST || json.Unmarshal([]byte(answer), &failed) != nil || len(failed.Errors) == 0 {
		return resp.StatusCode
	}
	return failed.Errors[0].Extensions.Status
}
