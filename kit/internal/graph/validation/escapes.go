package validation

import (
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
)

// escaped refuses texts in which an escape is half of a character: \ud800 without the other
// half after it, which gqlparser reads as U+FFFD. Escapes are Unicode scalar values
// (GraphQL, September 2025, 2.9.4). The parser reports text that is no token.
func escaped(document string) *gqlerror.Error {
	if !strings.Contains(document, `\u`) {
		return nil
	}
	for i := 0; i < len(document); i++ {
		switch rest := document[i:]; {
		case rest[0] == '#':
			end := strings.IndexAny(rest, "\r\n")
			if end < 0 {
				return nil
			}
			i += end
		case strings.HasPrefix(rest, `"""`):
			end := strings.Index(strings.ReplaceAll(rest[3:], `\"""`, `\___`), `"""`)
			if end < 0 {
				return nil
			}
			i += 3 + end + 2
		case rest[0] == '"':
			for i++; i < len(document) && document[i] != '"' && document[i] != '\n'; i++ {
				if document[i] != '\\' {
					continue
				}
				switch unit := utf16(document[i:]); {
				case isTrailing(unit), isLeading(unit) && !isTrailing(utf16(document[i+len(`\ud800`):])):
					return half(document, i)
				case isLeading(unit):
					i += len(`\ud800\udc00`) - 1
				default:
					i++
				}
			}
		}
	}
	return nil
}

// utf16 is the code unit of the escape that the text begins with, -1 where it begins with
// none.
func utf16(text string) int64 {
	if len(text) < 6 || !strings.HasPrefix(text, `\u`) {
		return -1
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return int64(unit)
}

func isLeading(unit int64) bool  { return unit >= 0xD800 && unit < 0xDC00 }
func isTrailing(unit int64) bool { return unit >= 0xDC00 && unit < 0xE000 }

// half refuses the escape at the place.
func half(document string, at int) *gqlerror.Error {
	before := document[:at]
	err := failure.Refusal(problem.Unparsable, "Invalid character escape sequence: %s is half of a surrogate pair.", document[at:at+6])
	err.Locations = []gqlerror.Location{{Line: 1 + strings.Count(before, "\n"), Column: 1 + len([]rune(before[strings.LastIndex(before, "\n")+1:]))}}
	return err
}
