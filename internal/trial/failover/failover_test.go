//go:build linux

package failover_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

var failovers = flag.Int("failovers", 0, "how often each engine fails over: make faults says 20")

// TestFailovers has the engines below two processes fail over while these work:
// PostgreSQL below Patroni and HAProxy, with synchronous standbys and without, and
// Redis below its sentinels. Nothing that was answered is lost, where standbys are
// synchronous, and nothing is done twice, and no subscriber is left without events.
func TestFailovers(t *testing.T) {
	if *failovers == 0 {
		t.Skip("it takes half an hour: make faults does it")
	}
	for name, synchronous := range map[string]bool{"synchronous": true, "asynchronous": false} {
		t.Run("postgres, "+name, func(t *testing.T) {
			p := startPatroni(t, synchronous)
			w := begin(t, !synchronous, eachOfTwo(t, p.url, storetest.Redis(t).URL)...)
			back := make(map[string][]time.Duration)
			for turn := range *failovers {
				w.untilWritten()
				way, before := p.failOver(turn)
				back[way] = append(back[way], w.untilWritten())
				select {
				case <-before.exited:
					p.run(before)
				default: // Patroni starts PostgreSQL by itself
				}
				p.wholeWith(synchronous)
			}
			w.untilWritten()
			w.stop(p.url)
			for way, times := range back {
				t.Logf("%s, %d times: the service writes %v after the new primary does, at most %v", way, len(times), median(times), slices.Max(times))
			}
		})
	}
	t.Run("redis", func(t *testing.T) {
		r := startSentinels(t)
		server := storetest.PostgresServer(t)
		w := begin(t, false, eachOfTwo(t, server.URL("postgres"), r.url)...)
		for turn := range *failovers {
			w.untilWritten()
			r.failOver(turn)
			w.untilWritten()
		}
		w.stop(server.URL("postgres"))
	})
}

// eachOfTwo are two processes that serve and work.
func eachOfTwo(t *testing.T, database, redis string) (serve []*trial.Service) {
	t.Helper()
	for range 2 {
		serve = append(serve, trial.Start(t,
			"ENTWINE_LOG_LEVEL=info", "ENTWINE_DATABASE_URL="+database, "ENTWINE_REDIS_URL="+redis, "ENTWINE_DATABASE_CONNS=8", "ENTWINE_RATE_LIMIT=off",
			"ENTWINE_TOKEN_KEYS="+strings.Repeat("A", 43)+"=", "ENTWINE_SECRET_KEYS="+strings.Repeat("B", 43)+"=",
			"ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_ACCESS_TOKEN_TIME=24h"))
	}
	return serve
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
