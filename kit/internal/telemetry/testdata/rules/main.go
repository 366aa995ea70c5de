// Command rules runs tests of alerts as promtool test rules does, of which it knows
// what doc/operations/monitoring/alerts_test.yml uses. It also fails where there is
// an alert that no test has fire, or none has stay silent.
//
//	rules TESTS.yml
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"gopkg.in/yaml.v3"
)

type file struct {
	RuleFiles []string       `yaml:"rule_files"`
	Interval  model.Duration `yaml:"evaluation_interval"`
	Tests     []test
}

type test struct {
	Name        string
	Interval    model.Duration
	InputSeries []input `yaml:"input_series"`
	Alerts      []want  `yaml:"alert_rule_test"`
}

type input struct{ Series, Values string }

type want struct {
	At        model.Duration `yaml:"eval_time"`
	Alertname string
	Alerts    []struct {
		Labels      map[string]string `yaml:"exp_labels"`
		Annotations map[string]string `yaml:"exp_annotations"`
	} `yaml:"exp_alerts"`
}

func main() {
	problems, err := judge(os.Args[1])
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
	}
	if err != nil || len(problems) > 0 {
		os.Exit(1)
	}
}

func judge(name string) (problems []string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f file
	if err := yaml.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	var rules []rulefmt.Rule
	for _, one := range f.RuleFiles {
		groups, errs := rulefmt.ParseFile(filepath.Join(filepath.Dir(name), one), false, model.UTF8Validation)
		for _, err := range errs {
			problems = append(problems, err.Error())
		}
		if len(errs) > 0 {
			return problems, nil
		}
		for _, g := range groups.Groups {
			rules = append(rules, g.Rules...)
		}
	}
	fired, silent := map[string]bool{}, map[string]bool{}
	for _, t := range f.Tests {
		r := &run{test: t, rules: rules, every: time.Duration(f.Interval), fired: fired, silent: silent}
		found, err := r.run(context.Background())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		problems = append(problems, found...)
	}
	for _, r := range rules {
		if r.Alert != "" && (!fired[r.Alert] || !silent[r.Alert]) {
			problems = append(problems, fmt.Sprintf("%s is tested to fire: %v, to stay silent: %v", r.Alert, fired[r.Alert], silent[r.Alert]))
		}
	}
	return problems, nil
}

// engine is a Prometheus without a server.
var engine = promql.NewEngine(promql.EngineOpts{
	Logger: slog.New(slog.DiscardHandler), MaxSamples: 50_000_000, Timeout: time.Minute, EnableAtModifier: true, EnableNegativeOffset: true,
})

func labelsOf(of map[string]string, more labels.Labels) labels.Labels {
	b := labels.NewBuilder(more)
	for name, value := range of {
		b.Set(name, value)
	}
	return b.Labels()
}
