package gql_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
)

func (s *stage) job() *ent.Job {
	return s.client.Job.Create().SetUserID(2).SetKind("report").SetArgs([]byte("{}")).SaveX(s.system())
}

func progressOf(j *ent.Job) string { return fmt.Sprintf(`jobProgress(id: "%d") { status }`, j.ID) }

func TestAJobIsToldOfUntilItIsDone(t *testing.T) {
	onStage(t, func(s *stage) {
		for _, end := range []job.Status{job.StatusSucceeded, job.StatusFailed, job.StatusCancelled} {
			work := s.job()
			e := s.hear("bob", progressOf(work))
			e.begun(`{"jobProgress":{"status":"queued"}}`)
			for _, status := range []job.Status{job.StatusRunning, job.StatusRetrying, job.StatusRunning, end} {
				s.client.Job.UpdateOne(work).SetStatus(status).ExecX(s.system())
				e.told(`{"jobProgress":{"status":"` + string(status) + `"}}`)
			}
			e.wants(`{"id":"0","type":"complete"}`)
		}
	})
}

// A subscriber gets the final state that a row reached before the subscription: over
// both protocols of WebSockets, and as events.
func TestWhatIsDoneIsTold(t *testing.T) {
	onStage(t, func(s *stage) {
		done := s.job()
		for _, status := range []job.Status{job.StatusRunning, job.StatusSucceeded} {
			s.client.Job.UpdateOne(done).SetStatus(status).ExecX(s.system())
		}
		const said = `{"data":{"jobProgress":{"status":"succeeded"}}}`
		s.hear("bob", progressOf(done)).inAnyOrder(`{"type":"pong"}`, `{"id":"0","type":"next","payload":`+said+`}`, `{"id":"0","type":"complete"}`)

		ws, _, err := websocket.Dial(s.Context(), s.url+"/graphql", &websocket.DialOptions{
			Subprotocols: []string{"graphql-ws"}, HTTPHeader: http.Header{"X-Name": {"bob"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = ws.CloseNow() }()
		old := &ear{s, ws}
		old.say(`{"type":"connection_init"}`)
		old.wants(`{"type":"connection_ack"}`)
		old.wants(`{"type":"ka"}`)
		old.say(fmt.Sprintf(`{"id":"0","type":"start","payload":{"query":"subscription { jobProgress(id: %d) { status } }"}}`, done.ID))
		old.wants(`{"id":"0","type":"data","payload":` + said + `}`)
		old.wants(`{"id":"0","type":"complete"}`)

		body := fmt.Sprintf(`{"query":"subscription { jobProgress(id: %d) { status } }"}`, done.ID)
		r, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.url+"/graphql", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "X-Name": {"bob"}}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(text), ":\n\nevent: next\ndata: "+said+"\n\nevent: complete\ndata: \n\n"; got != want {
			t.Errorf("as events: %q, want %q", got, want)
		}
	})
}

// inAnyOrder requires these messages.
func (e *ear) inAnyOrder(messages ...string) {
	e.Helper()
	want := map[string]bool{}
	for _, m := range messages {
		want[m] = true
	}
	for len(want) > 0 {
		got := e.next()
		if !want[got] {
			e.Fatalf("heard %s\nwant one of %v", got, want)
		}
		delete(want, got)
	}
}

// However close a job's end is to the subscription, the subscriber gets it, and the
// stream completes.
func TestTheEndOfAJobIsNotLost(t *testing.T) {
	onStage(t, func(s *stage) {
		for range 20 {
			work := s.job()
			s.client.Job.UpdateOne(work).SetStatus(job.StatusRunning).ExecX(s.system())
			var both sync.WaitGroup
			both.Go(func() { s.client.Job.UpdateOne(work).SetStatus(job.StatusSucceeded).ExecX(s.system()) })
			e := s.hear("bob", progressOf(work))
			last := ""
			for got := e.next(); got != `{"id":"0","type":"complete"}`; got = e.next() {
				if got != `{"type":"pong"}` {
					last = got
				}
			}
			if want := `{"id":"0","type":"next","payload":{"data":{"jobProgress":{"status":"succeeded"}}}}`; last != want {
				t.Errorf("the last before the end is %s, want %s", last, want)
			}
			both.Wait()
		}
	})
}
