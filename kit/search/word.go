package search

import (
	"unicode"
	"unicode/utf8"
)

// word is a run of letters and digits, and where it is in its text.
type word struct {
	text       string
	start, end int
}

// split returns the words of a text, as the databases split it too.
func split(text string) []word {
	words := make([]word, 0, len(text)/6+1)
	start := -1
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case inWord(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			words = append(words, word{text[start:i], start, i})
			start = -1
		}
		i += size
	}
	if start >= 0 {
		words = append(words, word{text[start:], start, len(text)})
	}
	return words
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
