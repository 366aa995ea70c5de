package entity

import (
	"github.com/entwine-go/entwine/kit/date"
	"github.com/entwine-go/entwine/kit/gid"
)

// Kind is how a field's values are stored, compared and written. Its [Form] has the
// details.
type Kind uint8

// The kinds.
const (
	ID      Kind = iota // the entity's own id
	Ref                 // the id of another entity
	Int                 // int64
	Float               // float64
	String              // text
	Enum                // text out of a set
	Bool                //
	Time                // microseconds, UTC
	Money               // minor units of a currency: a decimal number outside
	JSON                // JSON text, written verbatim
	Strings             // a JSON list of texts, filtered by what it contains
	Objects             // a JSON list of objects
	IDs                 // the ids of rows of another entity, in inputs only
	UUID                // RFC 9562, as text in lower case
	Bytes               // base64 outside
	Date                // a day without a time: 2026-11-26
	TextID              // the entity's own id, a text
	TextRef             // the id of an entity whose ids are texts
	UUIDID              // the entity's own id, a UUID
	UUIDRef             // the id of an entity whose ids are UUIDs
)

// Held is how an engine keeps a value, and how a cursor has it.
type Held uint8

// The ways. A time is held in microseconds since 1970.
const (
	Whole Held = iota
	Decimal
	Flag
	Text
	Moment
)

// Form describes a kind, in one place for all packages that store, read, write and
// show values. A kind that is added is a value of the table below.
type Form struct {
	// Name is the kind's name in generated code and in contracts.
	Name string
	// Go is the type of values in Go code of a service, empty where the schema says it.
	Go   string
	Held Held
	// Ordered is set where a range can bound values.
	Ordered bool
	// Postgres is PostgreSQL's type of arguments and values of expressions, empty
	// where expressions have none of the kind.
	Postgres string
	// GraphQL is the type there, empty where the schema says it. Says and Spec describe
	// a scalar that only documents with such fields have.
	GraphQL, Says, Spec string
	// Type and Format are those of OpenAPI, empty where the field says more.
	Type, Format string
	// Example is a value as documents show it, nil where the field says one.
	Example any
	// parse reads the text of a value that is compared with the field. Nil: the
	// text itself.
	parse func(f *Field, text string) (any, error)
	// ids is the form of the ids, of a kind of ids.
	ids gid.Form
	// Decode reads the text that a client writes into a field, nil where it is no
	// text or needs no reading.
	Decode func(text string) (any, error)
}

var forms = [...]Form{
	ID:      {Name: "ID", Go: "int64", Ordered: true, Postgres: "bigint", GraphQL: "ID", parse: parseWhole},
	Ref:     {Name: "Ref", Go: "int64", GraphQL: "ID", parse: parseWhole},
	Int:     {Name: "Int", Go: "int64", Ordered: true, Postgres: "bigint", GraphQL: "Int", Type: "integer", Format: "int64", parse: parseWhole},
	Float:   {Name: "Float", Go: "float64", Held: Decimal, Ordered: true, Postgres: "double precision", GraphQL: "Float", Type: "number", Format: "double", parse: parseFloat},
	String:  {Name: "String", Go: "string", Held: Text, Ordered: true, Postgres: "text", GraphQL: "String", Type: "string"},
	Enum:    {Name: "Enum", Go: "string", Held: Text, Postgres: "text", parse: parseEnum},
	Bool:    {Name: "Bool", Go: "bool", Held: Flag, Postgres: "boolean", GraphQL: "Boolean", Type: "boolean", parse: parseFlag},
	Time:    {Name: "Time", Go: "time.Time", Held: Moment, Ordered: true, Postgres: "timestamptz", GraphQL: "Time", parse: parseMoment},
	Money:   {Name: "Money", Go: "int64", Ordered: true, Postgres: "bigint", GraphQL: "Float", Type: "number", Example: 19.99, parse: parseAmount},
	JSON:    {Name: "JSON", Held: Text, GraphQL: "JSON"},
	Strings: {Name: "Strings", Go: "[]string", Held: Text},
	Objects: {Name: "Objects", Held: Text},
	IDs:     {Name: "IDs"},
	UUID: {
		Name: "UUID", Go: "uuid.UUID", Held: Text, Postgres: "uuid",
		GraphQL: "UUID", Says: "A UUID, such as 0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d.", Spec: "https://www.rfc-editor.org/rfc/rfc9562",
		Type: "string", Format: "uuid", Example: "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d",
		parse: parseUUID, Decode: func(text string) (any, error) { return ParseUUID(text) },
	},
	Bytes: {
		Name: "Bytes", Go: "[]byte", Held: Text,
		GraphQL: "Bytes", Says: "Bytes in base64.", Spec: "https://www.rfc-editor.org/rfc/rfc4648#section-4",
		Example: "SGVsbG8=",
		Decode:  func(text string) (any, error) { return ParseBytes(text) },
	},
	Date: {
		Name: "Date", Go: "date.Date", Held: Text, Ordered: true, Postgres: "date",
		GraphQL: "Date", Says: "A day without a time, such as 2026-11-26.", Spec: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
		Type: "string", Format: "date", Example: "2026-11-26",
		parse: parseDate, Decode: func(text string) (any, error) { return date.Parse(text) },
	},
	TextID:  {Name: "TextID", Go: "string", Held: Text, Postgres: "text", GraphQL: "ID", Type: "string", Example: "eu-west", ids: gid.Texts, parse: parseTextID},
	TextRef: {Name: "TextRef", Go: "string", Held: Text, Postgres: "text", GraphQL: "ID", Type: "string", Example: "eu-west", ids: gid.Texts, parse: parseTextID},
	UUIDID: {
		Name: "UUIDID", Go: "uuid.UUID", Held: Text, Postgres: "uuid", GraphQL: "ID",
		Type: "string", Format: "uuid", Example: "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d", ids: gid.UUIDs, parse: parseUUID,
	},
	UUIDRef: {
		Name: "UUIDRef", Go: "uuid.UUID", Held: Text, Postgres: "uuid", GraphQL: "ID",
		Type: "string", Format: "uuid", Example: "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d", ids: gid.UUIDs, parse: parseUUID,
	},
}

// Form returns the description of the kind.
func (k Kind) Form() *Form { return &forms[k] }

// IsID reports whether values are the ids of the rows that have them.
func (k Kind) IsID() bool { return k == ID || k == TextID || k == UUIDID }

// IsRef reports whether values are the ids of other rows.
func (k Kind) IsRef() bool { return k == Ref || k == TextRef || k == UUIDRef }

// Ref is the kind of fields that hold the ids of rows whose own ids have the kind.
func (k Kind) Ref() Kind {
	switch k {
	case TextID:
		return TextRef
	case UUIDID:
		return UUIDRef
	}
	return Ref
}

// IDs is the form of ids of the kind.
func (k Kind) IDs() gid.Form { return forms[k].ids }

// KeyType is PostgreSQL's type of ids whose kind it is.
func (k Kind) KeyType() string {
	switch forms[k].ids {
	case gid.Texts:
		return "text"
	case gid.UUIDs:
		return "uuid"
	}
	return "bigint"
}

// Ordered reports whether values of the kind have an order that a range can bound.
func (k Kind) Ordered() bool { return forms[k].Ordered }

// Forms are those of all kinds.
func Forms() []Form { return forms[:] }

// Named is the form with the name, an empty one where no kind has it.
func Named(name string) *Form {
	for i := range forms {
		if forms[i].Name == name {
			return &forms[i]
		}
	}
	return &Form{}
}
