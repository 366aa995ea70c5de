package model

import "github.com/entwine-go/entwine/kit/expose"

// addMeasures adds the fields of pictures that are declared with expose.Measured. They are read from the
// row of the file by its unique address, so that no write can have them differ from the picture.
func (e *Entity) addMeasures() {
	for _, f := range e.Fields {
		if f.File == nil || !f.File.Measured {
			continue
		}
		add := func(column, comment string, shape expose.Shape, example any) {
			e.Derived = append(e.Derived, expose.Derived{
				Name: f.Name + "_" + column, Comment: comment, Shape: shape, Example: example, OnRequest: true, Nullable: true,
				SQL: `(SELECT "pictured"."` + column + `" FROM "files" AS "pictured" WHERE "pictured"."address" = {row}."` + f.Type.StorageKey() + `")`,
			})
		}
		none := " It is null where there is none, or one of another server."
		add("width", "How many pixels wide the picture in "+f.REST+" is."+none, expose.Count, 640)
		add("height", "How many pixels high the picture in "+f.REST+" is."+none, expose.Count, 480)
		add("blur_hash", "What a page shows until the picture in "+f.REST+" is loaded, as BlurHash (https://blurha.sh)."+none, expose.Text, "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
	}
}
