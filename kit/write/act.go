package write

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Act carries out an action: it sets the columns that the declaration names, in
// one statement that says in its WHERE for which rows that is possible, and
// calls its method, in the same transaction or in none.
//
// A method outside of transactions finds its row's state itself: where its own
// change touches nothing it returns [ErrMoved], and the engine says why.
func (e *Engine) Act(ctx context.Context, c Call, a *Action) (Result, error) {
	v := viewer.From(ctx)
	if err := c.Entity.Rules.Check(v, a.Verb); err != nil {
		return Result{}, err
	}
	if err := v.MayChange(); err != nil && !a.Reads() {
		return Result{}, err
	}
	values, absent, err := e.judgeAction(ctx, &c, a)
	if err != nil {
		return Result{}, err
	}
	if absent {
		return Result{}, read.NotFound(c.Entity.Entity)
	}
	var result Result
	run := func(ctx context.Context) (err error) {
		result, err = e.act(ctx, &c, a, values)
		return err
	}
	crowd := e.crowd(c.Entity, a, values)
	switch {
	case a.Action.Run == expose.OutsideTx:
		err = run(ctx)
	case crowd != "":
		result, err = e.actTogether(ctx, &c, a, values, crowd)
	default:
		err = e.transact(ctx, a.Run != nil || c.Read != nil || c.Expect.asks(), run)
	}
	return result, refused(c.Entity, &c.Input, a.named(&c.Input, err))
}

// crowd is the row that the action locks and that many lock at a time, empty for none.
func (e *Engine) crowd(of *Entity, a *Action, values Values) string {
	if name := e.Crowds[of.Name+"."+a.Verb]; name != nil {
		return name(values)
	}
	return ""
}

// actTogether is act in a transaction that those who lock the row share. The row of the action
// is read once that is committed, so that the others wait no longer than they must.
func (e *Engine) actTogether(ctx context.Context, c *Call, a *Action, values Values, crowd string) (result Result, err error) {
	unread := *c
	unread.Read = nil
	err = e.DB.TogetherInTx(ctx, crowd, viewer.From(ctx).UserID, func(ctx context.Context) (err error) {
		result, err = e.act(ctx, &unread, a, values)
		return err
	})
	if err != nil || result.Row.ID.IsZero() {
		return result, err
	}
	return result, c.read(ctx, result.Row)
}

// act sets and runs what the action says, and has the caller read the row.
func (e *Engine) act(ctx context.Context, c *Call, a *Action, values Values) (result Result, err error) {
	ofRow := a.Scope == expose.Row
	if ofRow {
		if err := e.possible(ctx, c, a, values); err != nil {
			return Result{}, err
		}
	}
	if a.Run != nil {
		if e.Methods == nil {
			return Result{}, fmt.Errorf("%s %s: %w", a.Verb, c.Entity.Singular, errNoMethods)
		}
		result, err = a.Run(context.WithValue(ctx, apiKey{}, c.Input.API), e.Methods, c.ID, values)
		if err != nil {
			return Result{}, e.moved(ctx, c, a, err)
		}
	}
	if ofRow && result.Row.ID.IsZero() {
		result.Row.ID = c.ID
	}
	if result.Row.ID.IsZero() {
		return result, nil
	}
	return result, c.read(ctx, result.Row)
}

// moved is the error of a method, and why the action is not possible where the
// method says that of a row.
func (e *Engine) moved(ctx context.Context, c *Call, a *Action, err error) error {
	other := new(MovedError)
	switch {
	case errors.As(err, &other):
		return e.impossible(ctx, &Call{Entity: other.Entity, ID: other.ID}, other.Entity.Action(other.Verb), false)
	case a.Scope == expose.Row && errors.Is(err, ErrMoved):
		return e.impossible(ctx, c, a, false)
	}
	return err
}

// possible returns nil if the action can be done to the row, and sets the columns
// that it sets. Within a transaction the row stays locked.
func (e *Engine) possible(ctx context.Context, c *Call, a *Action, values Values) error {
	sets := len(a.Set) > 0 || a.To != ""
	switch {
	case a.Action.Run == expose.OutsideTx && (idempotency.Begun(ctx) || len(c.Expect.Versions) == 0 && !c.Expect.asks()):
		return nil // the method finds out: a repetition is not judged by what the row is by then
	case a.Action.Run == expose.OutsideTx:
		if err := e.expected(ctx, c, a.Verb); err != nil {
			return err
		}
		return e.impossible(ctx, c, a, true)
	}
	if err := e.expected(ctx, c, a.Verb); err != nil {
		return err
	}
	if sets {
		return e.set(ctx, c, a, values)
	}
	if err := e.lock(ctx, c); err != nil {
		return err
	}
	return e.impossible(ctx, c, a, true)
}

