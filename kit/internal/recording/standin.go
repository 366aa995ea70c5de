package recording

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unicode"
)

const hexDigits = "0123456789abcdefABCDEF"

// text is a stand-in of the same length in runes: letters stand for letters in the same
// case, digits for digits, and what is neither stays, as does the scheme of an address.
// So what validates a text, or folds it, treats the stand-in alike.
func (r *Redactor) text(text string) string {
	scheme := ""
	if at := strings.Index(text, "://"); at > 0 && at < 10 {
		scheme, text = text[:at+3], text[at+3:]
	}
	hex := strings.Trim(text, hexDigits+"-") == ""
	next := r.stream(text)
	return scheme + strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9':
			return '0' + rune(next()%10)
		case hex && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'):
			return c&^7 | rune(1+next()%6)
		case c >= 'a' && c <= 'z':
			return 'a' + rune(next()%26)
		case c >= 'A' && c <= 'Z':
			return 'A' + rune(next()%26)
		case unicode.IsUpper(c):
			return []rune("ÄÉÎÑÖÜ")[next()%6]
		case unicode.IsLetter(c):
			return []rune("äéîñöü")[next()%6]
		case unicode.IsDigit(c):
			return '0' + rune(next()%10)
		}
		return c
	}, text)
}

// digits is a stand-in of a number, with as many digits. The first is no zero where it
// was none, and an exponent stays.
func (r *Redactor) digits(text string) string {
	next, exponent := r.stream(text), false
	return strings.Map(func(c rune) rune {
		exponent = exponent || c == 'e' || c == 'E'
		if exponent || c == '0' || c < '0' || c > '9' {
			return c
		}
		return '1' + rune(next()%9)
	}, text)
}

// stream returns bytes that follow from the text and the redactor's secret.
func (r *Redactor) stream(text string) (next func() byte) {
	var block []byte
	var n uint64
	return func() byte {
		if len(block) == 0 {
			mac := hmac.New(sha256.New, r.secret[:])
			mac.Write(binary.BigEndian.AppendUint64(nil, n))
			mac.Write([]byte(text))
			block, n = mac.Sum(nil), n+1
		}
		b := block[0]
		block = block[1:]
		return b
	}
}
