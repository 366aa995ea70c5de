package change_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/codegen/facts"
)

// says is the content of an annotation of the vocabulary, as Ent loads it.
type says = map[string]any

func annotation(all map[string]any, name string) says {
	if s, ok := all[name].(says); ok {
		return s
	}
	return says{}
}

func ofField(f *load.Field) says     { return annotation(f.Annotations, "EntwineField") }
func ofResource(s *load.Schema) says { return annotation(s.Annotations, "EntwineResource") }

// say has the field say something else.
func say(f *load.Field, key string, value any) {
	s := maps.Clone(ofField(f))
	if value == nil {
		delete(s, key)
	} else {
		s[key] = value
	}
	if f.Annotations == nil {
		f.Annotations = map[string]any{}
	}
	f.Annotations["EntwineField"] = s
}

// copied is a copy that can be changed.
func (d *declared) copied() *declared {
	o := &declared{tree: d.tree}
	encoded, err := json.Marshal(d.spec)
	if err == nil {
		err = json.Unmarshal(encoded, &o.spec)
	}
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(d.told)
	if err == nil {
		o.told, err = facts.Read(text)
	}
	if err != nil {
		panic(err)
	}
	return o
}

// mutation changes something of the declarations, at random, and says what:
// nothing where it does not fit.
type mutation func(r *rand.Rand, d *declared) string

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// exposed picks an entity that the APIs show.
func (d *declared) exposed(r *rand.Rand) *load.Schema {
	return pick(r, slices.DeleteFunc(slices.Clone(d.spec), func(s *load.Schema) bool { return len(ofResource(s)) == 0 }))
}

// onField changes a field other than the id, and those of edges.
func onField(change func(r *rand.Rand, f *load.Field) string) mutation {
	return func(r *rand.Rand, d *declared) string {
		s := d.exposed(r)
		f := pick(r, s.Fields)
		if f.Name == "id" || f.Name == "author_id" {
			return ""
		}
		if what := change(r, f); what != "" {
			return fmt.Sprintf("%s.%s: %s", s.Name, f.Name, what)
		}
		return ""
	}
}

func onResource(change func(r *rand.Rand, s says) string) mutation {
	return func(r *rand.Rand, d *declared) string {
		s := d.exposed(r)
		if what := change(r, ofResource(s)); what != "" {
			return s.Name + ": " + what
		}
		return ""
	}
}

func mutations() []mutation {
	toggle := func(key string, value any) mutation {
		return onField(func(_ *rand.Rand, f *load.Field) string {
			if _, has := ofField(f)[key]; has {
				say(f, key, nil)
				return "no " + key
			}
			say(f, key, value)
			return fmt.Sprint(key, " ", value)
		})
	}
	bound := func(key string) mutation {
		return onField(func(r *rand.Rand, f *load.Field) string {
			if now, has := ofField(f)[key].(float64); has {
				to := max(0, now+float64(r.IntN(21)-10))
				say(f, key, to)
				return fmt.Sprintf("%s is %v, and was %v", key, to, now)
			}
			return ""
		})
	}
	return []mutation{
		dropField, addField, addField, changeType, changeUses, changeUses, changeValues, changeValues, rename, rename, renameValue, dropEntity, addEdge, hideEdge, changeRule,
		onField(func(_ *rand.Rand, f *load.Field) string {
			f.Optional, f.Nillable = !f.Optional, !f.Optional
			f.Default, f.DefaultValue, f.DefaultKind = false, nil, 0
			return fmt.Sprintf("nullable %t", f.Optional)
		}),
		onField(func(_ *rand.Rand, f *load.Field) string {
			if !f.Default {
				return ""
			}
			f.Default, f.DefaultValue, f.DefaultKind = false, nil, 0
			return "no default"
		}),
		toggle("visible", []any{"admin"}), toggle("writable", []any{"admin"}), toggle("secret", true), toggle("internal", true), toggle("read_only", true),
		toggle("named", "other"), toggle("also", "another"), toggle("initial", true), toggle("kept", true), toggle("pattern", "^[a-z]*$"),
		bound("max_length"), bound("min_length"), bound("maximum"), bound("minimum"),
		onResource(func(_ *rand.Rand, s says) string { s["path"] = s["path"].(string) + "-too"; return "another path" }),
		onResource(func(r *rand.Rand, s says) string { s["limit"] = r.IntN(50) + 1; return "another page size" }),
		onResource(func(_ *rand.Rand, s says) string { s["sort"] = "-id"; return "another order" }),
		onResource(func(r *rand.Rand, s says) string {
			operations := s["operations"].([]any)
			i := r.IntN(len(operations))
			s["operations"] = slices.Delete(slices.Clone(operations), i, i+1)
			return fmt.Sprintf("no %v", operations[i])
		}),
		onResource(func(_ *rand.Rand, s says) string {
			if s["derived"] == nil {
				return ""
			}
			delete(s, "derived")
			return "nothing derived"
		}),
		onResource(func(r *rand.Rand, s says) string {
			bulk, ok := s["bulk"].([]any)
			if !ok {
				return ""
			}
			bulk[0].(says)["maximum"] = 50 + r.IntN(100)
			return "another maximum"
		}),
		onResource(changeInput), onResource(changeInput),
	}
}

