package pages_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// named is a fenced block of a guide that has a name, which is that of a
// file. Beside "text" it is what the program of that name prints.
var named = regexp.MustCompile("(?s)\n```(\\w+) (\\S+)\n(.*?)```\n")

// guide is a page of doc/clients: its files, and what its programs print.
type guide struct{ files, prints map[string]string }

func readGuide(t *testing.T, page string) guide {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../doc/clients", page))
	if err != nil {
		t.Fatal(err)
	}
	g := guide{map[string]string{}, map[string]string{}}
	for _, found := range named.FindAllStringSubmatch(string(text), -1) {
		if found[1] == "text" {
			g.prints[found[2]] = found[3]
		} else {
			g.files[found[2]] = found[3]
		}
	}
	return g
}

// write writes the guide's files into a folder, for a service.
func (g guide) write(t *testing.T, dir string, s *trial.Service) {
	t.Helper()
	for name, text := range g.files {
		text = strings.ReplaceAll(text, "localhost:8080", strings.TrimPrefix(s.URL, "http://"))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a program of a guide, against a service of its own, the way that its
// name asks for.
func (g guide) run(t *testing.T, name string) string {
	t.Helper()
	s := trial.Start(t)
	if strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".go") {
		g.write(t, s.Dir, s)
	}
	switch name {
	case "server.sh":
		return trial.Shell(t, s.Dir, g.shell(t, s, name))
	case "server.go":
		key := strings.TrimSpace(trial.MustRun(t, s.Dir, "apikey", "create", "--permissions", "read,write", "Stock keeping"))
		run := exec.CommandContext(t.Context(), "go", "run", filepath.Join(s.Dir, name))
		run.Env = append(os.Environ(), "KEY="+key)
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	dir := nodetest.Folder(t, "testdata/guides")
	g.write(t, dir, s)
	switch name {
	case "browser.js":
		return nodetest.Run(t, dir, "node", "run.mjs", nodetest.Chromium(t), filepath.Join(dir, name))
	case "rest.mts":
		trial.Shell(t, dir, g.shell(t, s, "types.sh"))
		nodetest.Run(t, dir, "tsc", "--project", ".")
		return nodetest.Run(t, dir, "node", "out/rest.mjs")
	case "relay.mjs":
		trial.Shell(t, dir, g.shell(t, s, "relay.sh"))
	}
	return nodetest.Run(t, dir, "node", name)
}

// shell is a block of shell, with what is installed in place of what npx would fetch.
func (g guide) shell(t *testing.T, s *trial.Service, name string) string {
	t.Helper()
	script, ok := g.files[name]
	if !ok {
		t.Fatalf("the guide has no %s", name)
	}
	script = strings.ReplaceAll(script, "npx ", "node_modules/.bin/")
	return strings.ReplaceAll(script, "localhost:8080", strings.TrimPrefix(s.URL, "http://"))
}

// TestTheGuidesPrograms runs every program of doc/clients that prints
// something against the service: it prints what its page says.
func TestTheGuidesPrograms(t *testing.T) {
	t.Parallel()
	pages, err := os.ReadDir("../../../doc/clients")
	if err != nil {
		t.Fatal(err)
	}
	programs := 0
	for _, page := range pages {
		g := readGuide(t, page.Name())
		for name, want := range g.prints {
			programs++
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if got := g.run(t, name); strings.TrimSpace(got) != strings.TrimSpace(want) {
					t.Errorf("%s: %s prints\n%s\nwant\n%s", page.Name(), name, got, want)
				}
			})
		}
		for name := range g.files {
			if g.prints[name] == "" && !slices.Contains([]string{"types.sh", "relay.sh", "relay.config.json", "posts.js"}, name) {
				t.Errorf("%s does not say what %s prints", page.Name(), name)
			}
		}
	}
	if programs < 10 {
		t.Errorf("%d programs were found", programs)
	}
}
