// Package policy is the language of schemas for rights: which rows a viewer may
// read, and which verbs the viewer may use on them.
//
// A [Rule] is a condition over the viewer and a row: roles and permissions belong
// to the viewer, columns to the row. [Rule.For] folds the viewer's part away. The
// rest is true, false, or a predicate over columns, which becomes SQL
// ([Rule.Write]) wherever rows are read or written: in queries, in the WHERE of
// updates and deletes, inside filters over edges. So a hidden row is found by no
// filter and overwritten by no update. [Rule.Matches] asks the same of a row in
// memory.
//
// [Rules] gathers an entity's rules by verb and is its ent.Policy. The
// package leans on Ent's base packages, viewer and problem, and knows no entity.
package policy

import (
	"fmt"
	"reflect"
	"slices"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/viewer"
)

type op uint8

const (
	opNever op = iota // the zero Rule admits no viewer
	opAlways
	opAny
	opAll
	opNot
	opAuthenticated
	opSignedIn
	opRoles
	opKey
	opOwner
	opKeyOwner
	opIs
	opIn
	opNull
	opLess
	opRelated
	opAnother
	opTenant
	opStays
	opKept
)

// Rule is a condition over a viewer and a row. The zero Rule admits no
// viewer but the system.
type Rule struct {
	op op
	// settled is set where the rule mentions columns only and has nothing to
	// simplify, so that it is the same for every viewer.
	settled bool
	// lacking is set where a folded rule admits no row because the viewer has no
	// tenant.
	lacking  bool
	column   string
	value    any
	rules    []Rule
	*details // nil for the kinds of rules that have none; never changed
}

// details are the fields that few kinds of rules have: opRoles and opTenant (roles), opKey (perm),
// opIn (values), opRelated and opAnother (table, foreign), opStays (all three: see With), and opLess
// (foreign). They stand behind a pointer because folding copies a rule at
// each step, and copying 72 bytes costs half as much as 176.
type details struct {
	roles  []viewer.Role
	perm   viewer.Permission
	values []any
	table  string
	// foreign is the column of the table that opRelated and opAnother compare,
	// and the other column that opLess does.
	foreign string
	// through is the entity that [Through] was given.
	through string
}

// detail is the rule's details, empty where it has none.
func (r *Rule) detail() details {
	if r.details == nil {
		return details{}
	}
	return *r.details
}

// Anyone admits every viewer, anonymous ones too.
func Anyone() Rule { return Rule{op: opAlways} }

// Nobody admits the system alone.
func Nobody() Rule { return Rule{} }

// Authenticated admits users and API keys.
func Authenticated() Rule { return Rule{op: opAuthenticated} }

// SignedIn admits users, whatever their role, but no API key.
func SignedIn() Rule { return Rule{op: opSignedIn} }

// Roles admits users with one of the roles.
func Roles(roles ...viewer.Role) Rule { return Rule{op: opRoles, details: &details{roles: roles}} }

// Key admits API keys with the permission.
func Key(p viewer.Permission) Rule { return Rule{op: opKey, details: &details{perm: p}} }

// Owner admits the user whose id is in the row's column.
func Owner(column string) Rule { return Rule{op: opOwner, column: column} }

// KeyOwner admits the API key whose id is in the row's column.
func KeyOwner(column string) Rule { return Rule{op: opKeyOwner, column: column} }

// Is admits rows whose column has the value: a string, a bool or an int.
func Is(column string, value any) Rule {
	return Rule{op: opIs, column: column, value: value, settled: true}
}

// In admits rows whose column has one of the values, which are strings or ints.
func In[T string | int](column string, values ...T) Rule {
	r := Rule{op: opIn, column: column, settled: true, details: &details{}}
	for _, value := range values {
		r.values = append(r.values, value)
	}
	return r
}

// Less admits rows whose column is less than another column of the row: a smaller
// number or an earlier time. Rows in which one of the two is null are not admitted.
func Less(column, than string) Rule {
	return Rule{op: opLess, column: column, details: &details{foreign: than}, settled: true}
}

// Null admits rows whose column is null.
func Null(column string) Rule { return Rule{op: opNull, column: column, settled: true} }

// Related admits rows whose column is the id of a row of the table that the rule
// admits: Related("order_id", "orders", Owner("user_id")).
func Related(column, table string, rule Rule) Rule {
	return Having(column, table, "id", rule)
}

