package trial

import (
	"context"
	"slices"
	"strings"
	"time"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// File is a migration that was applied.
type File struct {
	Name string
	Took time.Duration
	// Statements are those that took longest, and Locks those that stop others.
	Statements []Statement
	Locks      []Lock
}

// Statement is one of a migration. One of a backfill is a batch.
type Statement struct {
	Text string
	Took time.Duration
	// Times is how often it was run, Longest how long one took.
	Times   int
	Longest time.Duration
}

// apply applies the migrations one by one, and measures them.
func (t *Trial) apply(ctx context.Context, c *copied, r *Report) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	all, err := migration.Dir(t.Migrations, db.Dialect.Name())
	if err != nil {
		return err
	}
	files, err := all.Files()
	if err != nil {
		return err
	}
	watched, stop := watch(ctx, db)
	defer stop()
	for i, f := range files {
		if !slices.Contains(r.Pending, f.Name()) {
			continue
		}
		upTo, err := folder(files[:i+1])
		if err != nil {
			return err
		}
		one, s := File{Name: f.Name()}, new(stopwatch)
		watched.next()
		began := time.Now()
		err = migration.Runner{Notice: t.notice}.Apply(migration.Watch(ctx, s.begins), db, upTo)
		one.Took = time.Since(began)
		one.Statements, one.Locks = s.end(), watched.next()
		r.Files = append(r.Files, one)
		if err != nil && ctx.Err() == nil {
			r.Err = err
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notice says what a migration waits for, or how far it is.
func (t *Trial) notice(n migration.Notice) {
	if n.Waits > 0 {
		t.Say("a migration waits for a lock: " + n.Waits.Round(time.Millisecond).String())
	}
}

// folder is one with the files.
func folder(files []atlas.File) (atlas.Dir, error) {
	d := new(atlas.MemDir)
	for _, f := range files {
		if err := d.WriteFile(f.Name(), f.Bytes()); err != nil {
			return nil, err
		}
	}
	sum, err := d.Checksum()
	if err != nil {
		return nil, err
	}
	return d, atlas.WriteSumFile(d, sum)
}

// stopwatch measures statements by when the next one begins.
type stopwatch struct {
	all   []Statement
	last  string
	began time.Time
}

func (s *stopwatch) begins(text string) {
	s.ends()
	if strings.Contains(text, migration.Table) { // what was applied is noted
		return
	}
	s.last, s.began = strings.TrimSpace(text), time.Now()
}

func (s *stopwatch) ends() {
	if s.last == "" {
		return
	}
	took := time.Since(s.began)
	i := slices.IndexFunc(s.all, func(of Statement) bool { return of.Text == s.last })
	if i < 0 {
		i = len(s.all)
		s.all = append(s.all, Statement{Text: s.last})
	}
	of := &s.all[i]
	of.Took, of.Times, of.Longest = of.Took+took, of.Times+1, max(of.Longest, took)
	s.last = ""
}

// mostStatements is how many are reported of a file.
const mostStatements = 5

func (s *stopwatch) end() []Statement {
	s.ends()
	slices.SortStableFunc(s.all, func(a, b Statement) int { return int(b.Took - a.Took) })
	return s.all[:min(len(s.all), mostStatements)]
}

// watch begins to look at the locks of a database.
func watch(ctx context.Context, db *store.DB) (w *locks, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	w = &locks{db: db, query: databases.On(db.Dialect).locks(), ended: make(chan struct{})}
	go w.run(ctx)
	return w, func() {
		cancel()
		<-w.ended
	}
}
