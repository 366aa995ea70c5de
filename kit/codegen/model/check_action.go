package model

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

var (
	verbForm = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	// rowVerbs are those of rows as such, which are no actions.
	rowVerbs = []string{policy.Create, policy.Update, policy.Delete, policy.Remove, policy.Restore, policy.ReadDeleted, policy.ReadWhole}
	// arguments are those that mutations have beside an action's input.
	arguments = []string{"id", "expected_version", "idempotency_key", "input"}
)

// actions checks what the schema says can be done to the entity.
func (c checker) actions(tables map[string]*gen.Type, jobs *Entity) {
	for i, a := range c.Entity.Actions {
		says := fmt.Sprintf("action %q: ", a.Verb)
		if !verbForm.MatchString(a.Verb) {
			c.wrong("", "%sa verb of lower-case words is allowed, such as \"publish\" or \"send_again\"", says)
			continue
		}
		if slices.ContainsFunc(c.Entity.Actions[:i], func(o *Action) bool { return o.Verb == a.Verb }) {
			c.wrong("", "%sit is declared twice", says)
		}
		if slices.Contains(rowVerbs, a.Verb) && (!a.Create() || c.Offers(expose.Create)) {
			c.wrong("", "%sthat is an operation of rows; of actions only create of a collection is allowed, where expose.Create is not among the Operations", says)
		}
		c.action(says, a, jobs)
		c.sets(says, a)
		c.charts(says, a)
		c.rule(says, a.When, tables)
		c.rule(says, a.Wait, tables)
		c.rule(says, a.Shown, tables)
		c.inputs(says, a.Input, a.Entity.Fields)
	}
	c.links(tables)
}

func (c checker) action(says string, a *Action, jobs *Entity) {
	_, known := map[expose.Scope]bool{expose.Row: true, expose.Collection: true, expose.Unbound: true}[a.Scope]
	_, runs := map[expose.Run]bool{"": true, expose.InTx: true, expose.OutsideTx: true}[a.Run]
	switch {
	case !known:
		c.wrong("", "%sscope %q: expose.Row, expose.Collection and expose.Unbound are allowed", says, a.Scope)
	case !runs:
		c.wrong("", "%srun %q: expose.InTx and expose.OutsideTx are allowed", says, a.Run)
	case a.Comment == "":
		c.wrong("", "%sit needs a Comment, which says to clients what it does", says)
	case a.Reads() && (a.Run != expose.OutsideTx || len(a.Answer.Members) == 0 || len(a.Set) > 0 || !a.When.Never()):
		c.wrong("", "%sit is a read: it needs expose.OutsideTx and Answer.Members, and has no Set and no When", says)
	case a.Names.GraphQL == "-" && !a.Reads():
		c.wrong("", "%sonly a read can be in REST alone: what changes something is in both APIs", says)
	case a.OfRow() && a.Done == "" && !a.Reads():
		c.wrong("", "%sit needs Done, which says what the row is then: \"paid\"", says)
	case a.Run == "" && len(a.Set) == 0 && a.To == "":
		c.wrong("", "%snothing would happen: Set, Run or a move to one state is allowed", says)
	case a.Run == "" && !a.OfRow():
		c.wrong("", "%sthere is no row whose columns could be set: it needs Run", says)
	case a.Run == expose.OutsideTx && len(a.Set) > 0:
		c.wrong("", "%sSet is part of the transaction, and expose.OutsideTx has none", says)
	case !a.OfRow() && (!a.When.Never() || !a.Shown.Never() || len(a.Set) > 0):
		c.wrong("", "%sWhen, Shown and Set are about a row, and there is none", says)
	case a.Scope == expose.Unbound && !strings.HasPrefix(a.Names.Path, "/"):
		c.wrong("", "%sexpose.Unbound needs the whole path in Names.Path, such as \"/reports/generate\"", says)
	case a.Run == "" && needsRun(a.Answer):
		c.wrong("", "%sonly a method can answer so: it needs Run", says)
	case slices.ContainsFunc(a.Answer.Once, func(m expose.Member) bool { return m.Shape != expose.Text }):
		c.wrong("", "%sAnswer.Once: a value that is shown once has the shape expose.Text", says)
	case a.Answer.Job != "" && jobs == nil:
		c.wrong("", "%sthere is no entity of jobs, whose table is jobs", says)
	}
}

// sets checks the columns that the action writes.
func (c checker) sets(says string, a *Action) {
	for _, column := range slices.Sorted(maps.Keys(a.Set)) {
		says := fmt.Sprintf("%sSet %q: ", says, column)
		f := fieldOf(c.Type, column)
		if f == nil {
			c.wrong("", "%s%s has no such column: %s are allowed", says, c.Type.Table(), columns(c.Type, func(f *gen.Field) bool { return !f.Immutable }))
			continue
		}
		if f.Immutable || column == "version" {
			c.wrong("", "%sit never changes, or by itself", says)
			continue
		}
		if allowed := cmp.Or(misfit(a, f, a.Set[column]), unreferred(c.Type, a, f, a.Set[column])); allowed != "" {
			c.wrong("", "%s%s", says, allowed)
		}
	}
}

