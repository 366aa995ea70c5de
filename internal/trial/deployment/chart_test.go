package deployment_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// object is an object of Kubernetes, as far as tests read it.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		Replicas *int
		Template struct {
			Spec struct {
				GracePeriod int `json:"terminationGracePeriodSeconds"`
				Containers  []struct {
					Args                                        []string
					Env                                         []struct{ Name, Value string }
					ReadinessProbe, LivenessProbe, StartupProbe *struct{ HTTPGet struct{ Path string } }
					Lifecycle                                   *struct{ PreStop json.RawMessage }
					VolumeMounts                                []struct{ Name, MountPath string }
				}
			}
		}
	}
}

// charted are the objects that helm template makes of a chart, by kinds and names.
func charted(t *testing.T, dir, values string) (all map[string]object, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), manifests(t), "chart", dir)
	cmd.Stdin = strings.NewReader(values)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, trial.Said(err))
	}
	var list []object
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, err
	}
	all = map[string]object{}
	for _, o := range list {
		all[o.Kind+" "+o.Metadata.Name] = o
	}
	return all, nil
}

// The chart makes objects that Kubernetes knows, every field of them, with what servers and
// workers need. It is installed in no cluster.
func TestTheChart(t *testing.T) {
	t.Parallel()
	const dir = "../../../deploy/helm/entwine"
	all, err := charted(t, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"Deployment shop-server", "PodDisruptionBudget shop-server", "HorizontalPodAutoscaler shop-server", "Service shop",
		"Deployment shop-worker", "PodDisruptionBudget shop-worker", "HorizontalPodAutoscaler shop-worker", "Job shop-migrate",
	} {
		if _, ok := all[name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
	if len(all) != 8 {
		t.Errorf("there are %d objects", len(all))
	}
	for _, name := range []string{"server", "worker"} {
		o := all["Deployment shop-"+name]
		c := o.Spec.Template.Spec.Containers[0]
		if c.ReadinessProbe == nil || c.LivenessProbe == nil || c.StartupProbe == nil || c.ReadinessProbe.HTTPGet.Path != "/readyz" || c.LivenessProbe.HTTPGet.Path != "/healthz" {
			t.Errorf("%s: probes %+v %+v %+v", name, c.ReadinessProbe, c.LivenessProbe, c.StartupProbe)
		}
		// preStop, draining, a second, and what runs may end.
		if c.Lifecycle == nil || !strings.Contains(string(c.Lifecycle.PreStop), "sleep") || o.Spec.Template.Spec.GracePeriod < 5+5+1+20 || o.Spec.Replicas != nil {
			t.Errorf("%s: %+v", name, o)
		}
		// The settings are ones that the program takes: nothing but the database is missing.
		cmd := trial.Command(t, t.TempDir(), "migrate", "status")
		for _, e := range c.Env {
			value := e.Value
			if strings.HasPrefix(value, "/run/secrets/") {
				value = secretFile(t, filepath.Base(value))
			}
			cmd.Env = append(cmd.Env, e.Name+"="+value)
		}
		cmd.Env = append(cmd.Env, "ENTWINE_PAYMENT_GATEWAY=sandbox", "ENTWINE_PAYMENT_WEBHOOK_SECRET=0123456789abcdef", "ENTWINE_DATABASE_WAIT=1ms", "ENTWINE_BCRYPT_COST=12", "ENTWINE_DATA_DIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "ENTWINE_DATABASE_URL: ") || strings.Contains(string(out), "ignored") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	more, err := charted(t, dir, "ingress: {host: api.example.com, className: nginx, tlsSecret: tls}\nserver: {maxReplicas: 0}\nworker: {maxReplicas: 0, replicas: 3}\npullSecrets: [{name: registry}]")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := more["Ingress shop"]; !ok || len(more) != 7 || *more["Deployment shop-worker"].Spec.Replicas != 3 {
		t.Errorf("there is %v", more)
	}
	for _, claim := range []string{"", "shared"} {
		with, err := charted(t, dir, fmt.Sprintf("files: {claim: %q}", claim))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"server", "worker"} {
			mounts := fmt.Sprint(with["Deployment shop-"+name].Spec.Template.Spec.Containers[0].VolumeMounts)
			if strings.Contains(mounts, "{files /data/files}") != (claim != "") {
				t.Errorf("with the claim %q the %s mounts %s", claim, name, mounts)
			}
		}
	}
	misspelt := t.TempDir()
	if err := os.CopyFS(misspelt, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	text := trial.Replaced(t, trial.ReadFile(t, "deploy/helm/entwine/templates/worker.yaml"), "readinessProbe", "readynessProbe")
	if err := os.WriteFile(filepath.Join(misspelt, "templates/worker.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := charted(t, misspelt, ""); err == nil || !strings.Contains(err.Error(), `unknown field "readynessProbe"`) {
		t.Errorf("misspelt: %v", err)
	}
}

// secretFile is a file with a value of a setting that is a secret.
func secretFile(t *testing.T, setting string) string {
	t.Helper()
	values := map[string]string{
		"ENTWINE_DATABASE_URL": "postgres://entwine@127.0.0.1:1/entwine?sslmode=disable", "ENTWINE_REDIS_URL": "redis://127.0.0.1:1/0",
		"ENTWINE_TOKEN_KEYS": "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=", "ENTWINE_SECRET_KEYS": "ESIzRFVmd4iZqrvM3e7/ABEiM0RVZneImaq7zN3u/wA=",
	}
	if values[setting] == "" {
		t.Fatalf("there is no value of %s", setting)
	}
	file := filepath.Join(t.TempDir(), setting)
	if err := os.WriteFile(file, []byte(values[setting]), 0o440); err != nil {
		t.Fatal(err)
	}
	return file
}
