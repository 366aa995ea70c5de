package config

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
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

// Load returns the settings that flags (from [Flags]) and environ (as
// os.Environ gives it) make, or an error that lists everything wrong with them.
func Load(flags map[string]string, environ []string) (*Config, error) {
	env, err := environment(environ)
	if err != nil {
		return nil, err
	}
	sources := []source{{"flag", flags}, {"environment", env}}
	if name, _ := lookup("ENTWINE_CONFIG", sources); name != "" {
		file, err := readFile(name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source{name, file})
	}
	c := &Config{Unknown: unknown(env)}
	var all []error
	for _, s := range table(c) {
		if value, from := lookup(s.name, sources); value != "" {
			all = append(all, s.apply(value, from))
		} else if s.initial != "" {
			all = append(all, s.apply(s.initial, "default"))
		} else if s.follows != nil {
			s.follows()
		}
	}
	if err := errors.Join(all...); err != nil {
		return nil, err
	}
	if c.Database.URL == "" {
		c.Database.URL = sqliteURL(filepath.Join(c.DataDir, "entwine.db"))
	}
	return c, c.check()
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

// environment returns the variables whose names are ours. NAME_FILE names a
// file that holds the secret NAME.
func environment(environ []string) (map[string]string, error) {
	values := make(map[string]string)
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
			return nil, fmt.Errorf("set %s or %s_FILE, not both", s.name, s.name)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s_FILE: %w", s.name, err)
		}
		values[s.name] = strings.TrimSpace(string(content))
	}
	return values, nil
}

// readFile returns the settings in a file of NAME=value lines. Empty lines
// and those that begin with # say nothing; a value may stand in quotes.
func readFile(name string) (map[string]string, error) {
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
			all = append(all, fmt.Errorf("%s:%d: %s", name, n, notSetting(key)))
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
