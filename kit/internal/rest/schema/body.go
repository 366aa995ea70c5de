package schema

import (
	"bytes"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/problem"
)

// Body says what is wrong with the body of an operation, all at once. The
// cause is what the decoder said.
func (v *Validator) Body(id string, op *openapi.Operation, body []byte, word Word, cause error) error {
	if err := v.Wrong(id, op, body, word); err != nil {
		return err
	}
	if len(body) == 0 {
		return problem.Wrap(cause, problem.Invalid, "a body is required")
	}
	return problem.Wrap(cause, problem.Invalid, "the body is not what is expected here")
}

// WrongInput is [Validator.Body] for a body that nothing has decoded yet: nil
// where it is as the document has it. One may be absent where that is said.
func (v *Validator) WrongInput(id string, op *openapi.Operation, body []byte, word Word) error {
	v.load()
	at := "/paths/" + escape(op.Path) + "/" + op.Method + "/requestBody"
	described, _ := v.at(at).(map[string]any)
	if len(body) == 0 && described["required"] != true {
		return nil
	}
	err := v.wrong(op, body, word, true)
	if err == nil && len(body) == 0 {
		return problem.New(problem.Invalid, "a body is required")
	}
	return err
}

// Wrong is [Validator.Body] for a body that was decoded: nil where nothing is
// wrong with it.
func (v *Validator) Wrong(_ string, op *openapi.Operation, body []byte, word Word) error {
	return v.wrong(op, body, word, false)
}

// wrong judges a body. With absent, null is as no value for members that may be absent.
func (v *Validator) wrong(op *openapi.Operation, body []byte, word Word, absent bool) error {
	v.load()
	if len(body) == 0 {
		body = []byte("{}")
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return problem.Wrap(err, problem.InvalidJSON, "the body is not valid JSON")
	}
	pointer := "/paths/" + escape(op.Path) + "/" + op.Method + "/requestBody/content/" + escape("application/json") + "/schema"
	instance = shorten(instance)
	if object, is := instance.(map[string]any); is && absent {
		v.leaveOut(object, v.schema(pointer))
	}
	details, err := v.check(pointer, instance, nil, word)
	if err != nil || len(details) == 0 {
		return err
	}
	return problem.Inputs(details...)
}

// leaveOut takes the members out of the object that are null and may be absent.
func (v *Validator) leaveOut(object, schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for name := range properties {
		if value, given := object[name]; given && value == nil && !slices.Contains(required, any(name)) {
			delete(object, name)
		}
	}
}
