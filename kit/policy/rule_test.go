package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

var (
	anonymous = viewer.Anonymous()
	user      = &viewer.Viewer{UserID: 7, Role: "user"}
	admin     = &viewer.Viewer{UserID: 1, Role: viewer.Admin}
	reader    = &viewer.Viewer{KeyID: 3, Permissions: []viewer.Permission{viewer.Read}}
	system    = viewer.System()
)

// text collects a predicate and its arguments.
type text struct {
	strings.Builder
	args []any
}

func (t *text) WriteString(s string) { t.Builder.WriteString(s) }

func (t *text) Arg(value any) {
	t.Builder.WriteString("?")
	t.args = append(t.args, value)
}

func written(r policy.Rule) string {
	var t text
	r.Write(&t, "p")
	return t.String()
}

func TestForLeavesWhatDependsOnTheRow(t *testing.T) {
	public := policy.Is("published", true)
	draft := policy.Any(public, policy.Owner("author_id"), policy.Roles(viewer.Admin))
	for _, c := range []struct {
		name   string
		rule   policy.Rule
		viewer *viewer.Viewer
		want   string
	}{
		{"the zero rule admits nobody", policy.Rule{}, admin, "1=0"},
		{"but the system", policy.Rule{}, system, "1=1"},
		{"anyone is anonymous too", policy.Anyone(), anonymous, "1=1"},
		{"a key is authenticated", policy.Authenticated(), reader, "1=1"},
		{"a key is not signed in", policy.SignedIn(), reader, "1=0"},
		{"a key has its permission", policy.Key(viewer.Read), reader, "1=1"},
		{"and no other", policy.Key(viewer.Write), reader, "1=0"},
		{"a user has no key's permission", policy.Key(viewer.Read), admin, "1=0"},
		{"roles are a set", policy.Roles("editor", viewer.Admin), admin, "1=1"},
		{"and no ladder", policy.Roles("editor"), admin, "1=0"},
		{"owners are users", policy.Owner("author_id"), user, `"p"."author_id" = ?`},
		{"nobody owns anonymously", policy.Owner("author_id"), anonymous, "1=0"},
		{"keys own by another column", policy.KeyOwner("key_id"), reader, `"p"."key_id" = ?`},
		{"users own nothing as keys", policy.KeyOwner("key_id"), user, "1=0"},
		{"alternatives that fail are dropped", draft, anonymous, `"p"."published"`},
		{"one that holds decides", draft, admin, "1=1"},
		{"the others stay", draft, user, `("p"."published" OR "p"."author_id" = ?)`},
		{"conditions that hold are dropped", policy.All(policy.SignedIn(), public), user, `"p"."published"`},
		{"one that fails decides", policy.All(policy.SignedIn(), public), anonymous, "1=0"},
		{"the negation of nothing is everything", policy.Not(policy.Roles(viewer.Admin)), user, "1=1"},
		{"a negation holds for null", policy.Not(public), user, `NOT COALESCE(("p"."published"), FALSE)`},
		{"a relation to nothing is nothing", policy.Related("post_id", "posts", policy.Owner("author_id")), anonymous, "1=0"},
		{"a relation to anything is a foreign key", policy.Related("post_id", "posts", policy.Anyone()), user,
			`EXISTS (SELECT 1 FROM "posts" AS "r0" WHERE "r0"."id" = "p"."post_id")`},
		{"relations nest", policy.Having("product_id", "items", "product_id", policy.Related("order_id", "orders", policy.Is("status", "paid"))), user,
			`EXISTS (SELECT 1 FROM "items" AS "r0" WHERE "r0"."product_id" = "p"."product_id" AND ` +
				`EXISTS (SELECT 1 FROM "orders" AS "r1" WHERE "r1"."id" = "r0"."order_id" AND "r1"."status" = 'paid'))`},
		{"texts are quoted", policy.Is("name", "o'clock"), user, `"p"."name" = 'o''clock'`},
		{"numbers stand as they are", policy.Is("level", 3), user, `"p"."level" = 3`},
		{"false is a negation", policy.Is("published", false), user, `NOT "p"."published"`},
		{"several values are a list", policy.In("status", "paid", "o'k"), user, `"p"."status" IN ('paid', 'o''k')`},
		{"numbers too", policy.In("level", 1, 2), user, `"p"."level" IN (1, 2)`},
		{"no value is nothing", policy.In[string]("status"), user, `1=0`},
		{"columns are compared", policy.Having("id", "payments", "order_id", policy.Less("amount_refunded", "amount")), user,
			`EXISTS (SELECT 1 FROM "payments" AS "r0" WHERE "r0"."order_id" = "p"."id" AND "r0"."amount_refunded" < "r0"."amount")`},
		{"null is tested", policy.Null("deleted_at"), user, `"p"."deleted_at" IS NULL`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := written(c.rule.For(c.viewer)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestColumnsListsWhatIsReadInTheRow(t *testing.T) {
	rule := policy.Any(
		policy.All(policy.Is("published", true), policy.Null("archived_at")),
		policy.Not(policy.Related("category_id", "categories", policy.Is("hidden", true))),
		policy.Is("published", false), policy.In("status", "a"), policy.Less("part", "whole"),
	)
	want := []string{"archived_at", "category_id", "part", "published", "status", "whole"}
	if got := rule.Columns(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The schemas of a tracker: each says of itself alone who reads it.
type (
	club    struct{ ent.Schema }
	project struct{ ent.Schema }
)

func (club) Policy() ent.Policy {
	return policy.Rules{Read: policy.Having("id", "members", "club_id", policy.Owner("user_id"))}
}

func (project) Policy() ent.Policy {
	return policy.Rules{SoftDelete: true, Read: policy.Through("club_id", "clubs", club{}), Verbs: policy.Verbs{policy.Update: policy.Is("open", true)}}
}

func TestARuleLeadsThroughWhatOthersSayOfThemselves(t *testing.T) {
	read := policy.Through("project_id", "projects", project{})
	want := policy.Related("project_id", "projects", policy.All(policy.Null("deleted_at"),
		policy.Related("club_id", "clubs", policy.Having("id", "members", "club_id", policy.Owner("user_id")))))
	if got := written(read.For(user)); got != written(want.For(user)) {
		t.Errorf("got %s, want %s", got, written(want.For(user)))
	}
	may := policy.Through("project_id", "projects", project{}, policy.Update)
	if got := written(may.For(user)); !strings.Contains(got, `"open"`) || !strings.Contains(got, `"members"`) {
		t.Errorf("may update: %s", got)
	}
	if none := policy.Through("project_id", "projects", project{}, policy.Delete); !none.For(user).Never() {
		t.Error("a verb without a rule admits nothing")
	}
}

func TestReadableLeavesDeletedRowsOut(t *testing.T) {
	rules := policy.Rules{SoftDelete: true, Read: policy.Any(policy.Is("published", true), policy.Roles(viewer.Admin))}
	for _, c := range []struct {
		name    string
		viewer  *viewer.Viewer
		deleted bool
		want    string
	}{
		{"for everyone", user, false, `("p"."deleted_at" IS NULL AND "p"."published")`},
		{"for those who read all", admin, false, `"p"."deleted_at" IS NULL`},
		{"for the system", system, false, `"p"."deleted_at" IS NULL`},
		{"unless asked for", user, true, `(("p"."deleted_with" IS NULL OR "p"."deleted_with" <> 0) AND "p"."published")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := written(rules.Readable(c.viewer, c.deleted)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	none := policy.Rules{SoftDelete: true, Read: policy.SignedIn()}
	if !none.Readable(anonymous, false).Never() {
		t.Error("whoever reads nothing reads nothing")
	}
}

func TestCheckAnswersWhoIsThereBeforeWhatIsAllowed(t *testing.T) {
	rules := policy.Rules{Verbs: policy.Verbs{policy.Update: policy.Owner("author_id"), policy.Delete: policy.Roles(viewer.Admin)}}
	for _, c := range []struct {
		name   string
		viewer *viewer.Viewer
		verb   string
		want   error
	}{
		{"anonymous callers show who they are", anonymous, policy.Update, problem.ErrAuthRequired},
		{"those who may for some row pass", user, policy.Update, nil},
		{"others are refused", user, policy.Delete, problem.ErrForbidden},
		{"a verb without a rule is nobody's", admin, "publish", problem.ErrForbidden},
		{"but the system's", system, "publish", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := rules.Check(c.viewer, c.verb); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestOfLeavesWhatTheDatabaseKnows(t *testing.T) {
	bought := policy.Having("product_id", "items", "product_id", policy.Owner("user_id"))
	rule := policy.Any(policy.All(policy.Owner("author_id"), bought), policy.Is("free", true)).For(user)
	for _, c := range []struct {
		name string
		row  map[string]any
		want string
	}{
		{"nothing of it", map[string]any{"author_id": int64(8)}, "1=0"},
		{"all of it", map[string]any{"free": true}, "1=1"},
		{"nothing is related to null", map[string]any{"author_id": int64(7)}, "1=0"},
		{"the related row", map[string]any{"author_id": int64(7), "product_id": int64(5)},
			`EXISTS (SELECT 1 FROM "items" AS "r0" WHERE "r0"."product_id" = ? AND "r0"."user_id" = ?)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := written(rule.Of(func(column string) any { return c.row[column] })); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestARuleIsPersonalIfItAsksWhoAsks(t *testing.T) {
	for _, r := range []policy.Rule{policy.Owner("a"), policy.SignedIn(), policy.Not(policy.Related("a", "b", policy.Roles(viewer.Admin)))} {
		if !r.Personal() {
			t.Errorf("%v is not personal", r.Terms())
		}
	}
	if policy.Any(policy.Is("a", 1), policy.Related("a", "b", policy.Less("c", "d"))).Personal() {
		t.Error("columns are personal")
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	mine, others := policy.Null("deleted_at"), policy.Related("post_id", "posts", policy.Is("published", true))
	same := func(got, want policy.Rule) bool { return written(got) == written(want) }
	for name, c := range map[string]struct{ rule, own, others policy.Rule }{
		"columns alone":   {mine, mine, policy.Anyone()},
		"other rows":      {others, policy.Anyone(), others},
		"both":            {policy.All(mine, others), mine, others},
		"one or other":    {policy.Any(mine, others), policy.Anyone(), policy.Any(mine, others)},
		"not other rows":  {policy.All(policy.Not(others), mine), mine, policy.Not(others)},
		"deeper":          {policy.All(mine, policy.All(mine, others)), policy.All(mine, mine), others},
		"anyone":          {policy.Anyone(), policy.Anyone(), policy.Anyone()},
		"another, nobody": {policy.All(policy.Another("posts", mine), policy.Nobody()), policy.Nobody(), policy.Another("posts", mine)},
	} {
		if own, rest := c.rule.Apart(); !same(own, c.own) || !same(rest, c.others) {
			t.Errorf("%s: %s and %s, want %s and %s", name, written(own), written(rest), written(c.own), written(c.others))
		}
	}
}
