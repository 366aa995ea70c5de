package schema

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
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
		if _, whole, fits := strictjson.Whole(string(n)); whole && !fits {
			return strconv.ErrRange
		}
		return nil // a number with a fraction is of the wrong type
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
