package pages_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// The commands that doc/operations shows in shell blocks of these pages work, in
// order, beside a service that runs.
func TestTheCommandsOfOperators(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"keys", "upgrading"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			s := trial.Start(t)
			t.Log(trial.Shell(t, s.Dir, strings.Join(trial.Blocks(t, "doc/operations/"+page+".md", "sh"), "")))
		})
	}
}
