package adopt

import (
	"strings"

	"ariga.io/atlas/sql/postgres"
	atschema "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"
)

// predicate returns the condition of a partial index, and whether the index is of
// another kind than a B-tree over all rows.
func predicate(a atschema.Attr) (text string, other bool) {
	switch a := a.(type) {
	case *postgres.IndexPredicate:
		return a.P, true
	case *sqlite.IndexPredicate:
		return a.P, true
	case *postgres.IndexType:
		return a.T, !strings.EqualFold(a.T, "btree")
	}
	return "", false
}
