package schema

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/problem"
)

// Params says what is wrong with the parameters of a request, all at once. The
// path is the request's as the document has it; the cause is what the decoder
// said.
func (v *Validator) Params(op *openapi.Operation, r *http.Request, path string, word Word, cause error) error {
	if err := v.WrongParams(op, r, path, word); err != nil {
		return err
	}
	return problem.Wrap(cause, problem.Invalid, "a parameter is not valid")
}

// WrongParams is [Validator.Params] for parameters that nothing has decoded yet:
// nil where nothing is wrong with them.
func (v *Validator) WrongParams(op *openapi.Operation, r *http.Request, path string, word Word) error {
	v.load()
	at := "/paths/" + escape(op.Path) + "/" + op.Method + "/parameters"
	list, _ := v.at(at).([]any)
	var details []problem.Detail
	for i := range list {
		pointer := at + "/" + strconv.Itoa(i)
		parameter, _ := v.at(pointer).(map[string]any)
		if reference, ok := parameter["$ref"].(string); ok {
			pointer = strings.TrimPrefix(reference, "#")
			parameter, _ = v.at(pointer).(map[string]any)
		}
		found, err := v.param(pointer, parameter, op, r, path, word)
		if err != nil {
			return err
		}
		details = append(details, found...)
	}
	for i := range details {
		details[i].Unprocessable = false // a bad parameter is always 400
	}
	return problem.Inputs(details...)
}

func (v *Validator) param(pointer string, parameter map[string]any, op *openapi.Operation, r *http.Request, path string, word Word) ([]problem.Detail, error) {
	name, _ := parameter["name"].(string)
	var text string
	var given bool
	switch parameter["in"] {
	case "path":
		text, given = op.PathValue(path, name), true
	case "query":
		text, given = r.URL.Query().Get(name), r.URL.Query().Has(name)
	case "header":
		text, given = r.Header.Get(name), len(r.Header.Values(name)) > 0
	}
	if !given {
		if parameter["required"] == true {
			return []problem.Detail{problem.Invalidf(word(name), nil, "is required")}, nil
		}
		return nil, nil
	}
	schema, _ := parameter["schema"].(map[string]any)
	if _, whole, _ := strictjson.Whole(text); whole && schema["type"] == "integer" && strings.ContainsAny(text, ".eE") {
		return []problem.Detail{problem.Invalidf(word(name), text, "must be a whole number, written without a fraction or an exponent")}, nil
	}
	return v.check(pointer+"/schema", parameterValue(schema, text), []string{name}, word)
}

// parameterValue is the text as a value of the type that the schema expects,
// or unchanged, so that the schema refuses it.
func parameterValue(schema map[string]any, text string) any {
	switch schema["type"] {
	case "integer", "number":
		if n := json.Number(text); json.Valid([]byte(text)) {
			if _, err := n.Float64(); err == nil || !strings.ContainsAny(text, ".eE") {
				return n
			}
		}
	case "boolean":
		switch text {
		case "true", "false":
			return text == "true"
		}
	case "array":
		items, _ := schema["items"].(map[string]any)
		var list []any
		for one := range strings.SplitSeq(text, ",") {
			list = append(list, parameterValue(items, one))
		}
		return list
	}
	return text
}
