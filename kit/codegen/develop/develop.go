// Package develop is the loop of a developer who changes the schema: on a save
// it generates, plans what brings the development database there, builds the
// program, and has it take the place of the one that runs.
//
// The database is a SQLite file, and its steps have no names: each is planned
// from what the file is to what schema/ says. package migration applies them,
// planner plans them, codegen generates. doc/schema/loop.md says what a
// developer can rely on.
//
// The port and the lock of the database are the loop's own, and every program
// is handed both: so clients that connect while there is none wait, and are
// refused by none.
package develop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/store"
)

// Loop is how a module is developed.
type Loop struct {
	// Root is the absolute path of the folder of its go.mod.
	Root string
	// Program is the package of the service's program: "./cmd/notes".
	Program string
	// Environ is the environment, of which the settings are read.
	Environ []string
	Stdout  io.Writer
	Stderr  io.Writer
	// Report says what the contract changes for those who depend on the service.
	Report func(ctx context.Context, c *contract.Contract) (string, error)
	// Every is how often the files are looked at. 0 is 300 ms.
	Every time.Duration

	config  *config.Config
	file    string // the database
	page    *page
	running *child // nil: there is none
	// stale is set while what follows from the schema could not be made: any save tries
	// again.
	stale bool
	// ahead is the wanted schema of the database, while the database lacks it because
	// the program of a save did not compile or start. The next save of Go code may be
	// what it needs.
	ahead *planner.Schema
}

// name is the program's name.
func (l *Loop) name() string { return filepath.Base(l.Program) }

// folder is where the loop keeps what is its own.
func (l *Loop) folder() string { return filepath.Join(l.config.DataDir, "dev") }

