package config

import (
	"errors"
	"strings"

	"github.com/agnivade/levenshtein"
)

// check refuses settings that are sound alone but not together.
func (c *Config) check() error {
	all := c.checkOIDC()
	if c.Env != Production {
		return errors.Join(all...)
	}
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

// checkOIDC refuses an identity provider of which something is missing, and
// fills in where it sends browsers back to.
func (c *Config) checkOIDC() (all []error) {
	if c.OIDC.Issuer == "" {
		return nil
	}
	if c.OIDC.RedirectURL == "" && c.PublicURL != "" {
		c.OIDC.RedirectURL = c.PublicURL + "/api/v1/auth/idp/callback"
	}
	for _, one := range []struct{ name, value string }{
		{"ENTWINE_OIDC_CLIENT_ID", c.OIDC.ClientID},
		{"ENTWINE_OIDC_CLIENT_SECRET", c.OIDC.ClientSecret},
		{"ENTWINE_OIDC_REDIRECT_URL (or ENTWINE_PUBLIC_URL)", c.OIDC.RedirectURL},
		{"ENTWINE_FRONTEND_URL", strings.Join(c.OIDC.FrontEnds, ",")},
	} {
		if one.value == "" {
			all = append(all, errors.New(one.name+" is needed with ENTWINE_OIDC_ISSUER"))
		}
	}
	if c.Env == Production && strings.HasPrefix(c.OIDC.Issuer, "http:") {
		all = append(all, errors.New("ENTWINE_OIDC_ISSUER must be https in production: whoever is in between could sign in as anybody"))
	}
	return all
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
