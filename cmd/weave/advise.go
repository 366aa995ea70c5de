package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/advise"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/store"
)

func adviseCommand() command {
	a := &adviser{options: advise.Options{Rows: 1000}, shown: 3}
	return command{
		name:    "advise",
		summary: "Propose indexes that schema/ could declare, from the statements that ran.",
		about: `
It reads the database of the service's settings: ENTWINE_DATABASE_URL, else the SQLite file in the data directory.
Statements are those of pg_stat_statements where the database has that extension, else those that serve and worker
ran in the last week: they keep figures in the folder statements of the data directory, or --figures names a copy.
For each column that statements filter or order by and that no index begins with, the database's planner is asked
what it would do with one. Nothing is changed.

PostgreSQL is asked by way of the extension hypopg. Without it, --create makes each index in a transaction that is
undone, and the table takes no writes meanwhile; without either the plans of today are shown. SQLite is asked over
an empty copy of the schema.`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&a.json, "json", false, "print JSON.")
			fs.BoolVar(&a.options.Create, "create", false, "make indexes in a transaction that is undone, on PostgreSQL without hypopg.")
			fs.BoolVar(&a.own, "own", false, "use the service's own figures even if there is pg_stat_statements.")
			fs.StringVar(&a.dir, "figures", "", "the `folder` of the service's figures.")
			fs.Int64Var(&a.options.Rows, "rows", a.options.Rows, "how `many` rows a table has at least.")
			fs.IntVar(&a.shown, "plans", a.shown, "how `many` statements of each proposal are shown with their plans.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			advice, err := a.advise(ctx, p)
			switch {
			case err != nil:
				return err
			case a.json:
				return json.NewEncoder(p.stdout).Encode(advice)
			}
			return showAdvice(p, advice, a.dir, a.shown)
		},
	}
}

// adviser has the arguments of weave advise.
type adviser struct {
	options   advise.Options
	dir       string // of the figures
	own, json bool
	shown     int
}

func (a *adviser) advise(ctx context.Context, p *process) (advice advise.Advice, err error) {
	root, err := filepath.Abs(p.root)
	if err != nil {
		return advice, err
	}
	url, err := a.settings(root)
	if err != nil {
		return advice, err
	}
	if a.options.Entities, err = codegen.Entities(ctx, root); err != nil {
		return advice, err
	}
	db, err := store.Open(ctx, store.Config{URL: url})
	if err != nil {
		return advice, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, from, err := advise.Statements(ctx, db, a.dir, a.own)
	if err != nil {
		return advice, err
	}
	advice, err = advise.Advise(ctx, db, all, a.options)
	advice.From = from
	return advice, err
}

// settings reads the service's settings as its program does that runs in root:
// the database, and where its figures are unless a flag says so.
func (a *adviser) settings(root string) (url string, err error) {
	settings, err := config.Program{}.Load(nil, os.Environ())
	if err != nil {
		return "", err
	}
	if a.dir == "" {
		a.dir = advise.Folder(below(root, settings.DataDir))
	}
	file, ok, err := store.SQLiteFile(settings.Database.URL)
	if err != nil || !ok {
		return settings.Database.URL, err
	}
	file = below(root, file)
	if _, err := os.Stat(file); err != nil { // opening it would make it
		return "", fmt.Errorf("there is no database: %w", err)
	}
	return store.SQLiteURL(file), nil
}

func below(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

// showAdvice prints proposals for a person.
func showAdvice(p *process, a advise.Advice, dir string, shown int) error {
	var b strings.Builder
	if a.From == "figures" {
		a.From = "the figures in " + dir
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
	_, err := p.stdout.Write([]byte(b.String()))
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
