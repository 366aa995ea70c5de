// Package clients has libraries of others use both APIs: clients of GraphQL and of live
// lists, generated clients of REST, validators of what is published, and the pages that
// the clients of this repository are for.
package clients_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
