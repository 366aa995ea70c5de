package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/config"
)

// An operator sees each setting with where it comes from, and no secret.
func TestSettingsSayWhereTheyComeFrom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, secret := filepath.Join(dir, "settings"), filepath.Join(dir, "secret")
	for name, text := range map[string]string{file: "ENTWINE_LOG_LEVEL=warn\nENTWINE_READ_LIMIT=7\n", secret: "hush-in-a-file"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Program{Name: "notes"}.Load(
		map[string]string{"ENTWINE_ADDR": ":0", "ENTWINE_CONFIG": file},
		[]string{
			"ENTWINE_READ_LIMIT=8", "ENTWINE_ADMIN_PASSWORD_FILE=" + secret, "ENTWINE_REDIS_URL=redis://:hush-of-redis@localhost:6379/0",
			"ENTWINE_CORS_ORIGINS=", "ENTWINE_DATA_DIR=/var/notes", "ENTWINE_OIDC_ISSUER=",
		})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]config.InForce{}
	for _, one := range c.InForce() {
		got[one.Name] = one
		if strings.Contains(one.Value, "hush") || one.Secret && one.Value != "" {
			t.Errorf("%s shows %q", one.Name, one.Value)
		}
		if strings.Contains(one.Help, "$0") || one.Group == "" {
			t.Errorf("%s: help %q, group %q", one.Name, one.Help, one.Group)
		}
	}
	for name, want := range map[string][2]string{
		"ENTWINE_ADDR":           {":0", "flag"},
		"ENTWINE_READ_LIMIT":     {"8", "environment"},
		"ENTWINE_LOG_LEVEL":      {"warn", file},
		"ENTWINE_LOG_FORMAT":     {"text", "default"},
		"ENTWINE_EXPLAIN":        {"100", "default"},
		"ENTWINE_FILES_DIR":      {"/var/notes/files", "default"},
		"ENTWINE_CORS_ORIGINS":   {"", ""},
		"ENTWINE_ADMIN_PASSWORD": {"", "ENTWINE_ADMIN_PASSWORD_FILE"},
		"ENTWINE_REDIS_URL":      {"redis://:[redacted]@localhost:6379/0", "environment"},
		"ENTWINE_DATABASE_URL":   {"sqlite:///var/notes/entwine.db", "default"},
	} {
		if one := got[name]; one.Value != want[0] || one.From != want[1] {
			t.Errorf("%s=%q from %q, want %q from %q", name, one.Value, one.From, want[0], want[1])
		}
	}
	if _, ok := got["ENTWINE_SETTLE_TIME"]; ok {
		t.Error("a program that takes no payments has settings of payments")
	}
}

// Of an address all is shown but its password, whatever that is made of.
func TestPasswordsOfAddressesAreHidden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ setting, value, want string }{
		{"ENTWINE_JWT_KEYS_URL", "https://ada:hush@example.com/keys", "https://ada:[redacted]@example.com/keys"},
		{"ENTWINE_DATABASE_URL", "postgres://ada:hush@one:5432,two:5433/shop?sslmode=verify-full", "postgres://ada:[redacted]@one:5432,two:5433/shop?sslmode=verify-full"},
		{"ENTWINE_DATABASE_URL", "postgres://ada:hu@hush:/hush@one/shop", "postgres://ada:[redacted]@one/shop"},
		{"ENTWINE_DATABASE_URL", "postgres://one/shop?user=ada&password=hush&sslpassword=hush", "postgres://one/shop?user=ada&password=[redacted]&sslpassword=[redacted]"},
		{"ENTWINE_DATABASE_DIRECT_URL", "postgres://ada@one/shop", "postgres://ada@one/shop"},
		{"ENTWINE_FILES_URL", "s3://AKIA:hush@bucket/files?region=eu-central-1", "s3://AKIA:[redacted]@bucket/files?region=eu-central-1"},
		{"ENTWINE_FILES_FROM", "/var/files", "/var/files"},
		{"ENTWINE_SMTP_URL", "smtp://ada:hush@mail.example.com:587", "smtp://ada:[redacted]@mail.example.com:587"},
	} {
		settings, _ := config.Program{}.Load(map[string]string{c.setting: c.value}, nil)
		for _, one := range settings.InForce() {
			if one.Name == c.setting && one.Value != c.want {
				t.Errorf("%s=%s is shown as %q, want %q", c.setting, c.value, one.Value, c.want)
			}
		}
	}
}
