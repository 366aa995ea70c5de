package idempotency_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

var ada = &viewer.Viewer{UserID: 5, Role: viewer.User}

// bench is a keeper and a table of effects.
type bench struct {
	*testing.T
	keeper *idempotency.Keeper
}

func each(t *testing.T, test func(b bench)) {
	notes.Each(t, func(t *testing.T, db *store.DB) {
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE effects (what text)"); err != nil {
			t.Fatal(err)
		}
		test(bench{t, &idempotency.Keeper{DB: db}})
	})
}

func request(key, body string) idempotency.Request {
	return idempotency.NewRequest(key, ada, "POST /payments", "/payments", url.Values{}, []byte(body))
}

// effect writes a row.
func (b bench) effect(ctx context.Context) error {
	_, err := b.keeper.DB.ExecContext(ctx, "INSERT INTO effects VALUES ('once')")
	return err
}

func (b bench) effects() (n int) {
	b.Helper()
	rows, err := b.keeper.DB.QueryContext(b.Context(), "SELECT COUNT(*) FROM effects")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	if err := rows.Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// answers returns a function that has an effect and an answer.
func (b bench) answers(a idempotency.Answer, failure error) func(context.Context) (idempotency.Answer, error) {
	return func(ctx context.Context) (idempotency.Answer, error) {
		if err := b.effect(ctx); err != nil {
			return idempotency.Answer{Status: 500}, err
		}
		return a, failure
	}
}

func TestWhatLasts(t *testing.T) {
	later := map[string]string{"Retry-After": "1"}
	for name, c := range map[string]struct {
		answer idempotency.Answer
		lasts  bool
	}{
		"a success":          {idempotency.Answer{Status: 201, Body: []byte("made")}, true},
		"what is accepted":   {idempotency.Answer{Status: 202, Header: later, Body: []byte("a job")}, true},
		"a declined payment": {idempotency.Answer{Status: 402}, true},
		"a conflict":         {idempotency.Answer{Status: 409}, true},
		"one that passes":    {idempotency.Answer{Status: 409, Header: later}, false},
		"a malformed input":  {idempotency.Answer{Status: 400}, false},
		"a broken rule":      {idempotency.Answer{Status: 422}, false},
		"a failure of ours":  {idempotency.Answer{Status: 500}, false},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(b bench) {
				for range 2 {
					got, err := b.keeper.Run(b.Context(), request("k", "{}"), b.answers(c.answer, nil))
					if err != nil || got.Status != c.answer.Status || string(got.Body) != string(c.answer.Body) {
						b.Fatalf("answered %v, %v", got, err)
					}
				}
				want := 0 // undone, and tried again
				if c.lasts {
					want = 1
				}
				if got := b.effects(); got != want {
					b.Errorf("it had %d effects, want %d", got, want)
				}
			})
		})
	}
}

func TestAnAnswerIsKeptForADay(t *testing.T) {
	each(t, func(b bench) {
		run := func() idempotency.Answer {
			got, err := b.keeper.Run(b.Context(), request("k", "{}"), b.answers(idempotency.Answer{Status: 201}, nil))
			if err != nil {
				b.Fatal(err)
			}
			return got
		}
		run()
		if !run().Replayed {
			b.Error("it was not kept")
		}
		const age = "UPDATE idempotency_records SET expires_at = '2020-01-01 00:00:00.000000+00:00'"
		if _, err := b.keeper.DB.ExecContext(b.Context(), age); err != nil {
			b.Fatal(err)
		}
		if run().Replayed {
			b.Error("it was kept for longer")
		}
	})
}

