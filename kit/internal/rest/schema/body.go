package schema

import (
	"bytes"

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
	err := v.Wrong(id, op, body, word)
	if err == nil && len(body) == 0 {
		return problem.New(problem.Invalid, "a body is required")
	}
	return err
}

// Wrong is [Validator.Body] for a body that was decoded: nil where nothing is
// wrong with it.
func (v *Validator) Wrong(id string, op *openapi.Operation, body []byte, word Word) error {
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
	details, err := v.check(pointer, instance, nil, word)
	if err != nil || len(details) == 0 {
		return err
	}
	return problem.Inputs(details...)
}
