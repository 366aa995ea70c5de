package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// tried runs a command to its end with settings, and returns what it printed
// to standard error.
func tried(t *testing.T, args []string, settings ...string) (stderr string, code int) {
	t.Helper()
	cmd := command(t, t.TempDir(), args...)
	cmd.Env = append(cmd.Env, settings...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return errs.String(), cmd.ProcessState.ExitCode()
}

// productive are the settings of production over a database, the least that it takes.
func productive(database string) []string {
	const key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	return []string{
		"ENTWINE_ENV=production", "ENTWINE_BCRYPT_COST=", "ENTWINE_LOG_LEVEL=info", "ENTWINE_DATABASE_URL=" + database,
		"ENTWINE_PAYMENT_GATEWAY=sandbox", "ENTWINE_TOKEN_KEYS=" + key, "ENTWINE_SECRET_KEYS=" + key,
	}
}

// startProduction serves from the folder until the test ends, and returns the
// service and its first line: in production all that it says is its log.
func startProduction(t *testing.T, dir string, settings ...string) (*service, map[string]any) {
	t.Helper()
	s := &service{dir: dir, output: new(lockedBuffer), ended: make(chan error, 1)}
	s.cmd = command(t, dir, "serve")
	s.cmd.Env = append(append(s.cmd.Env, "ENTWINE_ADDR=127.0.0.1:0"), settings...)
	s.cmd.Stdout = s.output
	log, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(io.TeeReader(log, s.output))
	var began map[string]any
	for began["msg"] != "entwine serves" {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("it does not serve: %v\n%s", s.cmd.Wait(), s.output)
		}
		began = nil
		if err := json.Unmarshal(line, &began); err != nil {
			t.Errorf("%q is no JSON: %v", line, err)
		}
	}
	s.url = "http://" + began["address"].(string)
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		s.ended <- s.cmd.Wait()
	}()
	t.Cleanup(func() { s.stop(t) })
	return s, began
}

// eachProduction runs the test on production over SQLite and over PostgreSQL.
func eachProduction(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "")
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, storetest.Schema{}.PostgresURL(t))
	})
}

func TestProductionLogsJSONAndNothingElse(t *testing.T) {
	t.Parallel()
	eachProduction(t, func(t *testing.T, database string) {
		s, began := startProduction(t, t.TempDir(), append(productive(database), "ENTWINE_ADMIN_PASSWORD=battery staple 9", "ENTWINE_PUBLIC_URL=https://api.example.com")...)
		kind := "sqlite"
		if database != "" {
			kind = "postgresql"
		}
		for name, want := range map[string]any{"database": kind, "redis": "none", "env": "production", "url": "https://api.example.com", "level": "INFO", "worker": true} {
			if began[name] != want {
				t.Errorf("%s is %v, want %v: %v", name, began[name], want, began)
			}
		}
		if began["version"] == nil || began["metrics_address"] != "" {
			t.Errorf("the first line is %v", began)
		}
		s.ask(t, "GET", "/api/v1/posts", "").want(t, 200)
		page := s.ask(t, "GET", "/", "").want(t, 200, "/api/v1/docs")
		if strings.Contains(page.text, "admin") || strings.Contains(page.text, "api.example.com") || strings.Contains(page.text, "127.0.0.1") {
			t.Errorf("the page says where it is installed: %s", page.text)
		}
		s.stop(t)
		asked, warned := false, false
		for line := range strings.Lines(s.output.String()) {
			var said map[string]any
			if err := json.Unmarshal([]byte(line), &said); err != nil {
				t.Errorf("%q is no line of JSON: %v", line, err)
			}
			if took, ok := said["took_us"].(float64); ok && said["path"] == "/api/v1/posts" {
				asked = took > 0
			}
			if list, ok := said["findings"].([]any); ok {
				warned = len(list) == 1 && strings.HasPrefix(list[0].(string), "ENTWINE_SMTP_URL is not set")
			}
		}
		if !asked || !warned {
			t.Errorf("a request with its time is logged: %v, one warning: %v\n%s", asked, warned, s.output)
		}
	})
}

func TestAWorkerOfProductionFailsInJSON(t *testing.T) {
	t.Parallel()
	said, code := tried(t, []string{"worker"}, productive("")...)
	var line struct{ Level, Err string }
	if err := json.Unmarshal([]byte(strings.TrimSpace(said)), &line); err != nil || code != 1 || line.Level != "ERROR" || !strings.Contains(line.Err, "ENTWINE_REDIS_URL is needed") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestProductionListsAllThatIsWrongAtOnce(t *testing.T) {
	t.Parallel()
	const zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	said, code := tried(t, []string{"serve"}, "ENTWINE_ENV=production", "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_TOKEN_KEYS="+zero, "ENTWINE_SECRET_KEYS="+zero,
		"ENTWINE_TRUSTED_PROXIES=0.0.0.0/0", "ENTWINE_PAYMENT_WEBHOOK_SECRET=short", "ENTWINE_BODY_TIME=soon", "ENTWINE_INTROSPECTION=true")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	var line struct {
		Level    string
		Findings []string
	}
	if err := json.Unmarshal([]byte(said), &line); err != nil || line.Level != "ERROR" {
		t.Fatalf("%v: %s", err, said)
	}
	if n := len(line.Findings); n != 9 {
		t.Errorf("%d findings, want 9: %q", n, line.Findings)
	}
	said = strings.Join(line.Findings, "\n")
	for _, want := range []string{
		"ENTWINE_BCRYPT_COST ", "ENTWINE_TOKEN_KEYS has a key 1", "ENTWINE_SECRET_KEYS has a key 1", "ENTWINE_TRUSTED_PROXIES must not hold", "ENTWINE_PAYMENT_GATEWAY is needed",
		"ENTWINE_PAYMENT_WEBHOOK_SECRET must have", "ENTWINE_BODY_TIME=soon", "warning: ENTWINE_INTROSPECTION is on", "warning: ENTWINE_SMTP_URL is not set",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it did not say %q:\n%s", want, said)
		}
	}
}

func TestProductionIsNotSeeded(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func() string{
		"sqlite":   func() string { return "" },
		"postgres": func() string { return storetest.Schema{}.PostgresURL(t) },
	} {
		settings := productive(url())
		amounts := []string{"seed", "--users=2", "--posts=0", "--comments=0", "--products=0"}
		if said, code := tried(t, amounts, settings...); code != 1 || !strings.Contains(said, "seed is refused in production") {
			t.Errorf("%s: exit code %d, %s", name, code, said)
		}
		if said, code := tried(t, amounts, append(settings, "ENTWINE_ENV=development")...); code != 0 {
			t.Errorf("%s, not in production: exit code %d, %s", name, code, said)
		}
	}
}
