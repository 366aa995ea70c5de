package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/date"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
)

// field checks what is said of a field whether or not it is shown.
func (c checker) field(f *gen.Field) {
	a, err := FieldAnnotation(f.Annotations)
	if err != nil {
		c.wrong(f.Name, "%v", err)
		return
	}
	if a.Internal && (len(a.By) > 0 || a.Initial || a.Kept || a.Named != "" || len(a.Writable)+len(a.Visible) > 0) {
		c.wrong(f.Name, "expose.Internal: the field is not shown, so nothing can be said of how it is shown")
	}
	if f.Sensitive() && !a.Internal && len(a.By) > 0 {
		c.wrong(f.Name, "expose.By: a sensitive field is not shown")
	}
	if a.Href && (!f.IsString() || !a.ReadOnly) {
		c.wrong(f.Name, "expose.Href: a text that only the service sets is allowed: with expose.Computed")
	}
	if a.Unique && !f.IsString() {
		c.wrong(f.Name, "expose.UniqueFold: text is allowed, not %s", f.Type)
	}
	if settable := !a.Internal && !a.ReadOnly && !f.Sensitive(); c.Has(expose.Create) && !settable && !ownedBy(c.Type, f) && !f.Optional && !f.Default {
		c.wrong(f.Name, "no client can set the field, and it is required: a default, Optional, or expose.Create by hand is allowed")
	}
	c.kept(f, a)
	c.follows(f, a)
	c.unmade(f)
	c.storedField(f)
}

// shown checks what is said of a field that the APIs show.
func (c checker) shown(f *Field) {
	c.uses(f)
	if f.ReadOnly && (f.Initial || f.Kept || f.Caller || f.Secret || len(f.Writable) > 0) {
		c.wrong(f.Name, "expose.Computed: only the service sets the field, so Initial, Kept, Caller, Secret and WritableBy mean nothing")
	}
	if says := strange(slices.Concat(f.Visible, f.Writable, f.OnBehalf), c.roles); says != "" {
		c.wrong(f.Name, "%s", says)
	}
	if f.Caller && (f.Ref == "" || f.Ref != c.caller) {
		c.wrong(f.Name, "expose.Caller: a foreign key to %s is allowed", cmp.Or(c.caller, "the entity of callers"))
	}
	if f.Currency != "" {
		if currency := c.Field(f.Currency); currency == nil || currency.Kind != "String" {
			c.wrong(f.Name, "expose.Money(%q): a text field of the same entity that holds an ISO 4217 code is allowed", f.Currency)
		}
		if !f.Type.Type.Type.Integer() {
			c.wrong(f.Name, "expose.Money: an integer of minor units is allowed, not %s", f.Type.Type)
		}
	}
	if f.MinLength != nil && f.MaxLength != nil && *f.MinLength > *f.MaxLength {
		c.wrong(f.Name, "bounds: the least length, %d, is above the greatest, %d", *f.MinLength, *f.MaxLength)
	}
	if f.Minimum != nil && f.Maximum != nil && *f.Minimum > *f.Maximum {
		c.wrong(f.Name, "bounds: the lowest value, %s, is above the highest, %s", decimal(*f.Minimum), decimal(*f.Maximum))
	}
	if f.MaxSize != nil && f.Kind != "JSON" && f.Kind != "Bytes" {
		c.wrong(f.Name, "expose.Size: bytes or JSON are allowed, not %s: expose.Length bounds text, expose.Items a list", f.Type.Type)
	}
	if f.Kind == "UUID" && f.Type.Type.RType != nil && f.Type.Type.String() != "uuid.UUID" {
		c.wrong(f.Name, "a UUID that is shown is field.UUID(%q, uuid.UUID{}) of github.com/google/uuid, not %s", f.Name, f.Type.Type)
	}
	if f.Kind == "Time" && slices.Contains(slices.Collect(maps.Values(f.Type.Column().SchemaType)), "date") || f.Kind == "Date" && !maps.Equal(f.Type.Column().SchemaType, date.Column) {
		c.wrong(f.Name, "a date is field.Time(%q).GoType(date.Date{}).SchemaType(date.Column), of kit/date", f.Name)
	}
	c.ownForm(f)
	c.restNames(f)
}

