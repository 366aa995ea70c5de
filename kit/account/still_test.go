package account_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// questions counts the statements that ask for sign-ins, and keeps the first of them
// until all have been asked.
type questions struct {
	asked atomic.Int64
	all   chan struct{}
}

// Statement implements store.Observer.
func (q *questions) Statement(_ context.Context, _, text string, _ time.Time, _ string) func(int64) {
	if strings.Contains(text, "refresh_families") && strings.Contains(text, "UNION ALL") && q.asked.Add(1) == 1 {
		<-q.all
	}
	return nil
}

// An event for many connections has their viewers proven by a few statements, and each
// gets its own answer.
func TestViewersOfManyConnectionsAreProvenTogether(t *testing.T) {
	t.Parallel()
	schema := notes.Schema(t)
	for name, url := range map[string]func(testing.TB) string{"sqlite": schema.SQLiteURL, "postgres": schema.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := &questions{all: make(chan struct{})}
			db, err := store.Open(t.Context(), store.Config{URL: url(t), Observer: q})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			d := newDesk(t, db)
			var viewers []*viewer.Viewer
			ended := make(map[int]bool)
			for i := range 40 {
				who := d.register(account.Registration{Name: "Ada", Email: fmt.Sprintf("ada%d@example.com", i), Password: "correct horse 1"})
				token, cookie := d.admit(who, account.ModeBearer), d.admit(who, account.ModeSession)
				v, err := d.verifier.Token(t.Context(), token.Access.Text)
				d.must(err)
				viewers = append(viewers, v)
				v, err = d.verifier.Session(t.Context(), cookie.Session.Text)
				d.must(err)
				viewers = append(viewers, v)
				if i%4 == 0 {
					d.must(d.gate.SignOut(d.as(token), ""))
					ended[2*i] = true
				}
			}
			verifier := account.NewVerifier(db, d.issuer, &d.bus, slog.New(slog.DiscardHandler))
			var asking, begun sync.WaitGroup
			for i, v := range viewers {
				begun.Add(1)
				asking.Go(func() {
					begun.Done()
					is, err := verifier.Still(t.Context(), v)
					switch {
					case ended[i]:
						if problem.As(err) == nil || problem.As(err).Kind != problem.TokenInvalid {
							t.Errorf("viewer %d, who has signed out: %v, %v", i, is, err)
						}
					case err != nil || is.UserID != v.UserID || is.SessionID != v.SessionID || is.Role != v.Role:
						t.Errorf("viewer %d is %+v (%v), want %+v", i, is, err, v)
					}
				})
			}
			begun.Wait()
			close(q.all)
			asking.Wait()
			if n := q.asked.Load(); n > int64(len(viewers)/4) {
				t.Errorf("%d viewers were proven by %d statements", len(viewers), n)
			}
		})
	}
}
