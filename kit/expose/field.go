package expose

import (
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Field configures a field in the APIs. Schemas do not fill it in: they combine
// the functions of this package, which say what each member means, and Ent merges
// them.
type Field struct {
	By          []Use         `json:"by,omitempty"`
	Internal    bool          `json:"internal,omitempty"`
	ReadOnly    bool          `json:"read_only,omitempty"`
	Kept        bool          `json:"kept,omitempty"`
	Secret      bool          `json:"secret,omitempty"`
	Named       string        `json:"named,omitempty"`
	Also        string        `json:"also,omitempty"`
	AlsoSent    string        `json:"also_sent,omitempty"`
	Visible     []viewer.Role `json:"visible,omitempty"`
	Writable    []viewer.Role `json:"writable,omitempty"`
	Initial     bool          `json:"initial,omitempty"`
	Caller      bool          `json:"caller,omitempty"`
	OnBehalf    []viewer.Role `json:"on_behalf,omitempty"`
	Currency    string        `json:"currency,omitempty"`
	Unique      bool          `json:"unique,omitempty"`
	Selective   bool          `json:"selective,omitempty"`
	Scanned     bool          `json:"scanned,omitempty"`
	Href        bool          `json:"href,omitempty"`
	Lowest      string        `json:"lowest,omitempty"`
	Highest     string        `json:"highest,omitempty"`
	Tally       *Tally        `json:"tally,omitempty"`
	Forget      *Forget       `json:"forget,omitempty"`
	Stamp       *Stamp        `json:"stamp,omitempty"`
	Unversioned bool          `json:"unversioned,omitempty"`
	Follow      *Follow       `json:"follow,omitempty"`
	MaxItems    *int          `json:"max_items,omitempty"`
	MaxSize     *int          `json:"max_size,omitempty"`
	MinLength   *int          `json:"min_length,omitempty"`
	MaxLength   *int          `json:"max_length,omitempty"`
	Minimum     *float64      `json:"minimum,omitempty"`
	Maximum     *float64      `json:"maximum,omitempty"`
	Pattern     string        `json:"pattern,omitempty"`
	Says        string        `json:"says,omitempty"`
	Format      string        `json:"format,omitempty"`
	Example     any           `json:"example,omitempty"`
	Moves       []Move        `json:"moves,omitempty"`
	BusyIn      []string      `json:"busy_in,omitempty"`
	Refers      string        `json:"refers,omitempty"`
	Enum        *EnumType     `json:"enum,omitempty"`
	Object      *ObjectType   `json:"object,omitempty"`
	File        *FileRule     `json:"file,omitempty"`
}

// Name implements schema.Annotation.
func (Field) Name() string { return "EntwineField" }

// Merge implements schema.Merger: members of the later annotation are added.
func (f Field) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Field)
	if !ok {
		return f
	}
	f.By = append(f.By, o.By...)
	f.Internal = f.Internal || o.Internal
	f.ReadOnly = f.ReadOnly || o.ReadOnly
	f.Kept = f.Kept || o.Kept
	f.Secret = f.Secret || o.Secret
	f.Named = later(f.Named, o.Named)
	f.Also = later(f.Also, o.Also)
	f.AlsoSent = later(f.AlsoSent, o.AlsoSent)
	f.Visible = append(f.Visible, o.Visible...)
	f.Writable = append(f.Writable, o.Writable...)
	f.Initial = f.Initial || o.Initial
	f.Caller = f.Caller || o.Caller
	f.OnBehalf = append(f.OnBehalf, o.OnBehalf...)
	f.Currency = later(f.Currency, o.Currency)
	f.Unique = f.Unique || o.Unique
	f.Selective = f.Selective || o.Selective
	f.Scanned = f.Scanned || o.Scanned
	f.Href = f.Href || o.Href
	f.Lowest = later(f.Lowest, o.Lowest)
	f.Highest = later(f.Highest, o.Highest)
	f.Tally = later(f.Tally, o.Tally)
	f.Forget = later(f.Forget, o.Forget)
	f.Stamp = later(f.Stamp, o.Stamp)
	f.Unversioned = f.Unversioned || o.Unversioned
	f.Follow = later(f.Follow, o.Follow)
	f.MaxItems = later(f.MaxItems, o.MaxItems)
	f.MaxSize = later(f.MaxSize, o.MaxSize)
	f.MinLength = later(f.MinLength, o.MinLength)
	f.MaxLength = later(f.MaxLength, o.MaxLength)
	f.Minimum = later(f.Minimum, o.Minimum)
	f.Maximum = later(f.Maximum, o.Maximum)
	f.Pattern = later(f.Pattern, o.Pattern)
	f.Says = later(f.Says, o.Says)
	f.Format = later(f.Format, o.Format)
	if o.Example != nil {
		f.Example = o.Example
	}
	f.Moves = append(f.Moves, o.Moves...)
	f.BusyIn = append(f.BusyIn, o.BusyIn...)
	f.Refers = later(f.Refers, o.Refers)
	f.Enum = later(f.Enum, o.Enum)
	f.Object = later(f.Object, o.Object)
	f.File = later(f.File, o.File)
	return f
}

