//go:build unix

package restarts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestOneProcessServesASQLiteFile(t *testing.T) { //nolint:tparallel // the subtests serve the same file
	t.Parallel()
	database := "ENTWINE_DATABASE_URL=sqlite://" + filepath.Join(t.TempDir(), "shop.db")
	second := func(settings ...string) (output string, err error) {
		cmd := trial.Command(t, t.TempDir(), "serve")
		cmd.Env = append(append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", database), settings...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	first := startChain(t, database)
	for range 2 { // the second time it is a successor that serves
		if out, err := second(); err == nil || !strings.Contains(out, "another process serves") || !strings.Contains(out, "ENTWINE_REDIS_URL") {
			t.Errorf("a second process: %v\n%s", err, out)
		}
		first.restart(t)
	}
	first.stop(t)
	t.Run("one after the other", func(t *testing.T) { trial.Start(t, database) })
	t.Run("several where they share a Redis", func(t *testing.T) {
		settings := []string{database, "ENTWINE_REDIS_URL=" + storetest.Redis(t).URL}
		trial.Start(t, settings...)
		trial.Start(t, settings...)
	})
}
