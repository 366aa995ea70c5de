package read

import (
	"slices"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
)

// join is a to-one relation that comes with its parents' statement: a round
// trip less. Its columns stand behind the parents' own.
type join struct {
	load  *load
	rule  policy.Rule
	alias string
	start int // the first of its columns in a row
}

// maxJoins bounds what one statement joins: the planner of the database has
// to look at every order of them.
const maxJoins = 4

// join chooses the relations that come with the set's statement. A row is
// repeated for each of its parents; one with long texts therefore has a
// statement of its own, which reads it once.
func (r *reading) join(rows *set) {
	for _, l := range rows.selection.loads {
		if l.edge.Many || !l.edge.Own || len(rows.joins) == maxJoins || slices.ContainsFunc(l.sub.columns, long) {
			continue
		}
		rule := readable(l.edge, r.viewer, r.deleted)
		if rule.Never() {
			continue
		}
		rows.joins = append(rows.joins, join{load: l, rule: rule, alias: "o" + strconv.Itoa(len(rows.joins)), start: rows.width()})
		rows.joined += len(l.sub.columns)
	}
}

// long reports whether values may be too long to be read again and again.
func long(f column) bool {
	return f.Long || f.Kind == entity.JSON || f.Kind == entity.Strings || f.Kind == entity.Objects
}

// joinedColumns writes the columns of the joined rows.
func (b *builder) joinedColumns(rows *set) {
	for _, j := range rows.joins {
		b.WriteString(", ")
		b.columns(j.alias, j.load.sub.columns)
	}
}

// nameColumns writes the columns of the joined rows with names of their own,
// for a statement around this one; namedColumns refers to them there.
func (b *builder) nameColumns(rows *set) {
	for _, j := range rows.joins {
		for i, f := range j.load.sub.columns {
			b.WriteString(", ")
			b.value(j.alias, f)
			b.WriteString(` AS "` + j.alias + "_")
			b.int(i)
			b.WriteString(`"`)
		}
	}
}

func (b *builder) namedColumns(alias string, rows *set) {
	for _, j := range rows.joins {
		for i, f := range j.load.sub.columns {
			b.WriteString(", ")
			b.name(alias, j.alias+"_"+strconv.Itoa(i), f)
		}
	}
}

// joins writes LEFT JOIN for each of the joins of the rows, which are called t.
func (b *builder) joins(rows *set) {
	for _, j := range rows.joins {
		b.WriteString(` LEFT JOIN "` + j.load.edge.To.Table + `" AS "` + j.alias + `" ON `)
		b.column(j.alias, j.load.edge.To.ID().Column)
		b.WriteString(" = ")
		b.column("t", j.load.edge.Column)
		b.rule(j.rule, j.alias)
	}
}

// joinOf returns the join that brought the relation, nil where none did.
func (s *set) joinOf(l *load) *join {
	i := slices.IndexFunc(s.joins, func(j join) bool { return j.load == l })
	if i < 0 {
		return nil
	}
	return &s.joins[i]
}

// carve cuts the rows of a join out of their parents'.
func (s *set) carve(j *join) group {
	columns := j.load.sub.columns
	rows := &set{selection: j.load.sub, columns: columns, arena: s.arena, cells: make([]cell, 0, s.count*len(columns))}
	g := group{set: rows, spans: make([]span, s.count)}
	for row := range s.count {
		cells := s.cells[row*s.width()+j.start:][:len(columns)]
		if !cells[0].null {
			g.spans[row] = span{start: int32(rows.count), n: 1}
			rows.cells = append(rows.cells, cells...)
			rows.count++
		}
	}
	return g
}
