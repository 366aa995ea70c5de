package codegen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// deskSchema has edges whose ends are of one hall: one with a foreign key, and one of
// many to many; and one of one to one, by which rows are made.
const deskSchema = `package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Desk is a place to work.
type Desk struct{ ent.Schema }

// Fields of the Desk.
func (Desk) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("hall_id").Immutable().Comment("Where it stands."),
		field.Int64("spare_id").Optional().Nillable().Comment("The lamp in its drawer."),
	}
}

// Mixin of the Desk.
func (Desk) Mixin() []ent.Mixin { return []ent.Mixin{Base{}, Listed{}, Versioned{}} }

// Edges of the Desk.
func (Desk) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("lamps", Lamp.Type).Comment("The lamps on it.").Annotations(expose.Attached(), expose.Within("hall_id")),
		edge.To("drawer", Drawer.Type).Unique().Comment("The drawer in it.").Annotations(expose.Nested(expose.Create)),
		edge.To("spare", Lamp.Type).Field("spare_id").Unique().Comment("The lamp in its drawer.").Annotations(expose.Within("hall_id")),
	}
}

// Policy of the Desk.
func (Desk) Policy() ent.Policy {
	return policy.Rules{Read: known, Verbs: policy.Verbs{policy.Create: known, policy.Update: known}}
}

// Annotations of the Desk.
func (Desk) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What people sit at."),
		expose.Resource{Path: "desks", Operations: []expose.Operation{expose.List, expose.Read, expose.Create, expose.Patch},
			Bulk: []expose.Bulk{{Operation: expose.Create, Each: true, Maximum: 100, Comment: "Makes many desks."}}},
	}
}

// Drawer is in a desk, which has one.
type Drawer struct{ ent.Schema }

// Fields of the Drawer.
func (Drawer) Fields() []ent.Field {
	return []ent.Field{
		field.String("key").MaxLen(20).Comment("What opens it."),
		field.Int64("desk_id").Unique().Immutable().Comment("The desk that it is in."),
	}
}

// Mixin of the Drawer.
func (Drawer) Mixin() []ent.Mixin { return []ent.Mixin{Base{}, Listed{}} }

// Edges of the Drawer.
func (Drawer) Edges() []ent.Edge {
	return []ent.Edge{edge.From("desk", Desk.Type).Ref("drawer").Field("desk_id").Unique().Required().Immutable().Comment("The desk that it is in.")}
}

// Policy of the Drawer.
func (Drawer) Policy() ent.Policy {
	return policy.Rules{Read: known, Verbs: policy.Verbs{policy.Create: known, policy.Update: known}}
}

// Annotations of the Drawer.
func (Drawer) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What is in a desk."),
		expose.Resource{Path: "drawers", Operations: []expose.Operation{expose.List, expose.Read, expose.Create}},
	}
}

// Lamp lights a desk.
type Lamp struct{ ent.Schema }

// Fields of the Lamp.
func (Lamp) Fields() []ent.Field {
	return []ent.Field{field.Int64("hall_id").Immutable().Comment("Where it is.")}
}

// Mixin of the Lamp.
func (Lamp) Mixin() []ent.Mixin { return []ent.Mixin{Base{}, Listed{}} }

// Edges of the Lamp.
func (Lamp) Edges() []ent.Edge {
	return []ent.Edge{edge.From("desks", Desk.Type).Ref("lamps").Comment("The desks that it lights.")}
}

// Policy of the Lamp.
func (Lamp) Policy() ent.Policy {
	return policy.Rules{Read: known, Verbs: policy.Verbs{policy.Create: known, policy.Update: known}}
}

// Annotations of the Lamp.
func (Lamp) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What lights a desk."),
		expose.Resource{Path: "lamps", Operations: []expose.Operation{expose.List, expose.Read, expose.Create}},
	}
}
`

