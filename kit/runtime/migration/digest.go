package migration

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// DigestFile is where, beside the folders, the planner says which schema the
// migrations lead to.
const DigestFile = "schema.sum"

// ErrBehind says that the migrations of a program don't lead to the schema
// that it was generated from.
var ErrBehind = errors.New("the schema is ahead of the migrations that this program was built with: " +
	"go run ./cmd/weave migrate diff NAME writes what is missing; build the program again, and it applies them when it starts")

// Matches returns [ErrBehind] where the migrations in files lead to another
// schema than the one with the digest.
func Matches(files fs.FS, digest string) error {
	text, err := fs.ReadFile(files, DigestFile)
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrBehind, err)
	}
	if strings.TrimSpace(string(text)) != digest {
		return ErrBehind
	}
	return nil
}
