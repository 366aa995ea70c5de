package mutation

import "time"

// Now is the one instant of the mutation. Each time of a row that is set because of
// one change is the same: a row is published no later than it is created.
func (m *Mutation) Now() time.Time {
	if m.instant.IsZero() {
		m.instant = time.Now().UTC().Truncate(time.Microsecond)
	}
	return m.instant
}

// stamped returns the default of a column: of created_at and updated_at, whose default
// asks the clock, the instant of the mutation.
func (m *Mutation) stamped(c *Column, value any) any {
	if c.Field != "created_at" && c.Field != "updated_at" {
		return value
	}
	if at, ok := value.(time.Time); ok {
		if m.instant.IsZero() {
			m.instant = at
		}
		return m.instant
	}
	return value
}
