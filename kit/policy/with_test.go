package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
)

// posts are deleted with their authors.
var posts = policy.Rules{
	SoftDelete: true, Read: policy.Is("published", true),
	With: policy.With{Column: "author_id", Table: "users"},
}

const (
	going   = ` IN (SELECT "r0"."keeper" FROM "recounts" AS "r0" WHERE "r0"."keepers" = 'users' AND "r0"."away" AND SUBSTR("r0"."relation", 1, 5) = 'with_')) IS NOT TRUE`
	staying = `("p"."author_id"` + going
	kept    = `(("p"."deleted_with" IS NULL OR "p"."deleted_with" <> 0) AND ("p"."author_id" IN (SELECT "r0"."keeper" FROM "recounts" AS "r0" WHERE "r0"."keepers" = 'users' AND "r0"."away" AND "r0"."relation" = 'with_')) IS NOT TRUE)`
	there   = `("p"."deleted_at" IS NULL AND ` + staying + `)`
)

func TestWhatIsBeingDeletedIsHidden(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"from readers", written(posts.Readable(user, false)), `(` + there + ` AND "p"."published")`},
		{"from the system", written(posts.Readable(system, false)), there},
		{"but not from who asks for deleted rows, unless it is removed", written(posts.Readable(user, true)), `(` + kept + ` AND "p"."published")`},
		{"to write, too", written(mustTouch(t)), `((` + there + ` AND "p"."published") AND "p"."author_id" = ?)`},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}

func mustTouch(t *testing.T) policy.Rule {
	t.Helper()
	rules := posts
	rules.Verbs = policy.Verbs{policy.Update: policy.Owner("author_id")}
	rule, err := rules.Touchable(user, policy.Update)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// Ids that are texts or UUIDs are in a table of their own.
func TestWhatIsBeingDeletedWithIDsThatAreTexts(t *testing.T) {
	rules := posts
	rules.With.Keyed = true
	const in = ` IN (SELECT "r0"."keeper" FROM "recounts_keyed" AS "r0" WHERE "r0"."keepers" = 'users' AND "r0"."away" AND SUBSTR("r0"."relation", 1, 5) = 'with_')) IS NOT TRUE`
	if got, want := written(rules.There()), `("p"."deleted_at" IS NULL AND (CAST("p"."author_id" AS text)`+in+`)`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	sent, err := json.Marshal(rules.There())
	if err != nil {
		t.Fatal(err)
	}
	var back policy.Rule
	if err := json.Unmarshal(sent, &back); err != nil || written(back) != written(rules.There()) {
		t.Errorf("%v: sent, it is %s", err, written(back))
	}
	var w brief
	if rules.There().Write(&w, "p"); !w.keyed {
		t.Error("a brief statement asks for integers alone")
	}
}

// The database decides of a row in memory, unless it belongs to no other.
func TestWhatIsBeingDeletedInMemory(t *testing.T) {
	rule := posts.There()
	of := func(author any) policy.Rule {
		return rule.Of(func(column string) any {
			if column == "author_id" {
				return author
			}
			return nil
		})
	}
	if got := of(nil); !got.Always() {
		t.Errorf("a row of nobody: %s", got)
	}
	var text text
	left := of(int64(3))
	left.Write(&text, "")
	if want := `(?` + going; text.String() != want || text.args[0] != int64(3) {
		t.Errorf("%s %v, want %s", text.String(), text.args, want)
	}
}

// brief leaves out what is being deleted.
type brief struct {
	text
	keyed bool
}

// LeaveOut implements policy.Brief.
func (b *brief) LeaveOut(keyed bool) bool {
	b.keyed = b.keyed || keyed
	return true
}

// A statement that knows by itself that nothing is being deleted does not ask.
func TestABriefStatementAsksNotWhatIsBeingDeleted(t *testing.T) {
	alone := posts.There().Of(func(column string) any {
		if column == "author_id" {
			return int64(3)
		}
		return nil
	})
	for _, c := range []struct {
		rule policy.Rule
		want string
	}{
		{posts.Readable(user, false), `(("p"."deleted_at" IS NULL) AND "p"."published")`},
		{policy.Related("post_id", "posts", posts.There()), `EXISTS (SELECT 1 FROM "posts" AS "r0" WHERE "r0"."id" = "p"."post_id" AND ("r0"."deleted_at" IS NULL))`},
		{alone, "1=1"},
		{posts.Readable(user, true), `((("p"."deleted_with" IS NULL OR "p"."deleted_with" <> 0)) AND "p"."published")`},
	} {
		var w brief
		c.rule.Write(&w, "p")
		if w.String() != c.want || len(w.args) > 0 {
			t.Errorf("%s %v, want %s", w.String(), w.args, c.want)
		}
	}
}

// Documents say of it that rows are not deleted.
func TestWhatIsBeingDeletedIsDeleted(t *testing.T) {
	if got := posts.There().String(); got != "deleted_at is null" {
		t.Error(got)
	}
	sent, err := json.Marshal(posts.There())
	if err != nil {
		t.Fatal(err)
	}
	var back policy.Rule
	if err := json.Unmarshal(sent, &back); err != nil {
		t.Fatal(err)
	}
	if got := written(back); got != there {
		t.Errorf("%s, want %s", got, there)
	}
	removed := posts.Readable(system, true)
	if sent, err = json.Marshal(removed); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(sent, &back); err != nil || written(back) != kept {
		t.Errorf("%v: %s, want %s", err, written(back), kept)
	}
	for with, want := range map[any]bool{nil: true, int64(3): true, int64(0): false} {
		if got := removed.Matches(func(column string) any { return map[string]any{"deleted_with": with}[column] }); got != want {
			t.Errorf("a row that is deleted with %v is there: %v, want %v", with, got, want)
		}
	}
	if own, others := posts.There().Apart(); written(own) != `"p"."deleted_at" IS NULL` || written(others) != staying {
		t.Errorf("%s and %s", own, others)
	}
}
