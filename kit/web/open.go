package web

import (
	"net/http"
	"sync/atomic"
	"time"
)

// opened counts the connections of a server that HTTP is spoken on.
type opened struct{ n atomic.Int64 }

// count takes a change of a connection.
func (o *opened) count(state http.ConnState) {
	switch state {
	case http.StateNew:
		o.n.Add(1)
	case http.StateHijacked, http.StateClosed:
		o.n.Add(-1)
	}
}

// wait returns when there are none, or after the time.
func (o *opened) wait(most time.Duration) {
	for end := time.Now().Add(most); o.n.Load() > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}
