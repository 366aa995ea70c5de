package policy

import (
	"context"
	"fmt"
	"reflect"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/viewer"
)

// Verbs maps a verb to who may do it.
type Verbs map[string]Rule

// Rules is an entity's policy: which rows a viewer can read, and who may do
// each verb to which row. It implements ent.Policy: queries are filtered and
// never denied, writes touch only the rows that their verb's rule admits. A
// verb without a rule is nobody's.
type Rules struct {
	// Read says which rows a viewer can read.
	Read Rule
	// Verbs says who may create, update, delete, publish, …
	Verbs Verbs
	// SoftDelete is set where deleted rows stay, with deleted_at set. They are
	// read only where the context asks for them ([IncludeDeleted]).
	SoftDelete bool
}

// Readable returns the rows that v can read, soft-deleted ones left out
// unless deleted is set.
func (r Rules) Readable(v *viewer.Viewer, deleted bool) Rule {
	rule := r.Read.For(v)
	if !r.SoftDelete || deleted || rule.Never() {
		return rule
	}
	alive := Null("deleted_at")
	if rule.Always() {
		return alive
	}
	return All(alive, rule)
}

// May returns the rows to which v may do the verb.
func (r Rules) May(v *viewer.Viewer, verb string) Rule {
	return r.Verbs[verb].For(v)
}

// Check returns nil if v may do the verb to some row, "token required" if v
// is anonymous, and forbidden otherwise. Authentication is checked first.
func (r Rules) Check(v *viewer.Viewer, verb string) error {
	if !r.May(v, verb).Never() {
		return nil
	}
	return Denied(v)
}

// Denied returns what a viewer is told who may not: 401 before 403.
func Denied(v *viewer.Viewer) error {
	if !v.Authenticated() {
		return problem.ErrAuthRequired
	}
	return problem.ErrForbidden
}

type verbKey struct{}

// As returns a context in which updates are judged as the verb: publishing a
// post is an update by its columns and "publish" by its policy.
func As(ctx context.Context, verb string) context.Context {
	return context.WithValue(ctx, verbKey{}, verb)
}

type deletedKey struct{}

// IncludeDeleted returns a context whose queries find soft-deleted rows too.
func IncludeDeleted(ctx context.Context) context.Context {
	return context.WithValue(ctx, deletedKey{}, true)
}

// predicated is what Ent's generated queries (by a template of ours) and
// mutations offer to rules that import nothing generated.
type predicated interface {
	WhereP(...func(*sql.Selector))
}

// EvalQuery restricts the query to the rows its viewer can read.
func (r Rules) EvalQuery(ctx context.Context, q ent.Query) error {
	deleted, _ := ctx.Value(deletedKey{}).(bool)
	return restrict(q, r.Readable(viewer.From(ctx), deleted))
}

// EvalMutation restricts the mutation to the rows that its verb's rule
// admits, and refuses it where there are none.
func (r Rules) EvalMutation(ctx context.Context, m ent.Mutation) error {
	v := viewer.From(ctx)
	verb := verbOf(ctx, m.Op())
	rule := r.May(v, verb)
	if rule.Never() {
		return fmt.Errorf("%s %s: %w", verb, m.Type(), Denied(v))
	}
	if !m.Op().Is(ent.OpCreate) {
		return restrict(m, rule)
	}
	if !rule.Matches(func(column string) any { value, _ := m.Field(column); return plain(value) }) {
		return fmt.Errorf("%s %s: %w", verb, m.Type(), Denied(v))
	}
	return nil
}

func restrict(target any, rule Rule) error {
	if rule.Always() {
		return nil
	}
	p, ok := target.(predicated)
	if !ok {
		return fmt.Errorf("policy: %T takes no predicate", target)
	}
	p.WhereP(func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) { rule.Write(entWriter{b}, s.TableName()) }))
	})
	return nil
}

func verbOf(ctx context.Context, op ent.Op) string {
	if verb, ok := ctx.Value(verbKey{}).(string); ok {
		return verb
	}
	switch {
	case op.Is(ent.OpCreate):
		return Create
	case op.Is(ent.OpUpdate | ent.OpUpdateOne):
		return Update
	}
	return Delete
}

type entWriter struct{ b *sql.Builder }

func (w entWriter) WriteString(text string) { w.b.WriteString(text) }
func (w entWriter) Arg(value any)           { w.b.Arg(value) }

// plain strips named types, so that an enum compares with its text and a
// typed id with its number.
func plain(value any) any {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int64, reflect.Int32:
		return v.Int()
	case reflect.Bool:
		return v.Bool()
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem().Interface())
	}
	return value
}