func TestHooksRunOnce(t *testing.T) {
	each(t, func(b bench) {
		rung := 0
		for range 3 {
			_, err := b.keeper.Run(b.Context(), request("k", "{}"), func(ctx context.Context) (idempotency.Answer, error) {
				err := b.keeper.DB.InTx(ctx, func(ctx context.Context) error {
					store.AfterCommit(ctx, func(context.Context) { rung++ })
					return nil
				})
				return idempotency.Answer{Status: 202}, err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		if rung != 1 {
			b.Errorf("the hook ran %d times, want once", rung)
		}
	})
}

func TestATwinIsToldToWait(t *testing.T) {
	each(t, func(b bench) {
		_, err := b.keeper.Run(b.Context(), request("k", "{}"), func(ctx context.Context) (idempotency.Answer, error) {
			other := &idempotency.Keeper{DB: b.keeper.DB} // another process; on SQLite it waits for the file
			keepers := []*idempotency.Keeper{b.keeper}
			if b.keeper.DB.Postgres() {
				keepers = append(keepers, other)
			}
			for _, k := range keepers {
				_, err := k.Run(b.Context(), request("k", "{}"), b.answers(idempotency.Answer{Status: 201}, nil))
				if p := problem.As(err); p == nil || p.Kind != problem.Conflict || p.RetryAfter == 0 {
					b.Errorf("the twin got %v", err)
				}
			}
			return idempotency.Answer{Status: 201}, b.effect(ctx)
		})
		if err != nil || b.effects() != 1 {
			b.Errorf("%v, %d effects", err, b.effects())
		}
	})
}

func TestSecretsAreShownOnce(t *testing.T) {
	each(t, func(b bench) {
		full := idempotency.Answer{
			Status: 201, Secret: []string{"key"}, Header: map[string]string{"Etag": `"full"`, "Location": "/api-keys/1"},
			Body: []byte(`{"data":{"id":9007199254740993,"key":"ek_secret"}}`),
		}
		first, err := b.keeper.Run(b.Context(), request("k", "{}"), b.answers(full, nil))
		if err != nil || !strings.Contains(string(first.Body), "ek_secret") {
			b.Fatalf("the first answer is %s, %v", first.Body, err)
		}
		again, err := b.keeper.Run(b.Context(), request("k", "{}"), nil)
		if err != nil || string(again.Body) != `{"data":{"id":9007199254740993}}` || again.Header["Location"] == "" || again.Header["Etag"] != "" {
			b.Errorf("the second answer is %s with %v, %v", again.Body, again.Header, err)
		}
	})
}

// pay is an operation that calls the outside, which can go wrong there.
func (b bench) pay(outside func(key string) error) func(context.Context) (idempotency.Answer, error) {
	running := idempotency.Answer{Status: 409, Header: map[string]string{"Retry-After": "1"}}
	return func(ctx context.Context) (idempotency.Answer, error) {
		ticket := idempotency.TicketOf(ctx)
		again := false
		err := b.keeper.DB.InTx(ctx, func(ctx context.Context) (err error) {
			if again, err = ticket.Begin(ctx); err != nil || again {
				return err
			}
			return b.effect(ctx) // "processing"
		})
		switch {
		case err != nil:
			return idempotency.Answer{Status: 500}, err
		case again && b.effects() < 2:
			return running, nil
		case again:
			return idempotency.Answer{Status: 201}, nil
		}
		if err := outside(ticket.Outside()); err != nil {
			return idempotency.Answer{Status: 504}, err
		}
		return idempotency.Answer{Status: 201}, b.effect(ctx)
	}
}

func TestACallToTheOutsideIsMadeOnce(t *testing.T) {
	each(t, func(b bench) {
		var calls []string
		lost := errors.New("the gateway did not answer")
		send := func(fail error) int {
			a, err := b.keeper.Split(b.Context(), request("k", "{}"), b.pay(func(key string) error {
				calls = append(calls, key)
				return fail
			}))
			if err != nil {
				b.Fatal(err)
			}
			return a.Status
		}
		if got := []int{send(lost), send(nil)}; got[0] != 504 || got[1] != 409 {
			b.Errorf("answered %v, want 504, and 409 until a job has found out", got)
		}
		if err := b.effect(b.Context()); err != nil { // the job
			b.Fatal(err)
		}
		if got := []int{send(nil), send(nil)}; got[0] != 201 || got[1] != 201 {
			b.Errorf("answered %v, want 201 twice", got)
		}
		if len(calls) != 1 || len(calls[0]) != 64 || b.effects() != 2 {
			b.Errorf("the outside was called with %v, and there were %d effects", calls, b.effects())
		}
	})
}

func TestTheSameRequest(t *testing.T) {
	each(t, func(b bench) {
		run := func(path, query, body string) error {
			values, _ := url.ParseQuery(query)
			r := idempotency.NewRequest("k", ada, "POST /payments", path, values, []byte(body))
			_, err := b.keeper.Run(b.Context(), r, b.answers(idempotency.Answer{Status: 201}, nil))
			return err
		}
		if err := run("/payments", "a=1&b=2", `{"amount": 19.90, "id": 9007199254740993}`); err != nil {
			b.Fatal(err)
		}
		for name, c := range map[string]struct {
			path, query, body string
			same              bool
		}{
			"blanks, order and zeros": {"/payments", "b=2&a=1", `{"id":9007199254740993,"amount":19.9}`, true},
			"another path":            {"/payments/2", "a=1&b=2", `{"amount": 19.90, "id": 9007199254740993}`, false},
			"another query":           {"/payments", "a=1", `{"amount": 19.90, "id": 9007199254740993}`, false},
			"a number next to it":     {"/payments", "a=1&b=2", `{"amount": 19.90, "id": 9007199254740992}`, false},
			"no body":                 {"/payments", "a=1&b=2", ``, false},
		} {
			if err := run(c.path, c.query, c.body); (err == nil) != c.same || err != nil && problem.KindOf(err) != problem.KeyReused {
				b.Errorf("%s: %v", name, err)
			}
		}
	})
}
