package codegen_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/manifest"
)

// driveTree grows a tree of suppliers, which four levels are allowed of, by
// nothing but expose.Tree in the schema: reads of what is above and below in
// both APIs, and what would make it none, from one writer and from two.
func driveTree(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
		"ENTWINE_ADMIN_PASSWORD=correct-horse-1",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	admin.token = shell(t, dir, env, binary, "token", "admin@example.com")
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "uma@example.com", "Uma")
	user := &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "uma@example.com")}

	w := &wood{driven: user, ids: map[string]int{}}
	w.grow("Root", "")
	w.grow("A", "Root")
	w.grow("B", "A")
	w.grow("C", "B")
	w.grow("A2", "Root")
	w.grow("Other", "")
	w.grow("Other 1", "Other")
	w.check()
	t.Run("in the console", func(t *testing.T) {
		browser := nodetest.Chromium(t)
		nodetest.Run(t, nodetest.Folder(t, "../../internal/trial/browser/testdata/browser"), "node", "tree.mjs", w.url, browser, "correct-horse-1")
	})
	w.read(admin)
	w.described()
	w.refuse()
	w.race()
	if strings.HasPrefix(database, "postgres") {
		w.raceOf(database)
	}
}

// withSecrets has only admins read the suppliers whose terms are secret.
func withSecrets(schema string) string {
	return strings.Replace(schema, "Read:       known,\n		Verbs: policy.Verbs{\n			policy.Create:      policy.Any(policy.Owner(\"manager_id\"), admin),",
		"Read:       policy.Any(policy.All(known, policy.Not(policy.Is(\"terms\", \"secret\"))), admin),\n		Verbs: policy.Verbs{\n			policy.Create:      policy.Any(policy.Owner(\"manager_id\"), admin),", 1)
}

// wood is a user with suppliers, by their names.
type wood struct {
	*driven
	ids map[string]int
}

func (w *wood) grow(name, parent string) {
	w.t.Helper()
	body := fmt.Sprintf(`{"name":%q}`, name+" Ltd")
	if parent != "" {
		body = fmt.Sprintf(`{"name":%q,"parent_id":%d}`, name+" Ltd", w.ids[parent])
	}
	w.ids[name] = int(w.rest("POST", "/suppliers", body, 201)["id"].(float64))
}

func (w *wood) path(name string) string { return fmt.Sprintf("/suppliers/%d", w.ids[name]) }

// move puts a row below another, or at the root for an empty name.
func (w *wood) move(name, below string) (status int, answer string) {
	w.t.Helper()
	parent := "null"
	if below != "" {
		parent = fmt.Sprint(w.ids[below])
	}
	status, body := w.send("PATCH", "/api/v1"+w.path(name), `{"parent_id":`+parent+`}`)
	return status, string(body)
}

// names are the names in a list, in the order of the wood.
func names(items []any) (all []string) {
	for _, item := range items {
		all = append(all, strings.TrimSuffix(item.(map[string]any)["name"].(string), " Ltd"))
	}
	return all
}