// misfit says what is wrong with a value for the column, nothing where it fits.
func misfit(a *Action, f *gen.Field, value any) string {
	is := fmt.Sprintf("the column is %s", f.Type)
	switch v := value.(type) {
	case nil:
		if !f.Optional {
			return "the column is never null: Optional and Nillable ones are"
		}
	case bool:
		if !f.IsBool() {
			return is
		}
	case string:
		switch {
		case f.IsEnum() && !slices.Contains(f.EnumValues(), v):
			return fmt.Sprintf("%q is none of the values: %s are allowed", v, list(f.EnumValues()))
		case !f.IsEnum() && !f.IsString():
			return is
		}
	case int64:
		if !f.Type.Type.Numeric() {
			return is
		}
	case float64:
		if !f.Type.Type.Float() {
			return is
		}
	case expose.Value:
		return misfitValue(a, f, v)
	default:
		return fmt.Sprintf("a constant, nil or a value of package expose is allowed, not %T", value)
	}
	return ""
}

// unreferred says that an input from which an edge's column is set has to be declared
// as the id of a row, which is looked for then, and judged (policy.Attach).
func unreferred(t *gen.Type, a *Action, f *gen.Field, value any) string {
	v, _ := value.(expose.Value)
	for _, edge := range t.Edges {
		i := slices.IndexFunc(a.Input, func(in *Field) bool { return in.Name == v.InputName() && v.InputName() != "" })
		if i >= 0 && edge.Field() == f && a.Input[i].Refers != edge.Type.Name {
			return fmt.Sprintf("it leads to %s, so that the input %q has expose.Refers(%[1]q)", edge.Type.Name, v.InputName())
		}
	}
	return ""
}

func misfitValue(a *Action, f *gen.Field, v expose.Value) string {
	is := fmt.Sprintf("the column is %s", f.Type)
	switch {
	case v == expose.Now || v == expose.FirstNow:
		if !f.IsTime() {
			return is
		}
		if v == expose.FirstNow && !f.Optional {
			return "the column is never null, so expose.FirstNow would never set it"
		}
	case v == expose.ViewerID:
		if !f.Type.Type.Integer() {
			return is
		}
	case v.InputName() != "":
		i := slices.IndexFunc(a.Input, func(in *Field) bool { return in.Name == v.InputName() })
		switch {
		case i < 0:
			return fmt.Sprintf("the input has no field %q", v.InputName())
		case a.Input[i].Type.Type.Type != f.Type.Type:
			return fmt.Sprintf("%s, and the input's %q is %s", is, v.InputName(), a.Input[i].Type.Type)
		}
	default:
		return fmt.Sprintf("there is no value %q in package expose", string(v))
	}
	return ""
}

// rule checks a condition on rows of the entity.
func (c checker) rule(says string, rule policy.Rule, tables map[string]*gen.Type) {
	if rule.Personal() {
		c.wrong("", "%sWhen is about the row and not about the caller: the policy says who may, under the same verb", says)
	}
	inner := rulesChecker{tables: tables, own: c.Type, errs: c.errs, says: says}
	tenant := TenantOf(c.Type)
	for _, term := range rule.Terms() {
		inner.term(term)
		of := tables[term.ForeignTable]
		if tenant != nil && !tenant.Users && of != nil && TenantOf(of) != nil && term.Says != "policy.Related" {
			c.wrong("", "%s%s looks in %s of all tenants: the policy's rule of the same verb looks in the viewer's", says, term.Says, term.ForeignTable)
		}
	}
}

func (c checker) links(tables map[string]*gen.Type) {
	for i, l := range c.Links {
		says := fmt.Sprintf("link %q: ", l.Name)
		if !pathForm.MatchString(l.Name) || slices.ContainsFunc(c.Links[:i], func(o expose.Link) bool { return o.Name == l.Name }) {
			c.wrong("", "%sa name of lower-case words joined by hyphens is allowed, each once", says)
		}
		c.rule(says, l.When, tables)
	}
}

