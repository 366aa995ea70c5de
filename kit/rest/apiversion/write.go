package apiversion

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
)

func (s *Served) nounOf(e *entity.Entity) noun {
	if n, ok := s.nouns[e]; ok {
		return n
	}
	return s.noun(e)
}

// BeginItem appends what stands before an item.
func (s *Served) BeginItem(dst []byte, e *entity.Entity) []byte {
	dst = append(append(dst, '{'), s.Mark.member()...)
	return append(dst, s.Item.begin(s.nounOf(e).one)...)
}

// EndItem is the text behind an item, with the envelope's end.
func (s *Served) EndItem() string {
	if s.Item == Named {
		return "}}"
	}
	return "}"
}

// List is a list that is being written. Its count is known when it ends.
type List struct {
	*Served
	noun string
	at   int // where the count belongs, if it is counted
	told bool
}

// BeginList appends what stands before a page of rows.
func (s *Served) BeginList(dst []byte, e *entity.Entity) ([]byte, List) {
	return s.begin(dst, s.nounOf(e).many, s.Count.Page)
}

// BeginMade appends what stands before rows that were made.
func (s *Served) BeginMade(dst []byte, e *entity.Entity) ([]byte, List) {
	return s.begin(dst, s.nounOf(e).many, s.Count.Made)
}

// BeginHits appends what stands before items that are rows of no one entity,
// which the schema's words have the noun for.
func (s *Served) BeginHits(dst []byte, noun string) ([]byte, List) {
	return s.begin(dst, s.Word(noun), s.Count.Page)
}

func (s *Served) begin(dst []byte, noun, count string) ([]byte, List) {
	l := List{Served: s, noun: noun, told: count != ""}
	dst = append(append(dst, '{'), s.Mark.member()...)
	if l.told {
		dst = append(append(append(dst, ',', '"'), count...), '"', ':')
		l.at = len(dst)
	}
	return append(dst, s.List.begin(noun)...), l
}

// End appends the text behind n items. The envelope is left open.
func (l List) End(dst []byte, n int) []byte {
	dst = append(dst, l.List.end(l.noun)...)
	if !l.told {
		return dst
	}
	var room [20]byte
	return slices.Insert(dst, l.at, strconv.AppendInt(room[:0], int64(n), 10)...)
}

// Beside is a success with the members of the object, JSON, beside its mark.
func (s *Served) Beside(dst, object []byte) []byte {
	dst = append(append(dst, '{'), s.Mark.member()...)
	if inner := bytes.TrimSpace(object[1:]); len(inner) > 1 {
		dst = append(dst, ',')
	}
	return append(dst, object[1:]...)
}

// told is the body that reports something done.
func (s *Served) told(message string) []byte {
	text, _ := json.Marshal(message) // a text can be marshalled
	dst := append(append([]byte{'{'}, s.Mark.member()...), `,"message":`...)
	return append(append(dst, text...), '}')
}
