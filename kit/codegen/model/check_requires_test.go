package model_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// Ticket and Guest need each other, and a Host.
type (
	Ticket struct{ ent.Schema }
	Guest  struct{ ent.Schema }
	Host   struct{ ent.Schema }
)

var parties = expose.Requires{For: "parties", Entities: map[string]map[string]string{
	"Ticket": nil, "Guest": nil, "Host": {"mood": "enum", "name": "string"},
}}

// host are the fields of the Host.
var host []ent.Field

func (Ticket) Annotations() []schema.Annotation { return []schema.Annotation{parties} }
func (Guest) Annotations() []schema.Annotation  { return []schema.Annotation{parties} }
func (Host) Fields() []ent.Field                { return host }

func TestWhatIsRequiredAndMissingIsToldOnce(t *testing.T) {
	name, mood := field.String("name"), field.Enum("mood").Values("good")
	for _, c := range []struct {
		is   []ent.Interface
		host []ent.Field
		want []string
	}{
		{is: []ent.Interface{Ticket{}, Guest{}, Host{}}, host: []ent.Field{name, mood}},
		{is: []ent.Interface{Host{}}},
		{
			is: []ent.Interface{Ticket{}, Host{}}, host: []ent.Field{name, mood},
			want: []string{"Ticket: parties need the entity Guest: type Guest struct{ tables.Guest }"},
		},
		{
			is:   []ent.Interface{Ticket{}, Guest{}},
			want: []string{"Ticket: parties need an entity Host with the fields mood, name"},
		},
		{
			is: []ent.Interface{Ticket{}, Guest{}, Host{}}, host: []ent.Field{field.String("mood")},
			want: []string{
				"Ticket: parties need the field mood of Host to be of the type enum, not string",
				"Ticket: parties need the field name of Host, of the type string",
			},
		},
	} {
		host = c.host
		_, errs := model.Read(graphOf(t, c.is...))
		var told []string
		for _, err := range errs {
			if e := new(model.SchemaError); errors.As(err, &e) && strings.Contains(err.Error(), "parties need") {
				_, text, _ := strings.Cut(err.Error(), ".go: ")
				told = append(told, text)
			}
		}
		if !slices.Equal(told, c.want) {
			t.Errorf("of %T: told %q, want %q", c.is, told, c.want)
		}
	}
}

func graphOf(t *testing.T, is ...ent.Interface) *gen.Graph {
	t.Helper()
	var schemas []*load.Schema
	for _, s := range is {
		text, err := load.MarshalSchema(s)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := load.UnmarshalSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, loaded)
	}
	storage, err := gen.NewStorage("sql")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := gen.NewGraph(&gen.Config{Package: "example.com/party/ent", Storage: storage}, schemas...)
	if err != nil {
		t.Fatal(err)
	}
	return graph
}
