package model

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
)

// derived checks what expose.Resource says of derived fields.
func (c checker) derived() {
	for i, d := range c.Derived {
		known := func(name string) bool {
			return c.Field(name) != nil || slices.ContainsFunc(c.Derived, func(o expose.Derived) bool { return o.Name == name })
		}
		amounts := d.Shape == expose.Amount || slices.ContainsFunc(d.Members, func(m expose.Member) bool { return m.Shape == expose.Amount })
		switch {
		case DerivedKind(d) == "":
			c.wrong("", "derived %q: shape %q: text, count, decimal, flag, amount and objects are allowed", d.Name, d.Shape)
		case d.Render != "" && (d.Render != expose.Markdown || d.Shape != expose.Text):
			c.wrong("", "derived %q: render %q: markdown of a text is allowed", d.Name, d.Render)
		case d.Comment == "" || d.Example == nil && !d.Nullable:
			c.wrong("", "derived %q needs a Comment and an Example", d.Name)
		case !strings.Contains(d.SQL, "{row}"):
			c.wrong("", "derived %q: its SQL does not speak of {row}", d.Name)
		case amounts && !known(d.Currency):
			c.wrong("", "derived %q: currency %q: the name of a shown field is allowed", d.Name, d.Currency)
		case c.Field(d.Name) != nil || slices.ContainsFunc(c.Derived[:i], func(o expose.Derived) bool { return o.Name == d.Name }):
			c.wrong("", "derived %q: a field is called so", d.Name)
		}
	}
}
