package schema

import (
	"bytes"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/problem"
)

// Echoed gives the details of a duplicate the values that the body of the
// operation has at their fields: the database says which columns are taken, and
// not by what. All other errors stay as they are.
func (v *Validator) Echoed(op *openapi.Operation, body []byte, err error) error {
	if op == nil || problem.KindOf(err) != problem.Duplicate {
		return err
	}
	v.load()
	return v.echoed(v.schema("/paths/"+escape(op.Path)+"/"+op.Method+"/requestBody/content/"+escape("application/json")+"/schema"), body, err)
}

func (v *Validator) echoed(schema map[string]any, body []byte, err error) error {
	instance, bad := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if bad != nil {
		return err
	}
	properties, _ := schema["properties"].(map[string]any)
	sent, _ := instance.(map[string]any)
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		value, ok := sent[d.Field]
		property, described := properties[d.Field].(map[string]any)
		if d.Echo || !ok || !described || property["writeOnly"] == true || property["format"] == "password" || holdsMembers(value) {
			return d
		}
		told := problem.Rulef(d.Field, value, "%s", d.Message)
		told.Unprocessable = d.Unprocessable
		return told
	})
}

// schema is the schema at the pointer, or the one that it refers to.
func (v *Validator) schema(pointer string) map[string]any {
	schema, _ := v.at(pointer).(map[string]any)
	if reference, ok := schema["$ref"].(string); ok {
		return v.schema(strings.TrimPrefix(reference, "#"))
	}
	return schema
}
