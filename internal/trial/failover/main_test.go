// Package failover has PostgreSQL and Redis fail over below processes that serve, with
// the engines that operators run: Patroni, Sentinel, PgBouncer, standbys that are read
// from. It counts what is lost and what is answered twice.
package failover_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
