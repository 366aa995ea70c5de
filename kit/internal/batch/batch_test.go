package batch_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/batch"
)

func TestWhoComesMeanwhileGoesTogether(t *testing.T) {
	t.Parallel()
	began, goOn := make(chan struct{}), make(chan struct{})
	var sizes []int
	sum := 0
	b := batch.New(4, func(items []int) {
		if len(sizes) == 0 {
			close(began)
			<-goOn
		}
		sizes = append(sizes, len(items))
		for _, n := range items {
			sum += n
		}
	})
	var all sync.WaitGroup
	all.Go(func() { b.Do(1) })
	<-began
	for range 9 {
		all.Go(func() { b.Do(1) })
	}
	for b.Waiting() < 9 {
		runtime.Gosched()
	}
	close(goOn)
	all.Wait()
	if sum != 10 || len(sizes) != 4 || sizes[0] != 1 || sizes[1] != 4 || sizes[2] != 4 || sizes[3] != 1 {
		t.Errorf("10 items went in %v, sum %d; want 1, 4, 4, 1", sizes, sum)
	}
}

func TestEachItemGoesOnceAndOneCallAtATime(t *testing.T) {
	t.Parallel()
	seen := make(map[int]int) // go test -race sees whether two calls overlap
	b := batch.New(8, func(items []int) {
		for _, n := range items {
			seen[n]++
		}
	})
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			for j := range 200 {
				b.Do(i*200 + j)
			}
		})
	}
	all.Wait()
	for n := range 32 * 200 {
		if seen[n] != 1 {
			t.Fatalf("item %d went %d times", n, seen[n])
		}
	}
}
