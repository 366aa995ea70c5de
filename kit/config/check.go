package config

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
)

// finding is a fault of a setting beside others.
type finding struct{ setting, text string }

// check returns what is wrong with the settings together. Of those that are
// wrong by themselves, nothing more is said.
func (c *Config) check(wrong map[string]bool) (all []error) {
	found := slices.Concat(c.checkDatabase(), c.checkRecord(), c.checkOIDC(), c.checkJWT(), c.checkFiles())
	if c.Env == Production {
		found = append(found, c.refusals()...)
	}
	for _, f := range found {
		if !wrong[f.setting] {
			all = append(all, errors.New(f.setting+" "+f.text))
		}
	}
	if c.Env == Production {
		for _, f := range c.risks() {
			if !wrong[f.setting] {
				c.Warnings = append(c.Warnings, f.setting+" "+f.text)
			}
		}
	}
	return all
}

// checkDatabase finds an address of a server beside a file.
func (c *Config) checkDatabase() []finding {
	if len(c.Database.Replicas) > 0 && !strings.HasPrefix(c.Database.URL, "postgres") {
		return []finding{{"ENTWINE_DATABASE_REPLICAS", "are standbys of the server of ENTWINE_DATABASE_URL, which must begin with postgres://"}}
	}
	if c.Database.DirectURL != "" && !strings.HasPrefix(c.Database.URL, "postgres") {
		return []finding{{"ENTWINE_DATABASE_DIRECT_URL", "is the server behind the pooler of ENTWINE_DATABASE_URL, which must begin with postgres://"}}
	}
	return nil
}

// longestRecord is how far ahead the end of a recording may be.
const longestRecord = 7 * 24 * time.Hour

// checkRecord finds a recording without an end.
func (c *Config) checkRecord() []finding {
	switch {
	case c.Record.File == "":
		return nil
	case c.Record.Until.IsZero():
		return []finding{{"ENTWINE_RECORD_UNTIL", "is needed with ENTWINE_RECORD: the time at which recording ends, as in " + time.Now().UTC().Add(time.Hour).Format(time.RFC3339)}}
	case time.Until(c.Record.Until) > longestRecord:
		return []finding{{"ENTWINE_RECORD_UNTIL", "must be at most 7 days ahead"}}
	}
	return nil
}

// checkOIDC finds what is missing of an identity provider.
func (c *Config) checkOIDC() (all []finding) {
	if c.OIDC.Issuer == "" {
		return nil
	}
	for _, one := range []struct{ name, more, value string }{
		{"ENTWINE_OIDC_CLIENT_ID", "", c.OIDC.ClientID},
		{"ENTWINE_OIDC_CLIENT_SECRET", "", c.OIDC.ClientSecret},
		{"ENTWINE_OIDC_REDIRECT_URL", "(or ENTWINE_PUBLIC_URL) ", cmp.Or(c.OIDC.RedirectURL, c.PublicURL)},
		{"ENTWINE_FRONTEND_URL", "", strings.Join(c.OIDC.FrontEnds, ",")},
	} {
		if one.value == "" {
			all = append(all, finding{one.name, one.more + "is needed with ENTWINE_OIDC_ISSUER"})
		}
	}
	if c.Env == Production && strings.HasPrefix(c.OIDC.Issuer, "http:") {
		all = append(all, finding{"ENTWINE_OIDC_ISSUER", "must be https in production: an attacker on the network could sign in as any user"})
	}
	return all
}

// checkFiles finds what is wrong with the origin of files.
func (c *Config) checkFiles() []finding {
	u, err := url.Parse(c.FilesOrigin)
	public, other := url.Parse(c.PublicURL)
	switch {
	case err != nil || other != nil || c.FilesOrigin == "":
		return nil // no address is set, or it was refused when it was read
	case u.Path != "":
		return []finding{{"ENTWINE_FILES_ORIGIN", "must be an origin without a path, as in https://files.example.com"}}
	case strings.EqualFold(u.Host, public.Host):
		return []finding{{"ENTWINE_FILES_ORIGIN", "must be of another host than ENTWINE_PUBLIC_URL: it answers nothing but files"}}
	}
	return nil
}

// checkJWT finds what is missing of another issuer of tokens.
func (c *Config) checkJWT() (all []finding) {
	if c.JWT.Issuer == "" {
		return nil
	}
	for _, one := range []struct{ name, value string }{{"ENTWINE_JWT_KEYS_URL", c.JWT.KeysURL}, {"ENTWINE_JWT_AUDIENCE", c.JWT.Audience}} {
		if one.value == "" {
			all = append(all, finding{one.name, "is needed with ENTWINE_JWT_ISSUER"})
		}
	}
	if c.JWT.Issuer == c.PublicURL {
		all = append(all, finding{"ENTWINE_JWT_ISSUER", "must not be ENTWINE_PUBLIC_URL: that is this service, whose own tokens say so"})
	}
	if c.Env == Production && strings.HasPrefix(c.JWT.KeysURL, "http:") {
		all = append(all, finding{"ENTWINE_JWT_KEYS_URL", "must be https in production: an attacker on the network could sign tokens of any user"})
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
func (p Program) unknown(env map[string]string) []string {
	known := make(map[string]bool)
	for _, name := range names() {
		known[name] = true
	}
	var all []string
	for name := range env {
		if !known[name] && !strings.HasPrefix(name, prefix+"TEST_") && !strings.HasPrefix(name, prefix+"DEV_") {
			all = append(all, p.notSetting(name))
		}
	}
	return all
}

// notSetting says that there is no such setting, and which one is close.
func (p Program) notSetting(name string) string {
	best, distance := "", 4
	for _, known := range names() {
		if d := levenshtein.ComputeDistance(name, known); d < distance {
			best, distance = known, d
		}
	}
	if best == "" {
		return name + " is not a setting: " + cmp.Or(p.Name, "the service's command") + " help settings lists them"
	}
	return name + " is not a setting: did you mean " + best + "?"
}
