package expose

import (
	"encoding/json"
	"reflect"
)

// Shape is the type of the values of a [Derived] field, a [Calc] or a [Member].
type Shape string

// The shapes.
const (
	Text    Shape = "text"
	Count   Shape = "count"
	Decimal Shape = "decimal" // a number with a fraction
	Flag    Shape = "flag"
	Amount  Shape = "amount"  // minor units of the currency in Currency
	Objects Shape = "objects" // a JSON list of objects: see [Derived.Of]
)

// Derived is a field that is read and never stored: its value follows from the row
// and from others.
type Derived struct {
	// Name is the field's name in REST v1; GraphQL's is its camelCase form,
	// if GraphQL is empty.
	Name    string `json:"name"`
	GraphQL string `json:"graphql,omitempty"`
	// Comment describes it, Example is shown in the OpenAPI document.
	Comment string `json:"comment"`
	Example any    `json:"example,omitempty"`
	Shape   Shape  `json:"shape"` // its type
	// SQL is an expression in which {row} stands for the row and {viewer} for
	// the id of the user who asks, 0 for other callers. It must read the same on
	// both databases.
	SQL string `json:"sql"`
	// OnRequest shows it only where it is asked for: by fields in REST.
	OnRequest bool `json:"on_request,omitempty"`
	// Single shows it where one row is read, and in lists only where it is asked for.
	Single bool `json:"single,omitempty"`
	// Render is a conversion of a text for display.
	Render Rendering `json:"render,omitempty"`
	// Nullable is set where it can be null.
	Nullable bool `json:"nullable,omitempty"`
	// Values are those of a text out of a set.
	Values []string `json:"values,omitempty"`
	// Currency names the field, derived or not, with the currency of amounts.
	Currency string `json:"currency,omitempty"`
	// Object and Members describe the objects of a list: see [Derived.Of].
	Object  string   `json:"object,omitempty"`
	Members []Member `json:"members,omitempty"`
}

// ViewerHas is a flag of the rows for which the user who asks has a row in a
// table, whose column to names the row and whose column by names the user. It is
// false for callers who are no user, and contained on request only, so that other
// answers do not depend on the caller.
func ViewerHas(name, comment, table, to, by string) Derived {
	return Derived{
		Name: name, Comment: comment, Example: false, Shape: Flag, OnRequest: true,
		SQL: `EXISTS (SELECT 1 FROM "` + table + `" AS "mine" WHERE "mine"."` + to + `" = {row}."id" AND "mine"."` + by + `" = {viewer})`,
	}
}

// Called gives the field a name of its own in GraphQL.
func (d Derived) Called(name string) Derived {
	d.GraphQL = name
	return d
}

// Rendering is how a text is converted before it is shown.
type Rendering string

// Markdown is CommonMark that is converted to HTML which a page can show: without
// scripts, styles and embedded HTML (package markdown).
const Markdown Rendering = "markdown"

// Render shows a text converted, beside the text itself.
type Render struct {
	// Field is the field with the text: "content".
	Field string
	// As is how it is converted: [Markdown].
	As Rendering
	// Name is the field with the result, "content_html", and Comment describes it.
	Name, Comment string
	// Example is a result, for the OpenAPI document: "<p>It weaves.</p>\n".
	Example string
}

// Rendered is a text that is made of a field's. The APIs show it on request: REST where
// fields names it, GraphQL where it is selected.
func Rendered(r Render) Derived {
	return Derived{Name: r.Name, Comment: r.Comment, Example: r.Example, Shape: Text, OnRequest: true, Render: r.As, SQL: `{row}."` + r.Field + `"`}
}

// Member is a member of the objects of a list.
type Member struct {
	Name    string `json:"name"`    // as the APIs have it
	Comment string `json:"comment"` // describes it
	Shape   Shape  `json:"shape"`   // its type
	// Example is shown in the OpenAPI document.
	Example any `json:"example,omitempty"`
	// Of an answer: whether it can be null, what a text is, of which entity it is
	// the id, and what it is that is an enum or an object: see [MembersOf].
	Nullable bool          `json:"nullable,omitempty"`
	Format   string        `json:"format,omitempty"` // of a text
	Refers   string        `json:"refers,omitempty"` // the entity
	Enum     *EnumType     `json:"enum,omitempty"`   // nil where it is no enum
	Object   *MemberObject `json:"object,omitempty"` // nil where it is no object
}

// Of describes objects by the struct that they are stored as: a member for
// each field, named by its json tag and described by its comment tag, with its
// example tag; one tagged money:"true" is an amount in minor units of Currency.
func (d Derived) Of(object any) Derived {
	o := objectOf(reflect.TypeOf(object))
	d.Shape, d.Object, d.Members = Objects, o.Name, o.Members
	return d
}

// example is the value that a tag writes: JSON, or else a text.
func example(text string) (value any) {
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}
