package policy_test

import (
	"database/sql"
	"errors"
	"testing"

	_ "modernc.org/sqlite"
	"pgregory.net/rapid"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A world of two tables: every row has an owner, a state, a flag that may be
// null, a time that may be null, the id of another row or none, and two numbers
// that may be null.
const world = `
CREATE TABLE things (id integer PRIMARY KEY, owner integer, state text, flag bool, gone datetime, other integer, part integer, whole integer);
CREATE TABLE others (id integer PRIMARY KEY, owner integer, state text, flag bool, gone datetime, other integer, part integer, whole integer);
INSERT INTO others VALUES (1, 7, 'a', true, NULL, NULL, 1, 2), (2, 8, 'b', false, 'x', 1, 2, 2), (3, NULL, NULL, NULL, NULL, 2, NULL, 2), (4, 7, 'o''b', true, 'x', 3, 2, 1);`

// conditions on the row and the viewer.
func leaf(t *rapid.T) policy.Rule {
	return rapid.SampledFrom([]policy.Rule{
		policy.Anyone(), policy.Nobody(), policy.Authenticated(), policy.SignedIn(),
		policy.Roles(viewer.Admin), policy.Roles("user", "editor"), policy.Key(viewer.Read),
		policy.Owner("owner"), policy.KeyOwner("owner"),
		policy.Is("state", "a"), policy.Is("state", "o'b"), policy.Is("owner", 8),
		policy.Is("flag", true), policy.Is("flag", false), policy.Null("gone"), policy.Null("owner"),
		policy.In("state", "a", "o'b"), policy.In("owner", 7, 8), policy.In[string]("state"), policy.Less("part", "whole"), policy.Less("whole", "owner"),
	}).Draw(t, "leaf")
}

func rule(t *rapid.T, depth int) policy.Rule {
	if depth == 0 {
		return leaf(t)
	}
	some := func() []policy.Rule {
		rules := make([]policy.Rule, rapid.IntRange(0, 3).Draw(t, "n"))
		for i := range rules {
			rules[i] = rule(t, depth-1)
		}
		return rules
	}
	switch rapid.SampledFrom([]string{"leaf", "any", "all", "not", "related", "having", "another"}).Draw(t, "kind") {
	case "any":
		return policy.Any(some()...)
	case "all":
		return policy.All(some()...)
	case "not":
		return policy.Not(rule(t, depth-1))
	case "related":
		return policy.Related("other", "others", rule(t, depth-1))
	case "having":
		return policy.Having("owner", "others", "owner", rule(t, depth-1))
	case "another":
		return policy.Another("others", rule(t, depth-1))
	}
	return leaf(t)
}

func row(t *rapid.T) map[string]any {
	either := func(name string, values ...any) any { return rapid.SampledFrom(values).Draw(t, name) }
	return map[string]any{
		"id":    int64(1),
		"owner": either("owner", nil, int64(3), int64(7), int64(8)),
		"state": either("state", nil, "a", "b", "o'b"),
		"flag":  either("flag", nil, true, false),
		"gone":  either("gone", nil, "x"),
		"other": either("other", nil, int64(1), int64(2), int64(3), int64(4), int64(9)),
		"part":  either("part", nil, int64(1), int64(2)),
		"whole": either("whole", nil, int64(1), int64(2), int64(9)),
	}
}

// tables is a database with the world.
type tables struct{ *sql.DB }

func newTables(t *testing.T) tables {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(world); err != nil {
		t.Fatal(err)
	}
	return tables{db}
}

// hold has the thing be the row.
func (db tables) hold(t *rapid.T, values map[string]any) {
	if _, err := db.Exec("DELETE FROM things"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("INSERT INTO things VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
		values["owner"], values["state"], values["flag"], values["gone"], values["other"], values["part"], values["whole"]); err != nil {
		t.Fatal(err)
	}
}

// admits reports whether the rule admits the thing.
func (db tables) admits(t *rapid.T, from string, r policy.Rule) bool {
	var w text
	r.Write(&w, "things")
	var found bool
	if err := db.QueryRow("SELECT EXISTS (SELECT 1 "+from+" WHERE "+w.String()+")", w.args...).Scan(&found); err != nil {
		t.Fatalf("%s: %v", w.String(), err)
	}
	return found
}

func anyViewer(t *rapid.T) *viewer.Viewer {
	return rapid.SampledFrom([]*viewer.Viewer{anonymous, user, admin, reader, system}).Draw(t, "viewer")
}

// Rows of which a related row is known to be readable are admitted by what is left
// of a rule as by the whole of it, whether it was folded before or after.
func TestGivenLeavesOutWhatARelatedRowSays(t *testing.T) {
	db := newTables(t)
	if _, err := db.Exec(`ALTER TABLE others ADD COLUMN deleted_at datetime; UPDATE others SET deleted_at = 'x' WHERE id = 4`); err != nil {
		t.Fatal(err)
	}
	left := 0
	rapid.Check(t, func(t *rapid.T) {
		v, values := anyViewer(t), row(t)
		to := policy.Rules{Read: rule(t, 2), SoftDelete: rapid.Bool().Draw(t, "soft")}
		whole := policy.Related("other", "others", to.Reads())
		if rapid.Bool().Draw(t, "more") {
			whole = policy.All(rule(t, 1), whole, rule(t, 1))
		}
		db.hold(t, values)
		there := to.Readable(v, false)
		if !db.admits(t, "FROM things", policy.Related("other", "others", there)) {
			return
		}
		left++
		want := db.admits(t, "FROM things", whole.For(v))
		for name, r := range map[string]policy.Rule{
			"before": whole.Given("other", "others", to.Reads()).For(v),
			"after":  whole.For(v).Given("other", "others", there),
		} {
			if got := db.admits(t, "FROM things", r); got != want {
				t.Fatalf("%s of %v, folded %s: %v of what is left, %v of the whole", written(whole.For(v)), values, name, got, want)
			}
		}
	})
	if left == 0 {
		t.Error("no related row was readable")
	}
}

// Viewers who may do or read nothing at all are found without folding as with it.
func TestChecksAgreeWithFoldedRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyViewer(t)
		rules := policy.Rules{SoftDelete: rapid.Bool().Draw(t, "soft"), Read: rule(t, 3)}
		rules.Verbs = policy.Verbs{policy.Update: rules.Read}
		readable, may := rules.Readable(v, false), rules.May(v, policy.Update)
		var reads, updates error
		if readable.Never() {
			reads = readable.Denied(v)
		}
		if may.Never() {
			_, updates = rules.Allowed(v, policy.Update)
		}
		if got := rules.CheckRead(v); !errors.Is(got, reads) {
			t.Fatalf("%s may be read: %v, want %v", written(readable), got, reads)
		}
		if got := rules.Check(v, policy.Update); !errors.Is(got, updates) {
			t.Fatalf("%s may be updated: %v, want %v", written(may), got, updates)
		}
	})
}

// In memory and in the database, a rule admits the same rows.
func TestMemoryAndDatabaseAgree(t *testing.T) {
	db := newTables(t)
	rapid.Check(t, func(t *rapid.T) {
		v := anyViewer(t)
		folded, values := rule(t, 3).For(v), row(t)
		db.hold(t, values)
		left := folded.Of(func(column string) any { return values[column] })
		stored, asked := db.admits(t, "FROM things", folded), db.admits(t, "", left)
		if stored != asked {
			t.Fatalf("%s of %v: stored %v, in memory %v (left: %s)", written(folded), values, stored, asked, written(left))
		}
		if matches := folded.Matches(func(column string) any { return values[column] }); stored && !matches {
			t.Fatalf("%s of %v: in the database but not in memory", written(folded), values)
		}
	})
}
