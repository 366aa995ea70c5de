package triggers

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// versions are the triggers that raise the version of a row (tables.Versioned)
// with each statement that writes a column of it, whichever program or trigger
// the statement comes from. A statement that raises the version itself is left
// alone.
func versions(m *model.Model) (postgres, sqlite []Object, err error) {
	for _, e := range m.Entities {
		if !e.Versioned {
			continue
		}
		columns, err := counted(e.Type)
		if err != nil {
			return nil, nil, err
		}
		v := version{model.StoredIn(e.Type), []string{e.Type.ID.StorageKey()}, columns}
		if k := model.RowKeyOf(e.Type); k != nil {
			v.key = k.Columns
		}
		postgres, sqlite = append(postgres, v.postgres()...), append(sqlite, v.sqlite())
	}
	return postgres, sqlite, nil
}

// version is the trigger of a table, of the columns that are quoted.
type version struct {
	table        string
	key, columns []string
}

func (v version) name() string { return "version_" + v.table }

const notRaised = `NEW."version" <= OLD."version"`

func (v version) postgres() []Object {
	return []Object{
		{Name: v.name() + " (function)", Create: fmt.Sprintf(
			"CREATE OR REPLACE FUNCTION %q() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tNEW.\"version\" := OLD.\"version\" + 1;\n\tRETURN NEW;\nEND $$", v.name())},
		{Name: v.name(), Create: fmt.Sprintf("CREATE TRIGGER %q BEFORE UPDATE OF %s ON %q FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %[1]q()",
			v.name(), strings.Join(v.columns, ", "), v.table, notRaised)},
	}
}

// sqlite writes the row once more: its triggers can't change the row that is
// about to be written. The version is one more than it was, whatever the statement sets:
// an upsert sets that of a new row.
func (v version) sqlite() Object {
	is := make([]string, len(v.key))
	for i, column := range v.key {
		is[i] = fmt.Sprintf("%q = NEW.%[1]q", column)
	}
	return Object{Name: v.name(), Create: fmt.Sprintf("CREATE TRIGGER %q AFTER UPDATE OF %s ON %q FOR EACH ROW WHEN %s BEGIN\n\tUPDATE %[3]q SET \"version\" = OLD.\"version\" + 1 WHERE %[5]s;\nEND",
		v.name(), strings.Join(v.columns, ", "), v.table, notRaised, strings.Join(is, " AND "))}
}

// writtenOnce are the columns, quoted, of each table whose version SQLite raises by a
// second update: all but the version, which that one alone writes.
func writtenOnce(m *model.Model) map[string][]string {
	all := map[string][]string{}
	for _, e := range m.Entities {
		if !e.Versioned || !slices.ContainsFunc(e.Type.Fields, func(f *gen.Field) bool { return f.UpdateDefault }) {
			continue // a write of its edges alone sets nothing but the version
		}
		var columns []string
		for _, f := range e.Type.Fields {
			if f.Name != "version" {
				columns = append(columns, fmt.Sprintf("%q", f.StorageKey()))
			}
		}
		for _, key := range e.Type.ForeignKeys { // of edges without a field
			if column := fmt.Sprintf("%q", key.Field.StorageKey()); !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
		}
		all[model.StoredIn(e.Type)] = columns
	}
	return all
}

// counted are the columns of a table whose writes raise the version: all but
// tallies, folded texts, which change with the text, and what the schema says
// to be [expose.Unversioned].
func counted(t *gen.Type) (columns []string, err error) {
	seen := map[string]bool{}
	add := func(column string) {
		if !seen[column] {
			seen[column] = true
			columns = append(columns, fmt.Sprintf("%q", column))
		}
	}
	for _, f := range t.Fields {
		a, err := model.FieldAnnotation(f.Annotations)
		if err != nil {
			return nil, model.ProblemAt(t, f.Name, err)
		}
		if a.Tally == nil && !a.Unversioned && !strings.HasSuffix(f.Name, expose.FoldSuffix) {
			add(f.StorageKey())
		}
	}
	for _, key := range t.ForeignKeys { // of edges without a field
		add(key.Field.StorageKey())
	}
	return columns, nil
}
