package search

import (
	"slices"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/runtime/reading"
)

const (
	// shortest is how many characters a word has that may be misspelt.
	shortest = 4
	// nearness is how alike a spelling is to a word, as a part of how alike the
	// best one is. Where the best is in no row that the viewer reads, another
	// may be meant.
	nearness = 0.75
)

// otherwise returns how the i-th word may be written otherwise.
func (t *term) otherwise(i int) []string {
	if t.others == nil {
		return nil
	}
	return t.others[i]
}

// doubtful are the words that may be misspelt.
func (q *Query) doubtful() []string {
	if !q.fuzzy() {
		return nil
	}
	return slices.DeleteFunc(q.words(), func(w string) bool { return utf8.RuneCountInString(w) < shortest })
}

// spelt returns the query with the words that are written nowhere as they are
// also as they may have been meant: nil where there are none.
func (q *Query) spelt(spellings []reading.Spelling) *Query {
	best, others := map[string]float64{}, map[string][]string{}
	for _, s := range spellings {
		best[s.Word] = max(best[s.Word], s.Likeness)
		if s.As == s.Word {
			best[s.Word] = 2 // which nothing is close to
		}
	}
	for _, s := range spellings {
		if s.Likeness >= nearness*best[s.Word] {
			others[s.Word] = append(others[s.Word], s.As)
		}
	}
	if len(others) == 0 {
		return nil
	}
	also := &Query{text: q.text, terms: slices.Clone(q.terms), respelt: true}
	for i := range also.terms {
		t := &also.terms[i]
		t.others = make([][]string, len(t.words))
		for j, w := range t.words {
			t.others[j] = others[w]
		}
	}
	return also
}
