package change_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// verdicts writes what is found into testdata/verdicts.txt: who commits a
// difference says that it is right.
var verdicts = flag.Bool("verdicts", false, "write what is found of each change into testdata/verdicts.txt")

// changed is a change of the schemas.
type changed struct {
	kind int
	name string
	// before makes the world that it begins with, and after makes of that the one
	// that it leads to: the plain one, if it is nil.
	before, after func(w *world)
}

func email(says ...expose.Field) ent.Field {
	f := field.String("email").Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective())
	for _, s := range says {
		f.Annotations(s)
	}
	return f
}

func status(values ...string) *fieldEnum { return &fieldEnum{values: values} }

// fieldEnum is the status of posts with other values.
type fieldEnum struct {
	values []string
	was    []expose.Change
}

func (f *fieldEnum) field() ent.Field {
	b := field.Enum("status").Values(f.values...).Default("draft").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned())
	for _, c := range f.was {
		b.Annotations(c)
	}
	return b
}

func price(lo, hi int64) ent.Field {
	return expose.Range(field.Int64("price"), lo, hi).Default(0).Annotations(expose.By(expose.Sort), expose.Scanned())
}

// linked has those link posts to authors of whom the rule is.
func linked(rule policy.Rule) func(*world) {
	return func(w *world) {
		w.Post.Edges[0] = edge.From("author", worldtest.Author.Type).Ref("posts").Field("author_id").Unique().Required().Annotations(expose.FilterEdge(), policy.Attach(rule))
	}
}

func soft(s *worldtest.Shape) {
	s.With(field.Time("deleted_at").Optional().Nillable().Annotations(expose.Computed()), field.Int64("deleted_with").Optional().Nillable().Annotations(expose.Internal()))
	s.Rules.SoftDelete = true
}