// Through admits rows whose column is the id of a row of another entity that the viewer
// can read. The rule stands at that entity only: an issue is read by those who read its
// project, and a project by members of its organisation.
//
//	Read: policy.Through("project_id", "projects", Project{})
//
// With a verb it admits those of rows to which the viewer may do that as well:
//
//	policy.Update: policy.Through("project_id", "projects", Project{}, policy.Update)
//
// Soft-deleted rows of the other entity admit nothing. An entity that leads back to
// itself has no such rule: its policy would be made of itself.
func Through(column, table string, to interface{ Policy() ent.Policy }, verbs ...string) Rule {
	rules, ok := AsRules(to.Policy())
	if s, mixed := to.(ent.Interface); mixed {
		rules, ok = Find(s)
	}
	if !ok {
		panic(fmt.Sprintf("policy: the policy of %T is no policy.Rules", to))
	}
	rule := rules.Reads()
	for _, verb := range verbs {
		rule = All(rule, rules.Verbs[verb])
	}
	r := Related(column, table, rule)
	r.through = reflect.Indirect(reflect.ValueOf(to)).Type().Name()
	return r
}

// Having admits rows whose column equals the foreign column of some row of the table
// that the rule admits. Having("id", "order_items", "product_id", Anyone()) are the
// products that were ordered.
func Having(column, table, foreign string, rule Rule) Rule {
	return Rule{op: opRelated, column: column, details: &details{table: table, foreign: foreign}, rules: []Rule{rule}, settled: rule.settled}
}

// Another admits a row where the rule admits a row of the table with another id. The
// table is that of the rows themselves.
func Another(table string, rule Rule) Rule {
	return Rule{op: opAnother, column: "id", details: &details{table: table, foreign: "id"}, rules: []Rule{rule}, settled: rule.settled}
}

// Any admits what at least one of the rules admits: nothing without rules.
func Any(rules ...Rule) Rule { return Rule{op: opAny, rules: rules, settled: allSettled(rules)} }

// All admits what every one of the rules admits: everything without rules.
func All(rules ...Rule) Rule { return Rule{op: opAll, rules: rules, settled: allSettled(rules)} }

// Not admits the rows that the rule does not. A rule does not admit a row for
// which SQL has no answer because a column is null, so that Not does.
func Not(rule Rule) Rule { return Rule{op: opNot, rules: []Rule{rule}, settled: rule.settled} }

// allSettled reports whether joining the rules leaves nothing to simplify.
func allSettled(rules []Rule) bool {
	for i := range rules {
		if !rules[i].settled {
			return false
		}
	}
	return len(rules) > 1
}

// For returns the folded rule: r for the viewer v, with the viewer's part decided.
// Its conditions are on columns only. For the system it admits every row.
func (r Rule) For(v *viewer.Viewer) Rule {
	if v.System {
		return Anyone()
	}
	return r.fold(v)
}

func (r *Rule) fold(v *viewer.Viewer) Rule {
	if r.settled {
		return *r
	}
	switch r.op {
	case opAuthenticated:
		return constant(v.Authenticated())
	case opSignedIn:
		return constant(v.UserID != 0)
	case opRoles:
		return constant(v.Is(r.roles...))
	case opKey:
		return constant(v.May(r.perm))
	case opTenant:
		return r.foldTenant(v)
	case opOwner:
		if v.UserID == 0 {
			return Nobody()
		}
		return Rule{op: opOwner, column: r.column, value: v.UserID, settled: true}
	case opKeyOwner:
		if v.KeyID == 0 {
			return Nobody()
		}
		return Rule{op: opOwner, column: r.column, value: v.KeyID, settled: true}
	case opAny, opAll:
		return join(r.op, r.rules, func(rule *Rule) Rule { return rule.fold(v) })
	case opNot:
		return negate(r.rules[0].fold(v))
	case opRelated, opAnother:
		inner := r.rules[0].fold(v)
		if inner.op == opNever {
			return Nobody()
		}
		folded := *r
		folded.rules, folded.settled = []Rule{inner}, true
		return folded
	}
	return *r
}

// admitsSome reports whether [Rule.For] leaves anything of the rule. Requests ask it
// before they are read, and need no folded rule for it.
func (r *Rule) admitsSome(v *viewer.Viewer) bool { return v.System || r.outcome(v) != opNever }

// outcome is the kind of the folded rule, of which opNever and opAlways are exact and
// any other says that rows differ.
func (r *Rule) outcome(v *viewer.Viewer) op {
	switch {
	case r.settled:
	case r.op == opAny, r.op == opAll:
		left, absorbing := opNever, opAlways
		if r.op == opAll {
			left, absorbing = opAlways, opNever
		}
		neutral := left
		for i := range r.rules {
			switch one := r.rules[i].outcome(v); one {
			case neutral:
			case absorbing:
				return one
			default:
				left = one
			}
		}
		return left
	case r.op == opNot:
		switch r.rules[0].outcome(v) {
		case opAlways:
			return opNever
		case opNever:
			return opAlways
		}
	case r.op == opRelated, r.op == opAnother:
		if r.rules[0].outcome(v) == opNever {
			return opNever
		}
	default:
		return r.fold(v).op
	}
	return r.op
}

