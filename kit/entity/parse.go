package entity

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/date"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/money"
)

// Parse returns the value of the field that the text means: a [Day] for a bare
// date.
func (f *Field) Parse(text string) (any, error) {
	if parse := f.Kind.Form().parse; parse != nil {
		return parse(f, text)
	}
	return text, nil
}

func parseWhole(_ *Field, text string) (any, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return nil, errors.New("must fit in 64 bits")
	case err != nil:
		return nil, errors.New("must be a whole number")
	}
	return n, nil
}

func parseFloat(_ *Field, text string) (any, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != n || n-n != 0 {
		return nil, errors.New("must be a number")
	}
	return n, nil
}

func parseAmount(_ *Field, text string) (any, error) {
	d, err := money.ParseDecimal(text)
	if err != nil {
		return nil, errors.New("must be an amount such as 19.99")
	}
	return d, nil
}

func parseFlag(_ *Field, text string) (any, error) { return ParseBool(text) }

func parseMoment(_ *Field, text string) (any, error) {
	t, day, err := parseTime(text)
	if day {
		return Day{t}, nil
	}
	return t, err
}

func parseUUID(_ *Field, text string) (any, error) {
	id, err := ParseUUID(text)
	return id.String(), err
}

func parseTextID(_ *Field, text string) (any, error) { return text, gid.TextError(text) }

func parseDate(_ *Field, text string) (any, error) {
	d, err := date.Parse(text)
	return d.String(), err
}

func parseEnum(f *Field, text string) (any, error) {
	text = f.Value(text)
	if !slices.Contains(f.Values, text) {
		return nil, fmt.Errorf("must be one of %s", strings.Join(f.Values, ", "))
	}
	return text, nil
}

// ParseBool reads true or false.
func ParseBool(text string) (bool, error) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("must be true or false")
}

// ParseUUID reads a UUID in its usual form of 36 characters.
func ParseUUID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return uuid.Nil, errors.New("must be a UUID such as 0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d")
	}
	return id, nil
}

// ParseBytes reads base64, as RFC 4648 has it in section 4.
func ParseBytes(text string) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("must be base64")
	}
	return raw, nil
}

// ValidText reports whether both databases take the text: valid UTF-8 without NUL.
func ValidText(s string) bool {
	for i := range len(s) {
		if s[i] == 0 {
			return false
		}
	}
	return utf8.ValidString(s)
}
