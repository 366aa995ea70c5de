package expose_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
)

// everything says all that there is to say of what can be done to rows.
var everything = expose.Resource{
	Path: "orders", Operations: expose.ReadOnly(), ShowActions: true,
	Actions: []expose.Action{
		{
			Verb: "refund", Comment: "Pays back.", Detail: "More.", Done: "refunded", Else: "nothing is left", Scope: expose.Collection,
			When:  policy.Having("id", "payments", "order_id", policy.All(policy.In("status", "a", "b"), policy.Less("part", "whole"))),
			Shown: policy.Another("orders", policy.Is("status", "a")),
			Wait:  policy.Is("status", "c"),
			Set: expose.Set{
				"status": "refunded", "closed_at": expose.Now, "first_at": expose.FirstNow, "by_id": expose.ViewerID,
				"reason": expose.Input("reason"), "note": nil, "level": int64(3), "share": 0.5, "open": false,
			},
			Run: expose.OutsideTx,
			Input: []ent.Field{
				expose.AtLeast(field.Int64("amount"), 1).Optional().Nillable().Comment("How much.").Annotations(expose.Money("currency"), expose.Example(19.99)),
				expose.Line(expose.Length(field.String("reason"), 0, 500)).Optional().Comment("Why."),
				field.Bool("restock").Default(false),
				field.Enum("type").Values("sales", "users").
					Annotations(expose.Enum("ReportType", "What it is about.", expose.Choice{Value: "sales", Comment: "Orders."}, expose.Choice{Value: "users"})),
				expose.Items(field.Strings("permissions"), 2, 10),
				field.Time("from").Optional().Annotations(expose.Moment()),
				field.Time("to").Optional().Annotations(expose.EndMoment()),
				field.Int64("order_id").Optional().Annotations(expose.Refers("Order"), expose.Secret()),
				field.JSON("data", map[string]any{}).Optional(),
				expose.ObjectList("items", expose.ObjectType{Name: "OrderItemInput", Comment: "One.", Minimum: 1, Maximum: 1000},
					field.Int64("product_id").Annotations(expose.Refers("Product")), expose.Range(field.Int64("quantity"), 1, 10_000),
				).Optional().Comment("The products."),
			},
			Errors: []problem.Kind{problem.PaymentDeclined, problem.BadGateway},
			Answer: expose.Answer{
				Pending: true, Found: true, Nothing: true, Job: "on its way", File: []string{"text/csv"},
				Once: []expose.Member{{Name: "key", Comment: "The key.", Shape: expose.Text, Example: "ek_"}},
				Members: expose.MembersOf(struct {
					Count int64 `json:"count" comment:"How many." example:"3"`
				}{}),
			},
			Names: expose.Names{ID: "refundIt", GraphQL: "refundThat", Method: "PUT", Path: ".", Tag: "Money", Summary: "Refund", Body: "A", Object: "B", BodyComment: "C"},
		},
	},
	Links:  []expose.Link{{Name: "invoice", When: policy.In("status", "paid"), Verb: "bill"}},
	Marks:  []expose.Mark{{Verb: "like", Undo: "unlike", Entity: "Like", To: "post_id", By: "user_id", Count: "likes_count"}},
	Upsert: &expose.Upsert{Index: []string{"user_id", "product_id"}, Add: []string{"quantity"}, Run: expose.InTx},
	Bulk:   []expose.Bulk{{Operation: expose.Create, Each: true, Maximum: 1000, Member: "users", Comment: "Creates many."}},
	Beside: []expose.Beside{{On: []expose.Operation{expose.Create}, Input: []ent.Field{expose.Length(field.String("password"), 8, 128).Optional().Annotations(expose.Secret())}}},
}

// Ent hands annotations to the generator as JSON: nothing gets lost on the way.
func TestWhatIsDeclaredReachesTheGenerator(t *testing.T) {
	first, err := json.Marshal(everything)
	if err != nil {
		t.Fatal(err)
	}
	var got expose.Resource
	if err := json.Unmarshal(first, &got); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("%s\nbecomes\n%s", first, second)
	}
	want, a := everything.Actions[0], got.Actions[0]
	if !reflect.DeepEqual(a.Set, want.Set) || !reflect.DeepEqual(a.Errors, want.Errors) || !reflect.DeepEqual(a.Answer, want.Answer) || a.Names != want.Names {
		t.Errorf("got %+v", a)
	}
	if !reflect.DeepEqual(a.When.Terms(), want.When.Terms()) || !reflect.DeepEqual(a.Shown.Terms(), want.Shown.Terms()) {
		t.Errorf("got %v and %v, want %v and %v", a.When.Terms(), a.Shown.Terms(), want.When.Terms(), want.Shown.Terms())
	}
	for i, f := range a.Input {
		d, sent := want.Input[i].Descriptor(), f.Descriptor()
		if d.Name != sent.Name || d.Info.Type != sent.Info.Type || d.Optional != sent.Optional || d.Comment != sent.Comment || len(d.Enums) != len(sent.Enums) {
			t.Errorf("%s: got %+v", d.Name, sent)
		}
		if from, to := asJSON(t, expose.FieldOf(d)), asJSON(t, expose.FieldOf(sent)); from != to {
			t.Errorf("%s: %s becomes %s", d.Name, from, to)
		}
	}
	if n := len(a.Input[9].(*expose.Sent).Says.Object.Fields); n != 2 {
		t.Errorf("the objects of the list have %d fields", n)
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAnActionIsPossibleWhereItsVerbLeadsFrom(t *testing.T) {
	status := expose.FieldOf(field.Enum("status").Values("pending", "paid", "cancelled").Annotations(expose.Busy("paid"), expose.States(
		expose.On("cancel").From("pending").To("cancelled"),
		expose.On("cancel").From("paid").To("cancelled", "pending"),
		expose.On("pay").From("pending").To("paid").BySystem(),
	)).Descriptor())
	cancel := expose.Action{Verb: "cancel", When: policy.Null("closed_at")}
	if after := expose.After(status.Moves, "cancel"); !reflect.DeepEqual(after, []string{"cancelled", "pending"}) {
		t.Errorf("cancel leads to %v", after)
	}
	for _, c := range []struct {
		action expose.Action
		row    map[string]any
		want   bool
	}{
		{cancel, map[string]any{"status": "pending"}, true},
		{cancel, map[string]any{"status": "cancelled"}, false},
		{cancel, map[string]any{"status": "paid", "closed_at": "x"}, false},
		{expose.Action{Verb: "rename"}, map[string]any{"status": "cancelled"}, true},
	} {
		rule := c.action.Condition("status", status.Moves)
		if rule.Matches(func(column string) any { return c.row[column] }) != c.want {
			t.Errorf("%s of %v: want %v", c.action.Verb, c.row, c.want)
		}
	}
}
