// Package backups makes copies of services that run, restores them, and has the last
// one tried by a drill, as doc/operations/backup.md says.
package backups_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
