// Package browser uses the pages of the service and its console in Chromium, as a person
// does: by what is shown and by the keyboard.
package browser_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
