package main_test

import (
	"bytes"
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

func TestProductionListsAllThatIsWrongAtOnce(t *testing.T) {
	t.Parallel()
	const zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	said, code := tried(t, []string{"serve"}, "ENTWINE_ENV=production", "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_TOKEN_KEYS="+zero, "ENTWINE_SECRET_KEYS="+zero,
		"ENTWINE_TRUSTED_PROXIES=0.0.0.0/0", "ENTWINE_PAYMENT_WEBHOOK_SECRET=short", "ENTWINE_BODY_TIME=soon", "ENTWINE_INTROSPECTION=true")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
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
	keys := "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	for name, url := range map[string]func() string{
		"sqlite":   func() string { return "" },
		"postgres": func() string { return storetest.Schema{}.PostgresURL(t) },
	} {
		settings := []string{"ENTWINE_BCRYPT_COST=", "ENTWINE_DATABASE_URL=" + url(), "ENTWINE_PAYMENT_GATEWAY=sandbox", "ENTWINE_TOKEN_KEYS=" + keys, "ENTWINE_SECRET_KEYS=" + keys}
		amounts := []string{"seed", "--users=2", "--posts=0", "--comments=0", "--products=0"}
		if said, code := tried(t, amounts, append(settings, "ENTWINE_ENV=production")...); code != 1 || !strings.Contains(said, "seed is refused in production") {
			t.Errorf("%s: exit code %d, %s", name, code, said)
		}
		if said, code := tried(t, amounts, settings...); code != 0 {
			t.Errorf("%s, not in production: exit code %d, %s", name, code, said)
		}
	}
}
