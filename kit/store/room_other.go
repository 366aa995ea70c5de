//go:build !linux && !darwin

package store

// Room is not known here.
func Room(string) (free, all uint64) { return 0, 0 }

// room is not known here: a write that fails shows it.
func room(string, uint64) *RefusalError { return nil }
