// Package accounts follows users through processes: how they sign in, by passwords, by
// providers and by mail, how long what they have is good, and where their secrets are not.
package accounts_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
