package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// tenant compares whose the rows are: who reads and writes which of them, and what
// the databases refuse.
func (j *judge) tenant(was, now *contract.Entity, r reach) {
	had, has := was.Tenant, now.Tenant
	switch {
	case had == nil && has == nil:
	case had == nil:
		j.add(39, now.Name, fmt.Sprintf("the tenant's bound is added to all rules, by %s: callers reach rows of their own tenant, and without one they reach none", has.Column), r)
		j.add(21, now.Name, "its rows refer to none of another tenant", r)
	case has == nil:
		j.add(39, now.Name, "the tenant's bound is taken from all rules: callers reach rows of all tenants", r)
		j.add(22, now.Name, "its rows may refer to those of any tenant", r)
	case j.columnNow(now.Table, had.Column) != has.Column:
		j.add(39, now.Name, fmt.Sprintf("its rows belong to tenants by %s, and did by %s", has.Column, had.Column), r)
		j.add(21, now.Name, "its rows refer to none of another tenant", r)
	case had.Users != has.Users:
		j.add(39, now.Name, "whose a caller is follows from another column", r)
	default:
		if !slices.Equal(had.Across, has.Across) {
			j.add(39, now.Name, fmt.Sprintf("the rows of every tenant are reached by %s, and were by %s", orNone(strings.Join(has.Across, ", ")), orNone(strings.Join(had.Across, ", "))), r)
		}
	}
}

// tenancy says what a rule that is another one gets or loses besides.
func tenancy(was, now *contract.Entity) []string {
	switch {
	case was.Tenant == nil && now.Tenant != nil:
		return []string{"the tenant's bound is added"}
	case was.Tenant != nil && now.Tenant == nil:
		return []string{"the tenant's bound is taken away"}
	}
	return nil
}

// tenantsOf are the columns by which the rows of a table belong to tenants, empty
// where they belong to none, both by the names of now.
func (j *judge) tenantsOf(table string) (was, now string) {
	for _, e := range j.before.Entities {
		if e.Tenant != nil && j.table(e.Table) == table {
			was = j.columnNow(table, e.Tenant.Column)
		}
	}
	for _, e := range j.after.Entities {
		if e.Tenant != nil && e.Table == table {
			now = e.Tenant.Column
		}
	}
	return was, now
}

// besides are the columns of an index but those of tenants.
func besides(index contract.Index, tenants ...string) []string {
	return slices.DeleteFunc(slices.Clone(index.Columns), func(c string) bool { return slices.Contains(tenants, c) })
}

// led reports, in one finding, indexes that only get the tenant's column in front, or
// lose it, and returns the other indexes that are removed and added. A unique one that
// gets it allows more, so that no row is in its way.
func (j *judge) led(table string, now, gone, come []contract.Index) (left, others []contract.Index) {
	before, after := j.tenantsOf(table)
	if before == after {
		return gone, come
	}
	var plain []string
	var answered []contract.Index
	for _, index := range gone {
		columns := besides(index, before, after)
		if index.Unique && len(columns) == 1 && j.unique(table, columns[0]) {
			continue // which the field reports
		}
		i := slices.IndexFunc(now, func(o contract.Index) bool {
			return o.Unique == index.Unique && o.Where == index.Where && (after == "" || o.Columns[0] == after) && slices.Equal(besides(o, before, after), columns)
		})
		if i < 0 || len(columns) == 0 {
			left = append(left, index)
			continue
		}
		answered = append(answered, now[i])
		of := strings.Join(columns, ", ") + where(index)
		switch {
		case !index.Unique:
			plain = append(plain, of)
		case after == "":
			j.add(19, table, "no two rows may have the same "+of+", and two of different tenants might", everywhere)
		default:
			j.add(20, table, "rows of two tenants may have the same "+of, sql, none(rest, graphQL))
		}
	}
	if len(plain) > 0 {
		says := "the tenant's column " + after + " is put before the columns of indexes: "
		if after == "" {
			says = "the tenant's column " + before + " is taken from indexes: "
		}
		j.add(41, table, says+strings.Join(plain, "; "), sql)
	}
	for _, index := range come {
		alone := besides(index, after)
		if !slices.ContainsFunc(answered, func(o contract.Index) bool { return same(index, o) }) && !(index.Unique && len(alone) == 1 && j.withinTenant(table, alone[0])) {
			others = append(others, index)
		}
	}
	return left, others
}

// withinTenant reports whether the column was unique among all rows, and is so
// among those of each tenant.
func (j *judge) withinTenant(table, column string) bool {
	_, tenant := j.tenantsOf(table)
	unique := slices.ContainsFunc(j.before.Entities, func(e contract.Entity) bool {
		return j.table(e.Table) == table && slices.ContainsFunc(e.Fields, func(f contract.Field) bool { return f.Unique && j.columnNow(table, f.Column) == column })
	})
	return unique && tenant != "" && slices.ContainsFunc(j.after.Tables, func(t contract.Table) bool {
		return t.Name == table && slices.ContainsFunc(t.Indexes, func(o contract.Index) bool {
			return o.Unique && o.Where == "" && slices.Equal(o.Columns, []string{tenant, column})
		})
	})
}
