// Package squawktest has squawk judge migrations of PostgreSQL: a program by
// others that knows which statements stop those who read and write meanwhile.
// Accepted findings are explained, rule by rule, and every other finding fails the
// test. Without Node.js, or without a way to squawk, the test is skipped.
package squawktest

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

//go:embed testdata
var packages embed.FS

// Explained says of a rule why what it finds is meant. It is so in files whose
// names begin with one of In, in all where there is none.
type Explained struct {
	Rule, Why string // squawk's name of the rule, and why it is right here to break it
	In        []string
}

// ours are the rules that package migration keeps by itself.
var ours = []Explained{
	{Rule: "prefer-robust-stmts", Why: "the database keeps which statements it has had, each with its effect"},
	{Rule: "require-lock-timeout", Why: "each statement that stops others has one"},
	{Rule: "require-statement-timeout", Why: "long statements of these migrations block no writers"},
}

// finding is one of squawk's.
type finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Rule    string `json:"rule_name"`
	Message string `json:"message"`
}

// Judge fails the test for what squawk finds in the files, texts by their names,
// and is not explained, and for explanations of what was not found.
func Judge(t *testing.T, files map[string]string, explained ...Explained) {
	t.Helper()
	from := t.TempDir()
	below, err := fs.Sub(packages, "testdata")
	if err == nil {
		err = os.CopyFS(from, below)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := nodetest.Folder(t, from)
	var transactions, live []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(files[name], "-- atlas:txmode none") {
			live = append(live, name)
		} else {
			transactions = append(transactions, name)
		}
	}
	found := append(judge(t, dir, transactions, "--assume-in-transaction"), judge(t, dir, live)...)
	said := map[string]bool{}
	for _, f := range found {
		if why := because(f, slices.Concat(ours, explained)); why != "" {
			said[why] = true
			continue
		}
		lines := strings.Split(files[f.File], "\n")
		t.Errorf("%s: %s: %s\n%s", f.File, f.Rule, f.Message, lines[min(f.Line, len(lines)-1)])
	}
	for _, e := range explained {
		if !said[e.Rule+e.Why] {
			t.Errorf("%s is explained (%s) and was not found", e.Rule, e.Why)
		}
	}
}

// because identifies what explains the finding, empty for nothing.
func because(f finding, all []Explained) string {
	for _, e := range all {
		if e.Rule == f.Rule && (len(e.In) == 0 || slices.ContainsFunc(e.In, func(name string) bool { return strings.HasPrefix(f.File, name) })) {
			return e.Rule + e.Why
		}
	}
	return ""
}

func judge(t *testing.T, dir string, names []string, flags ...string) (found []finding) {
	t.Helper()
	if len(names) == 0 {
		return nil
	}
	// Its exit code says that it has found something.
	command := append([]string{"sh", "-c", `node_modules/@squawk-cli/linux-x64/bin/squawk --reporter json --pg-version 15 "$@" || true`, "squawk"}, flags...)
	out := nodetest.Run(t, dir, append(command, names...)...)
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatal(fmt.Errorf("squawk: %w\n%s", err, out))
	}
	return found
}
