package search

import (
	"math"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/read"
)

// weights are the weights of a word in each of the fields, in their order.
var weights = [...]float64{1, 0.4, 0.2, 0.1}

const (
	// beyond is the weight of a word that the database has found beyond the read part
	// of a text.
	beyond = 0.05
	// misspelt is the factor of a hit with a corrected word.
	misspelt = 0.5
	// titled is the part of the score that the share of the title is.
	titled = 0.2
)

// score says how well the row answers.
func (q *Query) score(row read.Found) float64 {
	fields := make([][]word, len(row.Texts))
	for i, text := range row.Texts {
		fields[i] = split(text)
	}
	sum, terms, covered := 0.0, 0, 0
	for _, t := range q.terms {
		if t.not {
			continue
		}
		terms++
		missing := 1.0
		for i, words := range fields {
			n := t.count(words)
			missing *= 1 - weights[i]*float64(n)/float64(n+1)
			if i == 0 {
				covered += n * len(t.words)
			}
		}
		sum += max(1-missing, beyond)
	}
	share := float64(covered) / float64(max(1, len(fields[0])))
	score := (1-titled)*sum/float64(terms) + titled*min(1, share)
	if q.respelt {
		score *= misspelt
	}
	return round(score)
}

// count returns how often the term is among the words.
func (t *term) count(words []word) (n int) {
	for i := range words {
		if t.at(words, i) {
			n++
		}
	}
	return n
}

// at reports whether the term begins at the place. The words are folded.
func (t *term) at(words []word, i int) bool {
	if i+len(t.words) > len(words) {
		return false
	}
	for j, wanted := range t.words {
		text := words[i+j].text
		if text != wanted && !slices.Contains(t.otherwise(j), text) && !(t.prefix && j == len(t.words)-1 && strings.HasPrefix(text, wanted)) {
			return false
		}
	}
	return true
}

// round keeps four digits: more would only say how floats are added.
func round(score float64) float64 { return math.Round(score*1e4) / 1e4 }
