package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/store"
)

// Filler makes rows of any table from its description: few distinct values,
// so that orders have ties, and nulls wherever they are allowed. Two fillers
// with one seed make the same rows.
type Filler struct {
	DB     *store.DB       // what it fills
	Tables []*schema.Table // in an order in which references can be followed
	rnd    *rand.Rand
	// IDs are the rows made, by table.
	IDs map[string][]int64
}

// NewFiller returns a filler of the tables, of which none may have rows.
func NewFiller(db *store.DB, tables []*schema.Table, seed uint64) *Filler {
	return &Filler{DB: db, Tables: tables, rnd: rand.New(rand.NewPCG(seed, seed)), IDs: map[string][]int64{}}
}

// attempts is how often a row is tried: random values may break a unique or
// check constraint.
const attempts = 40

// Row inserts a row into the table and returns its id. Where another table that it
// refers to has no rows, it inserts one there first. ok is false where each attempt
// broke a unique or check constraint. Any other error fails the test.
func (f *Filler) Row(t testing.TB, table *schema.Table) (id int64, ok bool) {
	t.Helper()
	for _, fk := range table.ForeignKeys {
		if fk.RefTable != table && len(f.IDs[fk.RefTable.Name]) == 0 {
			f.Row(t, fk.RefTable)
		}
	}
	var err error
	for range attempts {
		if id, err = f.insert(t.Context(), table); err == nil {
			f.IDs[table.Name] = append(f.IDs[table.Name], id)
			return id, true
		}
		if !store.IsUnique(err) && !store.IsCheck(err) {
			t.Fatalf("fill %s: %v", table.Name, err)
		}
	}
	return 0, false
}

func (f *Filler) insert(ctx context.Context, table *schema.Table) (int64, error) {
	var (
		names, marks []string
		args         []any
		texts        = map[string]string{}
		id           int64
	)
	for _, c := range table.Columns {
		value := f.value(table, c, texts)
		if c.Name == "id" {
			id = int64(len(f.IDs[table.Name]) + 1)
			value = id
		}
		names = append(names, `"`+c.Name+`"`)
		args = append(args, value)
		if f.DB.Postgres() {
			marks = append(marks, fmt.Sprintf("$%d", len(args)))
		} else {
			marks = append(marks, "?")
		}
	}
	text := fmt.Sprintf(`INSERT INTO "%s" (%s) VALUES (%s)`, table.Name, strings.Join(names, ", "), strings.Join(marks, ", "))
	if f.DB.Postgres() && id > 0 {
		text = strings.Replace(text, ") VALUES (", ") OVERRIDING SYSTEM VALUE VALUES (", 1)
	}
	_, err := f.DB.ExecContext(ctx, text, args...)
	return id, err
}

// value makes a value for the column.
func (f *Filler) value(table *schema.Table, c *schema.Column, texts map[string]string) any {
	if source, ok := strings.CutSuffix(c.Name, "_fold"); ok {
		return fold.String(texts[source])
	}
	if c.Name == "deleted_with" { // 0 would say that the row is being removed for good
		return nil
	}
	if c.Nullable && f.rnd.IntN(3) == 0 {
		return nil
	}
	if refs := f.references(table, c); refs != nil {
		if len(refs) == 0 {
			return nil
		}
		return refs[f.rnd.IntN(len(refs))]
	}
	switch c.Type {
	case field.TypeBool:
		return f.rnd.IntN(2) == 0
	case field.TypeTime:
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(f.rnd.IntN(8)) * time.Microsecond)
	case field.TypeEnum:
		return c.Enums[f.rnd.IntN(len(c.Enums))]
	case field.TypeJSON:
		return `[]`
	case field.TypeBytes:
		return []byte(f.word() + fmt.Sprint(f.rnd.Int64()))
	case field.TypeFloat32, field.TypeFloat64:
		return float64(f.rnd.IntN(4)) / 4
	case field.TypeString:
		text := f.text(table, c)
		texts[c.Name] = text
		return text
	}
	return []int64{0, 1, 2, 3, 5, 18, 20}[f.rnd.IntN(7)]
}

// references returns the rows that a foreign key can lead to, nil where the
// column is none.
func (f *Filler) references(table *schema.Table, c *schema.Column) []int64 {
	for _, fk := range table.ForeignKeys {
		if fk.Columns[0].Name == c.Name {
			return append([]int64{}, f.IDs[fk.RefTable.Name]...)
		}
	}
	return nil
}

func (f *Filler) text(table *schema.Table, c *schema.Column) string {
	if c.Name == "currency" {
		return "USD"
	}
	text := f.word()
	if distinct(table, c) {
		text += fmt.Sprint(f.rnd.Int64())
	}
	if c.Size > 0 && int64(len(text)) > c.Size {
		text = text[:c.Size]
	}
	return text
}

func (f *Filler) word() string {
	return []string{"alpha", "Beta", "gamma", "Zulu", "élan", "ωmega"}[f.rnd.IntN(6)]
}

func distinct(table *schema.Table, c *schema.Column) bool {
	if c.Unique {
		return true
	}
	for _, i := range table.Indexes {
		if i.Unique {
			for _, member := range i.Columns {
				if member.Name == c.Name || member.Name == c.Name+"_fold" {
					return true
				}
			}
		}
	}
	return false
}