func corpus() []changed {
	nothing := func(*world) {}
	counted := func(when string) func(w *world) {
		return func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", when), expose.By(expose.Sort), expose.Scanned()))
		}
	}
	computed := func(shape expose.Shape, sql string, input ...ent.Field) func(w *world) {
		return func(w *world) {
			w.Post.Resource.Calcs = []expose.Calc{{Name: "price_with", Shape: shape, SQL: sql, Input: input, Comment: "The price with so many percent on it.", Example: 1}}
		}
	}
	const expression = `{row}.price * (100 + :percent)`
	calculated := computed(expose.Count, expression, field.Int64("percent"))
	grown := func(says ...schema.Annotation) func(w *world) {
		return func(w *world) {
			w.Post.With(field.Int64("reply_to").Optional().Nillable())
			w.Post.Edges = append(w.Post.Edges[:2:2], edge.To("replies", worldtest.Post.Type).Annotations(says...),
				edge.From("replied", worldtest.Post.Type).Ref("replies").Field("reply_to").Unique())
		}
	}
	owned := func(of *expose.Belonging) func(w *world) {
		return func(w *world) {
			w.Post.With(field.Int64("org_id").Immutable(), field.String("slug").Unique())
			w.Post.Tenant = of
		}
	}
	indexed := func(of *expose.Belonging) func(w *world) {
		return func(w *world) {
			owned(of)(w)
			w.Post.Indexes = []ent.Index{index.Fields("title", "price"), index.Fields("price", "org_id"), index.Fields("title", "status").Unique()}
		}
	}
	byOrg := expose.Tenant("org_id")
	admins := byOrg.Across("admin")
	return []changed{
		{0, "nothing", nothing, nothing},
		{1, "add an entity", func(w *world) { w.Tag = worldtest.Shape{}; w.Post.Edges = w.Post.Edges[:1] }, nil},
		{2, "drop an entity", nothing, func(w *world) { w.Tag = worldtest.Shape{}; w.Post.Edges = w.Post.Edges[:1] }},
		{3, "rename an entity", nothing, func(w *world) {
			w.Rename()
			was := expose.Was("Author")
			w.Author.Change = &was
		}},
		{3, "rename an entity that keeps its table", func(w *world) { w.Author.Table = "authors" }, func(w *world) {
			w.Rename()
			was := expose.Was("Author")
			w.Author.Change, w.Author.Table = &was, "authors"
		}},
		{3, "rename an entity at a path of its own", func(w *world) { w.Author.Resource.Path = "people" }, func(w *world) {
			w.Rename()
			was := expose.Was("Author")
			w.Author.Change = &was
		}},
		{2, "rename an entity unsaid", nothing, func(w *world) { w.Rename() }},
		{4, "hide an entity", nothing, func(w *world) { w.Tag.Hidden = true }},
		{5, "change a path", nothing, func(w *world) { w.Tag.Resource.Path = "labels" }},
		{6, "add a nullable field", nothing, func(w *world) { w.Post.With(field.String("subtitle").Optional().Nillable()) }},
		{7, "add a field with a default", nothing, func(w *world) { w.Post.With(field.String("language").Default("en")) }},
		{8, "add a field that Go computes, without values for the rows", nothing, func(w *world) { w.Post.With(field.Time("made_at").Default(time.Now)) }},
		{8, "add a field that Go computes", nothing, func(w *world) {
			w.Post.With(field.Time("made_at").Default(time.Now).Annotations(expose.Backfill("now()")))
		}},
		{9, "add a required field", nothing, func(w *world) { w.Post.With(field.String("language")) }},
		{9, "add a required field with values for the rows", nothing, func(w *world) { w.Post.With(field.String("language").Annotations(expose.Backfill("'en'"))) }},
		{9, "add a required field that only the service sets", func(w *world) { w.Tag.Resource.Operations = expose.ReadOnly() }, func(w *world) { w.Tag.With(field.String("language").Annotations(expose.Computed())) }},
		{10, "drop a field", nothing, func(w *world) { w.Author.Without("email"); w.Author.Resource.Events = nil }},
		{10, "drop a field that was deprecated", func(w *world) {
			w.Author.With(field.String("bio").Optional().Nillable().Annotations(expose.Deprecated("2026-01-01", "2027-07-01", "nothing")))
		}, func(w *world) { w.Author.Without("bio") }},
		{19, "a text that comes to be unique whatever the case", func(w *world) { w.Author.With(field.String("nick")) }, func(w *world) {
			w.Author.With(field.String("nick").Annotations(expose.UniqueFold()))
		}},
		{22, "texts of any length", nothing, func(w *world) { w.Post.With(field.String("title")) }},
		{10, "drop a field that nothing else knows", nothing, func(w *world) { w.Author.Without("bio") }},
		{10, "drop a computed value", calculated, func(w *world) { w.Post.Resource.Calcs = nil }},
		{10, "drop a derived field", nothing, func(w *world) { w.Post.Resource.Derived = nil }},
		{10, "rename a field unsaid", nothing, func(w *world) { w.Author.Without("bio"); w.Author.With(field.String("about").Optional().Nillable()) }},
		{36, "rename an edge unsaid", nothing, func(w *world) {
			w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type)}
			w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
		}},
		{11, "rename a field that rules and a check name", func(w *world) {
			w.Author.Rules.Read, w.Author.Checks = policy.Is("email", "a"), map[string]string{"known": "email <> ''"}
		}, func(w *world) {
			w.Author.Without("email")
			w.Author.With(field.String("address").Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Was("email")))
			w.Author.Resource.Events[0].When, w.Author.Resource.Events[0].Payload = "NEW.address <> OLD.address", []string{"address"}
			w.Author.Rules.Read, w.Author.Checks = policy.Is("address", "a"), map[string]string{"known": "address <> ''"}
		}},
		{11, "rename a field", nothing, func(w *world) {
			w.Author.Without("email")
			f := field.String("address").Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Was("email"))
			w.Author.With(f)
			w.Author.Resource.Events[0].When, w.Author.Resource.Events[0].Payload = "NEW.address <> OLD.address", []string{"address"}
		}},
		{11, "rename a text that is unique whatever the case", func(w *world) {
			w.Author.With(field.String("nick").Annotations(expose.UniqueFold()))
		}, func(w *world) {
			w.Author.Without("nick")
			w.Author.With(field.String("called").Annotations(expose.UniqueFold(), expose.Was("nick")))
		}},
		{11, "rename a field that keeps its names", nothing, func(w *world) {
			w.Author.Without("bio")
			w.Author.With(field.String("about").Optional().Nillable().Annotations(expose.Was("bio"), expose.Named("bio"), expose.Also("bio")))
		}},
		{11, "rename a field that keeps its column", nothing, func(w *world) {
			w.Author.Without("email")
			w.Author.With(field.String("address").StorageKey("email").Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Was("email")))
		}},
		{11, "rename the column alone, once its field is renamed", func(w *world) {
			w.Author.Without("bio")
			w.Author.With(field.String("about").StorageKey("bio").Optional().Nillable().Annotations(expose.Was("bio")))
		}, func(w *world) {
			w.Author.Without("bio")
			w.Author.With(field.String("about").Optional().Nillable().Annotations(expose.Was("bio")))
		}},
		{3, "rename the table alone, once its entity is renamed", func(w *world) { w.Rename(); w.Author.Table = "authors" }, func(w *world) { w.Author.Table = "" }},
		{11, "rename the table between alone, once its edge is renamed", func(w *world) {
			w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type).StorageKey(edge.Table("post_tags")).Annotations(expose.Was("tags"))}
			w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
		}, func(w *world) {
			w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type).Annotations(expose.Was("tags"))}
			w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
		}},
		{11, "rename an enum that keeps its column", nothing, func(w *world) {
			w.Post.Without("status")
			w.Post.With(field.Enum("stage").Values("draft", "live", "dead").Default("draft").StorageKey("status").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Was("status")))
			w.Post.Resource.Actions = nil
		}},
		{11, "one name less in GraphQL", func(w *world) { w.Author.With(email(expose.Also("mail"))) }, nil},
		{11, "another name in REST", nothing, func(w *world) { w.Author.With(email(expose.Named("mail"))) }},
		{11, "rename an edge", nothing, func(w *world) {
			w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type).Annotations(expose.Was("tags"))}
			w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
		}},
		{12, "int to bigint", nothing, func(w *world) { w.Author.With(field.Int64("age").Default(0)) }},
		{13, "a longer limit", nothing, func(w *world) { w.Post.With(expose.Length(field.String("title"), 1, 40)) }},
		{14, "a narrower type", func(w *world) {
			w.Author.With(field.Int64("age").Default(0).Annotations(expose.By(expose.Sort), expose.Selective()))
		}, func(w *world) {
			w.Author.With(field.Int32("age").Default(0).Annotations(expose.By(expose.Sort), expose.Selective()))
		}},
		{14, "a shorter limit", nothing, func(w *world) { w.Post.With(expose.Length(field.String("title"), 1, 10)) }},
		{15, "nullable to required", nothing, func(w *world) { w.Author.With(field.String("bio")) }},
		{15, "nullable to required, sorted by", func(w *world) {
			w.Author.With(field.String("email").Optional().Nillable().Annotations(expose.By(expose.Sort), expose.Selective()))
		},
			func(w *world) {
				w.Author.With(field.String("email").Default("none").Annotations(expose.By(expose.Sort), expose.Selective(), expose.Backfill("'none'")))
			}},
		{16, "an input without its default", func(w *world) { w.Post.With(field.Enum("status").Values("draft", "live", "dead").Default("draft")) },
			func(w *world) { w.Post.With(field.Enum("status").Values("draft", "live", "dead")) }},
		{17, "required to nullable", nothing, func(w *world) {
			w.Author.With(field.String("email").Optional().Nillable().Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective()))
		}},
		{18, "another default", nothing, func(w *world) {
			w.Post.With(expose.Range(field.Int64("price"), 0, 1000).Default(7).Annotations(expose.By(expose.Sort), expose.Scanned()))
		}},
		{19, "add unique", nothing, func(w *world) {
			w.Author.With(field.String("email").Unique().Annotations(expose.By(expose.Filter, expose.Sort)))
		}},
		{19, "add a unique index", nothing, func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "author_id").Unique()} }},
		{20, "drop unique", func(w *world) { w.Author.With(field.String("email").Unique()) }, func(w *world) { w.Author.With(field.String("email")) }},
		{20, "drop unique of the key", func(w *world) {
			w.Tag.With(expose.Slug(field.String("label")).Unique())
			w.Tag.Resource.Key = "label"
		}, func(w *world) {
			w.Tag.With(expose.Slug(field.String("label")))
			w.Tag.Resource.Key = ""
		}},
		{21, "a tighter check", nothing, func(w *world) { w.Post.Checks = map[string]string{"cheap": "price < 100"} }},
		{21, "a tighter range", nothing, func(w *world) { w.Post.With(price(0, 500)) }},
		{21, "a rule over fields", nothing, func(w *world) {
			w.Post.Resource.Checks = []expose.Check{{Name: "signed", Rule: policy.Any(policy.Is("status", "draft"), policy.Less("author_id", "price")), Fields: []string{"price"}, Says: "must be more"}}
		}},
		{21, "a tree", grown(), grown(expose.Tree(4))},
		{21, "a tree of fewer levels", grown(expose.Tree(4)), grown(expose.Tree(3))},
		{22, "a tree of more levels", grown(expose.Tree(4)), grown(expose.Tree(5))},
		{22, "a tree no longer", grown(expose.Tree(4)), grown()},
		{22, "a looser check", func(w *world) { w.Post.Checks = map[string]string{"cheap": "price < 100"} }, nil},
		{22, "a looser range", nothing, func(w *world) { w.Post.With(price(0, 5000)) }},
		{23, "add a value", nothing, func(w *world) { w.Post.With(status("draft", "live", "dead", "late").field()) }},
		{24, "remove a value", nothing, func(w *world) { w.Post.With(status("draft", "live").field()) }},
		{24, "remove a value that becomes another", nothing, func(w *world) {
			s := status("draft", "live")
			s.was = []expose.Change{expose.ValueWas("draft", "dead")}
			w.Post.With(s.field())
		}},
		{25, "rename a value", nothing, func(w *world) {
			s := status("draft", "live", "gone")
			s.was = []expose.Change{expose.ValueWas("gone", "dead")}
			w.Post.With(s.field())
		}},
		{26, "a field made secret", nothing, func(w *world) { w.Author.With(field.String("email").Annotations(expose.Secret())) }},
		{26, "a field made internal", nothing, func(w *world) { w.Author.With(field.Int32("age").Default(0).Annotations(expose.Internal())) }},
		{27, "visible to fewer", nothing, func(w *world) { w.Author.With(email(expose.VisibleTo("admin"))) }},
		{28, "visible to more", func(w *world) { w.Author.With(email(expose.VisibleTo("admin"))) }, nil},
		{29, "writable by fewer", nothing, func(w *world) { w.Author.With(email(expose.WritableBy("admin"))) }},
		{30, "remove a filter and an order", nothing, func(w *world) { w.Author.With(field.String("email").Annotations(expose.Selective())) }},
		{31, "add a filter without an index", nothing, func(w *world) {
			w.Post.With(expose.Length(field.String("title"), 1, 20).Annotations(expose.By(expose.Filter), expose.Scanned()))
		}},
		{41, "add an order with an index", nothing, func(w *world) {
			w.Post.With(expose.Length(field.String("title"), 1, 20).Annotations(expose.By(expose.Sort), expose.Selective()))
		}},
		{31, "add a search", nothing, func(w *world) {
			w.Author.With(field.String("name").Annotations(expose.By(expose.Filter, expose.Search), expose.Scanned()))
		}},
		{32, "another order and size of pages", nothing, func(w *world) { w.Post.Resource.Sort, w.Post.Resource.Limit = "-id", 50 }},
		{32, "another size of pages", nothing, func(w *world) { w.Post.Resource.Limit = 50 }},
		{8, "a column that the database computes", func(w *world) {
			w.Post.With(field.String("currency").Default("EUR"), field.Int64("price").Default(0).Annotations(expose.Money("currency")))
		}, func(w *world) {
			w.Post.With(field.Int64("price").Default(0).Annotations(expose.Money("currency"), expose.By(expose.Sort), expose.Scanned()))
		}},
		{24, "rename a value unsaid", nothing, func(w *world) { w.Post.With(status("draft", "live", "gone").field()) }},
		{33, "precision of money", nothing, func(w *world) {
			w.Post.With(field.String("currency").Default("EUR"))
			w.Post.With(field.Int64("price").Default(0).Annotations(expose.By(expose.Sort), expose.Scanned(), expose.Money("currency")))
		}},
		{33, "another type of amounts", nothing, func(w *world) {
			w.Post.With(field.String("currency").Default("EUR"))
			w.Post.With(field.Int("price").Default(0).Annotations(expose.By(expose.Sort), expose.Scanned(), expose.Money("currency")))
		}},
		{34, "add an edge", nothing, func(w *world) { w.AddEditor(true) }},
		{34, "add an edge of many to many", func(w *world) { w.Post.Edges, w.Tag.Edges = w.Post.Edges[:1], nil }, nil},
		{35, "add a required edge", nothing, func(w *world) { w.AddEditor(false) }},
		{35, "add a required edge with values for the rows", nothing, func(w *world) { w.AddEditor(false, expose.Backfill("author_id")) }},
		{36, "one to many becomes many to one", nothing, func(w *world) {
			w.Post.Without("author_id")
			w.Post.Resource.Events[0].Payload = []string{"status", "price"}
			w.Author.Edges = []ent.Edge{edge.To("post", worldtest.Post.Type).Unique()}
			w.Post.Edges = []ent.Edge{w.Post.Edges[1], edge.From("authors", worldtest.Author.Type).Ref("post")}
		}},
		{37, "what a removal does", nothing, func(w *world) {
			w.Author.Edges = []ent.Edge{edge.To("posts", worldtest.Post.Type).Annotations(entsql.OnDelete(entsql.Restrict), expose.Nested(expose.List))}
		}},
		{38, "soft deletes", nothing, func(w *world) { soft(&w.Post) }},
		{38, "no soft deletes", func(w *world) { soft(&w.Post) }, nil},
		{39, "a narrower policy", nothing, func(w *world) { w.Post.Rules.Read = policy.Roles("admin") }},
		{39, "a wider policy", func(w *world) { w.Post.Rules.Read = policy.Any(policy.Is("status", "live"), policy.Roles("admin")) }, func(w *world) {
			w.Post.Rules.Read = policy.Any(policy.Is("status", "live"), policy.Roles("admin"), policy.Roles("editor"))
		}},
		{39, "rows that fewer link", linked(policy.Anyone()), linked(policy.Roles("editor"))},
		{39, "rows that others link", nothing, linked(policy.Anyone())},
		{39, "an action in fewer states", nothing, func(w *world) { w.Post.Resource.Actions[0].When = policy.In("status", "draft", "dead") }},
		{39, "rows that come to belong to tenants", owned(nil), owned(&byOrg)},
		{39, "rows that belong to tenants no longer", owned(&byOrg), owned(nil)},
		{39, "a role that reaches all tenants", owned(&byOrg), owned(&admins)},
		{39, "rows with indexes that come to belong to tenants", indexed(nil), indexed(&byOrg)},
		{39, "rows with indexes that belong to tenants no longer", indexed(&byOrg), indexed(nil)},
		{39, "rows with indexes that come to belong to tenants by a new column, and another rule", func(w *world) {
			w.Post.Indexes = []ent.Index{index.Fields("title", "price")}
		}, func(w *world) {
			indexed(&byOrg)(w)
			w.Post.Rules.Read = policy.Roles("admin")
		}},
		{40, "remove an operation", nothing, func(w *world) { w.Tag.Resource.Operations = expose.Except(expose.Delete) }},
		{40, "remove an action", nothing, func(w *world) { w.Post.Resource.Actions = nil; delete(w.Post.Rules.Verbs, "publish") }},
		{41, "add an index", nothing, func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "price")} }},
		{42, "drop an index", func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "price")} }, nil},
		{43, "count", nothing, counted("")},
		{44, "count something else", counted(""), counted("NEW.status = 'live'")},
		{44, "count by a rule", counted(""), func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "").Where(policy.Is("status", "live")), expose.By(expose.Sort), expose.Scanned()))
		}},
		{44, "another derived field", nothing, func(w *world) {
			w.Post.Resource.Derived = []expose.Derived{{Name: "dear", Shape: expose.Flag, SQL: "{row}.price > 500", Comment: "Whether it is dear.", Example: true}}
		}},
		{44, "another computed value", calculated, computed(expose.Count, `{row}.price * :percent`, field.Int64("percent"))},
		{14, "a computed value of another type", calculated, computed(expose.Decimal, expression, field.Int64("percent"))},
		{0, "a new computed value", nothing, calculated},
		{45, "an argument of a job removed", nothing, func(w *world) { w.edit("worker/letter.go", "	Email    string `json:\"email\"`\n", "") }},
		{45, "an argument of a job renamed", nothing, func(w *world) { w.edit("worker/letter.go", `json:"email"`, `json:"address"`) }},
		{45, "an argument of a job required", nothing, func(w *world) { w.edit("worker/letter.go", ",omitempty", "") }},
		{46, "a kind of job renamed", nothing, func(w *world) { w.edit("worker/letter.go", `"letter"`, `"mail"`) }},
		{46, "a kind of job removed", nothing, func(w *world) { delete(w.files, "worker/letter.go") }},
		{47, "the payload of an event", nothing, func(w *world) { w.Post.Resource.Events[0].Payload = []string{"status", "author_id", "title"} }},
		{47, "a topic gone", nothing, func(w *world) { w.Post.Resource.Events = nil }},
		{45, "an argument of a job of an event", moving("status", "title"), moving("status")},
		{45, "an argument that a job of an event can do without", moving("status", "note"), moving("status")},
		{45, "an argument of a job that is declared elsewhere", func(w *world) { moving("status", "title")(w); delete(w.files, "worker/moved.go") }, func(w *world) { moving("status")(w); delete(w.files, "worker/moved.go") }},
		{46, "an event that makes no job any longer", moving("status"), func(w *world) { moving("status")(w); w.Post.Resource.Events[0].Job = "" }},
		{46, "an event whose job is of another kind", moving("status"), func(w *world) { moving("status")(w); w.Post.Resource.Events[0].Job = "letter" }},
		{0, "an event that makes a job", queueing, moving("status", "price", "author_id")},
		{48, "the type of ids", nothing, func(w *world) { w.Tag.With(field.Int32("id").Annotations(expose.By(expose.Sort))) }},
		{49, "an input of an action removed", nothing, func(w *world) { w.Post.Resource.Actions = []expose.Action{publish()} }},
		{49, "an input of an action required", nothing, func(w *world) {
			w.Post.Resource.Actions = []expose.Action{publish(field.String("note"), field.Int64("place"))}
		}},
		{49, "an argument of a computed value removed", computed(expose.Count, expression+` + :more`, field.Int64("percent"), field.Int64("more").Default(1)), calculated},
		{49, "an argument of a computed value required", computed(expose.Count, expression, field.Int64("percent").Default(1)), calculated},
		{18, "an optional argument of a computed value", calculated, computed(expose.Count, expression, field.Int64("percent").Default(1))},
		{0, "an input of an action renamed", nothing, func(w *world) {
			w.Post.Resource.Actions = []expose.Action{publish(field.String("remark").Optional().Nillable().Annotations(expose.Was("note")))}
		}},
		{49, "an input of an action renamed unsaid", nothing, func(w *world) {
			w.Post.Resource.Actions = []expose.Action{publish(field.String("remark").Optional().Nillable())}
		}},
		{49, "the old name of an input of an action gone", func(w *world) {
			w.Post.Resource.Actions = []expose.Action{publish(field.String("remark").Optional().Nillable().Annotations(expose.Was("note")))}
		}, func(w *world) {
			w.Post.Resource.Actions = []expose.Action{publish(field.String("remark").Optional().Nillable())}
		}},
		{0, "an optional input of an action", nothing, func(w *world) {
			w.Post.Resource.Actions = []expose.Action{publish(field.String("note").Optional().Nillable(), field.Int64("place").Optional())}
		}},
		{49, "inputs and answers of operations by hand", nothing, func(w *world) {
			w.edit("rest/auth.yaml", "required: [email], properties: {email: {type: string}, code: {type: string}}", "required: [email, code], properties: {email: {type: string}, code: {type: integer}}")
			w.edit("rest/auth.yaml", ", user: {type: string}", "")
			w.edit("gql/viewer.graphql", "name: String! age: Int", "name: String")
			w.edit("gql/viewer.graphql", "verbose: Boolean", "verbose: Boolean!")
		}},
		{50, "a lower limit", nothing, func(w *world) { w.Post.Resource.Bulk[0].Maximum = 10 }},
	}
}

