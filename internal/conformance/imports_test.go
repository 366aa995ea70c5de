package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Every package of ours is the subject of a rule about imports, not only of
// one about everything that is below a folder.
func TestEveryPackageHasARuleAboutImports(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]struct{ Files []string }
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	var patterns []*regexp.Regexp
	for name, rule := range config.Linters.Settings.Depguard.Rules {
		for _, pattern := range rule.Files {
			if name != "kit" && name != "kittest-alone" && name != "generator-tests" && !strings.HasPrefix(pattern, "!") {
				patterns = append(patterns, glob(pattern))
			}
		}
	}
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	generated := regexp.MustCompile(`^/(ent|internal/entity)(/|$)|^/kit$`)
	for dir := range strings.Lines(string(out)) {
		path := strings.TrimPrefix(strings.TrimSpace(dir), root)
		covered := generated.MatchString(path)
		for _, p := range patterns {
			covered = covered || p.MatchString(path+"/file.go")
		}
		if !covered {
			t.Errorf("no rule in .golangci.yml is about %s", path)
		}
	}
}

// glob is the pattern of a rule's files as a regular expression.
func glob(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.NewReplacer(
		".", `\.`, "**/", "(.*/)?", "/**", "/.*", "*", "[^/]*", "{", "(", "}", ")", ",", "|",
	).Replace(pattern) + "$")
}
