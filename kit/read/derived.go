package read

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
)

// ObjectPart is one member of the JSON of each object in a list: the key has the
// value of the member with the name, or, where Raw is set, constant JSON.
type ObjectPart struct {
	Key, Raw string
	Member   entity.Member
}

// Objects writes a list of objects under the key, of each these parts.
func (s *Selection) Objects(key string, f *entity.Field, parts []ObjectPart) {
	s.items = append(s.items, item{kind: itemObjects, key: quoteKey(key), column: s.column(f), objects: parts})
}

// parts are those that REST shows.
func partsOf(f *entity.Field, names *Names) []ObjectPart {
	parts := make([]ObjectPart, 0, len(f.Members))
	for _, m := range f.Members {
		if len(f.Offers) == 0 || m.Name != mutationMember {
			parts = append(parts, ObjectPart{Key: names.NameOfMember(m), Member: m})
		}
	}
	return parts
}

// derives reports whether something is read that may change without the row.
func (s *Selection) derives() bool {
	return slices.ContainsFunc(s.columns, func(f column) bool {
		return f.Expression != "" || f.whole || f.Tallied || related(f.Field) || f.Computed != nil && f.Computed.Calc.Formula.Now
	})
}

// expression writes what the field's value is read from.
func (b *builder) expression(alias string, f *entity.Field) {
	switch {
	case len(f.Offers) > 0:
		b.offers(alias, f)
		return
	case f.May != nil:
		b.may(alias, f)
		return
	case f.Computed != nil:
		b.calculated(alias, f)
		return
	}
	if f.Expression == "" || f.Tallied && b.LeaveOut(false) { // the expression corrects the column
		b.column(alias, f.Column)
		return
	}
	text := "(" + strings.ReplaceAll(f.Expression, "{row}", `"`+alias+`"`) + ")"
	for before, after, found := strings.Cut(text, "{viewer}"); found; before, after, found = strings.Cut(text, "{viewer}") {
		b.WriteString(before)
		b.Arg(b.viewer.UserID)
		text = after
	}
	b.WriteString(text)
}

// whole writes 1 for a row that the viewer sees as a whole, else 0.
func (b *builder) whole(alias string, e *entity.Entity) {
	switch rule := e.Rules.Whole(b.viewer); {
	case rule.Always():
		b.WriteString("1")
	case rule.Never():
		b.WriteString("0")
	default:
		b.WriteString("CASE WHEN ")
		rule.Write(b, alias)
		b.WriteString(" THEN 1 ELSE 0 END")
	}
}

// appendObjects appends a list of objects. One that is not as it was stored
// is empty: that is for the writer of the column to prevent.
func (s *set) appendObjects(dst []byte, row int, sel *Selection, it *item) []byte {
	c := s.cell(row, it.column)
	if c.null {
		return append(dst, "null"...)
	}
	if f := s.columns[it.column]; len(f.Offers) > 0 {
		return appendOffers(dst, sel, f.Field, s.text(c), it.objects)
	}
	var objects []map[string]json.RawMessage
	if err := json.Unmarshal(s.text(c), &objects); err != nil {
		return append(dst, "[]"...)
	}
	currency := ""
	if f := s.columns[it.column].Currency; f != nil {
		currency = string(s.text(s.cell(row, s.position(f))))
	}
	dst = append(dst, '[')
	for i, object := range objects {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendObject(dst, object, it.objects, currency)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, object map[string]json.RawMessage, parts []ObjectPart, currency string) []byte {
	dst = append(dst, '{')
	for i, part := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, part.Key), ':')
		value := object[part.Member.Name]
		var minor int64
		var text string
		switch {
		case part.Raw != "":
			dst = append(dst, part.Raw...)
		case len(value) == 0:
			dst = append(dst, "null"...)
		case part.Member.Money && json.Unmarshal(value, &minor) == nil:
			dst = money.Append(dst, minor, currency)
		case json.Unmarshal(value, &text) == nil: // one that is escaped alike on both databases
			dst = appendText(dst, text)
		default:
			dst = appendJSON(dst, value)
		}
	}
	return append(dst, '}')
}
