// Package orders has many clients buy, pay and refund at once, while processes and
// databases are killed, and compares every history with a model of one order at a time.
package orders_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
