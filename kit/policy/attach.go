package policy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Attaching is the rule of [Attach] for an edge. Schemas do not fill it in.
type Attaching struct {
	Rule Rule `json:"rule"`
}

// Name implements schema.Annotation.
func (Attaching) Name() string { return "EntwineAttach" }

// Attach says, as an annotation of an edge, which rows at the edge's other end a
// viewer may link to a row that they may write, and unlink from it. Without it
// these are the rows that the viewer may update:
//
//	edge.From("post", Post.Type).Ref("comments").Field("post_id").Unique().Required().
//		Annotations(policy.Attach(policy.Anyone())) // a reader of the post may comment on it
//
// The rule is one over the rows at the other end. Rows that the viewer can't read
// are never among them.
func Attach(rule Rule) Attaching { return Attaching{rule} }

// Attachings are the rules of [Attach] in the schema and its mixins, by the edges.
func Attachings(s ent.Interface) map[string]Rule {
	edges := slices.Clone(s.Edges())
	for _, m := range s.Mixin() {
		edges = append(edges, m.Edges()...)
	}
	all := map[string]Rule{}
	for _, e := range edges {
		for _, a := range e.Descriptor().Annotations {
			if says, ok := a.(Attaching); ok {
				all[e.Descriptor().Name] = says.Rule
			}
		}
	}
	return all
}

// Link is an edge of an entity, as mutations of the entity write it.
type Link struct {
	// Edge is the edge's name. Column is the column of the entity with the id of the
	// row at the other end, empty where the entity has none.
	Edge, Column string
	// Table is the table at the other end, and To are its rules.
	Table string
	To    Rules
	// Between and Near are the table that holds the ids of the entity's rows, and its
	// column of these: the table at the other end, or that of an edge of many to
	// many, where Far is the column with the ids of the other end. They are empty
	// where Column is set.
	Between, Near, Far string
	// ID and Key are the columns of the entity's own id and of the other end's, empty
	// where they are called id.
	ID, Key string
	// Caller is set where the service writes the id of the caller into the column.
	Caller bool
	// Rule is the rule of [Attach] for the edge, nil without one: [Rules.Linking]
	// finds it.
	Rule *Rule
}

// Linking returns the rules of the entity of the schema with the links, which
// mutations are judged by. The rules of tenants come before.
func (r Rules) Linking(s ent.Interface, links ...Link) Rules {
	for edge, rule := range Attachings(s) {
		if i := slices.IndexFunc(links, func(l Link) bool { return l.Edge == edge }); i >= 0 {
			links[i].attach(rule)
		}
	}
	r.Links = links
	return r
}

func (l *Link) attach(rule Rule) {
	if l.To.Tenancy != nil {
		rule = rule.within(l.To.Tenancy)
	}
	l.Rule = &rule
}

// Link returns the link by the entity's column, nil where there is none.
func (r Rules) Link(column string) *Link {
	return r.link(func(l *Link) bool { return l.Column == column })
}

// LinkTo returns the link of the edge, nil where there is none.
func (r Rules) LinkTo(edge string) *Link {
	return r.link(func(l *Link) bool { return l.Edge == edge })
}

func (r Rules) link(is func(*Link) bool) *Link {
	for i := range r.Links {
		if is(&r.Links[i]) {
			return &r.Links[i]
		}
	}
	return nil
}

// Allowed returns the rows at the other end that v may link and unlink, as far as v
// can read them.
func (l *Link) Allowed(v *viewer.Viewer) Rule {
	if l.Rule == nil {
		return l.To.May(v, Update)
	}
	return both(l.To.Tenant(v), l.Rule.For(v))
}

// Free reports whether v may link and unlink all rows that v can read.
func (l *Link) Free(v *viewer.Viewer) bool {
	if v.System {
		return true
	}
	if l.Rule == nil {
		return l.To.Verbs[Update].For(v).Always()
	}
	return l.Rule.For(v).Always()
}

// Knows reports whether v may link the row with the id, as far as v can read it,
// whatever its other columns are.
func (l *Link) Knows(v *viewer.Viewer, id any) bool {
	rule := l.Allowed(v)
	if slices.ContainsFunc(rule.Columns(), func(column string) bool { return column != l.key() }) {
		return false
	}
	return rule.Of(func(string) any { return id }).Always()
}

// Leaves returns the rows of the entity that v may unlink from all that the link
// leads them to. A row that is deleted softly can be unlinked as one that is not.
func (l *Link) Leaves(v *viewer.Viewer) Rule {
	if l.Free(v) {
		return Anyone()
	}
	may := both(l.To.Readable(v, true), l.Allowed(v))
	if l.Column != "" {
		if may.Never() {
			return Null(l.Column)
		}
		return Any(Null(l.Column), Having(l.Column, l.Table, l.key(), may))
	}
	if l.Far != "" {
		may = l.leading(may)
	}
	return Not(Having(cmp.Or(l.ID, "id"), l.Between, l.Near, negate(may)))
}

