package typescript

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/problem"
)

// entity is an entity as the client has it.
type entity struct {
	*manifest.Entity
	m *manifest.Manifest
	// Methods are those beside the verbs: actions, and lists at the end of edges.
	Methods []*method
}

// method is a method of an entity's class.
type method struct {
	Name, Text string
}

func newEntity(m *manifest.Manifest, e *manifest.Entity) *entity {
	d := &entity{Entity: e, m: m}
	taken := []string{"list", "live", "presence", "get", "create", "update", "replace", "delete", "restore", "upload", "constructor"}
	taken = slices.DeleteFunc(taken, func(name string) bool {
		return name == "create" && d.Verb("create") == nil || name == "live" && !e.Live || name == "presence" && e.Presence == nil || name == "upload" && d.FileFields() == ""
	})
	add := func(name, text string) {
		if text != "" && !slices.Contains(taken, name) {
			taken = append(taken, name)
			d.Methods = append(d.Methods, &method{name, text})
		}
	}
	for _, a := range e.Actions {
		name := naming.Camel(a.Name)
		add(name, d.action(name, a))
	}
	for _, g := range e.Edges {
		if to := m.Entity(g.To); g.List != "" && to != nil {
			add(g.Name, d.sublist(g, to))
		}
	}
	return d
}

