package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/port"
)

func portCommand() command {
	as := map[string]string{}
	return command{
		name:    "port",
		args:    "FOLDER",
		summary: "Begin schema/ from schemas of Ent.",
		about: `
FOLDER has schemas of Ent, such as ../shop/ent/schema. Its files are written into schema/ with the edits that
follow by themselves: optional fields are Nillable, ids and foreign keys 64-bit integers, unique edges have a Field,
in the column where Ent has kept it, and each entity has an expose.Resource and a policy that admits admins alone until
it is opened. Imports of Ent's old path and of the generated package privacy become entgo.io/ent's.

Everything else stays as it was written. What a person has to decide is listed with file and line: policies,
interceptors, code that imports what is generated, and the options of entc.go. Then weave generate lists what else it
refuses. No file is overwritten, unless FOLDER is schema/ itself.`,
		flags: func(fs *flag.FlagSet) {
			fs.Func("as", "another name for an `entity`, as User=Member; may be repeated. The kit's accounts are rows of User.", func(text string) error {
				old, name, ok := strings.Cut(text, "=")
				if !ok || old == "" || name == "" {
					return fmt.Errorf("%q is no entity with its other name: User=Member", text)
				}
				as[old] = name
				return nil
			})
		},
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args, "FOLDER"); err != nil {
				return err
			}
			plan, err := port.Read(args[0], as)
			if err != nil {
				return err
			}
			return writePort(p, plan, args[0])
		},
	}
}

// writePort writes the files of the plan, none where one of them is there and is not the
// one that was read.
func writePort(p *process, plan *port.Plan, folder string) error {
	target := filepath.Join(p.root, "schema")
	same := sameFolder(folder, target)
	for name := range plan.Files {
		_, err := os.Stat(filepath.Join(target, name))
		if !same && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("schema/%s is there already, and is not overwritten: move it away, or call the entity otherwise by --as", name)
		}
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(plan.Files)) {
		if err := os.WriteFile(filepath.Join(target, name), plan.Files[name], 0o644); err != nil {
			return err
		}
	}
	for _, n := range plan.Edits {
		fmt.Fprintln(p.stdout, n)
	}
	fmt.Fprintf(p.stdout, "\n%d files are in schema/.", len(plan.Files))
	if len(plan.Decisions) == 0 {
		fmt.Fprintln(p.stdout, " Nothing is left to decide.")
		return nil
	}
	fmt.Fprintf(p.stdout, " %d things are left to decide:\n", len(plan.Decisions))
	for _, n := range plan.Decisions {
		fmt.Fprintln(p.stdout, n)
	}
	return nil
}

func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
