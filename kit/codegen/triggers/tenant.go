package triggers

import (
	"fmt"
	"strconv"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// tenants are the triggers that refuse a row of one tenant that refers to a row of
// another, and a row that would become another tenant's. As no row does, what a
// reference was found to be when it was written holds from then on, with no lock.
//
// A foreign key of two columns, (org_id, id), would say the same, but for ON DELETE
// SET NULL: SQLite takes the tenant away with the reference then, and so does
// PostgreSQL before version 15.
func tenants(m *model.Model) (all []trigger) {
	for _, t := range m.Tenanted() {
		tenant := model.TenantOf(t)
		if !tenant.Root() {
			all = append(all, moves("tenant_"+t.Table(), t, tenant.StorageColumn()))
		}
		for _, edge := range t.Edges {
			to := model.TenantOf(edge.Type)
			if to == nil {
				continue
			}
			a := apart{name: "tenant_", parent: "tenant", t: t, edge: edge, own: tenant.StorageColumn(), of: to.StorageColumn()}
			switch {
			case edge.M2M() && !edge.IsInverse():
				all = append(all, a.between()...)
			case edge.OwnFK() && edge.Rel.Column() != tenant.StorageColumn() && !tenant.Root():
				all = append(all, a.across()...)
			}
		}
	}
	return all
}

// withins are the triggers that refuse the same of edges whose ends share a parent
// (expose.Within).
func withins(m *model.Model) (all []trigger) {
	kept := map[string]bool{}
	for _, w := range m.Withins() {
		t, edge := w.Type, w.Edge
		a := apart{name: "within_", parent: w.Parent(), t: t, edge: edge, own: w.Column, of: w.Column}
		for _, end := range []*gen.Type{t, edge.Type} {
			if name := "within_" + end.Table() + "_" + w.Column; !kept[name] {
				kept[name] = true
				all = append(all, moves(name, end, w.Column))
			}
		}
		if edge.M2M() {
			all = append(all, a.between()...)
		} else {
			all = append(all, a.across()...)
		}
	}
	return all
}

// refuse is the trigger's statement for rows for which the condition holds.
func refuse(name, table, condition string) (body, lite []string) {
	return []string{fmt.Sprintf("IF %s THEN\n\t\tRAISE EXCEPTION 'the rule %s is broken' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = '%[2]s', TABLE = '%s';\n\tEND IF;", condition, name, table)},
		[]string{fmt.Sprintf("SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: %s') WHERE %s;", name, condition)}
}

// moves refuses another parent for a row that has one.
func moves(name string, t *gen.Type, column string) trigger {
	one := trigger{name: name, table: t.Table(), on: "update", when: fmt.Sprintf("OLD.%[1]q IS NOT NULL AND (NEW.%[1]q IS NULL OR NEW.%[1]q <> OLD.%[1]q)", column)}
	one.body, one.lite = refuse(name, t.Table(), "TRUE")
	return one
}

// apart is an edge of the type whose ends have one parent, by the columns own and of.
type apart struct {
	name, parent string // name begins those of triggers, parent is what they share
	t            *gen.Type
	edge         *gen.Edge
	own, of      string
}

// asking has a trigger made only where no row of the table that is there meets the
// condition, by the columns.
func (a *apart) asking(table, key, condition string, columns ...string) Object {
	return Object{
		Of: strings.Join(append([]string{table + "." + key}, columns...), " "), Refuses: condition,
		Says: key + " of these rows leads to a row of another " + a.parent + ": change it first",
	}
}

// across refuses a reference to a row of another parent.
func (a *apart) across() (all []trigger) {
	t, key := a.t.Table(), a.edge.Rel.Column()
	name := a.name + t + "_" + key
	for _, on := range []string{"insert", "update"} {
		one := trigger{name: name + "_on_" + on, table: t, on: on, when: fmt.Sprintf("NEW.%q IS NOT NULL", key)}
		if on == "update" {
			one.when += fmt.Sprintf(" AND (OLD.%[1]q IS NULL OR OLD.%[1]q <> NEW.%[1]q OR OLD.%[2]q IS NULL)", key, a.own)
		}
		apart := func(row string) string {
			return fmt.Sprintf(`NOT EXISTS (SELECT 1 FROM %[2]q AS "of" WHERE "of"."id" = %[1]s.%[3]q AND "of".%[4]q = %[1]s.%[5]q)`, row, a.edge.Type.Table(), key, a.of, a.own)
		}
		one.body, one.lite = refuse(name, t, apart("NEW"))
		if on == "insert" {
			row := strconv.Quote(t)
			one.asks = a.asking(t, key, fmt.Sprintf("%s.%q IS NOT NULL AND %s", row, key, apart(row)), t+"."+a.own, a.edge.Type.Table()+"."+a.of)
		}
		all = append(all, one)
	}
	return all
}

// between refuses to attach a row to one of another parent.
func (a *apart) between() (all []trigger) {
	between := a.edge.Rel.Table
	name := a.name + between
	near, far := a.edge.Rel.Columns[0], a.edge.Rel.Columns[1]
	if a.edge.IsInverse() {
		near, far = far, near
	}
	for _, on := range []string{"insert", "update"} {
		one := trigger{name: name + "_on_" + on, table: between, on: on}
		apart := func(row string) string {
			return fmt.Sprintf(`NOT EXISTS (SELECT 1 FROM %[2]q AS "a", %[3]q AS "b" WHERE "a"."id" = %[1]s.%[4]q AND "b"."id" = %[1]s.%[5]q AND "a".%[6]q = "b".%[7]q)`,
				row, a.t.Table(), a.edge.Type.Table(), near, far, a.own, a.of)
		}
		one.body, one.lite = refuse(name, between, apart("NEW"))
		if on == "insert" {
			one.asks = a.asking(between, far, apart(strconv.Quote(between)), a.t.Table()+"."+a.own, a.edge.Type.Table()+"."+a.of)
		}
		all = append(all, one)
	}
	return all
}
