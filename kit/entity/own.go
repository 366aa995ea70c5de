package entity

// Own is how a column has the values of a field that says so itself: by
// field.ValueScanner of Ent, such as one that encrypts, or by a Go type that is a
// driver.Valuer. All else has values as the API does.
type Own struct {
	// Write converts a value of Go to the column's, Read the column's to Go's.
	Write, Read func(value any) (any, error)
}