// decimal writes a bound as schemas do, without an exponent.
func decimal(bound float64) string { return strconv.FormatFloat(bound, 'f', -1, 64) }

// uses checks what listings can do with the field.
func (c checker) uses(f *Field) {
	for _, use := range f.By {
		switch {
		case !slices.Contains([]expose.Use{expose.Filter, expose.Sort, expose.Search}, use):
			c.wrong(f.Name, "expose.By(%q): filter, sort and search are allowed", use)
		case f.Secret:
			c.wrong(f.Name, "expose.By: a secret field is never shown, by a listing neither")
		case use == expose.Search && f.Kind != "String":
			c.wrong(f.Name, "expose.Search: only text can be searched, not %s", strings.ToLower(f.Kind))
		case f.Kind == "JSON":
			c.wrong(f.Name, "expose.By: a JSON field can be neither filtered nor sorted")
		case f.Kind == "Bytes":
			c.wrong(f.Name, "expose.By: a field of bytes can be neither filtered nor sorted")
		case use == expose.Sort && f.Kind == "Strings":
			c.wrong(f.Name, "expose.Sort: a list of texts can be filtered, but not sorted")
		}
	}
	if f.Lowest != "" && (!f.FilterBy() || !entity.Named(f.EntityKind()).Ordered) {
		c.wrong(f.Name, "expose.Bounds: a number, an amount, a time or a text with expose.By(expose.Filter) is allowed")
	}
}

// restNames checks that no two things have one name in REST.
func (c checker) restNames(f *Field) {
	for _, other := range c.Fields {
		if other == f {
			return
		}
		if other.REST == f.REST {
			c.wrong(f.Name, "the REST name %q is %s's already", f.REST, other.Name)
		}
		for _, bound := range []string{f.Lowest, f.Highest} {
			if bound != "" && (bound == other.REST || bound == other.Lowest || bound == other.Highest) {
				c.wrong(f.Name, "expose.Bounds: the REST name %q is %s's already", bound, other.Name)
			}
		}
	}
}

// relates checks what is said of an edge.
func (c checker) relates(edge *gen.Edge) {
	var a expose.Edge
	if _, err := Annotation(edge.Annotations, &a); err != nil {
		c.wrong(edge.Name, "%v", err)
		return
	}
	if a.Hidden && (a.Through || a.Filter || a.Deleted || a.Attached || a.Levels != 0 || len(a.Nested) > 0) {
		c.wrong(edge.Name, "expose.Hidden: the edge is not shown, so nothing can be said of how it is shown")
	}
	if len(a.Nested) > 0 && edge.Unique && (!edge.O2O() || edge.OwnFK()) {
		c.wrong(edge.Name, "expose.Nested: an edge to many is allowed, or one to one whose foreign key is at the other end")
	}
	for _, o := range a.Nested {
		if edge.Unique && o != expose.Create {
			c.wrong(edge.Name, "expose.Nested(%q): of an edge to one, create is allowed: reads expand it", o)
			continue
		}
		if !slices.Contains([]expose.Operation{expose.List, expose.Read, expose.Create}, o) {
			c.wrong(edge.Name, "expose.Nested(%q): list, read and create are allowed", o)
		}
	}
	if a.Through && !edge.Unique {
		c.wrong(edge.Name, "expose.Through: an edge to one is allowed")
	}
	if a.Deleted && (edge.Unique || edge.M2M() || !c.SoftDelete || !keepsDeleted(edge.Type)) {
		c.wrong(edge.Name, "expose.DeletedWith: an edge to many is allowed, between entities with the mixin SoftDelete")
	}
	if a.Attached {
		c.attached(edge)
	}
	if a.Levels != 0 {
		c.tree(edge, a.Levels)
	}
	if a.Filter && !edge.Unique {
		c.filteredTo(edge)
	}
	c.demanded(edge)
}

func keepsDeleted(t *gen.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f *gen.Field) bool { return f.Name == "deleted_with" })
}
