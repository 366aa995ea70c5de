package model

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/gid"
)

// RowKey says that the key of a table is of several columns (field.ID). The APIs and Ent's
// client read a view over the table, whose column id is a text of the key's values: see
// [RowKey.ID]. Package orm makes it of what the schema says.
type RowKey struct {
	// Table is the database's, and View what has the ids.
	Table string `json:"table"`
	View  string `json:"view"`
	// Columns are those of the key, and Texts those of them that are texts.
	Columns []string `json:"columns"`
	Texts   []string `json:"texts,omitempty"`
}

// Name implements schema.Annotation.
func (RowKey) Name() string { return "EntwineRowKey" }

// NewRowKey is the key of the type's table that is the fields with the names, or what is
// wrong with one of them.
func NewRowKey(t *gen.Type, names []string) (k RowKey, member string, err error) {
	wrong := func(member, why string) (RowKey, string, error) {
		return RowKey{}, member, fmt.Errorf("field.ID(%s): %s", `"`+strings.Join(names, `", "`)+`"`, why)
	}
	if t.ID == nil || t.ID.UserDefined {
		return wrong("id", "a row has one key: either the annotation or the field id is allowed")
	}
	k = RowKey{Table: t.Table(), View: t.Table() + gid.ViewSuffix}
	for _, name := range names {
		var f *gen.Field
		if i := slices.IndexFunc(t.Fields, func(f *gen.Field) bool { return f.Name == name }); i >= 0 {
			f = t.Fields[i]
		}
		switch {
		case f == nil:
			return wrong("", "there is no field "+name+": fields of the entity are allowed")
		case f.Optional || f.Nillable:
			return wrong(name, "a column of a key is never null: a field without Optional and Nillable is allowed")
		case f.IsString():
			k.Texts = append(k.Texts, f.StorageKey())
		case !f.Type.Type.Integer() && !f.IsUUID():
			return wrong(name, "an id is made of integers, texts and UUIDs, and this is "+f.Type.String())
		}
		k.Columns = append(k.Columns, f.StorageKey())
	}
	return k, "", nil
}

// RowKeyOf is the key of the type's table, nil where it is one column.
func RowKeyOf(t *gen.Type) *RowKey {
	var k RowKey
	if has, err := Annotation(t.Annotations, &k); !has || err != nil {
		return nil
	}
	return &k
}

// StoredIn is the table that has the type's rows: the one below the view where they are read
// from one.
func StoredIn(t *gen.Type) string {
	if k := RowKeyOf(t); k != nil {
		return k.Table
	}
	return t.Table()
}

// RowID is the SQL of the id of a row that a trigger is about, NEW or OLD.
func RowID(t *gen.Type, row string) string { return Cell(t, t.ID, row) }

// Cell is the SQL of a field of such a row. The table has no column for an id that is made
// of several.
func Cell(t *gen.Type, f *gen.Field, row string) string {
	if k := RowKeyOf(t); k != nil && f == t.ID {
		return k.ID(row + ".")
	}
	return fmt.Sprintf("%s.%q", row, f.StorageKey())
}

// ID is the id of a row, as [gid.Joined] makes it: the key's values with ~ between them. The expression is
// immutable, so that an index can have it. The row is written before each column, as "NEW.".
func (k *RowKey) ID(row string) string {
	values := make([]string, len(k.Columns))
	for i, column := range k.Columns {
		values[i] = fmt.Sprintf("CAST(%s%q AS text)", row, column)
		if slices.Contains(k.Texts, column) {
			for _, e := range gid.Escapes {
				values[i] = fmt.Sprintf("replace(%s, '%s', '%s')", values[i], e[0], e[1])
			}
		}
	}
	return strings.Join(values, " || '~' || ")
}
