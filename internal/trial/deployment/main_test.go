// Package deployment runs what deploy/ and doc/operations/ have for installing the
// service: the image, docker compose, the chart of Helm, the unit of systemd, and the
// proxies before it, with the settings of production.
package deployment_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
