package store

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
)

// timeLayout is a time in SQLite, which compares times as text: one width,
// one zone.
const timeLayout = "2006-01-02 15:04:05.000000-07:00"

// SQLiteNow is the current time in the form of the store, for statements of
// this program. SQLite's own clock counts in milliseconds: a row that a
// statement changes would be older than what made it in the same one.
// Triggers, which other programs run too, have to do with that clock.
const SQLiteNow = "entwine_now()"

func init() {
	sqlite.MustRegisterScalarFunction("entwine_now", 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		return Time(time.Now()).Format(timeLayout), nil
	})
}

// Time returns t as both databases keep it: UTC, whole microseconds.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// storedTime returns the time that SQLite holds as the text, if it is one.
// time.Parse takes five times as long.
func storedTime(text string) (time.Time, bool) {
	if len(text) != len("2006-01-02 15:04:05.000000+00:00") || text[26:] != "+00:00" {
		return time.Time{}, false
	}
	var n [7]int
	for i, part := range [...]struct{ from, to, ends byte }{{0, 4, '-'}, {5, 7, '-'}, {8, 10, ' '}, {11, 13, ':'}, {14, 16, ':'}, {17, 19, '.'}, {20, 26, '+'}} {
		for _, c := range []byte(text[part.from:part.to]) {
			if c < '0' || c > '9' {
				return time.Time{}, false
			}
			n[i] = n[i]*10 + int(c-'0')
		}
		if text[part.to] != part.ends {
			return time.Time{}, false
		}
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*1000, time.UTC), true
}

// CheckNamedValue turns an argument into what the database stores.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	switch x := v.Value.(type) {
	case nil, int64, string, bool, float64, []byte:
		return nil
	case time.Time:
		return c.bindTime(v, x)
	}
	err := driver.ErrSkip
	if c.check != nil {
		err = c.check.CheckNamedValue(v)
	}
	if errors.Is(err, driver.ErrSkip) {
		v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	}
	if err != nil {
		return err
	}
	if t, ok := v.Value.(time.Time); ok {
		return c.bindTime(v, t)
	}
	return nil
}

func (c *conn) bindTime(v *driver.NamedValue, t time.Time) error {
	t = Time(t)
	if y := t.Year(); y < 1 || y > 9999 {
		return fmt.Errorf("the year %d can't be stored", y)
	}
	if c.owner.sqlite {
		v.Value = t.Format(timeLayout)
		return nil
	}
	v.Value = t
	return nil
}
