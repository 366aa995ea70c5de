// Package advise proposes declarations of the schema from the statements that
// a service ran: an index for a column that is filtered or ordered by and that
// no index begins with, where the database's own planner would use one.
//
// It reads statements from pg_stat_statements or from the files that a service
// keeps of its own figures (package figures), which columns they compare and order by
// from their texts, and tables and indexes from the database. It changes
// nothing: PostgreSQL is asked by way of hypopg, or of an index in a
// transaction that is undone; SQLite by way of an empty copy of the schema that
// has the statistics of the rows.
package advise

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/store"
)

// Options say what to advise on.
type Options struct {
	// Entities are those of the schema that the APIs expose.
	Entities []*model.Entity
	// Rows is how many rows a table has at least: fewer are soon read.
	Rows int64
	// Create lets PostgreSQL make each index in a transaction that is undone,
	// where hypopg is not there. The table takes no writes meanwhile.
	Create bool
}

// Advice is a proposal with its evidence.
type Advice struct {
	// From is pg_stat_statements or figures.
	From string `json:"from"`
	// Tried is how the plans were had: hypopg, transaction, copy, or nothing.
	Tried string `json:"tried"`
	// Statements is how many were read, Unread how many of them the database
	// could not explain.
	Statements int        `json:"statements"`
	Unread     int        `json:"unread"`
	Proposals  []Proposal `json:"proposals"`
}

// Proposal is an index that is missing, and what the schema would say of it.
type Proposal struct {
	// Entity and Field are the schema's names; they are empty where the APIs
	// do not expose the table.
	Entity string `json:"entity,omitempty"`
	Field  string `json:"field,omitempty"`
	Table  string `json:"table"`
	Column string `json:"column"`
	// Declare is the line for the schema, Index the index that follows from it.
	Declare string `json:"declare"`
	Index   string `json:"index"`
	// Note has the reasons against it, or the part that could not be tried.
	Note    string        `json:"note,omitempty"`
	Rows    int64         `json:"rows"`
	Calls   int64         `json:"calls"`
	Took    time.Duration `json:"took_ns"`
	Effects []Effect      `json:"effects"`
}

// Effect is the effect of the index on a statement.
type Effect struct {
	Statement store.Figure `json:"statement"`
	Before    Plan         `json:"before"`
	After     *Plan        `json:"after,omitempty"`
}

// Plan is how a database goes about a statement.
type Plan struct {
	// Cost is PostgreSQL's estimate of the whole, 0 on SQLite.
	Cost  float64  `json:"cost,omitempty"`
	Lines []string `json:"lines"`
}

// judge asks a database's planner.
type judge interface {
	// how names the way in which indexes are tried, "nothing" for none.
	how() string
	// plan explains the statement.
	plan(ctx context.Context, text string) (Plan, error)
	// with has the index there, or as good as there, while it calls try
	// with the index's name in plans.
	with(ctx context.Context, i index, try func(name string) error) error
}

// most is how many statements are looked at: those that took longest.
const most = 300

// Advise proposes what would make the statements cheaper.
func Advise(ctx context.Context, db *store.DB, statements []store.Figure, o Options) (a Advice, err error) {
	tables, err := catalogue(ctx, db)
	if err != nil {
		return a, fmt.Errorf("read the database's tables: %w", err)
	}
	slices.SortFunc(statements, func(x, y store.Figure) int { return cmp.Compare(y.Took, x.Took) })
	statements = statements[:min(len(statements), most)]
	a.Statements = len(statements)
	found := candidates(tables, statements, o)
	err = questionOf(db).judge(ctx, db, o, func(j judge) error {
		a.Tried = j.how()
		plans := map[string]*Plan{}
		for _, c := range found {
			p, err := c.propose(ctx, j, plans)
			if err != nil {
				return fmt.Errorf("try an index of %s.%s: %w", c.index.table.name, c.index.column, err)
			}
			if len(p.Effects) > 0 {
				a.Proposals = append(a.Proposals, p)
			}
		}
		for _, p := range plans {
			if p == nil {
				a.Unread++
			}
		}
		return nil
	})
	slices.SortStableFunc(a.Proposals, func(x, y Proposal) int { return cmp.Compare(y.Took, x.Took) })
	return a, err
}

// gain is which part of the cost of a statement an index must take away.
const gain = 0.2

// propose has the planner decide which of the statements the index is for. A
// plan that is nil could not be had.
func (c *candidate) propose(ctx context.Context, j judge, plans map[string]*Plan) (Proposal, error) {
	p := c.proposal()
	for _, s := range c.statements {
		if _, known := plans[s.Text]; !known {
			plan, err := j.plan(ctx, s.Text)
			plans[s.Text] = &plan
			if err != nil {
				if ctx.Err() != nil {
					return p, err
				}
				plans[s.Text] = nil
			}
		}
	}
	keep := func(s store.Figure, after *Plan) {
		p.Effects = append(p.Effects, Effect{Statement: s, Before: *plans[s.Text], After: after})
		p.Calls += s.Calls
		p.Took += s.Took
	}
	if j.how() == "nothing" {
		for _, s := range c.statements {
			if before := plans[s.Text]; before != nil && before.reads(c.index.table.name) {
				keep(s, nil)
			}
		}
		p.note("it was not tried")
		return p, nil
	}
	return p, j.with(ctx, c.index, func(name string) error {
		for _, s := range c.statements {
			before := plans[s.Text]
			if before == nil {
				continue
			}
			after, err := j.plan(ctx, s.Text)
			if err != nil {
				return err
			}
			if after.names(name) && after.Cost <= before.Cost*(1-gain) {
				keep(s, &after)
			}
		}
		return nil
	})
}

// names reports whether the plan uses the index.
func (p *Plan) names(index string) bool {
	return slices.ContainsFunc(p.Lines, func(line string) bool { return strings.Contains(line, index) })
}

// reads reports whether PostgreSQL's plan reads the whole table.
func (p *Plan) reads(table string) bool {
	return slices.ContainsFunc(p.Lines, func(line string) bool { return strings.Contains(line, "Seq Scan on "+table) })
}

func (p *Proposal) note(text string) {
	if p.Note != "" {
		p.Note += "; "
	}
	p.Note += text
}
