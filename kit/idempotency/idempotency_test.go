package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

var ada = &viewer.Viewer{UserID: 5, Role: "user"}

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

// does returns a function that has an effect, with the outcome.
func (b bench) does(o idempotency.Outcome) func(context.Context) (idempotency.Outcome, error) {
	return func(ctx context.Context) (idempotency.Outcome, error) {
		if err := idempotency.Claim(ctx); err != nil {
			return idempotency.Outcome{Status: 409, Refused: problem.As(err)}, err
		}
		if err := b.effect(ctx); err != nil {
			return idempotency.Outcome{Status: 500}, err
		}
		return o, nil
	}
}

// refused is the outcome of a request that is refused.
func refused(status int, p *problem.Error) idempotency.Outcome {
	return idempotency.Outcome{Status: status, Refused: p}
}

func TestWhatLasts(t *testing.T) {
	later := problem.New(problem.Conflict, "it runs")
	later.RetryAfter = time.Second
	duplicate := problem.New(problem.Duplicate, "another has this value")
	duplicate.Details = []problem.Detail{problem.Invalidf("email", "ada@example.com", "is taken"), {Field: "password", Message: "is bad", Value: "secret"}}
	for name, c := range map[string]struct {
		outcome idempotency.Outcome
		lasts   bool
	}{
		"a row":              {idempotency.Outcome{Status: 201, Row: idempotency.Row{Entity: "Note", ID: gid.Int(7)}}, true},
		"a body":             {idempotency.Outcome{Status: 200, Body: []byte(`{"likes":1}`)}, true},
		"a body of a view":   {idempotency.Outcome{Status: 201, Row: idempotency.Row{Entity: "Note", ID: gid.Int(7)}, Body: []byte("{}"), View: []byte("admin")}, true},
		"nothing":            {idempotency.Outcome{Status: 204}, true},
		"what is accepted":   {idempotency.Outcome{Status: 202, Row: idempotency.Row{Entity: "Job", ID: gid.Int(7)}}, true},
		"a declined payment": {refused(402, problem.New(problem.PaymentDeclined, "no 100%% cover")), true},
		"a conflict":         {refused(409, problem.New(problem.Conflict, "was changed")), true},
		"a duplicate":        {refused(409, duplicate), true},
		"one that passes":    {refused(409, later), false},
		"a malformed input":  {refused(400, problem.New(problem.Invalid, "bad")), false},
		"a broken rule":      {refused(422, problem.New(problem.Unprocessable, "bad")), false},
		"who may not":        {refused(403, problem.ErrForbidden), false},
		"what is not there":  {refused(404, problem.New(problem.NotFound, "no note")), false},
		"a failure of ours":  {idempotency.Outcome{Status: 500}, false},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(b bench) {
				for i := range 2 {
					got, err := b.keeper.Run(b.Context(), request("k", "{}"), b.does(c.outcome))
					want := c.outcome
					if want.Replayed = i == 1 && c.lasts; want.Replayed && want.Refused == duplicate {
						kept := *duplicate
						kept.Details = slices.Clone(duplicate.Details)
						kept.Details[1].Value = nil // it is never shown
						want.Refused = &kept
					}
					if err != nil || !reflect.DeepEqual(got, want) {
						b.Fatalf("%d: %+v, %v, want %+v", i, got, err, want)
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

// Checks before the claim run for each request, and come first.
func TestTheInputIsJudgedBeforeTheKey(t *testing.T) {
	each(t, func(b bench) {
		bad := problem.New(problem.Invalid, "bad")
		judge := func(err *problem.Error) func(context.Context) (idempotency.Outcome, error) {
			return func(ctx context.Context) (idempotency.Outcome, error) {
				if err != nil {
					return refused(400, err), err
				}
				return b.does(idempotency.Outcome{Status: 201})(ctx)
			}
		}
		for i, c := range []struct {
			body   string
			err    *problem.Error
			status int
		}{{"{}", bad, 400}, {"{}", nil, 201}, {`{"a":1}`, bad, 400}, {"{}", nil, 201}} {
			got, err := b.keeper.Run(b.Context(), request("k", c.body), judge(c.err))
			if err != nil || got.Status != c.status {
				b.Errorf("%d: %+v, %v", i, got, err)
			}
		}
		if n := b.effects(); n != 1 {
			b.Errorf("%d effects", n)
		}
		_, err := b.keeper.Run(b.Context(), request("l", "{}"), func(ctx context.Context) (idempotency.Outcome, error) {
			return idempotency.Outcome{Status: 201}, b.effect(ctx)
		})
		if err == nil || b.effects() != 1 {
			b.Error("an effect without a claim was kept")
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(b bench) {
		b.keeper.Limits = idempotency.Limits{Records: 3, Bytes: 5000, Body: 4500}
		run := func(key string, o idempotency.Outcome) (idempotency.Outcome, error) {
			o.Status = 201
			return b.keeper.Run(b.Context(), request(key, "{}"), b.does(o))
		}
		large := idempotency.Outcome{Body: make([]byte, 4501)}
		if _, err := run("large", large); problem.KindOf(err) != problem.TooLarge || b.effects() != 0 {
			b.Errorf("a body that is too large: %v, %d effects", err, b.effects())
		}
		large.Row = idempotency.Row{Entity: "Note", ID: gid.Int(7)}
		for range 2 { // its row is kept in its place
			if o, err := run("a row", large); err != nil || o.Replayed && len(o.Body) > 0 {
				b.Errorf("a row whose body is too large: %v", err)
			}
		}
		for _, key := range []string{"b", "c"} {
			if _, err := run(key, idempotency.Outcome{}); err != nil {
				b.Error(err)
			}
		}
		const age = "UPDATE idempotency_records SET expires_at = '%s' WHERE id = (SELECT MIN(id) FROM idempotency_records)"
		soon := time.Now().Add(time.Hour).UTC().Format("2006-01-02 15:04:05.000000+00:00")
		if _, err := b.keeper.DB.ExecContext(b.Context(), fmt.Sprintf(age, soon)); err != nil {
			b.Fatal(err)
		}
		refuses := func(wait time.Duration) {
			b.Helper()
			o, err := run("another", idempotency.Outcome{})
			p := o.Refused
			if err != nil || p == nil || p.Kind != problem.RateLimited || p.RetryAfter > wait || p.RetryAfter < wait-time.Minute {
				b.Errorf("a caller with too much: %+v, %v", o, err)
			}
		}
		effects := b.effects()
		refuses(time.Hour)
		if o, err := run("b", idempotency.Outcome{}); err != nil || !o.Replayed || b.effects() != effects {
			b.Errorf("a repetition of what is kept: %+v, %v", o, err)
		}
		if _, err := b.keeper.DB.ExecContext(b.Context(), fmt.Sprintf(age, "2020-01-01 00:00:00.000000+00:00")); err != nil {
			b.Fatal(err)
		}
		if _, err := run("d", idempotency.Outcome{Body: make([]byte, 4400)}); err != nil {
			b.Errorf("after one has ended: %v", err)
		}
		b.keeper.Limits.Records = 100
		refuses(idempotency.Kept)
		eve := idempotency.NewRequest("another", &viewer.Viewer{UserID: 6}, "POST /payments", "/payments", url.Values{}, nil)
		if o, err := b.keeper.Run(b.Context(), eve, b.does(idempotency.Outcome{Status: 201})); err != nil || o.Refused != nil {
			b.Errorf("another caller: %+v, %v", o, err)
		}
	})
}

func TestAnAnswerIsKeptForADay(t *testing.T) {
	each(t, func(b bench) {
		run := func() idempotency.Outcome {
			got, err := b.keeper.Run(b.Context(), request("k", "{}"), b.does(idempotency.Outcome{Status: 201}))
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
			_, err := b.keeper.Run(b.Context(), request("k", "{}"), func(ctx context.Context) (idempotency.Outcome, error) {
				if err := idempotency.Claim(ctx); err != nil {
					return idempotency.Outcome{}, err
				}
				err := b.keeper.DB.InTx(ctx, func(ctx context.Context) error {
					store.AfterCommit(ctx, func(context.Context) { rung++ })
					return nil
				})
				return idempotency.Outcome{Status: 202}, err
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
		_, err := b.keeper.Run(b.Context(), request("k", "{}"), func(ctx context.Context) (idempotency.Outcome, error) {
			if err := idempotency.Claim(ctx); err != nil {
				return idempotency.Outcome{}, err
			}
			other := &idempotency.Keeper{DB: b.keeper.DB} // another process; on SQLite it waits for the file
			keepers := []*idempotency.Keeper{b.keeper}
			if b.keeper.DB.Postgres() {
				keepers = append(keepers, other)
			}
			for _, k := range keepers {
				var told error
				run := b.does(idempotency.Outcome{Status: 201})
				_, err := k.Run(b.Context(), request("k", "{}"), func(ctx context.Context) (idempotency.Outcome, error) {
					o, err := run(ctx)
					o.Refused = problem.As(err)
					told = err
					return o, err
				})
				if err == nil {
					err = told
				}
				if p := problem.As(err); p == nil || p.Kind != problem.Conflict || p.RetryAfter == 0 {
					b.Errorf("the twin got %v", err)
				}
			}
			return idempotency.Outcome{Status: 201}, b.effect(ctx)
		})
		if err != nil || b.effects() != 1 {
			b.Errorf("%v, %d effects", err, b.effects())
		}
	})
}

// pay is an operation that calls the outside, which can go wrong there.
func (b bench) pay(outside func(key string) error) func(context.Context) (idempotency.Outcome, error) {
	later := problem.New(problem.Conflict, "it runs")
	later.RetryAfter = time.Second
	running := refused(409, later)
	return func(ctx context.Context) (idempotency.Outcome, error) {
		if err := idempotency.Claim(ctx); err != nil {
			return idempotency.Outcome{}, err
		}
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
			return idempotency.Outcome{Status: 500}, err
		case again && b.effects() < 2:
			return running, nil
		case again:
			return idempotency.Outcome{Status: 201}, nil
		}
		if err := outside(ticket.Outside()); err != nil {
			return idempotency.Outcome{Status: 504}, err
		}
		return idempotency.Outcome{Status: 201}, b.effect(ctx)
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

// Processes that come at once with one key get a refusal to wait, or the outcome.
func TestProcessesAtOnce(t *testing.T) {
	each(t, func(b bench) {
		for round := range 20 {
			var group sync.WaitGroup
			for range 8 {
				keeper := &idempotency.Keeper{DB: b.keeper.DB}
				group.Go(func() {
					_, err := keeper.Split(b.Context(), request(fmt.Sprint("at once ", round), "{}"), b.pay(func(string) error { return nil }))
					if p := problem.As(err); err != nil && (p == nil || p.Kind != problem.Conflict || p.RetryAfter == 0) {
						b.Errorf("a twin got %v", err)
					}
				})
			}
			group.Wait()
		}
	})
}

// A user whose tokens name several tenants does not repeat in one what was done in
// another.
func TestTenantsHaveKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	requests := map[idempotency.Request]bool{}
	for tenant := range int64(3) {
		requests[idempotency.NewRequest("k", &viewer.Viewer{UserID: 7, Tenant: tenant}, "POST /notes", "/notes", nil, nil)] = true
	}
	if len(requests) != 3 {
		t.Errorf("three tenants' requests are %d", len(requests))
	}
}

func TestTheSameRequest(t *testing.T) {
	each(t, func(b bench) {
		run := func(path, query, body string) error {
			values, _ := url.ParseQuery(query)
			r := idempotency.NewRequest("k", ada, "POST /payments", path, values, []byte(body))
			var told error
			run := b.does(idempotency.Outcome{Status: 201})
			_, err := b.keeper.Run(b.Context(), r, func(ctx context.Context) (o idempotency.Outcome, _ error) {
				o, told = run(ctx)
				o.Refused = problem.As(told)
				return o, told
			})
			if errors.Is(told, idempotency.ErrAgain) {
				return err
			}
			return errors.Join(err, told)
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
