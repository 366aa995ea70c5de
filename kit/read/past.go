package read

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
)

// pastDigest is the digest that a listing had by the names before (expose.Was,
// expose.ValueWas): a cursor that a client kept through the change has it. It is 0
// where nothing had another name. The SQL of filters names columns, which are
// taken for those of the entity and of those next to it.
func pastDigest(e *entity.Entity, terms []entity.Term, text []byte, args []any) digest {
	words, values := map[string]string{}, map[string]string{}
	past(e, words, values)
	for _, g := range e.Edges {
		past(g.To, words, values)
	}
	if e.Was == "" && len(words)+len(values) == 0 {
		return 0
	}
	d := digest(14695981039346656037).text(entityWas(e))
	for _, t := range terms {
		d = d.term(t, fieldWas(t.Field))
	}
	d = d.text(inWords(string(text), words))
	for _, arg := range args {
		text := fmt.Sprint(arg)
		if before, ok := values[text]; ok {
			text = before
		}
		d = d.text(text)
	}
	return d
}

// past adds the columns by those before, and the values of enums.
func past(e *entity.Entity, words, values map[string]string) {
	if e.Was != "" {
		words[e.Table], words[e.Singular+"_id"] = e.WasTable, e.WasSingular+"_id"
	}
	for _, g := range e.Edges {
		if table, own := strings.CutSuffix(joined(g), "_"+g.Name); own && (g.Old != nil || e.Was != "") {
			if table == e.Singular && e.Was != "" {
				table = e.WasSingular
			}
			words[joined(g)] = table + "_" + edgeWas(g)
		}
	}
	for _, f := range e.Fields {
		if f.Old != nil && f.Column == f.Name {
			words[f.Column] = f.Old.Name
			if f.Fold != "" {
				words[f.Fold] = strings.Replace(f.Fold, f.Column, f.Old.Name, 1)
			}
		}
		for before, now := range f.OldValues {
			values[now] = before
		}
	}
}

// inWords replaces whole words: the names of columns.
func inWords(text string, words map[string]string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexFunc(text, func(c rune) bool { return !isWord(c) })
		if n < 0 {
			n = len(text)
		}
		word := text[:n]
		if before, ok := words[word]; ok {
			word = before
		}
		b.WriteString(word)
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	return b.String()
}

func isWord(c rune) bool { return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' }

// joined is the table between, empty where there is none.
func joined(g *entity.Edge) string {
	if g.Join == nil {
		return ""
	}
	return g.Join.Table
}

func entityWas(e *entity.Entity) string {
	if e.Was != "" {
		return e.Was
	}
	return e.Name
}

func fieldWas(f *entity.Field) string {
	if f.Old != nil {
		return f.Old.Name
	}
	return f.Name
}

func edgeWas(g *entity.Edge) string {
	if g.Old != nil {
		return g.Old.Name
	}
	return g.Name
}
