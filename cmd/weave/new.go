package main

import (
	"context"
	"flag"
	"fmt"
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
What is written is yours, and weave never overwrites it.`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&p.Version, "version", "", "the `version` of entwine: that of this program without it.")
			fs.StringVar(&p.Replace, "replace", "", "a `folder` with entwine's source, in the place of a version.")
		},
		run: func(_ context.Context, c *process, args []string) (err error) {
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

// ownVersion is the version of the module that this program was built of, empty
// where it was built from source.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" || strings.Contains(info.Main.Version, "+dirty") {
		return ""
	}
	return info.Main.Version
}