// judged are the findings of the change.
func (c changed) judged(t *testing.T) []change.Finding {
	t.Helper()
	before, after := newWorld(), newWorld()
	c.before(before)
	c.before(after)
	if c.after == nil {
		after = newWorld()
	} else {
		c.after(after)
	}
	return change.Judge(before.contract(t), after.contract(t))
}

// Every kind of change has exactly the findings that testdata/verdicts.txt says, with their
// effects, ways and commands. A change has at most the effects of its kind, and each effect
// of a kind is that of some change in the corpus.
func TestVerdicts(t *testing.T) {
	var b strings.Builder
	most := map[int]change.Effects{}
	for _, c := range corpus() {
		t.Run(c.name, func(t *testing.T) {
			found := c.judged(t)
			write(&b, c, found)
			if !slices.ContainsFunc(found, func(f change.Finding) bool { return f.Kind == c.kind }) && c.name != "nothing" {
				t.Errorf("no finding of kind %d", c.kind)
			}
			for _, f := range found {
				most[f.Kind] = worst(t, f, most[f.Kind])
			}
		})
	}
	for _, k := range change.Kinds() {
		want := k.Does
		if k.Taken() {
			want = want[:1] + "d" + want[2:]
		}
		if got := line(most[k.Number]); got != want {
			t.Errorf("%d %s: the corpus reaches %s of %s", k.Number, k.Code, got, want)
		}
	}
	const file = "testdata/verdicts.txt"
	if *verdicts {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s is not what is found (go test -run TestVerdicts -verdicts writes it):\n%s", file, difference(string(want), b.String()))
	}
}

