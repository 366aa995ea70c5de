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
		j.add(39, now.Name, fmt.Sprintf("its rows belong to tenants by %s: callers reach those of their own, and without one they reach none", has.Column), r)
		j.add(21, now.Name, "its rows refer to none of another tenant", r)
	case has == nil:
		j.add(39, now.Name, "its rows belong to no tenant any longer: callers reach those of all", r)
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
