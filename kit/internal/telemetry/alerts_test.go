package telemetry_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// Prometheus evaluates the alerts over series that are given: each fires once, and is
// silent once.
func TestAlertsFire(t *testing.T) {
	t.Parallel()
	const module = "testdata/rules" // of its own, for it is no part of the kit
	if out, err := exec.CommandContext(t.Context(), "go", "-C", module, "mod", "download").CombinedOutput(); err != nil {
		storetest.Missing(t, "modules", fmt.Errorf("%w: %s", err, out))
	}
	program, err := programtest.Build(t.Context(), ".", "-C", module)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, monitoring+"alerts_test.yml").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}

	// It sees alerts that stay silent, and those without a test.
	dir := t.TempDir()
	for name, text := range map[string]string{
		"alerts.yml": "groups: [{name: g, rules: [{alert: Loud, expr: up == 0, for: 2m}, {alert: Untested, expr: up == 0}]}]",
		"tests.yml": "rule_files: [alerts.yml]\nevaluation_interval: 1m\ntests:\n" +
			"- {name: it ends, interval: 1m, input_series: [{series: up, values: '1x2 0x5'}], alert_rule_test: [{eval_time: 4m, alertname: Loud, exp_alerts: [{exp_labels: {}}]}]}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err = exec.CommandContext(t.Context(), program, filepath.Join(dir, "tests.yml")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "it ends: Loud at 4m") || !strings.Contains(string(out), "Untested is tested to fire: false") {
		t.Errorf("%v\n%s", err, out)
	}
}
