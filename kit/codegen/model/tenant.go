package model

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Tenant is a type's annotation [expose.Tenant].
type Tenant struct {
	expose.Belonging
	// Field says whose a row is.
	Field *gen.Field
}

// TenantOf returns the tenant of the type's rows, nil where they belong to none,
// or where the declaration is impossible, which the check reports.
func TenantOf(t *gen.Type) *Tenant {
	var b expose.Belonging
	if is, err := Annotation(t.Annotations, &b); !is || err != nil {
		return nil
	}
	if b.Column == t.ID.Name {
		return &Tenant{b, t.ID}
	}
	if f := fieldOf(t, b.Column); f != nil {
		return &Tenant{b, f}
	}
	return nil
}

// Root reports whether the rows are the tenants themselves.
func (t *Tenant) Root() bool { return t.Field.Name == "id" }

// StorageColumn is the name of the column.
func (t *Tenant) StorageColumn() string { return t.Field.StorageKey() }

// Tenanted are the types whose rows belong to tenants.
func (m *Model) Tenanted() (all []*gen.Type) {
	for _, t := range m.Graph.Nodes {
		if TenantOf(t) != nil {
			all = append(all, t)
		}
	}
	return all
}

// ownedBy reports whether the field is the column of the type's tenant, which the
// service sets.
func ownedBy(t *gen.Type, f *gen.Field) bool {
	tenant := TenantOf(t)
	return tenant != nil && tenant.Field == f && !tenant.Users
}

// checkTenants checks what [expose.Tenant] says.
func (m *Model) checkTenants() (errs []error) {
	for _, t := range m.Graph.Nodes {
		var b expose.Belonging
		is, err := Annotation(t.Annotations, &b)
		if !is && err == nil {
			continue
		}
		wrong := func(name, format string, args ...any) {
			errs = append(errs, ProblemAt(t, name, fmt.Errorf("expose.Tenant: "+format, args...)))
		}
		if err != nil {
			wrong("", "%v", err)
			continue
		}
		tenant := TenantOf(t)
		if tenant == nil {
			wrong("", "%q: a field of the entity is allowed, or \"id\" of the tenants themselves", b.Column)
			continue
		}
		if says := strange(b.Roles, m.Roles()); says != "" {
			wrong("", "Across: %s", says)
		}
		if t.NumPolicy() == 0 {
			wrong("", "a method Policy that returns policy.Rules is needed")
		}
		if e := m.entity(t.Name); e != nil && strings.Contains(e.Cache, "public") {
			wrong("", "Cache %q: what a tenant reads is no other's, so \"private\" alone is allowed", e.Cache)
		}
		m.checkTenantField(t, tenant, wrong)
	}
	return errs
}

func (m *Model) checkTenantField(t *gen.Type, tenant *Tenant, wrong func(name, format string, args ...any)) {
	f := tenant.Field
	if tenant.Root() {
		if tenant.Users {
			wrong("", "OfUsers: a field of the users that says whose they are is allowed, not their id")
		}
		return
	}
	if f.Type.Type != field.TypeInt64 {
		wrong(f.Name, "a field.Int64 is allowed, not %s", f.Type)
	}
	a, err := FieldAnnotation(f.Annotations)
	switch {
	case err != nil: // the check of all fields reports it
	case tenant.Users:
		if t.Name != "User" {
			wrong("", "OfUsers: the entity of users is allowed")
		}
		if f.Immutable {
			wrong(f.Name, "users get a tenant once they are there, and the databases keep it then: the field is not Immutable")
		}
		open := !a.Internal && !a.ReadOnly && (len(a.Writable) == 0 || slices.ContainsFunc(a.Writable, func(r viewer.Role) bool { return !slices.Contains(tenant.Roles, r) }))
		if open {
			wrong(f.Name, "users could choose a tenant: expose.Computed() is allowed, or expose.WritableBy the roles that are Across")
		}
	case f.Optional || !f.Immutable || f.Default:
		wrong(f.Name, "a field that is Immutable is allowed, neither Optional nor with a default")
	case len(a.Writable) > 0 || a.Caller || a.Initial || a.Secret || a.Unique || f.Unique:
		wrong(f.Name, "the service sets it, to the tenant of who makes the row: nothing else can be said of that")
	}
	for _, edge := range t.Edges {
		if edge.O2O() && edge.OwnFK() && TenantOf(edge.Type) == nil && edge.Field() != f {
			wrong(edge.Name, "%s belongs to no tenant, and one of its rows could have a %s of one tenant alone: an edge of many to one is allowed", edge.Type.Name, t.Name)
		}
	}
}

