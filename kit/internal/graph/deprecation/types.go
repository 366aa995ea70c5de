package deprecation

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
)

// Types puts the names that types had before into those of now, where a document has them: in conditions of fragments and in the
// types of variables. A schema has each type once, so this comes before the
// document is validated.
type Types map[string]string

var _ graphql.OperationParameterMutator = Types{}

// TypesOf are the types among what was renamed.
func TypesOf(renamed map[string]string) Types {
	types := Types{}
	for old, now := range renamed {
		if !strings.Contains(old, ".") {
			types[old] = now
		}
	}
	return types
}

// MutateOperationParameters implements graphql.OperationParameterMutator.
func (t Types) MutateOperationParameters(_ context.Context, params *graphql.RawParams) *gqlerror.Error {
	for old := range t {
		if strings.Contains(params.Query, old) {
			params.Query = t.replaced(params.Query)
			break
		}
	}
	return nil
}

// replaced replaces the names where they stand for types. A document that can't be
// read is left alone: the parser says what is wrong with it.
func (t Types) replaced(document string) string {
	var b strings.Builder
	written, depth, before := 0, 0, lexer.Token{}
	runes := []rune(document)
	for l := lexer.New(&ast.Source{Input: document}); ; {
		token, err := l.ReadToken()
		if err != nil {
			return document
		}
		switch token.Kind {
		case lexer.Comment:
			continue
		case lexer.EOF:
			b.WriteString(string(runes[written:]))
			return b.String()
		case lexer.BraceL:
			depth++
		case lexer.BraceR:
			depth--
		case lexer.Name:
			ofVariable := depth == 0 && (before.Kind == lexer.Colon || before.Kind == lexer.BracketL)
			ofFragment := before.Kind == lexer.Name && before.Value == "on"
			if now := t[token.Value]; now != "" && (ofVariable || ofFragment) {
				b.WriteString(string(runes[written:token.Pos.Start]) + now)
				written = token.Pos.End
			}
		}
		before = token
	}
}