func (w *wood) read(admin *driven) {
	t := w.t
	expect := func(what string, got []any, want ...string) {
		t.Helper()
		if !slices.Equal(names(got), want) {
			t.Errorf("%s: %v, want %v", what, names(got), want)
		}
	}
	for query, want := range map[string][]string{
		w.path("Root") + "/descendants":                                     {"A2", "C", "B", "A"},
		w.path("Root") + "/descendants?sort=name":                           {"A", "A2", "B", "C"},
		w.path("Root") + "/descendants?search=A&sort=-name":                 {"A2", "A"},
		w.path("A") + "/descendants":                                        {"C", "B"},
		w.path("C") + "/descendants":                                        nil,
		w.path("C") + "/ancestors":                                          {"B", "A", "Root"},
		w.path("C") + "/ancestors?sort=name":                                {"A", "B", "Root"},
		w.path("C") + "/ancestors?limit=1&page=2":                           {"A"},
		w.path("Root") + "/ancestors":                                       nil,
		w.path("Root") + "/descendants?limit=2&page=2":                      {"B", "A"},
		w.path("Root") + "/descendants?name=" + "A2+Ltd":                    {"A2"},
		w.path("Root") + "/descendants?after=&fields=name":                  {"A2", "C", "B", "A"},
		w.path("Root") + "/descendants?parent=" + w.id("A"):                 {"B"},
		w.path("C") + "/ancestors?fields=name&limit=2&page=1":               {"B", "A"},
		"/suppliers?ancestors=" + w.id("A"):                                 {"C", "B"},
		"/suppliers?sort=name&ancestors=" + w.id("B") + "," + w.id("Other"): {"C", "Other 1"},
		"/suppliers?sort=name&search=A&ancestors=" + w.id("Root"):           {"A", "A2"},
		w.path("Root") + "/descendants?ancestors=" + w.id("B"):              {"C"},
	} {
		expect("GET "+query, w.list(query), want...)
	}
	for _, way := range []struct {
		path string
		want []string
	}{{w.path("C") + "/ancestors", []string{"B", "A", "Root"}}, {w.path("Root") + "/descendants", []string{"A2", "C", "B", "A"}}} {
		if got := w.pages(way.path); !slices.Equal(got, way.want) {
			t.Errorf("GET %s by cursor: %v, want %v", way.path, got, way.want)
		}
	}
	w.rest("GET", "/suppliers/99999/descendants", "", 404)
	(&driven{t: t, url: w.url}).rest("GET", w.path("Root")+"/descendants", "", 401)
	w.rest("GET", w.path("C")+"/ancestors?after=", "", 400) // they are not in the order of a time

	expanded := w.rest("GET", w.path("A")+"?expand=ancestors,descendants", "", 200)
	expect("expand=ancestors", expanded["ancestors"].([]any), "Root")
	expect("expand=descendants", expanded["descendants"].([]any), "C", "B")

	below := w.graphql(`{ suppliersConnection(where: {hasAncestorsWith: {name: "A Ltd"}}) { nodes { name } } roots: suppliersConnection(where: {hasAncestors: false}, orderBy: [{field: NAME}]) { nodes { name } } }`)
	expect("hasAncestorsWith", below["suppliersConnection"].(map[string]any)["nodes"].([]any), "C", "B")
	expect("hasAncestors: false", below["roots"].(map[string]any)["nodes"].([]any), "Other", "Root")

	const read = `query($q: String!) { suppliersConnection(where: {nameContainsFold: $q}, orderBy: [{field: NAME}]) { nodes { name
		ancestors { name } descendants(first: 2, orderBy: [{field: NAME}]) { name }
		descendantsConnection(first: 1, where: {nameNEQ: "B Ltd"}, orderBy: [{field: NAME, direction: DESC}]) { totalCount pageInfo { hasNextPage } edges { cursor node { name parent { name } } } }
		ancestorsConnection(last: 1) { totalCount nodes { name } }
	} } }`
	got, _ := json.Marshal(w.graphql(read, "q", "root")["suppliersConnection"].(map[string]any)["nodes"].([]any)[0])
	if want := `"ancestors":[],"ancestorsConnection":{"nodes":[],"totalCount":0},"descendants":[{"name":"A Ltd"},{"name":"A2 Ltd"}]`; !strings.Contains(string(got), want) {
		t.Errorf("graphql of the root: %s, want %s", got, want)
	}
	if want := `"node":{"name":"C Ltd","parent":{"name":"B Ltd"}}}],"pageInfo":{"hasNextPage":true},"totalCount":3}`; !strings.Contains(string(got), want) {
		t.Errorf("graphql of the root: %s, want %s", got, want)
	}
	got, _ = json.Marshal(w.graphql(read, "q", "C Ltd")["suppliersConnection"].(map[string]any)["nodes"].([]any)[0])
	if want := `"ancestors":[{"name":"B Ltd"},{"name":"A Ltd"},{"name":"Root Ltd"}],"ancestorsConnection":{"nodes":[{"name":"Root Ltd"}],"totalCount":3}`; !strings.Contains(string(got), want) {
		t.Errorf("graphql of a leaf: %s, want %s", got, want)
	}

	// Rows that the caller can't read and deleted rows lead nowhere.
	admin.rest("PATCH", w.path("B"), `{"terms":"secret"}`, 200)
	expect("below a row that is hidden", w.list(w.path("Root")+"/descendants"), "A2", "A")
	expect("above a row that is hidden", w.list(w.path("C")+"/ancestors"))
	expect("to who can read it", admin.list(w.path("Root")+"/descendants"), "A2", "C", "B", "A")
	if data, _ := json.Marshal(w.graphql(read, "q", "root")); !strings.Contains(string(data), `"totalCount":2}`) {
		t.Errorf("graphql counts what is hidden: %s", data)
	}
	admin.rest("PATCH", w.path("B"), `{"terms":""}`, 200)
	w.rest("DELETE", w.path("B"), "", 204)
	expect("below a row that is deleted", w.list(w.path("Root")+"/descendants"), "A2", "A")
	expect("above a row that is deleted", w.list(w.path("C")+"/ancestors"))
	expect("with what is deleted", admin.list(w.path("Root")+"/descendants?include_deleted=true"), "A2", "C", "B", "A")
	admin.rest("POST", w.path("B")+"/restore", "", 200)
	expect("restored", w.list(w.path("C")+"/ancestors"), "B", "A", "Root")
}

// described asks whether totals are bounded, and what inputs say of the rules that
// the database keeps.
func (w *wood) described() {
	got, _ := json.Marshal(w.graphql(`{ suppliersConnection(first: 1, where: {name: "Root Ltd"}) { nodes { descendantsConnection { totalCount totalCountExact } } }
		create: __type(name: "CreateSupplierInput") { description } update: __type(name: "UpdateSupplierInput") { description } }`))
	if want := `{"totalCount":4,"totalCountExact":true}`; !strings.Contains(string(got), want) {
		w.t.Errorf("graphql: %s, want %s", got, want)
	}
	if want := "`foundedAt` and `closedAt` must leave the founding before the closing."; strings.Count(string(got), want) != 2 {
		w.t.Errorf("graphql: %s, want both inputs to say: %s", got, want)
	}
	_, answer := w.send("GET", "/api/v1/manifest", "")
	m, err := manifest.Decode(answer)
	if err != nil {
		w.t.Fatal(err)
	}
	var edges []string
	for _, g := range m.Entity("Supplier").Edges {
		if g.Tree != "" {
			edges = append(edges, strings.Join([]string{g.Tree, g.Step, g.List}, " "))
		}
	}
	if want := []string{"up parent /suppliers/{id}/ancestors", "down branches /suppliers/{id}/descendants"}; !slices.Equal(edges, want) {
		w.t.Errorf("manifest: %q, want %q", edges, want)
	}
}

