package deployment_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// composed is a service of deploy/compose.yaml.
type composed struct {
	Command, Health []string
	Environment     map[string]*string
	Secrets, Mounts []string
}

func composition(t *testing.T) map[string]composed {
	t.Helper()
	dir, err := filepath.Abs("../../../deploy")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), manifests(t), "services", dir).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, trial.Said(err))
	}
	all := map[string]composed{}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// deployment is deploy/compose.yaml without its images: its services, as far as this
// machine has them.
type deployment struct {
	*testing.T
	services map[string]composed
	secrets  string
}

// deploy makes the secrets, and a PostgreSQL with the role and limits, a PgBouncer with
// the settings, and a Redis of it.
func deploy(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{T: t, services: composition(t), secrets: filepath.Join(t.TempDir(), "secrets.d")}
	if out, err := exec.CommandContext(t.Context(), "../../../deploy/secrets", d.secrets).CombinedOutput(); err != nil {
		t.Fatalf("secrets: %v\n%s", err, out)
	}
	server := storetest.PostgresServer(t)
	d.sql(server.URL("postgres"), "CREATE ROLE entwine LOGIN SUPERUSER PASSWORD '"+d.secret("postgres_password")+"'", "CREATE DATABASE entwine OWNER entwine")
	d.sql(server.URL("entwine"), trial.ReadFile(t, "deploy/limits.sql"))
	pooler := d.pooler(server.Port)
	d.become("database_url", "@pgbouncer:6432", fmt.Sprintf("@127.0.0.1:%d", pooler))
	d.become("database_direct_url", "@postgres:5432", fmt.Sprintf("@127.0.0.1:%d", server.Port))
	d.become("redis_url", d.secret("redis_url"), storetest.Redis(t).URL)
	return d
}

func (d *deployment) secret(name string) string {
	d.Helper()
	text, err := os.ReadFile(filepath.Join(d.secrets, name))
	if err != nil {
		d.Fatal(err)
	}
	return string(text)
}

func (d *deployment) become(name, old, text string) {
	d.Helper()
	if err := os.WriteFile(filepath.Join(d.secrets, name), []byte(trial.Replaced(d.T, d.secret(name), old, text)), 0o600); err != nil {
		d.Fatal(err)
	}
}

func (d *deployment) sql(url string, texts ...string) {
	d.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		d.Fatal(err)
	}
	defer db.Close()
	for _, text := range texts {
		if _, err := db.ExecContext(d.Context(), text); err != nil {
			d.Fatalf("%s: %v", text, err)
		}
	}
}

// pooler starts PgBouncer with deploy/pgbouncer.ini, but for addresses.
func (d *deployment) pooler(server int) (port int) {
	d.Helper()
	trial.Installed(d.T, "pgbouncer")
	dir, err := os.MkdirTemp("", "entwine-compose-")
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { _ = os.RemoveAll(dir) })
	port = trial.FreePort(d.T)
	ini := trial.Replaced(d.T, trial.ReadFile(d.T, "deploy/pgbouncer.ini"), "host=postgres port=5432", fmt.Sprintf("host=127.0.0.1 port=%d", server),
		"listen_addr = 0.0.0.0", "listen_addr = 127.0.0.1", "listen_port = 6432", fmt.Sprintf("listen_port = %d", port), "/run/secrets", dir)
	for name, text := range map[string]string{"pgbouncer.ini": ini, "pgbouncer_users": d.secret("pgbouncer_users")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			d.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		d.Fatal(err)
	}
	args := []string{filepath.Join(dir, "pgbouncer.ini")}
	if os.Getuid() == 0 {
		args = append(args, "--user=nobody")
	}
	cmd, output := exec.Command("pgbouncer", args...), new(trial.Log)
	cmd.Stderr, cmd.SysProcAttr = output, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	output.Wait(d.T, "process up")
	return port
}

// as is the environment of a service, with addresses and secrets of this machine.
func (d *deployment) as(name string, more ...string) []string {
	d.Helper()
	s, ok := d.services[name]
	if !ok {
		d.Fatalf("there is no service %s, but %v", name, slices.Sorted(maps.Keys(d.services)))
	}
	env := []string{"ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATA_DIR=" + d.TempDir()}
	for name, value := range s.Environment {
		text := strings.ReplaceAll(*value, "/run/secrets", d.secrets)
		if strings.HasSuffix(name, "_ADDR") {
			text = "127.0.0.1:0"
		}
		env = append(env, name+"="+text)
	}
	return append(env, more...)
}

// run runs a command as the service, which has to work unless it lasts.
func (d *deployment) run(env, args []string) (output string, err error) {
	cmd := exec.CommandContext(d.Context(), trial.Binary, args...)
	cmd.Dir, cmd.Env = d.TempDir(), env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// lasting starts a service, and returns what it logged once it says that it runs.
func (d *deployment) lasting(env []string, says string, args ...string) *trial.Log {
	d.Helper()
	cmd, output := exec.Command(trial.Binary, args...), new(trial.Log)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.Stdout = d.TempDir(), env, output, output
	if err := cmd.Start(); err != nil {
		d.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	d.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			d.Errorf("%v ended with %v\n%s", args, err, output)
		}
	})
	said := make(chan struct{})
	go func() { output.Wait(d.T, says); close(said) }()
	select {
	case <-said:
	case err := <-ended:
		ended <- err
		d.Fatalf("%v ended with %v:\n%s", args, err, output)
	}
	return output
}

// The processes of entwine start in production with the settings, secrets, limits and
// PgBouncer of compose.yaml, in its order, and are healthy. Images are not pulled, nor
// run.
func TestTheComposition(t *testing.T) {
	t.Parallel()
	d := deploy(t)
	for name, s := range d.services {
		if len(s.Health) == 0 && name != "migrate" {
			t.Errorf("%s has no health check", name)
		}
		for _, file := range s.Mounts {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, secret := range s.Secrets {
			if info, err := os.Stat(filepath.Join(d.secrets, secret)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: secret %s: %v, %v", name, secret, info, err)
			}
		}
	}
	if out, err := d.run(d.as("server1"), []string{"serve"}); err == nil || !strings.Contains(out, "migrat") {
		t.Errorf("before the migrations: %v\n%s", err, out)
	}
	if out, err := d.run(d.as("migrate"), d.services["migrate"].Command); err != nil {
		t.Fatalf("migrate: %v\n%s", err, out)
	}
	for name, one := range map[string]struct {
		args              []string
		says, at, setting string
	}{
		"server1": {[]string{"serve"}, `"entwine serves"`, `"address":"`, "ENTWINE_ADDR"},
		"server2": {[]string{"serve"}, `"entwine serves"`, `"address":"`, "ENTWINE_ADDR"},
		"worker":  {d.services["worker"].Command, `"entwine works"`, `"url":"http://`, "ENTWINE_WORKER_ADDR"},
	} {
		env := d.as(name, "ENTWINE_DRAIN_TIME=0s")
		said := d.lasting(env, one.says, one.args...).String()
		if one.setting == "ENTWINE_WORKER_ADDR" {
			_, said, _ = strings.Cut(said, `"health is served"`)
		}
		_, at, found := strings.Cut(said, one.at)
		at, _, _ = strings.Cut(at, `"`)
		test := d.services[name].Health
		if !found || len(test) < 3 || test[1] != "/entwine" {
			t.Fatalf("%s: health is asked by %v at %q:\n%s", name, test, at, said)
		}
		if out, err := d.run(append(env, one.setting+"="+strings.TrimSuffix(at, "/healthz")), test[2:]); err != nil || !strings.Contains(out, `"redis":"ok"`) {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
