package search

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/fold"
)

// Longest is the longest query, in characters.
const Longest = 200

// Query is a parsed query of a user: all of the words, with
// "words in quotes" next to each other, and without the -words that follow a
// hyphen. The last word may be the beginning of one. Case does not count, and
// nothing that can be typed is a mistake.
//
// A hit's score says how well a row answers, from 0 to 1, the same for every
// entity and database. A word counts for the field that it is in (the title 1,
// further fields 0.4, 0.2 and 0.1) and a little more each time it is there again,
// in the first 2,000 characters of each; the mean over the words is four fifths of
// the score, and the share of the title that the words make up the last fifth. A
// row with a corrected spelling of a word counts half.
type Query struct {
	text  string
	terms []term
	// respelt is set where words may be written otherwise.
	respelt bool
}

// term is a word, or several that stand together.
type term struct {
	words  []string   // folded
	others [][]string // how each may be written otherwise, nil for none
	not    bool
	prefix bool // the last word may be the beginning of one
}

// Parse reads a query. It fails for a text that is empty, too long, or not valid
// UTF-8.
func Parse(text string) (*Query, error) {
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return nil, fmt.Errorf("must be valid UTF-8 without NUL")
	case strings.TrimSpace(text) == "":
		return nil, fmt.Errorf("is required")
	case utf8.RuneCountInString(text) > Longest:
		return nil, fmt.Errorf("must be at most %d characters, not %d", Longest, utf8.RuneCountInString(text))
	}
	q := &Query{text: text}
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		var chunk string
		t := term{}
		if len(rest) > 1 && rest[0] == '-' {
			t.not, rest = true, rest[1:]
		}
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			chunk, rest, _ = strings.Cut(quoted, `"`)
		} else {
			end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
			if end < 0 {
				end = len(rest)
			}
			chunk, rest = rest[:end], rest[end:]
			t.prefix = rest == "" && !t.not
		}
		for _, w := range split(fold.String(chunk)) {
			t.words = append(t.words, w.text)
		}
		if len(t.words) > 0 {
			last := t.words[len(t.words)-1]
			t.prefix = t.prefix && utf8.RuneCountInString(last) > 1
			q.terms = append(q.terms, t)
		}
	}
	return q, nil
}

// empty reports whether there is no word to look for: nothing is found then.
func (q *Query) empty() bool {
	for _, t := range q.terms {
		if !t.not {
			return false
		}
	}
	return true
}

// fuzzy reports whether the words may be misspelt: who quotes them means them.
func (q *Query) fuzzy() bool {
	for _, t := range q.terms {
		if t.not {
			return false
		}
	}
	return !strings.Contains(q.text, `"`) && utf8.RuneCountInString(q.plain()) > 3
}

// plain is the words alone.
func (q *Query) plain() string { return strings.Join(q.words(), " ") }

func (q *Query) words() (all []string) {
	for _, t := range q.terms {
		all = append(all, t.words...)
	}
	return all
}

// Postgres implements read.Words. Words are letters and digits alone, so
// nothing in them can mean anything else.
func (q *Query) Postgres(weights string) string {
	var all []string
	for _, t := range q.terms {
		var words []string
		for i, w := range t.words {
			label := weights
			if t.prefix && i == len(t.words)-1 {
				label = "*" + label
			}
			if label != "" {
				label = ":" + label
			}
			word := "'" + w + "'" + label
			for _, other := range t.otherwise(i) {
				word += " | '" + other + "'" + only(weights)
			}
			if len(t.otherwise(i)) > 0 {
				word = "(" + word + ")"
			}
			words = append(words, word)
		}
		not := ""
		if t.not {
			not = "!"
		}
		all = append(all, not+"("+strings.Join(words, " <-> ")+")")
	}
	return strings.Join(all, " & ")
}

// only is the label of a word that counts where it has one of the weights.
func only(weights string) string {
	if weights == "" {
		return ""
	}
	return ":" + weights
}

// SQLite implements read.Words. It has no words that are written otherwise.
func (q *Query) SQLite(columns []string) string {
	var with, without []string
	for _, t := range q.terms {
		phrase := `"` + strings.Join(t.words, " ") + `"`
		switch {
		case t.not:
			without = append(without, phrase)
		case t.prefix:
			with = append(with, phrase+" *")
		default:
			with = append(with, phrase)
		}
	}
	filter := ""
	if columns != nil {
		filter = "{" + strings.Join(columns, " ") + "} : "
	}
	text := filter + "(" + strings.Join(with, " AND ") + ")"
	if len(without) > 0 {
		text += " NOT " + filter + "(" + strings.Join(without, " OR ") + ")"
	}
	return text
}
