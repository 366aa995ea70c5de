package faults_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The service is killed in the middle of requests, time and again, and
// a client that has no answer repeats the request with its key. In the end each
// has had its effect, once.
func TestAKilledServiceDoesNothingByHalves(t *testing.T) {
	t.Parallel()
	const keys, kills = 300, 6
	for name, database := range map[string]func(t *testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return migratetest.Schema(t).PostgresURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := []string{"ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword, "ENTWINE_RATE_LIMIT=off", "ENTWINE_DATABASE_URL=" + database(t)}
			c := &clients{dir: t.TempDir(), settings: settings, answers: make([]string, keys)}
			for range kills {
				c.round(t, 1+rand.IntN(2*keys/kills))
			}
			c.round(t, 0)
			s := trial.StartIn(t, c.dir, settings...)
			token := s.SignIn(t)
			for key, first := range c.answers {
				again := s.Ask(t, "POST", "/api/v1/posts", killBody(key), c.headers(token, key)...).Want(t, 201)
				if again.Header.Get("Idempotency-Replayed") != "true" || first != again.Text {
					t.Errorf("key %d: answered %s, first %s", key, again.Text, first)
				}
			}
			total := s.Ask(t, "GET", "/api/v1/posts?limit=1", "", "Authorization", "Bearer "+token).Want(t, 200)
			if got := total.Body["pagination"].(map[string]any)["total"]; got != float64(keys) {
				t.Errorf("there are %v posts, want %d", got, keys)
			}
		})
	}
}

func killBody(key int) string {
	return fmt.Sprintf(`{"title": "Post %d", "content": "It is so."}`, key)
}

// clients send one request for each key until it is answered.
type clients struct {
	dir      string
	settings []string
	answers  []string // empty: none yet
}

func (c *clients) headers(token string, key int) []string {
	return []string{"Authorization", "Bearer " + token, "Idempotency-Key", fmt.Sprint("key-", key)}
}

// round sends what has no answer, eight requests at a time, to a service that
// is killed after some answers; 0 lets it finish.
func (c *clients) round(t *testing.T, answers int) {
	t.Helper()
	s := trial.StartIn(t, c.dir, c.settings...)
	token := s.SignIn(t)
	pending := make(chan int, len(c.answers))
	for key, text := range c.answers {
		if text == "" {
			pending <- key
		}
	}
	close(pending)
	var (
		all   sync.WaitGroup
		count atomic.Int64
	)
	for range 8 {
		all.Go(func() {
			for key := range pending {
				text, err := post(s, key, c.headers(token, key))
				if err != nil {
					return // it is dead
				}
				c.answers[key] = text
				if count.Add(1) == int64(answers) {
					_ = s.Cmd.Process.Kill() // the others are on their way
				}
			}
		})
	}
	all.Wait()
	if answers == 0 {
		s.Stop(t)
		return
	}
	s.Kill() // where there was less to do
}

// post makes a post, and returns an error where there is no answer.
func post(s *trial.Service, key int, headers []string) (string, error) {
	r, err := http.NewRequest("POST", s.URL+"/api/v1/posts", strings.NewReader(killBody(key)))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("status %d: %s", res.StatusCode, text)
	}
	return string(text), nil
}
