package invoicing

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// drawn puts a line into the order in which it is drawn from left to right,
// which for Hebrew and Arabic is not that in which it is stored. The line
// begins at the right where the text that it is of does.
func drawn(line string, fromRight bool) string {
	if !strings.ContainsFunc(line, rightToLeft) {
		return line
	}
	base := bidi.RightToLeft
	if !fromRight {
		base, line = bidi.LeftToRight, mark+line
	}
	var p bidi.Paragraph
	if _, err := p.SetString(line, bidi.DefaultDirection(base)); err != nil {
		return line
	}
	order, err := p.Order()
	if err != nil {
		return line
	}
	runs := make([]bidi.Run, order.NumRuns())
	for i := range runs {
		runs[i] = order.Run(i)
	}
	var b strings.Builder
	for len(runs) > 0 {
		n := len(runs)
		if !fromRight {
			n = turned(runs)
		}
		for _, run := range slices.Backward(runs[:n]) {
			b.WriteString(inOrder(run))
		}
		runs = runs[n:]
	}
	return strings.ReplaceAll(b.String(), mark, "")
}

// mark is a letter without a shape that makes a line begin at the left.
const mark = "\u200e"

// turned is how many of the runs, which come as they are stored, are drawn in
// the other order: those from the right, with the numbers between them.
func turned(runs []bidi.Run) int {
	last := 0
	for i, run := range runs {
		if run.Direction() == bidi.RightToLeft {
			last = i
		} else if i == 0 || strings.ContainsFunc(run.String(), unicode.IsLetter) {
			break
		}
	}
	return last + 1
}

// inOrder is a run in the order of drawing. Accents stay behind what they belong to.
func inOrder(run bidi.Run) string {
	if run.Direction() != bidi.RightToLeft {
		return run.String()
	}
	runes := []rune(run.String())
	var b strings.Builder
	for end := len(runes); end > 0; {
		base := end - 1
		for base > 0 && unicode.Is(unicode.Mn, runes[base]) {
			base--
		}
		b.WriteString(bidi.ReverseString(string(runes[base]))) // turns a bracket
		b.WriteString(string(runes[base+1 : end]))
		end = base
	}
	return b.String()
}

// beginsRight is whether the first letter of a text is of a script that is
// written from the right.
func beginsRight(text string) bool {
	i := strings.IndexFunc(text, unicode.IsLetter)
	return i >= 0 && rightToLeft([]rune(text[i:])[0])
}

func rightToLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}
