package adopt_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/adopt"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

const shop = `
CREATE TABLE user (id INTEGER PRIMARY KEY, email VARCHAR(60) NOT NULL UNIQUE, api_token TEXT, version INTEGER);
CREATE TABLE address (user_id INTEGER PRIMARY KEY REFERENCES user (id), street TEXT);
CREATE TABLE orders (nr INTEGER PRIMARY KEY, id TEXT, buyer INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE, placed DATETIME NOT NULL, total NUMERIC(30,4),
	state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'paid')), made DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE tags (slug VARCHAR(40) PRIMARY KEY);
CREATE TABLE marks (id UUID PRIMARY KEY DEFAULT (lower(hex(randomblob(16)))), tag TEXT NOT NULL REFERENCES tags (slug));
CREATE TABLE routes (path TEXT PRIMARY KEY);
CREATE TABLE members (id INTEGER PRIMARY KEY, user_pass VARCHAR(64) NOT NULL DEFAULT '', activation_key TEXT, otp_secret BLOB, secrets JSON, pass INTEGER, passes INTEGER, password_expires DATETIME, token_limit INTEGER, has_password BOOLEAN, token_id INTEGER REFERENCES tags (slug));
CREATE TABLE rates (rate REAL PRIMARY KEY);
CREATE TABLE lines (order_nr INTEGER REFERENCES orders (nr), line INTEGER, PRIMARY KEY (order_nr, line));
CREATE TABLE refunds (id INTEGER PRIMARY KEY, of_order INTEGER REFERENCES Orders, of_tag TEXT REFERENCES TAGS (SLUG), of_log INTEGER REFERENCES logs, of_none INTEGER REFERENCES nowhere);
CREATE TABLE seats (room INTEGER, at REAL, PRIMARY KEY (room, at));
CREATE TABLE doors (room INTEGER, side TEXT, PRIMARY KEY (room, side));
CREATE TABLE logs (line TEXT);
CREATE TABLE favourites (user_id INTEGER REFERENCES user (id), order_nr INTEGER REFERENCES orders (nr), since TEXT DEFAULT 'today', PRIMARY KEY (user_id, order_nr));
CREATE VIEW paid AS SELECT * FROM orders WHERE state = 'paid';
CREATE TRIGGER noted AFTER INSERT ON orders BEGIN UPDATE orders SET id = 'o' || nr WHERE nr = NEW.nr; END;
INSERT INTO tags VALUES ('a b'), ('ä');
INSERT INTO doors VALUES (1, 'north'), (2, NULL);
INSERT INTO routes VALUES ('here'), ('here/there');
INSERT INTO orders (nr, buyer, placed, made) VALUES (1, 1, '2026-11-26 12:00:00.000000+00:00', '2026-11-26');`

// opened is the shop's database.
func opened(t *testing.T, statements string) *adopt.Database {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", "file:"+file)
	if err == nil {
		_, err = db.ExecContext(t.Context(), statements)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := adopt.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func decided(t *testing.T, o adopt.Options) *adopt.Plan {
	t.Helper()
	plan, err := opened(t, shop).Decide(o)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Tables that can be no entity are listed with the reason, and nothing else is left out.
func TestWhatCannotBeKeptIsListed(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	plan := decided(t, adopt.Options{Taken: []string{"User"}, Names: []string{"users"}})
	if err := plan.Write(&said); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"AdoptedUser: table user, /adopted-users", "the name without Adopted is taken", "api_token (Text): it is sensitive by its name",
		"user_version (Int64): a field that is called version means something here", "orders_id (Text): a field that is called id means something here",
		"Address: table address, /addresses", "foreign key of refunds to logs", "foreign key of refunds to nowhere", "foreign key of address to user", "its column is the key of the row",
		"Tag: table tags, /tags, list, create, read, delete", "a text is the id: the client that makes a row gives it", "this program makes one, too",
		`table routes: its key path has a value that no address of a row can hold: "here/there"`, "table rates: its key rate is of the type REAL, and ids are integers, texts or UUIDs", "Line: table lines, /lines, list, create, read, delete", "its key is order_nr and line together: the id of a row has their values with ~ between them", "table seats: its key is room and at together, and at is of the type REAL", "table doors: its key room and side has values of which no id can be made", "table logs: it has no key",
		"favourites: an edge of AdoptedUser to Order", "its column since has its default",
		"column orders.total: a decimal of more than 15 digits", "view paid: a view has no key", "trigger noted: it works as before",
		"made_kept (Text): the values are not in the one form", "Order: table orders, /orders, list, create", "address.version, marks.version, members.version, orders.version, refunds.version, tags.version",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, said.String())
		}
	}
	for _, e := range plan.Entities {
		if slices.ContainsFunc(e.Fields, func(f *adopt.Field) bool { return f.Name == "version" || f.Name == "deleted_at" }) {
			t.Errorf("%s has a field that the kit would keep", e.Name)
		}
	}
}

// The files say the tables' own names, and that all is closed.
func TestFilesSayWhatTheTablesAre(t *testing.T) {
	t.Parallel()
	files, err := decided(t, adopt.Options{Taken: []string{"User"}, Add: []string{"orders.version", "orders.updated_at"}}).Files()
	if err != nil {
		t.Fatal(err)
	}
	text := string(files["schema/order.go"])
	for _, want := range []string{
		`field.Int64("id").StorageKey("nr").Immutable()`, `edge.From("buyer_adopted_user", AdoptedUser.Type).Ref("orders").Field("buyer").Unique().Required()`,
		`field.Text("state").Default("new")`, `field.Time("placed")`, `Read:  adopted`, `entsql.Table("orders")`,
		`SQL: "CAST({row}.\"made\" AS text)"`, `field.Int64("version").Default(1)`, `entsql.DefaultExpr("CURRENT_TIMESTAMP")`, "The database keeps", `state IN ('new', 'paid')`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("order.go does not say %q:\n%s", want, text)
		}
	}
	if user := string(files["schema/adopted_user.go"]); !strings.Contains(user, "entsql.OnDelete(entsql.Cascade)") || !strings.Contains(user, `.Sensitive()`) {
		t.Errorf("adopted_user.go:\n%s", user)
	}
}