// inputs checks the fields of an input.
func (c checker) inputs(says string, input, own []*Field) {
	for i, f := range input {
		says := fmt.Sprintf("%sinput %q: ", says, f.Name)
		sameName := func(o *Field) bool { return o.Name == f.Name }
		switch {
		case slices.ContainsFunc(input[:i], sameName):
			c.wrong("", "%sit is named twice", says)
		case slices.Contains(arguments, f.Name):
			c.wrong("", "%sall operations have an argument of that name", says)
		case f.ReadOnly || f.Initial || f.Kept || f.Caller || len(f.By) > 0:
			c.wrong("", "%sit is no column: Computed, Initial, Kept, Caller and By mean nothing", says)
		case f.Refers != "" && !f.Type.Type.Type.Integer():
			c.wrong("", "%sexpose.Refers: an integer is allowed, not %s", says, f.Type.Type)
		case f.Refers != "" && !slices.ContainsFunc(c.all, func(e *Entity) bool { return e.Name == f.Refers }):
			c.wrong("", "%sexpose.Refers(%q): there is no exposed entity of that name", says, f.Refers)
		case f.Currency != "" && !slices.ContainsFunc(slices.Concat(input, own), func(o *Field) bool { return o.Name == f.Currency && o.Kind == "String" }):
			c.wrong("", "%sexpose.Money(%q): a text field of the input or of the entity is allowed", says, f.Currency)
		case f.Enum != nil && !f.Type.IsEnum() && f.Kind != "Strings":
			c.wrong("", "%sexpose.Enum: an enum or a list of texts is allowed", says)
		case slices.Contains([]string{expose.MomentFormat, expose.EndFormat}, f.Format) && f.Type.Type.Type != field.TypeTime:
			c.wrong("", "%sexpose.Moment: a time is allowed, not %s", says, f.Type.Type)
		}
		c.inputs(says, f.Members, nil)
	}
}

// states checks the moves of a field.
func (c checker) states() {
	var moving *Field
	for _, f := range c.Fields {
		if len(f.Moves) == 0 {
			if len(f.BusyIn) > 0 {
				c.wrong(f.Name, "expose.Busy: a field with expose.States is allowed")
			}
			continue
		}
		if moving != nil {
			c.wrong(f.Name, "expose.States: %s is the state of %s already", moving.Name, c.Name)
		}
		moving = f
		if !f.Type.IsEnum() || f.OnUpdate() {
			c.wrong(f.Name, "expose.States: an enum that clients don't change is allowed: with expose.Computed or expose.Initial")
			continue
		}
		if client, err := ClientOf(c.Type.Annotations); err == nil && client.Upsert {
			c.wrong(f.Name, "expose.States: expose.Client{Upsert: true} would set the state of a row that is there, whatever it is: one of the two is allowed")
		}
		c.moves(f)
	}
}

func (c checker) moves(f *Field) {
	values := f.Type.EnumValues()
	known := func(word string, states []string) {
		for _, s := range states {
			if !slices.Contains(values, s) {
				c.wrong(f.Name, "%s %q: there is no such state: %s are allowed", word, s, list(values))
			}
		}
	}
	known("expose.Busy", f.BusyIn)
	reached := []string{}
	if f.Type.Default {
		reached = append(reached, fmt.Sprint(f.Type.DefaultValue()))
	}
	for _, m := range f.Moves {
		says := fmt.Sprintf("expose.On(%q):", m.Verb)
		known(says+" from", m.Froms)
		known(says+" to", m.Tos)
		if len(m.Froms) == 0 || len(m.Tos) == 0 {
			c.wrong(f.Name, "%s a move needs From and To", says)
		}
		reached = append(reached, m.Tos...)
		is := slices.ContainsFunc(c.Entity.Actions, func(a *Action) bool { return a.Verb == m.Verb && a.OfRow() })
		switch {
		case m.System && is:
			c.wrong(f.Name, "%s it is an action, so somebody asks for it", says)
		case !m.System && !is:
			c.wrong(f.Name, "%s there is no action of the verb: a change that no caller asks for is BySystem()", says)
		}
	}
	for _, v := range values {
		if !slices.Contains(reached, v) {
			c.wrong(f.Name, "expose.States: no row gets to the state %q: it is neither the default, nor does a move lead there", v)
		}
	}
}

// rulesOfActions checks that the policy has a rule for each verb.
func (m *Model) rulesOfActions(e *Entity, told []facts.Entity) (errs []error) {
	ruled := func(of *Entity, verb string) bool {
		i := slices.IndexFunc(told, func(f facts.Entity) bool { return f.Name == of.Name })
		return i < 0 || told[i].Rules == nil || slices.Contains(told[i].Rules.Verbs, verb)
	}
	if e.Under != "" && e.Edge(e.Under) == nil {
		return nil // another check reports it
	}
	for _, c := range m.Declared(e) {
		of := e
		if c.Mark != nil {
			of = c.Mark.Of
		}
		if of != nil && !ruled(of, c.Verb) && c.Op != Restore {
			errs = append(errs, ProblemAt(of.Type, "", fmt.Errorf("policy.Rules: the operation %q is declared, but the verb %q has no rule: policy.Nobody() refuses every caller", naming.Words(c.ID), c.Verb)))
		}
	}
	for _, l := range e.Links {
		if l.Verb != "" && !ruled(e, l.Verb) {
			errs = append(errs, ProblemAt(e.Type, "", fmt.Errorf("policy.Rules: the link %q asks for the verb %q, which has no rule", l.Name, l.Verb)))
		}
	}
	return errs
}

// needsRun reports whether only a method can answer so.
func needsRun(a expose.Answer) bool {
	return a.Pending || a.Found || a.Job != "" || len(a.Once)+len(a.Members)+len(a.File) > 0
}
