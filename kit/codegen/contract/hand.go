package contract

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/entwine-go/entwine/kit/codegen/builtin"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// addProvided adds the operations that the kit brings along.
func (c *Contract) addProvided(m *model.Model) error {
	for _, d := range builtin.REST(m) {
		if err := c.addREST(d.Text); err != nil {
			return err
		}
	}
	documents := builtin.GraphQL(m)
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		if err := c.addGraphQL([]byte(documents[name])); err != nil {
			return err
		}
	}
	return nil
}

// addHand adds the operations by hand, and the types that they are about.
func (c *Contract) addHand(tree *source.Tree) error {
	for pattern, read := range map[string]func([]byte) error{"rest/*.yaml": c.addREST, "gql/*.graphql": c.addGraphQL} {
		files, err := filepath.Glob(tree.Path(pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := read(text); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
		}
	}
	slices.SortStableFunc(c.Operations, func(a, b Operation) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortStableFunc(c.Shapes, func(a, b Shape) int { return cmp.Or(cmp.Compare(a.API, b.API), cmp.Compare(a.Name, b.Name)) })
	return nil
}

// object is a mapping of YAML.
type object = map[string]any

// adds marks what adds to something that is generated.
const adds = "x-adds"

// addREST adds the operations of a document of REST.
func (c *Contract) addREST(text []byte) error {
	var document object
	if err := yaml.Unmarshal(text, &document); err != nil {
		return err
	}
	sent := map[string]bool{}
	for path, item := range at(document, "paths") {
		for method, value := range as[object](item) {
			operation := as[object](value)
			if operation[adds] == true {
				continue
			}
			o := Operation{Key: method + " " + path, ID: as[string](operation["operationId"]), Method: method, Path: path}
			for _, p := range as[[]any](operation["parameters"]) {
				if parameter := as[object](p); parameter["name"] != nil {
					o.Input = append(o.Input, restInput(as[string](parameter["name"]), parameter["required"] == true, as[object](parameter["schema"])))
				}
			}
			content := at(operation, "requestBody", "content")
			for _, media := range slices.Sorted(maps.Keys(content)) {
				schema := at(as[object](content[media]), "schema")
				if name := reference(schema); name != "" {
					sent[name] = true
				}
				members := shapeMembers(schema)
				for _, m := range members {
					o.Input = append(o.Input, Field{Name: m.Name, Values: m.Values, Shown: &Shown{REST: m.Name, Kind: m.Type, Required: m.Required}})
				}
				if len(members) > 0 {
					break // other media types with members have the same
				}
			}
			o.Answer = restAnswer(operation)
			slices.SortStableFunc(o.Input, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
			c.Operations = append(c.Operations, o)
		}
	}
	for name, value := range at(document, "components", "schemas") {
		schema := as[object](value)
		c.Shapes = append(c.Shapes, Shape{API: "REST", Name: name, Input: sent[name], Members: shapeMembers(schema), Values: texts(schema["enum"])})
	}
	return nil
}

func restInput(name string, required bool, schema object) Field {
	return Field{Name: name, Values: texts(schema["enum"]), Shown: &Shown{REST: name, Kind: typeOf(schema), Required: required}}
}

// restAnswer are the members of the successes that are described in place.
func restAnswer(operation object) (members []Member) {
	for status, response := range at(operation, "responses") {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		for _, body := range at(as[object](response), "content") {
			schema := at(as[object](body), "schema")
			if name := reference(schema); name != "" {
				members = append(members, Member{Name: status, Type: name})
			}
			for _, m := range shapeMembers(schema) {
				members = append(members, Member{Name: status + "." + m.Name, Type: m.Type, Nullable: !m.Required})
			}
		}
	}
	slices.SortFunc(members, func(a, b Member) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type)) })
	return slices.Compact(members)
}

// shapeMembers are the properties of a schema, those of objects by their paths.
func shapeMembers(schema object) (members []ShapeMember) {
	required := texts(schema["required"])
	for name, value := range at(schema, "properties") {
		inner := as[object](value)
		members = append(members, ShapeMember{Name: name, Type: typeOf(inner), Required: slices.Contains(required, name), Values: texts(inner["enum"])})
		dot := "."
		if items := at(inner, "items"); len(items) > 0 {
			inner, dot = items, "[]."
		}
		for _, m := range shapeMembers(inner) {
			m.Name = name + dot + m.Name
			members = append(members, m)
		}
	}
	for _, part := range as[[]any](schema["allOf"]) {
		members = append(members, shapeMembers(as[object](part))...)
	}
	slices.SortFunc(members, func(a, b ShapeMember) int { return cmp.Compare(a.Name, b.Name) })
	return members
}

// typeOf names the type of a schema.
func typeOf(schema object) string {
	if name := reference(schema); name != "" {
		return name
	}
	if items := at(schema, "items"); len(items) > 0 {
		return "[" + typeOf(items) + "]"
	}
	name := strings.TrimSpace(strings.Join(append(texts(schema["type"]), as[string](schema["format"])), " "))
	if constant, ok := schema["const"]; ok {
		name += fmt.Sprintf(" %v", constant)
	}
	return strings.TrimSpace(name)
}

func reference(schema object) string {
	name := as[string](schema["$ref"])
	return name[strings.LastIndex(name, "/")+1:]
}

// texts are a text, or a list of them.
func texts(value any) (all []string) {
	if value == nil {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, v := range list {
		all = append(all, fmt.Sprint(v))
	}
	return all
}

// at follows the names into the object, to an empty one where there is none.
func at(o object, names ...string) object {
	for _, name := range names {
		o = as[object](o[name])
	}
	return o
}

// as is the value where it is of the type, else the type's zero value.
func as[T any](value any) T {
	t, _ := value.(T)
	return t
}
