package apiversion

// The names of conventions in a manifest (doc/api/manifest.md).

// String is snake or camel.
func (n Names) String() string { return [...]string{Snake: "snake", Camel: "camel"}[n] }

// String is integer or global.
func (d IDs) String() string { return [...]string{Integers: "integer", Global: "global"}[d] }

// String is bare or named.
func (w Wrapping) String() string { return [...]string{Bare: "bare", Named: "named"}[w] }

// String is structured, flat or three_status.
func (e Errors) String() string {
	return [...]string{Structured: "structured", Flat: "flat", ThreeStatus: "three_status"}[e]
}

// Input is the name of a field of an input, or of a member of an answer, by its names in
// the first version and in GraphQL.
func (n Names) Input(rest, graphql string) string {
	switch {
	case n == Snake:
		return rest
	case graphql != "":
		return graphql
	}
	return camel(rest)
}
