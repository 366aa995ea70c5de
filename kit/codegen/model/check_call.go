package model

import (
	"fmt"
	"regexp"
	"slices"
)

var inBraces = regexp.MustCompile(`\{[^}]*\}`)

// checkCalls checks that no two generated operations have one address or one name.
func (m *Model) checkCalls() []error {
	var errs []error
	taken := map[string]*Call{}
	for _, e := range m.Entities {
		if e.Under != "" && e.Edge(e.Under) == nil {
			continue // another check reports it
		}
		for _, c := range slices.Concat(m.Calls(e), m.Declared(e), m.EdgeCalls(e)) {
			address := c.Method + " " + inBraces.ReplaceAllString(c.Path, "{}")
			for _, key := range []string{address, "operation " + c.ID} {
				if other := taken[key]; other != nil {
					errs = append(errs, c.finding("%s%s is an operation of %s already: %s%s", c.says(), key, other.owner(), other.ID, c.other()))
					break
				}
				taken[key] = c
			}
		}
	}
	return errs
}

// owner is the schema that asks for the operation.
func (c *Call) owner() string {
	if c.Nested() && !c.Single {
		return c.Parent.Name + "." + c.Edge.Name
	}
	return c.Entity.Name
}

// says names what declares the call, so that its line can be reported.
func (c *Call) says() string {
	if c.Verb == "" {
		return ""
	}
	return fmt.Sprintf("verb %q: ", c.Verb)
}

// other says what gives the call another name.
func (c *Call) other() string {
	if c.Action == nil {
		return ""
	}
	return "; Names of the expose.Action gives it another Method and Path, and another ID"
}

func (c *Call) finding(format string, args ...any) error {
	if c.Nested() && !c.Single {
		return ProblemAt(c.Parent.Type, c.Edge.Name, fmt.Errorf("expose.Nested: "+format, args...))
	}
	return ProblemAt(c.Entity.Type, "", fmt.Errorf(format, args...))
}
