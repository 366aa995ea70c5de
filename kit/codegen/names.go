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

// words turns a name of the API into words.
func words(name string) string {
	return strings.NewReplacer("_", " ", "-", " ", "/", " ").Replace(name)
}

// an puts the article before the name.
func an(name string) string {
	if strings.ContainsRune("aeio", rune(name[0])) {
		return "an " + words(name)
	}
	return "a " + words(name)
}
