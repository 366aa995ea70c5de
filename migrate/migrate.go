// Package migrate holds the migrations of this service, a folder of files for
// each database. kit/migration applies them, make migration writes them.
package migrate

import "embed"

// Files are the migrations that the program was built with, and the digest of
// the schema that they lead to.
//
//go:embed postgres sqlite schema.sum
var Files embed.FS
