package policy

import (
	"context"
	"fmt"
	"reflect"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Verbs maps a verb to the rule for it.
type Verbs map[string]Rule

// Rules is an entity's policy: which rows a viewer can read, and who may do
// each verb to which row. It implements ent.Policy: queries are filtered and
// never denied, writes touch only the rows that their verb's rule admits. A
// verb without a rule is refused to all but the system.
type Rules struct {
	// Read says which rows a viewer can read.
	Read Rule
	// Verbs has a rule for each verb: create, update, delete, publish, …
	Verbs Verbs
	// SoftDelete is set where deleted rows stay, with deleted_at set. They are
	// read only where the context asks for them ([IncludeDeleted]).
	SoftDelete bool
	// With are the rows whose deletion takes those of the entity along, where that is
	// left to a job: see [With].
	With With
	// Tenancy is set where rows belong to tenants: see [Rules.Within].
	Tenancy *Tenancy
	// Links are the edges by which mutations name other rows: see [Rules.Linking].
	Links []Link

	of     string                   // the schema, for witnesses of what is asked
	byHand []privacy.MutationPolicy // see [Rules.EvalByHand]
}

// readVerb is the verb for reading.
const readVerb = "read"

// told reports what is asked to the viewer's witness.
func (r *Rules) told(v *viewer.Viewer, verb string, rule Rule) {
	if w := v.Witness(); w != nil {
		r.tell(w, v, verb, rule)
	}
}

func (r *Rules) tell(w viewer.Witness, v *viewer.Viewer, verb string, rule Rule) {
	w.Asked(r.of, verb, func() string { return rule.WordsFor(v, func(column string) string { return column }) }, !rule.admitsSome(v))
}

// Readable returns the rows that v can read, soft-deleted ones left out unless deleted
// is set. Rows that are being removed for good are left out in any case.
func (r Rules) Readable(v *viewer.Viewer, deleted bool) Rule {
	r.told(v, readVerb, r.Read)
	rule := r.Read.For(v)
	switch {
	case !r.SoftDelete || rule.Never():
	case deleted:
		rule = both(r.kept(), rule)
	default:
		rule = both(r.There(), rule)
	}
	return both(r.Tenant(v), rule)
}

// Whole returns the rows of which v sees all fields, among those that v can read.
// Of other rows v sees the public fields. See [ReadWhole].
func (r Rules) Whole(v *viewer.Viewer) Rule {
	rule, declared := r.Verbs[ReadWhole]
	if !declared {
		rule = Authenticated()
	}
	return rule.For(v)
}

// SeesDeleted reports whether v can read some rows that were deleted softly, without
// folding the rule.
func (r *Rules) SeesDeleted(v *viewer.Viewer) bool {
	rule := r.Verbs[ReadDeleted]
	return rule.admitsSome(v)
}

// SeesWhole reports whether [Rules.Whole] is all rows, and whether it is some, without
// folding the rule.
func (r *Rules) SeesWhole(v *viewer.Viewer) (all, some bool) {
	rule, declared := r.Verbs[ReadWhole]
	switch {
	case v.System:
		return true, true
	case !declared:
		return v.Authenticated(), v.Authenticated()
	}
	is := rule.outcome(v)
	return is == opAlways, is != opNever
}

// Shown returns the rows that v can read, and of the soft-deleted ones among them
// those that [ReadDeleted] admits.
func (r Rules) Shown(v *viewer.Viewer) Rule {
	if !r.SoftDelete {
		return r.Readable(v, false)
	}
	switch may := r.Verbs[ReadDeleted].For(v); {
	case may.Never():
		return r.Readable(v, false)
	case may.Always():
		return r.Readable(v, true)
	default:
		return both(Rule{op: opAny, rules: []Rule{r.There(), may}, settled: true}, r.Readable(v, true))
	}
}

// Reads is the rule of [Rules.Readable], deleted rows left out, before the viewer
// is known: the rule to ask of related rows. The tenant is no part of it.
func (r Rules) Reads() Rule {
	if r.SoftDelete {
		return All(r.There(), r.Read)
	}
	return r.Read
}

// May returns the rows to which v may do the verb.
func (r Rules) May(v *viewer.Viewer, verb string) Rule {
	if v.Actor != 0 && writes(verb) {
		return Rule{}
	}
	rule := r.Verbs[verb]
	r.told(v, verb, rule)
	return both(r.Tenant(v), rule.For(v))
}

// Check returns nil if v may do the verb to some row, "token required" if v
// is anonymous, and forbidden otherwise. Authentication is checked first.
func (r Rules) Check(v *viewer.Viewer, verb string) error {
	if r.Tenancy == nil && v.Actor == 0 {
		if rule := r.Verbs[verb]; rule.admitsSome(v) {
			r.told(v, verb, rule)
			return nil
		}
	}
	_, err := r.Allowed(v, verb)
	return err
}

// CheckRead returns nil if v can read some row, and the error of [Rule.Denied] if none.
func (r Rules) CheckRead(v *viewer.Viewer) error {
	if r.Tenancy == nil && r.Read.admitsSome(v) {
		r.told(v, readVerb, r.Read)
		return nil
	}
	if rule := r.Readable(v, false); rule.Never() {
		return rule.Denied(v)
	}
	return nil
}

// Allowed is [Rules.May], with the error of [Rules.Check] where v may do it to no row.
func (r Rules) Allowed(v *viewer.Viewer, verb string) (Rule, error) {
	may := r.May(v, verb)
	if !may.Never() {
		return may, nil
	}
	if err := may.Refusal(v); err != nil {
		return may, err
	}
	if err := v.MayChange(); err != nil && writes(verb) {
		return may, err
	}
	if v.UserID != 0 && r.Verbs[verb].op == opKey {
		return may, errKeyNeeded
	}
	return may, Denied(v)
}

// errKeyNeeded answers a user where API keys alone are admitted: another
// credential is missing, and not a right.
var errKeyNeeded = problem.New(problem.Unauthenticated, "an API key is needed, in X-API-Key")

// Touchable returns the rows to which v may do the verb among those that v can
// read, or an error as [Rules.Check] does where there can be none. It is for
// updates that a package writes in SQL.
func (r Rules) Touchable(v *viewer.Viewer, verb string) (Rule, error) {
	may, err := r.Allowed(v, verb)
	if err != nil {
		return Rule{}, err
	}
	return both(r.Readable(v, false), may), nil
}

// Denied returns the error for a viewer whom no rule admits: problem.ErrAuthRequired
// (401) for an anonymous one, else problem.ErrForbidden (403).
func Denied(v *viewer.Viewer) error {
	if !v.Authenticated() {
		return problem.ErrAuthRequired
	}
	return problem.ErrForbidden
}

type verbKey struct{}

// As returns a context in which updates and deletes are judged as the verb:
// publishing a post is an update by its columns and "publish" by its policy.
// Creating is judged as such in any context.
func As(ctx context.Context, verb string) context.Context {
	return context.WithValue(ctx, verbKey{}, verb)
}

type deletedKey struct{}

// IncludeDeleted returns a context in which queries find soft-deleted rows, too, and
// updates change them. It gives the viewer no right to that: its caller asks
// [Rules.Check] for [ReadDeleted] first.
func IncludeDeleted(ctx context.Context) context.Context {
	return context.WithValue(ctx, deletedKey{}, true)
}

// asking is implemented by Ent's generated mutations (by a template of ours), for
// rules about rows that are not written.
type asking interface {
	Driver() dialect.Driver
}

// predicated is implemented by Ent's generated queries (by a template of ours) and
// mutations, for rules that import nothing generated.
type predicated interface {
	WhereP(...func(*sql.Selector))
}

// EvalQuery restricts the query to the rows its viewer can read.
func (r Rules) EvalQuery(ctx context.Context, q ent.Query) error {
	deleted, _ := ctx.Value(deletedKey{}).(bool)
	v := viewer.From(ctx)
	rule := r.Readable(v, deleted)
	if err := rule.Refusal(v); err != nil {
		return err
	}
	return Restrict(q, rule)
}

// EvalMutation restricts the mutation to the rows that its viewer can read and its
// verb's rule admits, and refuses it where there are none. So a hidden or deleted
// row is not overwritten either. Rules by hand judge it then.
func (r Rules) EvalMutation(ctx context.Context, m ent.Mutation) error {
	if err := r.judge(ctx, m); err != nil || len(r.byHand) == 0 {
		return err
	}
	if _, later := m.(deferring); later {
		return nil
	}
	return r.EvalByHand(ctx, m)
}

func (r Rules) judge(ctx context.Context, m ent.Mutation) error {
	v := viewer.From(ctx)
	verb := r.verb(ctx, m.Op())
	if err := v.MayChange(); err != nil {
		return fmt.Errorf("%s %s: %w", verb, m.Type(), err)
	}
	rule := r.May(v, verb)
	switch {
	case rule.Never():
		return fmt.Errorf("%s %s: %w", verb, m.Type(), rule.Denied(v))
	case m.Op().Is(ent.OpCreate):
		if err := r.Own(v, m); err != nil || v.System && r.Tenancy == nil {
			return err
		}
		if err := admit(ctx, verb, m, rule); err != nil {
			return err
		}
		return r.judgeLinks(ctx, v, m)
	}
	if v.System {
		return Restrict(m, rule) // the tenant alone
	}
	deleted, _ := ctx.Value(deletedKey{}).(bool)
	readable := r.Readable(v, deleted || verb == Restore || verb == Remove)
	if err := Restrict(m, both(readable, rule)); err != nil || m.Op().Is(ent.OpDelete|ent.OpDeleteOne) {
		return err
	}
	return r.judgeLinks(ctx, v, m)
}

// admit returns nil if the rule admits the row that m creates. Conditions on the
// row's own columns are decided here, conditions on related rows by the database.
func admit(ctx context.Context, verb string, m ent.Mutation, rule Rule) error {
	left := rule.Of(func(column string) any { value, _ := m.Field(column); return plain(value) })
	if left.Never() {
		return refuse(verb, m, viewer.From(ctx))
	}
	if left.Always() {
		return nil
	}
	found, err := ask(ctx, m, left)
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, m.Type(), err)
	}
	if !found {
		return refuse(verb, m, viewer.From(ctx))
	}
	return nil
}

