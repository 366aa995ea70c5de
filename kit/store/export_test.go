package store

import "runtime"

// Lined returns once so many callers of Together wait for the row.
func Lined(db *DB, row string, callers int) {
	waiting := db.group
	if !db.Dialect.SingleWriter() {
		db.crowds.mu.Lock()
		waiting = db.crowds.byName[row].Batch
		db.crowds.mu.Unlock()
	}
	for waiting.Waiting() < callers {
		runtime.Gosched()
	}
}

// Crowds is how many rows there are for which callers of Together wait.
func Crowds(db *DB) int {
	db.crowds.mu.Lock()
	defer db.crowds.mu.Unlock()
	return len(db.crowds.byName)
}
