// Package schema finds the faults of requests: of those that a generated server could not decode,
// and of those that nothing else judges. The decoder stops at the first mistake; the OpenAPI
// document, read as JSON Schema, finds all of them.
//
// It owns the wording, which is that of the validators of package expose, and how
// much is reported: a bounded number of findings, and no secret. Operations check
// the conditions that JSON Schema can't express.
package schema

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/problem"
)

// Validator judges requests against a document. It compiles nothing before
// something is wrong. Use [New].
type Validator struct {
	text []byte

	once     sync.Once
	document any
	mu       sync.Mutex // the compiler is for one at a time
	compiler *jsonschema.Compiler
}

// validators are those of the process, by the hashes of their documents: handlers of the same
// document share what was parsed and compiled of it.
var validators sync.Map

// New returns the validator of the document, which is JSON.
func New(document []byte) *Validator {
	v, _ := validators.LoadOrStore(sha256.Sum256(document), &Validator{text: document})
	return v.(*Validator)
}

// Word is an API version's form of a name of the document.
type Word = func(string) string

const documentURL = "document:///openapi.json"

func (v *Validator) load() {
	v.once.Do(func() {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.text))
		if err != nil {
			panic(err) // it is generated
		}
		bounded(document)
		v.document = document
		v.compiler = jsonschema.NewCompiler()
		v.compiler.DefaultDraft(jsonschema.Draft2020)
		v.compiler.AssertFormat()
		for _, f := range formats {
			v.compiler.RegisterFormat(f)
		}
		if err := v.compiler.AddResource(documentURL, document); err != nil {
			panic(err)
		}
	})
}

// bounded gives integers of the document the format of what decodes them, where they
// have none: 64 bits.
func bounded(value any) {
	switch v := value.(type) {
	case map[string]any:
		if v["type"] == "integer" && v["format"] == nil {
			v["format"] = "int64"
		}
		for _, member := range v {
			bounded(member)
		}
	case []any:
		for _, item := range v {
			bounded(item)
		}
	}
}

// check validates an instance against the schema at the pointer.
func (v *Validator) check(pointer string, instance any, at []string, word Word) ([]problem.Detail, error) {
	v.mu.Lock()
	schema, err := v.compiler.Compile(documentURL + "#" + pointer)
	v.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("compile schema %s: %w", pointer, err)
	}
	invalid, ok := schema.Validate(instance).(*jsonschema.ValidationError) //nolint:errorlint // it is never wrapped
	if !ok {
		return nil, nil
	}
	f := &findings{validator: v, instance: instance, prefix: at, word: word}
	f.add(invalid)
	slices.SortStableFunc(f.details, func(a, b problem.Detail) int { return strings.Compare(a.Field, b.Field) })
	return f.details[:min(len(f.details), maxDetails)], nil
}

// at returns what is at the pointer in the document, or nil.
func (v *Validator) at(pointer string) any { return lookup(v.document, pointer) }

func lookup(value any, pointer string) any {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
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