func (w *wood) id(name string) string { return fmt.Sprint(w.ids[name]) }

// pages reads a list by cursors, one row at a time.
func (w *wood) pages(path string) (all []string) {
	w.t.Helper()
	for cursor := ""; len(all) < 10; {
		status, answer := w.send("GET", "/api/v1"+path+"?limit=1&cursor="+url.QueryEscape(cursor), "")
		var page struct {
			Data       []any `json:"data"`
			Pagination struct {
				Next *string `json:"next_cursor"`
			} `json:"pagination"`
		}
		if err := json.Unmarshal(answer, &page); err != nil || status != 200 {
			w.t.Fatalf("GET %s: %d %v\n%s", path, status, err, answer)
		}
		all = append(all, names(page.Data)...)
		if page.Pagination.Next == nil {
			break
		}
		cursor = *page.Pagination.Next
	}
	return all
}

// refuse writes what would make the tree none.
func (w *wood) refuse() {
	const cycle, deep = "must be neither the supplier itself nor one below it", "must leave the tree with at most 4 levels"
	for _, c := range []struct{ row, below, says string }{
		{"Root", "C", cycle}, {"Root", "A", cycle}, {"A", "A", cycle}, {"B", "C", cycle},
		{"A", "Other 1", deep}, {"Other", "B", deep}, {"Other 1", "C", deep},
	} {
		status, answer := w.move(c.row, c.below)
		if status != 422 || !strings.Contains(answer, c.says) || !strings.Contains(answer, `"field":"parent_id"`) {
			w.t.Errorf("%s below %s: %d, want 422 of parent_id that says %q\n%s", c.row, c.below, status, c.says, answer)
		}
	}
	_, answer := w.send("POST", "/api/v1/suppliers", fmt.Sprintf(`{"name":"Too deep","parent_id":%d}`, w.ids["C"]))
	if !strings.Contains(string(answer), deep) {
		w.t.Errorf("a new row too deep: %s", answer)
	}
	_, answer = w.send("POST", "/graphql", encoded(fmt.Sprintf(`mutation { createSupplier(input: {name: "Too deep", parentId: "%s"}) { id } }`, w.global("C"))))
	if !strings.Contains(string(answer), deep) || !strings.Contains(string(answer), "parentId") {
		w.t.Errorf("graphql, a new row too deep: %s", answer)
	}
	for _, c := range [][2]string{{"A", "Other"}, {"A", "Root"}, {"A", ""}, {"A", "Root"}} { // what leaves it a tree
		if status, answer := w.move(c[0], c[1]); status != 200 {
			w.t.Errorf("%s below %q: %d\n%s", c[0], c[1], status, answer)
		}
	}
}

// global is the row's id in GraphQL.
func (w *wood) global(name string) string { return w.idOf(name + " Ltd") }

// race has two rows moved below each other at once, again and again: one wins.
func (w *wood) race() {
	for range 10 {
		var both sync.WaitGroup
		statuses := make([]int, 2)
		for i, c := range [][2]string{{"Other", "Root"}, {"Root", "Other"}} {
			both.Go(func() { statuses[i], _ = w.move(c[0], c[1]) })
		}
		both.Wait()
		if slices.Sort(statuses); statuses[0] != 200 || statuses[1] != 422 {
			w.t.Fatalf("both moved below each other: %v, want one that is refused", statuses)
		}
		for _, name := range []string{"Other", "Root"} {
			if status, answer := w.move(name, ""); status != 200 {
				w.t.Fatalf("%s to the root: %d\n%s", name, status, answer)
			}
		}
	}
}

// raceOf has a second transaction move a row while the first has moved the
// other one and not ended: it waits, and is refused by what the first has done.
func (w *wood) raceOf(database string) {
	t := w.t
	db, err := sql.Open("postgres", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	first, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	const move = `UPDATE "suppliers" SET "parent_id" = $1 WHERE "id" = $2`
	if _, err := first.ExecContext(ctx, move, w.ids["Root"], w.ids["Other"]); err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	go func() {
		_, err := db.ExecContext(ctx, move, w.ids["Other"], w.ids["Root"])
		second <- err
	}()
	for waits := false; !waits; {
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted)`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	err = <-second
	if p, ok := errors.AsType[*pq.Error](err); !ok || p.Constraint != "tree_suppliers_cycle" {
		t.Errorf("the second move: %v, want it refused by tree_suppliers_cycle", err)
	}
}
