package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/project"
)

func newCommand() command {
	var p project.Project
	return command{
		name:    "new",
		args:    "MODULE",
		summary: "Write the files of a new project into a folder named like the module.",
		about: `
MODULE is its path, such as example.com/acme/notes: the project is in the folder notes. Its program is a
service with accounts, whose users write notes; make run in the folder generates and serves it.
What is written is yours, and weave never overwrites it.

--with blog begins with posts, comments, categories, likes and shares as well, and --with shop with
products, reviews, carts, orders, payments by a sandbox, refunds and invoices; --with blog,shop with both. They
are copied from the source of entwine's own service, with the Go code of their actions. What that service
answers by hand is left out: the cart as a whole, invoices as PDF, how far an order is paid, and messages
of a payment gateway.`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&p.Version, "version", "", "the `version` of entwine: that of this program without it.")
			fs.Func("with", "`parts` of entwine's own service to begin with, with commas between them: blog, shop.", func(text string) error {
				p.With = strings.Split(text, ",")
				return nil
			})
			fs.StringVar(&p.Replace, "replace", "", "a `folder` with entwine's source, in the place of a version.")
		},
		run: func(ctx context.Context, c *process, args []string) (err error) {
			if err := wants(args, "MODULE"); err != nil {
				return err
			}
			p.Module, p.Go = args[0], strings.TrimPrefix(runtime.Version(), "go")
			p.Go, _, _ = strings.Cut(p.Go, " ") // of an experiment
			if p.Replace != "" {
				p.Version = "v0.0.0"
				if p.Replace, err = filepath.Abs(p.Replace); err != nil {
					return err
				}
			}
			if p.Version == "" {
				if p.Version = ownVersion(); p.Version == "" {
					return usagef("this weave was built from source and has no version: name one with --version, or the source with --replace")
				}
			}
			if p.Source = p.Replace; len(p.With) > 0 && p.Source == "" {
				if p.Source, err = sourceOf(ctx, p.Version); err != nil {
					return err
				}
			}
			folder := filepath.Join(c.root, p.Name())
			written, err := p.Write(folder)
			if err != nil {
				return err
			}
			for _, name := range written {
				fmt.Fprintln(c.stdout, "wrote", filepath.Join(folder, name))
			}
			fmt.Fprintf(c.stdout, "\nNow:\n  cd %s && make run\n", folder)
			return nil
		},
	}
}

// sourceOf is the folder with the source of a version of entwine, which go
// downloads where it is not there.
func sourceOf(ctx context.Context, version string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", "github.com/entwine-go/entwine@"+version)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var said struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &said); jsonErr == nil && said.Error != "" {
		return "", fmt.Errorf("download entwine %s: %s", version, said.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download entwine %s: %w", version, err)
	}
	return said.Dir, nil
}

// ownVersion is the version of the module that this program was built of, empty
// where it was built from source.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" || strings.Contains(info.Main.Version, "+dirty") {
		return ""
	}
	return info.Main.Version
}
