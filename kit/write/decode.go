package write

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/store"
)

// finding is the fault of a value.
type finding struct {
	// at is the place in the value: "[2]".
	at, message string
	// rule: it is of the right type, and breaks a rule.
	rule bool
	// mute: the value is not echoed.
	mute bool
	// value is echoed in the place of what was sent, where it is not nil.
	value any
}

func wrong(format string, args ...any) *finding {
	return &finding{message: fmt.Sprintf(format, args...)}
}

func broken(format string, args ...any) *finding {
	return &finding{message: fmt.Sprintf(format, args...), rule: true}
}

// badText is the fault of a text that a database does not take.
const badText = "must be valid UTF-8 without NUL"

func validText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// decode reads what a caller sends for a field, amounts of money apart: their
// numbers stay as they are written.
func (in *Input) decode(e *entity.Entity, f *Field, raw any) (any, *finding) {
	switch f.Kind {
	case entity.ID, entity.Ref, entity.TextID, entity.TextRef, entity.UUIDID, entity.UUIDRef:
		return in.decodeID(e, f, raw)
	case entity.Int:
		return decodeWhole(f, raw)
	case entity.Float:
		return decodeFloat(f, raw)
	case entity.Bool:
		if v, ok := raw.(bool); ok {
			return v, nil
		}
		return nil, mismatch(f, "a boolean", raw)
	case entity.Money:
		if text, ok := numeral(raw); ok {
			return text, nil
		}
		return nil, mismatch(f, "a number", raw)
	case entity.Time:
		return decodeTime(f, raw)
	case entity.JSON:
		v, err := f.Decode(raw)
		if err != nil {
			return nil, wrong("%v", err)
		}
		return v, nil
	case entity.Strings:
		return decodeStrings(f, raw)
	}
	return decodeText(f, raw)
}

func (in *Input) decodeID(e *entity.Entity, f *Field, raw any) (any, *finding) {
	to := gid.Rows{Type: f.Ref, Form: f.Kind.IDs()}
	if f.Kind.IsID() {
		to.Type = e.Name
	}
	if f.Refers != nil {
		to = f.Refers.IDs()
	}
	id, err := in.ParseID(to, raw)
	switch {
	case err != nil:
		return nil, wrong("%v", err)
	case !id.IsText() && id.Int() < 1:
		return nil, broken("must be at least 1")
	}
	return keyValue(to.Form, id), nil
}

func decodeWhole(f *Field, raw any) (any, *finding) {
	text, ok := numeral(raw)
	if !ok {
		return nil, mismatch(f, "a whole number", raw)
	}
	n, whole, fits := strictjson.Whole(text)
	switch {
	case !whole && f.Nullable:
		return nil, wrong("must be a whole number or null")
	case !whole:
		return nil, wrong("must be a whole number")
	case !fits:
		bad := broken("must fit in 64 bits")
		bad.mute = true // most clients could not decode it either
		return nil, bad
	}
	return n, nil
}

func decodeFloat(f *Field, raw any) (any, *finding) {
	text, ok := numeral(raw)
	if !ok {
		return nil, mismatch(f, "a number", raw)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		bad := broken("must fit in a floating-point number of 64 bits")
		bad.mute = true
		return nil, bad
	}
	return v, nil
}

func decodeTime(f *Field, raw any) (any, *finding) {
	t, ok := raw.(time.Time)
	if !ok {
		text, isText := raw.(string)
		if !isText {
			return nil, mismatch(f, "a string", raw)
		}
		var err error
		switch f.Span {
		case expose.MomentFormat:
			t, err = entity.ParseMoment(text)
		case expose.EndFormat:
			t, err = entity.ParseEnd(text)
		default:
			if t, err = time.Parse(time.RFC3339, text); err != nil {
				return nil, broken("must be a time such as 2026-01-31T12:00:00Z")
			}
		}
		if err != nil {
			return nil, broken("%v", err)
		}
	}
	t = store.Time(t)
	if t.Year() < 1 || t.Year() > 9999 {
		return nil, broken("must be in the years 1 to 9999")
	}
	return t, nil
}

func decodeStrings(f *Field, raw any) (any, *finding) {
	if list, ok := raw.([]string); ok {
		return slices.Clone(list), nil
	}
	items, ok := raw.([]any)
	if !ok {
		return nil, mismatch(f, "an array", raw)
	}
	list := make([]string, len(items))
	for i, item := range items {
		text, ok := item.(string)
		switch {
		case item == nil:
			return nil, &finding{at: fmt.Sprintf("[%d]", i), message: "must not be null", mute: true}
		case !ok:
			return nil, &finding{at: fmt.Sprintf("[%d]", i), message: "must be a string, not " + typeOf(item), value: item}
		case !validText(text):
			return nil, &finding{at: fmt.Sprintf("[%d]", i), message: badText, mute: true}
		}
		list[i] = text
	}
	return list, nil
}

func decodeText(f *Field, raw any) (any, *finding) {
	text, ok := raw.(string)
	if !ok {
		if s, isText := raw.(fmt.Stringer); isText && f.Kind.Form().Decode != nil {
			text, ok = s.String(), true
		}
	}
	switch {
	case !ok:
		return nil, mismatch(f, "a string", raw)
	case !validText(text):
		return nil, &finding{message: badText, mute: true}
	}
	if f.Kind == entity.Enum {
		text = f.Value(text)
		if !slices.Contains(f.Values, text) {
			return nil, broken("must be one of %s", strings.Join(f.Values, ", "))
		}
	}
	if decode := f.Kind.Form().Decode; decode != nil {
		value, err := decode(text)
		if err != nil {
			return nil, wrong("%v", err)
		}
		return value, nil
	}
	return text, nil
}

// mismatch says that a value is of another type.
func mismatch(f *Field, wanted string, raw any) *finding {
	if f.Nullable {
		wanted += " or null"
	}
	return wrong("must be %s, not %s", wanted, typeOf(raw))
}

// typeOf is the type of JSON that a value is of, with its article.
func typeOf(raw any) string {
	switch raw.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any, []string:
		return "an array"
	case map[string]any:
		return "an object"
	}
	if _, ok := numeral(raw); ok {
		return "a number"
	}
	return "a value of another type"
}

// numeral is a number as JSON writes it.
func numeral(raw any) (string, bool) {
	switch n := raw.(type) {
	case json.Number:
		return string(n), true
	case int64:
		return strconv.FormatInt(n, 10), true
	case int:
		return strconv.Itoa(n), true
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64), true
	}
	return "", false
}

// PlainID reads an id unchanged: an [API.ParseID].
func PlainID(of gid.Rows, raw any) (gid.ID, error) {
	if of.Form != gid.Numbers {
		text, ok := raw.(string)
		if s, is := raw.(uuid.UUID); is {
			text, ok = s.String(), true
		}
		if !ok {
			return gid.ID{}, fmt.Errorf("must be a string, not %s", typeOf(raw))
		}
		return of.Form.Plain(text)
	}
	v, bad := decodeWhole(&Field{Field: &entity.Field{}}, raw)
	if bad != nil {
		return gid.ID{}, fmt.Errorf("%s", bad.message)
	}
	return gid.Int(v.(int64)), nil
}
