package model

import (
	"maps"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
)

// ending is the annotation of expose.Deprecated, nil without one.
func ending(annotations map[string]any) (*expose.Ending, error) {
	var e expose.Ending
	said, err := Annotation(annotations, &e)
	if err != nil || !said {
		return nil, err
	}
	return &e, nil
}

// OperationEnding is when an operation of package expose ends, nil where it
// does not.
func (e *Entity) OperationEnding(o expose.Operation) *expose.Ending {
	if said, ok := e.Deprecated[o]; ok {
		return &said
	}
	return e.Ending
}

// Ending is when the call ends, nil where it does not.
func (c *Call) Ending() *expose.Ending {
	if c.Action != nil && c.Action.Deprecated != (expose.Ending{}) {
		return &c.Action.Deprecated
	}
	return c.Entity.OperationEnding(c.Op)
}

// endings checks what is said of what is deprecated.
func (c checker) endings() {
	c.ends("", c.Ending)
	for _, o := range slices.Sorted(maps.Keys(c.Deprecated)) {
		said := c.Deprecated[o]
		if !c.Offers(o) {
			c.wrong("", "deprecated: there is no operation %q: %s are allowed, and an action has Deprecated itself", o, list(slices.Concat(c.Operations, c.ByHand)))
		}
		c.ends("", &said)
	}
	for _, a := range c.Actions {
		if a.Deprecated != (expose.Ending{}) {
			c.ends("", &a.Deprecated)
		}
		c.fieldsEnd(a.Input)
		c.inputsOld(a.Input)
	}
	c.fieldsEnd(c.Fields)
	c.oldEnds("", c.Old)
	for _, f := range c.Fields {
		c.oldEnds(f.Name, f.Old)
		for _, v := range f.OldValues {
			c.days(f.Name, "Until", v.Ending)
		}
	}
	for _, g := range c.Edges {
		c.oldEnds(g.Name, g.Old)
	}
}

func (c checker) oldEnds(name string, old *Old) {
	if old != nil {
		c.days(name, "Until", old.Ending)
	}
}

// inputsOld checks the endings of the old names in an input. Errors name the entity.
func (c checker) inputsOld(fields []*Field) {
	for _, f := range fields {
		c.oldEnds("", f.Old)
		c.inputsOld(f.Members)
	}
}

func (c checker) fieldsEnd(fields []*Field) {
	for _, f := range fields {
		switch {
		case f.Ending == nil:
			continue
		case f.Name == "id" || f == c.KeyField:
			c.wrong(f.Name, "expose.Deprecated: a field that rows are found by is always there")
		case f.RequiredOnCreate() || f.RequiredOnReplace():
			c.wrong(f.Name, "expose.Deprecated: clients have to send the field: a default or Optional is needed first")
		}
		c.ends(f.Name, f.Ending)
		c.fieldsEnd(f.Members)
	}
}

// ends checks one ending.
func (c checker) ends(name string, e *expose.Ending) {
	if e == nil {
		return
	}
	if e.Since == "" {
		c.wrong(name, "expose.Deprecated(%q): a day such as 2027-01-31 is allowed", e.Since)
	}
	c.days(name, "Deprecated", e)
	if e.Instead == "" || !printable(e.Instead) {
		c.wrong(name, "expose.Deprecated: what to use instead is needed, in printable ASCII: headers say it")
	}
}

// days checks the days of an ending, either of which may be empty.
func (c checker) days(name, says string, e *expose.Ending) {
	since, err := time.Parse(time.DateOnly, e.Since)
	if err != nil && e.Since != "" {
		c.wrong(name, "expose.%s(%q): a day such as 2027-01-31 is allowed", says, e.Since)
		return
	}
	if e.Sunset == "" {
		return
	}
	if sunset, err := time.Parse(time.DateOnly, e.Sunset); err != nil || !since.Before(sunset) {
		c.wrong(name, "expose.%s(%q, %q): a day after the first, or none, is allowed", says, e.Since, e.Sunset)
	}
}

func printable(text string) bool {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return false
		}
	}
	return true
}

// Says is the ending in words, for both documents.
func Says(e *expose.Ending) string {
	says := "Deprecated"
	if e.Since != "" {
		says += " since " + e.Since
	}
	if e.Sunset != "" {
		says += ", gone on " + e.Sunset
	}
	return says + ": " + e.Instead + "."
}
