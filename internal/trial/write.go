package trial

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Writers create posts until they are stopped.
type Writers struct {
	stop     atomic.Bool
	group    sync.WaitGroup
	mu       sync.Mutex
	answered []int64 // ids of posts
}

// Write starts four Writers and returns once each has had answers.
func Write(t *testing.T, s *Service, token string) *Writers {
	t.Helper()
	w := &Writers{}
	busy := make(chan struct{}, 4)
	for range cap(busy) {
		w.group.Go(func() {
			for n := 0; !w.stop.Load(); n++ {
				a := s.Ask(t, "POST", "/api/v1/posts", `{"title": "Kept", "content": "It is so."}`, "Authorization", "Bearer "+token)
				if a.Status != 201 {
					t.Errorf("%d: %s", a.Status, a.Text)
					return
				}
				w.mu.Lock()
				w.answered = append(w.answered, MadeID(a))
				w.mu.Unlock()
				if n == 10 {
					busy <- struct{}{}
				}
			}
		})
	}
	t.Cleanup(w.End)
	for range cap(busy) {
		select {
		case <-busy:
		case <-t.Context().Done():
			t.Fatal("nothing is written")
		}
	}
	return w
}

// IDs are those of the posts whose making was answered.
func (w *Writers) IDs() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]int64(nil), w.answered...)
}

// End stops the writers.
func (w *Writers) End() { w.stop.Store(true); w.group.Wait() }