// A column is secret by its name: no flag, time, limit or reference is one, and each type
// has a word that makes it one.
func TestSecretsAreKept(t *testing.T) {
	t.Parallel()
	files, err := decided(t, adopt.Options{}).Files()
	if err != nil {
		t.Fatal(err)
	}
	text := string(files["schema/member.go"])
	for name, want := range map[string]string{
		"user_pass": ".Sensitive()", "activation_key": ".Sensitive()", "otp_secret": ".Sensitive()", "secrets": ".Sensitive()", "pass": "expose.Internal()",
		"passes": "", "password_expires": "", "token_limit": "", "has_password": "", "token_id": "",
	} {
		_, field, _ := strings.Cut(text, fmt.Sprintf("(%q", name))
		field, _, _ = strings.Cut(field, "\t\tfield.")
		if kept := strings.Contains(field, ".Sensitive()") || strings.Contains(field, "expose.Internal()") && name != "password_expires"; kept != (want != "") || !strings.Contains(field, want) {
			t.Errorf("%s is kept with %q:\n%s", name, want, field)
		}
	}
}

// Clients write no row of a table that other programs alone write, and name its rows in
// others all the same.
func TestTablesAreReadOnlyWhereAsked(t *testing.T) {
	t.Parallel()
	plan := decided(t, adopt.Options{Taken: []string{"User"}, ReadOnly: []string{"user"}})
	files, err := plan.Files()
	if err != nil {
		t.Fatal(err)
	}
	user, order := string(files["schema/adopted_user.go"]), string(files["schema/order.go"])
	if !strings.Contains(user, "[]expose.Operation{expose.List, expose.Read}") || strings.Contains(user, "Verbs") || !strings.Contains(user, "Decided: list and read alone") {
		t.Errorf("adopted_user.go:\n%s", user)
	}
	if !strings.Contains(order, "policy.Attach(adopted)") || !strings.Contains(order, "expose.CRUD()") {
		t.Errorf("order.go:\n%s", order)
	}
	if _, err := opened(t, shop).Decide(adopt.Options{ReadOnly: []string{"logs"}}); err == nil || !strings.Contains(err.Error(), "--read-only logs: it is no table that is adopted") {
		t.Errorf("a table without a key: %v", err)
	}
}

// A name that a table or an index of the schema has stops the adoption, and so does a
// column that can't be added.
func TestClashesAreRefused(t *testing.T) {
	t.Parallel()
	d := opened(t, shop)
	clashes(t, d, []string{"Orders", "paid", "logs_line_key"}, "view paid, table orders", "ALTER TABLE orders RENAME TO old_orders", "DROP VIEW paid")
	url := storetest.Schema{}.PostgresURL(t)
	db, err := sql.Open("postgres", url)
	if err == nil {
		_, err = db.ExecContext(t.Context(), `CREATE TABLE old_users (id bigint PRIMARY KEY, email text CONSTRAINT users_email_key UNIQUE); CREATE VIEW users AS SELECT * FROM old_users;
			CREATE TABLE events (at date) PARTITION BY RANGE (at); CREATE TYPE jobs AS ENUM ('a')`)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	server, err := adopt.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	clashes(t, server, []string{"users", "users_email_key", "events", "jobs"}, "view users, type jobs, table events, index users_email_key",
		"ALTER VIEW users RENAME TO old_users", "ALTER INDEX users_email_key RENAME TO old_users_email_key", "CREATE VIEW before.events AS SELECT * FROM old_events")
	for _, name := range []string{"user.version", "orders.deleted_at", "none.version"} {
		if _, err := d.Decide(adopt.Options{Add: []string{name}}); err == nil || !strings.Contains(err.Error(), "--add "+name) {
			t.Errorf("--add %s: %v", name, err)
		}
	}
}

func clashes(t *testing.T, d *adopt.Database, names []string, says ...string) {
	t.Helper()
	_, err := d.Decide(adopt.Options{Names: names})
	for _, want := range says {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("names that are there: %v, want %q", err, want)
		}
	}
}

// The baseline has SQLite's own statements, of all tables, since views and triggers may
// name any, and programs can read the decisions.
func TestTheBaselineIsWhatHasMadeTheTables(t *testing.T) {
	t.Parallel()
	plan := decided(t, adopt.Options{})
	text, err := plan.Baseline(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, `-- entwine:baseline "address" "user_id" "street"`+"\n") || strings.Contains(text, `baseline "logs"`) || !strings.Contains(text, "CREATE TABLE logs") || !strings.Contains(text, "CREATE TRIGGER noted") || !strings.Contains(text, "CREATE VIEW paid") {
		t.Errorf("the baseline is\n%s", text)
	}
	var all bytes.Buffer
	if err := plan.JSON(&all); err != nil {
		t.Fatal(err)
	}
	var read adopt.Plan
	if err := json.Unmarshal(all.Bytes(), &read); err != nil || len(read.Entities) != len(plan.Entities) || len(read.Left) == 0 {
		t.Errorf("%v: %s", err, all.String())
	}
}
