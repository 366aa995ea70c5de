package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/planner"
)

func mergeCommand() command {
	return command{
		name:    "merge",
		args:    "[BRANCH]",
		summary: "Merge a branch: code is generated anew, and migrations are put in one order.",
		about: `
It is git merge, and then what follows: of conflicts, those in generated folders, in go.sum, and in the
sums of migrations are resolved; everything is generated from the schemas of both sides; the
migrations of the side that comes later take new versions after the other's. That is the branch that
one is on, unless it is the main one, on which the branch that is merged comes later. The commit is
made where that leads to the schema.

Conflicts in what is yours are left. Once they are resolved and added, weave merge without a branch
goes on.`,
		run: func(ctx context.Context, p *process, args []string) error {
			if len(args) > 1 {
				return wants(args, "BRANCH")
			}
			m := &merge{process: p}
			if len(args) == 1 {
				if under, err := m.begin(ctx, args[0]); err != nil || !under {
					return err
				}
			} else if !m.underway(ctx) {
				return usagef("no merge is under way: weave merge BRANCH begins one")
			}
			return m.run(ctx)
		},
	}
}

// merge is one that git has begun.
type merge struct {
	*process
	tidy bool // go.sum has the lines of both sides
}

// begin has git merge, and reports whether there is something to merge.
func (m *merge) begin(ctx context.Context, branch string) (bool, error) {
	if m.underway(ctx) {
		return false, usagef("a merge is under way: weave merge without a branch goes on with it")
	}
	said, err := git(ctx, m.process, "merge", "--no-commit", "--no-ff", "--end-of-options", branch)
	if m.underway(ctx) { // conflicts are an error, too
		return true, nil
	}
	fmt.Fprint(m.stderr, said)
	return false, err
}

func (m *merge) underway(ctx context.Context) bool {
	_, err := git(ctx, m.process, "rev-parse", "--quiet", "--verify", "MERGE_HEAD")
	return err == nil
}

func (m *merge) run(ctx context.Context) error {
	left, err := m.settle(ctx)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("these conflicts are yours to resolve: %s\nthen git add them, and weave merge goes on", strings.Join(left, ", "))
	}
	if err := m.order(ctx); err != nil {
		return err
	}
	if err := codegen.Generate(ctx, m.root, m.stderr); err != nil {
		return err
	}
	if m.tidy {
		if err := step(ctx, m.process, "mod", "tidy"); err != nil {
			return err
		}
	}
	if err := m.add(ctx); err != nil {
		return err
	}
	if err := seal(ctx, m.process); err != nil {
		return fmt.Errorf("the migrations of both sides: %w; then git add and git commit", err)
	}
	if err := warnOfHalf(m.process); err != nil {
		return err
	}
	if err := m.add(ctx); err != nil {
		return err
	}
	said, err := git(ctx, m.process, "commit", "--no-edit")
	fmt.Fprint(m.stdout, said)
	return err
}

// settle resolves the conflicts in what follows from the rest, and returns the others.
func (m *merge) settle(ctx context.Context) (left []string, err error) {
	out, err := git(ctx, m.process, "ls-files", "--unmerged", "-z")
	if err != nil {
		return nil, err
	}
	sides := map[string][]string{} // by file: "2" is ours, "3" theirs
	for line := range strings.SplitSeq(strings.TrimRight(out, "\x00"), "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		if words := strings.Fields(about); ok && len(words) == 3 {
			sides[name] = append(sides[name], words[2])
		}
	}
	ours, theirs := []string{"checkout", "--quiet", "--ours", "--"}, []string{"checkout", "--quiet", "--theirs", "--"}
	var settled []string
	for name, stages := range sides {
		switch {
		case name == "go.sum" || name == change.AcceptedFile:
			if err := m.unite(ctx, name); err != nil {
				return nil, err
			}
			m.tidy = m.tidy || name == "go.sum"
		case !follows(name):
			left = append(left, name)
			continue
		case slices.Contains(stages, "2"):
			ours = append(ours, name)
		case slices.Contains(stages, "3"):
			theirs = append(theirs, name)
		}
		settled = append(settled, name)
	}
	for _, args := range [][]string{ours, theirs, append([]string{"add", "--all", "--"}, settled...)} {
		if args[len(args)-1] == "--" {
			continue
		}
		if _, err := git(ctx, m.process, args...); err != nil {
			return nil, err
		}
	}
	slices.Sort(left)
	return left, nil
}

// follows reports whether the file is made of others.
func follows(name string) bool {
	if strings.HasPrefix(name, "migrate/") {
		return path.Ext(name) == ".sum"
	}
	return slices.ContainsFunc(codegen.Folders(), func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
}

// unite writes the lines of both sides into a file in which their order says nothing.
func (m *merge) unite(ctx context.Context, name string) error {
	var lines []string
	for _, stage := range []string{":2:./", ":3:./"} {
		text, err := git(ctx, m.process, "show", stage+name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(text) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return os.WriteFile(filepath.Join(m.root, name), []byte(strings.Join(lines, "")), 0o644)
}

// order has the migrations of one side follow those of the other.
func (m *merge) order(ctx context.Context) error {
	base, err := git(ctx, m.process, "merge-base", "HEAD", "MERGE_HEAD")
	if err != nil {
		return err
	}
	later, earlier := "HEAD", "MERGE_HEAD"
	if m.onMain(ctx) {
		later, earlier = earlier, later
	}
	moved, err := m.migrationsOf(ctx, strings.TrimSpace(base), later)
	if err != nil {
		return err
	}
	others, err := m.migrationsOf(ctx, strings.TrimSpace(base), earlier)
	if err != nil {
		return err
	}
	files, err := planner.After(migrations(m.root), moved, others)
	for _, file := range files {
		fmt.Fprintln(m.stdout, "it is", file)
	}
	return err
}

// onMain reports whether the branch is the one that others are merged into.
func (m *merge) onMain(ctx context.Context) bool {
	branch, err := git(ctx, m.process, "rev-parse", "--abbrev-ref", "HEAD")
	if err != nil {
		return false
	}
	branch = strings.TrimSpace(branch)
	if of, err := git(ctx, m.process, "rev-parse", "--abbrev-ref", "origin/HEAD"); err == nil {
		return strings.TrimSpace(of) == "origin/"+branch
	}
	return branch == "main" || branch == "master"
}

// migrationsOf are the files below migrate/ that a side has added: "sqlite/1_a.sql".
func (m *merge) migrationsOf(ctx context.Context, base, side string) (names []string, err error) {
	out, err := git(ctx, m.process, "diff", "--name-only", "--diff-filter=A", "--no-renames", "--relative", "-z", base, side, "--", "migrate")
	for name := range strings.SplitSeq(strings.TrimRight(out, "\x00"), "\x00") {
		if path.Ext(name) == ".sql" {
			names = append(names, strings.TrimPrefix(name, "migrate/"))
		}
	}
	return names, err
}

// add adds what was made anew.
func (m *merge) add(ctx context.Context) error {
	args := []string{"add", "--all", "--"}
	for _, name := range append(codegen.Folders(), "migrate", "go.mod", "go.sum") {
		if _, err := os.Stat(filepath.Join(m.root, name)); err == nil {
			args = append(args, name)
		}
	}
	_, err := git(ctx, m.process, args...)
	return err
}
