package crud

import (
	"encoding/json"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/problem"
)

// members are those of a JSON object, as package write takes them. The text
// has been checked: it is JSON, without duplicates.
func members(body []byte) (map[string]any, error) {
	d := jx.DecodeBytes(body)
	switch kind := d.Next(); kind {
	case jx.Object:
		value, err := decode(d)
		object, _ := value.(map[string]any)
		return object, err
	case jx.Null:
		return nil, problem.Inputs(problem.Invalidf("body", nil, "must not be null"))
	default:
		return nil, problem.Inputs(problem.Detail{Field: "body", Message: "must be an object, not " + article(kind)})
	}
}

// article is a kind of JSON with its article.
func article(kind jx.Type) string {
	switch name := kind.String(); kind {
	case jx.Null:
		return name
	case jx.Bool:
		return "a boolean"
	case jx.Array, jx.Object:
		return "an " + name
	default:
		return "a " + name
	}
}

// kindOf is the kind of a value with its article.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return article(jx.Null)
	case bool:
		return article(jx.Bool)
	case string:
		return article(jx.String)
	case []any:
		return article(jx.Array)
	case map[string]any:
		return article(jx.Object)
	}
	return article(jx.Number)
}

// decode reads any JSON. Numbers stay as they are written.
func decode(d *jx.Decoder) (any, error) {
	switch d.Next() {
	case jx.Object:
		object := map[string]any{}
		err := d.Obj(func(d *jx.Decoder, name string) (err error) {
			object[name], err = decode(d)
			return err
		})
		return object, err
	case jx.Array:
		list := []any{}
		err := d.Arr(func(d *jx.Decoder) error {
			item, err := decode(d)
			list = append(list, item)
			return err
		})
		return list, err
	case jx.String:
		return d.Str()
	case jx.Number:
		n, err := d.Num()
		return json.Number(n), err
	case jx.Bool:
		return d.Bool()
	}
	return nil, d.Null()
}