// Run develops until ctx ends.
func (l *Loop) Run(ctx context.Context) (err error) {
	if err := l.configure(); err != nil {
		return err
	}
	s, err := l.socket(ctx)
	if err != nil {
		return err
	}
	defer func() {
		l.end()
		err = errors.Join(err, s.Close())
	}()
	l.page = &page{file: filepath.Join(l.folder(), "status.json"), socket: s}
	defer l.page.close()
	w := &watch{root: l.Root, leave: l.config.DataDir}
	seen, err := w.look()
	if err != nil {
		return err
	}
	sources, err := l.sources(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(l.Stdout, "weave dev: %s is made anew on each save, its data is in %s, and %s has its other commands\n%[1]s listens on http://%[4]s\n", l.name(), l.file, l.program(), reachable(s.Addr()))
	changed := changes{schema: true, at: time.Now()}
	for {
		if changed.gone {
			l.revive(ctx, s)
		} else {
			l.round(ctx, s, changed)
			if err := w.acquit(seen, "go.mod", "go.sum"); err != nil {
				return err
			}
		}
		if seen, changed, err = w.wait(ctx, seen, sources, l.every(), l.gone()); err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// revive starts the program again that has ended by itself, unless it did so
// soon after its start.
func (l *Loop) revive(ctx context.Context, s *socket) {
	ended := l.running
	l.running = nil
	if ctx.Err() != nil {
		return
	}
	err := fmt.Errorf("%s ended by itself: %v", l.name(), ended.state)
	if time.Since(ended.began) > 3*time.Second {
		fmt.Fprintf(l.Stderr, "weave dev: %v\n", err)
		if l.running, err = l.start(ctx, s, ended.program); err == nil {
			return
		}
	}
	l.fail(err)
}

func (l *Loop) every() time.Duration {
	if l.Every > 0 {
		return l.Every
	}
	return 300 * time.Millisecond
}

// configure reads the settings as the program does.
func (l *Loop) configure() (err error) {
	l.config, err = config.Program{Name: l.name()}.Load(nil, l.Environ)
	if l.config.Env == config.Production {
		return errors.New("ENTWINE_ENV is production: weave dev changes the database without being asked, and is for development only")
	}
	if err != nil {
		return err
	}
	l.config.DataDir = l.below(l.config.DataDir)
	name, ok, err := store.SQLiteFile(l.config.Database.URL)
	if err != nil || !ok {
		return errors.Join(err, errors.New("weave dev keeps its data in a SQLite file: leave ENTWINE_DATABASE_URL unset, or name one. "+
			"Another database is brought up to date by migrations with names: weave migrate diff NAME"))
	}
	l.file = l.below(name)
	return os.MkdirAll(l.folder(), 0o700)
}

// below is the path as the program has it, whose working directory is the root.
func (l *Loop) below(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(l.Root, path)
}

// round makes the program of the current sources, and has it serve. It reports what
// keeps it from that.
func (l *Loop) round(ctx context.Context, s *socket, changed changes) {
	c := newClock(changed.at)
	l.page.show(working, "", "")
	err := l.make(ctx, s, changed, c)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		l.fail(err)
		return
	}
	l.page.show(ready, "", "")
	fmt.Fprintf(l.Stdout, "ready in %s\n", c)
}

// fail shows on the terminal and on pages what keeps the round from its end.
func (l *Loop) fail(err error) {
	after := "The program from before goes on."
	if l.running == nil {
		after = "No program runs."
	}
	fmt.Fprintf(l.Stderr, "weave dev: %v\n%s Waiting for the next save.\n", err, after)
	l.page.show(failed, err.Error(), after)
	if l.running == nil {
		l.page.stand()
	}
}

// make is a round: nothing that runs, and nothing of the database, changes
// before everything is there that can be made beforehand.
func (l *Loop) make(ctx context.Context, s *socket, changed changes, c *clock) (err error) {
	next := change{}
	switch {
	case changed.schema || l.stale:
		l.stale = true
		if next, err = l.generate(ctx, c); err != nil {
			return err
		}
		l.stale = false
	case l.ahead != nil:
		next, err = l.plan(ctx, *l.ahead)
		c.lap("plan")
		if err != nil {
			return err
		}
	}
	program, err := l.build(ctx)
	c.lap("build")
	if err != nil {
		return err
	}
	if next.none() && l.running != nil && l.running.same(program) {
		fmt.Fprintln(l.Stdout, "nothing changed that the program is built of: it goes on")
	} else if err := l.replace(ctx, s, program, next, c); err != nil {
		return err
	}
	l.ahead = nil
	return nil
}

// generate makes what follows from the schema, and plans what the database needs.
func (l *Loop) generate(ctx context.Context, c *clock) (next change, err error) {
	before, err := l.modules()
	if err != nil {
		return next, err
	}
	report := func(d codegen.Declaration) error { return l.report(ctx, d, c) }
	declared, err := codegen.Generation{Notes: l.Stderr, Progress: l.Stderr, SQLiteOnly: true, Judged: report, Done: c.lap}.Run(ctx, l.Root)
	if err != nil {
		return next, relative(l.Root, err)
	}
	l.ahead = &declared.Database
	if l.running == nil {
		if err := l.complete(ctx); err != nil {
			return next, err
		}
		if before, err = l.modules(); err != nil {
			return next, err
		}
	}
	next, err = l.plan(ctx, declared.Database)
	c.lap("plan")
	if err != nil {
		return next, err
	}
	return next, l.settle(ctx, before)
}

// report says what the schemas change for others. It comes before anything is made of
// them: to write and compile that takes four times as long.
func (l *Loop) report(ctx context.Context, d codegen.Declaration, c *clock) error {
	text, err := l.Report(ctx, d.Contract)
	if err != nil {
		return err
	}
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintln(l.Stdout, text)
	}
	c.lap("report")
	return nil
}

// replace has the program serve. Where the database changes, no program works
// on it meanwhile, and where the new one does not come to serve, the one from
// before does, on the database from before.
func (l *Loop) replace(ctx context.Context, s *socket, program string, next change, c *clock) error {
	before := l.running
	if next.none() {
		started, err := l.start(ctx, s, program)
		c.lap("start")
		if err != nil {
			return err
		}
		l.running = started
		if before != nil {
			go before.leave() // it ends what has begun
		}
		return l.named(started)
	}
	if before != nil {
		before.stop(l.config.Limit.Shutdown)
		c.lap("stop")
	}
	undo, err := l.apply(ctx, next)
	c.lap("migrate")
	if err == nil {
		l.running, err = l.start(ctx, s, program)
		c.lap("start")
	}
	if err == nil {
		return l.named(l.running)
	}
	l.running = nil
	if before == nil {
		return errors.Join(err, undo())
	}
	if undone := undo(); undone != nil {
		return errors.Join(err, undone)
	}
	again, startErr := l.start(ctx, s, before.program)
	if startErr == nil {
		l.running = again
	}
	return errors.Join(err, startErr)
}

// gone is closed when the program that runs has ended.
func (l *Loop) gone() <-chan struct{} {
	if l.running == nil {
		return nil
	}
	return l.running.ended
}

// end stops the program.
func (l *Loop) end() {
	if l.running != nil {
		l.running.stop(l.config.Limit.Shutdown)
	}
}

// relative has the error name files as seen from the root.
func relative(root string, err error) error {
	if text := strings.ReplaceAll(err.Error(), root+string(filepath.Separator), ""); text != err.Error() {
		return errors.New(text)
	}
	return err
}
