// Package faults takes away what a process stands on, while it serves and when it starts:
// the database, its connections, its file, the disk, Redis, the process itself. Answered
// writes are kept, requests that can't be served are refused with a reason, and all works
// again when the cause is gone.
package faults_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
