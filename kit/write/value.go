package write

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
)

// JSON decodes JSON of the type: a [Field.Decode].
func JSON[T any](raw any) (any, error) {
	text, err := json.Marshal(raw)
	if err != nil {
		return nil, fmt.Errorf("must be JSON")
	}
	return entity.DecodeJSON[T](text)
}

// keyValue is the id as a value of a column: an int64, a text or a UUID.
func keyValue(of gid.Form, id gid.ID) any {
	if of == gid.UUIDs {
		return id.UUID()
	}
	return id.Any()
}

// is reports whether the value is the id.
func is(value any, id gid.ID) bool {
	got, ok := gid.Of(value)
	return ok && got == id
}

// same compares values as the databases keep them.
func same(a, b any) bool {
	switch x := a.(type) {
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
	case json.RawMessage:
		y, ok := b.(json.RawMessage)
		var left, right any
		return ok && json.Unmarshal(x, &left) == nil && json.Unmarshal(y, &right) == nil && reflect.DeepEqual(left, right)
	}
	return reflect.DeepEqual(a, b)
}
