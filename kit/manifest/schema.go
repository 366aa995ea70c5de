package manifest

import (
	_ "embed"
	"fmt"
)

// Schema is the JSON Schema of the format.
//
//go:embed schema.json
var Schema []byte

// FormatError is the format of a document that is none of [Format].
type FormatError int

// Error implements error.
func (e FormatError) Error() string {
	return fmt.Sprintf("the manifest has the format %d, and %d is read", int(e), Format)
}
