package model

import (
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// checkQueries checks the queries that entities have beside their own.
func (m *Model) checkQueries() []error {
	var errs []error
	names := map[string]string{}
	for _, e := range m.Entities {
		names[naming.Camel(e.Singular)] = e.Name
	}
	for _, e := range m.Entities {
		for _, q := range e.Queries {
			c := queryChecker{checker{Entity: e, errs: &errs, all: m.Entities, caller: m.Caller()}, q}
			if other, taken := names[q.Name]; taken {
				c.wrong("the name is taken by a query of %s", other)
			}
			names[q.Name] = e.Name
			c.said()
			c.selects()
			c.own()
		}
	}
	return errs
}

type queryChecker struct {
	checker
	q expose.Query
}

func (c queryChecker) wrong(format string, args ...any) {
	c.checker.wrong("", "query %q: "+format, append([]any{c.q.Name}, args...)...)
}

// said checks the name and the description.
func (c queryChecker) said() {
	if !graphqlForm.MatchString(c.q.Name) {
		c.wrong("a camelCase name is allowed, such as \"users\"")
	}
	if strings.TrimSpace(c.q.Comment) == "" {
		c.wrong("a Comment is needed: it says to clients what it answers with")
	}
}

// selects checks what the rows are selected by.
func (c queryChecker) selects() {
	if f := c.Field(c.q.By); c.q.By != "" && (f == nil || f.Ref == "") {
		c.wrong("by %q: a foreign key is allowed: %s", c.q.By, c.names(func(f *Field) bool { return f.Ref != "" }))
	}
	if c.q.Search != "" && !graphqlForm.MatchString(c.q.Search) {
		c.wrong("search %q: a camelCase name is allowed, such as \"query\"", c.q.Search)
	}
	if c.q.Search != "" && c.names((*Field).SearchBy) == "" {
		c.wrong("search: a field with expose.By(expose.Search) is needed")
	}
}

// own checks what answers with the caller's row.
func (c queryChecker) own() {
	if !c.q.Caller {
		return
	}
	if c.q.Pages || c.q.By != "" || c.q.Search != "" {
		c.wrong("Caller answers with one row: Pages, By and Search mean nothing")
	}
	if c.Name != c.caller {
		c.wrong("Caller: callers are rows of %s", c.caller)
	}
}
