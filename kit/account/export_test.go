package account

import "sync"

// Watch counts what a hasher does.
type Watch struct {
	mu           sync.Mutex
	now          int
	Most, Hashes int           // at once, and in all
	Hold         chan struct{} // each hash takes one on its way, unless it is nil
	Begun        chan struct{} // gets one for each hash that begins, unless it is nil
}

// Watch has the hasher's work counted from now on.
func (p *Passwords) Watch(w *Watch) {
	generate, compare := p.Generate, p.Compare
	p.Generate = func(password []byte, cost int) ([]byte, error) {
		defer w.work()()
		return generate(password, cost)
	}
	p.Compare = func(hash, password []byte) error {
		defer w.work()()
		return compare(hash, password)
	}
}

// Running and Waiting are how many hashes may run and wait.
func (p *Passwords) Running() int { return cap(p.running) }

// Waiting is how many may wait.
func (p *Passwords) Waiting() int { return queue * cap(p.running) }

func (w *Watch) work() (done func()) {
	w.mu.Lock()
	w.Hashes++
	w.now++
	w.Most = max(w.Most, w.now)
	w.mu.Unlock()
	if w.Begun != nil {
		w.Begun <- struct{}{}
	}
	if w.Hold != nil {
		<-w.Hold
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.now--
	}
}
