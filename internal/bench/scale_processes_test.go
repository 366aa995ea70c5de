package bench

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

const (
	sharedCallers  = 4
	sharedRequests = 200 // of each caller
	sharedIdle     = 10 * time.Second
)

// Of the same load over 1, 2, 4 and 16 processes: how many statements a request takes.
// No figure fails the test.
func TestScaleOfProcesses(t *testing.T) {
	if *scale == "" || *part != "" && *part != "processes" {
		t.Skip("it seeds large tables: make scale does it")
	}
	f, s := &figures{}, newScaled(t, scales[*scale].size)
	serve := []*process{s.entwine}
	for _, n := range []int{1, 2, 4, 16} {
		for len(serve) < n {
			serve = append(serve, s.again())
		}
		s.shared(serve, 8*n) // each prepares its statements
		idle := s.spent(func() { time.Sleep(sharedIdle) })
		began := time.Now()
		busy := s.spent(func() { s.shared(serve, sharedRequests) })
		beside := float64(idle.calls) * time.Since(began).Seconds() / sharedIdle.Seconds()
		f.row(fmt.Sprintf("%d processes", n), "statements of a request", fmt.Sprintf("%.2f", (float64(busy.calls)-beside)/(sharedCallers*sharedRequests)), "as of one")
		f.row("", "statements a second of an idle process", fmt.Sprintf("%.1f", float64(idle.calls)/sharedIdle.Seconds()/float64(n)), "3")
	}
	f.print(*scale + ", processes")
}

// shared has callers ask one process after the other, each as many times.
func (s *scaled) shared(serve []*process, requests int) {
	s.Helper()
	var all sync.WaitGroup
	for who := range sharedCallers {
		all.Go(func() {
			for i := range requests {
				post, p := 1+(who*requests+i)%s.posts, serve[(who+i)%len(serve)]
				switch i % 4 {
				case 0:
					p.fetch(s, call{method: "POST", path: fmt.Sprintf("/api/v1/posts/%d/comments", post), body: `{"text":"So it is."}`, token: s.token, status: 201})
				case 1:
					p.fetch(s, call{method: "GET", path: fmt.Sprintf("/api/v1/posts/%d", post), token: s.token, status: 200})
				case 2:
					p.fetch(s, call{method: "GET", path: "/api/v1/posts?limit=20&expand=author", token: s.token, status: 200})
				default:
					p.fetch(s, call{method: "POST", path: "/graphql", body: `{"query":"{ posts { id title } }"}`, token: s.token, status: 200})
				}
			}
		})
	}
	all.Wait()
}
