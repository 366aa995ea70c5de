package entity

// Own is how a column has the values of a field that says so itself: by
// field.ValueScanner of Ent, such as one that encrypts, or by a Go type that is a
// driver.Valuer. All else has values as the API does.
type Own struct {
	// Write is what the column has of a value, Read the value of what it has.
	Write, Read func(value any) (any, error)
}
