package removal

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Clear removes, or detaches, what refers to the row, and leaves what comes meanwhile. Each
// transaction begins with turn, writes a bounded number of rows, and stays if Clear ends:
// the next call goes on.
func (r *Remover) Clear(ctx context.Context, table string, id any, turn func(context.Context) error) error {
	if err := r.load(ctx); err != nil {
		return err
	}
	for _, f := range r.keys[table] {
		step := r.take
		switch {
		case f.action == keeps: // the database says what is wrong
			continue
		case f.cascades() && f.referred:
			step = r.takeTrees
		}
		for {
			found, done, err := step(ctx, f, id, turn)
			switch {
			case err != nil:
				return fmt.Errorf("take %s.%s from %v of %s: %w", f.child, f.column, id, table, err)
			case found > 0 && done == 0:
				return fmt.Errorf("take %s.%s from %v of %s: %d rows stay", f.child, f.column, id, table, found)
			}
			if found < ahead {
				break
			}
		}
	}
	return nil
}

// take removes or detaches rows that none refers to: it finds some, and says how many it
// was done with.
func (r *Remover) take(ctx context.Context, f *reference, id any, turn func(context.Context) error) (found, done int64, err error) {
	var rows []string
	find := statement.Of(fmt.Sprintf(`SELECT %s FROM %q WHERE %q = $1 LIMIT %d`, r.db.Dialect.RowAddress(), f.child, f.column, ahead))
	err = find.Query(ctx, r.db, func(row *sql.Rows) error {
		var address string
		err := row.Scan(&address)
		rows = append(rows, address)
		return err
	}, id)
	found = int64(len(rows))
	for err == nil && len(rows) > 0 {
		n := min(batch, len(rows))
		var some []byte
		if some, err = json.Marshal(rows[:n]); err != nil {
			break
		}
		var taken int64
		taken, err = r.inTurn(ctx, turn, func(ctx context.Context) (int64, error) { return r.write(ctx, f, id, string(some)) })
		done, rows = done+taken, rows[n:]
	}
	return found, done, err
}

// write removes or detaches the rows at the addresses, as far as they still refer to the
// row. The rows that count them are locked first, in the order of their ids, as all
// writers lock them.
func (r *Remover) write(ctx context.Context, f *reference, id any, addresses string) (int64, error) {
	at := r.db.Dialect.RowsAt("$1")
	if !r.db.Dialect.SingleWriter() {
		for _, other := range r.others(f) {
			lock := statement.Of(fmt.Sprintf(`SELECT id FROM %q WHERE id IN (SELECT %q FROM %q WHERE %s) ORDER BY id FOR NO KEY UPDATE`,
				other.parent, other.column, f.child, at))
			if err := lock.Query(ctx, r.db, func(*sql.Rows) error { return nil }, addresses); err != nil {
				return 0, err
			}
		}
	}
	text := `DELETE FROM %q WHERE %s AND %q = $2`
	if !f.cascades() {
		text = `UPDATE %q SET %[3]q = NULL WHERE %[2]s AND %[3]q = $2`
	}
	write := statement.Of(fmt.Sprintf(text, f.child, at, f.column))
	return write.Exec(ctx, r.db, addresses, id)
}

// others are the foreign keys of the same rows to rows that count them.
func (r *Remover) others(f *reference) (all []*reference) {
	if !f.cascades() {
		return nil
	}
	for _, keys := range r.keys {
		for _, other := range keys {
			if other.child == f.child && other.counted && other.column != f.column {
				all = append(all, other)
			}
		}
	}
	slices.SortFunc(all, func(a, b *reference) int {
		return cmp.Or(cmp.Compare(a.parent, b.parent), cmp.Compare(a.column, b.column))
	})
	return all
}

// takeTrees removes rows that others refer to: those with few at once, as many as a
// batch has room for, and others after what refers to them.
func (r *Remover) takeTrees(ctx context.Context, f *reference, id any, turn func(context.Context) error) (found, done int64, err error) {
	var rows []any
	find := statement.Of(fmt.Sprintf(`SELECT id FROM %q WHERE %q = $1 LIMIT %d`, f.child, f.column, ahead))
	err = find.Query(ctx, r.db, func(row *sql.Rows) error {
		var child any
		err := row.Scan(&child)
		if text, ok := child.([]byte); ok {
			child = string(text)
		}
		rows = append(rows, child)
		return err
	}, id)
	found = int64(len(rows))
	remove := statement.Of(fmt.Sprintf(`DELETE FROM %q WHERE id = $1 AND %q = $2`, f.child, f.column))
	for err == nil && len(rows) > 0 {
		var n int
		if n, err = r.room(ctx, f.child, rows, turn); err != nil {
			break
		}
		var removed int64
		removed, err = r.inTurn(ctx, turn, func(ctx context.Context) (all int64, err error) {
			for _, child := range rows[:n] {
				one, err := remove.Exec(ctx, r.db, child, id)
				if err != nil {
					return 0, err
				}
				all += one
			}
			return all, nil
		})
		done, rows = done+removed, rows[n:]
	}
	return found, done, err
}

// room returns how many of the rows, the first ones, go in one transaction. It clears the
// first of them where many go along with that.
func (r *Remover) room(ctx context.Context, table string, rows []any, turn func(context.Context) error) (n int, err error) {
	for total := 0; n < len(rows); n++ {
		along, few, err := r.along(ctx, table, rows[n])
		switch {
		case err != nil:
			return 0, err
		case n == 0 && !few:
			return 1, r.Clear(ctx, table, rows[0], turn)
		}
		if total += 1 + along; n > 0 && (!few || total > batch) {
			return n, nil
		}
	}
	return n, nil
}

// inTurn is a transaction that begins with turn, and returns what do does.
func (r *Remover) inTurn(ctx context.Context, turn func(context.Context) error, do func(context.Context) (int64, error)) (n int64, err error) {
	err = r.db.InTx(ctx, func(ctx context.Context) error {
		if err := turn(ctx); err != nil {
			return err
		}
		n, err = do(ctx)
		return err
	})
	return n, err
}