// driveWithin writes rows whose edges lead to another hall, by each door.
func driveWithin(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	user := &driven{t: t, url: serve(t, binary, env)}
	user.token = shell(t, dir, env, binary, "token", "admin@example.com")
	made := func(path, body string) int { return int(user.rest("POST", path, body, 201)["id"].(float64)) }
	here, there := made("/lamps", `{"hall_id":1}`), made("/lamps", `{"hall_id":2}`)
	desk := made("/desks", fmt.Sprintf(`{"hall_id":1,"spare_id":%d,"lamp_ids":[%[1]d]}`, here))
	path := fmt.Sprintf("/desks/%d", desk)
	for _, c := range []struct{ method, path, body, field string }{
		{"POST", "/desks", fmt.Sprintf(`{"hall_id":1,"spare_id":%d}`, there), "spare_id"},
		{"POST", "/desks", fmt.Sprintf(`{"hall_id":1,"lamp_ids":[%d,%d]}`, here, there), "lamp_ids"},
		{"PATCH", path, fmt.Sprintf(`{"spare_id":%d}`, there), "spare_id"},
		{"PATCH", path, fmt.Sprintf(`{"lamp_ids":[%d]}`, there), "lamp_ids"},
		{"PUT", fmt.Sprintf("%s/lamps/%d", path, there), "", "lamp_ids"},
	} {
		status, text := user.send(c.method, "/api/v1"+c.path, c.body)
		if status != 422 || !strings.Contains(string(text), `"`+c.field+`"`) || !strings.Contains(string(text), "must be of the same hall") {
			t.Errorf("%s %s %s: %d %s, want 422 at %s", c.method, c.path, c.body, status, text, c.field)
		}
	}
	_, text := user.send("POST", "/api/v1/desks/bulk", fmt.Sprintf(`{"desks":[{"hall_id":2,"spare_id":%d},{"hall_id":1,"spare_id":%[1]d}]}`, there))
	var results struct{ Results []struct{ Status int } }
	if err := json.Unmarshal(text, &results); err != nil || len(results.Results) != 2 || results.Results[0].Status != 201 || results.Results[1].Status != 422 {
		t.Errorf("many at once: %v %s", err, text)
	}
	for input, field := range map[string]string{
		fmt.Sprintf(`spareId: "%d"`, there): "input.spareId", fmt.Sprintf(`addLampIds: ["%d"]`, there): "input.addLampIds",
		fmt.Sprintf(`lampIds: ["%d"]`, there): "input.lampIds",
	} {
		_, text := user.send("POST", "/graphql", encoded(fmt.Sprintf(`mutation { updateDesk(id: "%d", input: {%s}) { id } }`, desk, input)))
		if !strings.Contains(string(text), field) || !strings.Contains(string(text), "must be of the same hall") {
			t.Errorf("%s: %s, want it refused at %s", input, text, field)
		}
	}
	// Of one to one: made below its parent, once.
	drawer := user.rest("POST", path+"/drawer", `{"key":"brass"}`, 201)
	if drawer["desk_id"] != float64(desk) {
		t.Errorf("a drawer made below its desk: %v", drawer)
	}
	user.rest("POST", path+"/drawer", `{"key":"steel"}`, 409)
	user.rest("POST", "/desks/99999/drawer", `{"key":"steel"}`, 404)
	other := made("/desks", `{"hall_id":1}`)
	if got := user.graphql(fmt.Sprintf(`mutation { createDrawer(input: {key: "steel", deskId: "%d"}) { desk { drawer { key } } } }`, other)); fmt.Sprint(got) != "map[createDrawer:map[desk:map[drawer:map[key:steel]]]]" {
		t.Errorf("a drawer of GraphQL: %v", got)
	}
	user.rest("PATCH", path, fmt.Sprintf(`{"spare_id":%d,"lamp_ids":[%[1]d]}`, here), 200)
	if got := user.rest("GET", path+"?expand=lamps,spare", "", 200); len(got["lamps"].([]any)) != 1 || got["spare"] == nil {
		t.Errorf("what is of the same hall: %v", got)
	}
}
