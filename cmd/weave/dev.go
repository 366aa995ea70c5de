package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/develop"
)

func devCommand() command {
	l := &develop.Loop{}
	return command{
		name:    "dev",
		summary: "Serve, and after each save generate, migrate and build anew.",
		about: `
It needs no database but the SQLite file in ./data, which it brings to what schema/ says: these steps have no
names, and migrate diff NAME writes what they come to as one migration for both databases. Of a column or a
table that goes the values are kept in ./data/dev/kept, and put back when it is there again. The program from
before goes on serving where the new one can't be made: pages and the terminal say why. doc/schema/loop.md`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&l.Program, "program", "", "the `package` of the service's program. Without it the one in cmd/.")
		},
		run: func(ctx context.Context, p *process, args []string) (err error) {
			if err := wants(args); err != nil {
				return err
			}
			if l.Root, err = filepath.Abs(p.root); err != nil {
				return err
			}
			if l.Program == "" {
				if l.Program, err = program(l.Root); err != nil {
					return err
				}
			}
			p.root = l.Root // generating changes the working directory meanwhile
			l.Environ, l.Stdout, l.Stderr = os.Environ(), p.stdout, p.stderr
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(400) // a sixth of what generating takes would be collecting its garbage
			}
			r := &reporter{process: p}
			l.Report = r.report
			return l.Run(ctx)
		},
	}
}

// program is the package of the only program that the module has, but for this one.
func program(root string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "cmd", "*", "main.go"))
	if err != nil {
		return "", err
	}
	var all []string
	for _, file := range files {
		if name := filepath.Base(filepath.Dir(file)); name != "weave" {
			all = append(all, "./cmd/"+name)
		}
	}
	if len(all) != 1 {
		return "", usagef("cmd/ has %d programs (%s): say which one with --program", len(all), strings.Join(all, ", "))
	}
	return all[0], nil
}

// reporter reports what is new in the contract since the last commit.
type reporter struct {
	*process
	told bool
}

// report is a line for each change since the last commit. That there is nothing
// to compare with is said once.
func (r *reporter) report(ctx context.Context, after *contract.Contract) (string, error) {
	before, err := released(ctx, r.process, "HEAD")
	if errors.Is(err, errNone) {
		if r.told {
			return "", nil
		}
		r.told = true
		return "what clients and running processes notice is not judged: " + firstLine(err.Error()), nil
	}
	if err != nil {
		return "", err
	}
	found := change.Judge(before, after)
	if len(found) == 0 {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintln(&b, "since the last commit:")
	err = change.Report(&b, found, style(r.stdout))
	return b.String(), err
}

func firstLine(text string) string { return slices.Collect(strings.Lines(text))[0] }

func migrateDownCommand() command {
	return command{
		name:    "migrate down",
		summary: "Undo the last step of weave dev on the development database.",
		about: `
The SQLite file is again what it was before that step. What it was since is kept beside, in ./data/dev/kept.
Other databases go forward only: a migration that takes back what another one did is a migration too.`,
		run: func(ctx context.Context, p *process, args []string) (err error) {
			if err := wants(args); err != nil {
				return err
			}
			l := &develop.Loop{Environ: os.Environ(), Stdout: p.stdout, Stderr: p.stderr}
			if l.Root, err = filepath.Abs(p.root); err != nil {
				return err
			}
			return l.Down(ctx)
		},
	}
}
