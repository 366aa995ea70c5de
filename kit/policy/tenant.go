package policy

import (
	"fmt"
	"maps"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Tenancy says that the rows of an entity belong to tenants
// (doc/schema/tenants.md). Every rule then holds within the viewer's tenant
// alone, the system's, too; a viewer without one is refused.
type Tenancy struct {
	// Column holds the id of the tenant that a row belongs to, never null but for users.
	Column string
	// Across are the roles that reach the rows of every tenant.
	Across []viewer.Role
	// Viewers is set for the entity of users: a user without a tenant reaches their
	// own row.
	Viewers bool
	// Tables are the columns of the tenant in all tables that have one, by the names
	// of the tables. [Related], [Having] and [Another] find rows of the viewer's tenant
	// in these.
	Tables map[string]string
	// Typed converts the id of a tenant into the Go type that Ent's mutations of the
	// column take. Nil: that is int64.
	Typed func(id int64) any
}

// Within returns the rules for an entity whose rows belong to tenants as t says.
func (r Rules) Within(t Tenancy) Rules {
	r.Tenancy = &t
	r.Read = r.Read.within(&t)
	r.Verbs = maps.Clone(r.Verbs)
	for verb, rule := range r.Verbs {
		r.Verbs[verb] = rule.within(&t)
	}
	return r
}

// Policy returns the rules, as a schema does.
func (r Rules) Policy() ent.Policy { return r }

// within restricts the rule's conditions on rows of other tables to rows of the
// viewer's tenant.
func (r Rule) within(t *Tenancy) Rule {
	if len(r.rules) == 0 {
		return r
	}
	rules := make([]Rule, len(r.rules))
	for i, inner := range r.rules {
		rules[i] = inner.within(t)
		r.settled = r.settled && rules[i].settled
	}
	r.rules = rules
	if column := t.Tables[r.detail().table]; column != "" && (r.op == opRelated || r.op == opAnother) {
		r.rules, r.settled = []Rule{All(t.rule(column), rules[0])}, false
	}
	return r
}

func (t *Tenancy) rule(column string) Rule {
	return Rule{op: opTenant, column: column, details: &details{roles: t.Across}}
}

// foldTenant decides the part of a rule that is about the tenant.
func (r *Rule) foldTenant(v *viewer.Viewer) Rule {
	switch {
	case v.Across || v.Is(r.roles...):
		return Anyone()
	case v.Tenant == 0:
		return Rule{lacking: true}
	}
	return Rule{op: opOwner, column: r.column, value: v.Tenant, settled: true}
}

// Tenant returns the rows of the viewer's tenant, whatever else the rules say:
// all rows where they belong to none.
func (r Rules) Tenant(v *viewer.Viewer) Rule {
	if r.Tenancy == nil {
		return Anyone()
	}
	whole := r.Tenancy.rule(r.Tenancy.Column)
	rule := whole.foldTenant(v)
	if rule.lacking && r.Tenancy.Viewers && v.UserID != 0 {
		return Rule{op: opOwner, column: "id", value: v.UserID, settled: true}
	}
	return rule
}

// AsSystem returns the system's viewer with the tenants of v, all of them where v has a
// role that is Across. It is for writes of the service that follow from a write of v.
func (r Rules) AsSystem(v *viewer.Viewer) *viewer.Viewer {
	if r.Tenancy != nil && v.Is(r.Tenancy.Across...) {
		return viewer.AcrossTenants()
	}
	return v.AsSystem()
}

// ErrTenant answers a caller who belongs to no tenant, and Go code that names none.
var ErrTenant = problem.New(problem.TenantRequired, "a tenant is required: the caller belongs to none")

// Refusal returns the error for a folded rule that admits no row because the viewer
// has no tenant: [ErrTenant], or problem.ErrAuthRequired for an anonymous viewer. It
// is nil for all other rules.
func (r Rule) Refusal(v *viewer.Viewer) error {
	switch {
	case !r.lacking:
		return nil
	case !v.Authenticated():
		return problem.ErrAuthRequired
	}
	return ErrTenant
}

// Denied returns the error for a viewer of whom the folded rule admits no row.
func (r Rule) Denied(v *viewer.Viewer) error {
	if err := r.Refusal(v); err != nil {
		return err
	}
	return Denied(v)
}

// Own sets the tenant of a new row to the viewer's, unless the mutation sets one. It
// does not judge that one: [Rules.EvalMutation] does, which calls Own first.
func (r Rules) Own(v *viewer.Viewer, m ent.Mutation) error {
	if r.Tenancy == nil || r.Tenancy.Column == "id" {
		return nil
	}
	if value, named := m.Field(r.Tenancy.Column); named && plain(value) != nil {
		return nil
	}
	if v.Tenant == 0 {
		if r.Tenancy.Viewers {
			return nil // a user may have none yet
		}
		return ErrTenant
	}
	var id any = v.Tenant
	if r.Tenancy.Typed != nil {
		id = r.Tenancy.Typed(v.Tenant)
	}
	if err := m.SetField(r.Tenancy.Column, id); err != nil {
		return fmt.Errorf("set the tenant of %s: %w", m.Type(), err)
	}
	return nil
}
