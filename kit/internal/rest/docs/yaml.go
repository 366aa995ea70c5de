package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// toYAML is a document in JSON as people write YAML: in lines, with the order of its
// members. It panics where the text is no JSON, for the document is generated.
func toYAML(document []byte) []byte {
	y := writer{Decoder: json.NewDecoder(bytes.NewReader(document))}
	y.UseNumber()
	y.value(0, true)
	return y.text
}

// writer writes what it reads.
type writer struct {
	*json.Decoder
	text []byte
}

// next is the next token.
func (y *writer) next() json.Token {
	token, err := y.Token()
	if err != nil {
		panic(err)
	}
	return token
}

// value writes the next value: a scalar in the line that has begun, the members of an
// object or a list in lines of this depth. The first of them is in the line that has begun
// where that is the document's first or has a dash alone.
func (y *writer) value(depth int, begun bool) {
	token := y.next()
	kind, holds := token.(json.Delim)
	if !holds {
		y.text = append(append(y.text, y.scalar(token, depth)...), '\n')
		return
	}
	if !y.More() {
		y.text = append(y.text, kind.String()+y.next().(json.Delim).String()+"\n"...)
		return
	}
	if !begun {
		y.text = append(bytes.TrimSuffix(y.text, []byte(" ")), '\n')
	}
	for i := 0; y.More(); i++ {
		if i > 0 || !begun {
			y.text = append(y.text, strings.Repeat("  ", depth)...)
		}
		if kind == '[' {
			y.text = append(y.text, "- "...)
		} else {
			y.text = append(y.text, inLine(y.next().(string))+": "...)
		}
		y.value(depth+1, kind == '[')
	}
	y.next() // its end
}

// scalar is a value without members. A text of several lines has lines of the depth.
func (y *writer) scalar(token json.Token, depth int) string {
	text, is := token.(string)
	switch {
	case token == nil:
		return "null"
	case !is:
		return fmt.Sprint(token)
	case !strings.Contains(text, "\n") || strings.ContainsFunc(text, hidden) || strings.Contains(text+"\n", " \n") || strings.TrimSpace(text) != text:
		return inLine(text)
	}
	lines := strings.ReplaceAll(text, "\n", "\n"+strings.Repeat("  ", depth))
	return "|-\n" + strings.Repeat("  ", depth) + strings.ReplaceAll(lines, "\n"+strings.Repeat("  ", depth)+"\n", "\n\n")
}

func hidden(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }

// words are texts that a parser of YAML takes for other values.
var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// inLine is a text without quotes where a parser of YAML takes it for one, or as JSON has it.
func inLine(text string) string {
	beyond := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-./$(){},;'", r)
	}
	first := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("_/$", r) })
	if first == 0 && !strings.ContainsFunc(text, beyond) && !strings.HasSuffix(text, " ") && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSpace(quoted.String())
}
