package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Every package of ours is the subject of a rule about imports, not only of
// one about everything that is below a folder.
func TestEveryPackageHasARuleAboutImports(t *testing.T) {
	t.Parallel()
	var patterns []*regexp.Regexp
	for name, rule := range importRules(t) {
		for _, pattern := range rule.Files {
			if name != "kit" && name != "kittest-alone" && name != "generator-tests" && !strings.HasPrefix(pattern, "!") {
				patterns = append(patterns, glob(pattern))
			}
		}
	}
	generated := regexp.MustCompile(`^/(ent|internal/entity)(/|$)|^/kit$`)
	for _, path := range packages(t) {
		covered := generated.MatchString(path)
		for _, p := range patterns {
			covered = covered || p.MatchString(path+"/file.go")
		}
		if !covered {
			t.Errorf("no rule in .golangci.yml is about %s", path)
		}
	}
}

// rule is one about imports.
type rule struct{ Files, Allow []string }

// importRules are the rules of .golangci.yml about imports.
func importRules(t *testing.T) map[string]rule {
	t.Helper()
	text, err := os.ReadFile("../../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct{ Rules map[string]rule }
			}
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	return config.Linters.Settings.Depguard.Rules
}

// packages are the folders of all packages below the root: "/kit/read".
func packages(t *testing.T) (all []string) {
	t.Helper()
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
	for dir := range strings.Lines(string(out)) {
		all = append(all, strings.TrimPrefix(strings.TrimSpace(dir), root))
	}
	return all
}

// The linter's lists can't refer to each other, so each floor of the kit repeats those
// below it: what a floor may import, the floors above may import.
func TestTheFloorsOfTheKitAgree(t *testing.T) {
	t.Parallel()
	rules := importRules(t)
	for _, above := range []struct{ floor, below string }{
		{"engines", "database"}, {"capabilities", "engines"}, {"accounts", "engines"}, {"edge", "engines"},
		{"door-rest", "capabilities"}, {"door-rest", "accounts"}, {"door-rest", "edge"},
		{"door-graph", "capabilities"}, {"door-graph", "accounts"}, {"door-graph", "edge"},
	} {
		if len(rules[above.below].Allow) == 0 {
			t.Fatalf("no rule %s", above.below)
		}
		for _, path := range rules[above.below].Allow {
			if !slices.Contains(rules[above.floor].Allow, path) {
				t.Errorf("%s may import %s, and %s above it may not", above.below, path, above.floor)
			}
		}
	}
}

// The doors may import the packages of the floors below them.
func TestDoorsMayImportTheFloorsBelow(t *testing.T) {
	t.Parallel()
	rules, all := importRules(t), packages(t)
	for _, own := range []string{"vocabulary", "database", "engines", "capabilities", "accounts", "edge"} {
		for _, dir := range all {
			if strings.Count(dir, "/") == 2 && dir != "/kit/tables" && rules[own].isAbout(dir) && !slices.Contains(rules["door-rest"].Allow, module+dir+"$") {
				t.Errorf("%s stands on the floor %s, and the doors may not import it", dir, own)
			}
		}
	}
}

// isAbout reports whether the rule is about the files of the folder.
func (r rule) isAbout(dir string) bool {
	return slices.ContainsFunc(r.Files, func(pattern string) bool {
		return !strings.HasPrefix(pattern, "!") && glob(pattern).MatchString(dir+"/file.go")
	})
}

func TestWhatRulesAllowIsThere(t *testing.T) {
	t.Parallel()
	all := packages(t)
	for name, r := range importRules(t) {
		for _, path := range r.Allow {
			below, ours := strings.CutPrefix(path, module)
			exact, whole := strings.CutSuffix(below, "$")
			if ours && !slices.ContainsFunc(all, func(dir string) bool { return dir == exact || !whole && strings.HasPrefix(dir, exact) }) {
				t.Errorf("the rule %s allows %s, which is not there", name, path)
			}
		}
	}
}

const module = "github.com/entwine-go/entwine"

// glob is the pattern of a rule's files as a regular expression.
func glob(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.NewReplacer(
		".", `\.`, "**/", "(.*/)?", "/**", "/.*", "*", "[^/]*", "{", "(", "}", ")", ",", "|",
	).Replace(pattern) + "$")
}
