package database_test

import (
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/expose"
)

// nothing leaves the schema unchanged.
func nothing(*world) {}

// counted has authors count their posts.
func counted(w *world) {
	w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")))
}

// grown has posts reply to others.
func grown(says ...schema.Annotation) func(w *world) {
	return func(w *world) {
		w.Post.With(field.Int64("reply_to").Optional().Nillable())
		w.Post.Edges = append(w.Post.Edges, edge.To("replies", worldtest.Post.Type).Annotations(says...),
			edge.From("replied", worldtest.Post.Type).Ref("replies").Field("reply_to").Unique())
	}
}

// noted has posts have a note.
func noted(w *world) { w.Post.With(field.String("note").Optional().Nillable()) }

// otherKeys has the keys of authors and posts in columns of other names.
func otherKeys(w *world) {
	w.Author.With(field.Int64("id").StorageKey("nr").Annotations(expose.By(expose.Sort)))
	w.Post.With(field.Int64("id").StorageKey("post_nr").Annotations(expose.By(expose.Sort)))
}

// written has posts have writers, who are first those that the expression says.
func written(by string) func(w *world) {
	return func(w *world) {
		w.Post.Edges = append(w.Post.Edges, edge.To("writers", worldtest.Author.Type).Annotations(expose.Backfill(by)))
		w.Author.Edges = append(w.Author.Edges, edge.From("wrote", worldtest.Post.Type).Ref("writers"))
	}
}

// chain are rows of which each replies to the one before.
func chain() []string {
	return slices.Concat(rows, []string{`UPDATE posts SET reply_to = 1 WHERE id = 2`, `UPDATE posts SET reply_to = 2 WHERE id = 3`})
}

// owned has every entity belong to an organisation, or only name one.
func owned(is bool, says ...schema.Annotation) func(w *world) {
	by := expose.Tenant("org_id")
	return func(w *world) {
		for _, s := range []*worldtest.Shape{&w.Author, &w.Post, &w.Tag} {
			s.With(field.Int64("org_id").Immutable().Annotations(says...))
			if is {
				s.Tenant = &by
			}
		}
	}
}

// inOrgs are the rows, of two organisations.
func inOrgs() []string {
	in := slices.Clone(rows)
	for i, table := range []string{"authors (", "posts (", "tags ("} {
		in[i] = strings.NewReplacer(table, table+"org_id, ", "(1, ", "(7, 1, ", "(2, ", "(7, 2, ", "(3, ", "(8, 3, ").Replace(in[i])
	}
	return in
}

func dropTags(w *world) {
	w.Tag = worldtest.Shape{}
	w.Post.Edges = w.Post.Edges[:1]
}

func searchNames(w *world) {
	w.Author.With(field.String("name").Annotations(expose.By(expose.Search)))
	w.Author.Resource.Search = []string{"name"}
}

func uniqueEmail(w *world) { w.Author.With(field.String("email").Annotations(expose.UniqueFold())) }

// statuses is the enum with other values.
func statuses(values ...any) ent.Field {
	var names []string
	f := field.Enum("status")
	for _, v := range values {
		switch v := v.(type) {
		case string:
			names = append(names, v)
		case expose.Change:
			f.Annotations(v)
		}
	}
	return f.Values(names...).Default("draft")
}

func turned(w *world) {
	w.Post.Without("author_id")
	w.Post.Edges = w.Post.Edges[1:]
	w.Author.Edges = []ent.Edge{edge.To("post", worldtest.Post.Type).Unique()}
	w.Post.Edges = append(w.Post.Edges, edge.From("authors", worldtest.Author.Type).Ref("post"))
}

func announce(w *world, payload ...string) {
	w.Events = true
	w.Post.Resource.Events = []expose.Topic{{Name: "post.renamed", On: "update", When: "NEW.title <> OLD.title", Payload: payload}}
}
