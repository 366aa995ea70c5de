package adopt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/migration"
)

// Baseline is the text of the migration that has made the tables of the plan. A
// database that has them all is taken to have had it: package migration.
func (p *Plan) Baseline(ctx context.Context) (string, error) {
	var b strings.Builder
	names := p.tables()
	for _, t := range p.database.Tables {
		if slices.Contains(names, t.Name) {
			var all []string
			for _, c := range t.Columns {
				all = append(all, c.Name)
			}
			b.WriteString(migration.BaselineOf(t.Name, all) + "\n")
		}
	}
	texts, err := p.database.kind.creations(ctx, p.database.db, names)
	if err != nil {
		return "", fmt.Errorf("read how the tables were made: %w", err)
	}
	b.WriteString("\n")
	for _, text := range texts {
		b.WriteString(strings.TrimSuffix(strings.TrimSpace(text), ";") + ";\n")
	}
	return b.String(), nil
}

// tables are those that the schema has from now on, in an order.
func (p *Plan) tables() (names []string) {
	for _, e := range p.Entities {
		names = append(names, e.Table)
	}
	for _, b := range p.Between {
		names = append(names, b.Table)
	}
	slices.Sort(names)
	return names
}
