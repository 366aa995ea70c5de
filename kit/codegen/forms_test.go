package codegen_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// supplierForms is how columns of a supplier have values in forms of their own: a
// ValueScanner, as one that encrypts, and a Go type.
const supplierForms = `package schema

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"entgo.io/ent/schema/field"
)

// Motto is a text that its column has in capitals.
type Motto string

// Value implements driver.Valuer.
func (m Motto) Value() (driver.Value, error) { return strings.ToUpper(string(m)), nil }

// Scan implements sql.Scanner.
func (m *Motto) Scan(v any) error {
	var text sql.NullString
	err := text.Scan(v)
	*m = Motto(strings.ToLower(text.String))
	return err
}

var sealed = field.ValueScannerFunc[string, *sql.NullString]{
	V: func(s string) (driver.Value, error) { return "sealed:" + s, nil },
	S: func(s *sql.NullString) (string, error) {
		text, ok := strings.CutPrefix(s.String, "sealed:")
		if !ok {
			return "", fmt.Errorf("%q has no seal", s.String)
		}
		return text, nil
	},
}
`

// withForms adds the fields.
func withForms(schema string) string {
	const before = "		field.String(\"nickname\")"
	return strings.Replace(schema, before, `		field.String("pin").ValueScanner(sealed).Default("none").
			Comment("What they say on the phone."),
		field.String("hidden").ValueScanner(sealed).Default("hidden").
			Annotations(expose.Internal()),
		field.String("motto").GoType(Motto("")).Optional().Nillable().
			Comment("What they stand for."),
		field.String("creed").GoType(Motto("")).Default("creed").
			Annotations(expose.Internal()),
`+before, 1)
}

// driveForms writes and reads values whose columns have them in forms of their own.
func driveForms(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	uma := &driven{t: t, url: serve(t, binary, env)}
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "uma@example.com", "Uma")
	uma.token = shell(t, dir, env, binary, "token", "uma@example.com")
	shows := func(item map[string]any, pin string, motto any) {
		t.Helper()
		if item["pin"] != pin || item["motto"] != motto {
			t.Errorf("the answer has %v and %v, want %s and %v", item["pin"], item["motto"], pin, motto)
		}
	}
	item := uma.rest("POST", "/suppliers", `{"name":"North Ltd","pin":"4711","motto":"faster"}`, 201)
	shows(item, "4711", "faster")
	path := fmt.Sprintf("/suppliers/%v", item["id"])
	shows(uma.rest("POST", "/suppliers", `{"name":"South Ltd"}`, 201), "none", nil)
	const mutation = `mutation { createSupplier(input: {name: "East Ltd", pin: "1234", motto: "cheaper"}) { pin motto } }`
	shows(uma.graphql(mutation)["createSupplier"].(map[string]any), "1234", "cheaper")
	shows(uma.rest("GET", path, "", 200), "4711", "faster")
	for _, node := range uma.graphql(`{ suppliersConnection(where: {name: "North Ltd"}) { nodes { pin motto } } }`)["suppliersConnection"].(map[string]any)["nodes"].([]any) {
		shows(node.(map[string]any), "4711", "faster")
	}
	version := item["version"]
	item = uma.rest("PATCH", path, `{"pin":"4712"}`, 200)
	if shows(item, "4712", "faster"); item["version"] == version {
		t.Error("a change of a value in a form of its own does not count as a version")
	}
	uma.rest("PATCH", path, `{"motto":null}`, 200)
	if text := uma.text("/suppliers?sort=name&fields=name,pin,motto", "text/csv"); !strings.Contains(text, "East Ltd,1234,cheaper") || strings.Contains(text, "sealed") {
		t.Errorf("CSV: %s", text)
	}
	want := "East Ltd sealed:1234 CHEAPER sealed:hidden CREED, North Ltd sealed:4712 none sealed:hidden CREED, South Ltd sealed:none none sealed:hidden CREED"
	if got := strings.Join(stored(t, database, `SELECT name || ' ' || pin || ' ' || COALESCE(motto, 'none') || ' ' || hidden || ' ' || creed FROM suppliers ORDER BY name`), ", "); got != want {
		t.Errorf("the table has\n%s\nwant\n%s", got, want)
	}
	shell(t, dir, env, binary, "seed", "--users=5", "--posts=0", "--comments=0", "--products=0", "--rows=suppliers=20")
	if n := len(uma.list("/suppliers?limit=100&fields=pin,motto")); n != 23 {
		t.Errorf("%d suppliers are listed, want 3 and 20 that were invented", n)
	}
}

// stored are the texts that a query has in a database.
func stored(t *testing.T, database, query string) (texts []string) {
	t.Helper()
	name, source := "postgres", database
	if path, ok := strings.CutPrefix(database, "sqlite://"); ok {
		name, source = "sqlite", path
	}
	db, err := sql.Open(name, source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(context.WithoutCancel(t.Context()), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}
