package telemetry_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const monitoring = "../../../doc/operations/monitoring/"

// foreign are metrics of Prometheus itself, of Go and of the process.
var foreign = []string{"up", "process_start_time_seconds", "process_resident_memory_bytes", "process_cpu_seconds_total", "go_goroutines", "go_memstats_heap_inuse_bytes"}

// Every metric that an alert or a panel asks for is one that processes have,
// with the labels that it is asked by.
func TestAlertsAndPanelsAskForWhatThereIs(t *testing.T) {
	t.Parallel()
	known := declared(t)
	if len(known) < 30 {
		t.Fatalf("the metrics are %v", known)
	}
	asked := map[string]bool{}
	for where, text := range queries(t) {
		if strings.Count(text, "(") != strings.Count(text, ")") || strings.Count(text, "{") != strings.Count(text, "}") {
			t.Errorf("%s: %s is not balanced", where, text)
		}
		for _, name := range metrics(text) {
			asked[name] = true
			if slices.Contains(foreign, name) {
				continue
			}
			base := strings.TrimPrefix(name, "entwine_")
			for _, part := range []string{"_bucket", "_count", "_sum"} {
				if had := strings.TrimSuffix(base, part); known[base] == nil && known[had] != nil {
					base = had
				}
			}
			labels, ok := known[base]
			if !ok {
				t.Errorf("%s: there is no metric %s", where, name)
			}
			for _, label := range labelsOf(text) {
				if ok && !slices.Contains(append(labels, "le", "instance", "job"), label) && strings.Count(text, "entwine_") == 1 {
					t.Errorf("%s: %s has no label %s, but %v", where, name, label, labels)
				}
			}
		}
	}
	if len(asked) < 25 {
		t.Errorf("they ask only for %v", asked)
	}
}

// The page has a section for each alert, which says what to do.
func TestEveryAlertIsExplained(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(monitoring + "../monitoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range rules(t).Groups {
		for _, r := range g.Rules {
			if r.Record != "" {
				continue
			}
			if !strings.Contains(string(page), "`"+r.Alert+"`") || r.Annotations["summary"] == "" || r.Labels["severity"] == "" {
				t.Errorf("%s is not explained, or has no summary or severity", r.Alert)
			}
		}
	}
}

// file is a file of Prometheus' rules.
type file struct {
	Groups []struct {
		Rules []struct {
			Alert, Record, Expr string
			Labels, Annotations map[string]string
		}
	}
}

func rules(t *testing.T) (f file) {
	t.Helper()
	text, err := os.ReadFile(monitoring + "alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// queries are those of the alerts and of the panels, by where they are.
func queries(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, g := range rules(t).Groups {
		for _, r := range g.Rules {
			all["rule "+r.Alert+r.Record] = r.Expr
		}
	}
	text, err := os.ReadFile(monitoring + "dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ RefID, Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			all["panel "+p.Title+" "+target.RefID] = target.Expr
		}
	}
	return all
}

var (
	nameForm  = regexp.MustCompile(`\b(?:entwine|process|go)_[a-z0-9_]+\b|\bup\b`)
	labelForm = regexp.MustCompile(`(\w+)(?:=|!=|=~|!~)"`)
	byForm    = regexp.MustCompile(`by \(([^)]*)\)`)
	textForm  = regexp.MustCompile(`"[^"]*"`)
)

// metrics are those that a query names.
func metrics(query string) []string {
	return nameForm.FindAllString(textForm.ReplaceAllString(query, `""`), -1)
}

// labelsOf are the labels that a query selects or sums by.
func labelsOf(query string) (all []string) {
	for _, found := range labelForm.FindAllStringSubmatch(query, -1) {
		all = append(all, found[1])
	}
	for _, found := range byForm.FindAllStringSubmatch(query, -1) {
		for label := range strings.SplitSeq(found[1], ",") {
			all = append(all, strings.TrimSpace(label))
		}
	}
	return all
}

// declared are the metrics that the sources make, with their labels, by their
// names without the namespace.
func declared(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{"build_info": {"version"}}
	for _, dir := range []string{".", "../../app"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if name, labels, ok := call(n); ok {
						all[name] = labels
					}
				case *ast.CompositeLit:
					if name, labels, ok := figure(n); ok {
						all[name] = labels
					}
				}
				return true
			})
		}
	}
	return all
}

// call is a metric that a call makes: m.counter(name, help, labels…) and the
// like, or the closures of package app.
func call(c *ast.CallExpr) (name string, labels []string, ok bool) {
	var made string
	var first int
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		made = f.Sel.Name
	case *ast.Ident:
		made = f.Name
	}
	switch made {
	case "counter":
		first = 2
	case "histogram":
		first = 3
	case "pool":
		labels, first = []string{"pool"}, len(c.Args)
	case "backlog":
		labels, first = []string{"queue", "status"}, len(c.Args)
	default:
		return "", nil, false
	}
	if name = literal(c.Args[0]); name == "" {
		return "", nil, false
	}
	for _, a := range c.Args[first:] {
		labels = append(labels, literal(a))
	}
	return name, labels, true
}

// figure is a metric that is read: telemetry.Figure{Name: …, Labels: …}.
func figure(l *ast.CompositeLit) (name string, labels []string, ok bool) {
	for _, element := range l.Elts {
		pair, _ := element.(*ast.KeyValueExpr)
		if pair == nil {
			continue
		}
		switch key, _ := pair.Key.(*ast.Ident); {
		case key == nil:
		case key.Name == "Name":
			name = literal(pair.Value)
		case key.Name == "Labels":
			if list, is := pair.Value.(*ast.CompositeLit); is {
				for _, label := range list.Elts {
					labels = append(labels, literal(label))
				}
			}
		}
	}
	return name, labels, name != ""
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		text, _ := strconv.Unquote(l.Value)
		return text
	}
	return ""
}
