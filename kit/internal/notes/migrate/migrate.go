// Package migrate holds the migrations of the application that the kit's tests run
// on, a folder of files for each database.
package migrate

import "embed"

// Files has them, and the digest of the schema that they lead to.
//
//go:embed postgres sqlite schema.sum
var Files embed.FS
