package openapi

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// derivedSchema is the schema of the field's values in REST.
func derivedSchema(d expose.Derived) *node {
	o := shapeSchema(d.Shape)
	switch {
	case len(d.Values) > 0:
		o.set("enum", values(d.Values))
	case d.Shape == expose.Objects:
		properties, required := obj(), []any{}
		for _, m := range d.Members {
			if d.Name == model.OffersField && m.Name == model.MutationMember {
				continue // REST has the method and the path
			}
			properties.set(m.Name, described(shapeSchema(m.Shape), m.Comment))
			required = append(required, m.Name)
		}
		o.set("items", obj("type", "object", "required", required, "properties", properties))
	}
	note := ""
	switch {
	case d.OnRequest:
		note = " Only where `fields` asks for it."
		o.set("examples", arr(d.Example))
	case d.Single:
		note = " With a single one; in lists where `fields` asks for it."
		o.set("examples", arr(d.Example))
	}
	return described(nullable(o, d.Nullable), d.Comment+note)
}

func shapeSchema(s expose.Shape) *node {
	switch s {
	case expose.Count:
		return obj("type", "integer", "format", "int64")
	case expose.Flag:
		return obj("type", "boolean")
	case expose.Amount, expose.Decimal:
		return obj("type", "number")
	case expose.Objects, expose.Texts:
		return obj("type", "array")
	}
	return obj("type", "string")
}
