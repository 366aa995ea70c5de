package model

import (
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// follows checks what a value is said to follow from.
func (c checker) follows(f *gen.Field, a expose.Field) {
	if a.Follow == nil {
		return
	}
	of := fieldOf(c.Type, a.Follow.Field)
	switch {
	case a.Follow.As == expose.FollowSince && (!f.IsTime() || !f.Nillable):
		c.wrong(f.Name, "expose.Since: a nullable time is allowed, not %s", f.Type)
	case a.Follow.As == expose.FollowSince && (of == nil || !of.IsBool()):
		c.wrong(f.Name, "expose.Since(%q): a bool field of the same entity is allowed", a.Follow.Field)
	case a.Follow.As == expose.FollowPositive && !f.IsBool():
		c.wrong(f.Name, "expose.Positive: a bool is allowed, not %s", f.Type)
	case a.Follow.As == expose.FollowPositive && (of == nil || !of.Type.Numeric()):
		c.wrong(f.Name, "expose.Positive(%q): a number field of the same entity is allowed", a.Follow.Field)
	}
}
