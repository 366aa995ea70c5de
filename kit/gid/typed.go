package gid

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Prototype stands for the generated typed ids (ent/typedid) while Ent generates.
// It is never a value.
type Prototype int64

// MarshalGQL is there for its signature.
func (Prototype) MarshalGQL(io.Writer) {}

// UnmarshalGQL is there for its signature.
func (*Prototype) UnmarshalGQL(any) error { return nil }

// Unmarshal returns the id in a GraphQL input: a global id of the type or a
// plain integer, as text or as a number.
func Unmarshal(typ string, input any) (ID, error) {
	switch v := input.(type) {
	case nil:
		return ID{}, errors.New("cannot be null")
	case string:
		return Parse(typ, v)
	case json.Number:
		return Parse(typ, v.String())
	case int64:
		return Parse(typ, strconv.FormatInt(v, 10))
	case int:
		return Parse(typ, strconv.Itoa(v))
	}
	return ID{}, fmt.Errorf("must be the id of %s, as text or as an integer", An(typ))
}
