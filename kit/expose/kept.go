package expose

import "github.com/entwine-go/entwine/kit/policy"

// Tally is a value that the database itself derives from the rows at the
// other end of an edge to many, whatever door they are written through.
type Tally struct {
	// Edge names the edge.
	Edge string `json:"edge,omitempty"`
	// Column is the integer column that is added up, empty to count rows.
	Column string `json:"column,omitempty"`
	// When is an SQL condition over NEW, a row at the other end, that holds for
	// the rows that count: all if empty. It must read the same on both databases.
	When string `json:"when,omitempty"`
	// Where is the same condition as a rule over such a row; both must hold.
	Where *policy.Rule `json:"where,omitempty"`
	// While is a foreign key of the rows at the other end: a row counts only while the
	// row that the key names is not deleted softly. Empty: nothing.
	While string `json:"while,omitempty"`
	// Sum and Count name the fields whose quotient this field is.
	Sum   string `json:"sum,omitempty"`
	Count string `json:"count,omitempty"`
}

// CountOf makes an integer field the number of rows at the other end of the
// edge for which the condition over NEW holds; an empty one always does:
//
//	field.Int64("posts_count").Annotations(expose.CountOf("posts", "NEW.published"))
func CountOf(edge, when string) Field {
	return Field{ReadOnly: true, Tally: &Tally{Edge: edge, When: when}}
}

// While leaves out rows of deleted rows: a row counts only while the row that its
// foreign key names is not deleted softly:
//
//	expose.CountOf("likes", "").While("user_id")
//
// An edge to many through a table leaves them out in any case.
func (f Field) While(foreignKey string) Field {
	t := *f.Tally
	t.While = foreignKey
	f.Tally = &t
	return f
}

// Where counts, or adds up, the rows for which the rule holds as well: one over
// columns of theirs alone, which is checked with its types:
//
//	expose.CountOf("posts", "").Where(policy.All(policy.Is("published", true), policy.Null("archived_at")))
func (f Field) Where(rule policy.Rule) Field {
	t := *f.Tally
	t.Where = &rule
	f.Tally = &t
	return f
}

// SumOf makes an integer field the sum of a column of the rows at the other
// end of the edge for which the condition over NEW holds.
func SumOf(edge, column, when string) Field {
	return Field{ReadOnly: true, Tally: &Tally{Edge: edge, Column: column, When: when}}
}

// MeanOf makes a nullable float field the quotient of a field by [SumOf] and
// one by [CountOf], null while nothing is counted.
func MeanOf(sum, count string) Field {
	return Field{ReadOnly: true, Tally: &Tally{Sum: sum, Count: count}}
}

// Forget is the value that a text takes when the person that it is about is removed.
type Forget struct {
	Column      string `json:"column"`      // the foreign key to the person
	Replacement string `json:"replacement"` // the text instead
}

// ForgetWith replaces a text, in the database itself, once the row that the
// foreign key names is removed and the key becomes null. The address of a [File] becomes
// null, and the file goes.
func ForgetWith(foreignKey, replacement string) Field {
	return Field{Forget: &Forget{Column: foreignKey, Replacement: replacement}}
}

// Stamp is a time that the database itself sets when something becomes true
// of another row.
type Stamp struct {
	Column string `json:"column"` // the foreign key to the other row
	When   string `json:"when"`   // SQL over the other row
}

// StampWhen has a trigger of the database set a nullable time that is null to now, when
// an update of the row that the foreign key names makes the condition over NEW true:
//
//	field.Time("revoked_at").Optional().Nillable().
//		Annotations(expose.StampWhen("user_id", "NOT NEW.is_active"))
//
// The condition may compare NEW with OLD, to hold for some changes only. It is SQL that
// is the same on both databases.
func StampWhen(foreignKey, when string) Field {
	return Field{ReadOnly: true, Stamp: &Stamp{Column: foreignKey, When: when}}
}
