package deployment_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

func TestProductionLogsJSONAndNothingElse(t *testing.T) {
	t.Parallel()
	trial.EachProduction(t, func(t *testing.T, database string) {
		s, began := trial.StartProduction(t, t.TempDir(), append(trial.Productive(database), "ENTWINE_ADMIN_PASSWORD=battery staple 9", "ENTWINE_PUBLIC_URL=https://api.example.com")...)
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
		s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
		page := s.Ask(t, "GET", "/", "").Want(t, 200, "/api/v1/docs")
		if strings.Contains(page.Text, "admin") || strings.Contains(page.Text, "api.example.com") || strings.Contains(page.Text, "127.0.0.1") {
			t.Errorf("the page says where it is installed: %s", page.Text)
		}
		s.Stop(t)
		asked, warned := false, false
		for line := range strings.Lines(s.Output.String()) {
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
			t.Errorf("a request with its time is logged: %v, one warning: %v\n%s", asked, warned, s.Output)
		}
	})
}

func TestAWorkerOfProductionFailsInJSON(t *testing.T) {
	t.Parallel()
	said, code := trial.Tried(t, []string{"worker"}, trial.Productive("")...)
	var line struct{ Level, Err string }
	if err := json.Unmarshal([]byte(strings.TrimSpace(said)), &line); err != nil || code != 1 || line.Level != "ERROR" || !strings.Contains(line.Err, "ENTWINE_REDIS_URL is needed") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestProductionListsAllThatIsWrongAtOnce(t *testing.T) {
	t.Parallel()
	const zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	said, code := trial.Tried(t, []string{"serve"}, "ENTWINE_ENV=production", "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_TOKEN_KEYS="+zero, "ENTWINE_SECRET_KEYS="+zero,
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
		"postgres": func() string { return migratetest.Schema(t).PostgresURL(t) },
	} {
		settings := trial.Productive(url())
		amounts := []string{"seed", "--users=2", "--posts=0", "--comments=0", "--products=0"}
		if said, code := trial.Tried(t, amounts, settings...); code != 1 || !strings.Contains(said, "seed is refused in production") {
			t.Errorf("%s: exit code %d, %s", name, code, said)
		}
		if said, code := trial.Tried(t, amounts, append(settings, "ENTWINE_ENV=development")...); code != 0 {
			t.Errorf("%s, not in production: exit code %d, %s", name, code, said)
		}
	}
}
