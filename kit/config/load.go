package config

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
)

const prefix = "ENTWINE_"

// Flags adds a flag for each setting to fs. Once fs has parsed its arguments
// the map holds those that were given, by the names of the settings.
func Flags(fs *flag.FlagSet) map[string]string {
	given := make(map[string]string)
	for _, s := range table(new(Config)) {
		if s.group != "" {
			continue
		}
		keep := func(value string) error { given[s.name] = value; return nil }
		if s.value == "true|false" {
			fs.BoolFunc(s.flag(), s.help, keep)
			continue
		}
		fs.Func(s.flag(), s.help, keep)
	}
	return given
}

// Program describes the program that reads the settings.
type Program struct {
	// Name is its name in messages and in the help: "notes".
	Name string
	// Payments says that it takes payments. Others need no payment gateway in
	// production, and their help does not have its settings.
	Payments bool
}

// Load returns the settings that flags (from [Flags]) and environ (as
// os.Environ gives it) make, and an error that lists everything wrong with
// them, in values and between them. With an error the settings are incomplete:
// they still say how to log it.
func (p Program) Load(flags map[string]string, environ []string) (*Config, error) {
	c := &Config{program: p, origins: map[string]origin{}}
	env, unread := c.environment(environ)
	c.Unknown = p.unknown(env)
	var all []error
	sources := []source{{"flag", flags}, {"environment", env}}
	if name, _ := lookup("ENTWINE_CONFIG", sources); name != "" {
		file, err := p.readFile(name)
		all = append(all, err)
		sources = append(sources, source{name, file})
		if holdsSecret(file) {
			c.files = append(c.files, secretFile{"ENTWINE_CONFIG", name})
		}
	}
	wrong := make(map[string]bool)
	for _, s := range table(c) {
		err := unread[s.name]
		if err == nil {
			c.origins[s.name], err = s.load(sources)
		}
		wrong[s.name] = err != nil
		all = append(all, err)
	}
	return c, errors.Join(append(all, c.check(wrong)...)...)
}

// holdsSecret reports whether one of the settings of a file is secret.
func holdsSecret(file map[string]string) bool {
	return slices.ContainsFunc(table(new(Config)), func(s setting) bool { return s.secret && file[s.name] != "" })
}

// source is where settings come from.
type source struct {
	name   string
	values map[string]string
}

// lookup returns the first value of a setting and where it is from. An empty
// value counts as none.
func lookup(name string, sources []source) (value, from string) {
	for _, s := range sources {
		if value := s.values[name]; value != "" {
			return value, s.name
		}
	}
	return "", ""
}

// environment returns the variables whose names are ours, and what is wrong
// with them by the setting's name. NAME_FILE names a file that holds the
// secret NAME.
func (c *Config) environment(environ []string) (values map[string]string, unread map[string]error) {
	values, unread = make(map[string]string), make(map[string]error)
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, prefix) {
			values[name] = value
		}
	}
	for _, s := range table(new(Config)) {
		file := values[s.name+"_FILE"]
		delete(values, s.name+"_FILE")
		if !s.secret || file == "" {
			continue
		}
		if values[s.name] != "" {
			unread[s.name] = fmt.Errorf("set %s or %s_FILE, not both", s.name, s.name)
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			unread[s.name] = fmt.Errorf("%s_FILE: %w", s.name, err)
			continue
		}
		values[s.name] = strings.TrimSpace(string(content))
		c.files = append(c.files, secretFile{s.name + "_FILE", file})
	}
	return values, unread
}

// readFile returns the settings in a file of NAME=value lines. Empty lines
// and those that begin with # say nothing; a value may stand in quotes.
func (p Program) readFile(name string) (map[string]string, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("ENTWINE_CONFIG: %w", err)
	}
	values := make(map[string]string)
	var all []error
	n := 0
	for line := range strings.Lines(string(content)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok {
			all = append(all, fmt.Errorf("%s:%d: must be NAME=value", name, n))
		} else if !slices.Contains(names(), key) {
			all = append(all, fmt.Errorf("%s:%d: %s", name, n, p.notSetting(key)))
		}
		if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			value = value[1 : len(value)-1]
		}
		values[key] = value
	}
	return values, errors.Join(all...)
}

func sqliteURL(file string) string {
	return "sqlite://" + (&url.URL{Path: file}).EscapedPath()
}
