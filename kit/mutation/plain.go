package mutation

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/date"
)

var moment = reflect.TypeFor[time.Time]()

// Plain is a value in the types of this package: named types become those they
// are made of, and a null pointer becomes nil.
func Plain(value any) any {
	switch v := value.(type) {
	case nil, int64, float64, string, bool, time.Time, date.Date, uuid.UUID, []byte, []string:
		return value
	case json.RawMessage:
		return v
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return Plain(v.Elem().Interface())
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Struct:
		if v.CanConvert(moment) {
			return v.Convert(moment).Interface()
		}
	}
	return value
}
