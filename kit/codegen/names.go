package main

import (
	"strings"

	"entgo.io/ent/entc/gen"
)

var (
	snake  = gen.Funcs["snake"].(func(string) string)
	camel  = gen.Funcs["camel"].(func(string) string)
	pascal = gen.Funcs["pascal"].(func(string) string)
	// singular returns the singular of an English noun.
	singular = gen.Funcs["singular"].(func(string) string)
)

// plural returns the lower-camel plural of an entity: what GraphQL calls a
// list of it. It follows the path, which the schema's author chose.
func plural(e *Entity) string {
	return camel(strings.NewReplacer("-", "_", "/", "_").Replace(e.Path))
}
