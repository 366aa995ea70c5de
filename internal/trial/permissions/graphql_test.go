package permissions_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/internal/entity"
	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/internal/trial/land"
)

// graphQLFields are the queries for root fields whose arguments can't be derived from
// the schema.
var graphQLFields = map[string]string{
	"completeUpload": `completeUpload(id: "${files@new}") { url }`,
	"createPayment":  `createPayment(input: {amount: 19.99, currency: "USD"}) { id }`,
	"endSession":     `endSession(id: "${auth/sessions}")`,
	"fileUpload":     `fileUpload(id: "${files@new}") { complete }`,
	"forgotPassword": `forgotPassword(email: "owner@example.com")`,
	"login":          `login(email: "owner@example.com", password: "correct horse 1") { accessToken }`,
	"register":       `register(name: "Somebody", email: "somebody@example.com", password: "correct horse 1") { accessToken }`,
	"pinAPIKey":      `pinAPIKey(id: "${api-keys}", apiVersion: "v2") { __typename }`,
	"resetPassword":  `resetPassword(token: "made up", newPassword: "correct horse 1")`,
	"presence":       `presence(id: "${posts, globally}") { __typename }`,
	"rotateAPIKey":   `rotateAPIKey(id: "${api-keys}") { key }`,
	"requestUpload":  `requestUpload(input: {for: "profile.avatar", size: 10}) { id }`,
	"changePassword": `changePassword(oldPassword: "correct horse 1", newPassword: "correct horse 2")`,
	"sendEmail":      `sendEmail(input: {to: "somebody@example.com", subject: "Hello", text: "There."}) { id }`,
}

// graphQLStates are the states in which root fields find their row, other
// than the usual one.
var graphQLStates = map[string][]string{
	"post": {"", "@draft"},
}

// graphQLQuestions are the root fields of the schema.
func graphQLQuestions(l *land.Land) (all []question) {
	s := generated.Generated(nil).GraphQL()
	for _, root := range []*ast.Definition{s.Query, s.Mutation} {
		for _, f := range root.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			states := graphQLStates[f.Name]
			if states == nil {
				states = []string{""}
			}
			for _, state := range states {
				all = append(all, question{
					name: strings.TrimSpace(strings.ToLower(root.Name) + " " + f.Name + " " + state),
					ask: func(l *land.Land) *http.Request {
						return land.Post(l, strings.ToLower(root.Name)+" { answer: "+callOf(l, s, f, state)+" }")
					},
					told: firstCode,
				})
			}
		}
	}
	slices.SortFunc(all, func(a, b question) int { return strings.Compare(a.name, b.name) })
	return all
}

// typeQuestions are the owner's rows of every type, each with all its plain
// fields: the answer counts those that are hidden.
func typeQuestions(l *land.Land) (all []question) {
	s := generated.Generated(nil).GraphQL()
	for _, e := range entity.All {
		def := s.Types[e.Name]
		if def == nil {
			continue
		}
		for _, f := range def.Fields {
			if inner := s.Types[f.Type.Name()]; inner.IsCompositeType() || f.Name == "__typename" {
				continue
			}
			all = append(all, question{
				name: e.Name + "." + f.Name,
				ask: func(l *land.Land) *http.Request {
					return land.Post(l, fmt.Sprintf("{ answer: node(id: %q) { ... on %s { %s } } }", l.Global(e.Name, ""), e.Name, f.Name+arguments(l, s, e.Name, f, "")))
				},
				told: firstCode,
			})
		}
	}
	slices.SortFunc(all, func(a, b question) int { return strings.Compare(a.name, b.name) })
	return all
}

// shortCodes keep the tables narrow.
var shortCodes = map[string]string{
	"UNAUTHENTICATED": "UNAUTH", "TOKEN_EXPIRED": "EXPIRED", "DUPLICATE_RESOURCE": "DUPLICATE", "BAD_USER_INPUT": "INPUT",
	"INVALID_CREDENTIALS": "CREDENTIALS",
}

// firstCode is the code of an answer's first error, "ok" without one.
func firstCode(w *httptest.ResponseRecorder) string {
	var answer struct {
		Data   map[string]any
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return err.Error()
	}
	if len(answer.Errors) == 0 {
		if answer.Data["answer"] == nil {
			return "null"
		}
		return "ok"
	}
	code := answer.Errors[0].Extensions.Code
	if short, ok := shortCodes[code]; ok {
		return short
	}
	return code
}

// callOf is a root field with the arguments that it needs.
func callOf(l *land.Land, s *ast.Schema, f *ast.FieldDefinition, state string) string {
	if text, ok := graphQLFields[f.Name]; ok {
		return l.Filled(text)
	}
	return f.Name + arguments(l, s, land.Subject(s, f), f, state) + selection(s, f.Type)
}

// arguments are those that a field needs, in their brackets.
func arguments(l *land.Land, s *ast.Schema, about string, f *ast.FieldDefinition, state string) string {
	var all []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			all = append(all, a.Name+": "+literal(l, s, about, a.Name, a.Type, state))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// selection asks for as little as can be asked for.
func selection(s *ast.Schema, t *ast.Type) string {
	if def := s.Types[t.Name()]; !def.IsCompositeType() {
		return ""
	}
	return " { __typename }"
}

// literal makes a value that is right for an argument.
func literal(l *land.Land, s *ast.Schema, about, name string, t *ast.Type, state string) string {
	if t.Elem != nil {
		return "[" + literal(l, s, about, name, t.Elem, state) + "]"
	}
	def := s.Types[t.NamedType]
	switch {
	case def.Kind == ast.InputObject:
		var fields []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+": "+literal(l, s, about, f.Name, f.Type, state))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	}
	switch t.NamedType {
	case "ID":
		for _, suffix := range []string{"Id", "ID", "Ids", "IDs"} {
			if owner, ok := strings.CutSuffix(name, suffix); ok && owner != "" {
				about = strings.ToUpper(owner[:1]) + owner[1:]
			}
		}
		return fmt.Sprintf("%q", l.Global(about, state))
	case "Int":
		return "3"
	case "Float":
		return "9.5"
	case "Boolean":
		return "true"
	}
	switch name {
	case "email":
		return `"somebody@example.com"`
	case "name":
		return `"somebody"`
	}
	return `"some text"`
}
