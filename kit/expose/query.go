package expose

// Query is a query of GraphQL that an entity has beside the two by its id and
// of its connection: it answers with a plain list of rows, or with the caller's
// own.
type Query struct {
	// Name is its field in GraphQL: "users".
	Name string `json:"name"`
	// Comment says to clients what it answers with.
	Comment string `json:"comment"`
	// Pages gives it the arguments page and limit. Without them it answers with
	// the first 100.
	Pages bool `json:"pages,omitempty"`
	// By is a foreign key that it can be filtered by, and the argument's name.
	By string `json:"by,omitempty"`
	// Search is the argument with a text that the rows have somewhere in the
	// fields with expose.By(expose.Search).
	Search string `json:"search,omitempty"`
	// Caller answers with the caller's own row. Nothing goes with it.
	Caller bool `json:"caller,omitempty"`
}
