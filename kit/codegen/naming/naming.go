// Package naming spells the names of entities and fields as the APIs and Go
// do, and as running text does. All emitters take them from here, so that a
// path, a type and a comment about one entity agree.
package naming

import (
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/gid"
)

// Snake returns the name in snake_case.
func Snake(name string) string { return inflect("snake", name) }

// Camel returns the name in camelCase.
func Camel(name string) string { return inflect("camel", name) }

// GraphQL returns the name in camelCase as GraphQL has it everywhere: with
// initialisms as words, postId and resultUrl.
func GraphQL(name string) string {
	words := strings.Split(Snake(name), "_")
	for i, word := range words {
		if i > 0 && word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// Pascal returns the name in PascalCase, with Go's initialisms in capitals.
func Pascal(name string) string { return inflect("pascal", name) }

// Singular returns the singular of an English noun.
func Singular(noun string) string { return inflect("singular", noun) }

// Plural returns the plural of the noun.
func Plural(noun string) string { return inflect("plural", noun) }

// inflect applies a function of Ent's templates: names that are spelled here
// must be those that Ent gives to its own code.
func inflect(function, name string) string {
	return gen.Funcs[function].(func(string) string)(name)
}

// Words turns a name of the API into words: "cart items", "API keys".
func Words(name string) string { return gid.Words(name) }

// An puts the article before the name: "a cart item".
func An(name string) string { return gid.An(Words(name)) }
