// Package limits sends more than a service takes: bytes on the wire, costs of
// operations, requests, sign-ups, streams and connections of one caller or network.
// Others are served meanwhile.
package limits_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
