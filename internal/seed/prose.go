package seed

import (
	"math/rand/v2"
	"strings"
)

// prose is a stock of sentences: to invent one costs more than to store it.
type prose struct {
	titles, sentences, remarks []string
}

const stock = 2000

func newProse(w words) prose {
	var p prose
	for range stock {
		p.titles = append(p.titles, w.sentence())
		p.sentences = append(p.sentences, w.sentence()+".")
		p.remarks = append(p.remarks, w.remark())
	}
	return p
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// text returns a text of some paragraphs.
func (p prose) text(r *rand.Rand) string {
	var b strings.Builder
	for paragraph := range 1 + r.IntN(3) {
		if paragraph > 0 {
			b.WriteString("\n\n")
		}
		for sentence := range 2 + r.IntN(5) {
			if sentence > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(pick(r, p.sentences))
		}
	}
	return b.String()
}

// remark returns an invented sentence.
func (p prose) remark(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return pick(r, p.remarks) + " " + pick(r, p.sentences)
	}
	return pick(r, p.remarks)
}
