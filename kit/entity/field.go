package entity

import (
	"reflect"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Field describes a field of an entity.
type Field struct {
	// Name is the field's name in the schema, Column in the database, REST in REST v1.
	Name, Column, REST string
	// GraphQL lists the field's names in GraphQL.
	GraphQL  []string
	Kind     Kind
	Ref      string // of a Ref: the other entity's GraphQL type
	Values   []string
	Nullable bool
	// Long is set for texts of over a thousand characters.
	Long bool
	// Href is set for a path of REST v1, which every version shows as its own.
	Href bool
	// Continued is set where an index has the field and then the columns of the entity's
	// default order: rows that are equal by the field alone are in that order.
	Continued bool
	// Filter and Sort say what listings can do with it; Fold is the column
	// that holds the folded text, where it can be searched.
	Filter, Sort bool
	Fold         string
	// Parts is SQLite's table of the trigrams of the folded text, empty where
	// no index of either database finds parts of it.
	Parts string
	// Lowest and Highest are REST's own names for the filters [gte] and [lte].
	Lowest, Highest string
	// Expression is the SQL of a field that is not stored, in which {row}
	// stands for the row and {viewer} for the viewer's id: there Column is a
	// name of its own.
	Expression string
	// Computed is set for a value of a [Calc] with arguments, nil for any other field.
	Computed *Computed
	// Tallied is set for fields that triggers maintain, such as counts of other rows:
	// they change while updated_at stays.
	Tallied bool
	// Scanned is set where listings can be filtered or sorted by the field, and no
	// index serves that.
	Scanned bool
	// OnRequest is set for fields that answers contain only on request.
	OnRequest bool
	// Single is set for fields that answers with one row contain. Lists contain them on
	// request only.
	Single bool
	// Offers, of Objects, are the operations on the row. Answers list those that the
	// row's state and the viewer's rights allow.
	Offers []Offer
	// May, of Bool, is a verb: the field is true for rows on which the viewer may use it.
	May *Offer
	// Of is the entity of a field with offers, and of one that is Known.
	Of *Entity
	// Own converts values for the column and back. Nil: values are stored unchanged.
	Own *Own
	// Render appends what is shown of a text.
	Render func(dst, text []byte) []byte
	// File describes the files whose address the text is. Nil: the text is not the
	// address of a file.
	File *expose.FileRule
	// Members are those of each of Objects.
	Members []Member
	// Currency is the field that holds a Money's currency. Units is the amount as a
	// whole number of the smallest unit that any currency has. Listings filter and
	// sort by it.
	Currency, Units *Field
	// Roles see the field, everyone where there are none; Known shows it with the rows
	// that the viewer sees as a whole ([policy.ReadWhole]).
	Roles []viewer.Role
	Known bool
	// Ending is set where the field is deprecated: clients do not see it after its
	// sunset.
	Ending *lifecycle.Ending
	// Old is its name before, and OldValues what each value was called, by that.
	Old       *Old
	OldValues map[string]string
}

// Member is a member of each object of a list.
type Member struct {
	// Name is the member's name in the stored value and in REST, GraphQL the one there.
	Name, GraphQL string
	// Money is an amount in minor units of the currency of the list's field.
	Money bool
}

// Ended reports whether the sunset of the field is over.
func (f *Field) Ended() bool {
	return f.Ending != nil && f.Ending.State(time.Now()) == lifecycle.Retired
}

// Visible reports whether v may see the field, in all rows.
func (f *Field) Visible(v *viewer.Viewer) bool {
	all, _ := f.Sees(v)
	return all
}

// Sees reports whether v may see the field in all rows, and whether in some. A field
// that v sees in some rows only can't be filtered, sorted or searched by.
func (f *Field) Sees(v *viewer.Viewer) (all, some bool) {
	switch {
	case v.System:
		return true, true
	case f.Ended():
		return false, false
	case len(f.Roles) > 0:
		all = v.Is(f.Roles...)
		return all, all
	case !f.Known:
		return true, true
	case f.Of == nil:
		return v.Authenticated(), v.Authenticated()
	}
	return f.Of.Rules.SeesWhole(v)
}

// Same reports whether both have the same values: of computed ones, whether they
// have the same arguments.
func (f *Field) Same(other *Field) bool {
	a, b := f.Computed, other.Computed
	if f == other || f.Column != other.Column || a == nil || b == nil {
		return f == other || f.Column == other.Column && a == b
	}
	return a.Calc == b.Calc && a.Units == b.Units && reflect.DeepEqual(a.Arguments, b.Arguments)
}

// Value is a value of an enum by the name that it has now.
func (f *Field) Value(text string) string {
	if now, old := f.OldValues[text]; old {
		return now
	}
	return text
}