func write(b *strings.Builder, c changed, found []change.Finding) {
	fmt.Fprintf(b, "%d %s\n", c.kind, c.name)
	for _, f := range found {
		fmt.Fprintf(b, "\t%-7s %-20s %s  %s: %s\n", f.Verdict, f.Code, line(f.Effects), f.What, f.Says)
		for _, more := range []string{f.Way, f.Command} {
			if more != "" {
				fmt.Fprintf(b, "\t\t%s\n", more)
			}
		}
		for _, a := range f.Answers {
			fmt.Fprintf(b, "\t\t%s? %s: %s\n", f.Asks, a.Means, a.Line)
		}
	}
}

// worst adds what the finding does to what its kind was seen to do.
func worst(t *testing.T, f change.Finding, e change.Effects) change.Effects {
	t.Helper()
	limit := change.Kinds()[f.Kind].Effects()
	for _, a := range change.Areas() {
		if *a.Of(&f.Effects) > *a.Of(&limit) {
			t.Errorf("%s %s is worse than its kind says: %s", f.Code, f.What, a.Name)
		}
		*a.Of(&e) = max(*a.Of(&e), *a.Of(&f.Effects))
	}
	return e
}

// line has a letter for each area.
func line(e change.Effects) string {
	var b strings.Builder
	for _, a := range change.Areas() {
		b.WriteByte("-dB"[*a.Of(&e)])
	}
	return b.String()
}

// difference are the lines that only one of the texts has.
func difference(want, got string) string {
	var b strings.Builder
	for _, side := range [][3]string{{"-", want, got}, {"+", got, want}} {
		others := strings.Split(side[2], "\n")
		for l := range strings.SplitSeq(side[1], "\n") {
			if !slices.Contains(others, l) {
				fmt.Fprintln(&b, side[0], l)
			}
		}
	}
	return b.String()
}
