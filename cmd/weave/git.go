package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// errNone says that there is no contract to compare with.
var errNone = errors.New("there is no contract to compare with")

// released is the contract of a commit, or an error that is [errNone].
func released(ctx context.Context, p *process, commit string) (*contract.Contract, error) {
	text, err := show(ctx, p, commit, contract.File)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("%w: %s has no %s, for it is older", errNone, commit, contract.File)
	}
	c, err := contract.Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", contract.File, commit, err)
	}
	return c, nil
}

// show is a file of the module as a commit has it, empty where it has none. A
// commit that is not there is an error.
func show(ctx context.Context, p *process, commit, file string) (string, error) {
	if _, err := git(ctx, p, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{commit}"); err != nil {
		return "", fmt.Errorf("%w: %s", errNone, absent(ctx, p, commit))
	}
	listed, err := git(ctx, p, "ls-tree", "--name-only", commit, "--", "./"+file)
	if err != nil || listed == "" {
		return "", err
	}
	return git(ctx, p, "show", commit+":./"+file)
}

// absent says why git has no such commit.
func absent(ctx context.Context, p *process, commit string) string {
	if _, err := git(ctx, p, "rev-parse", "--git-dir"); err != nil {
		return "the project is in no git repository: git init begins one"
	}
	if commit == "HEAD" {
		return "nothing is committed yet"
	}
	return fmt.Sprintf("git has no commit, tag or branch %q here: git tag lists the tags, git fetch --tags brings those of others", commit)
}

func git(ctx context.Context, p *process, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = p.root
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil && failure.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(failure.String()))
	}
	return string(out), err
}

// readIfThere reads a file that may not be there.
func readIfThere(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}
