package config

import (
	"regexp"
	"slices"
	"strings"
)

// origin is the text of a setting that counts, and where it came from.
type origin struct{ value, from string }

// byDefault is the origin of values that no source has.
const byDefault = "default"

// InForce is a setting as a process has it, for its operator.
type InForce struct {
	Group  string `json:"group"`
	Name   string `json:"name"`
	Help   string `json:"help"`
	Secret bool   `json:"secret"`
	// Value is empty of secrets, and of settings without a value. Of an address it lacks
	// the password.
	Value string `json:"value,omitempty"`
	// From is flag, environment, NAME_FILE, the name of the file of settings, or default.
	// It is empty where the setting has no value.
	From string `json:"from,omitempty"`
}

// InForce lists the settings of the program in the order of its help. The value of a
// secret is left out, and so is the password of an address ([withoutPassword]).
func (c *Config) InForce() (all []InForce) {
	group := ""
	for _, s := range table(new(Config)) {
		if s.group != "" {
			group = s.group
			continue
		}
		if group == payments && !c.program.Payments {
			continue
		}
		one := InForce{Group: group, Name: s.name, Help: strings.ReplaceAll(s.help, "$0", c.program.Name), Secret: s.secret && !s.address}
		if o := c.origins[s.name]; o.value != "" {
			one.From = o.from
			if s.secret && slices.ContainsFunc(c.files, func(f secretFile) bool { return f.setting == s.name+"_FILE" }) {
				one.From = s.name + "_FILE"
			}
			if !one.Secret {
				one.Value = withoutPassword(o.value)
			}
		}
		all = append(all, one)
	}
	return all
}

// withoutPassword is a value without the password of an address in it. The password of
// a user ends at the last @, whatever it is made of: rather too much is hidden.
func withoutPassword(value string) string {
	scheme, rest, ok := strings.Cut(value, "://")
	if !ok {
		return value
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if name, _, ok := strings.Cut(rest[:at], ":"); ok {
			rest = name + ":" + redacted + rest[at:]
		}
	}
	return scheme + "://" + secretParameter.ReplaceAllString(rest, "${1}"+redacted)
}

const redacted = "[redacted]"

// secretParameter is a parameter of an address that its name calls a secret.
var secretParameter = regexp.MustCompile(`(?i)([?&][^=&]*(?:password|secret|token|key|credential|signature)[^=&]*=)[^&]+`)

// in is the one of two defaults that the environment has.
func (c *Config) in(production, development string) string {
	if c.Env == Production {
		return production
	}
	return development
}
