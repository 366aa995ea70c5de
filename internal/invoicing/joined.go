package invoicing

import (
	"strings"
	"unicode"
)

// A letter of Arabic has up to four forms, which Unicode has one after the
// other: alone, at the end, at the beginning and inside of what is joined.
// Those with two are not joined to what follows.
type letter struct {
	alone rune
	forms int
}

var letters = map[rune]letter{
	'ء': {0xFE80, 1}, 'آ': {0xFE81, 2}, 'أ': {0xFE83, 2}, 'ؤ': {0xFE85, 2}, 'إ': {0xFE87, 2}, 'ئ': {0xFE89, 4}, 'ا': {0xFE8D, 2},
	'ب': {0xFE8F, 4}, 'ة': {0xFE93, 2}, 'ت': {0xFE95, 4}, 'ث': {0xFE99, 4}, 'ج': {0xFE9D, 4}, 'ح': {0xFEA1, 4}, 'خ': {0xFEA5, 4},
	'د': {0xFEA9, 2}, 'ذ': {0xFEAB, 2}, 'ر': {0xFEAD, 2}, 'ز': {0xFEAF, 2}, 'س': {0xFEB1, 4}, 'ش': {0xFEB5, 4}, 'ص': {0xFEB9, 4},
	'ض': {0xFEBD, 4}, 'ط': {0xFEC1, 4}, 'ظ': {0xFEC5, 4}, 'ع': {0xFEC9, 4}, 'غ': {0xFECD, 4}, 'ف': {0xFED1, 4}, 'ق': {0xFED5, 4},
	'ك': {0xFED9, 4}, 'ل': {0xFEDD, 4}, 'م': {0xFEE1, 4}, 'ن': {0xFEE5, 4}, 'ه': {0xFEE9, 4}, 'و': {0xFEED, 2}, 'ى': {0xFEEF, 2},
	'ي': {0xFEF1, 4},
	// Persian and Urdu.
	'پ': {0xFB56, 4}, 'ٹ': {0xFB66, 4}, 'چ': {0xFB7A, 4}, 'ڈ': {0xFB88, 2}, 'ژ': {0xFB8A, 2}, 'ڑ': {0xFB8C, 2}, 'ک': {0xFB8E, 4},
	'گ': {0xFB92, 4}, 'ں': {0xFB9E, 2}, 'ہ': {0xFBA6, 4}, 'ھ': {0xFBAA, 4}, 'ے': {0xFBAE, 2}, 'ی': {0xFBFC, 4},
}

// lamAlef are the ligatures of lam and the alef after it.
var lamAlef = map[rune]letter{'آ': {0xFEF5, 2}, 'أ': {0xFEF7, 2}, 'إ': {0xFEF9, 2}, 'ا': {0xFEFB, 2}}

// joined puts the forms of Arabic letters in their places, in the order in
// which they are stored.
func joined(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return text
	}
	runes := []rune(text)
	out := make([]rune, 0, len(runes))
	open := false // whether what was before is joined to what follows
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		l, known := letters[r]
		if !known {
			out = append(out, r)
			open = r == 'ـ' || open && unicode.Is(unicode.Mn, r)
			continue
		}
		if r == 'ل' && i+1 < len(runes) && lamAlef[runes[i+1]].forms > 0 {
			i++
			l = lamAlef[runes[i]]
		}
		form := rune(0)
		if open && l.forms > 1 {
			form = 1
		}
		open = l.forms == 4 && joins(runes[i+1:])
		if open {
			form += 2
		}
		out = append(out, l.alone+form)
	}
	return string(out)
}

// joins is whether what follows is joined to what is before it.
func joins(after []rune) bool {
	for _, r := range after {
		if !unicode.Is(unicode.Mn, r) {
			return r == 'ـ' || letters[r].forms > 1
		}
	}
	return false
}
