package main_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
)

// weave is the path of the program under test.
var weave string

func TestMain(m *testing.M) {
	weave = programtest.Main(".")
	code := m.Run()
	unpublish()
	os.Exit(code)
}

// call runs weave and returns what it says and its exit code.
func call(t *testing.T, args ...string) (string, int) {
	t.Helper()
	ctx := programtest.Within(t, programtest.Usual)
	out, err := programtest.Command(ctx, weave, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		t.Fatalf("weave %v: %v\n%s", args, programtest.Why(ctx, err), out)
	}
	if exit != nil {
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}

func TestHelpTeaches(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                "generate",
		"help":            "Commands:",
		"--help":          "Commands:",
		"help generate":   "--root FOLDER",
		"help migrate":    "migrate lint",
		"migrate --help":  "migrate diff NAME",
		"generate --help": "follows from schema/",
	} {
		if out, code := call(t, strings.Fields(args)...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("weave %s: exit code %d, want %q:\n%s", args, code, want, out)
		}
	}
}

func TestMistakesAreExplained(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"migrate dif":      `no command "migrate dif": migrate diff, `,
		"gnerate":          `no command "gnerate": weave help lists them`,
		"help gnerate":     `no command "gnerate": weave help lists them`,
		"generate --rot .": "weave help generate",
		"generate now":     "it takes no arguments: now is one",
	} {
		if out, code := call(t, strings.Fields(args)...); code != 2 || !strings.Contains(out, want) {
			t.Errorf("weave %s: exit code %d, want 2 and %q:\n%s", args, code, want, out)
		}
	}
}

func TestAFolderWithoutAModuleIsRefused(t *testing.T) {
	t.Parallel()
	if out, code := call(t, "generate", "--root", t.TempDir()); code != 1 || !strings.Contains(out, "go.mod") {
		t.Errorf("weave generate: exit code %d, %s", code, out)
	}
}
