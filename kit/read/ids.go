package read

import (
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/gid"
)

// perID is how many bytes an id takes in a list, mostly.
const perID = 8

// appendList appends the ids as a list of JSON, which SQLite's json_each takes apart.
func appendList(dst []byte, ids []gid.ID) []byte {
	if dst == nil {
		dst = make([]byte, 0, perID*len(ids)+2)
	}
	dst = append(dst, '[')
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPlain(dst, id)
	}
	return append(dst, ']')
}

// appendPlain appends an id as JSON: a number, or a text.
func appendPlain(dst []byte, id gid.ID) []byte {
	if id.IsText() {
		return appendText(dst, id.String())
	}
	return id.Append(dst)
}

// jsonPairs is the list of the pairs (from[i], to[i]).
func jsonPairs(from, to []gid.ID) string {
	text := append(make([]byte, 0, 2*(perID+2)*len(from)+2), '[')
	for i := range from {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendList(text, []gid.ID{from[i], to[i]})
	}
	return string(append(text, ']'))
}

// arrayEscapes are the escapes of texts in an array of PostgreSQL.
var arrayEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// idArray is an array of PostgreSQL: what its type is follows from what it is compared
// with, or cast to.
func idArray(ids []gid.ID) string {
	text := append(make([]byte, 0, perID*len(ids)+2), '{')
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		if id.IsText() {
			text = append(append(append(text, '"'), arrayEscapes.Replace(id.String())...), '"')
			continue
		}
		text = id.Append(text)
	}
	return string(append(text, '}'))
}

func appendNumbers(dst []byte, numbers []int64) []byte {
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, n, 10)
	}
	return dst
}