func later[T comparable](earlier, later T) T {
	var zero T
	if later != zero {
		return later
	}
	return earlier
}

// Use is a use of a field in listings.
type Use string

// The uses.
const (
	// Filter: by equality, [in], and by range where values have an order.
	Filter Use = "filter"
	// Sort: ascending and descending.
	Sort Use = "sort"
	// Search: a case-insensitive match of part of the text.
	Search Use = "search"
)

// By lets listings filter, sort or search by the field, each as the [Use] says.
func By(uses ...Use) Field { return Field{By: uses} }

// Selective gives the field an index in the order of the entity's listings:
// (field, default order, id), of the rows that are not deleted. A page that is
// filtered by the field, and its total, cost what they return, whatever the
// size of the table. A write of the row costs a little more, and one of the
// field itself can no longer stay within the page of the table (PostgreSQL's
// HOT): counts that change all the time are better [Scanned].
func Selective() Field { return Field{Selective: true} }

// Scanned says that filters and sorts by the field may read the whole table:
// the generator warns of a field that no index serves otherwise.
func Scanned() Field { return Field{Scanned: true} }

// Href says that the field's text is a path of REST v1: "/api/v1/jobs/42/result".
// Each version of REST shows it below its own.
func Href() Field { return Field{Href: true} }

// Internal keeps a field out of both APIs.
func Internal() Field { return Field{Internal: true} }

// Computed shows a field that no client sets, but the service, an action or the
// database.
func Computed() Field { return Field{ReadOnly: true} }

// Kept keeps a replacement (PUT) from changing the field: it stays unchanged where the
// body leaves it out, and another value than the row's is refused. An action changes
// it, or a PATCH.
func Kept() Field { return Field{Kept: true} }

// Unversioned lets the field change without the version of its row (ETag,
// expectedVersion): a client's change of the row does not fail because of it. It is
// for notes of the service about a row, such as the time of its last use. Counts,
// sums and means are so anyway.
func Unversioned() Field { return Field{ReadOnly: true, Unversioned: true} }

// Secret lets clients write the field. No answer shows it, and no error echoes it.
func Secret() Field { return Field{Secret: true} }

// Named gives the field another name in REST v1 than its snake_case one.
func Named(name string) Field { return Field{Named: name} }

// Also gives the field a second name in GraphQL beside its camelCase one, for
// clients that know it by that. Times have the type String there, and flags are
// never null.
func Also(name string) Field { return Field{Also: name} }

// AlsoSent gives the field a second name that clients may send it by in the bodies of
// new rows in REST.
func AlsoSent(name string) Field { return Field{AlsoSent: name} }

// VisibleTo shows the field to users with one of the roles only. For others
// it is absent in REST, null with an error in GraphQL, and cannot be
// filtered, sorted, searched or exported.
func VisibleTo(roles ...viewer.Role) Field { return Field{Visible: roles} }

// WritableBy lets only users with one of the roles change the field; others
// who name another value than the current one are refused.
func WritableBy(roles ...viewer.Role) Field { return Field{Writable: roles} }

// Initial lets a client set the field when it creates the row, and never
// after: from then on actions change it.
func Initial() Field { return Field{Initial: true} }

// Caller sets the field to the user who creates the row. Users with one of
// the roles may name another.
func Caller(onBehalf ...viewer.Role) Field { return Field{Caller: true, OnBehalf: onBehalf} }

// Money makes an integer of minor units an amount of the currency that the
// named field of the same entity holds: a decimal number in both APIs.
func Money(currencyField string) Field { return Field{Currency: currencyField} }

// Bounds gives the REST filters of a range names of their own, beside
// price[gte] and price[lte]: Bounds("minPrice", "maxPrice").
func Bounds(lowest, highest string) Field { return Field{Lowest: lowest, Highest: highest} }

// UniqueFold lets no two rows have texts that differ in case alone. Rows that are
// deleted softly count, so that restoring one cannot fail.
func UniqueFold() Field { return Field{Unique: true} }

// Example is the value of the field in the examples of the OpenAPI document.
func Example(value any) Field { return Field{Example: value} }
