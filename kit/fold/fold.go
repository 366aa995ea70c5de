// Package fold makes text comparable without regard to case. The service
// folds in Go and stores the result, because the databases fold letters
// outside ASCII differently.
package fold

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// String returns s in Unicode's NFC form with its case folded.
func String(s string) string {
	ascii := true
	upper := false
	for i := range len(s) {
		c := s[i]
		if c >= 0x80 {
			ascii = false
			break
		}
		upper = upper || 'A' <= c && c <= 'Z'
	}
	if ascii && !upper {
		return s
	}
	return norm.NFC.String(cases.Fold().String(s))
}