// ask has the database decide a rule that mentions no column of the row itself.
func ask(ctx context.Context, m ent.Mutation, rule Rule) (bool, error) {
	a, ok := m.(asking)
	if !ok {
		return false, fmt.Errorf("policy: %T asks no database", m)
	}
	db := a.Driver()
	b := sql.Builder{}
	b.SetDialect(db.Dialect())
	b.WriteString("SELECT 1 WHERE ")
	rule.Write(entWriter{&b}, "")
	query, args := b.Query()
	var rows sql.Rows
	if err := db.Query(ctx, query, args, &rows); err != nil {
		return false, err
	}
	defer rows.Close()
	found := rows.Next()
	return found, rows.Err()
}

func refuse(verb string, m ent.Mutation, v *viewer.Viewer) error {
	return fmt.Errorf("%s %s: %w", verb, m.Type(), Denied(v))
}

// Restrict adds the predicate of a folded rule to a query or a mutation of Ent. It
// returns an error where the target takes none: Ent's own types, generated with this
// kit's templates, do.
func Restrict(target any, rule Rule) error {
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

// verb returns what the mutation is judged as. Where deleted rows stay, a
// DELETE removes one for good.
func (r Rules) verb(ctx context.Context, op ent.Op) string {
	if op.Is(ent.OpCreate) {
		return Create
	}
	if verb, ok := ctx.Value(verbKey{}).(string); ok {
		return verb
	}
	switch {
	case op.Is(ent.OpUpdate | ent.OpUpdateOne):
		return Update
	case r.SoftDelete:
		return Remove
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
