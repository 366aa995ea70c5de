package files

import "sync"

// atOnce calls do with each name, eight at a time, and returns the first error: a store
// over the network answers others while one waits.
func atOnce(names []string, do func(name string) error) error {
	var all sync.WaitGroup
	var once sync.Once
	var first error
	slots := make(chan struct{}, 8)
	for _, name := range names {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := do(name); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	all.Wait()
	return first
}
