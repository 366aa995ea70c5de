package database

import (
	"errors"
	"fmt"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/migration"
)

// edgeFill is the Backfill of an edge: of the foreign key of existing rows, or of a
// link for each row where there is a table between. nil where it says nothing.
func edgeFill(t *gen.Type, e *gen.Edge) (*planner.Fill, error) {
	c, err := change(e.Annotations)
	if err != nil || c.Backfill == "" {
		return nil, err
	}
	wrong := func(says string) (*planner.Fill, error) {
		return nil, model.ProblemAt(t, e.Name, errors.New("expose.Backfill: "+says))
	}
	switch {
	case e.M2M() && (e.Through != nil || e.Bidi):
		return wrong("links with a schema of their own, and those that both ends call the same, get no value: write them with a program")
	case e.M2M() && len(c.Inverses) > 0:
		return wrong("an edge with a table between has no Inverse")
	case e.M2M():
		fill, err := linkRows(t, e, c)
		return &fill, err
	case !e.OwnFK():
		return wrong("the other end has the foreign key: say it there")
	case e.Field() != nil:
		return wrong(fmt.Sprintf("say it at the field %s", e.Field().Name))
	}
	fill, err := require(model.StoredIn(t), e.Rel.Column(), triggers.Everywhere(c.Backfill))
	if err != nil {
		return wrong(err.Error())
	}
	fill.Inverse = c.Inverses
	return &fill, nil
}

// linkRows links each row to the one whose id the expression gives.
func linkRows(t *gen.Type, e *gen.Edge, c expose.Change) (planner.Fill, error) {
	own, other := e.Rel.Columns[0], e.Rel.Columns[1]
	if e.IsInverse() {
		own, other = other, own
	}
	set, err := strict(triggers.Everywhere(c.Backfill))
	if err != nil {
		return planner.Fill{}, model.ProblemAt(t, e.Name, fmt.Errorf("expose.Backfill: %w", err))
	}
	link := &planner.Link{From: t.Table(), To: e.Type.Table(), FromKey: t.ID.StorageKey(), ToKey: e.Type.ID.StorageKey(), Key: own, Other: other, Expression: c.Backfill}
	statement := func(expression string) []string {
		return []string{migration.Collect(t.Table(), fmt.Sprintf(
			"INSERT INTO %[1]q (%[2]q, %[3]q) SELECT %[7]q, (%[4]s) FROM %[5]q WHERE %[6]s AND (%[4]s) IS NOT NULL ON CONFLICT DO NOTHING",
			e.Rel.Table, own, other, expression, t.Table(), migration.Span, link.FromKey))}
	}
	fill := planner.Fill{Table: e.Rel.Table, Columns: []string{other}, Link: link, Statements: map[string][]string{}}
	for name, expression := range set {
		fill.Statements[name] = statement(expression)
	}
	return fill, nil
}
