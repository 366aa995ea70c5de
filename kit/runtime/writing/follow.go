package writing

import (
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Follow is a column that follows from another in every write: [expose.Follow].
// Ent's generated code does the same, for Go code that writes through it.
type Follow struct{ Column, Of, As string }

// follow completes the values of a new row by what follows from them.
func (e *Entity) follow(values []stored, given map[string]bool) []stored {
	for _, f := range e.Follows {
		for _, of := range values {
			if of.column != f.Of {
				continue
			}
			switch value := of.value.(type) {
			case bool:
				if f.As == expose.FollowSince && value && !given[f.Column] {
					values = put(values, f.Column, store.Time(time.Now()))
				}
			case int64:
				values = put(values, f.Column, value > 0)
			case float64:
				values = put(values, f.Column, value > 0)
			}
		}
	}
	return values
}

// put gives a column a value, whatever it had.
func put(values []stored, column string, value any) []stored {
	for i := range values {
		if values[i].column == column {
			values[i].value = value
			return values
		}
	}
	return append(values, stored{column, value})
}
