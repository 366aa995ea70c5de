package model

import (
	"regexp"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
)

var graphqlForm = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// checkSubscriptions checks what topics feed.
func (m *Model) checkSubscriptions() []error {
	var errs []error
	names := map[string]*Entity{}
	for _, e := range m.Entities {
		topics := map[string]bool{}
		for _, s := range e.Subscriptions {
			c := subscriptionChecker{checker{Entity: e, errs: &errs, all: m.Entities, caller: m.Caller()}, s}
			if other := names[s.Name]; other != nil {
				c.wrong("the name is taken by a subscription of %s", other.Name)
			}
			names[s.Name] = e
			if topics[s.Topic.Name] {
				c.wrong("event %q feeds a subscription already", s.Topic.Name)
			}
			topics[s.Topic.Name] = true
			c.said()
			c.argument()
			c.final()
		}
	}
	return errs
}

type subscriptionChecker struct {
	checker
	s *Subscription
}

func (c subscriptionChecker) wrong(format string, args ...any) {
	c.checker.wrong("", "subscription %q: "+format, append([]any{c.s.Name}, args...)...)
}

// said checks the names and descriptions.
func (c subscriptionChecker) said() {
	if !graphqlForm.MatchString(c.s.Name) {
		c.wrong("a camelCase name is allowed, such as \"newPost\"")
	}
	if c.s.Argument != "" && !graphqlForm.MatchString(c.s.Argument) {
		c.wrong("argument %q: a camelCase name is allowed, such as \"postId\"", c.s.Argument)
	}
	if strings.TrimSpace(c.s.Comment) == "" {
		c.wrong("a Comment is needed: it says to clients when an event is sent")
	}
}

// argument checks that there is a row for it, and what needs one.
func (c subscriptionChecker) argument() {
	if c.s.Argument == "" {
		if c.s.Present || c.s.Final != nil || c.s.Gone != "" || c.s.ArgumentComment != "" {
			c.wrong("Present, Final, Gone and ArgumentComment are about the row of an Argument")
		}
		return
	}
	if c.s.Of == nil {
		c.wrong("argument %q: the topic's key is to be a foreign key to an entity that is exposed, not %q", c.s.Argument, c.s.Topic.Key)
		return
	}
	for _, t := range c.Events {
		if t.Name == c.s.Topic.Name && t.Key != c.s.Topic.Key {
			c.wrong("argument %q: all statements of %q must have one key, not %q and %q", c.s.Argument, t.Name, c.s.Topic.Key, t.Key)
		}
	}
	if c.s.Gone != "" && !slices.ContainsFunc(c.s.Of.Events, func(t expose.Topic) bool { return t.Name == c.s.Gone && t.Key == "" }) {
		c.wrong("gone %q: a topic of %s without a key is allowed", c.s.Gone, c.s.Of.Name)
	}
}

// final checks where the stream begins and ends.
func (c subscriptionChecker) final() {
	if c.s.Present && c.s.Topic.Key != "" {
		c.wrong("Present is for the row that the events are about: the topic must have no key")
	}
	if c.s.Final == nil {
		return
	}
	if !c.s.Present {
		c.wrong("Final needs Present: a subscriber to a row that is already final would get no event")
	}
	f := c.s.FinalField()
	if f == nil || !f.Type.IsEnum() {
		c.wrong("final %q: an enum that is shown is allowed", c.s.Final.Field)
		return
	}
	for _, value := range c.s.Final.Values {
		if !slices.Contains(f.Type.EnumValues(), value) {
			c.wrong("final %q: %s are allowed", value, strings.Join(f.Type.EnumValues(), ", "))
		}
	}
	if len(c.s.Final.Values) == 0 {
		c.wrong("final: values of %s are needed", f.Name)
	}
}
