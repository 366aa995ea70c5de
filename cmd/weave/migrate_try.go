package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/entwine-go/entwine/kit/codegen/trial"
)

func migrateTryCommand() command {
	t := &trial.Trial{}
	requests, against, old, latest, pkg := "", "HEAD", "", "", ""
	return command{
		name:    "migrate try",
		args:    "COPY",
		summary: "Apply the migrations to copies of a database, and report the effects.",
		about: `
COPY is a dump of PostgreSQL (pg_dump, in any of its formats), the address of a database of PostgreSQL
(postgres://…) to which nothing is connected, or a file of SQLite. It is only read: what is tried is tried on
copies of it, which are removed. A dump is restored on a server that weave starts, or on the one that
ENTWINE_DEV_DATABASE_URL names; copies of an address are made beside it, which takes CREATEDB.

Pending migrations are applied while the requests of --requests are asked of the program before (of the
commit --against, or --old) and then of the new one (of this folder, or --new). It prints how long statements
took and what locks they held, how many rows are others now, with samples of them before and after, and which
requests failed that did not before, with what the programs logged. It fails where one did, or where the
migrations can't be applied.

ENTWINE_RECORD=FILE has a service record requests. Take the copy when the recording begins: so the ids of
rows are those that were asked for. Programs do no background work here.`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&requests, "requests", "", "the `file` that ENTWINE_RECORD has written.")
			fs.StringVar(&against, "against", against, "the `commit` that the program before is made of.")
			fs.StringVar(&old, "old", "", "the program before, as a `file`.")
			fs.StringVar(&latest, "new", "", "the new program, as a `file`.")
			fs.StringVar(&pkg, "program", "", "the `package` of the service's program. Without it the one in cmd/.")
			fs.IntVar(&t.Clients, "clients", 4, "`how many` ask at a time while the migrations are applied.")
			fs.IntVar(&t.Rows, "rows", 1_000_000, "`how many` rows of a table are compared at most.")
			fs.IntVar(&t.Samples, "samples", 3, "`how many` rows of a table are shown that are others now.")
		},
		run: func(ctx context.Context, p *process, args []string) (err error) {
			if err := wants(args, "COPY"); err != nil {
				return err
			}
			if t.Clients < 1 || t.Rows < 0 || t.Samples < 0 {
				return usagef("--clients takes 1 or more, --rows and --samples 0 or more")
			}
			t.Migrations = os.DirFS(migrations(p.root))
			t.Say = func(line string) { fmt.Fprintln(p.stderr, "weave:", line) }
			dir, err := os.MkdirTemp("", "weave-try-")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			if requests != "" {
				if t.Requests, err = recorded(requests, t.Say); err != nil {
					return err
				}
				b := &building{process: p, dir: dir, pkg: pkg}
				if t.Old, err = b.before(ctx, old, against); err != nil {
					return err
				}
				if t.New, err = b.latest(ctx, latest); err != nil {
					return err
				}
			}
			source, err := trial.Open(ctx, args[0], t.Say)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, source.Close()) }()
			report, err := t.Run(ctx, source)
			if err != nil {
				return err
			}
			report.Write(p.stdout)
			if report.Err != nil {
				return errors.New("the migrations can't be applied to the copy")
			}
			if n := len(report.Failures()); n > 0 {
				return fmt.Errorf("%d kinds of requests fail that did not before", n)
			}
			return nil
		},
	}
}

// recorded reads the requests that can be asked again.
func recorded(name string, say func(string)) (trial.Requests, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, left, err := trial.Read(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if left > 0 {
		say(fmt.Sprintf("%d requests of API keys are left out: the recording has no keys", left))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no requests", name)
	}
	return all, nil
}

// building makes programs.
type building struct {
	*process
	dir string // for their files
	pkg string // empty: the only one
}

// before is the program of the commit, unless a file is named.
func (b *building) before(ctx context.Context, file, commit string) (string, error) {
	if file != "" {
		return filepath.Abs(file)
	}
	tree := filepath.Join(b.dir, "before")
	archive, err := git(ctx, b.process, "archive", "--format=tar", commit)
	if err != nil {
		return "", fmt.Errorf("the program before: %w: --old names a file", err)
	}
	if err := unpack(archive, tree); err != nil {
		return "", err
	}
	root, err := filepath.Abs(b.root)
	if err == nil {
		err = absolute(filepath.Join(tree, "go.mod"), root)
	}
	if err != nil {
		return "", err
	}
	return b.build(ctx, tree, "old")
}

// latest is the program of the working tree, unless a file is named.
func (b *building) latest(ctx context.Context, file string) (string, error) {
	if file != "" {
		return filepath.Abs(file)
	}
	return b.build(ctx, b.root, "new")
}

func (b *building) build(ctx context.Context, root, name string) (_ string, err error) {
	pkg := b.pkg
	if pkg == "" {
		if pkg, err = program(root); err != nil {
			return "", err
		}
	}
	file := filepath.Join(b.dir, name)
	fmt.Fprintln(b.stderr, "weave: makes the", name, "program")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, pkg)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the %s program does not compile: %w\n%s", name, err, out)
	}
	return file, nil
}

// unpack writes the files of an archive of git below a folder.
func unpack(archive, to string) (err error) {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	files := tar.NewReader(strings.NewReader(archive))
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(files)
		if err == nil {
			err = root.MkdirAll(filepath.Dir(h.Name), 0o700)
		}
		if err == nil {
			err = root.WriteFile(h.Name, text, 0o600)
		}
		if err != nil {
			return err
		}
	}
}

// absolute has go.mod name folders that it replaces modules by as they are seen from root.
func absolute(mod, root string) error {
	text, err := os.ReadFile(mod)
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	for _, r := range file.Replace {
		if modfile.IsDirectoryPath(r.New.Path) && !filepath.IsAbs(r.New.Path) {
			if err := file.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(root, r.New.Path), ""); err != nil {
				return err
			}
		}
	}
	changed, err := file.Format()
	if err != nil || bytes.Equal(changed, text) {
		return err
	}
	return os.WriteFile(mod, changed, 0o600)
}
