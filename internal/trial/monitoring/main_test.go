// Package monitoring reads what an operator reads of a process: metrics, traces, health.
// They move with what happens, name what is away, and hold nothing of what clients sent.
package monitoring_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
