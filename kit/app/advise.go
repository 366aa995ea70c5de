package app

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/advise"
	"github.com/entwine-go/entwine/kit/store"
)

// statements is of how many texts a process keeps figures: more than it has.
const statements = 1000

// keep keeps the figures of statements until ctx ends, for advise to read.
func (p *Process) keep(ctx context.Context) error {
	return (&advise.Keeper{Figures: p.figures, Dir: p.figureDir(), Log: p.Log}).Run(ctx)
}

func (p *Process) figureDir() string { return filepath.Join(p.Config.DataDir, "statements") }

func adviseCommand() Command {
	o := advise.Options{Rows: 1000}
	own, asJSON := false, false
	shown := 3
	return Command{
		Name:    "advise",
		Summary: "Propose indexes that the schema could declare, from the statements that ran.",
		About: `Statements are those of pg_stat_statements where the database has that extension, else
those that serve and worker ran in the last week: they keep figures in the data directory.
For each column that statements filter or order by and that no index begins with, the
database's planner is asked what it would do with one. Nothing is changed.

PostgreSQL is asked by way of the extension hypopg. Without it, --create makes each index
in a transaction that is undone, and the table takes no writes meanwhile; without either
the plans of today are shown. SQLite is asked over an empty copy of the schema.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&asJSON, "json", false, "print JSON.")
			fs.BoolVar(&o.Create, "create", false, "make indexes in a transaction that is undone, on PostgreSQL without hypopg.")
			fs.BoolVar(&own, "own", false, "use the service's own figures even if there is pg_stat_statements.")
			fs.Int64Var(&o.Rows, "rows", o.Rows, "how `many` rows a table has at least.")
			fs.IntVar(&shown, "plans", shown, "how `many` statements of each proposal are shown with their plans.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			o.Entities = p.service.Entities
			db, err := p.openDB(ctx)
			if err != nil {
				return err
			}
			a, err := p.advise(ctx, db, own, o)
			if err = errors.Join(err, db.Close()); err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(p.Stdout).Encode(a)
			}
			return p.showAdvice(a, shown)
		},
	}
}

func (p *Process) advise(ctx context.Context, db *store.DB, own bool, o advise.Options) (advise.Advice, error) {
	from := "figures"
	var all []store.Figure
	var err error
	if !own {
		var there bool
		if all, there, err = advise.Collected(ctx, db); there {
			from = "pg_stat_statements"
		}
		own = !there
	}
	if own && err == nil {
		all, err = advise.Kept(p.figureDir())
	}
	if err != nil {
		return advise.Advice{}, err
	}
	a, err := advise.Advise(ctx, db, all, o)
	a.From = from
	return a, err
}

// showAdvice prints proposals for a person.
func (p *Process) showAdvice(a advise.Advice, shown int) error {
	var b strings.Builder
	if a.From == "figures" {
		a.From = "the figures in " + p.figureDir()
	}
	fmt.Fprintf(&b, "%d statements of %s", a.Statements, a.From)
	if a.Unread > 0 {
		fmt.Fprintf(&b, ", of which the database could not explain %d", a.Unread)
	}
	fmt.Fprintf(&b, "; %d proposals.\n", len(a.Proposals))
	if a.Tried == "nothing" {
		b.WriteString("Indexes were not tried: install the extension hypopg, or say --create.\n")
	}
	for i, one := range a.Proposals {
		of := one.Table + "." + one.Column
		if one.Field != "" {
			of = one.Entity + "." + one.Field
		}
		fmt.Fprintf(&b, "\n%d. %s: %s\n   %s\n   %d rows; %d calls that took %s in all\n", i+1, of, one.Declare, one.Index, one.Rows, one.Calls, brief(one.Took))
		if one.Note != "" {
			fmt.Fprintf(&b, "   But %s.\n", one.Note)
		}
		for _, e := range one.Effects[:min(shown, len(one.Effects))] {
			fmt.Fprintf(&b, "\n   %d calls, %s: %s\n", e.Statement.Calls, brief(e.Statement.Took), e.Statement.Text)
			plan(&b, "before", &e.Before)
			plan(&b, "after", e.After)
		}
	}
	if len(a.Proposals) > 0 {
		b.WriteString("\nDeclare what is worth its writes in schema/, then: make generate, make migration NAME=…\n")
	}
	_, err := p.Stdout.Write([]byte(b.String()))
	return err
}

func plan(b *strings.Builder, when string, p *advise.Plan) {
	if p == nil {
		return
	}
	fmt.Fprintf(b, "   %s", when)
	if p.Cost > 0 {
		fmt.Fprintf(b, ", cost %.0f", p.Cost)
	}
	b.WriteString(":\n")
	for _, line := range p.Lines {
		fmt.Fprintf(b, "      %s\n", line)
	}
}

// brief is a time in three digits or so.
func brief(d time.Duration) string {
	switch {
	case d > time.Minute:
		return d.Round(time.Second).String()
	case d > time.Second:
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
