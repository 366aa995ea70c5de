package write

import (
	"context"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
)

// API is how an API names things: REST in each of its versions, and GraphQL.
// Nothing else differs between them.
type API struct {
	// Field is the field's name in inputs and in errors.
	Field func(*entity.Field) string
	// Key is the name of the second form of a field ([Field.Key]). Nil: Key itself.
	Key func(*Field) string
	// Word is a name of the schema's, in snake_case, as the API writes names that are
	// no field's. Nil: unchanged.
	Word func(string) string
	// Find returns which of the fields the name of a member means, where one can
	// have more names than Field and Key say. Nil: those alone.
	Find func(fields []*Field, name string) (f *Field, byKey bool)
	// Prefix is put before names in errors: "" or "input.".
	Prefix string
	// ParseID reads the id of a row of an entity, ShowID is
	// one as clients read it.
	ParseID func(of gid.Rows, value any) (gid.ID, error)
	ShowID  func(entity string, id gid.ID) any
	// Take, if it is set, reads a value whose form differs between the API's clients
	// and the schema. Default, if it is set, returns the value of a new row where
	// clients leave the field out, in the clients' form.
	Take    func(f *entity.Field, value any) (any, error)
	Default func(f *entity.Field) (any, bool)
}

// Named is a name of the schema's as the API writes it.
func (a *API) Named(name string) string {
	if a == nil || a.Word == nil {
		return name
	}
	return a.Word(name)
}

// Shown is an id of a row of the entity as the API writes it.
func (a *API) Shown(entity string, id gid.ID) any {
	if a == nil || a.ShowID == nil {
		return id.Any()
	}
	return a.ShowID(entity, id)
}

type apiKey struct{}

// APIOf is the API that the action of the context was asked for through: its method
// has it, to write names and ids in what outlives the answer. Nil: none has.
func APIOf(ctx context.Context) *API {
	a, _ := ctx.Value(apiKey{}).(*API)
	return a
}

// Input is a caller's input: decoded JSON.
type Input struct {
	*API
	// At is put before names in errors in the place of Prefix, where it is not
	// empty: "products[3].".
	At string
	// Members are absent, nil for null, or bool, string, json.Number, int64, int,
	// float64, []any, map[string]any.
	Members map[string]any
}

// prefix stands before names in errors.
func (in *Input) prefix() string {
	if in.At != "" {
		return in.At
	}
	return in.Prefix
}

// name is the field's name in errors, byKey in its second form.
func (in *Input) name(f *Field) string { return in.prefix() + in.member(f, false) }

// member is the field's name in the input.
func (in *Input) member(f *Field, byKey bool) string {
	switch {
	case !byKey:
		return in.Field(f.Field)
	case in.Key != nil:
		return in.Key(f)
	}
	return f.Key
}
