package trial

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"

	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Productive are the settings of production over a database, the least that it takes.
func Productive(database string) []string {
	const key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	return []string{
		"ENTWINE_ENV=production", "ENTWINE_BCRYPT_COST=", "ENTWINE_LOG_LEVEL=info", "ENTWINE_DATABASE_URL=" + database,
		"ENTWINE_PAYMENT_GATEWAY=sandbox", "ENTWINE_TOKEN_KEYS=" + key, "ENTWINE_SECRET_KEYS=" + key,
	}
}

// StartProduction serves from the folder until the test ends, and returns the
// service and its first line: in production all that it says is its log.
func StartProduction(t *testing.T, dir string, settings ...string) (*Service, map[string]any) {
	t.Helper()
	s := &Service{Dir: dir, Output: new(Log), ended: make(chan error, 1)}
	s.Cmd = Command(t, dir, "serve")
	s.Cmd.Env = append(append(s.Cmd.Env, "ENTWINE_ADDR=127.0.0.1:0"), settings...)
	s.Cmd.Stdout = s.Output
	log, err := s.Cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(io.TeeReader(log, s.Output))
	var began map[string]any
	for began["msg"] != "entwine serves" {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("it does not serve: %v\n%s", s.Cmd.Wait(), s.Output)
		}
		began = nil
		if err := json.Unmarshal(line, &began); err != nil {
			t.Errorf("%q is no JSON: %v", line, err)
		}
	}
	s.URL = "http://" + began["address"].(string)
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		s.ended <- s.Cmd.Wait()
	}()
	t.Cleanup(func() { s.Stop(t) })
	return s, began
}

// EachProduction runs the test on production over SQLite, from nothing, and over PostgreSQL
// with every migration.
func EachProduction(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "")
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, migratetest.Schema(t).PostgresURL(t))
	})
}
