package database

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/migration"
)

// fills make rows right in the order in which values follow from each other:
// renamed values of enums, values that fields require, folded texts, and what
// triggers keep.
func fills(m *model.Model) (all []planner.Fill, err error) {
	var values, required, folds []planner.Fill
	for _, t := range m.Graph.Nodes {
		if required, err = edgeFills(required, t); err != nil {
			return nil, err
		}
		for _, f := range t.Fields {
			c, err := change(f.Annotations)
			if err != nil {
				return nil, model.ProblemAt(t, f.Name, err)
			}
			if len(c.Values) > 0 {
				fill, err := renameValues(t, f, c.Values)
				if err != nil {
					return nil, err
				}
				values = append(values, fill)
			}
			if required, err = fieldFill(required, t, f, c); err != nil {
				return nil, err
			}
			a, err := model.FieldAnnotation(f.Annotations)
			if err != nil {
				return nil, model.ProblemAt(t, f.Name, err)
			}
			if !strings.HasSuffix(f.Name, expose.FoldSuffix) && a.Folded() {
				folds = append(folds, foldTexts(t, f))
			}
		}
	}
	all = slices.Concat(values, required, folds)
	for _, f := range triggers.Fills(m) {
		all = append(all, planner.Fill{Table: f.Table, Columns: f.Columns, From: f.From, Of: f.Of, Objects: f.Objects, Statements: f.Statements})
	}
	return all, nil
}

// edgeFills adds what copies the links of the type's edges.
func edgeFills(all []planner.Fill, t *gen.Type) ([]planner.Fill, error) {
	for _, e := range t.Edges {
		fill, err := edgeFill(t, e)
		if err != nil {
			return nil, err
		}
		if fill != nil {
			all = append(all, *fill)
		}
	}
	return all, nil
}

func both(statement string) map[string][]string { return triggers.Everywhere([]string{statement}) }

func foldTexts(t *gen.Type, f *gen.Field) planner.Fill {
	folded := f.StorageKey() + expose.FoldSuffix
	return planner.Fill{Table: model.StoredIn(t), Columns: []string{folded}, From: []string{f.StorageKey()},
		Statements: both(migration.Fold(model.StoredIn(t), f.StorageKey(), folded))}
}

// fieldFill adds what gives rows a value of the field, if something says it.
func fieldFill(all []planner.Fill, t *gen.Type, f *gen.Field, c expose.Change) ([]planner.Fill, error) {
	set := backfill(f, c)
	if set == nil {
		return all, nil
	}
	fill, err := require(model.StoredIn(t), f.StorageKey(), set)
	if err != nil {
		return nil, model.ProblemAt(t, f.Name, fmt.Errorf("expose.Backfill: %w", err))
	}
	fill.Inverse = c.Inverses
	return append(all, fill), nil
}

// backfill is the expression, by the database, that gives rows a value of the
// field; nil where nothing says it.
func backfill(f *gen.Field, c expose.Change) map[string]string {
	switch {
	case c.Backfill == "now()":
		return triggers.Now()
	case c.Backfill != "":
		return triggers.Everywhere(c.Backfill)
	case f.IsJSON() && f.Default && !f.Optional && !f.DefaultFunc(): // Ent has no default of JSON in the database
		encoded, err := json.Marshal(f.DefaultValue())
		if err != nil {
			return nil
		}
		text := literal(string(encoded))
		return triggers.Everywhere(text)
	}
	return nil
}

// require gives rows without a value of the column that of the expression, by the
// database.
func require(table, column string, set map[string]string) (planner.Fill, error) {
	set, err := strict(set)
	if err != nil {
		return planner.Fill{}, err
	}
	fill := planner.Fill{Table: table, Columns: []string{column}, Required: true, Statements: map[string][]string{}}
	for name, expression := range set {
		fill.Statements[name] = []string{fmt.Sprintf("UPDATE %q SET %q = (%s) WHERE %[2]q IS NULL", table, column, expression)}
	}
	return fill, nil
}

// renameValues gives rows the values that theirs are called now.
func renameValues(t *gen.Type, f *gen.Field, values map[string]string) (planner.Fill, error) {
	wrong := func(format string, args ...any) (planner.Fill, error) {
		return planner.Fill{}, model.ProblemAt(t, f.Name, fmt.Errorf("expose.ValueWas: "+format, args...))
	}
	if !f.IsEnum() {
		return wrong("an enum is allowed, not %s", f.Type)
	}
	var cases, old []string
	for _, was := range slices.Sorted(maps.Keys(values)) {
		now := values[was]
		if !slices.Contains(f.EnumValues(), now) {
			return wrong("%q: the values that there are are allowed: %s", now, strings.Join(f.EnumValues(), ", "))
		}
		if slices.Contains(f.EnumValues(), was) {
			return wrong("%q is a value still, and rows that have it keep it: take it away in this release, and give another value its name in the next", was)
		}
		cases = append(cases, fmt.Sprintf("WHEN %s THEN %s", literal(was), literal(now)))
		old = append(old, literal(was))
	}
	slices.SortFunc(cases, cmp.Compare[string])
	return planner.Fill{Table: model.StoredIn(t), Columns: []string{f.StorageKey()}, Check: checkName(model.StoredIn(t), f.StorageKey()),
		Statements: both(fmt.Sprintf("UPDATE %q SET %q = CASE %[2]q %[3]s END WHERE %[2]q IN (%[4]s)",
			model.StoredIn(t), f.StorageKey(), strings.Join(cases, " "), strings.Join(old, ", ")))}, nil
}

func checkName(table, column string) string { return table + "_" + column + "_values" }

func oneOf(column string, values []string) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, literal(v))
	}
	return fmt.Sprintf("%q IN (%s)", column, strings.Join(texts, ", "))
}

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
