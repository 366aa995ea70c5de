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
	// Value is empty of secrets, and of settings without a value.
	Value string `json:"value,omitempty"`
	// From is flag, environment, NAME_FILE, the name of the file of settings, or default.
	// It is empty where the setting has no value.
	From string `json:"from,omitempty"`
}

// InForce lists the settings of the program in the order of its help. The value of a
// secret is left out, and so is the password of an address.
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
		one := InForce{Group: group, Name: s.name, Help: strings.ReplaceAll(s.help, "$0", c.program.Name), Secret: s.secret}
		if o := c.origins[s.name]; o.value != "" {
			one.From = o.from
			if s.secret && slices.ContainsFunc(c.files, func(f secretFile) bool { return f.setting == s.name+"_FILE" }) {
				one.From = s.name + "_FILE"
			}
			if !s.secret {
				one.Value = password.ReplaceAllString(o.value, "${1}[redacted]@")
			}
		}
		all = append(all, one)
	}
	return all
}

// password is that of an address.
var password = regexp.MustCompile(`(://[^/@:\s,]*:)[^/@\s,]+@`)

// in is the one of two defaults that the environment has.
func (c *Config) in(production, development string) string {
	if c.Env == Production {
		return production
	}
	return development
}
