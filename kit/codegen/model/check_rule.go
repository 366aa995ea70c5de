package model

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Constraint is the name that the database knows the check by.
func (e *Entity) Constraint(c expose.Check) string { return e.Type.Table() + "_" + c.Name }

// CheckSQL is the condition of the check. A rule is false of what compares with
// null, and a CHECK passes it.
func CheckSQL(c expose.Check) string {
	return "COALESCE((" + ruleSQL(c.Folded(), "") + "), FALSE)"
}

// ruleSQL is a rule that is [local] as SQL over the row that is called so.
func ruleSQL(rule policy.Rule, alias string) string {
	var w sqlText
	rule.Write(&w, alias)
	return w.String()
}

// local reports whether the rule is about columns of one row alone, and about
// some.
func local(rule policy.Rule) bool {
	terms := rule.Terms()
	return !rule.Personal() && len(terms) > 0 && !slices.ContainsFunc(terms, func(t policy.Term) bool { return t.Table != "" || t.ForeignTable != "" })
}

// sqlText writes a rule about columns alone, which has no arguments.
type sqlText struct{ strings.Builder }

// WriteString implements policy.Writer.
func (w *sqlText) WriteString(text string) { w.Builder.WriteString(text) }

// Arg implements policy.Writer.
func (w *sqlText) Arg(value any) {
	panic(fmt.Sprintf("model: the rule of a check has the argument %v", value))
}

// addChecks adds the checks of the entity to those that Ent knows of its table,
// which migrations, samples and the contract read.
func (e *Entity) addChecks() {
	if len(e.Checks) == 0 {
		return
	}
	var a entsql.Annotation
	if _, err := Annotation(e.Type.Annotations, &a); err != nil {
		return // the check reports it
	}
	checks := maps.Clone(a.Checks)
	if checks == nil {
		checks = map[string]string{}
	}
	for _, c := range e.Checks {
		checks[e.Constraint(c)] = CheckSQL(c)
	}
	a.Checks = checks
	set := gen.Annotations{}
	maps.Copy(set, e.Type.Annotations)
	set[a.Name()] = a
	e.Type.Annotations = set
}

// localAllowed says what rules are [local].
const localAllowed = "a rule about columns of the row alone is allowed: policy.Is, In, Less and Null, and Any, All and Not of these"

var checkForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// checks checks the rules over fields.
func (c checker) checks(tables map[string]*gen.Type) {
	var had entsql.Annotation
	_, _ = Annotation(c.Type.Annotations, &had)
	names := map[string]bool{}
	for _, check := range c.Checks {
		says := fmt.Sprintf("check %q: ", check.Name)
		if _, taken := had.Checks[c.Constraint(check)]; !checkForm.MatchString(check.Name) || names[check.Name] || taken {
			c.wrong("", "%sa name of lower-case letters, digits and _ is allowed, each once", says)
		}
		names[check.Name] = true
		if local(check.Rule) {
			inner := rulesChecker{tables: tables, own: c.Type, errs: c.errs, says: says}
			for _, term := range check.Rule.Terms() {
				inner.term(term)
			}
		} else {
			c.wrong("", "%s%s", says, localAllowed)
		}
		if check.Says == "" || len(check.Fields) == 0 {
			c.wrong("", "%sFields are needed, and Says, which completes the name of each: \"must be …\"", says)
		}
		for _, name := range check.Fields {
			if c.Field(name) == nil {
				c.wrong("", "%sfield %q: the fields that are shown are allowed: %s", says, name, c.names(shown))
			}
		}
	}
}