func dropField(r *rand.Rand, d *declared) string {
	s := d.exposed(r)
	i := r.IntN(len(s.Fields))
	f := s.Fields[i]
	if f.Name == "id" || f.Name == "author_id" {
		return ""
	}
	s.Fields = slices.Delete(s.Fields, i, i+1)
	return fmt.Sprintf("%s.%s goes", s.Name, f.Name)
}

func addField(r *rand.Rand, d *declared) string {
	s := d.exposed(r)
	f, err := load.NewField(pick(r, []ent.Field{
		field.String("extra").Optional().Nillable(), field.String("extra").Default("x"), field.String("extra"),
		field.Int64("extra").Optional().Nillable(), field.Bool("extra").Default(true), field.Enum("extra").Values("a", "b").Default("a"), field.Time("extra").Optional().Nillable(),
	}).Descriptor())
	if err != nil {
		panic(err)
	}
	s.Fields = append(s.Fields, f)
	return fmt.Sprintf("%s.extra, %s, nullable %t, default %t", s.Name, f.Info, f.Optional, f.Default)
}

func changeType(r *rand.Rand, d *declared) string {
	return onField(func(r *rand.Rand, f *load.Field) string {
		if len(f.Enums) > 0 || f.Default {
			return ""
		}
		was := f.Info.Type
		f.Info.Type = pick(r, []field.Type{field.TypeInt64, field.TypeString, field.TypeFloat64, field.TypeBool})
		if f.Info.Type == was {
			return ""
		}
		return fmt.Sprintf("%s, and was %s", f.Info.Type, was)
	})(r, d)
}

// rename gives a field another name, which is said (expose.Was).
func rename(r *rand.Rand, d *declared) string {
	return onField(func(r *rand.Rand, f *load.Field) string {
		was := f.Name
		f.Name, f.StorageKey = "other_"+was, pick(r, []string{"", was})
		if f.Annotations == nil {
			f.Annotations = map[string]any{}
		}
		f.Annotations["EntwineChange"] = says{"was": was}
		return fmt.Sprintf("is called %s, its column %q", f.Name, f.StorageKey)
	})(r, d)
}

// renameValue does so with a value of an enum.
func renameValue(_ *rand.Rand, d *declared) string {
	for _, s := range d.spec {
		for _, f := range s.Fields {
			if len(f.Enums) == 0 {
				continue
			}
			last := &f.Enums[len(f.Enums)-1]
			was := last.V
			last.N, last.V = "Gone", "gone"
			f.Annotations["EntwineChange"] = says{"values": says{was: "gone"}}
			return s.Name + "." + f.Name + " " + was + " is called gone"
		}
	}
	return ""
}