// join folds the rules of Any and All: neutral ones are dropped, one
// absorbing one decides.
func join(kind op, rules []Rule, fold func(*Rule) Rule) Rule {
	neutral, absorbing := opNever, opAlways
	if kind == opAll {
		neutral, absorbing = opAlways, opNever
	}
	var room [4]Rule // most are joined of no more, and what is left of them is less
	left := room[:0]
	for i := range rules {
		folded := fold(&rules[i])
		switch folded.op {
		case neutral:
		case absorbing:
			return folded
		default:
			left = append(left, folded)
		}
	}
	switch len(left) {
	case 0:
		return Rule{op: neutral}
	case 1:
		return left[0]
	}
	return Rule{op: kind, rules: slices.Clone(left), settled: true}
}

// negate folds the rule of Not.
func negate(folded Rule) Rule {
	switch folded.op {
	case opAlways:
		return Nobody()
	case opNever:
		return Anyone()
	}
	return Not(folded)
}

// Both returns the folded rule that admits the rows which both folded rules admit.
func Both(a, b Rule) Rule { return both(a, b) }

// both returns what two folded rules admit together.
func both(a, b Rule) Rule {
	switch {
	case a.op == opNever || b.op == opAlways:
		return a
	case b.op == opNever || a.op == opAlways:
		return b
	}
	return Rule{op: opAll, rules: []Rule{a, b}, settled: true}
}

func constant(admitted bool) Rule {
	if admitted {
		return Anyone()
	}
	return Nobody()
}

// Always reports whether a folded rule admits every row.
func (r Rule) Always() bool { return r.op == opAlways }

// Never reports whether a folded rule admits no row.
func (r Rule) Never() bool { return r.op == opNever }

// Relates reports whether the rule asks for other rows.
func (r Rule) Relates() bool {
	return r.op == opRelated || r.op == opAnother || slices.ContainsFunc(r.rules, Rule.Relates)
}

// Personal reports whether what the rule admits depends on the viewer, and not on
// the row alone.
func (r Rule) Personal() bool {
	switch r.op {
	case opAuthenticated, opSignedIn, opRoles, opKey, opOwner, opKeyOwner, opTenant:
		return true
	}
	return slices.ContainsFunc(r.rules, Rule.Personal)
}

// Columns lists the columns that the rule reads in the row itself, sorted, each once.
// Columns of related rows are not among them.
func (r Rule) Columns() []string {
	var columns []string
	switch r.op {
	case opOwner, opTenant, opIs, opIn, opNull, opRelated, opAnother, opStays, opKept:
		columns = append(columns, r.column)
	case opLess:
		columns = append(columns, r.column, r.foreign)
	case opAny, opAll, opNot:
		for _, rule := range r.rules {
			columns = append(columns, rule.Columns()...)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// Given returns what is left of the rule r for rows of which another statement
// knows already that column is the id of a row of the table that the rule admitted
// admits. It saves a query over an edge from asking that again for each row. Both
// rules are folded, or neither is.
func (r Rule) Given(column, table string, admitted Rule) Rule {
	switch {
	case r.op == opRelated && r.column == column && r.table == table && r.foreign == "id" && r.rules[0].equal(admitted):
		return Anyone()
	case r.op == opAll:
		left := make([]Rule, 0, len(r.rules))
		for _, rule := range r.rules {
			if rest := rule.Given(column, table, admitted); !rest.Always() {
				left = append(left, rest)
			}
		}
		switch len(left) {
		case 0:
			return Anyone()
		case 1:
			return left[0]
		}
		return Rule{op: opAll, rules: left}
	}
	return r
}

// Apart splits a folded rule: the conditions on the row's columns alone, and those
// that other rows decide, too. The rule admits the rows that both do.
func (r Rule) Apart() (own, others Rule) {
	switch {
	case !r.asksOthers():
		return r, Anyone()
	case r.op != opAll:
		return Anyone(), r
	}
	own, others = Anyone(), Anyone()
	for _, rule := range r.rules {
		o, t := rule.Apart()
		own, others = both(own, o), both(others, t)
	}
	return own, others
}

func (r Rule) asksOthers() bool {
	return r.op == opRelated || r.op == opAnother || r.op == opStays || slices.ContainsFunc(r.rules, Rule.asksOthers)
}

// equal reports whether two rules say the same in the same words.
func (r Rule) equal(o Rule) bool {
	return r.op == o.op && r.column == o.column && r.value == o.value &&
		(r.details == o.details || r.detail().equal(o.detail())) && slices.EqualFunc(r.rules, o.rules, Rule.equal)
}

func (d details) equal(o details) bool {
	return d.table == o.table && d.foreign == o.foreign && d.perm == o.perm && slices.Equal(d.roles, o.roles) && slices.Equal(d.values, o.values)
}
