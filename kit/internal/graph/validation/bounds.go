// Package validation refuses documents that are not valid, at a cost that a
// client can't drive up.
//
// [Bounds] counts what the text of a document has before it is parsed. [Rules] are
// gqlparser's, bounded: each finds a number of errors and no more, suggests names
// in short documents alone, and compares fields after it has merged those that are
// repeated. Package limits bounds the operations of valid documents.
package validation

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
)

// MaxTokens is how many tokens a document may have.
const MaxTokens = 2000

// The bounds of a document's text beside tokens and aliases. Names are compared
// with others for suggestions, values checked level by level, and fragments
// compared in pairs: each costs the square of what it gets.
const (
	maxName    = 255
	maxLiteral = 32 // levels of lists and objects in an argument
	maxSpreads = 300
	maxErrors  = 20
	maxList    = 1000 // values of a list in a variable
	// maxDocument is in bytes: a text is copied several times until it is known
	// to be too much.
	maxDocument = 512 << 10
	// small documents are harmless, whatever they say.
	small = 512
	// maxSuggesting is how many bytes a document has whose errors suggest names.
	maxSuggesting = 4096
)

// Bounds refuses documents by their text, before they are parsed and
// validated: what [limits.Limiter] says of them comes too late for those that
// make validation itself expensive.
type Bounds struct {
	// Valid are documents that were valid before.
	Valid graphql.Cache[*ast.QueryDocument]
}

var _ graphql.OperationParameterMutator = Bounds{}

// MutateOperationParameters implements graphql.OperationParameterMutator.
func (b Bounds) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	if len(params.Query) > maxDocument {
		return failure.TooComplex("the document has %d bytes: %d are allowed, large values go into variables", len(params.Query), maxDocument)
	}
	if err := escaped(params.Query); err != nil {
		return err
	}
	if len(params.Query) <= small {
		return nil
	}
	if _, ok := b.Valid.Get(ctx, params.Query); ok {
		return nil
	}
	return scan(params.Query)
}

// Variables refuses variables with lists that are too long.
func Variables(given map[string]any) *gqlerror.Error {
	for name, value := range given {
		if at, n := longList(value); n > 0 {
			return failure.Refusal(problem.Invalid, "variable $%s has %d values: %d are allowed", name+at, n, maxList)
		}
	}
	return nil
}

// scan counts what a document has. The parser reports text that is no token.
func scan(document string) *gqlerror.Error {
	tokens := lexer.New(&ast.Source{Input: document})
	var (
		before          lexer.Type
		aliases         int
		spreads         int
		literal, inside int // levels of braces and brackets, and of parentheses around them
	)
	for n := 0; n <= MaxTokens; n++ {
		t, err := tokens.ReadToken()
		if err != nil || t.Kind == lexer.EOF {
			return nil //nolint:nilerr // the parser says what is wrong
		}
		switch {
		case t.Kind == lexer.Name && len(t.Value) > maxName:
			return failure.Refusal(problem.Invalid, "a name has %d bytes: %d are allowed", len(t.Value), maxName)
		case t.Kind == lexer.ParenL:
			inside++
		case t.Kind == lexer.ParenR:
			inside--
		case inside > 0 && (t.Kind == lexer.BraceL || t.Kind == lexer.BracketL):
			if literal++; literal > maxLiteral {
				return failure.Refusal(problem.Invalid, "an argument nests deeper than %d levels", maxLiteral)
			}
		case inside > 0 && (t.Kind == lexer.BraceR || t.Kind == lexer.BracketR):
			literal--
		case t.Kind == lexer.Spread:
			if spreads++; spreads > maxSpreads {
				return failure.TooComplex("the document has more than %d fragments in its selections", maxSpreads)
			}
		case inside == 0 && t.Kind == lexer.Colon && before == lexer.Name:
			if aliases++; aliases > limits.MaxAliases {
				return failure.TooComplex("the document has more than %d aliases", limits.MaxAliases)
			}
		}
		before = t.Kind
	}
	return failure.TooComplex("the document has more than %d tokens: ask in several requests, large values go into variables", MaxTokens)
}

// longList returns the place and the length of a list that is too long for
// anything that takes one, 0 where there is none.
func longList(value any) (at string, n int) {
	switch v := value.(type) {
	case []any:
		if len(v) > maxList {
			return "", len(v)
		}
		for i, element := range v {
			if at, n := longList(element); n > 0 {
				return "[" + strconv.Itoa(i) + "]" + at, n
			}
		}
	case map[string]any:
		for name, member := range v {
			if at, n := longList(member); n > 0 {
				return "." + name + at, n
			}
		}
	}
	return "", 0
}
