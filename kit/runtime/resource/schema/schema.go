package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// schemas explains requests that ogen could not decode. ogen stops at the
// first thing that is wrong; the document, read as JSON Schema, tells all.
// Nothing is compiled before something is wrong.
type schemas struct {
	once     sync.Once
	document any
	mu       sync.Mutex // the compiler is for one at a time
	compiler *jsonschema.Compiler
}

const documentURL = "entwine:///openapi.json"

func (s *schemas) load() {
	s.once.Do(func() {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Document))
		if err != nil {
			panic(err) // it is generated
		}
		s.document = document
		s.compiler = jsonschema.NewCompiler()
		s.compiler.DefaultDraft(jsonschema.Draft2020)
		s.compiler.AssertFormat()
		for _, f := range formats {
			s.compiler.RegisterFormat(f)
		}
		if err := s.compiler.AddResource(documentURL, document); err != nil {
			panic(err)
		}
	})
}

// formats are those that the schema's own validators check in the same way.
var formats = []*jsonschema.Format{
	{Name: "email", Validate: forText(expose.ValidEmail)},
	{Name: "date-time", Validate: forText(func(text string) error {
		_, err := time.Parse(time.RFC3339, text)
		return err
	})},
	{Name: "moment", Validate: forText(func(text string) error {
		_, err := reading.ParseMoment(text)
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

// body says what is wrong with a body, all at once.
func (s *schemas) body(x *door.Exchange, cause *ogenerrors.DecodeRequestError) error {
	s.load()
	op := spec.Operations[x.Operation]
	text := x.Body
	if len(text) == 0 {
		text = []byte("{}")
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return problem.Wrap(cause, problem.InvalidJSON, "the body is not valid JSON")
	}
	pointer := "/paths/" + escape(op.Path) + "/" + op.Method + "/requestBody/content/" + escape("application/json") + "/schema"
	instance = shorten(instance)
	details, err := s.check(pointer, instance, nil)
	if err != nil {
		return err
	}
	if len(details) > 0 {
		details = append(details, before(x.Operation, instance)...)
		return problem.Inputs(append(details, weakPassword(x.Operation, instance)...)...)
	}
	if len(x.Body) == 0 {
		return problem.Wrap(cause, problem.Invalid, "a body is required")
	}
	return problem.Wrap(cause, problem.Invalid, "the body is not what is expected here")
}

// params says what is wrong with the parameters that ogen decodes, all at once.
func (s *schemas) params(x *door.Exchange, cause *ogenerrors.DecodeParamsError) error {
	s.load()
	op := spec.Operations[x.Operation]
	at := "/paths/" + escape(op.Path) + "/" + op.Method + "/parameters"
	list, _ := s.at(at).([]any)
	var details []problem.Detail
	for i := range list {
		pointer := at + "/" + strconv.Itoa(i)
		parameter, _ := s.at(pointer).(map[string]any)
		if reference, ok := parameter["$ref"].(string); ok {
			pointer = strings.TrimPrefix(reference, "#")
			parameter, _ = s.at(pointer).(map[string]any)
		}
		found, err := s.param(pointer, parameter, x, op)
		if err != nil {
			return err
		}
		details = append(details, found...)
	}
	if len(details) == 0 {
		return problem.Wrap(cause, problem.Invalid, "a parameter is not valid")
	}
	for i := range details {
		details[i].Unprocessable = false // a bad parameter is always 400
	}
	return problem.Inputs(details...)
}

func (s *schemas) param(pointer string, parameter map[string]any, x *door.Exchange, op *spec.Operation) ([]problem.Detail, error) {
	name, _ := parameter["name"].(string)
	var text string
	var given bool
	switch parameter["in"] {
	case "path":
		text, given = pathValue(op.Path, strings.TrimPrefix(x.Request.URL.Path, x.Base), name), true
	case "query":
		text, given = x.Request.URL.Query().Get(name), x.Request.URL.Query().Has(name)
	case "header":
		text, given = x.Request.Header.Get(name), len(x.Request.Header.Values(name)) > 0
	}
	if !given {
		if parameter["required"] == true {
			return []problem.Detail{problem.Invalidf(name, nil, "is required")}, nil
		}
		return nil, nil
	}
	schema, _ := parameter["schema"].(map[string]any)
	return s.check(pointer+"/schema", parameterValue(schema, text), []string{name})
}

// pathValue is the value of the parameter in the path.
func pathValue(pattern, path, name string) string {
	segments := strings.Split(path, "/")
	i := slices.Index(strings.Split(pattern, "/"), "{"+name+"}")
	if i < 0 || i >= len(segments) {
		return ""
	}
	return segments[i]
}

// parameterValue is the text as a value of the type that the schema expects,
// or as it is, so that the schema finds it wrong.
func parameterValue(schema map[string]any, text string) any {
	switch schema["type"] {
	case "integer", "number":
		if n := json.Number(text); json.Valid([]byte(text)) {
			if _, err := n.Float64(); err == nil {
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

// check validates an instance against the schema at the pointer.
func (s *schemas) check(pointer string, instance any, at []string) ([]problem.Detail, error) {
	s.mu.Lock()
	schema, err := s.compiler.Compile(documentURL + "#" + pointer)
	s.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("compile schema %s: %w", pointer, err)
	}
	invalid, ok := schema.Validate(instance).(*jsonschema.ValidationError) //nolint:errorlint // it is never wrapped
	if !ok {
		return nil, nil
	}
	f := &findings{schemas: s, instance: instance, prefix: at}
	f.add(invalid)
	slices.SortStableFunc(f.details, func(a, b problem.Detail) int { return strings.Compare(a.Field, b.Field) })
	return f.details[:min(len(f.details), mostDetails)], nil
}

// at returns what is at the pointer in the document, or nil.
func (s *schemas) at(pointer string) any { return lookup(s.document, pointer) }

func lookup(value any, pointer string) any {
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func escape(token string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(token) }
