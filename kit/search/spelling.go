package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/entity"
)

// A word that is misspelt has most often one of its halves right. So spellings
// are looked for in rows that have a half of it, and only in rows and fields
// that the viewer reads: what others have written neither is a spelling, nor
// keeps one from being found, nor adds a statement.

const (
	// shortest and longest are how many characters a word has that may be misspelt,
	// or meant.
	shortest, longest = 4, 40
	// part is how many characters a part of a word has at least.
	part = 3
	// sampled is how many rows with a part of a word are looked through.
	sampled = 200
	// mostDoubtful is how many words of a query may be misspelt.
	mostDoubtful = 4
	// alike is how alike a spelling is to the word at least, from 0 to 1.
	alike = 0.3
	// nearness is how alike a spelling is to a word, as a part of how alike the
	// best one is.
	nearness = 0.75
	// spellings is how many a word has at most.
	spellings = 5
)

// spelling is a word that is written somewhere, and how alike it is to the one
// that was asked for.
type spelling struct {
	word     string
	likeness float64
}

// otherwise returns how the i-th word may be written otherwise.
func (t *term) otherwise(i int) []string {
	if t.others == nil {
		return nil
	}
	return t.others[i]
}

// doubtful are the words that may be misspelt: the longest of them, where there
// are many.
func (q *Query) doubtful() []string {
	if !q.fuzzy() {
		return nil
	}
	words := slices.DeleteFunc(q.words(), func(w string) bool { return !correctable(w) })
	slices.SortStableFunc(words, func(a, b string) int {
		return cmp.Or(utf8.RuneCountInString(b)-utf8.RuneCountInString(a), cmp.Compare(a, b))
	})
	words = slices.Compact(words)
	return words[:min(len(words), mostDoubtful)]
}

// correctable reports whether the word may be misspelt, or meant by one that is:
// others are no words that are typed.
func correctable(w string) bool {
	n := utf8.RuneCountInString(w)
	return shortest <= n && n <= longest && strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsDigit(r) })
}

// respell returns the query with what its words may have been meant as: nil where
// nothing like them is written.
func (s *Searcher) respell(ctx context.Context, e *entity.Entity, q *Query) (*Query, error) {
	others := map[string][]string{}
	for _, w := range q.doubtful() {
		found, err := s.spellings(ctx, e, w)
		if err != nil {
			return nil, err
		}
		for _, near := range found {
			if found[0].word != w && near.likeness >= nearness*found[0].likeness {
				others[w] = append(others[w], near.word)
			}
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	return q.spelt(others), nil
}

// spellings returns words that are like the word, the most alike first.
func (s *Searcher) spellings(ctx context.Context, e *entity.Entity, w string) ([]spelling, error) {
	of, known := trigrams(w), map[string]float64{}
	for _, half := range halves(w) {
		rows, err := s.Reader.Around(ctx, e, half, sampled)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			for _, text := range row.Texts {
				for _, written := range split(text) {
					if strings.Contains(written.text, half) && correctable(written.text) {
						known[written.text] = 0
					}
				}
			}
		}
	}
	var found []spelling
	for written := range known {
		if likeness := similarity(of, trigrams(written)); likeness >= alike {
			found = append(found, spelling{written, likeness})
		}
	}
	slices.SortFunc(found, func(a, b spelling) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.word, b.word))
	})
	return found[:min(len(found), spellings)], nil
}

// halves are the beginning and the end of a word.
func halves(w string) []string {
	letters := []rune(w)
	n := max(part, len(letters)/2)
	return slices.Compact([]string{string(letters[:n]), string(letters[len(letters)-n:])})
}

// trigrams are the three letters at each place of the word, with two spaces
// before it and one behind, as PostgreSQL's pg_trgm has them.
func trigrams(w string) map[string]bool {
	letters, all := []rune("  "+w+" "), map[string]bool{}
	for i := range len(letters) - 2 {
		all[string(letters[i:i+3])] = true
	}
	return all
}

// similarity is the part of all trigrams of two words that both have.
func similarity(a, b map[string]bool) float64 {
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// spelt returns the query with the words also as they may be written otherwise.
func (q *Query) spelt(others map[string][]string) *Query {
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
