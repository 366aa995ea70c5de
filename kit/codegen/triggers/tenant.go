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
			all = append(all, moves(t, tenant.StorageColumn()))
		}
		for _, edge := range t.Edges {
			to := model.TenantOf(edge.Type)
			switch {
			case to == nil:
			case edge.M2M() && !edge.IsInverse():
				all = append(all, between(t, edge)...)
			case edge.OwnFK() && edge.Rel.Column() != tenant.StorageColumn() && !tenant.Root():
				all = append(all, across(t, edge)...)
			}
		}
	}
	return all
}

// refuse is what a trigger does where the condition holds.
func refuse(name, table, condition string) (body, lite []string) {
	return []string{fmt.Sprintf("IF %s THEN\n\t\tRAISE EXCEPTION 'the rule %s is broken' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = '%[2]s', TABLE = '%s';\n\tEND IF;", condition, name, table)},
		[]string{fmt.Sprintf("SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: %s') WHERE %s;", name, condition)}
}

// asking has a trigger made only where no row of the table that is there meets the
// condition, by the columns.
func asking(table, key, condition string, columns ...string) Object {
	return Object{
		Of: strings.Join(append([]string{table + "." + key}, columns...), " "), Refuses: condition,
		Says: key + " of these rows leads to a row of another tenant: change it first",
	}
}

// moves refuses another tenant for a row that has one.
func moves(t *gen.Type, column string) trigger {
	name := "tenant_" + t.Table()
	one := trigger{name: name, table: t.Table(), on: "update", when: fmt.Sprintf("OLD.%[1]q IS NOT NULL AND (NEW.%[1]q IS NULL OR NEW.%[1]q <> OLD.%[1]q)", column)}
	one.body, one.lite = refuse(name, t.Table(), "TRUE")
	return one
}

// across refuses a reference to a row of another tenant.
func across(t *gen.Type, edge *gen.Edge) (all []trigger) {
	own, of := model.TenantOf(t).StorageColumn(), model.TenantOf(edge.Type).StorageColumn()
	key := edge.Rel.Column()
	name := "tenant_" + t.Table() + "_" + key
	for _, on := range []string{"insert", "update"} {
		one := trigger{name: name + "_on_" + on, table: t.Table(), on: on, when: fmt.Sprintf("NEW.%q IS NOT NULL", key)}
		if on == "update" {
			one.when += fmt.Sprintf(" AND (OLD.%[1]q IS NULL OR OLD.%[1]q <> NEW.%[1]q OR OLD.%[2]q IS NULL)", key, own)
		}
		apart := func(row string) string {
			return fmt.Sprintf(`NOT EXISTS (SELECT 1 FROM %[2]q AS "of" WHERE "of"."id" = %[1]s.%[3]q AND "of".%[4]q = %[1]s.%[5]q)`, row, edge.Type.Table(), key, of, own)
		}
		one.body, one.lite = refuse(name, t.Table(), apart("NEW"))
		if on == "insert" {
			row := strconv.Quote(t.Table())
			one.asks = asking(t.Table(), key, fmt.Sprintf("%s.%q IS NOT NULL AND %s", row, key, apart(row)), t.Table()+"."+own, edge.Type.Table()+"."+of)
		}
		all = append(all, one)
	}
	return all
}

// between refuses to attach a row to one of another tenant.
func between(t *gen.Type, edge *gen.Edge) (all []trigger) {
	name := "tenant_" + edge.Rel.Table
	own, of := model.TenantOf(t).StorageColumn(), model.TenantOf(edge.Type).StorageColumn()
	for _, on := range []string{"insert", "update"} {
		one := trigger{name: name + "_on_" + on, table: edge.Rel.Table, on: on}
		apart := func(row string) string {
			return fmt.Sprintf(`NOT EXISTS (SELECT 1 FROM %[2]q AS "a", %[3]q AS "b" WHERE "a"."id" = %[1]s.%[4]q AND "b"."id" = %[1]s.%[5]q AND "a".%[6]q = "b".%[7]q)`,
				row, t.Table(), edge.Type.Table(), edge.Rel.Columns[0], edge.Rel.Columns[1], own, of)
		}
		one.body, one.lite = refuse(name, edge.Rel.Table, apart("NEW"))
		if on == "insert" {
			one.asks = asking(edge.Rel.Table, edge.Rel.Columns[1], apart(strconv.Quote(edge.Rel.Table)), t.Table()+"."+own, edge.Type.Table()+"."+of)
		}
		all = append(all, one)
	}
	return all
}
