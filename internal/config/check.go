package config

import (
	"errors"
	"strings"

	"github.com/agnivade/levenshtein"
)

// check refuses settings that are sound alone but not together.
func (c *Config) check() error {
	if c.Env != Production {
		return nil
	}
	var all []error
	if c.Account.BcryptCost < 10 {
		all = append(all, errors.New("ENTWINE_BCRYPT_COST must be at least 10 in production: leave it out for 12"))
	}
	if strings.HasPrefix(c.Database.URL, "postgres") {
		for name, keys := range map[string][]string{"ENTWINE_TOKEN_KEYS": c.Account.TokenKeys, "ENTWINE_SECRET_KEYS": c.Account.SecretKeys} {
			if len(keys) == 0 {
				all = append(all, errors.New(name+" is needed in production with PostgreSQL, so that every process accepts what the others issue: set it to what `openssl rand -base64 32` prints, the same everywhere"))
			}
		}
	}
	return errors.Join(all...)
}

// names lists the settings' names.
func names() []string {
	var all []string
	for _, s := range table(new(Config)) {
		if s.name != "" {
			all = append(all, s.name)
		}
	}
	return all
}

// unknown returns a message for each variable that names no setting. Tests
// and tools of developers have variables of their own.
func unknown(env map[string]string) []string {
	known := make(map[string]bool)
	for _, name := range names() {
		known[name] = true
	}
	var all []string
	for name := range env {
		if !known[name] && !strings.HasPrefix(name, prefix+"TEST_") && !strings.HasPrefix(name, prefix+"DEV_") {
			all = append(all, notSetting(name))
		}
	}
	return all
}

// notSetting says that there is no such setting, and which one is close.
func notSetting(name string) string {
	best, distance := "", 4
	for _, known := range names() {
		if d := levenshtein.ComputeDistance(name, known); d < distance {
			best, distance = known, d
		}
	}
	if best == "" {
		return name + " is not a setting: entwine help settings lists them"
	}
	return name + " is not a setting: did you mean " + best + "?"
}
