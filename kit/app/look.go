package app

import (
	"context"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// look looks after the files of the database until ctx ends.
func (h *Host) look(ctx context.Context) error {
	h.DB.Watch(ctx, h.Log, h.accept)
	return nil
}

// replaced is called when the database is another one than before, or at an earlier
// state. Facts that were cached from it are dropped: sign-ins that it does not have,
// and roles.
func (h *Host) replaced(why string) {
	h.Log.Error("the database is another one, or at an earlier state: subscriptions end, and clients come back", "reason", why)
	h.Bus.Wake(viewer.Changed)
}

// watchDatabase has Prometheus read whether the database takes writes, and is the one
// that it was.
func watchDatabase(m *telemetry.Metrics, db *store.DB) {
	m.Watch(
		telemetry.Figure{Name: "database_refuses_writes", Help: "1 for the reason why the SQLite file takes no writes, 0 for the others.", Labels: []string{"reason"}, Read: func(_ context.Context, add func(float64, ...string)) error {
			trouble := db.Trouble()
			for _, reason := range store.Reasons {
				value := 0.0
				if trouble != nil && trouble.Reason == reason {
					value = 1
				}
				add(value, reason)
			}
			return nil
		}},
		telemetry.Figure{Name: "database_replaced_total", Help: "How often the database was found to be another one, or at an earlier state.", Total: true, Read: telemetry.Number(func() int { return int(db.Lineage()) })},
	)
}
