package read

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Verdict has the conditions on one row that decide about its actions.
type Verdict struct {
	// Version is the row's, 0 where rows have none.
	Version int64
	// State is the text of the field that was asked for.
	State string
	// Holds says of each rule that was asked whether the row is one of its.
	Holds []bool
}

// Judge returns the verdict on the row that the filter admits, in one statement:
// false where the viewer reads no such row. The rules are folded; state may be nil.
// Deleted rows count where deleted is set.
func (r *Reader) Judge(ctx context.Context, e *entity.Entity, where Filter, deleted bool, state *entity.Field, rules ...policy.Rule) (v Verdict, found bool, err error) {
	who := viewer.From(ctx)
	readable := e.Rules.Readable(who, deleted)
	if readable.Never() {
		return Verdict{}, false, readable.Refusal(who)
	}
	b := r.builder(who, deleted)
	defer b.release()
	b.WriteString("SELECT ")
	if f := e.Field("version"); f != nil {
		b.column("t", f.Column)
	} else {
		b.WriteString("0")
	}
	for _, rule := range rules {
		b.WriteString(", CASE WHEN ")
		rule.Write(b, "t")
		b.WriteString(" THEN 1 ELSE 0 END")
	}
	if state != nil {
		b.WriteString(", ")
		b.column("t", state.Column)
	}
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	b.where(where, "t")
	b.rule(readable, "t")
	err = r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) (err error) {
		found = true
		if v.Version, err = number(values[0]); err != nil {
			return err
		}
		v.Holds = make([]bool, len(rules))
		for i := range rules {
			n, err := number(values[1+i])
			if err != nil {
				return err
			}
			v.Holds[i] = n != 0
		}
		if state == nil {
			return nil
		}
		switch text := values[1+len(rules)].(type) {
		case string:
			v.State = text
		case []byte:
			v.State = string(text)
		}
		return nil
	})
	if err != nil {
		return Verdict{}, false, fmt.Errorf("judge a row of %s: %w", e.Path, err)
	}
	return v, found, nil
}
