package faults_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/redis/go-redis/v9"
)

// A database that hangs has requests refused, also where a statement is
// prepared, and is named by /readyz.
func TestADatabaseThatHangs(t *testing.T) {
	t.Parallel()
	server, redis := storetest.PostgresServer(t), storetest.Redis(t)
	s := trial.Start(t, "ENTWINE_DATABASE_URL="+server.URL("postgres"), "ENTWINE_REDIS_URL="+redis.URL, "ENTWINE_RATE_LIMIT=off", "ENTWINE_REQUEST_TIME=500ms")
	auth := s.SignUp(t)
	for range 3 {
		s.Ask(t, "GET", "/api/v1/posts", "", auth...).Want(t, 200)
	}
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"ok"`)
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for range 10 { // more than the pool has connections
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/api/v1/posts", ""},
			{"GET", "/api/v1/users/1", ""},
			{"POST", "/api/v1/posts", `{"title":"a","content":"b"}`},
			{"POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"wrong-one-1"}`},
		} {
			asking.Go(func() { s.Ask(t, c.method, c.path, c.body, auth...).Want(t, 503) })
		}
		asking.Go(func() {
			s.Ask(t, "GET", "/readyz", "").Want(t, 503, `"status":"unavailable"`, `"database":"failed"`, `"redis":"ok"`)
		})
	}
	asking.Wait()
	if err := server.Resume(); err != nil {
		t.Fatal(err)
	}
	s.Ask(t, "GET", "/api/v1/posts", "", auth...).Want(t, 200)
}

// A process ends in time while its Redis takes connections and says nothing.
func TestAProcessEndsWhileItsRedisHangs(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, scheme := range []string{"redis", "rediss"} {
		s := trial.Start(t, "ENTWINE_REDIS_URL="+scheme+"://"+l.Addr().String()+"/0")
		s.Output.Wait(t, "Redis does not answer")
		s.Stop(t)
	}
}

// A Redis that answers and takes nothing is not well, and work is done without it.
func TestARedisThatRefusesWrites(t *testing.T) {
	t.Parallel()
	for name, how := range map[string][2][]any{
		"full":                {{"CONFIG", "SET", "maxmemory", "1"}, {"CONFIG", "SET", "maxmemory", "0"}},
		"a read-only replica": {{"REPLICAOF", "127.0.0.1", "1"}, {"REPLICAOF", "NO", "ONE"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database, server := migratetest.Schema(t).PostgresURL(t), storetest.Redis(t)
			s := trial.Start(t, "ENTWINE_DATABASE_URL="+database, "ENTWINE_REDIS_URL="+server.URL)
			s.SignUp(t)
			s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"redis":"ok"`)
			options, err := redis.ParseURL(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			client := redis.NewClient(options)
			defer client.Close()
			if err := client.Do(context.Background(), how[0]...).Err(); err != nil {
				t.Fatal(err)
			}
			s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"degraded"`, `"redis":"failed"`)
			s.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).Want(t, 200)
			s.Until(t, "password_reset  urgent  succeeded", "jobs", "list", "--kind", "password_reset", "--database-url", database)
			if err := client.Do(context.Background(), how[1]...).Err(); err != nil {
				t.Fatal(err)
			}
			s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"ok"`)
		})
	}
}
