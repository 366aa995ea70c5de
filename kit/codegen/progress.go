package codegen

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// often is the interval between lines of progress.
const often = 5 * time.Second

// Telling calls do, and writes at each tick what is under way by then. A nil channel
// ticks every five seconds.
func Telling(out io.Writer, ticks <-chan time.Time, says func(since time.Duration) string, do func() error) error {
	if ticks == nil {
		ticker := time.NewTicker(often)
		defer ticker.Stop()
		ticks = ticker.C
	}
	began, ended := time.Now(), make(chan struct{})
	var told sync.WaitGroup
	told.Go(func() {
		for {
			select {
			case <-ended:
				return
			case now := <-ticks:
				fmt.Fprintln(out, says(now.Sub(began)))
			}
		}
	})
	defer told.Wait()
	defer close(ended)
	return do()
}

// orderly writes one text at a time, whichever of the writers with the lock it is for.
type orderly struct {
	lock *sync.Mutex
	to   io.Writer
}

// Write implements io.Writer.
func (o *orderly) Write(text []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.to.Write(text)
}

// stages name the next part of a generation's work, by the part that is done.
var stages = map[string]string{
	"": "compiles and reads the schemas", "read": "asks the schemas for their rules", "ask": "judges what they say",
	"judge": "writes what follows from them", "write": "checks that it compiles", "check": "looks at indexes",
}

// stage is the present part of a generation's work.
type stage struct {
	mu   sync.Mutex
	last string // what is done
}

func (s *stage) done(part string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = part
}

func (s *stage) says(since time.Duration) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("weave: %.0f s: %s. The first time takes a minute, later some seconds", since.Seconds(), stages[s.last])
}
