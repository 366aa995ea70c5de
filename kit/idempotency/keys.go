package idempotency

import "sync"

// keys are those that run in this process. They spare the database the
// repetitions that come while the first request runs, and are the only lock
// on SQLite, where a second transaction would wait for the first.
type keys struct {
	mu   sync.Mutex
	held map[[32]byte]struct{}
}

// lock takes the key, unless it is taken.
func (k *keys) lock(hash [32]byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, taken := k.held[hash]; taken {
		return false
	}
	if k.held == nil {
		k.held = make(map[[32]byte]struct{})
	}
	k.held[hash] = struct{}{}
	return true
}

func (k *keys) unlock(hash [32]byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.held, hash)
}