func changeUses(r *rand.Rand, d *declared) string {
	return onField(func(r *rand.Rand, f *load.Field) string {
		uses, _ := ofField(f)["by"].([]any)
		use := any(pick(r, []string{"filter", "sort", "search"}))
		say(f, "scanned", true)
		if i := slices.Index(uses, use); i >= 0 {
			say(f, "by", slices.Delete(slices.Clone(uses), i, i+1))
			return fmt.Sprint("no ", use)
		}
		say(f, "by", append(slices.Clone(uses), use))
		return fmt.Sprint(use)
	})(r, d)
}

func changeValues(r *rand.Rand, d *declared) string {
	for _, s := range d.spec {
		for _, f := range s.Fields {
			if len(f.Enums) == 0 {
				continue
			}
			if r.IntN(2) == 0 {
				f.Enums = append(f.Enums, struct{ N, V string }{"Late", "late"})
				return s.Name + "." + f.Name + " late"
			}
			gone := f.Enums[len(f.Enums)-1]
			f.Enums = f.Enums[:len(f.Enums)-1]
			return s.Name + "." + f.Name + " without " + gone.V
		}
	}
	return ""
}

// dropEntity drops tags.
func dropEntity(_ *rand.Rand, d *declared) string {
	d.spec = slices.DeleteFunc(d.spec, func(s *load.Schema) bool { return s.Name == "Tag" })
	for _, s := range d.spec {
		s.Edges = slices.DeleteFunc(s.Edges, func(e *load.Edge) bool { return e.Type == "Tag" })
	}
	d.told.Entities = slices.DeleteFunc(d.told.Entities, func(e facts.Entity) bool { return e.Name == "Tag" })
	return "Tag goes"
}

func addEdge(r *rand.Rand, d *declared) string {
	for _, s := range d.spec {
		if s.Name != "Post" {
			continue
		}
		e := edge.To("editor", worldtest.Author.Type).Unique()
		if r.IntN(2) == 0 {
			e.Required()
		}
		s.Edges = append(s.Edges, load.NewEdge(e.Descriptor()))
		return fmt.Sprintf("Post.editor, required %t", e.Descriptor().Required)
	}
	return ""
}

func hideEdge(r *rand.Rand, d *declared) string {
	s := d.exposed(r)
	if len(s.Edges) == 0 {
		return ""
	}
	e := pick(r, s.Edges)
	shown := maps.Clone(annotation(e.Annotations, "EntwineEdge"))
	var what string
	switch _, nested := shown["nested"]; {
	case nested:
		delete(shown, "nested")
		what = "not nested"
	case shown["filter"] == true:
		delete(shown, "filter")
		what = "no filter"
	default:
		shown["hidden"] = true
		what = "hidden"
	}
	if e.Annotations == nil {
		e.Annotations = map[string]any{}
	}
	e.Annotations["EntwineEdge"] = shown
	return s.Name + "." + e.Name + " " + what
}

// changeRule has admins alone, or everyone, read an entity.
func changeRule(r *rand.Rand, d *declared) string {
	e := &d.told.Entities[r.IntN(len(d.told.Entities))]
	if e.Rules == nil {
		return ""
	}
	e.Rules.Read = e.Rules.Allowed["create"]
	return e.Name + " read by admins"
}

// changeInput changes the input of an action.
func changeInput(r *rand.Rand, s says) string {
	actions, ok := s["actions"].([]any)
	if !ok {
		return ""
	}
	action := actions[0].(says)
	input, _ := action["input"].([]any)
	switch r.IntN(4) {
	case 0:
		delete(s, "actions")
		return "no action"
	case 1:
		delete(action, "input")
		return "no input"
	case 2:
		if len(input) == 0 {
			return ""
		}
		delete(input[0].(says), "optional")
		delete(input[0].(says), "nillable")
		return "a required input"
	}
	more := maps.Clone(input[0].(says))
	more["name"] = "more"
	action["input"] = append(input, more)
	return "another input"
}
