package search

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/fold"
)

const (
	// looked is how many bytes of a text are looked at for a snippet.
	looked = 20_000
	// shown is how many bytes of it a snippet shows, about, and before how
	// many words before the first hit.
	shown, before = 240, 6
	// gap is the longest piece between two words.
	gap = 40
)

// snippet returns the part of the texts with most of the words, as HTML with
// these in <mark>: of a further field if it has any, else of the title.
func (q *Query) snippet(texts []string) string {
	var best passage
	for i, text := range slices.Backward(texts) {
		if p := q.passage(text); best.words == nil || p.hits > 0 && (best.hits == 0 || i > 0 && p.hits > best.hits) {
			best = p
		}
	}
	return best.html()
}

// passage is a part of a text.
type passage struct {
	text     string
	words    []word
	marked   []bool // of the words
	from, to int    // the words that are shown
	hits     int
}

// passage returns the part of the text with most hits.
func (q *Query) passage(text string) passage {
	if len(text) > looked {
		cut := looked
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	p := passage{text: text, words: split(text)}
	p.marked = make([]bool, len(p.words))
	folded := make([]word, len(p.words))
	for i, w := range p.words {
		folded[i].text = fold.String(w.text)
	}
	for i := range folded {
		for _, t := range q.terms {
			if !t.not && t.at(folded, i) {
				for j := range t.words {
					p.marked[i+j] = true
				}
			}
		}
	}
	p.choose()
	return p
}

// choose finds the window with most hits: one that begins a little before a
// hit, or with the text.
func (p *passage) choose() {
	p.from, p.to, p.hits = p.window(0)
	for i, hit := range p.marked {
		if !hit {
			continue
		}
		if from, to, hits := p.window(max(0, i-before)); hits > p.hits {
			p.from, p.to, p.hits = from, to, hits
		}
	}
}

// window returns the words from one on that fit, and how many of them are hits.
func (p *passage) window(from int) (start, end, hits int) {
	end = from
	for end < len(p.words) && (end == from || p.words[end].end-p.words[from].start <= shown) {
		if p.marked[end] {
			hits++
		}
		end++
	}
	return from, end, hits
}

// html writes the passage.
func (p *passage) html() string {
	var b strings.Builder
	if p.from > 0 {
		b.WriteString("… ")
	}
	for i := p.from; i < p.to; i++ {
		w := p.words[i]
		if i > p.from {
			b.WriteString(between(p.text[p.words[i-1].end:w.start]))
		}
		text := html.EscapeString(clip(w.text, shown))
		if p.marked[i] {
			text = "<mark>" + text + "</mark>"
		}
		b.WriteString(text)
	}
	switch {
	case p.to < len(p.words):
		b.WriteString(" …")
	case p.to > p.from:
		b.WriteString(strings.TrimRight(between(p.text[p.words[p.to-1].end:]), " "))
	}
	return b.String()
}

// between is the text between two words, on one line.
func between(text string) string {
	if len(text) > gap {
		return " … "
	}
	spaced := strings.Join(strings.Fields("."+text+"."), " ")
	return html.EscapeString(spaced[1 : len(spaced)-1])
}

func clip(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest] + "…"
}
