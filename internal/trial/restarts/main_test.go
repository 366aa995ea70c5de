// Package restarts replaces processes while clients use them: a process hands its
// sockets to its successor, two of them restart in turn behind nginx and HAProxy, the
// last release serves beside this one. No request fails, and no event is missed by those
// who listen, few or a crowd.
package restarts_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
