package policy

// Owned is a column that a rule compares with the id of the user who asks: of the
// row itself, or of the row that the steps lead to.
type Owned struct {
	// Steps lead from the row itself, each from the row before, and may be none.
	Steps []Step
	// Column is of the row that the last step leads to.
	Column string
}

// Step leads from the id in a column to the row of the table that has it.
type Step struct {
	// Column holds the id, and Table is that of the row which has it.
	Column, Table string
}

// Owners returns all columns that the rule compares with the user's id, before it is
// folded. Users whose id is in none of them, and who have the same rights, are admitted
// to the same rows. Known is false where the rule asks for the user otherwise: among
// many rows.
func (r Rule) Owners() (all []Owned, known bool) {
	switch r.op {
	case opOwner:
		return []Owned{{Column: r.column}}, true
	case opAnother, opTenant:
		return nil, false
	}
	for i := range r.rules {
		inner, known := r.rules[i].Owners()
		if !known || r.op == opRelated && r.foreign != "id" && len(inner) > 0 {
			return nil, false
		}
		for _, p := range inner {
			if r.op == opRelated {
				p.Steps = append([]Step{{r.column, r.table}}, p.Steps...)
			}
			all = append(all, p)
		}
	}
	return all, true
}

// Owners is [Rule.Owners] of the rows that viewers can read, deleted ones among them.
func (r Rules) Owners() (all []Owned, known bool) {
	if r.Tenancy != nil {
		return nil, false
	}
	return All(r.Read, r.Verbs[ReadDeleted]).Owners()
}
