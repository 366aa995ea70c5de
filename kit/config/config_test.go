package config_test

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/config"
)

func TestNothingSetIsAProcessOverSQLite(t *testing.T) {
	c, err := program.Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Env != config.Development || c.Addr != ":8080" || !c.Worker || c.RedisURL != "" {
		t.Errorf("Load() = %+v", c)
	}
	if want := "sqlite://data/entwine.db"; c.Database.URL != want {
		t.Errorf("database %q, want %q", c.Database.URL, want)
	}
	if want := (config.Rate{Count: 100, Window: time.Minute, Algorithm: "sliding"}); c.Limit.Rate != want {
		t.Errorf("rate %v, want %v", c.Limit.Rate, want)
	}
	if c.Limit.Body != 1<<20 || c.Account.BcryptCost != 12 || c.Log.Level != slog.LevelInfo {
		t.Errorf("Load() = %+v", c)
	}
}

func TestAFlagGoesBeforeTheEnvironmentBeforeAFile(t *testing.T) {
	file := write(t, "# for a trial\n\nENTWINE_ADDR=:1\nENTWINE_RATE_LIMIT = 'off'\nENTWINE_LOG_LEVEL=debug\n")
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	flags := config.Flags(fs)
	if err := fs.Parse([]string{"--addr", ":3", "--worker=false"}); err != nil {
		t.Fatal(err)
	}
	c, err := program.Load(flags, []string{"ENTWINE_CONFIG=" + file, "ENTWINE_ADDR=:2", "ENTWINE_LOG_LEVEL=warn", "HOME=/"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != ":3" || c.Worker || c.Log.Level != slog.LevelWarn || !c.Limit.Rate.Off() {
		t.Errorf("Load() = %+v", c)
	}
}

func TestASecretComesFromAFile(t *testing.T) {
	file := write(t, "postgres://app:pw@db/entwine\n")
	c, err := program.Load(nil, []string{"ENTWINE_DATABASE_URL_FILE=" + file})
	if err != nil {
		t.Fatal(err)
	}
	if want := "postgres://app:pw@db/entwine"; c.Database.URL != want {
		t.Errorf("database %q, want %q", c.Database.URL, want)
	}
}

func TestErrorsSayWhatToDoAllAtOnce(t *testing.T) {
	_, err := program.Load(nil, []string{
		"ENTWINE_ENV=staging", "ENTWINE_ADDR=8080", "ENTWINE_RATE_LIMIT=100", "ENTWINE_DATABASE_URL=mysql://u:hush@h/d",
		"ENTWINE_BCRYPT_COST=3", "ENTWINE_TOKEN_KEYS=c2hvcnQ=", "ENTWINE_BODY_LIMIT=much", "ENTWINE_TRUSTED_PROXIES=10.0.0.0/8,x",
		"ENTWINE_PUBLIC_URL=api.example.com", "ENTWINE_CORS_ORIGINS=https://app.example.com/", "ENTWINE_WORKER=perhaps", "ENTWINE_BODY_TIME=10",
		"ENTWINE_SMTP_URL=mail://u:hush@h", "ENTWINE_MAIL_FROM=nobody", "ENTWINE_FRONTEND_URL=app.example.com", "ENTWINE_OIDC_HANDOFF=both",
	})
	if err == nil {
		t.Fatal("Load accepted all of it")
	}
	for _, want := range []string{
		"ENTWINE_ENV=staging (environment): must be one of development, production",
		"ENTWINE_ADDR=8080 (environment): must be host:port",
		"ENTWINE_RATE_LIMIT=100 (environment): must be off, or",
		"ENTWINE_DATABASE_URL (environment): must begin with postgres:// or sqlite://",
		"ENTWINE_BCRYPT_COST=3 (environment): must be a number from 4 to 20",
		"ENTWINE_TOKEN_KEYS (environment): key 1 must be 32 bytes",
		"ENTWINE_BODY_LIMIT=much", "ENTWINE_TRUSTED_PROXIES=", "ENTWINE_PUBLIC_URL=", "ENTWINE_CORS_ORIGINS=", "ENTWINE_WORKER=", "ENTWINE_BODY_TIME=",
		"ENTWINE_SMTP_URL (environment)", "ENTWINE_MAIL_FROM=", "ENTWINE_FRONTEND_URL=", "ENTWINE_OIDC_HANDOFF=",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hush") {
		t.Errorf("the error shows a secret:\n%v", err)
	}
}

// program is one that has all settings.
var program = config.Program{Name: "notes", Payments: true}

// production are the settings of a process that nothing is wrong with.
func production(t *testing.T, more ...string) []string {
	t.Helper()
	return append([]string{
		"ENTWINE_ENV=production", "ENTWINE_DATABASE_URL=postgres://h/d", "ENTWINE_DATA_DIR=" + t.TempDir(),
		"ENTWINE_TOKEN_KEYS=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		"ENTWINE_SECRET_KEYS=ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=",
		"ENTWINE_PAYMENT_GATEWAY=sandbox", "ENTWINE_SMTP_URL=smtp://mail.example.com:587", "ENTWINE_PUBLIC_URL=https://api.example.com",
	}, more...)
}

// zero is a key of which every byte is 0.
const zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

func TestProductionStarts(t *testing.T) {
	c, err := program.Load(nil, production(t, "ENTWINE_TRUSTED_PROXIES=10.0.0.0/8,fc00::/7,127.0.0.1", "ENTWINE_PAYMENT_WEBHOOK_SECRET=0123456789abcdef"))
	if err != nil || len(c.Warnings) != 0 {
		t.Fatalf("Load: %v, with the warnings %q", err, c.Warnings)
	}
	if !c.Log.JSON || c.GraphQL.Introspection {
		t.Errorf("logs are JSON: %v, GraphQL shows its schema: %v", c.Log.JSON, c.GraphQL.Introspection)
	}
}

func TestProductionRefusesWhatIsForTrialsAllAtOnce(t *testing.T) {
	open := write(t, "correct horse battery staple")
	chmod(t, open, 0o644)
	c, err := program.Load(nil, []string{
		"ENTWINE_ENV=production", "ENTWINE_ADDR=8080", "ENTWINE_BCRYPT_COST=4", "ENTWINE_DATABASE_URL=postgres://h/d",
		"ENTWINE_RECORD=requests", "ENTWINE_RECORD_UNTIL=" + time.Now().Add(time.Hour).Format(time.RFC3339), "ENTWINE_REHEARSAL=true",
		"ENTWINE_SECRET_KEYS=" + zero, "ENTWINE_TRUSTED_PROXIES=0.0.0.0/0,::/0,::ffff:64.0.0.0/98,192.0.2.1", "ENTWINE_PAYMENT_WEBHOOK_SECRET=hush-hush-hush-", "ENTWINE_ADMIN_PASSWORD_FILE=" + open,
	})
	if err == nil {
		t.Fatal("Load accepted all of it")
	}
	for _, want := range []string{
		"ENTWINE_ADDR=8080 (environment): must be host:port", "ENTWINE_BCRYPT_COST must be at least 10", "ENTWINE_TOKEN_KEYS is needed",
		"ENTWINE_SECRET_KEYS has a key 1 that is one byte", "ENTWINE_TRUSTED_PROXIES must not hold 0.0.0.0/0", "ENTWINE_TRUSTED_PROXIES must not hold ::/0",
		"ENTWINE_TRUSTED_PROXIES must not hold 64.0.0.0/2",
		"ENTWINE_RECORD records what callers ask for, and is refused in production without ENTWINE_RECORD_PRODUCTION=true", "ENTWINE_REHEARSAL must not be set in production",
		"ENTWINE_PAYMENT_WEBHOOK_SECRET must have at least 16 bytes in production, not 15", "ENTWINE_PAYMENT_GATEWAY is needed",
		"ENTWINE_ADMIN_PASSWORD_FILE is in " + open + ", which others can read (mode 0644)",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the list lacks %q:\n%v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 12 || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "192.0.2.1") {
		t.Errorf("%d findings, want 10 and no secret:\n%v", n, err)
	}
	if c.Env != config.Production || !c.Log.JSON {
		t.Error("the settings don't say how to log that")
	}
}

func TestAKeyThatIsWrongIsSaidOnce(t *testing.T) {
	_, err := program.Load(nil, production(t, "ENTWINE_TOKEN_KEYS=c2hvcnQ="))
	if err == nil || strings.Count(err.Error(), "ENTWINE_TOKEN_KEYS") != 1 || !strings.Contains(err.Error(), "key 1 must be 32 bytes") {
		t.Errorf("Load: %v, want one finding", err)
	}
}

func TestProductionLooksIntoTheDataDirectory(t *testing.T) {
	key := "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n"
	for name, c := range map[string]struct {
		content string
		mode    os.FileMode
		want    []string
	}{
		"a file of its owner":       {key, 0o600, nil},
		"a file of the group":       {key, 0o640, []string{"ENTWINE_TOKEN_KEYS is in ", "others can read (mode 0640): run chmod 600 "}},
		"a file of everybody":       {key, 0o604, []string{"mode 0604"}},
		"a zero key after a good 1": {key + zero + "\n", 0o600, []string{"ENTWINE_TOKEN_KEYS has a key 2 of ", "one byte over and over"}},
		"a short key":               {"c2hvcnQ=\n", 0o600, []string{"ENTWINE_TOKEN_KEYS has no good key 1 of "}},
		"both":                      {zero, 0o644, []string{"mode 0644", "one byte over and over"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, config.TokenKeyFile)
			if err := os.WriteFile(file, []byte(c.content), c.mode); err != nil {
				t.Fatal(err)
			}
			chmod(t, file, c.mode)
			_, err := program.Load(nil, []string{"ENTWINE_ENV=production", "ENTWINE_PAYMENT_GATEWAY=sandbox", "ENTWINE_DATA_DIR=" + dir})
			if (err == nil) != (c.want == nil) {
				t.Fatalf("Load: %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("Load: %v, want %q", err, want)
				}
			}
		})
	}
}

func TestAFileOfSettingsIsAsSecretAsWhatItHolds(t *testing.T) {
	for content, want := range map[string]bool{"ENTWINE_LOG_LEVEL=warn\n": true, "ENTWINE_ADMIN_PASSWORD=correct horse 1\n": false} {
		file := write(t, content)
		chmod(t, file, 0o644)
		if _, err := program.Load(nil, production(t, "ENTWINE_CONFIG="+file)); (err == nil) != want {
			t.Errorf("%q in a file for everybody: %v", content, err)
		}
		chmod(t, file, 0o640)
		if _, err := program.Load(nil, production(t, "ENTWINE_CONFIG="+file)); err != nil {
			t.Errorf("%q in a file for a group: %v", content, err)
		}
	}
}

func TestProductionWarnsOfWhatIsRisky(t *testing.T) {
	risky := []string{
		"ENTWINE_PUBLIC_URL=http://api.example.com", "ENTWINE_RATE_LIMIT=off", "ENTWINE_IN_FLIGHT=0", "ENTWINE_ACCESS_TOKEN_TIME=24h1s",
		"ENTWINE_INTROSPECTION=true", "ENTWINE_SMTP_URL=",
	}
	c, err := program.Load(nil, production(t, risky...))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != len(risky) {
		t.Errorf("%d warnings, want %d: %q", len(c.Warnings), len(risky), c.Warnings)
	}
	for i, pair := range risky {
		if name, _, _ := strings.Cut(pair, "="); i < len(c.Warnings) && !strings.HasPrefix(c.Warnings[i], name+" is ") {
			t.Errorf("warning %d is %q, want one of %s", i, c.Warnings[i], name)
		}
	}
	if c, err := program.Load(nil, risky); err != nil || len(c.Warnings) != 0 {
		t.Errorf("outside of production: %v, %q", err, c.Warnings)
	}
}

func chmod(t *testing.T, file string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(file, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

func TestAMisspeltNameIsNoticed(t *testing.T) {
	c, err := program.Load(nil, []string{"ENTWINE_DATABSE_URL=postgres://h/d", "ENTWINE_TEST_REQUIRE=postgres"})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Unknown) != 1 || !strings.Contains(c.Unknown[0], "did you mean ENTWINE_DATABASE_URL?") {
		t.Errorf("unknown: %q", c.Unknown)
	}
	_, err = program.Load(nil, []string{"ENTWINE_CONFIG=" + write(t, "ENTWINE_ADR=:1\nnonsense\n")})
	if err == nil || !strings.Contains(err.Error(), "did you mean ENTWINE_ADDR?") || !strings.Contains(err.Error(), ":2: must be NAME=value") {
		t.Errorf("Load: %v", err)
	}
}

func TestHelpNamesEverySetting(t *testing.T) {
	var help bytes.Buffer
	if err := program.Help(&help); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--addr [HOST]:PORT", "ENTWINE_ADDR\n", "Default :8080.", "ENTWINE_DATABASE_URL*", "Where the data is:"} {
		if !strings.Contains(help.String(), want) {
			t.Errorf("the help lacks %q", want)
		}
	}
	for line := range strings.Lines(help.String()) {
		if len(line) > 90 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

func write(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAnIdentityProviderIsWholeOrNotThere(t *testing.T) {
	_, err := program.Load(nil, []string{"ENTWINE_OIDC_ISSUER=http://idp.example.com", "ENTWINE_ENV=production"})
	for _, want := range []string{"ENTWINE_OIDC_CLIENT_ID", "ENTWINE_OIDC_CLIENT_SECRET", "ENTWINE_OIDC_REDIRECT_URL", "ENTWINE_FRONTEND_URL", "must be https"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load: %v, want %s named", err, want)
		}
	}
	c, err := program.Load(nil, []string{
		"ENTWINE_OIDC_ISSUER=https://idp.example.com/", "ENTWINE_OIDC_CLIENT_ID=entwine", "ENTWINE_OIDC_CLIENT_SECRET=hush",
		"ENTWINE_PUBLIC_URL=https://api.example.com", "ENTWINE_FRONTEND_URL=https://app.example.com/in, https://app.example.com/", "ENTWINE_OIDC_HANDOFF=code",
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.OIDC.Issuer != "https://idp.example.com/" || c.OIDC.RedirectURL != "" ||
		len(c.OIDC.FrontEnds) != 2 || c.OIDC.FrontEnds[1] != "https://app.example.com/" || !c.OIDC.ByCode {
		t.Errorf("%+v", c.OIDC)
	}
}

// Without mail no user could verify an address.
func TestRequiredVerificationNeedsMailInProduction(t *testing.T) {
	_, err := program.Load(nil, production(t, "ENTWINE_EMAIL_VERIFICATION=required", "ENTWINE_SMTP_URL="))
	if err == nil || !strings.Contains(err.Error(), "ENTWINE_SMTP_URL is needed in production with ENTWINE_EMAIL_VERIFICATION=required") {
		t.Errorf("without a mail server: %v", err)
	}
	c, err := program.Load(nil, production(t, "ENTWINE_EMAIL_VERIFICATION=required", "ENTWINE_EMAIL_CHANGE=password"))
	if err != nil || c.Account.Verification != config.VerificationRequired || !c.Account.EmailPassword {
		t.Errorf("with one: %v, %+v", err, c.Account)
	}
	if _, err = program.Load(nil, []string{"ENTWINE_EMAIL_CHANGE=never", "ENTWINE_EMAIL_VERIFICATION=yes"}); err == nil || strings.Count(err.Error(), "must be") != 2 {
		t.Errorf("with values that there are not: %v", err)
	}
}

// A service that takes no payments starts without a gateway, and its help names none.
func TestSettingsOfPaymentsAreForThoseWhoTakeSome(t *testing.T) {
	settings := slices.DeleteFunc(production(t), func(s string) bool { return strings.HasPrefix(s, "ENTWINE_PAYMENT") })
	for _, p := range []config.Program{{Name: "tracker"}, {Name: "shop", Payments: true}} {
		_, err := p.Load(nil, settings)
		if (err != nil) != p.Payments {
			t.Errorf("%s in production: %v", p.Name, err)
		}
		var b strings.Builder
		if err := p.Help(&b); err != nil || strings.Contains(b.String(), "ENTWINE_PAYMENT_GATEWAY") != p.Payments || !strings.Contains(b.String(), p.Name+" worker") {
			t.Errorf("the help of %s: %v\n%s", p.Name, err, b.String())
		}
		if help := b.String(); regexp.MustCompile(`(?i)payment|\bentwine\b[^.]`).MatchString(help) != p.Payments || !strings.Contains(help, "Default "+p.Name+" <no-reply@example.com>") {
			t.Errorf("the help of %s names entwine, or payments that it does not take:\n%s", p.Name, help)
		}
		if c, err := p.Load(nil, []string{"ENTWINE_SOMETHING_QUITE_ELSE=1"}); err != nil || !strings.Contains(fmt.Sprint(c.Unknown), p.Name+" help settings lists them") {
			t.Errorf("%s says %q", p.Name, c.Unknown)
		} else if from := p.Name + " <no-reply@example.com>"; c.Mail.From != from {
			t.Errorf("mail of %s is from %s, want %s", p.Name, c.Mail.From, from)
		}
	}
}

// An address that can't be read is refused with what to write, and without a password.
func TestAnAddressThatIsNoURL(t *testing.T) {
	for _, setting := range []string{
		"ENTWINE_DATABASE_URL=postgres://u:hush%zz@h/d", "ENTWINE_DATABASE_URL=postgres://u:hush/hush@h/d", "ENTWINE_DATABASE_URL=postgres://u:hush#hush@h/d",
		"ENTWINE_DATABASE_URL=postgres://u:hush%zz@a:1,b:2/d", "ENTWINE_DATABASE_URL=postgres://a:1,b:hush/d", "ENTWINE_DATABASE_REPLICAS=postgres://a/b postgres://u:hush%zz@h/d",
		"ENTWINE_DATABASE_DIRECT_URL=postgres://u:hush%zz@h/d", "ENTWINE_REDIS_URL=redis://u:hush/hush@h/0", "ENTWINE_FILES_URL=s3://key:hush/hush@bucket/folder",
		"ENTWINE_SMTP_URL=smtp://u:hush?hush@h",
	} {
		_, err := program.Load(nil, []string{setting})
		if err == nil || !strings.Contains(err.Error(), "must be a URL: in a user name and a password, % is written %25") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", setting, err)
		}
	}
	for _, setting := range []string{"ENTWINE_DATABASE_URL=postgres://u:p,%2F@[::1]:5432,b/d?x=@,/", "ENTWINE_REDIS_URL=redis+sentinel://:p%40@a:1,b/main/0", "ENTWINE_DATABASE_URL=sqlite://100%.db"} {
		if _, err := program.Load(nil, []string{setting}); err != nil {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

func TestReplicasAreSeparatedBySpaces(t *testing.T) {
	_, err := program.Load(nil, []string{"ENTWINE_DATABASE_URL=postgres://a/b", "ENTWINE_DATABASE_REPLICAS=postgres://u:hush@a/b?sslmode=disable,postgres://u:hush@c/b"})
	if err == nil || !strings.Contains(err.Error(), "address 1 must be that of one server: addresses are separated by spaces") || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
}

func TestADirectAddressNeedsAServer(t *testing.T) {
	_, err := program.Load(nil, []string{"ENTWINE_DATABASE_DIRECT_URL=postgres://a/b"})
	if err == nil || !strings.Contains(err.Error(), "ENTWINE_DATABASE_URL, which must begin with postgres://") {
		t.Error(err)
	}
}

func TestARecordingHasAnEnd(t *testing.T) {
	for name, c := range map[string]struct{ until, want string }{
		"none":     {"", "ENTWINE_RECORD_UNTIL is needed with ENTWINE_RECORD"},
		"too late": {time.Now().Add(8 * 24 * time.Hour).Format(time.RFC3339), "ENTWINE_RECORD_UNTIL must be at most 7 days ahead"},
		"no zone":  {"2026-11-27 18:00", "ENTWINE_RECORD_UNTIL=2026-11-27 18:00 (environment): must be a time with its zone"},
		"past":     {"2020-01-01T00:00:00Z", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := program.Load(nil, []string{"ENTWINE_RECORD=requests", "ENTWINE_RECORD_UNTIL=" + c.until})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("Load: %v, want %q", err, c.want)
			}
		})
	}
}
