// Package pages does what README.md and doc/ say: it runs their commands and programs,
// compiles their code, and compares the ways through the code that doc/internals
// describes with the stacks of real statements.
package pages_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
