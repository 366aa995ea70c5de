package accounts_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/redis/go-redis/v9"
)

// Processes that serve hear through Redis of an operator's change to a user, before the
// command ends.
func TestProcessesHearOfWhatAnOperatorDoes(t *testing.T) {
	t.Parallel()
	shared := []string{"ENTWINE_DATABASE_URL=" + migratetest.Schema(t).PostgresURL(t), "ENTWINE_REDIS_URL=" + storetest.Redis(t).URL}
	s := trial.Start(t, shared...)
	s.SignUp(t)
	address, err := redis.ParseURL(strings.TrimPrefix(shared[1], "ENTWINE_REDIS_URL="))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(address)
	t.Cleanup(func() { _ = client.Close() })
	for _, args := range [][]string{
		{"user", "set-password", "--password", "correct horse 1", "ada@example.com"},
		{"user", "deactivate", "ada@example.com"},
		{"user", "activate", "ada@example.com"},
		{"user", "delete", "ada@example.com"},
	} {
		var token []string
		if args[1] != "activate" {
			in := s.Ask(t, "POST", "/api/v1/auth/login", trial.AdaLogin).Want(t, 200)
			token = []string{"Authorization", "Bearer " + in.Body["token"].(string)}
			s.Ask(t, "GET", "/api/v1/auth/me", "", token...).Want(t, 200)
		}
		heard := client.PSubscribe(t.Context(), "entwine:wake:"+viewer.Changed+"*")
		if _, err := heard.Receive(t.Context()); err != nil {
			t.Fatal(err)
		}
		cmd := trial.Command(t, s.Dir, args...)
		cmd.Env = append(cmd.Env, shared...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if _, err := heard.ReceiveMessage(ctx); err != nil {
			t.Errorf("%v: nobody is told: %v", args, err)
		}
		cancel()
		_ = heard.Close()
		for token != nil && s.Ask(t, "GET", "/api/v1/auth/me", "", token...).Status != 401 {
			runtime.Gosched() // it hears of it on another connection
		}
	}
	// A Redis that is away keeps no operator from what they do.
	cmd := trial.Command(t, s.Dir, "user", "create", "--password", "correct horse 1", "eve@example.com", "Eve")
	cmd.Env = append(cmd.Env, shared[0], "ENTWINE_REDIS_URL=redis://127.0.0.1:1/0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("without Redis: %v\n%s", err, out)
	}
}
