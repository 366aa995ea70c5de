package database_test

import (
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// nothing leaves the schema as it is.
func nothing(*world) {}

// counted has authors count their posts.
func counted(w *world) {
	w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")))
}

// grown has posts reply to others.
func grown(says ...schema.Annotation) func(w *world) {
	return func(w *world) {
		w.post.with(field.Int64("reply_to").Optional().Nillable())
		w.post.edges = append(w.post.edges, edge.To("replies", Post.Type).Annotations(says...),
			edge.From("replied", Post.Type).Ref("replies").Field("reply_to").Unique())
	}
}

// chain are rows of which each replies to the one before.
func chain() []string {
	return slices.Concat(rows, []string{`UPDATE posts SET reply_to = 1 WHERE id = 2`, `UPDATE posts SET reply_to = 2 WHERE id = 3`})
}

// owned has every entity belong to an organisation, or only name one.
func owned(is bool, says ...schema.Annotation) func(w *world) {
	return func(w *world) {
		for _, s := range []*shape{&w.author, &w.post, &w.tag} {
			s.with(field.Int64("org_id").Immutable().Annotations(says...))
			s.tenant = is
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
	w.tag = shape{}
	w.post.edges = w.post.edges[:1]
}

func searchNames(w *world) {
	w.author.with(field.String("name").Annotations(expose.By(expose.Search)))
	w.author.resource.Search = []string{"name"}
}

func uniqueEmail(w *world) { w.author.with(field.String("email").Annotations(expose.UniqueFold())) }

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

func editor(w *world, optional bool, says ...expose.Change) {
	f, e := field.Int64("editor_id"), edge.To("editor", Author.Type).Field("editor_id").Unique()
	if optional {
		f.Optional().Nillable()
	} else {
		e.Required()
	}
	for _, c := range says {
		f.Annotations(c)
	}
	w.post.with(f)
	w.post.edges = append(slices.Clip(w.post.edges), e)
}

func turned(w *world) {
	w.post.without("author_id")
	w.post.edges = w.post.edges[1:]
	w.author.edges = []ent.Edge{edge.To("post", Post.Type).Unique()}
	w.post.edges = append(w.post.edges, edge.From("authors", Author.Type).Ref("post"))
}

func announce(w *world, payload ...string) {
	w.events = true
	w.post.resource.Events = []expose.Topic{{Name: "post.renamed", On: "update", When: "NEW.title <> OLD.title", Payload: payload}}
}