// key is the column of the other end's id.
func (l *Link) key() string { return cmp.Or(l.Key, "id") }

// leading are the rows between that lead to rows of the rule, which is folded.
func (l *Link) leading(rule Rule) Rule {
	if rule.Never() {
		return rule
	}
	return Having(l.Far, l.Table, l.key(), rule)
}

// linked is implemented by mutations whose writer has judged their links already.
type linked interface {
	LinksJudged() bool
}

// judgeLinks returns an error where the mutation links or unlinks a row that v may
// not, and restricts it to the rows that v may unlink from what they lead to.
func (r Rules) judgeLinks(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error {
	if judged, ok := m.(linked); v.System || ok && judged.LinksJudged() {
		return nil
	}
	deleted, _ := ctx.Value(deletedKey{}).(bool)
	for i := range r.Links {
		l := &r.Links[i]
		if l.Free(v) && l.To.Readable(v, deleted).Always() {
			continue
		}
		to := l.added(v, m)
		if err := l.ask(ctx, v, m, to, deleted); err != nil {
			return err
		}
		if m.Op().Is(ent.OpCreate) {
			continue
		}
		if err := l.ask(ctx, v, m, plainIDs(m.RemovedIDs(l.Edge)), true); err != nil {
			return err
		}
		leaves := m.EdgeCleared(l.Edge) || l.Column != "" && (len(to) > 0 || m.FieldCleared(l.Column))
		if leaves {
			if err := Restrict(m, l.Leaves(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// added are the ids at the other end that the mutation names, the caller's own in
// the caller's column left out.
func (l *Link) added(v *viewer.Viewer, m ent.Mutation) []any {
	ids := plainIDs(m.AddedIDs(l.Edge))
	if len(ids) == 0 && l.Column != "" {
		if value, set := m.Field(l.Column); set {
			ids = plainIDs([]ent.Value{value})
		}
	}
	return slices.DeleteFunc(ids, func(id any) bool { return l.Caller && id == any(v.UserID) })
}

// plainIDs are the ids, each once: int64, or what the columns of ids have otherwise.
func plainIDs(values []ent.Value) (ids []any) {
	for _, value := range values {
		if id := plain(value); id != nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// mostAsked is how many rows one statement asks for.
const mostAsked = 500

// ask returns nil if v may link all rows with the ids. A row that v can't read is
// one that is not there.
func (l *Link) ask(ctx context.Context, v *viewer.Viewer, m ent.Mutation, ids []any, deleted bool) error {
	for some := range slices.Chunk(ids, mostAsked) {
		found, may, err := l.count(ctx, v, m, some, deleted)
		switch {
		case err != nil:
			return fmt.Errorf("link %s of %s: %w", l.Edge, m.Type(), err)
		case found < len(some):
			return problem.New(problem.NotFound, "%s of %s: a row that is named is not there", l.Edge, m.Type())
		case may < found:
			return fmt.Errorf("link %s of %s: %w", l.Edge, m.Type(), Denied(v))
		}
	}
	return nil
}

// count returns how many of the rows v can read, and how many of these v may link.
func (l *Link) count(ctx context.Context, v *viewer.Viewer, m ent.Mutation, ids []any, deleted bool) (found, may int, err error) {
	readable := l.To.Readable(v, deleted)
	if readable.Never() {
		return 0, 0, readable.Refusal(v)
	}
	a, ok := m.(asking)
	if !ok {
		return 0, 0, fmt.Errorf("policy: %T asks no database", m)
	}
	b := sql.Builder{}
	b.SetDialect(a.Driver().Dialect())
	b.WriteString("SELECT CASE WHEN ")
	l.Allowed(v).Write(entWriter{&b}, "t")
	b.WriteString(" THEN 1 ELSE 0 END FROM ").Ident(l.Table).WriteString(" AS ").Ident("t").WriteString(" WHERE ")
	readable.Write(entWriter{&b}, "t")
	b.WriteString(" AND ").Ident("t").WriteString(".").Ident(l.key()).WriteString(" IN (")
	for i, id := range ids {
		if i > 0 {
			b.Comma()
		}
		b.Arg(id)
	}
	b.WriteString(")")
	query, args := b.Query()
	var rows sql.Rows
	if err := a.Driver().Query(ctx, query, args, &rows); err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var is int
		if err := rows.Scan(&is); err != nil {
			return 0, 0, err
		}
		found, may = found+1, may+is
	}
	return found, may, rows.Err()
}