// checkTenantRules refuses rules of entities that belong to no tenant over rows
// that do: which of them a viewer reads would depend on the rows of all tenants.
func (m *Model) checkTenantRules(told []facts.Entity) (errs []error) {
	tables := m.tables()
	for _, f := range told {
		t := m.node(f.Name)
		if t == nil {
			continue
		}
		looks := func(of *gen.Type, edge string, terms []policy.Term) {
			if TenantOf(of) != nil {
				return
			}
			for _, term := range terms {
				if in := tables[term.ForeignTable]; in != nil && TenantOf(in) != nil {
					errs = append(errs, ProblemAt(t, edge, fmt.Errorf("%s looks in %s, whose rows belong to tenants: with expose.Tenant, %s can have such a rule, too", term.Says, term.ForeignTable, of.Name)))
				}
			}
		}
		if f.Rules != nil {
			looks(t, "", f.Rules.Terms)
		}
		for _, edge := range t.Edges {
			looks(edge.Type, edge.Name, f.Attach[edge.Name].Terms())
		}
	}
	return errs
}

// indexTenants has the indexes of tenants' tables begin with the tenant, and what
// is unique be so within one. Users sign in by what is unique of them, whichever
// their tenant. An index that begins with a foreign key to rows of tenants stays as
// it is: these are one tenant's, and the database looks for the rows that refer to
// a removed one by it.
func (m *Model) indexTenants() {
	for _, t := range m.Graph.Nodes {
		tenant := TenantOf(t)
		if tenant == nil || tenant.Root() {
			continue
		}
		column := tenant.StorageColumn()
		for _, f := range t.Fields {
			if f.Unique && !tenant.Users && foreign(t, f.StorageKey()) == nil {
				f.Unique = false
				t.Indexes = append(t.Indexes, &gen.Index{Name: strings.ToLower(t.Name) + "_" + f.StorageKey(), Unique: true, Columns: []string{f.StorageKey()}})
			}
		}
		for _, i := range t.Indexes {
			of := foreign(t, i.Columns[0])
			if i.Columns[0] == column || i.Unique && tenant.Users || of != nil && TenantOf(of) != nil {
				continue
			}
			i.Columns = append([]string{column}, slices.DeleteFunc(slices.Clone(i.Columns), func(c string) bool { return c == column })...)
			prefix := strings.ToLower(t.Name) + "_"
			if rest, ok := strings.CutPrefix(i.Name, prefix); ok && len(i.Name)+len(column) < 63 {
				i.Name = prefix + column + "_" + rest
			}
		}
		t.Indexes = distinctIndexes(t.Indexes)
	}
}

// distinctIndexes leaves out indexes that say the same as one before.
func distinctIndexes(all []*gen.Index) (left []*gen.Index) {
	for _, i := range all {
		if !slices.ContainsFunc(left, func(o *gen.Index) bool {
			return o.Unique == i.Unique && slices.Equal(o.Columns, i.Columns) && fmt.Sprint(o.Annotations) == fmt.Sprint(i.Annotations)
		}) {
			left = append(left, i)
		}
	}
	return left
}

// foreign is the type that the column refers to, nil for none.
func foreign(t *gen.Type, column string) *gen.Type {
	for _, fk := range t.ForeignKeys {
		if fk.Field != nil && fk.Field.StorageKey() == column {
			return fk.Edge.Type
		}
	}
	for _, edge := range t.Edges {
		if edge.OwnFK() && edge.Rel.Column() == column {
			return edge.Type
		}
	}
	return nil
}

// leads is the column that the index begins with, after the tenant's.
func leads(t *gen.Type, i *gen.Index) string {
	if tenant := TenantOf(t); tenant != nil && len(i.Columns) > 1 && i.Columns[0] == tenant.StorageColumn() {
		return i.Columns[1]
	}
	return i.Columns[0]
}
