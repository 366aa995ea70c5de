package write_test

import (
	"context"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"
)

// Parcel is a schema with states and actions.
type Parcel struct{ ent.Schema }

func (Parcel) Fields() []ent.Field {
	return []ent.Field{
		field.String("label"),
		field.Enum("status").Values("packed", "sent").Default("packed").Annotations(expose.Computed(), expose.Busy("sent"), expose.States(
			expose.On("send").From("packed").To("sent"),
		)),
	}
}

func (Parcel) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Resource{Actions: []expose.Action{
		{Verb: "send", When: policy.Not(policy.Null("label"))},
		{Verb: "insure", Run: expose.InTx, Input: []ent.Field{
			field.Int64("value").Annotations(expose.Money("currency")),
			expose.Currency(field.String("currency")).Default("USD"),
			expose.Items(field.Strings("against"), 2, 9).Annotations(expose.Enum("Peril", "", expose.Choice{Value: "fire"}, expose.Choice{Value: "loss"})),
			expose.ObjectList("heirs", expose.ObjectType{Minimum: 1, Maximum: 2}, expose.Range(field.Int("share"), 1, 100)).Optional(),
		}},
	}}}
}

func named(name string, kind entity.Kind) *write.Field {
	return &write.Field{Field: &entity.Field{Name: name, Kind: kind}}
}

// Declarations of the schema in Go reach the engine: validators, defaults, states.
func TestActionsAreWhatTheSchemaDeclares(t *testing.T) {
	run := func(context.Context, any, gid.ID, write.Values) (write.Result, error) {
		return write.Result{Job: 7}, nil
	}
	heirs := named("heirs", entity.Objects)
	heirs.Members = []*write.Field{named("share", entity.Int)}
	actions := write.Declared(Parcel{}, write.Bound{}, write.Bound{Run: run, Input: []*write.Field{
		named("value", entity.Money), named("currency", entity.String), named("against", entity.Strings), heirs,
	}})
	send, insure := actions[0], actions[1]
	row := map[string]any{"status": "packed", "label": "x"}
	get := func(column string) any { return row[column] }
	if send.To != "sent" || send.Run != nil || !send.Condition.Matches(get) {
		t.Errorf("to send is %+v", send)
	}
	if row["status"] = "sent"; send.Condition.Matches(get) || !insure.Condition.Always() {
		t.Error("a parcel can be sent twice, or not be insured")
	}
	if r, err := insure.Run(t.Context(), nil, gid.ID{}, nil); err != nil || r.Job != 7 {
		t.Errorf("the method is not called: %v, %v", r, err)
	}
	value, currency, against := insure.Input[0], insure.Input[1], insure.Input[2]
	if value.Currency != currency.Field || currency.Default() != "USD" || value.Default != nil {
		t.Errorf("the amount is of %v, in %v without one", value.Currency, currency.Default())
	}
	for _, c := range []struct {
		field *write.Field
		value any
		want  string
	}{
		{currency, "USD", ""},
		{currency, "dollars", "must be"},
		{against, []string{"fire"}, ""},
		{against, []string{"fire", "fire"}, "twice"},
		{against, []string{"rain"}, "each item must be one of fire, loss"},
		{heirs.Members[0], int64(7), ""},
		{heirs.Members[0], int64(101), "must be 1 to 100"},
	} {
		err := c.field.Check(c.value)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: got %v, want %q", c.field.Name, c.value, err, c.want)
		}
	}
	if heirs.Least != 1 || heirs.Most != 2 {
		t.Errorf("there are %d to %d heirs", heirs.Least, heirs.Most)
	}
	e := &entity.Entity{Fields: []*entity.Field{{Name: "label"}, {Name: "status"}}}
	if s := write.Stateful(Parcel{}, e); s.Field != e.Fields[1] || len(s.Moves) != 1 || s.Busy[0] != "sent" {
		t.Errorf("the state is %+v", s)
	}
}

func TestMethodsGetTypedInput(t *testing.T) {
	in := write.Values{"name": "a", "amount": int64(3), "items": []write.Values{{"n": int64(1)}, {"n": int64(2)}}, "none": nil}
	n := func(v write.Values) int64 { return write.Of[int64](v, "n") }
	if items := write.Each(in, "items", n); len(items) != 2 || items[1] != 2 || write.Each(in, "others", n) != nil {
		t.Errorf("got %v", items)
	}
	if *write.Maybe[int64](in, "amount") != 3 || write.Maybe[int64](in, "none") != nil || write.Of[string](in, "name") != "a" || write.Of[string](in, "none") != "" {
		t.Error("values are not what they were")
	}
}
