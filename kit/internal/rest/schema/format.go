package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
)

// formats are those that the schema's own validators check in the same way.
var formats = []*jsonschema.Format{
	{Name: "email", Validate: forText(expose.ValidEmail)},
	{Name: expose.LineFormat, Validate: forText(expose.ValidLine)},
	{Name: "date-time", Validate: forText(func(text string) error {
		_, err := time.Parse(time.RFC3339, text)
		return err
	})},
	{Name: "moment", Validate: forText(func(text string) error {
		_, err := entity.ParseMoment(text)
		return err
	})},
	{Name: "int64", Validate: func(v any) error {
		n, ok := v.(json.Number)
		if !ok {
			return nil
		}
		if !isInteger(n) { // 33.0 is an integer of JSON Schema, but not of what decodes it
			if f, err := n.Float64(); err == nil && f != math.Trunc(f) {
				return nil // it is of the wrong type
			}
		}
		_, err := strconv.ParseInt(string(n), 10, 64)
		return err
	}},
	{Name: "double", Validate: func(v any) error {
		if n, ok := v.(json.Number); ok {
			_, err := n.Float64()
			return err
		}
		return nil
	}},
}

func forText(check func(string) error) func(any) error {
	return func(v any) error {
		if text, ok := v.(string); ok {
			return check(text)
		}
		return nil
	}
}

func isInteger(n json.Number) bool { return !strings.ContainsAny(string(n), ".eE") }
