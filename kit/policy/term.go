package policy

import "github.com/entwine-go/entwine/kit/viewer"

// Term is a condition of a rule on a column. The generator checks that the column
// exists and has the type.
type Term struct {
	// Says is the word of this package: "policy.Owner".
	Says string `json:"says"`
	// Table is the table of the column, empty for the entity's own.
	Table  string `json:"table,omitempty"`
	Column string `json:"column"` // the column that is judged, empty where the caller is
	// Value is the value that [Is] compares with. [In] has a term for each value.
	Value any `json:"value,omitempty"`
	// Other is the column that [Less] compares with.
	Other string `json:"other,omitempty"`
	// ForeignTable and Foreign are the column that [Related], [Having] and
	// [Another] look in.
	ForeignTable string `json:"foreign_table,omitempty"`
	Foreign      string `json:"foreign,omitempty"`
	// Through is the entity whose table that has to be, of [Through].
	Through string `json:"through,omitempty"`
}

// Terms lists the conditions of the rule on columns, those on related rows too.
func (r Rule) Terms() []Term { return r.terms("") }

func (r Rule) terms(table string) []Term {
	var all []Term
	inner := table
	switch r.op {
	case opOwner:
		all = append(all, Term{Says: "policy.Owner", Table: table, Column: r.column})
	case opKeyOwner:
		all = append(all, Term{Says: "policy.KeyOwner", Table: table, Column: r.column})
	case opIs:
		all = append(all, Term{Says: "policy.Is", Table: table, Column: r.column, Value: r.value})
	case opIn:
		for _, value := range r.values {
			all = append(all, Term{Says: "policy.In", Table: table, Column: r.column, Value: value})
		}
	case opLess:
		all = append(all, Term{Says: "policy.Less", Table: table, Column: r.column, Other: r.foreign})
	case opNull:
		all = append(all, Term{Says: "policy.Null", Table: table, Column: r.column})
	case opAnother:
		all = append(all, Term{Says: "policy.Another", Table: table, Column: r.column, ForeignTable: r.table, Foreign: r.foreign})
		inner = r.table
	case opRelated:
		says := "policy.Related"
		switch {
		case r.through != "":
			says = "policy.Through"
		case r.foreign != "id":
			says = "policy.Having"
		}
		all = append(all, Term{Says: says, Table: table, Column: r.column, ForeignTable: r.table, Foreign: r.foreign, Through: r.through})
		inner = r.table
	}
	for _, rule := range r.rules {
		all = append(all, rule.terms(inner)...)
	}
	return all
}

// RolesNamed lists the roles that the rule names, those of related rows too. The
// generator checks that users have such roles.
func (r Rule) RolesNamed() []viewer.Role {
	var all []viewer.Role
	if r.op == opRoles {
		all = append(all, r.roles...)
	}
	for _, rule := range r.rules {
		all = append(all, rule.RolesNamed()...)
	}
	return all
}

// PermissionsNamed lists the permissions of API keys that the rule names, those of
// related rows too.
func (r Rule) PermissionsNamed() []viewer.Permission {
	var all []viewer.Permission
	if r.op == opKey {
		all = append(all, r.perm)
	}
	for _, rule := range r.rules {
		all = append(all, rule.PermissionsNamed()...)
	}
	return all
}
