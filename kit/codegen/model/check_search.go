package model

import (
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
)

// maxSearchFields is how many fields full-text search weighs.
const maxSearchFields = 4

// fullText checks what expose.Resource.Search says.
func (c checker) fullText() {
	if len(c.Search) > maxSearchFields {
		c.wrong("", "search has %d fields: %d are allowed", len(c.Search), maxSearchFields)
	}
	for i, name := range c.Search {
		f := c.Field(name)
		switch {
		case f == nil || !f.SearchBy():
			allowed := c.names((*Field).SearchBy)
			if allowed == "" {
				allowed = "no field has that yet"
			}
			c.wrong("", "search %q: text fields with expose.By(expose.Search) are allowed: %s; it goes among the Annotations of each field that Search names", name, allowed)
		case i == 0 && (f.Type.Nillable || len(f.Visible) > 0):
			c.wrong("", "search %q: the first is the title of what is found, which everything has and everybody sees", name)
		case slices.Contains(c.Search[:i], name):
			c.wrong("", "search %q is named twice", name)
		}
	}
	if len(c.Search) > 0 && (!c.Offers(expose.Read) || c.Under != "" || c.Key != "") {
		c.wrong("", "search: an entity whose rows are read at the path with their id is allowed, for what is found has an address")
	}
}
