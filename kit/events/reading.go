package events

import "github.com/entwine-go/entwine/kit/store"

// reading is how a database is asked for events.
//
// A statement sees the events of one snapshot, and asks which that is: those of the
// window are those of transactions that were running at its beginning, and of those
// that have begun since. The first are few: as many as the server has connections.
//
// Beside the events there are the snapshot, which shows how far the database has
// counted, and the event that was read last: they show that it is the same database.
// The upper bound of xid leaves out events that were restored from a database that had
// counted further.
type reading struct {
	// now asks for what is committed now, as [parseSnapshot] reads it.
	now string
	// next asks for the event that was read last and the next page of the window.
	next func(w *window, last place) (text string, args []any)
}

var readings = store.PerDialect(postgresReading, sqliteReading)
