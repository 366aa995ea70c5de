package app

import (
	"context"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/store"
)

// watchServer has Prometheus read what the database's server says of itself: nothing
// where there is none.
func watchServer(m *telemetry.Metrics, db *store.DB) {
	if db.Dialect.Embedded() {
		return
	}
	activity := func(value func(store.Activity) float64) func(context.Context, func(float64, ...string)) error {
		return func(ctx context.Context, add func(float64, ...string)) error {
			a, err := db.Activity(ctx)
			if err == nil {
				add(value(a))
			}
			return err
		}
	}
	followers := func(slots bool, value func(store.Follower) float64) func(context.Context, func(float64, ...string)) error {
		return func(ctx context.Context, add func(float64, ...string)) error {
			all, err := db.Followers(ctx)
			for _, f := range all {
				if f.Slot == slots {
					add(value(f), f.Name)
				}
			}
			return err
		}
	}
	archive := func(value func(store.Archive) float64) func(context.Context, func(float64, ...string)) error {
		return func(ctx context.Context, add func(float64, ...string)) error {
			a, err := db.Archive(ctx)
			if err == nil && a.On {
				add(value(a))
			}
			return err
		}
	}
	m.Watch(
		telemetry.Figure{Name: "lock_waits", Help: "Sessions of the database that wait for a lock.", Read: activity(func(a store.Activity) float64 { return float64(a.Waiting) })},
		telemetry.Figure{Name: "lock_wait_oldest_seconds", Help: "For how long the first of them has waited.", Read: activity(func(a store.Activity) float64 { return a.Waited })},
		telemetry.Figure{Name: "event_held_oldest_seconds", Help: "For how long the oldest transaction that has written has been open: its events are held, and its locks, until it ends.", Read: activity(func(a store.Activity) float64 { return a.Open })},
		telemetry.Figure{Name: "replication_lag_seconds", Help: "How long it took until what was committed could be read on the standby.", Labels: []string{"standby"}, Read: followers(false, func(f store.Follower) float64 { return f.Seconds })},
		telemetry.Figure{Name: "replication_lag_bytes", Help: "How much of the primary's log the standby has not replayed.", Labels: []string{"standby"}, Read: followers(false, func(f store.Follower) float64 { return f.Bytes })},
		telemetry.Figure{Name: "replication_slot_bytes", Help: "How much of its log the primary keeps for the slot.", Labels: []string{"slot"}, Read: followers(true, func(f store.Follower) float64 { return f.Bytes })},
		telemetry.Figure{Name: "archive_failing", Help: "1 where the last attempt to archive the primary's log failed.", Read: archive(func(a store.Archive) float64 { return number01(a.Failing) })},
		telemetry.Figure{Name: "archive_last_timestamp_seconds", Help: "When the primary's log was last archived, in seconds since 1970; 0 for never.", Read: archive(func(a store.Archive) float64 { return a.Last })},
	)
}

// watchReplicas has Prometheus read how the replicas are, and which share of the reads
// they answer.
func watchReplicas(m *telemetry.Metrics, db *store.DB) {
	if len(db.Replicas()) == 0 {
		return
	}
	replicas := func(value func(store.Replica) float64) func(context.Context, func(float64, ...string)) error {
		return func(_ context.Context, add func(float64, ...string)) error {
			for _, s := range db.Replicas() {
				add(value(s), s.Name)
			}
			return nil
		}
	}
	m.Watch(
		telemetry.Figure{Name: "replica_used", Help: "1 where the replica answers reads, 0 where it does not.", Labels: []string{"replica"}, Read: replicas(func(s store.Replica) float64 { return number01(s.Why == "") })},
		telemetry.Figure{Name: "replica_age_seconds", Help: "How old what the replica shows is at most; less than 0 where that is not known, or more than two seconds.", Labels: []string{"replica"}, Read: replicas(func(s store.Replica) float64 { return s.Age.Seconds() })},
		telemetry.Figure{Name: "replica_reads_total", Help: "Statements that the replica has answered.", Labels: []string{"replica"}, Total: true, Read: replicas(func(s store.Replica) float64 { return float64(s.Reads) })},
		telemetry.Figure{
			Name: "replica_misses_total", Help: "Statements that the primary has answered where a replica might have, by the reason: behind, late, timeline, away, primary or failed.", Labels: []string{"reason"}, Total: true,
			Read: func(_ context.Context, add func(float64, ...string)) error {
				for why, n := range db.Misses() {
					add(float64(n), why.String())
				}
				return nil
			},
		},
	)
}

// number01 is 1 for yes.
func number01(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
