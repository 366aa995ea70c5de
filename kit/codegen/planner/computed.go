package planner

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"
)

// keeping begins the names of PostgreSQL's triggers that compute a column of the
// row before it is written. Their columns are no one's values: they go without a
// question, and backfills have them computed.
const keeping = "keep_"

// plain has generated columns of PostgreSQL that the desired state has as
// ordinary ones be so: they keep their values, and no row is written. It is made
// on the scratch database too. It returns the fills without those that would
// give the columns what they have.
func (s *state) plain(ctx context.Context, desired *state, fills []Fill) (changes []*atlas.Change, rest []Fill, err error) {
	if s.database.rewrites() {
		return nil, fills, nil
	}
	rest = slices.Clone(fills)
	for _, key := range slices.Sorted(maps.Keys(s.parts)) {
		p := s.parts[key]
		if p.kind != "generated column" || !desired.has(p.table, p.name) {
			continue
		}
		c := &atlas.Change{Cmd: "ALTER TABLE " + pq.QuoteIdentifier(p.table) + " ALTER COLUMN " + pq.QuoteIdentifier(p.name) + " DROP EXPRESSION",
			Comment: "a trigger computes " + p.name + " from now on; its values stay"}
		for i, f := range rest {
			if f.Table != p.table || !slices.Equal(f.Columns, []string{p.name}) {
				continue
			}
			same, err := s.generates(ctx, p, f)
			if err != nil {
				return nil, nil, err
			}
			if same {
				rest = slices.Delete(rest, i, i+1)
			}
			break
		}
		if err := s.run(ctx, c.Cmd); err != nil {
			return nil, nil, err
		}
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return nil, rest, nil
	}
	return changes, rest, s.refresh(ctx)
}

// generates reports whether the column is generated as the fill would fill it,
// by the database's own text of both.
func (s *state) generates(ctx context.Context, column part, f Fill) (bool, error) {
	const probe = "entwine_probe"
	if slices.ContainsFunc(f.From, func(name string) bool { return !s.has(f.Table, name) }) {
		return false, nil
	}
	_, set, _, err := update(f.Statements[s.dialect][0])
	if err != nil {
		return false, err
	}
	table, name := pq.QuoteIdentifier(column.table), pq.QuoteIdentifier(column.name)
	kind, err := s.strings(ctx, `SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '`+table+`'::regclass AND attname = '`+column.name+`'`)
	if err != nil {
		return false, err
	}
	expression := strings.TrimPrefix(set, name+" = ")
	if err := s.run(ctx, "ALTER TABLE "+table+" ADD COLUMN "+probe+" "+kind[0][0]+" GENERATED ALWAYS AS "+expression+" STORED"); err != nil {
		return false, err
	}
	parts, err := s.scratch.parts(ctx)
	if err != nil {
		return false, err
	}
	made := parts[part{kind: "generated column", name: probe, table: column.table}.key()]
	return made.text == column.text, s.run(ctx, "ALTER TABLE "+table+" DROP COLUMN "+probe)
}

var computing = regexp.MustCompile(`NEW\."?(\w+)"? := `)

// computed reports whether a trigger computes the column.
func (s *state) computed(table, column string) bool {
	for _, p := range s.parts {
		if p.kind != "trigger" || p.table != table || !strings.HasPrefix(p.name, keeping) {
			continue
		}
		found := computing.FindStringSubmatch(s.parts[part{kind: "function", name: p.name + "()"}.key()].text)
		if found != nil && found[1] == column {
			return true
		}
	}
	return false
}

// own leaves out the losses of columns that triggers compute, and takes none of
// them for what a lost column may be called now.
func (b *states) own(all []loss, renames []Rename) (lost []loss) {
	for _, l := range all {
		if l.column != "" && b.current.computed(l.table, l.column) {
			continue
		}
		l.instead = slices.DeleteFunc(l.instead, func(column string) bool { return b.desired.computed(l.table, column) })
		for _, r := range renames {
			if r.String() == l.name() && r.taken(b.current, b.desired) {
				l.taken = r.To
			}
		}
		lost = append(lost, l)
	}
	return lost
}
