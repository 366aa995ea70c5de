package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const moduleFile = "module example.com/m\n\ngo 1.26\n"

// tree writes files into the folder.
func tree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// A release is tagged, and the tree after it changes names of public packages
// and of others.
func TestItFailsWhereImportersWouldBreak(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"go.mod":              moduleFile,
		"kit/public.txt":      "mail\nmoney\n",
		"kit/mail/mail.go":    "package mail\n\n// Send sends.\nfunc Send(to string) error { return nil }\n\n// Max bounds.\nconst Max = 10\n",
		"kit/read/read.go":    "package read\n\n// Gone goes.\nfunc Gone() {}\n",
		"kit/internal/i/i.go": "package i\n\n// Gone goes.\nfunc Gone() {}\n",
		"other/other.go":      "package other\n\n// Gone goes.\nfunc Gone() {}\n",
	})
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "first")
	git(t, dir, "tag", "v0.1.0")
	compat := func() (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), &out, dir, "v0.1.0")
		return out.String(), err
	}
	if out, err := compat(); err != nil || out != "" {
		t.Errorf("of no change it says %q, %v", out, err)
	}

	tree(t, dir, map[string]string{
		"kit/mail/mail.go":    "package mail\n\n// Send sends.\nfunc Send(to, text string) error { return nil }\n\n// Max bounds.\nconst Max = 10\n\n// More is new.\nfunc More() {}\n",
		"kit/money/money.go":  "package money\n\n// Unit is one.\nconst Unit = 1\n",
		"kit/read/read.go":    "package read\n",
		"kit/internal/i/i.go": "package i\n",
		"other/other.go":      "package other\n",
	})
	out, err := compat()
	want := "INCOMPATIBLE\tkit/mail: Send: changed from func(string) error to func(string, string) error\n"
	if err == nil || !strings.Contains(err.Error(), "1 incompatible changes since v0.1.0") || !strings.Contains(out, want) {
		t.Errorf("it says %q, %v", out, err)
	}
	for _, line := range []string{"compatible\tkit/mail: More: added\n", "compatible\tkit/money: package added\n"} {
		if !strings.Contains(out, line) {
			t.Errorf("it says %q, which lacks %q", out, line)
		}
	}

	tree(t, dir, map[string]string{"kit/accepted.txt": strings.TrimPrefix(want, "INCOMPATIBLE\t")})
	if out, err := compat(); err != nil || !strings.Contains(out, "accepted\tkit/mail: Send") {
		t.Errorf("of what is accepted it says %q, %v", out, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "kit", "mail")); err != nil {
		t.Fatal(err)
	}
	if out, err := compat(); err == nil || !strings.Contains(out, "INCOMPATIBLE\tkit/mail: package removed") {
		t.Errorf("of a package that is gone it says %q, %v", out, err)
	}
}

func TestItNamesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tree(t, dir, map[string]string{"go.mod": moduleFile, "kit/mail/mail.go": "package mail\n\nfunc broken( {\n"})
	git(t, dir, "init", "-q")
	for _, against := range []string{"", "v9.9.9"} {
		if err := run(t.Context(), &bytes.Buffer{}, dir, against); err == nil {
			t.Errorf("against %q nothing is wrong", against)
		}
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "first")
	if err := run(t.Context(), &bytes.Buffer{}, dir, "HEAD"); err == nil || !strings.Contains(err.Error(), "read the release") {
		t.Errorf("of a tree that does not compile it says %v", err)
	}
}
