package config

import (
	"fmt"
	"strings"
)

// setting is a row of the table: a setting, or the heading of a group.
type setting struct {
	group   string
	name    string // ENTWINE_ADDR, from which --addr follows
	value   string // what the help shows for a value
	initial string // the default, empty for none
	help    string
	secret  bool // never shown; NAME_FILE may name a file that holds it
	address bool // of a secret: an address, shown without what is secret in it
	set     func(string) error
	follows func() string // the default where it depends on the settings before, empty for none
}

// flag returns the setting's name as a flag, without dashes.
func (s setting) flag() string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.name, prefix)), "_", "-")
}

// load gives the setting the value of the first source that has one, else its
// default, and returns both. Without a value it changes nothing.
func (s setting) load(sources []source) (origin, error) {
	if value, from := lookup(s.name, sources); value != "" {
		return origin{value, from}, s.apply(value, from)
	}
	value := s.initial
	if s.follows != nil {
		value = s.follows()
	}
	if value == "" {
		return origin{}, nil
	}
	return origin{value, byDefault}, s.apply(value, byDefault)
}

// apply gives the setting a value that came from somewhere.
func (s setting) apply(value, from string) error {
	var err error
	if s.address {
		err = readable(value)
	}
	if err == nil {
		err = s.set(value)
	}
	if err == nil {
		return nil
	}
	if s.secret {
		return fmt.Errorf("%s (%s): %w", s.name, from, err)
	}
	return fmt.Errorf("%s=%s (%s): %w", s.name, withoutPassword(value), from, err)
}
