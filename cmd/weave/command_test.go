package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// weave is the path of the program under test.
var weave string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "weave")
	if err != nil {
		panic(err)
	}
	weave = filepath.Join(dir, "weave")
	if out, err := exec.Command("go", "build", "-o", weave, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// call runs weave and returns what it says and its exit code.
func call(t *testing.T, args ...string) (string, int) {
	t.Helper()
	out, err := exec.Command(weave, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
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
		"gnerate":          `no command "gnerate": weave help lists them`,
		"help gnerate":     `no command "gnerate": weave help lists them`,
		"generate --rot .": "weave help generate",
		"generate now":     "it takes 0 arguments",
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