// set writes the columns of the action.
func (e *Engine) set(ctx context.Context, c *Call, a *Action, values Values) error {
	u := e.updates(c).Linked()
	now := u.Now()
	var changes, linked []change
	always := false // something differs each time
	columns := maps.Clone(a.Set)
	if a.To != "" {
		if columns == nil {
			columns = expose.Set{}
		}
		columns[c.Entity.State.Name] = a.To
	}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		field := c.Entity.Field(name)
		if field == nil { // of no API
			field = &Field{Field: &entity.Field{Name: name, Column: name}}
		}
		value := columns[name]
		switch value {
		case expose.FirstNow:
			u.Modify(first(field.Column, now))
			changes = append(changes, change{field, expose.FirstNow})
			value = now
		case expose.Now:
			always, value = true, now
		default:
			_, named := a.inputs()[name]
			value = setting(ctx, value, values)
			changes = append(changes, change{field, value})
			if named {
				linked = append(linked, change{field, value})
			}
		}
		var err error
		if value == nil {
			err = u.ClearField(field.Column)
		} else {
			err = u.SetField(field.Column, value)
		}
		if err != nil {
			return fmt.Errorf("set %s of %s: %w", name, c.Entity.Singular, err)
		}
	}
	u.WhereP(c.versions()...)
	if err := leaves(viewer.From(ctx), u, linked); err != nil {
		return err
	}
	if err := policy.Restrict(u, a.Condition); err != nil {
		return err
	}
	if !always {
		u.WhereP(differs(changes))
	}
	n, err := u.Save(policy.As(ctx, a.Verb))
	if err != nil || n > 0 {
		return err
	}
	return e.impossible(ctx, c, a, !always)
}

// first has an update set a column to the time where it has none.
func first(column string, now time.Time) func(*sql.UpdateBuilder) {
	return func(u *sql.UpdateBuilder) {
		u.Set(column, sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("COALESCE(").Ident(column).WriteString(", ").Arg(now).WriteString(")")
		}))
	}
}

// setting is a declaration's value for a column, for this request.
func setting(ctx context.Context, value any, values Values) any {
	switch v := value.(type) {
	case expose.Value:
		if v == expose.ViewerID {
			if id := viewer.From(ctx).UserID; id != 0 {
				return id
			}
			return nil
		}
		return values[v.InputName()]
	case int:
		return int64(v)
	}
	return value
}

// impossible says why the action can't be done to the row: nil where it can, and
// calm says that this is well.
func (e *Engine) impossible(ctx context.Context, c *Call, a *Action, calm bool) error {
	v := viewer.From(ctx)
	rules := []policy.Rule{c.Entity.Rules.May(v, a.Verb), a.Condition, folded(a.Wait)}
	offered := c.Entity.offered(v)
	for _, o := range offered {
		rules = append(rules, o.rule)
	}
	var state *entity.Field
	if c.Entity.State != nil {
		state = c.Entity.State.Field
	}
	is, found, err := e.Reader.Judge(ctx, c.Entity.Entity, c.filter(), false, state, rules...)
	switch {
	case err != nil:
		return err
	case !found && c.Entity.Rules.Readable(v, false).Never():
		return policy.Denied(v)
	case !found:
		return read.NotFound(c.Entity.Entity)
	case !is.Holds[0]:
		return problem.ErrForbidden
	case c.stale(is.Version):
		return c.changed()
	case is.Holds[1] && calm:
		return nil
	case is.Holds[1]:
		return later("the %s was changed meanwhile: try again", c.Entity.Noun())
	}
	var names []string
	for i, o := range offered {
		if is.Holds[3+i] {
			names = append(names, o.name)
		}
	}
	return c.Entity.conflict(a, is.State, is.Holds[2], names)
}

// conflict says that the row is in a state in which the action is not possible.
func (e *Entity) conflict(a *Action, state string, wait bool, possible []string) error {
	said := a.Else
	if said == "" {
		said = fmt.Sprintf("it can't be %s", a.Done)
	}
	if e.State != nil && !slices.Contains(expose.Before(e.State.Moves, a.Verb), state) {
		if slices.Contains(e.State.Busy, state) {
			return later("the %s is %s: try again", e.Noun(), words(state))
		}
		said = fmt.Sprintf("the %s is %s: it can't be %s", e.Noun(), words(state), a.Done)
	} else if a.Else == "" {
		said = fmt.Sprintf("the %s can't be %s", e.Noun(), a.Done)
	}
	switch {
	case wait:
		return later("%s: try again", said)
	case len(possible) == 0:
		return problem.New(problem.Conflict, "%s; nothing can be done to it", said)
	}
	return problem.New(problem.Conflict, "%s; allowed: %s", said, strings.Join(possible, ", "))
}

// later refuses what will be possible soon.
func later(format string, args ...any) error {
	p := problem.New(problem.Conflict, format, args...)
	p.RetryAfter = time.Second
	return p
}

// offer is an action, or a read, that a row may offer.
type offer struct {
	name string
	rule policy.Rule
}

// offered are those that the viewer can do at all, with the rule for the rows of
// which: the operator, too, can do only what is possible.
func (e *Entity) offered(v *viewer.Viewer) (all []offer) {
	for _, a := range e.Actions {
		if rule := folded(policy.All(e.Rules.May(v, a.Verb), a.Offered)); a.Scope == expose.Row && !a.Reads() && !rule.Never() {
			all = append(all, offer{a.Verb, rule})
		}
	}
	for _, l := range e.Links {
		rule := folded(l.When)
		if l.When.Never() {
			rule = policy.Anyone()
		}
		if l.Verb != "" {
			rule = policy.All(e.Rules.May(v, l.Verb), rule)
		}
		if rule = folded(rule); !rule.Never() {
			all = append(all, offer{l.Name, rule})
		}
	}
	return all
}

// folded is a rule over columns alone.
func folded(rule policy.Rule) policy.Rule { return rule.For(viewer.Anonymous()) }
