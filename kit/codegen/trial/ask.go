package trial

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/internal/recording"
)

// Answer is a program's answer.
type Answer struct {
	// Status is that of the answer; of an answer of GraphQL with errors the one that the
	// first of them names. 0: there was none.
	Status int
	Took   time.Duration
	// Cause is why there was none.
	Cause string

	logged func() string // what the program logged, which it may do after it has answered
}

// Failed reports whether the program could not answer.
func (a Answer) Failed() bool { return a.Status == 0 || a.Status >= http.StatusInternalServerError }

// Load has the requests that were repeated.
type Load struct {
	Asked   int
	Longest time.Duration
	// Failures are those whose answers failed, by the place of the request.
	Failures map[int][]Answer
}

// asker asks a program.
type asker struct {
	base   string
	client *http.Client
	tokens map[int64]string
	fault  func(id string) string

	mu    sync.Mutex
	moved map[string]string // where what the recording made is here
}

func newAsker(base string, fault func(string) string) *asker {
	return &asker{base: base, client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, fault: fault, moved: map[string]string{}}
}

// all asks everything in order.
func (a *asker) all(ctx context.Context, requests []recording.Request) []Answer {
	all := make([]Answer, 0, len(requests))
	for _, r := range requests {
		all = append(all, a.ask(ctx, r))
	}
	return all
}

// again has clients ask everything in turns until stop is called, and once at least. stop
// waits for them.
func (a *asker) again(ctx context.Context, requests []recording.Request, clients int) (stop func() Load) {
	var next, longest atomic.Int64
	var enough atomic.Bool
	var mu sync.Mutex
	failures := map[int][]Answer{}
	var asking sync.WaitGroup
	for range clients {
		asking.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if enough.Load() && n >= len(requests) {
					return
				}
				answer := a.ask(ctx, requests[n%len(requests)])
				for was := longest.Load(); int64(answer.Took) > was && !longest.CompareAndSwap(was, int64(answer.Took)); was = longest.Load() {
				}
				if answer.Failed() && ctx.Err() == nil {
					mu.Lock()
					failures[n%len(requests)] = append(failures[n%len(requests)], answer)
					mu.Unlock()
				}
			}
		})
	}
	return func() Load {
		enough.Store(true)
		asking.Wait()
		return Load{Asked: int(next.Load()) - clients, Longest: time.Duration(longest.Load()), Failures: failures}
	}
}

// ask asks for one.
func (a *asker) ask(ctx context.Context, was recording.Request) (is Answer) {
	r, err := http.NewRequestWithContext(ctx, was.Method, a.base+a.there(was.URL), bytes.NewReader(was.Body))
	if err != nil {
		return Answer{Cause: err.Error()}
	}
	for name, value := range was.Headers {
		if value == recording.Fresh {
			value = rand.Text()
		}
		r.Header.Set(name, value)
	}
	if token := a.tokens[was.User]; token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	began := time.Now()
	answered, err := a.client.Do(r)
	if err != nil {
		return Answer{Took: time.Since(began), Cause: err.Error()}
	}
	defer answered.Body.Close()
	body, err := io.ReadAll(answered.Body)
	is = Answer{Status: answered.StatusCode, Took: time.Since(began)}
	if err != nil {
		return Answer{Took: is.Took, Cause: err.Error()}
	}
	if strings.HasPrefix(was.URL, "/graphql") {
		is.Status = graphQL(is.Status, body)
	}
	if is.Failed() {
		id := answered.Header.Get("X-Request-Id")
		is.logged = func() string { return a.fault(id) }
	}
	if here := answered.Header.Get("Location"); was.Location != "" && here != "" && was.Location != here {
		a.mu.Lock()
		a.moved[was.Location] = here
		a.mu.Unlock()
	}
	return is
}

// graphQL is the status that the errors of an answer name.
func graphQL(status int, body []byte) int {
	var answer struct {
		Errors []struct {
			Extensions struct {
				Status int `json:"status"`
			} `json:"extensions"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return status
	}
	for _, e := range answer.Errors {
		status = max(status, e.Extensions.Status)
	}
	return status
}

// there is the URL of a row that the recording made under another id.
func (a *asker) there(url string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for was, is := range a.moved {
		if rest, below := strings.CutPrefix(url, was); below && (rest == "" || rest[0] == '/' || rest[0] == '?') {
			return is + rest
		}
	}
	return url
}