// codes are the types of the codes of errors, in a version with these errors.
func codes(errors string) (all []string) {
	for _, k := range problem.Kinds() {
		if code := quoted(k.Answer().REST); k.Answer().REST != "" && !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	if errors == "three_status" { // which names what is not there, and the field
		all = append(all, `"VALIDATION_FAILED"`, `"UNAUTHORIZED"`, "`${Uppercase<string>}_NOT_FOUND`", "`DUPLICATE_${Uppercase<string>}`")
	}
	return append(all, `"NO_ANSWER"`, `"UNKNOWN"`)
}

// Class is the name of the class with the operations.
func (e *entity) Class() string { return e.Name + "Resource" }

// Property is its name in a client.
func (e *entity) Property() string { return naming.Camel(strings.ToLower(naming.Snake(e.Plural))) }

// Asked reports whether anything can be asked of it.
func (e *entity) Asked() bool {
	return len(e.Methods) > 0 || slices.ContainsFunc(e.Verbs, func(c *manifest.Call) bool { return c.Of == "" || e.Under != "" })
}

// Looking is the type of one that looks at a row.
func (e *entity) Looking() string {
	user := "user_id"
	if e.m.Conventions.Names != "snake" {
		user = "userId"
	}
	return "{ id: string; " + user + ": " + idOf(e.m) + " | null; state: " + object(e.m, e.Presence.State, false) + " }"
}

// Verb is the operation on the entity's own path, nil where there is none.
func (e *entity) Verb(name string) *manifest.Call {
	i := slices.IndexFunc(e.Verbs, func(c *manifest.Call) bool { return c.Name == name && (c.Of == "" || e.Under != "") && c.Edge == "" })
	if i < 0 {
		return nil
	}
	return e.Verbs[i]
}

// Shown are the fields that rows have.
func (e *entity) Shown() []*manifest.Field {
	return slices.DeleteFunc(slices.Clone(e.Fields), func(f *manifest.Field) bool { return f.Secret })
}

// Always are the names of the fields that lists show unless others are asked for, and
// Single those that are shown beside these with one row.
func (e *entity) Always() string {
	return e.union(func(f *manifest.Field) bool { return !f.OnRequest && !f.Single })
}

// Single is described with Always.
func (e *entity) Single() string { return e.union(func(f *manifest.Field) bool { return f.Single }) }

func (e *entity) union(is func(*manifest.Field) bool) string {
	var names []string
	for _, f := range e.Shown() {
		if is(f) {
			names = append(names, f.Name)
		}
	}
	return alternatives(names)
}

// files are the fields that have files and that a change sets.
func (e *entity) files() []*manifest.Field {
	return slices.DeleteFunc(slices.Clone(e.Patched()), func(f *manifest.Field) bool { return f.File == nil })
}

// FileFields is the type of the names of the fields that have files, empty for none.
func (e *entity) FileFields() string {
	var names []string
	for _, f := range e.files() {
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return alternatives(names)
}

// FileFor is an object of what uploads call these fields, by name.
func (e *entity) FileFor() string {
	var all []string
	for _, f := range e.files() {
		all = append(all, key(f.Name)+": "+quoted(f.File.For))
	}
	return "{ " + strings.Join(all, ", ") + " }"
}

// Orders are the values of sort.
func (e *entity) Orders() string {
	var names []string
	for _, f := range e.Fields {
		if f.Sort {
			names = append(names, f.Name, "-"+f.Name)
		}
	}
	return alternatives(names)
}

// Created and Patched are the fields that clients write.
func (e *entity) Created() []*manifest.Field {
	return slices.DeleteFunc(slices.Clone(e.Fields), func(f *manifest.Field) bool { return f.Create == "" })
}

// Patched is described with Created.
func (e *entity) Patched() []*manifest.Field {
	return slices.DeleteFunc(slices.Clone(e.Fields), func(f *manifest.Field) bool { return !f.Update })
}

// Needed are the names of those that a replacement has to name.
func (e *entity) Needed() string {
	var names []string
	for _, f := range e.Patched() {
		if f.Create == "required" {
			names = append(names, f.Name)
		}
	}
	return alternatives(names)
}

// Beside is the input of the operation that is no field.
func (e *entity) Beside(verb string) []*manifest.Field {
	if c := e.Verb(verb); c != nil {
		return c.Input
	}
	return nil
}

// Type is the type of a field's values in answers, Input the one in bodies.
func (e *entity) Type(f *manifest.Field) string { return typeOf(e.m, f, false) }

// Input is described with Type.
func (e *entity) Input(f *manifest.Field) string { return typeOf(e.m, f, true) }

// Filter is the type of a filter.
func (e *entity) Filter(f *manifest.Field) string {
	plain := *f
	plain.Nullable = false
	if f.Kind == "strings" {
		return "Equal<string>"
	}
	value := typeOf(e.m, &plain, true)
	if slices.Contains(f.Filters, "gte") {
		return "Ordered<" + value + ">"
	}
	return "Equal<" + value + ">"
}

// KeyType is the type of what stands in paths.
func (e *entity) KeyType() string {
	if f := e.Field(e.Key); f != nil && f.Kind == "string" {
		return "string"
	}
	return idOf(e.m)
}

// typeOf is the type of the values of a field.
func typeOf(m *manifest.Manifest, f *manifest.Field, input bool) string {
	t := "string"
	switch f.Kind {
	case "id", "ref":
		t = idOf(m)
	case "ids":
		t = idOf(m) + "[]"
	case "int", "float", "money":
		t = "number"
	case "bool":
		t = "boolean"
	case "enum":
		t = alternatives(values(f))
	case "strings":
		if t = "string[]"; len(f.Values) > 0 {
			t = "(" + alternatives(values(f)) + ")[]"
		}
	case "json":
		t = "unknown"
	case "object":
		t = object(m, f.Members, input)
	case "objects":
		t = object(m, f.Members, input) + "[]"
	case "time", "date":
		if input {
			t = "string | Date"
		}
	}
	if f.Nullable {
		t += " | null"
	}
	return t
}

func values(f *manifest.Field) (names []string) {
	for _, v := range f.Values {
		names = append(names, v.Name)
	}
	return names
}

// object is the type of an object with the members.
func object(m *manifest.Manifest, members []*manifest.Field, input bool) string {
	if len(members) == 0 {
		return "Record<string, unknown>"
	}
	var parts []string
	for _, f := range members {
		optional := ""
		if input && f.Create != "required" {
			optional = "?"
		}
		parts = append(parts, key(f.Name)+optional+": "+typeOf(m, f, input))
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

// alternatives is a union of texts, never where there are none.
func alternatives(names []string) string {
	if len(names) == 0 {
		return "never"
	}
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = quoted(name)
	}
	return strings.Join(all, " | ")
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text) // a text always can be
	return string(encoded)
}
