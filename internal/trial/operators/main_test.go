// Package operators runs the commands of the program, and starts it as its help says:
// serve, migrate, user, apikey, jobs, and what explains requests.
package operators_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
