package entity

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep JSON that clients write can nest.
const maxDepth = 64

// DecodeJSON reads JSON of a client into the type, and refuses JSON that one of
// the databases would refuse. A JSON text of any form ([json.RawMessage]) comes
// back without spaces.
func DecodeJSON[T any](raw []byte) (value T, err error) {
	if !utf8.Valid(raw) {
		return value, errors.New("must be valid UTF-8 without NUL")
	}
	var parsed any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&parsed); err != nil {
		return value, errors.New("must be JSON")
	}
	if err := storable(parsed, maxDepth); err != nil {
		return value, err
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(parsed); err != nil {
		return value, errors.New("must be JSON")
	}
	d = json.NewDecoder(bytes.NewReader(bytes.TrimSpace(text.Bytes())))
	d.DisallowUnknownFields()
	if err := d.Decode(&value); err != nil {
		return value, errors.New("is not of the type that is expected")
	}
	return value, nil
}

// storable returns an error unless both databases take the JSON.
func storable(value any, depth int) error {
	if depth == 0 {
		return errors.New("nests too deep: 64 levels are allowed")
	}
	switch v := value.(type) {
	case string:
		if strings.IndexByte(v, 0) >= 0 {
			return errors.New("must be valid UTF-8 without NUL")
		}
	case json.Number:
		if n, err := strconv.ParseFloat(v.String(), 64); err != nil || math.IsInf(n, 0) {
			return errors.New("holds a number that is out of range")
		}
	case []any:
		for _, item := range v {
			if err := storable(item, depth-1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, member := range v {
			if err := storable(name, depth); err != nil {
				return err
			}
			if err := storable(member, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}
