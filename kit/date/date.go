// Package date holds days of the calendar without a time: due on 2026-11-26.
//
// A schema declares one by
//
//	field.Time("due_on").GoType(date.Date{}).SchemaType(date.Column)
//
// PostgreSQL keeps it as a date, SQLite as its text, both APIs write it as
// "2026-11-26".
package date

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
)

// Column are the types of columns of dates.
var Column = map[string]string{dialect.Postgres: "date", dialect.SQLite: "date"}

// Date is a day of the proleptic Gregorian calendar. The zero Date is none.
type Date struct {
	// Year is 1 to 9999.
	Year int
	// Month is January to December.
	Month time.Month
	// Day counts from 1.
	Day int
}

// Of is the day of the time, in the time's own zone.
func Of(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// Parse reads a day such as 2026-11-26, of the years 1 to 9999.
func Parse(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 {
		return Date{}, errors.New("must be a date such as 2026-11-26")
	}
	return Of(t), nil
}

// Time is when the day begins in UTC.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// String is the day as ISO 8601 writes it.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// MarshalText implements encoding.TextMarshaler.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = Parse(string(text))
	return err
}

// Value implements driver.Valuer.
func (d Date) Value() (driver.Value, error) { return d.String(), nil }

// Scan implements sql.Scanner.
func (d *Date) Scan(value any) (err error) {
	switch v := value.(type) {
	case time.Time:
		*d = Of(v)
	case string:
		*d, err = Parse(v)
	case []byte:
		*d, err = Parse(string(v))
	default:
		err = fmt.Errorf("a date of type %T", value)
	}
	return err
}
