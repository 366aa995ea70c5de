package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/moved"
	"github.com/entwine-go/entwine/kit/codegen/planner"
)

// kit is the module that is upgraded.
const kit = "github.com/entwine-go/entwine"

func upgradeCommand() command {
	before := ""
	return command{
		name:    "upgrade",
		args:    "[VERSION]",
		summary: "Take another version of entwine, the newest without a name, and all that follows from it.",
		about: `
It writes the version into go.mod, and has that version's weave generate, write the migrations that
entwine's own tables need, compile the module, and say what has changed for clients, which those of
this version may have to know. What is yours is left as it is, but for imports of packages of entwine that
have moved. Where the module replaces entwine by a
folder, that is what is taken.`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&before, "before", "", "a `file` with the contract of before: go.mod says the version already.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if before != "" {
				return follow(ctx, p, before)
			}
			if len(args) > 1 {
				return wants(args, "VERSION")
			}
			return upgrade(ctx, p, append(args, "latest")[0])
		},
	}
}

// upgrade takes the version, and has its weave do the rest.
func upgrade(ctx context.Context, p *process, version string) error {
	same, err := upToDate(ctx, p, version)
	if err != nil {
		return err
	}
	if same != "" {
		fmt.Fprintf(p.stdout, "entwine %s is what go.mod has: nothing is changed, and weave generate writes what follows from it\n", same)
		return nil
	}
	earlier, err := readIfThere(filepath.Join(p.root, contract.File))
	if err != nil {
		return err
	}
	before, err := os.CreateTemp("", "contract-*.json")
	if err != nil {
		return err
	}
	defer os.Remove(before.Name())
	_, err = before.WriteString(earlier)
	if err = cmp.Or(err, before.Close()); err != nil {
		return err
	}
	was, replaced, err := required(ctx, p)
	if err != nil {
		return err
	}
	if !replaced {
		if err := step(ctx, p, "get", kit+"@"+version); err != nil {
			return err
		}
	}
	is, _, err := required(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "entwine %s is %s now\n", was, is)
	return step(ctx, p, "run", kit+"/cmd/weave", "upgrade", "--before", before.Name())
}

// upToDate is the version of entwine that go.mod has, if it is the one that is asked
// for, and empty if not. The questions leave go.mod and go.sum as they are: the go
// command would add what builds don't need.
func upToDate(ctx context.Context, p *process, version string) (same string, err error) {
	before := map[string]string{}
	for _, name := range []string{"go.mod", "go.sum"} {
		file := filepath.Join(p.root, name)
		if before[file], err = readIfThere(file); err != nil {
			return "", err
		}
	}
	defer func() {
		for file, text := range before {
			if now, readErr := readIfThere(file); same != "" && (readErr != nil || now != text) {
				err = cmp.Or(err, os.WriteFile(file, []byte(text), 0o644))
			}
		}
	}()
	was, replaced, err := required(ctx, p)
	if err != nil || replaced {
		return "", err
	}
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", kit+"@"+version)
	list.Dir, list.Stderr, list.Env = p.root, p.stderr, resolving()
	out, err := list.Output()
	if err != nil || strings.TrimSpace(string(out)) != was {
		return "", err
	}
	return was, nil
}

// follow writes all that follows from the version in go.mod.
func follow(ctx context.Context, p *process, before string) error {
	rewritten, err := moved.Rewrite(p.root)
	for _, file := range rewritten {
		fmt.Fprintf(p.stdout, "%s: imports what has moved from where it is now\n", file)
	}
	if err != nil {
		return err
	}
	if err := codegen.Generate(ctx, p.root, p.stderr); err != nil {
		return err
	}
	if err := step(ctx, p, "mod", "tidy"); err != nil {
		return err
	}
	declared, err := codegen.Declared(ctx, p.root)
	if err != nil {
		return err
	}
	written, err := planner.Diff(ctx, migrations(p.root), migrationName(), declared.Database, planner.Allow{})
	for _, file := range written {
		fmt.Fprintln(p.stdout, "wrote", file)
	}
	if err != nil {
		return err
	}
	if err := warnOfHalf(p); err != nil {
		return err
	}
	if err := step(ctx, p, "build", "./..."); err != nil {
		return fmt.Errorf("code of the project does not compile with this version: %w", err)
	}
	return changed(p, before, declared.Contract)
}

// changed says what has changed for clients.
func changed(p *process, before string, after *contract.Contract) error {
	text, err := os.ReadFile(before)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		fmt.Fprintf(p.stderr, "weave: what changed for clients is not known: there was no %s\n", contract.File)
		return nil
	}
	earlier, err := contract.Decode(text)
	if err != nil {
		return fmt.Errorf("read what was promised before: %w", err)
	}
	return change.Report(p.stdout, change.Judge(earlier, after), style(p.stdout))
}

// required is the version of entwine in go.mod, and whether a folder is in its place.
func required(ctx context.Context, p *process) (version string, replaced bool, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}} {{with .Replace}}{{.Path}}{{end}}", kit)
	list.Dir, list.Stderr, list.Env = p.root, p.stderr, resolving()
	out, err := list.Output()
	version, folder, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return version, folder != "", err
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// migrationName names the migrations of entwine's own tables.
func migrationName() string {
	return "entwine_" + strings.Trim(notInNames.ReplaceAllString(cmp.Or(ownVersion(), "upgrade"), "_"), "_")
}

// step runs go in the module, which may need what go.mod does not name yet.
func step(ctx context.Context, p *process, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = p.root, p.stdout, p.stderr, resolving()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// resolving is the environment of a go that completes go.mod and go.sum.
func resolving() []string {
	return append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
}
