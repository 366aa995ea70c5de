package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	// leastWebhookSecret is in bytes. A guess at a shorter one can be tried
	// without asking the service, with a single message that was seen.
	leastWebhookSecret = 16
	// mostAccessTime is how long an access token may be good for without a warning.
	mostAccessTime = 24 * time.Hour
	// widestIPv4 and widestIPv6 are the lengths of the largest private
	// networks, 10.0.0.0/8 and fc00::/7: no proxies are in a larger one.
	widestIPv4, widestIPv6 = 8, 7
)

// refusals are faults with which a process in production does not start.
func (c *Config) refusals() (all []finding) {
	if c.Account.BcryptCost < 10 {
		all = append(all, finding{"ENTWINE_BCRYPT_COST", "must be at least 10 in production: leave it out for 12"})
	}
	all = append(all, c.checkKeys("ENTWINE_TOKEN_KEYS", c.Account.TokenKeys, TokenKeyFile)...)
	all = append(all, c.checkKeys("ENTWINE_SECRET_KEYS", c.Account.SecretKeys, SecretKeyFile)...)
	if secret := c.PaymentWebhookSecret; secret != "" && len(secret) < leastWebhookSecret {
		all = append(all, finding{"ENTWINE_PAYMENT_WEBHOOK_SECRET", fmt.Sprintf("must have at least %d bytes in production, not %d: it can be guessed, and then payments forged", leastWebhookSecret, len(secret))})
	}
	if c.Account.Verification == VerificationRequired && c.Mail.URL == "" {
		all = append(all, finding{"ENTWINE_SMTP_URL", "is needed in production with ENTWINE_EMAIL_VERIFICATION=required: without mail, new users could never sign in"})
	}
	if c.program.Payments && c.PaymentGateway == "" {
		all = append(all, finding{"ENTWINE_PAYMENT_GATEWAY", "is needed in production: sandbox takes orders as paid and moves no money, so it must be asked for"})
	}
	for _, p := range c.TrustedProxies {
		if p.Addr().Is4() && p.Bits() < widestIPv4 || p.Addr().Is6() && p.Bits() < widestIPv6 {
			all = append(all, finding{"ENTWINE_TRUSTED_PROXIES", fmt.Sprintf("must not hold %s in production: any client could say that it is another. Name the proxies' own network", p)})
		}
	}
	if c.Record.File != "" && !c.Record.Production {
		all = append(all, finding{"ENTWINE_RECORD", "records what callers ask for, and is refused in production without ENTWINE_RECORD_PRODUCTION=true"})
	}
	if c.Rehearsal {
		all = append(all, finding{"ENTWINE_REHEARSAL", "must not be set in production: no job would be done, and no mail sent"})
	}
	for _, f := range c.files {
		all = append(all, f.check(forOthers)...)
	}
	return all
}

// checkKeys finds keys that are guessed at once, in the settings and in the
// file of the data directory.
func (c *Config) checkKeys(setting string, keys []string, file string) (all []finding) {
	where := ""
	if len(keys) == 0 {
		if strings.HasPrefix(c.Database.URL, "postgres") {
			return []finding{{setting, "is needed in production with PostgreSQL, so that every process accepts what the others issue: set it to what `openssl rand -base64 32` prints, the same everywhere"}}
		}
		name := filepath.Join(c.DataDir, file)
		content, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it is made
		}
		if err != nil {
			return []finding{{setting, "is not set, and its file can't be read: " + err.Error()}}
		}
		keys, where = strings.Fields(string(content)), " of "+name
		all = secretFile{setting, name}.check(forOthers | forGroup)
	}
	for i, text := range keys {
		key, err := base64.StdEncoding.DecodeString(text)
		switch {
		case err != nil || len(key) != keyLen:
			all = append(all, finding{setting, fmt.Sprintf("has no good key %d%s: it must be %d bytes in base64, as `openssl rand -base64 32` prints", i+1, where, keyLen)})
		case same(key):
			all = append(all, finding{setting, fmt.Sprintf("has a key %d%s that is one byte over and over: set it to what `openssl rand -base64 32` prints", i+1, where)})
		}
	}
	return all
}

// same reports whether all bytes of the key are the same: zero, as a rule.
func same(key []byte) bool {
	for _, b := range key {
		if b != key[0] {
			return false
		}
	}
	return true
}

// secretFile is a file with secrets that a setting names.
type secretFile struct{ setting, name string }

// The permission bits of a file by which other users than the owner can read or
// change it. A file that is mounted for the process belongs to its group in some
// orchestrators.
const (
	forOthers fs.FileMode = 0o006
	forGroup  fs.FileMode = 0o060
)

// check finds that the file is open to those.
func (f secretFile) check(to fs.FileMode) []finding {
	if runtime.GOOS == "windows" { // its modes say nothing
		return nil
	}
	info, err := os.Stat(f.name)
	if err != nil || info.Mode().Perm()&to == 0 {
		return nil // reading it fails later, with its own error
	}
	return []finding{{f.setting, fmt.Sprintf("is in %s, which others can read (mode %04o): run chmod %s %s", f.name, info.Mode().Perm(), closing(to), f.name)}}
}

// closing is the argument of chmod that takes the rights away.
func closing(to fs.FileMode) string {
	if to&forGroup != 0 {
		return "600"
	}
	return "o-rwx"
}

// risks are faults with which a process in production starts and warns.
func (c *Config) risks() (all []finding) {
	for _, one := range []struct {
		is            bool
		setting, text string
	}{
		{strings.HasPrefix(c.FilesOrigin, "http:"), "ENTWINE_FILES_ORIGIN", "is not https: links to files can be read on their way"},
		{strings.HasPrefix(c.PublicURL, "http:"), "ENTWINE_PUBLIC_URL", "is not https: passwords and tokens can be read on their way"},
		{c.Limit.Rate.Off(), "ENTWINE_RATE_LIMIT", "is off: one caller can ask as often as they like"},
		{c.Limit.InFlight == 0, "ENTWINE_IN_FLIGHT", "is 0: nothing is turned away while there is too much to do"},
		{c.Account.AccessTime > mostAccessTime, "ENTWINE_ACCESS_TOKEN_TIME", "is longer than a day: a stolen token is good for as long"},
		{c.GraphQL.Introspection, "ENTWINE_INTROSPECTION", "is on: GraphQL shows its schema to everybody"},
		{c.Mail.URL == "", "ENTWINE_SMTP_URL", "is not set: mail stays in the database, and users who forgot their password cannot reset it"},
	} {
		if one.is {
			all = append(all, finding{one.setting, one.text})
		}
	}
	return all
}
