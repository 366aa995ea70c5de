package adopt

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	atschema "ariga.io/atlas/sql/schema"
)

// refused says why no entity is made of the table, and what can be done.
func (t *table) refused() (why, do string) {
	quoted := func(name string) bool { return strings.ContainsAny(name, "\"`\\") }
	switch keys := t.keys(); {
	case quoted(t.Name) || slices.ContainsFunc(t.Columns, func(c *atschema.Column) bool { return quoted(c.Name) }):
		return "its name, or a column's, has a quotation mark, which statements here do not write", "rename it, or read it in SQL"
	case len(keys) == 0:
		return "it has no key", fmt.Sprintf("ALTER TABLE %q ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY gives its rows one on PostgreSQL; then weave adopt again", t.Name)
	case len(keys) > 1 && t.unkeyed() != "":
		return t.unkeyed(), "a column of its own as the key, and a unique index over these, keep the same rows; then weave adopt again. Until then it is read in SQL"
	case len(keys) > 1 && t.unfit != nil:
		return fmt.Sprintf("its key %s has values of which no id can be made: %q", strings.Join(keys, " and "), *t.unfit),
			"integers, UUIDs as lower-case texts, and texts of at most 100 bytes without control characters are allowed, and no nulls; then weave adopt again. Until then it is read in SQL"
	case len(keys) > 1:
	case t.forms[keys[0]].id() == "":
		return fmt.Sprintf("its key %s is of the type %s, and ids are integers, texts or UUIDs", keys[0], t.raw(keys[0])),
			"a column of such a type as the key, and the present one unique beside it, keep the same rows; then weave adopt again. Until then it is read in SQL"
	case t.unfit != nil:
		return fmt.Sprintf("its key %s has a value that no address of a row can hold: %q", keys[0], *t.unfit),
			"keys of 1 to 255 bytes without slashes, commas, backslashes and control characters, UUIDs as lower-case texts; then weave adopt again. Until then it is read in SQL"
	}
	return "", ""
}

// id is the constructor of the field of an id that the column holds, empty where it can be none.
func (f form) id() string {
	switch f.of {
	case "Int64", "UUID":
		return f.of
	case "String", "Text":
		if f.why == "" && !f.bare && len(f.values) == 0 {
			return "String"
		}
	}
	return ""
}

// unkeyed says why no id can be made of the key of several columns, nothing where one can.
func (t *table) unkeyed() string {
	together := "its key is " + strings.Join(t.keys(), " and ") + " together, and "
	for _, key := range t.keys() {
		switch {
		case t.forms[key].id() == "":
			return together + fmt.Sprintf("%s is of the type %s: the id is made of integers, texts and UUIDs", key, t.raw(key))
		case t.secret(key):
			return together + key + " is sensitive by its name: the id would show it"
		}
	}
	if len(t.keys()) > 0 && len(t.Name) > 58 {
		return together + "its name has no room for that of a view beside it, which is longer by 5"
	}
	return ""
}

// judgeKey finds a value of the key that can't be the id of a row, or a part of one.
func (t *table) judgeKey(ctx context.Context, db *sql.DB) error {
	keys := t.keys()
	if len(keys) == 0 || strings.ContainsAny(t.Name+strings.Join(keys, ""), "\"`\\") {
		return nil
	}
	var unfit, shown []string
	for _, key := range keys {
		if wrong := t.kind.unfit(fmt.Sprintf("%q", key), t.forms[key].id(), len(keys) > 1); wrong != "" {
			unfit = append(unfit, wrong)
		}
		shown = append(shown, fmt.Sprintf("COALESCE(CAST(%q AS text), 'NULL')", key))
	}
	if len(unfit) == 0 {
		return nil
	}
	found, err := lines(ctx, db, fmt.Sprintf("SELECT %s FROM %q WHERE %s LIMIT 1", strings.Join(shown, " || ' and ' || "), t.Name, strings.Join(unfit, " OR ")))
	if err == nil && len(found) > 0 {
		t.unfit = &found[0][0]
	}
	return err
}

func (t *table) raw(column string) string {
	c, _ := t.Column(column)
	return c.Type.Raw
}

// keys are the columns of the primary key.
func (t *table) keys() (names []string) {
	if t.PrimaryKey == nil {
		return nil
	}
	for _, p := range t.PrimaryKey.Parts {
		if p.C == nil {
			return nil
		}
		names = append(names, p.C.Name)
	}
	return names
}

// leads returns the foreign key that the column alone is, nil where there is none.
func (t *table) leads(column string) *atschema.ForeignKey {
	for _, k := range t.ForeignKeys {
		if len(k.Columns) == 1 && len(k.RefColumns) == 1 && k.Columns[0].Name == column {
			return k
		}
	}
	return nil
}

// pairs reports whether rows say nothing but that two others belong together, as far
// as a program has to say it.
func (t *table) pairs() bool {
	keys := t.keys()
	if len(keys) != 2 {
		return false
	}
	for _, c := range t.Columns {
		if slices.Contains(keys, c.Name) {
			if t.leads(c.Name) == nil {
				return false
			}
			continue
		}
		if !c.Type.Null && c.Default == nil {
			return false
		}
	}
	return true
}

// columns are those of the index where it is of columns alone, and of whole rows.
func columns(i *atschema.Index) (names []string) {
	for _, p := range i.Parts {
		if p.C == nil {
			return nil
		}
		names = append(names, p.C.Name)
	}
	for _, a := range i.Attrs {
		if _, where := predicate(a); where {
			return nil
		}
	}
	return names
}

// indexed reports whether an index, or the key, begins with the column.
func (t *table) indexed(column string) bool {
	if keys := t.keys(); len(keys) > 0 && keys[0] == column {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(i *atschema.Index) bool {
		all := columns(i)
		return len(all) > 0 && all[0] == column
	})
}
